import ArgumentParser

/// What a report for developers is written in: English, Chinese, or one after the other.
enum ReportLanguage: String, ExpressibleByArgument, CaseIterable {
    case en, zh, both
}
