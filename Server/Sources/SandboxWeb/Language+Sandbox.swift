import BenjiPage
import ServerHTTP

/// The sandbox's page is there in simplified Chinese and in English. Its addresses and its cookie call them `zh` and
/// `en`.
extension Language {
    var sandboxName: String { self == .english ? "en" : "zh" }

    init?(sandboxName: String) {
        switch sandboxName {
        case "zh": self = .simplifiedChinese
        case "en": self = .english
        default: return nil
        }
    }

    /// The preferred one of the two languages in `Accept-Language`.
    init(accepted header: String) {
        let tags = AcceptLanguage.tags(header).map { $0.lowercased() }
        let known = tags.first { $0.hasPrefix("zh") || $0.hasPrefix("en") }
        self = known?.hasPrefix("zh") == true ? .simplifiedChinese : .english
    }
}
