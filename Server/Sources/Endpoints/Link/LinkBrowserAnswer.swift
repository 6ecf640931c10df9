import Authority
import BenjiPage
import BenjiProtocol
import OpenIDProvider

/// The authority's decision about a browser's request: the next step, or the reason why there is none.
struct LinkBrowserAnswer: Sendable {
    var decision: Result<OpenIDStep, OpenIDStop>

    /// Makes the decision.
    init(_ decide: () async throws(OpenIDStop) -> OpenIDStep) async {
        do { decision = .success(try await decide()) } catch { decision = .failure(error) }
    }

    /// The same for a gateway of before, which could not read how an app looks.
    var withoutLook: LinkBrowserAnswer {
        guard case .failure(.notice(var notice)) = decision else { return self }
        notice.look = nil
        var answer = self
        answer.decision = .failure(.notice(notice))
        return answer
    }

    /// - Throws: if a page cannot be written as JSON.
    var json: JSON {
        get throws(PageError) {
            switch decision {
            case .success(.remembering(let cookie, let next)):
                .object(["remembering": cookie.json, "next": try LinkBrowserAnswer(.success(next)).json])
            case .success(.redirect(let address)): .object(["redirect": .string(address)])
            case .success(.post(let form)): .object(["post": form.json])
            case .success(.page(let page)): .object(["page": try page.json])
            case .failure(.developer(let failure)): .object(["mistake": failure.json])
            case .failure(.notice(let notice)): .object(["notice": notice.json])
            }
        }
    }

    private init(_ decision: Result<OpenIDStep, OpenIDStop>) { self.decision = decision }

    init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        if let cookie = reader.optional("remembering") {
            let next = try LinkBrowserAnswer(try reader.value("next")).decision
            try reader.finish()
            let kept = try OpenIDPage.Cookie(cookie, path: "$.remembering")
            decision = next.map { .remembering(kept, $0) }
            return
        }
        let redirect = try reader.optionalString("redirect", length: 1...AuthorityNode.maximumAnswer)
        let page = reader.optional("page")
        let post = reader.optional("post")
        let mistake = reader.optional("mistake")
        let notice = reader.optional("notice")
        try reader.finish()
        decision =
            switch (redirect, post, page, mistake, notice) {
            case (let redirect?, nil, nil, nil, nil): .success(.redirect(redirect))
            case (nil, let post?, nil, nil, nil): .success(.post(try OpenIDForm(post)))
            case (nil, nil, let page?, nil, nil): .success(.page(try OpenIDPage(page)))
            case (nil, nil, nil, let mistake?, nil): .failure(.developer(try OpenIDFailure(mistake)))
            case (nil, nil, nil, nil, let notice?): .failure(.notice(try OpenIDNotice(notice)))
            default: throw JSONError(place: "$", problem: "must hold one of redirect, post, page, mistake and notice")
            }
    }
}

extension LinkBrowserAnswer: CustomStringConvertible, CustomReflectable {
    var description: String { "LinkBrowserAnswer" }
    /// Without children: a page and a code are credentials.
    var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension OpenIDForm {
    fileprivate var json: JSON {
        .object([
            "target": .string(target),
            "fields": .array(fields.map { .array([.string($0.name), .string($0.value)]) }),
        ])
    }

    fileprivate init(_ json: JSON) throws(JSONError) {
        let text = 0...AuthorityNode.maximumAnswer
        var reader = try JSONObjectReader(json, path: "$.post")
        let target = try reader.string("target", length: text)
        let fields = try reader.array("fields").map { pair throws(JSONError) -> Field in
            guard let pair = pair.arrayValue, pair.count == 2, let name = pair[0].stringValue,
                let value = pair[1].stringValue
            else { throw JSONError(place: "$.post.fields", problem: "must hold names with values") }
            return Field(name, value)
        }
        try reader.finish()
        self.init(target: target, fields: fields)
    }
}

extension OpenIDPage {
    fileprivate var json: JSON {
        get throws(PageError) {
            .object([
                "stage": .string(stage.name), "form": stage.form?.json, "secret": .string(secret),
                "description": .string(try description.json().text),
                "facts": try facts.map { facts throws(PageError) in .string(try facts.json().text) },
                "language": .string(language.rawValue),
                "redirectURI": .string(redirectURI), "media": .strings(media), "app": .string(app),
                "frameAncestors": .array(frameAncestors.map { .string($0) }),
                "cookie": cookie?.json,
                "remember": remembering.map { .object(["text": .string($0.text), "ticked": .bool($0.isTicked)]) },
            ])
        }
    }

    fileprivate init(_ json: JSON) throws(JSONError) {
        let text = 0...AuthorityNode.maximumAnswer
        var reader = try JSONObjectReader(json, path: "$.page")
        let form = try reader.optional("form").map { json throws(JSONError) in try SMSForm(json) }
        let stage = try reader.value("stage", "is none that this version knows") { Stage(name: $0, form) }
        let secret = try reader.string("secret", length: text)
        let (description, facts): (PageDescription, PageFacts?)
        do {
            description = try PageDescription(parsing: Array(try reader.string("description", length: text).utf8))
            facts = try reader.optionalString("facts", length: text).map { try PageFacts(PageJSON(parsing: $0)) }
        } catch { throw (error as? JSONError) ?? JSONError(place: "$.page", problem: "cannot be drawn: \(error)") }
        let language = try reader.value("language", "is none that this version knows", Language.init(rawValue:))
        let redirectURI = try reader.string("redirectURI", length: text)
        let media = try reader.value("media").strings(at: "$.page.media")
        let app = try reader.string("app", length: text)
        let frameAncestors = try reader.texts("frameAncestors")
        var cookie: Cookie?
        if let found = reader.optional("cookie") {
            cookie = try Cookie(found, path: "$.page.cookie")
        }
        var remembering: RememberingBox?
        if let found = reader.optional("remember") {
            var reader = try JSONObjectReader(found, path: "$.page.remember")
            remembering = RememberingBox(
                text: try reader.string("text", length: text), isTicked: try reader.bool("ticked"))
            try reader.finish()
        }
        try reader.finish()
        self.init(
            stage: stage, secret: secret, description: description, facts: facts, language: language,
            redirectURI: redirectURI, media: media, app: app, frameAncestors: frameAncestors, cookie: cookie)
        self.remembering = remembering
    }
}

extension OpenIDPage.Cookie {
    fileprivate var json: JSON { .object(["name": .string(name), "secret": .string(secret)]) }

    fileprivate init(_ json: JSON, path: String) throws(JSONError) {
        var reader = try JSONObjectReader(json, path: path)
        self.init(name: try reader.string("name"), secret: try reader.string("secret"))
        try reader.finish()
    }
}

extension OpenIDPage.Stage {
    fileprivate static let names: [(OpenIDPage.Stage, String)] = [
        (.consent, "consent"), (.sheet, "sheet"), (.digits(isRepeated: false), "digits"),
        (.digits(isRepeated: true), "digitsRepeated"),
    ]

    private static let sms = "sms"

    fileprivate var name: String { Self.names.first { $0.0 == self }?.1 ?? Self.sms }

    fileprivate var form: SMSForm? { if case .sms(let form) = self { form } else { nil } }

    fileprivate init?(name: String, _ form: SMSForm?) {
        if let form {
            guard name == Self.sms else { return nil }
            self = .sms(form)
        } else {
            guard let stage = Self.names.first(where: { $0.1 == name })?.0 else { return nil }
            self = stage
        }
    }
}

extension SMSForm {
    fileprivate var json: JSON {
        .object([
            "number": .string(number), "agreed": .bool(isAgreed), "transaction": transaction.map { .string($0) },
            "digits": .integer(digits), "maskedNumber": .string(maskedNumber),
            "problem": problem.map { .string($0.rawValue) }, "triesLeft": triesLeft.map { .integer($0) },
            "wait": .integer(wait),
        ])
    }

    fileprivate init(_ json: JSON) throws(JSONError) {
        let text = 0...AuthorityNode.maximumAnswer
        var reader = try JSONObjectReader(json, path: "$.page.form")
        self.init()
        number = try reader.string("number", length: text)
        isAgreed = try reader.bool("agreed")
        transaction = try reader.optionalString("transaction", length: text)
        digits = try reader.integer("digits")
        maskedNumber = try reader.string("maskedNumber", length: text)
        problem = try reader.optionalString("problem", length: 1...64).map { Situation(rawValue: $0) }
        triesLeft = reader.optional("triesLeft")?.integerValue
        wait = try reader.integer("wait")
        try reader.finish()
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
            "offersSMS": offersSMS ? .bool(true) : nil, "look": look?.json,
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
        offersSMS = reader.optional("offersSMS")?.boolValue ?? false
        look = try reader.optional("look").map { json throws(JSONError) in try AppLook(json) }
        try reader.finish()
    }
}

extension AppLook {
    fileprivate var json: JSON {
        .object([
            "logo": logo.map { .string($0) }, "light": .string(fill.light.text), "dark": .string(fill.dark.text),
        ])
    }

    fileprivate init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json, path: "$.notice.look")
        let logo = try reader.optionalString("logo", length: 43...43)
        let light = try reader.value("light", "must be a colour", PageColor.init(text:))
        let dark = try reader.value("dark", "must be a colour", PageColor.init(text:))
        try reader.finish()
        self.init(logo: logo, fill: AdaptiveColor(light: light, dark: dark))
    }
}
