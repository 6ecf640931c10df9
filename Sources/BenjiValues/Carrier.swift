/// An operator whose subscribers can log in by their own number: the identifier of its record in the server's
/// policy.
///
/// Which carrier a phone belongs to is the gateway's word, never the phone's (decision 7). Vendors' documents know
/// ``documented`` and count each in their own way; every other carrier is unknown to them.
public struct Carrier: RawRepresentable, Hashable, Sendable {
    /// 1 to 32 small letters, digits and hyphens, a letter first.
    public let rawValue: String

    /// `nil` for a text that is no identifier.
    public init?(rawValue: String) {
        let bytes = rawValue.utf8
        guard (1...32).contains(bytes.count), let first = bytes.first, Self.isLetter(first),
            bytes.allSatisfy({ Self.isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x2d })
        else { return nil }
        self.rawValue = rawValue
    }

    private init(_ known: String) { rawValue = known }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte) }

    /// 中国移动, China Mobile.
    public static let mobile = Carrier("mobile")
    /// 中国联通, China Unicom.
    public static let unicom = Carrier("unicom")
    /// 中国电信, China Telecom.
    public static let telecom = Carrier("telecom")

    /// The three that the vendors' documents know.
    public static let documented: [Carrier] = [.mobile, .unicom, .telecom]
}
