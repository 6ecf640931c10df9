import Authority
import BenjiPage
import BenjiProtocol
import Store

/// A page that is shown, as its credential remembers it.
struct ShownPage: Hashable, Sendable {
    var request: AuthorizationRequest
    /// Hash of the cookie of the browser that it was shown in, as base64url.
    var browser: String
    var language: Language
    var shownAt: Timestamp
    var contentDigest: String
    /// The digest of the app's description. Empty in pages that an earlier version showed.
    var pageDigest: String
    /// When the person tapped; `nil` while the first page is shown.
    var tappedAt: Timestamp?
    /// Whether the person agreed on the sheet, and not by the tick.
    var isAgreedOnSheet = false
    /// Wrong digits so far.
    var wrongDigits: Int64 = 0

    var json: JSON {
        .object([
            "request": request.json, "browser": .string(browser), "language": .string(language.rawValue),
            "shownAt": .integer(shownAt.milliseconds), "contentDigest": .string(contentDigest),
            "pageDigest": .string(pageDigest),
            "tappedAt": tappedAt.map { .integer($0.milliseconds) }, "wrongDigits": .integer(wrongDigits),
            "agreedOnSheet": isAgreedOnSheet ? .bool(true) : nil,
        ])
    }

    init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        request = try AuthorizationRequest(try reader.value("request"))
        browser = try reader.string("browser")
        language = try reader.value("language", "unknown", Language.init(rawValue:))
        shownAt = Timestamp(milliseconds: try reader.integer("shownAt"))
        contentDigest = try reader.string("contentDigest")
        pageDigest = reader.optional("pageDigest")?.stringValue ?? ""
        tappedAt = reader.optional("tappedAt")?.integerValue.map { Timestamp(milliseconds: $0) }
        wrongDigits = try reader.integer("wrongDigits")
        isAgreedOnSheet = reader.optional("agreedOnSheet")?.boolValue ?? false
    }

    init(
        request: AuthorizationRequest, browser: String, language: Language, shownAt: Timestamp,
        contentDigest: String, pageDigest: String
    ) {
        self.request = request
        self.browser = browser
        self.language = language
        self.shownAt = shownAt
        self.contentDigest = contentDigest
        self.pageDigest = pageDigest
    }
}
