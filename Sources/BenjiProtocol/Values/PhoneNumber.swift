@_spi(Server) import BenjiValues

/// A subscriber's number in E.164 form (ITU-T E.164: at most 15 digits, country code first, no plus sign).
///
/// A number is a secret (decision 12): whatever prints, logs or reflects one shows the mask. Only server code that
/// imports this module with `@_spi(Server)` can read the digits.
public struct PhoneNumber: Hashable, Sendable {
    private let value: String

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

    private init(validated: String) { value = validated }

    /// All digits, country code first, no plus sign: how a number is keyed, encrypted and compared.
    @_spi(Server) public var e164: String { value }

    /// The digits as people of that country write them: without 86 for mainland China, otherwise as ``e164``.
    @_spi(Server) public var national: String { String(shown) }

    /// Whether this is a mobile number of mainland China: 86, then a number of a range that is assigned to phones
    /// (``BenjiValues/MainlandMobile``).
    @_spi(Server) public var isMainlandMobile: Bool {
        isOfMainland && MainlandMobile.assignee(of: Array(value.utf8.dropFirst(2))) != nil
    }

    /// Whether a phone may have the number. Of mainland China only mobile numbers count (``isMainlandMobile``); the
    /// numbers of other countries are not told apart here.
    @_spi(Server) public var mayBeMobile: Bool { !value.utf8.starts(with: "86".utf8) || isMainlandMobile }

    /// Whether 86 is followed by eleven digits that start with 1: what ``init(_:)`` reads without a country code.
    private var isOfMainland: Bool { value.utf8.count == 13 && value.utf8.starts(with: "861".utf8) }

    private var shown: Substring { isOfMainland ? value.dropFirst(2) : Substring(value) }

    /// The number with its middle hidden, `138****0000`: the first three and the last four digits at most.
    public var masked: String { masked(with: "*") }

    /// ``masked`` with another filler. China Mobile's document writes `138XXXX0000`, a vendor's document `133****3333`.
    public func masked(with filler: Character) -> String {
        let digits = shown
        let ends = digits.count >= 11 ? (3, 4) : (2, 2)
        return digits.prefix(ends.0) + String(repeating: filler, count: digits.count - ends.0 - ends.1)
            + digits.suffix(ends.1)
    }
}

extension PhoneNumber: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { masked }
    public var debugDescription: String { "PhoneNumber(\(masked))" }
    /// A mirror without children, so that `dump` and test failures cannot print the digits.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
