/// The public identifier of a registered app: 12 to 64 ASCII letters and digits, in which case counts.
///
/// Benji's own are twelve digits, as the operators write them (`300000000001`). An app that comes from elsewhere keeps
/// the id that it ships with. Other vendors' ids have 22 letters and digits, or 24 or 32 hexadecimal digits.
public struct AppID: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    public let rawValue: String

    /// The rule in words, as errors say it.
    public static let rule = "must be 12 to 64 letters and digits"

    /// `nil` unless `rawValue` is 12 to 64 ASCII letters and digits.
    public init?(rawValue: String) {
        guard (12...64).contains(rawValue.utf8.count),
            rawValue.utf8.allSatisfy({
                (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0)
            })
        else { return nil }
        self.rawValue = rawValue
    }

    public var description: String { rawValue }
}
