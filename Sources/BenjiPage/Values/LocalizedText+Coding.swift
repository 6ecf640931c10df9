extension Language: PageWord {}

extension LocalizedText: PageValue {
    /// A string for all languages, or an object with one for each; the latter two default to the first.
    static func read(_ json: PageJSON, at path: String) throws(PageError) -> LocalizedText {
        try read(json, at: path, PageGrammar.text)
    }

    static func read(
        _ json: PageJSON, at path: String, _ problem: (String) -> String?
    ) throws(PageError) -> LocalizedText {
        if case .string(let text) = json {
            if let problem = problem(text) { throw PageError(place: path, problem: problem) }
            return LocalizedText(text)
        }
        guard json[Language.simplifiedChinese.rawValue] != nil else {
            throw PageError(place: path, problem: "must be a string, or an object with a text at least for zh-Hans")
        }
        var coder = try PageCoder(reading: json, at: path)
        var text = LocalizedText("")
        try coder.string(Language.simplifiedChinese.rawValue, &text.simplifiedChinese, problem)
        text.traditionalChinese = text.simplifiedChinese
        text.english = text.simplifiedChinese
        try coder.string(Language.traditionalChinese.rawValue, &text.traditionalChinese, problem)
        try coder.string(Language.english.rawValue, &text.english, problem)
        try coder.expectEnd()
        return text
    }

    func written(at path: String) throws(PageError) -> PageJSON { try written(at: path, PageGrammar.text) }

    func written(at path: String, _ problem: (String) -> String?) throws(PageError) -> PageJSON {
        if simplifiedChinese.sameBytes(as: traditionalChinese), simplifiedChinese.sameBytes(as: english) {
            if let problem = problem(simplifiedChinese) { throw PageError(place: path, problem: problem) }
            return .string(simplifiedChinese)
        }
        var coder = PageCoder(writingAt: path)
        var copy = self
        try coder.string(Language.simplifiedChinese.rawValue, &copy.simplifiedChinese, problem)
        try coder.string(Language.traditionalChinese.rawValue, &copy.traditionalChinese, problem)
        try coder.string(Language.english.rawValue, &copy.english, problem)
        return coder.object
    }
}

/// A text that joins others and may be empty.
struct JoinerText: PageValue {
    var text: LocalizedText

    static func read(_ json: PageJSON, at path: String) throws(PageError) -> JoinerText {
        JoinerText(text: try LocalizedText.read(json, at: path, PageGrammar.glue))
    }

    func written(at path: String) throws(PageError) -> PageJSON { try text.written(at: path, PageGrammar.glue) }
}
