/// The public identifier of a registered app: twelve digits, as the operators write them (`300000000001`).
///
/// The fixed length is part of the defence against shifting characters between signed fields (decision 11).
public struct AppID: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    public let rawValue: String

    /// `nil` unless `rawValue` is exactly twelve ASCII digits.
    public init?(rawValue: String) {
        guard rawValue.utf8.count == 12, rawValue.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.rawValue = rawValue
    }

    public var description: String { rawValue }
}
