import BenjiPage

/// Writes a description as the Swift that makes it, without defaults.
///
/// It goes through ``PageField/all``, so a field that the form knows is exported.
struct PageSwiftWriter {
    private let page: PageDescription
    private let json: PageJSON
    private(set) var text = ""

    init(_ page: PageDescription, _ json: PageJSON) {
        self.page = page
        self.json = json
    }

    mutating func write() throws(PageError) {
        var usual = PageDescription()
        if page.popup != nil { usual.popup = PageDescription.Popup() }
        if page.consentDialog != nil { usual.consentDialog = PageDescription.ConsentDialog() }
        if page.navigationBar.title != nil { usual.navigationBar.title = PageExport.usualTitle }
        if page.webPage.title != nil { usual.webPage.title = PageExport.usualTitle }
        let defaults = try usual.json()

        line("import BenjiPage")
        line("")
        line("/// The app's authorization page.")
        line("let loginPage: PageDescription = {")
        line("    var page = PageDescription()")
        var whole: String?
        for field in PageField.all where !Self.isElement(field.path) {
            // The members of a picture or a view are written with it.
            if let whole, field.path.utf8.starts(with: (whole + ".").utf8) { continue }
            whole = nil
            let value = json.at(field.path)
            switch field.kind {
            case .group:
                if value?["name"] != nil {
                    whole = field.path
                    if value?.text != defaults.at(field.path)?.text { try assign(field, value) }
                }
            case .part:
                guard let value else {
                    whole = field.path
                    continue
                }
                if value["name"] != nil {
                    whole = field.path
                    try assign(field, value)
                } else {
                    try assign(field, value)
                }
            default:
                if value?.text != defaults.at(field.path)?.text { try assign(field, value) }
            }
        }
        line("    return page")
        line("}()")
    }

    private mutating func line(_ text: String) { self.text += text + "\n" }

    private static func isElement(_ path: String) -> Bool {
        for byte in path.utf8 where byte == UInt8(ascii: "[") { return true }
        return false
    }

    private mutating func assign(_ field: PageField, _ value: PageJSON?) throws(PageError) {
        guard let value else { return }
        let literal: String
        switch (field.kind, value) {
        case (.group, _), (.part, _):
            guard let name = value["name"] else {
                let type: String
                switch field.path {
                case "popup": type = "Popup"
                case "consentDialog": type = "ConsentDialog"
                default: type = "NavigationTitle"
                }
                line("    page.\(Self.member(field.path)) = PageDescription.\(type)()")
                return
            }
            guard case .string(let name) = name, case .number(let width)? = value["width"],
                case .number(let height)? = value["height"]
            else { return }
            let isImage = Self.isImage(field.path)
            let size = (Double(width) / 1000, Double(height) / 1000)
            literal =
                isImage
                ? SwiftLiteral.image(PageImage(name, width: size.0, height: size.1))
                : SwiftLiteral.slot(PageSlot(name, width: size.0, height: size.1))
        case (.word, .string(let word)): literal = "." + word
        case (.words, .array(let words)):
            var names: [String] = []
            for case .string(let word) in words { names.append("." + word) }
            literal = "[" + names.joined(separator: ", ") + "]"
        case (.color, _): literal = SwiftLiteral.color(try AdaptiveColor.reading(value))
        case (.text, _): literal = SwiftLiteral.text(try LocalizedText.reading(value))
        case (.list, _):
            let elements: [String]
            switch field.path {
            case "terms.items": elements = page.terms.items.map { SwiftLiteral.term($0) }
            case "terms.words": elements = page.terms.words.map { SwiftLiteral.text($0) }
            default: elements = page.custom.map { SwiftLiteral.view($0) }
            }
            var text = "[]"
            if !elements.isEmpty {
                text = "[\n"
                for element in elements { text += "        " + element + ",\n" }
                text += "    ]"
            }
            literal = text
        case (_, .string(let text)): literal = SwiftLiteral.string(text)
        default: literal = value.text
        }
        line("    page.\(Self.member(field.path)) = \(literal)")
    }

    /// Pictures have other limits than views, and another type.
    private static func isImage(_ path: String) -> Bool {
        for field in PageField.all where field.path.sameBytes(as: path + ".width") {
            if case .number(let least, _) = field.kind { return least >= 1 }
        }
        return false
    }

    /// The property of ``PageDescription`` that a field of the JSON is.
    static func member(_ path: String) -> String {
        var names: [String] = []
        let parts = path.utf8.split(separator: UInt8(ascii: ".")).map { String($0) ?? "" }
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            switch part {
            case "hidden": names.append("isHidden")
            case "animated": names.append("isAnimated")
            case "bold": names.append("isBold")
            case "barHidden": names.append("isBarHidden")
            case "underlined": names.append("isUnderlined")
            case "initiallySet": names.append("isInitiallySet")
            case "shown": names.append("isShown")
            case "atBottom": names.append("isAtBottom")
            case "popup", "consentDialog": names.append(isLast ? part : part + "?")
            case "title" where index == 1 && (parts[0] == "navigationBar" || parts[0] == "webPage"):
                names.append(isLast ? "title" : "title?.style")
            case "text" where index == 1, "font" where index == 1, "color" where index == 1:
                if parts[0] == "loginButton" || parts[0] == "switchButton" { names.append("title") }
                names.append(part)
            default: names.append(part)
            }
        }
        return names.joined(separator: ".")
    }
}

extension PageJSON {
    /// The value at a path of object members; the root if it is empty.
    func at(_ path: String) -> PageJSON? {
        var value: PageJSON? = self
        for part in path.utf8.split(separator: UInt8(ascii: ".")) { value = value?[String(part) ?? ""] }
        return value
    }
}

extension AdaptiveColor {
    /// A colour of a description that has been read already.
    static func reading(_ json: PageJSON) throws(PageError) -> AdaptiveColor {
        func one(_ json: PageJSON?) throws(PageError) -> PageColor {
            guard case .string(let text)? = json, let color = PageColor(text: text) else {
                throw PageError(place: "$", problem: "must be a colour")
            }
            return color
        }
        if case .string = json { return AdaptiveColor(try one(json)) }
        return AdaptiveColor(light: try one(json["light"]), dark: try one(json["dark"]))
    }
}

extension LocalizedText {
    /// A text of a description that has been read already.
    static func reading(_ json: PageJSON) throws(PageError) -> LocalizedText {
        func one(_ json: PageJSON?) throws(PageError) -> String {
            guard case .string(let text)? = json else { throw PageError(place: "$", problem: "must be a text") }
            return text
        }
        if case .string(let text) = json { return LocalizedText(text) }
        return LocalizedText(
            try one(json[Language.simplifiedChinese.rawValue]), try one(json[Language.traditionalChinese.rawValue]),
            try one(json[Language.english.rawValue]))
    }
}
