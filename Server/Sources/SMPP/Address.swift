/// A number and its form (SMPP 3.4 §5.2.5 to §5.2.9). Up to 20 ASCII characters.
package struct Address: Hashable, Sendable {
    /// Type of number.
    package var type: UInt8
    /// Numbering plan indicator.
    package var plan: UInt8
    package var digits: String

    package init(type: UInt8, plan: UInt8, digits: String) {
        self.type = type
        self.plan = plan
        self.digits = digits
    }

    /// An international number: country code first, no plus sign.
    package static func international(_ digits: String) -> Address { Address(type: 1, plan: 1, digits: digits) }

    /// The source of a message. `+8610…` is an international number, and up to eight digits are a short code. More
    /// digits are a number that the SMSC can read, and anything with another character is a name.
    package init(source: String) {
        let digits = source.hasPrefix("+") ? String(source.dropFirst()) : source
        let isNumber = !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
        if source.isEmpty {
            self.init(type: 0, plan: 0, digits: "")
        } else if !isNumber {
            self.init(type: 5, plan: 0, digits: source)
        } else if source.hasPrefix("+") {
            self.init(type: 1, plan: 1, digits: digits)
        } else {
            self.init(type: digits.utf8.count <= 8 ? 3 : 0, plan: digits.utf8.count <= 8 ? 0 : 1, digits: digits)
        }
    }

    /// Whether it may be a subscriber's. A name, even one of digits, a short code, or a number of a network other than
    /// the telephone's cannot.
    package var mayBeSubscriber: Bool { type <= 2 && plan <= 1 }

    /// The number as `PhoneNumber` reads it: with a plus sign if it says that it is international.
    package var number: String { type == 1 && !digits.hasPrefix("+") ? "+" + digits : digits }
}

extension Address: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Without the digits.
    package var description: String { "Address(type: \(type), plan: \(plan))" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
