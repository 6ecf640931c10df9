import Authority
import BenjiProtocol

/// The grammar of each signed field. Checked before any sign (decision 11).
///
/// All lengths but the message id's are fixed, so a signed text without separators has only one division into fields. A
/// character cannot move from one field to the next.
enum CMPassportGrammar {
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
    }

    static func isAppID(_ text: some StringProtocol) -> Bool { text.utf8.count == 12 && text.utf8.allSatisfy(isDigit) }

    /// 1 to 36 letters, digits and dashes: a UUID with or without its dashes.
    static func isMessageID(_ text: some StringProtocol) -> Bool {
        (1...36).contains(text.utf8.count) && text.utf8.allSatisfy { isAlphanumeric($0) || $0 == 0x2d }
    }

    static func isStrictCheck(_ text: some StringProtocol) -> Bool { text == "0" || text == "1" }

    /// 64 hexadecimal digits in either case.
    static func isNumberHash(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy { isDigit($0) || (0x41...0x46).contains($0) || (0x61...0x66).contains($0) }
    }

    static func isSourceID(_ text: some StringProtocol) -> Bool { SourceIDGrammar.matches(text) }
}
