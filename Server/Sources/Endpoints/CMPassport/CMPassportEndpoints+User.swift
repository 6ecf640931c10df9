import Authority
@_spi(Server) import BenjiProtocol
import Catalogue
import Requests
import Store

/// tokenValidate of 统一认证: a token in, a user's record out (TYRZLogin §3.1). Signed with RSA and encrypted, but for apps
/// without a key to which the operator has granted the unsigned form.
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
        try await service.withApp(request.appID) { app throws(Refusal) in
            try await judge(request, of: app, peer: peer)
        } redeem: { judged throws(Refusal) in
            let login = try await service.redeemNumber(judged.call, token: request.token)
            return (try record(of: login, for: judged.key, request), login.trace)
        }
    }

    private func judge(
        _ request: UserInformationRequest, of app: RegisteredApp, peer: InternetAddress?
    ) async throws(Refusal) -> (call: AdmittedCall, key: CMPassportPublicKey?) {
        let key = try key(of: app, signing: request)
        var call = ServerCall(
            app: app, messageID: request.messageID, interface: "unisdk/tokenValidate",
            peer: try ServerCall.address(of: peer),
            sentAt: request.sentAt)
        // Only an admitted caller gets the results of the checks that follow.
        let admitted = try await service.admit(call, needs: .login)
        func isOwn(_ sourceID: String?) -> Bool { sourceID.map(app.record.sourceIDs.contains) ?? true }
        guard isOwn(request.targetSourceID), isOwn(request.sourceID) || request.targetSourceID != nil else {
            throw Refusal(.sourceIDUnknown, "a source id is not registered for this app")
        }
        guard let sourceID = request.sourceID, !isOwn(sourceID) else { return (admitted, key) }
        // Single sign-on: sourceid says whose token it is, ssotosourceid which service it is for, the caller's.
        call.issuer = try await service.issuer(withSourceID: sourceID, for: app.record)
        return (try await service.admit(call, needs: .login), key)
    }

    /// The key that signs the request; `nil` for an app without one that the operator lets call unsigned, as the
    /// document has it. Then only the app's addresses identify its server, and they are checked next.
    private func key(
        of app: RegisteredApp, signing request: UserInformationRequest
    ) throws(Refusal) -> CMPassportPublicKey? {
        guard let sign = request.sign else {
            guard app.record.rsaPublicKey == nil, app.mayCallUnsigned else {
                throw Refusal(.signMissing, "$.header.sign: missing")
            }
            return nil
        }
        let key = try publicKey(of: app)
        guard key.isValid(sign: sign, appID: request.appID.rawValue, token: request.token) else {
            throw Refusal(.signWrong, "the sign is wrong")
        }
        return key
    }

    private func record(
        of login: ReleasedLogin, for key: CMPassportPublicKey?, _ request: UserInformationRequest
    ) throws(Refusal) -> [JSON.Member] {
        let time = CMPassportTime.formatDateTime(login.authenticatedAt)
        let number = login.number.national
        let msisdn =
            if let key { try encrypt(number, for: key, trace: login.trace) } else { number }
        let record = JSON.object([
            "userid": .string(login.openID), "pcid": .string(login.pseudonym),
            "msisdn": .string(msisdn),
            // The example's "WAPGW" is not in the table.
            "msisdntype": .string(Self.msisdnType(login.carrier)),
            "authtype": .string(Self.authType(login.assurance)), "authtime": .string(time),
            "lastactivetime": .string(time), "loginidtype": "0", "fromsourceid": request.sourceID.map { .string($0) },
            "tosourceid": request.targetSourceID.map { .string($0) },
        ])
        guard case .object(let members) = record else { return [] }
        return members
    }

    /// The source of the number (TYRZLogin, appendix 1): 2 the gateway, 3 a message from the phone, 7 a code by SMS.
    static func authType(_ assurance: Assurance) -> String {
        switch assurance {
        case .smsUpstream: "3"
        case .sms: "7"
        case .net, .netApp, .netAppAddress, .sim: "2"
        }
    }

    /// TYRZLogin's document counts the carriers otherwise than TYRZSDK's: 1 is China Telecom, 2 is China Unicom. Any
    /// other carrier is 99, an unknown network.
    static func msisdnType(_ carrier: Carrier) -> String {
        switch carrier {
        case .mobile: "0"
        case .telecom: "1"
        case .unicom: "2"
        default: "99"
        }
    }
}
