import Authority
@_spi(Server) import BenjiProtocol
import Requests

extension OneLoginEndpoints {
    func checkPhone(_ request: CheckPhoneRequest, peer: InternetAddress?) async throws(Refusal) -> ServerAnswer {
        let (number, trace) = try await service.withApp(app(of: request.common)) { app throws(Refusal) in
            let call = try await judge(request.common, at: .checkPhone, of: app, peer: peer)
            // Needed before the token is spent: a number that cannot be encrypted must not be paid for.
            let cipher =
                request.encrypts
                ? call.call.key.flatMap { ZeroVectorCipher(appKey: $0.key.reveal(), keyBytes: 32) } : nil
            if request.encrypts, cipher == nil {
                throw Refusal(.encryptionFailed, "the app's key has not the 32 bytes that is_phone_encode needs")
            }
            return (call: call, cipher: cipher)
        } redeem: { judged throws(Refusal) -> (String, TraceID) in
            try await service.redeemNumber(judged.call, token: request.common.token, encryptedBy: judged.cipher)
        }
        let result = Self.result(.success, .checkPhone)
        return ServerAnswer(
            json: .object([
                "status": .number(result.code), "error_msg": "", "result": .string(number), "charge": .bool(true),
            ]), code: result.code, trace: trace)
    }
}
