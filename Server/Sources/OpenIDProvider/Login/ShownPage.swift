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
    /// Whether the page has the box that has the consent remembered.
    var offersRemembering = false
    /// Whether the person ticked that box.
    var isRemembered = false
    /// Wrong digits so far.
    var wrongDigits: Int64 = 0
    /// Whether it asks for a code by SMS.
    var isBySMS = false
    /// Whether nothing lasting is kept of the login (``ProviderContext/isBrief(_:_:for:)``).
    var isBrief = false
    /// The accounts that the request asks for; `nil` if it accepts any. One tap compares before it shows a page, a code
    /// by SMS when it is shown.
    var subjects: [String]?
    /// Base64url of the hash of the pushed request that the login spends; `nil` if there is none.
    var pushed: String?

    var json: JSON {
        .object([
            "request": request.json, "browser": .string(browser), "language": .string(language.rawValue),
            "shownAt": .integer(shownAt.milliseconds), "contentDigest": .string(contentDigest),
            "pageDigest": .string(pageDigest),
            "tappedAt": tappedAt.map { .integer($0.milliseconds) }, "wrongDigits": .integer(wrongDigits),
            "agreedOnSheet": isAgreedOnSheet ? .bool(true) : nil, "sms": isBySMS ? .bool(true) : nil,
            "offersRemembering": offersRemembering ? .bool(true) : nil, "remembered": isRemembered ? .bool(true) : nil,
            "subjects": subjects.map { .array($0.map { .string($0) }) }, "pushed": pushed.map { .string($0) },
            "brief": isBrief ? .bool(true) : nil,
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
        isBySMS = reader.optional("sms")?.boolValue ?? false
        isBrief = reader.optional("brief")?.boolValue ?? false
        offersRemembering = reader.optional("offersRemembering")?.boolValue ?? false
        isRemembered = reader.optional("remembered")?.boolValue ?? false
        subjects = reader.optional("subjects")?.arrayValue?.compactMap(\.stringValue)
        pushed = try reader.optionalString("pushed")
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
