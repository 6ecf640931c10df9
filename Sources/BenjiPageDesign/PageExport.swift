public import BenjiPage

/// A page description as code or text for an app.
public struct PageExport: Hashable, Sendable {
    /// For what.
    public enum Target: String, Hashable, Sendable, CaseIterable {
        /// The description itself, without defaults.
        case json
        /// Benji's own SDK, in Swift.
        case swift
        /// OneLogin's view model, in Swift.
        case oneLogin = "one-login"
        /// GeYan's view model, in Swift.
        case geYan = "ge-yan"
    }

    /// A field that the target cannot say, and why.
    public struct Unsaid: Hashable, Sendable {
        /// As in ``PageField/path``.
        public var path: String
        public var reason: LocalizedText
    }

    /// The text for the app.
    public let text: String
    /// The fields that the target cannot express; empty for ``Target/json`` and ``Target/swift``.
    public let unsaid: [Unsaid]

    /// Writes a page for a target.
    ///
    /// - Throws: the first thing in the page that reading would refuse.
    public init(_ page: PageDescription, for target: Target) throws(PageError) {
        let json = try page.json()
        switch target {
        case .json:
            text = try PageExport.brief(page).indented() + "\n"
            unsaid = []
        case .swift:
            var writer = PageSwiftWriter(page, json)
            try writer.write()
            text = writer.text
            unsaid = []
        case .oneLogin, .geYan:
            var writer = ViewModelWriter(page, json, isGeYan: target == .geYan)
            try writer.write()
            text = writer.text
            unsaid = writer.unsaid
        }
    }

    /// The description without fields at their default.
    public static func brief(_ page: PageDescription) throws(PageError) -> PageJSON {
        var usual = PageDescription()
        if page.popup != nil { usual.popup = PageDescription.Popup() }
        if page.consentDialog != nil { usual.consentDialog = PageDescription.ConsentDialog() }
        if page.navigationBar.title != nil { usual.navigationBar.title = Self.usualTitle }
        if page.webPage.title != nil { usual.webPage.title = Self.usualTitle }
        return rest(try page.json(), without: try usual.json(), at: "") ?? .object([])
    }

    static var usualTitle: PageDescription.NavigationTitle { PageDescription.NavigationTitle() }

    /// The part of `json` that differs from `usual`. A picture, a view, a colour and a text are one value and stay
    /// whole. An optional part that the description has stays too.
    private static func rest(_ json: PageJSON, without usual: PageJSON, at path: String) -> PageJSON? {
        guard json.text != usual.text || isPart(path) else { return nil }
        guard case .object(let members) = json, case .object = usual, !isWhole(json) else { return json }
        var kept: [PageJSON.Member] = []
        for member in members {
            let place = path.utf8.isEmpty ? member.name : path + "." + member.name
            guard let other = usual[member.name] else {
                kept.append(member)
                continue
            }
            if let rest = rest(member.value, without: other, at: place) {
                kept.append(PageJSON.Member(member.name, rest))
            }
        }
        return kept.isEmpty && !isPart(path) ? nil : .object(kept)
    }

    private static func isPart(_ path: String) -> Bool {
        for part in ["popup", "consentDialog", "navigationBar.title", "webPage.title"] where path.sameBytes(as: part) {
            return true
        }
        return false
    }

    private static func isWhole(_ json: PageJSON) -> Bool {
        json["light"] != nil || json["zh-Hans"] != nil || json["name"] != nil
    }
}

extension PageJSON {
    /// The same over several lines, two spaces for each level.
    public func indented(_ level: Int = 0) -> String {
        func spaces(_ level: Int) -> String { String(repeating: "  ", count: level) }
        switch self {
        case .object(let members) where !members.isEmpty:
            var text = "{\n"
            for (index, member) in members.enumerated() {
                text += spaces(level + 1) + PageJSON.string(member.name).text + ": " + member.value.indented(level + 1)
                text += index + 1 < members.count ? ",\n" : "\n"
            }
            return text + spaces(level) + "}"
        case .array(let values) where !values.isEmpty:
            var text = "[\n"
            for (index, value) in values.enumerated() {
                text += spaces(level + 1) + value.indented(level + 1) + (index + 1 < values.count ? ",\n" : "\n")
            }
            return text + spaces(level) + "]"
        default: return text
        }
    }
}
