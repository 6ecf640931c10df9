import Authority
import BenjiPage
import BenjiProtocol
import OpenIDProvider

/// What the authority decides about a browser's request: the next step, or why there is none.
struct LinkBrowserAnswer: Sendable {
    var decision: Result<OpenIDStep, OpenIDStop>

    /// Makes the decision.
    init(_ decide: () async throws(OpenIDStop) -> OpenIDStep) async {
        do { decision = .success(try await decide()) } catch { decision = .failure(error) }
    }

    /// - Throws: if a page cannot be written as JSON.
    var json: JSON {
        get throws(PageError) {
            switch decision {
            case .success(.redirect(let address)): .object(["redirect": .string(address)])
            case .success(.page(let page)): .object(["page": try page.json])
            case .failure(.developer(let failure)): .object(["mistake": failure.json])
            case .failure(.notice(let notice)): .object(["notice": notice.json])
            }
        }
    }

    init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        let redirect = try reader.optionalString("redirect", length: 1...AuthorityNode.maximumAnswer)
        let page = reader.optional("page")
        let mistake = reader.optional("mistake")
        let notice = reader.optional("notice")
        try reader.finish()
        decision =
            switch (redirect, page, mistake, notice) {
            case (let redirect?, nil, nil, nil): .success(.redirect(redirect))
            case (nil, let page?, nil, nil): .success(.page(try OpenIDPage(page)))
            case (nil, nil, let mistake?, nil): .failure(.developer(try OpenIDFailure(mistake)))
            case (nil, nil, nil, let notice?): .failure(.notice(try OpenIDNotice(notice)))
            default: throw JSONError(place: "$", problem: "must hold one of redirect, page, mistake and notice")
            }
    }
}

extension LinkBrowserAnswer: CustomStringConvertible, CustomReflectable {
    var description: String { "LinkBrowserAnswer" }
    /// Without children: a page and a code are credentials.
    var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension OpenIDPage {
    fileprivate var json: JSON {
        get throws(PageError) {
            .object([
                "stage": .string(stage.name), "secret": .string(secret),
                "description": .string(try description.json().text),
                "facts": .string(try facts.json().text), "language": .string(language.rawValue),
                "redirectURI": .string(redirectURI), "media": .strings(media), "app": .string(app),
                "frameAncestors": .array(frameAncestors.map { .string($0) }),
                "cookie": cookie.map { .object(["name": .string($0.name), "secret": .string($0.secret)]) },
            ])
        }
    }

    fileprivate init(_ json: JSON) throws(JSONError) {
        let text = 0...AuthorityNode.maximumAnswer
        var reader = try JSONObjectReader(json, path: "$.page")
        let stage = try reader.value("stage", "is none that this version knows", Stage.init(name:))
        let secret = try reader.string("secret", length: text)
        let (description, facts): (PageDescription, PageFacts)
        do {
            description = try PageDescription(parsing: Array(try reader.string("description", length: text).utf8))
            facts = try PageFacts(PageJSON(parsing: try reader.string("facts", length: text)))
        } catch { throw (error as? JSONError) ?? JSONError(place: "$.page", problem: "cannot be drawn: \(error)") }
        let language = try reader.value("language", "is none that this version knows", Language.init(rawValue:))
        let redirectURI = try reader.string("redirectURI", length: text)
        let media = try reader.value("media").strings(at: "$.page.media")
        let app = try reader.string("app", length: text)
        let frameAncestors = try reader.texts("frameAncestors")
        var cookie: Cookie?
        if let found = reader.optional("cookie") {
            var reader = try JSONObjectReader(found, path: "$.page.cookie")
            cookie = Cookie(name: try reader.string("name"), secret: try reader.string("secret"))
            try reader.finish()
        }
        try reader.finish()
        self.init(
            stage: stage, secret: secret, description: description, facts: facts, language: language,
            redirectURI: redirectURI, media: media, app: app, frameAncestors: frameAncestors, cookie: cookie)
    }
}

extension OpenIDPage.Stage {
    fileprivate static let names: [(OpenIDPage.Stage, String)] = [
        (.consent, "consent"), (.sheet, "sheet"), (.digits(isRepeated: false), "digits"),
        (.digits(isRepeated: true), "digitsRepeated"),
    ]

    fileprivate var name: String { Self.names.first { $0.0 == self }?.1 ?? "" }

    fileprivate init?(name: String) {
        guard let stage = Self.names.first(where: { $0.1 == name })?.0 else { return nil }
        self = stage
    }
}

extension OpenIDFailure {
    fileprivate var json: JSON {
        .object([
            "error": .string(error.rawValue), "detail": .string(detail), "retriesSoon": .bool(retriesSoon),
        ])
    }

    fileprivate init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json, path: "$.mistake")
        self.init(
            try reader.value("error", "is none that this version knows", OAuthError.init(rawValue:)),
            try reader.string("detail", length: 0...AuthorityNode.maximumAnswer),
            retriesSoon: try reader.bool("retriesSoon"))
        try reader.finish()
    }
}

extension OpenIDNotice {
    fileprivate var json: JSON {
        .object([
            "situation": .string(situation.rawValue), "language": .string(language.rawValue),
            "wayBack": wayBack.map { .string($0) }, "asksForOtherAccount": .bool(asksForOtherAccount),
            "app": app.map { .string($0) }, "frameAncestors": .array(frameAncestors.map { .string($0) }),
        ])
    }

    fileprivate init(_ json: JSON) throws(JSONError) {
        let text = 0...AuthorityNode.maximumAnswer
        var reader = try JSONObjectReader(json, path: "$.notice")
        self.init(
            situation: Situation(rawValue: try reader.string("situation", length: 1...64)),
            language: try reader.value("language", "is none that this version knows", Language.init(rawValue:)),
            wayBack: try reader.optionalString("wayBack", length: text))
        asksForOtherAccount = try reader.bool("asksForOtherAccount")
        app = try reader.optionalString("app", length: text)
        frameAncestors = try reader.texts("frameAncestors")
        try reader.finish()
    }
}
