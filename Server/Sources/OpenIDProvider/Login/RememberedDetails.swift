import Authority
package import BenjiPage
package import BenjiProtocol
package import Store

/// The contents of a remembered consent, as its credential keeps them. They never change.
struct RememberedDetails: Hashable, Sendable {
    var scopes: [String]
    /// Of the page.
    var language: Language
    /// Of the page's words, those beside the box among them.
    var contentDigest: String
    /// When the person tapped.
    var agreedAt: Timestamp

    var json: JSON {
        .object([
            "scopes": .array(scopes.map { .string($0) }), "language": .string(language.rawValue),
            "contentDigest": .string(contentDigest), "agreedAt": .integer(agreedAt.milliseconds),
        ])
    }

    init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        scopes = try reader.array("scopes").compactMap(\.stringValue)
        language = try reader.value("language", "unknown", Language.init(rawValue:))
        contentDigest = try reader.string("contentDigest")
        agreedAt = Timestamp(milliseconds: try reader.integer("agreedAt"))
    }

    init(scopes: [String], language: Language, contentDigest: String, agreedAt: Timestamp) {
        self.scopes = scopes
        self.language = language
        self.contentDigest = contentDigest
        self.agreedAt = agreedAt
    }

    /// The name of the cookie, which each app has of its own.
    static func cookieName(of app: AppID) -> String { OpenIDProvider.rememberedCookie + app.rawValue }
}

extension OpenIDProvider {
    /// The prefix of the names of cookies for remembered consents.
    package static let rememberedCookie = "remembered-"
    /// How long a browser keeps such a cookie, in seconds.
    package static var rememberedCookieLife: Int64 { OpenIDLifetime.remembered }
}

extension RememberedConsent {
    /// The operators' and the person's view of it: all but the cookie's hash.
    package var json: JSON {
        let details = try? credential.read { json throws(JSONError) in try RememberedDetails(json) }
        return .object([
            "app": .string(credential.appID.rawValue), "agreedIn": .string(credential.trace.rawValue),
            "agreedAt": details.map { .integer($0.agreedAt.milliseconds) },
            "scopes": details.map { .array($0.scopes.map { .string($0) }) },
            "usedAt": usedAt.map { .integer($0.milliseconds) },
            "expiresAt": .integer(credential.expiresAt.milliseconds),
        ])
    }
}

/// The words of a page about a remembered consent.
package enum RememberedConsentStrings {
    /// How long it is remembered.
    package static let days = 30

    /// Beside the box. It says what the app gets, because without a page nothing else says it then.
    package static func box(for scopes: [String]) -> LocalizedText {
        scopes.contains("phone")
            ? LocalizedText(
                "在此浏览器记住该应用 \(days) 天：期间用本机号码登录不再询问，号码会提供给该应用",
                "在此瀏覽器記住該應用程式 \(days) 天：期間用本機號碼登入不再詢問，號碼會提供給該應用程式",
                "Remember this app in this browser for \(days) days: it logs me in and is given my number without "
                    + "asking"
            )
            : LocalizedText(
                "在此浏览器记住该应用 \(days) 天：期间用本机登录不再询问",
                "在此瀏覽器記住該應用程式 \(days) 天：期間用本機登入不再詢問",
                "Remember this app in this browser for \(days) days: it logs me in without asking")
    }
}
