/// The languages of the shop. It has types of its own for them and for its texts. It stands for an app's server, which
/// uses nothing of Benji but its interfaces.
enum Language: String, Sendable, CaseIterable {
    case chinese = "zh"
    case english = "en"

    /// As HTML and `ui_locales` want it.
    var tag: String { self == .chinese ? "zh-CN" : "en" }
    var other: Language { self == .chinese ? .english : .chinese }
    /// In itself.
    var name: String { self == .chinese ? "中文" : "English" }

    /// The first of `Accept-Language` that there is.
    init(accepting header: String) {
        let tags = header.split(separator: ",").map { $0.drop { $0 == " " }.prefix(2).lowercased() }
        self = tags.lazy.compactMap(Language.init(rawValue:)).first ?? .chinese
    }

    func of(_ text: (chinese: String, english: String)) -> String { self == .chinese ? text.chinese : text.english }
}
