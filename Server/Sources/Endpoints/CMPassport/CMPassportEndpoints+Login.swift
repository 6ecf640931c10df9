import Authority
@_spi(Server) import BenjiProtocol
import Catalogue
import Requests
import Store

/// loginTokenValidate: a token in, a number out (TYRZSDK §2.6 and §5.1).
extension CMPassportEndpoints {
    func loginTokenValidate(_ json: JSON, problem: Refusal?, peer: InternetAddress?) async -> ServerAnswer {
        let result: ServerResult
        var released: (msisdn: String, trace: TraceID)?
        var trace: TraceID?
        do throws(Refusal) {
            if let problem { throw problem }
            released = try await releaseNumber(LoginTokenValidateRequest(json), peer: peer)
            trace = released?.trace
            result = ServerResult(operator: .success, in: .cmPhone)
        } catch {
            trace = error.trace
            result = ServerResult(operator: error.situation, in: .cmPhone, carrier: error.carrier)
        }
        var members = [
            JSON.Member(
                "inresponseto", .string(CallerFields.echo(json, "msgid", CMPassportGrammar.isMessageID))),
            JSON.Member("systemtime", .string(CMPassportTime.format(clock.now))),
        ]
        members += result.operatorMembers
        if let released { members.append(JSON.Member("msisdn", .string(released.msisdn))) }
        // Later versions of the interface name a task to quote to support; our name for it is the trace.
        if let trace { members.append(JSON.Member("taskId", .string(trace.rawValue))) }
        return ServerAnswer(json: .object(members), code: result.code, trace: trace)
    }

    private func releaseNumber(
        _ request: LoginTokenValidateRequest, peer: InternetAddress?
    ) async throws(Refusal) -> (msisdn: String, trace: TraceID) {
        try await service.withApp(request.appID) { app throws(Refusal) in
            try await judge(request, of: app, peer: peer)
        } redeem: { judged throws(Refusal) in
            let login = try await service.redeemNumber(judged.call, token: request.token)
            let number = login.number.national
            return (
                try judged.key.map { key throws(Refusal) in try encrypt(number, for: key, trace: login.trace) }
                    ?? number,
                login.trace
            )
        }
    }

    private func judge(
        _ request: LoginTokenValidateRequest, of app: RegisteredApp, peer: InternetAddress?
    ) async throws(Refusal) -> (call: AdmittedCall, key: CMPassportPublicKey?) {
        guard request.algorithm == app.record.signAlgorithm else {
            throw Refusal(.signAlgorithmMismatch, "the app is registered for \(app.record.signAlgorithm.rawValue)")
        }
        // The key is needed before the token is spent: a number that cannot be encrypted must not be paid for.
        let key = request.algorithm == .rsa ? try publicKey(of: app) : nil
        let signer = key == nil ? app.serverKey { request.isSigned(with: $0) } : nil
        let isSigned =
            key?.isValid(sign: request.sign, appID: request.appID.rawValue, token: request.token) ?? (signer != nil)
        guard isSigned else { throw Refusal(.signWrong, "the sign is wrong") }
        let call = ServerCall(
            app: app, key: signer, messageID: request.messageID, interface: "loginTokenValidate",
            peer: try ServerCall.address(of: peer),
            sentAt: request.sentAt)
        let admitted = try await service.admit(call, needs: .login)
        return (admitted, key)
    }
}
