/// A text in each ``Language``.
public struct LocalizedText: Hashable, Sendable {
    /// In simplified Chinese.
    public var simplifiedChinese: String
    /// In traditional Chinese.
    public var traditionalChinese: String
    /// In English.
    public var english: String

    /// The same text in all languages.
    public init(_ text: String) { self.init(text, text, text) }

    /// A text in two languages; traditional Chinese is read as the simplified.
    public init(_ simplifiedChinese: String, _ english: String) {
        self.init(simplifiedChinese, simplifiedChinese, english)
    }

    /// A text for each language.
    public init(_ simplifiedChinese: String, _ traditionalChinese: String, _ english: String) {
        self.simplifiedChinese = simplifiedChinese
        self.traditionalChinese = traditionalChinese
        self.english = english
    }

    /// The text in one language.
    public subscript(language: Language) -> String {
        switch language {
        case .simplifiedChinese: simplifiedChinese
        case .traditionalChinese: traditionalChinese
        case .english: english
        }
    }
}
