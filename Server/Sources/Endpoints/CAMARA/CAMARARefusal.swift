import BenjiProtocol
import HTTPTypes
import Hummingbird
import OpenIDProvider
import Requests
import ServerHTTP

/// A refusal as CAMARA writes it: `status`, `code` and `message` (Commonalities 0.6).
struct CAMARARefusal {
    let code: String
    let message: String
    /// Whether the proof of possession is wrong, so that a new one helps.
    let isOfProof: Bool
    /// The value of `WWW-Authenticate` if the access token or its proof is wrong.
    private let challenge: String

    /// The answer before any operation is chosen: at an unknown address, or to a method that it does not support.
    static func response(_ status: HTTPResponse.Status, _ code: String, _ message: String) -> Response {
        var response = Response(
            .object([
                "status": .integer(Int64(status.code)), "code": .string(code), "message": .string(message),
            ]), status: status)
        response.headers[.contentType] = "application/json"
        return response
    }

    /// - Parameter isBound: whether the request says that its access token is bound to a key.
    init(_ refusal: Refusal, isBound: Bool) {
        code = CodeColumn.camara.code(for: refusal.situation)?.code ?? "INTERNAL"
        message = refusal.detail
        isOfProof = [.dpopProofInvalid, .dpopNonceOutdated].contains(refusal.situation)
        let error = isOfProof ? refusal.situation.rawValue : OAuthError.invalidToken.rawValue
        challenge = isOfProof || isBound ? Response.proofChallenge(error) : #"Bearer error="\#(error)""#
    }

    var status: HTTPResponse.Status {
        switch code {
        case "INVALID_ARGUMENT", "OUT_OF_RANGE", "ONE_TIME_PASSWORD_SMS.INVALID_OTP",
            "ONE_TIME_PASSWORD_SMS.VERIFICATION_EXPIRED", "ONE_TIME_PASSWORD_SMS.VERIFICATION_FAILED":
            .badRequest
        case "UNAUTHENTICATED": .unauthorized
        case "PERMISSION_DENIED", "NUMBER_VERIFICATION.USER_NOT_AUTHENTICATED_BY_MOBILE_NETWORK",
            "ONE_TIME_PASSWORD_SMS.MAX_OTP_CODES_EXCEEDED", "ONE_TIME_PASSWORD_SMS.PHONE_NUMBER_NOT_ALLOWED",
            "ONE_TIME_PASSWORD_SMS.PHONE_NUMBER_BLOCKED":
            .forbidden
        case "IDENTIFIER_NOT_FOUND", "NOT_FOUND": .notFound
        case "MISSING_IDENTIFIER", "UNNECESSARY_IDENTIFIER", "SERVICE_NOT_APPLICABLE": .unprocessableContent
        case "QUOTA_EXCEEDED", "TOO_MANY_REQUESTS": .tooManyRequests
        case "UNAVAILABLE": .serviceUnavailable
        default: .internalServerError
        }
    }

    var response: Response {
        var response = Response(
            .object([
                "status": .integer(Int64(status.code)), "code": .string(code), "message": .string(message),
            ]), status: status)
        if status == .unauthorized { response.headers[.wwwAuthenticate] = challenge }
        // A quota is a day's: to ask again soon does not help.
        if status == .serviceUnavailable || status == .tooManyRequests, code != "QUOTA_EXCEEDED" {
            response.headers[.retryAfter] = "1"
        }
        return response
    }
}
