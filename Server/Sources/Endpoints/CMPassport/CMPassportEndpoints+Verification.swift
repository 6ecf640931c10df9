import Authority
import BenjiProtocol
import Catalogue
import Requests
import Store

/// tokenValidate of 本机号码校验: a token and a hashed number in, yes or no out (TYRZSDK §3.6 and §5.2). Either answer
/// is billed once.
extension CMPassportEndpoints {
    func verifyNumber(_ json: JSON, problem: Refusal?, peer: InternetAddress?) async -> ServerAnswer {
        let result: ServerResult
        var request: NumberVerificationRequest?
        var trace: TraceID?
        do throws(Refusal) {
            if let problem { throw problem }
            let read = try NumberVerificationRequest(json)
            request = read
            let answer = try await compareNumber(read, peer: peer)
            trace = answer.trace
            result = ServerResult(operator: answer.isSame ? .success : .numberDiffers, in: .cmVerify)
        } catch {
            trace = error.trace
            result = ServerResult(operator: error.situation, in: .cmVerify, carrier: error.carrier)
        }
        let header = json["header"]
        var headerMembers = [
            JSON.Member("msgId", .string(CallerFields.echo(header, "msgId", CMPassportGrammar.isMessageID))),
            JSON.Member("timestamp", .string(CMPassportTime.format(clock.now))),
            JSON.Member("appId", .string(CallerFields.echo(header, "appId", CMPassportGrammar.isAppID))),
        ]
        headerMembers += result.operatorMembers
        return ServerAnswer(
            json: .object([
                "header": .object(headerMembers),
                "body": .object([
                    "resultDesc": .string(result.description), "message": .string(request?.message ?? ""),
                    "expandParams": request?.expandParams.map { .string($0) },
                    "taskId": trace.map { .string($0.rawValue) },
                ]),
            ]), code: result.code, trace: trace)
    }

    private func compareNumber(
        _ request: NumberVerificationRequest, peer: InternetAddress?
    ) async throws(Refusal) -> VerificationAnswer {
        try await service.withApp(request.appID) { app throws(Refusal) in
            guard let key = app.serverKey({ request.isSigned(with: $0) }) else {
                throw Refusal(.signWrong, "the sign is wrong")
            }
            var call = ServerCall(
                app: app, key: key, messageID: request.messageID, interface: "tokenValidate",
                peer: try ServerCall.address(of: peer),
                sentAt: request.sentAt)
            call.passedThrough = PassedThrough(message: request.givenMessage, expandParams: request.expandParams)
            return (call: try await service.admit(call, needs: .verification), key: key.key)
        } redeem: { judged throws(Refusal) in
            // The number is hashed with the key that signs.
            try await service.verifyNumber(judged.call, token: request.token) { number in
                request.matches(number, appKey: judged.key)
            }
        }
    }
}
