@_spi(Server) public import BenjiProtocol
internal import Crypto
internal import Logging
internal import Store

/// A number as a caller of number verification gives it.
public enum ClaimedNumber: Hashable, Sendable {
    /// E.164 with its plus sign.
    case plain(String)
    /// SHA-256 of that. With some thousand million numbers in use a hash hides nothing: it is treated as a number.
    case hashed([UInt8])

    func isNumber(_ number: PhoneNumber) -> Bool {
        let text = Array("+\(number.e164)".utf8)
        return switch self {
        case .plain(let claim): ConstantTime.areEqual(Array(claim.utf8), text)
        case .hashed(let claim): ConstantTime.areEqual(claim, Array(SHA256.hash(data: text)))
        }
    }
}

/// CAMARA's number verification: a token that the phone's network earned answers once.
extension OpenIDProvider {
    /// Whether the number is the phone's own. Either answer spends the token and is billed.
    public func verifyNumber(
        _ claim: ClaimedNumber, authorization: String?
    ) async throws(Refusal) -> VerificationAnswer {
        let token = try await networkToken(authorization, for: [.verify])
        let isSame = claim.isNumber(try number(of: try await person(of: token), token))
        try await use(
            token, at: "number-verification.verify", result: isSame ? "matched" : "differs",
            isSame ? "it is this phone's number" : "it is another number")
        return VerificationAnswer(isSame: isSame, trace: token.credential.trace)
    }

    /// The number, without a page: for apps with the explicit grant of decision 17, and every use is told.
    public func devicePhoneNumber(
        authorization: String?
    ) async throws(Refusal) -> (number: PhoneNumber, trace: TraceID) {
        let token = try await networkToken(authorization, for: [.readNumber])
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
