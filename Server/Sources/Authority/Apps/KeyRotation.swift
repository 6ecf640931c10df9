package import BenjiProtocol
package import Requests
package import Store

/// How long the key before stays valid when an app gets a new one.
///
/// In JSON the number of days, "until-retired" or "none".
package enum KeyOverlap: Hashable, Sendable, Codable {
    /// Until somebody retires it: it may be in packages that people have on their phones.
    case untilRetired
    case days(Int)
    /// Not at all: for a key that somebody else knows.
    case none

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let days = try? container.decode(Int.self) {
            self = .days(days)
            return
        }
        switch try? container.decode(String.self) {
        case "until-retired": self = .untilRetired
        case "none": self = .none
        default:
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "must be a number of days, until-retired or none")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .days(let days): try container.encode(days)
        case .untilRetired: try container.encode("until-retired")
        case .none: try container.encode("none")
        }
    }
}

extension RotatingKey {
    package func isAccepted(at now: Timestamp) -> Bool { acceptedUntil.map { now < $0 } ?? true }
}

/// Keys of one use, newest first.
extension Array where Element: RotatingKey {
    package func accepted(at now: Timestamp) -> [Element] { filter { $0.isAccepted(at: now) } }

    /// No version is used twice.
    package var nextVersion: Int { (map(\.version).max() ?? 0) + 1 }

    /// Puts a new key before the others.
    ///
    /// - Parameter noun: what the operator calls it: "key", "server secret".
    package mutating func rotate(
        to new: Element, keeping overlap: KeyOverlap, now: Timestamp, noun: String
    ) throws(Refusal) {
        let before = accepted(at: now)
        // A third would make it hard to tell which one may go.
        guard overlap == .none || before.count < 2 else {
            let versions = before.map { "\($0.version)" }.reversed().joined(separator: " and ")
            throw Refusal(
                .parameterInvalid,
                "the app has several valid \(noun)s already, versions \(versions); retire one of them first, or end "
                    + "all at once with --now"
            )
        }
        try begin(with: new, keeping: overlap, now: now)
    }

    /// The same without the limit of valid keys.
    package mutating func begin(with new: Element, keeping overlap: KeyOverlap, now: Timestamp) throws(Refusal) {
        var before = accepted(at: now)
        switch overlap {
        case .none: before = []
        case .untilRetired: break
        case .days(let days):
            guard (1...3650).contains(days) else { throw Refusal(.parameterInvalid, "overlap: 1 to 3650 days") }
            let end = now + .seconds(Int64(days) * 86400)
            for index in before.indices {
                before[index].acceptedUntil = Swift.min(before[index].acceptedUntil ?? end, end)
            }
        }
        self = [new] + before
    }

    /// Ends a key at once: the named one, or all but the newest.
    package mutating func retire(_ version: Int?, now: Timestamp, noun: String) throws(Refusal) {
        let valid = accepted(at: now)
        let ended = valid.filter { version == nil ? $0.version != valid[0].version : $0.version == version }
        guard !ended.isEmpty else {
            throw Refusal(
                .parameterInvalid,
                version.map { "the app has no valid \(noun) of version \($0)" }
                    ?? "the app has one valid \(noun) only; make a new one first")
        }
        guard ended.count < valid.count else {
            throw Refusal(.parameterInvalid, "the app has no other valid \(noun); make a new one first")
        }
        let newest = map(\.version).max()
        self = compactMap { key in
            guard ended.contains(where: { $0.version == key.version }) else { return key }
            // The newest leaves its version behind, so that it is not used again.
            guard key.version == newest else { return nil }
            var key = key
            key.acceptedUntil = now
            return key
        }
    }
}
