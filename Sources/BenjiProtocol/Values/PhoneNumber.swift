/// A subscriber's number in E.164 form (ITU-T E.164: at most 15 digits, country code first, no plus sign).
///
/// A number is a secret (decision 12): whatever prints, logs or reflects one shows the mask. Only server code that
/// imports this module with `@_spi(Server)` can read the digits.
public struct PhoneNumber: Hashable, Sendable {
    private let value: String
    private let countryCodeLength: Int

    /// Reads a number as a network feed or a person writes it: digits, an optional leading `+` or `00`, and nothing
    /// else.
    ///
    /// Eleven digits starting with 1 and without a prefix are a number of mainland China. Returns `nil` for anything
    /// that is not a number, alphanumeric senders and short codes included.
    @_spi(Server) public init?(_ text: some StringProtocol) {
        var digits = Substring(text)
        var international = false
        if digits.hasPrefix("+") {
            digits = digits.dropFirst()
            international = true
        } else if digits.hasPrefix("00") {
            digits = digits.dropFirst(2)
            international = true
        }
        guard (7...15).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            digits.utf8.first != 0x30
        else { return nil }
        if !international, digits.utf8.count == 11, digits.utf8.first == 0x31 {
            self.init(validated: "86" + digits)
        } else {
            self.init(validated: String(digits))
        }
    }

    private init(validated: String) {
        value = validated
        countryCodeLength = validated.hasPrefix("86") ? 2 : 0
    }

    /// All digits, country code first, no plus sign: how a number is keyed, encrypted and compared.
    @_spi(Server) public var e164: String { value }

    /// The digits as people of that country write them: without 86 for mainland China, otherwise as ``e164``.
    @_spi(Server) public var national: String { String(value.dropFirst(isMainlandMobile ? countryCodeLength : 0)) }

    /// Whether this is a mobile number of mainland China: 86, then eleven digits starting with 13 to 19.
    @_spi(Server) public var isMainlandMobile: Bool {
        let bytes = Array(value.utf8)
        return bytes.count == 13 && bytes.starts(with: [0x38, 0x36, 0x31]) && (0x33...0x39).contains(bytes[3])
    }

    /// The number with its middle hidden, `138****0000`: the first three and the last four digits at most.
    public var masked: String { masked(with: "*") }

    /// ``masked`` with another filler. China Mobile's document writes `138XXXX0000`, a vendor's document `133****3333`.
    public func masked(with filler: Character) -> String {
        let digits = isMainlandMobile ? value.dropFirst(2) : Substring(value)
        let shown = digits.count >= 11 ? (3, 4) : (2, 2)
        return digits.prefix(shown.0) + String(repeating: filler, count: digits.count - shown.0 - shown.1)
            + digits.suffix(shown.1)
    }
}

extension PhoneNumber: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { masked }
    public var debugDescription: String { "PhoneNumber(\(masked))" }
    /// A mirror without children, so that `dump` and test failures cannot print the digits.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
