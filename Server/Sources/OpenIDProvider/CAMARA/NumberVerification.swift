package import Authority
@_spi(Server) package import BenjiProtocol
import Logging
package import Requests
import Store

/// CAMARA's number verification: a token that the phone's network earned answers once.
package struct NumberVerification: Sendable {
    private let logger: Logger
    let tokens: CAMARATokens

    init(context: ProviderContext) {
        logger = context.authority.logger
        tokens = CAMARATokens(context: context)
    }

    /// Whether the number is the phone's own. Either answer spends the token and is billed.
    package func verify(
        _ claim: ClaimedNumber, _ call: OpenIDProvider.BearerCall
    ) async throws(Refusal) -> VerificationAnswer {
        let token = try await tokens.token(call, for: [.verify])
        let isSame = claim.isNumber(try tokens.number(of: try await tokens.person(of: token), token))
        try await tokens.use(
            token, at: "number-verification.verify", result: isSame ? "matched" : "differs",
            isSame ? "it is this phone's number" : "it is another number")
        return VerificationAnswer(isSame: isSame, trace: token.credential.trace)
    }

    /// The number, without a page: for apps with the explicit grant of decision 17, and every use is told.
    package func devicePhoneNumber(
        _ call: OpenIDProvider.BearerCall
    ) async throws(Refusal) -> (number: PhoneNumber, trace: TraceID) {
        let token = try await tokens.token(call, for: [.readNumber])
        let number = try tokens.number(of: try await tokens.person(of: token), token)
        try await tokens.use(
            token, at: "number-verification.device-phone-number", result: "released-without-page",
            "the number was released without a page, under the app's grant")
        logger.notice(
            "a number was released without a page, under the app's legacy grant",
            metadata: ["app": "\(token.app.id)", "trace": "\(token.credential.trace)"])
        return (number, token.credential.trace)
    }
}
