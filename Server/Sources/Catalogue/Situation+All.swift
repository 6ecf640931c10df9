package import BenjiProtocol

extension Situation {
    /// Every situation, of a number's login and of a face login, in the order of the table ``CodeTable/device``.
    package static let all: [Situation] = Catalogue.entries.filter { $0.table == .device }.map {
        Situation(rawValue: $0.code)
    }

    /// The situation of this name, or `nil` when there is none.
    package static func named(_ name: String) -> Situation? { all.first { $0.rawValue == name } }
}
