/// The one name of a login attempt, from prefetch to redeem: 32 lower-case hexadecimal digits.
///
/// Two vendors' documents call it `processID`. It carries no number and no credential, so it may be logged (decision
/// 14).
public struct TraceID: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    public let rawValue: String

    /// `nil` unless `rawValue` is exactly 32 lower-case hexadecimal digits.
    public init?(rawValue: String) {
        guard rawValue.utf8.count == 32, rawValue.utf8.allSatisfy(Hexadecimal.isLowercaseDigit) else { return nil }
        self.rawValue = rawValue
    }

    public init(random: some RandomSource) {
        rawValue = Hexadecimal.encode(random.bytes(16))
    }

    public var description: String { rawValue }
}
