/// A language in which people are spoken to.
public enum Language: String, Hashable, Sendable, CaseIterable {
    /// Simplified Chinese.
    case simplifiedChinese = "zh-Hans"
    /// Traditional Chinese.
    case traditionalChinese = "zh-Hant"
    /// English.
    case english = "en"
}
