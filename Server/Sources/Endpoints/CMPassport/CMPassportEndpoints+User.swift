import Authority
@_spi(Server) import BenjiProtocol
import Catalogue
import Store

/// tokenValidate of 统一认证: a token in, a user's record out (TYRZLogin §3.1). Always signed with RSA, always
/// encrypted.
extension CMPassportEndpoints {
    func userInformation(_ json: JSON, problem: Refusal?, peer: InternetAddress?) async -> ServerAnswer {
        let result: ServerResult
        var body: [JSON.Member] = []
        var trace: TraceID?
        do throws(Refusal) {
            if let problem { throw problem }
            let answer = try await userRecord(UserInformationRequest(json), peer: peer)
            body = answer.record
            trace = answer.trace
            result = ServerResult(operator: .success, in: .tyrzPlatform)
        } catch {
            trace = error.trace
            result = ServerResult(operator: error.situation, in: .tyrzPlatform, carrier: error.carrier)
        }
        var header = [
            JSON.Member("version", .string(UserInformationRequest.version)),
            JSON.Member(
                "inresponseto",
                .string(CallerFields.echo(json["header"], "msgid", CMPassportGrammar.isMessageID))),
            JSON.Member("systemtime", .string(CMPassportTime.format(clock.now))),
        ]
        header += result.operatorMembers
        if let trace { header.append(JSON.Member("taskId", .string(trace.rawValue))) }
        return ServerAnswer(
            json: .object(["header": .object(header), "body": .object(body)]), code: result.code, trace: trace)
    }

    private func userRecord(
        _ request: UserInformationRequest, peer: InternetAddress?
    ) async throws(Refusal) -> (record: [JSON.Member], trace: TraceID) {
        try await desk.withApp(request.appID) { app throws(Refusal) in
            try await judge(request, of: app, peer: peer)
        } redeem: { judged throws(Refusal) in
            let login = try await desk.redeemNumber(judged.call, token: request.token)
            return (try record(of: login, for: judged.key, request), login.trace)
        }
    }

    private func judge(
        _ request: UserInformationRequest, of app: RegisteredApp, peer: InternetAddress?
    ) async throws(Refusal) -> (call: AdmittedCall, key: CMPassportPublicKey) {
        // The document lets an app without a key stay unsigned; here such an app gets no answer.
        let key = try publicKey(of: app)
        guard key.isValid(sign: request.sign, appID: request.appID.rawValue, token: request.token) else {
            throw Refusal(.signWrong, "the sign is wrong")
        }
        let call = ServerCall(
            app: app, messageID: request.messageID, interface: "unisdk/tokenValidate",
            peer: try ServerCall.address(of: peer),
            sentAt: request.sentAt)
        let admitted = try await desk.admit(call, needs: .login)
        for sourceID in [request.sourceID, request.targetSourceID].compactMap({ $0 })
        where !app.record.sourceIDs.contains(sourceID) {
            throw Refusal(.sourceIDUnknown, "a source id is not registered for this app")
        }
        return (admitted, key)
    }

    private func record(
        of login: ReleasedLogin, for key: CMPassportPublicKey, _ request: UserInformationRequest
    ) throws(Refusal) -> [JSON.Member] {
        let time = CMPassportTime.formatDateTime(login.authenticatedAt)
        let record = JSON.object([
            "userid": .string(login.openID), "pcid": .string(login.pseudonym),
            "msisdn": .string(try encrypt(login.number.national, for: key, trace: login.trace)),
            // 2: by the gateway, 7: by a code by SMS (TYRZLogin, appendix 1). The example's "WAPGW" is not in the table.
            "msisdntype": .string(Self.msisdnType(login.carrier)),
            "authtype": .string(login.assurance == .sms ? "7" : "2"), "authtime": .string(time),
            "lastactivetime": .string(time), "loginidtype": "0", "fromsourceid": request.sourceID.map { .string($0) },
            "tosourceid": request.targetSourceID.map { .string($0) },
        ])
        guard case .object(let members) = record else { return [] }
        return members
    }

    /// TYRZLogin's document counts the carriers otherwise than TYRZSDK's: 1 is China Telecom, 2 is China Unicom. Any other
    /// carrier is 99, an unknown network.
    static func msisdnType(_ carrier: Carrier) -> String {
        switch carrier {
        case .mobile: "0"
        case .telecom: "1"
        case .unicom: "2"
        default: "99"
        }
    }
}
