import Authority
@_spi(Server) import BenjiProtocol
import Requests

/// Either answer is a success, is billed, and spends the token.
extension OneLoginEndpoints {
    func checkGateway(_ request: CheckGatewayRequest, peer: InternetAddress?) async throws(Refusal) -> ServerAnswer {
        let answer = try await service.withApp(app(of: request.common)) { app throws(Refusal) in
            try await judge(request.common, at: .checkGateway, of: app, peer: peer)
        } redeem: { call throws(Refusal) in
            try await service.verifyNumber(call, token: request.common.token) { number in
                ConstantTime.areEqual(Array(number.e164.utf8), Array(request.number.e164.utf8))
            }
        }
        let result = Self.result(answer.isSame ? .success : .numberDiffers, .checkGateway)
        return ServerAnswer(
            json: .object([
                "status": .number(result.code), "error_msg": "", "result": answer.isSame ? "0" : "1",
            ]), code: result.code, trace: answer.trace)
    }
}
