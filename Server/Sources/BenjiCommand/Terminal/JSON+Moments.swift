import BenjiProtocol
import ServerRuntime

/// Moments are milliseconds since 1970 for programs, and RFC 3339 in UTC for people.
extension JSON {
    /// A member's value as people read it.
    func shown(as name: String) -> String {
        let dated = dated(as: name)
        return dated.stringValue ?? dated.text
    }

    /// The value with its moments as people read them, at every depth.
    /// - Parameter name: that of the member whose value it is.
    func dated(as name: String = "") -> JSON {
        switch self {
        case .object(let members):
            .object(members.map { JSON.Member($0.name, $0.value.dated(as: $0.name)) })
        case .array(let values): .array(values.map { $0.dated(as: name) })
        case .number:
            if let moment = integerValue, moment >= Self.earliest, Self.isMoment(name) {
                .string(Timestamp(milliseconds: moment).dateText)
            } else {
                self
            }
        case .null, .bool, .string: self
        }
    }

    /// A smaller value is a count: as a moment it would lie before March 1973.
    private static let earliest: Int64 = 100_000_000_000

    private static func isMoment(_ name: String) -> Bool {
        ["at", "since", "until"].contains(name) || ["At", "Until", "After", "Since"].contains { name.hasSuffix($0) }
    }
}
