import Authority
package import BenjiPage
package import BenjiProtocol
package import Store

/// A request that waits for a person's yes, as their own page shows it.
package struct WaitingRequest: Hashable, Sendable {
    /// Identifies the request to users of the same phone. It serves only to decide the request.
    package var family: Int64
    /// The app's name.
    package var name: String
    /// The app's message for both devices.
    package var message: String?
    /// The benefits of consent for the app, a sentence each.
    package var gets: [String]
    /// Of all that is shown. A yes brings it back, so it is a yes to nothing else.
    package var digest: String
    package var askedAt: Timestamp
    package var expiresAt: Timestamp

    package init(
        family: Int64, name: String, message: String?, gets: [String], digest: String, askedAt: Timestamp,
        expiresAt: Timestamp
    ) {
        self.family = family
        self.name = name
        self.message = message
        self.gets = gets
        self.digest = digest
        self.askedAt = askedAt
        self.expiresAt = expiresAt
    }

    init(_ credential: OpenIDCredential, _ content: BackchannelContent) {
        self.init(
            family: credential.family, name: content.app, message: content.details.bindingMessage,
            gets: content.gets, digest: content.content.digest, askedAt: credential.issuedAt,
            expiresAt: credential.expiresAt)
    }
}

/// A person's decision on that page.
package struct BackchannelDecision: Hashable, Sendable {
    package var family: Int64
    /// The digest of the shown request.
    package var digest: String
    package var isYes: Bool

    package init(family: Int64, digest: String, isYes: Bool) {
        self.family = family
        self.digest = digest
        self.isYes = isYes
    }
}

/// The shown parts of a request, as part of the consent's record.
struct BackchannelContent {
    var app: String
    var details: BackchannelDetails
    var gets: [String]
    var content: ConsentContent

    init(_ credential: OpenIDCredential, _ app: AppRecord, _ language: Language, policy: String) throws(OpenIDFailure) {
        details = try credential.read { json throws(JSONError) in try BackchannelDetails(json) }
        self.app = app.shownName
        gets = BackchannelStrings.gets(details.scopes).map { $0[language] }
        content = ConsentContent(
            drawnBy: .benji, language: language.rawValue, policyVersion: policy,
            texts: [.init(.title, app.shownName)]
                + [details.bindingMessage].compactMap { $0 }.map { .init(.custom, $0) }
                + gets.map { .init(.custom, $0) } + [.init(.loginButton, BackchannelStrings.yes[language])],
            links: [], initiallyTicked: false)
    }
}

/// The texts about a request for people.
package enum BackchannelStrings {
    package static let yes = LocalizedText("同意", "同意", "Agree")
    package static let no = LocalizedText("拒绝", "拒絕", "Refuse")

    /// The benefits of consent for the app.
    static func gets(_ scopes: [String]) -> [LocalizedText] {
        var texts: [LocalizedText] = []
        if scopes.contains("openid") {
            texts.append(
                LocalizedText(
                    "该应用会知道：持有本机号码的人同意了，并得到您在该应用的账号。",
                    "該應用程式會知道：持有本機號碼的人同意了，並得到您在該應用程式的帳號。",
                    "The app learns that the holder of this number agreed, and your account at the app."))
        }
        if scopes.contains(where: { CAMARAScope(rawValue: $0)?.isOfBackchannel == true }) {
            texts.append(
                LocalizedText(
                    "该应用可以查询一次本机号码最近何时更换过 SIM 卡。",
                    "該應用程式可以查詢一次本機號碼最近何時更換過 SIM 卡。",
                    "The app may ask once when this number last got another SIM card."))
        }
        if let purpose = scopes.first(where: CAMARAScopes.isPurpose) {
            let name = String(purpose.dropFirst(CAMARAScopes.purposePrefix.count))
            texts.append(
                LocalizedText("目的（W3C DPV）：\(name)", "目的（W3C DPV）：\(name)", "Purpose (W3C DPV): \(name)"))
        }
        return texts
    }

    /// The text that goes to the number by SMS. It contains no secret, so it does no harm in other hands: the page
    /// shows a number's requests to its own phone alone.
    static func message(from app: String, address: String) -> String {
        "“\(app.prefix(20))”请您确认一项请求。用本机的移动数据打开 \(address) 查看；不是您发起的，请拒绝。"
    }
}
