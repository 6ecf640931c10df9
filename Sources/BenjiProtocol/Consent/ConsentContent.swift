/// The content of a page, in words: everything that the authority can recompute, and no measurement.
///
/// The masked number is written as ``numberPlaceholder``, so that the content of a page is the same for every
/// subscriber. Its digest can then be reviewed and approved once.
public struct ConsentContent: Hashable, Sendable {
    public static let numberPlaceholder = "{number}"

    /// The purpose of a text on the page.
    public enum Role: String, Hashable, Sendable, CaseIterable {
        case title, number, slogan, loginButton, switchButton, terms, hint, custom
    }

    public struct Text: Hashable, Sendable {
        public var role: Role
        public var text: String

        public init(_ role: Role, _ text: String) {
            self.role = role
            self.text = text
        }
    }

    public struct Link: Hashable, Sendable {
        public var title: String
        public var url: String

        public init(title: String, url: String) {
            self.title = title
            self.url = url
        }
    }

    /// The page's drawer: Benji from a description, or the app (China Mobile's document), which states the content.
    public enum Drawer: String, Hashable, Sendable, CaseIterable { case benji, app }

    public var drawnBy: Drawer
    /// BCP 47 tag of the page's language.
    public var language: String
    /// Version of the carrier policy that the page was made from.
    public var policyVersion: String
    /// In reading order.
    public var texts: [Text]
    /// The linked terms, in the order shown.
    public var links: [Link]
    /// First state of the tick. Refused if set, except for a number's login at an app with `ticked-page`.
    public var initiallyTicked: Bool

    public init(
        drawnBy: Drawer, language: String, policyVersion: String, texts: [Text], links: [Link], initiallyTicked: Bool
    ) {
        self.drawnBy = drawnBy
        self.language = language
        self.policyVersion = policyVersion
        self.texts = texts
        self.links = links
        self.initiallyTicked = initiallyTicked
    }

    /// The *content digest*: base64url of SHA-256 over the canonical bytes.
    public var digest: String {
        var bytes = LengthPrefixed(domain: "benji-consent-content-v1")
        bytes.append(drawnBy.rawValue)
        bytes.append(language)
        bytes.append(policyVersion)
        bytes.append(initiallyTicked ? "ticked" : "unticked")
        bytes.append(String(texts.count))
        for text in texts {
            bytes.append(text.role.rawValue)
            bytes.append(text.text)
        }
        bytes.append(String(links.count))
        for link in links {
            bytes.append(link.title)
            bytes.append(link.url)
        }
        return Base64URL.encode(bytes.sha256)
    }

    public var json: JSON {
        .object([
            "drawnBy": .string(drawnBy.rawValue), "language": .string(language),
            "policyVersion": .string(policyVersion),
            "texts": .array(texts.map { .object(["role": .string($0.role.rawValue), "text": .string($0.text)]) }),
            "links": .array(links.map { .object(["title": .string($0.title), "url": .string($0.url)]) }),
            "initiallyTicked": .bool(initiallyTicked),
        ])
    }

    public init(_ json: JSON, path: String = "$.content") throws(JSONError) {
        var reader = try JSONObjectReader(json, path: path)
        drawnBy = try reader.value("drawnBy", "must be benji or app", Drawer.init(rawValue:))
        language = try reader.string("language", length: 2...35)
        policyVersion = try reader.string("policyVersion", length: 1...64)
        texts = []
        for (index, value) in try reader.array("texts", count: 1...128).enumerated() {
            var text = try JSONObjectReader(value, path: "\(path).texts[\(index)]")
            texts.append(
                Text(
                    try text.value("role", "must be a role of a text", Role.init(rawValue:)),
                    try text.string("text", length: 0...2048)))
            try text.finish()
        }
        links = []
        for (index, value) in try reader.array("links", count: 0...32).enumerated() {
            var link = try JSONObjectReader(value, path: "\(path).links[\(index)]")
            links.append(
                Link(title: try link.string("title", length: 1...256), url: try link.string("url", length: 1...2048)))
            try link.finish()
        }
        initiallyTicked = try reader.bool("initiallyTicked")
        try reader.finish()
    }
}
