import ArgumentParser
import BenjiProtocol

/// The languages of a report for developers, one after the other. Reports have a short word for simplified Chinese,
/// `zh`.
struct ReportLanguages: ExpressibleByArgument, Equatable {
    static let english = ReportLanguages(languages: [.english])
    static let chinese = ReportLanguages(languages: [.simplifiedChinese])
    static let both = ReportLanguages(languages: [.english, .simplifiedChinese])

    private static let words = [("en", english), ("zh", chinese), ("both", both)]

    let languages: [Language]

    private init(languages: [Language]) { self.languages = languages }

    init?(argument: String) {
        guard let known = Self.words.first(where: { $0.0 == argument }) else { return nil }
        self = known.1
    }

    static var allValueStrings: [String] { words.map(\.0) }

    var defaultValueDescription: String { Self.words.first { $0.1 == self }?.0 ?? "" }
}
