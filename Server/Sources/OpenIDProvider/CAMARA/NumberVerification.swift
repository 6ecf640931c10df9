package import Authority
@_spi(Server) package import BenjiProtocol
import Logging
import Store

/// CAMARA's number verification: a token that the phone's network earned answers once.
extension OpenIDProvider {
    /// Whether the number is the phone's own. Either answer spends the token and is billed.
    package func verifyNumber(
        _ claim: ClaimedNumber, _ call: BearerCall
    ) async throws(Refusal) -> VerificationAnswer {
        let token = try await networkToken(call, for: [.verify])
        let isSame = claim.isNumber(try number(of: try await person(of: token), token))
        try await use(
            token, at: "number-verification.verify", result: isSame ? "matched" : "differs",
            isSame ? "it is this phone's number" : "it is another number")
        return VerificationAnswer(isSame: isSame, trace: token.credential.trace)
    }

    /// The number, without a page: for apps with the explicit grant of decision 17, and every use is told.
    package func devicePhoneNumber(
        _ call: BearerCall
    ) async throws(Refusal) -> (number: PhoneNumber, trace: TraceID) {
        let token = try await networkToken(call, for: [.readNumber])
        let number = try number(of: try await person(of: token), token)
        try await use(
            token, at: "number-verification.device-phone-number", result: "released-without-page",
            "the number was released without a page, under the app's grant")
        authority.logger.notice(
            "a number was released without a page, under the app's legacy grant",
            metadata: ["app": "\(token.app.id)", "trace": "\(token.credential.trace)"])
        return (number, token.credential.trace)
    }
}
