/// The language of every screen.
#if canImport(ObjectiveC)
@objc(SIDLanguageMode)
#endif
public enum SIDLanguageMode: Int, Sendable {
    /// The person's own if it is Chinese, otherwise English.
    #if canImport(ObjectiveC)
    @objc(SIDAutoMode)
    #endif
    case auto
    /// Simplified Chinese, whatever the phone speaks.
    #if canImport(ObjectiveC)
    @objc(SIDSimplifiedChineseMode)
    #endif
    case simplifiedChinese
    /// English.
    #if canImport(ObjectiveC)
    @objc(SIDEnglishMode)
    #endif
    case english
    /// Traditional Chinese.
    #if canImport(ObjectiveC)
    @objc(SIDTraditionChineseMode)
    #endif
    case traditionChinese
}
