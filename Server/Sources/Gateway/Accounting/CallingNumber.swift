@_spi(Server) package import BenjiProtocol
import CPhoneNumbers

/// Reads Calling-Station-Id as a number in E.164; `nil` if it is no valid mobile number of the NAS's country.
///
/// libphonenumber reads it and decides, but for mainland China, where ``BenjiProtocol/PhoneNumber/isMainlandMobile``
/// does: the library lacks ranges. Reading takes some 25 µs, so a number is read when a session begins or names
/// somebody else, not in every packet.
package enum CallingNumber {
    static func read(_ text: String, country: String, form: NetworkAccessServer.NumberForm) -> PhoneNumber? {
        var digits = [CChar](repeating: 0, count: 16)
        var text = text
        let isNumber = text.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) {
                phone_numbers_read($0.baseAddress, $0.count, country, form == .national, &digits)
            }
        }
        guard isNumber else { return nil }
        let number = PhoneNumber(
            "+" + String(decoding: digits.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
        return number?.mayBeMobile == true ? number : nil
    }

    /// Mobile numbers as a country has them, for a sandbox: the same each time, and fewer than `count` where there are
    /// no more.
    package static func examples(of country: String, count: Int) -> [PhoneNumber] {
        var digits = [CChar](repeating: 0, count: 16)
        guard phone_numbers_example(country, &digits) else { return [] }
        let example = String(decoding: digits.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let numbers = (0..<100).lazy.compactMap { ending in
            let text = "\(example.dropLast(2))\(ending / 10)\(ending % 10)"
            return read(text, country: country, form: .international)
        }
        return Array(numbers.prefix(count))
    }

    static func isKnown(country: String) -> Bool { phone_numbers_knows_country(country) }

    /// Lets the library build its tables, some 300 ms, before a packet waits for them.
    static func prepare() { _ = read("8613800000000", country: "CN", form: .international) }
}
