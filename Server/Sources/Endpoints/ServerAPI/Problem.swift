import BenjiProtocol
import Catalogue
import HTTPTypes
import Hummingbird
import OpenIDProvider
import Requests
import ServerHTTP
import Store

/// A refusal as a problem (RFC 9457): `type`, `title`, `status` and `detail`, and besides `code`, `param`, `remedy` and
/// `trace`.
struct Problem: Error, Sendable {
    let refusal: Refusal
    /// The member or header that is wrong.
    var parameter: String?
    /// The detail in both languages, for errors that this module finds itself.
    private var detail: LocalizedText?

    init(_ refusal: Refusal) {
        // An unknown app and a wrong secret look alike.
        self.refusal = refusal.situation == .appUnknown ? ServerAPICaller.wrong : refusal
    }

    init(_ situation: Situation, _ chinese: String, _ english: String, parameter: String? = nil) {
        refusal = Refusal(situation, english)
        self.parameter = parameter
        detail = LocalizedText(chinese, english)
    }

    /// Runs a call of the authority and turns its refusal into a problem.
    static func of<Answer>(_ body: () async throws(Refusal) -> Answer) async throws(Problem) -> Answer {
        do { return try await body() } catch { throw Problem(error) }
    }

    /// Runs a call of the OpenID provider and turns its failure into a problem.
    static func ofOpenID<Answer>(_ body: () async throws(OpenIDFailure) -> Answer) async throws(Problem) -> Answer {
        do { return try await body() } catch {
            let situation: Situation =
                switch error.error {
                case .temporarilyUnavailable: .storeUnavailable
                case .serverError: .internalError
                // Only the app itself gets the cause. Others could find out which ids exist.
                case _ where RequestSubject.current?.isProven != true: throw Problem(ServerAPICaller.wrong)
                default: error.situation ?? .appKeyWrong
                }
            throw Problem(Refusal(situation, "Authorization: \(error.detail)"))
        }
    }

    /// The response. Without words of its own in the caller's language, `detail` is the cause that the code stands for.
    func response(in language: Language) -> Response {
        let code = refusal.situation.rawValue
        let words = Catalogue.entry(code, in: .device)?[language]
        let cause = language == .english ? refusal.detail : words?.cause ?? refusal.detail
        var members: [JSON.Member] = [
            .init("type", .string(CodeEndpoints.address(of: code))), .init("title", .string(words?.meaning ?? code)),
            .init("status", .integer(Int64(status.code))), .init("detail", .string(detail?[language] ?? cause)),
            .init("code", .string(code)),
        ]
        if let parameter { members.append(.init("param", .string(parameter))) }
        if let remedy = words?.remedy { members.append(.init("remedy", .string(remedy))) }
        if let trace = refusal.trace { members.append(.init("trace", .string(trace.rawValue))) }
        var response = Response(.object(members), status: status)
        response.headers[.contentType] = "application/problem+json"
        response.headers[.contentLanguage] = language.rawValue
        if status == .unauthorized { response.headers[.wwwAuthenticate] = #"Basic realm="benji", charset="UTF-8""# }
        // A quota is a day's or a month's: to ask again soon does not help.
        if status == .serviceUnavailable || status == .tooManyRequests, refusal.situation != .quotaExceeded {
            response.headers[.retryAfter] = "1"
        }
        // Close instead of reading the rest of a body that is too large.
        if refusal.situation == .bodyTooLarge { response.headers[.connection] = "close" }
        return response
    }

    private var status: HTTPResponse.Status { refusal.situation.httpStatus }
}
