/// Whether a text is a mobile number of mainland China, as an app may write one.
enum ChineseNumber {
    /// The eleven digits; `nil` for anything else. `+86`, `0086` and `86` may stand before them, spaces and dashes between.
    static func read(_ text: String?) -> String? {
        var digits = (text ?? "").filter { $0 != " " && $0 != "-" }[...]
        for prefix in ["+86", "0086"] where digits.hasPrefix(prefix) { digits = digits.dropFirst(prefix.count) }
        if digits.count == 13, digits.hasPrefix("86") { digits = digits.dropFirst(2) }
        let bytes = Array(digits.utf8)
        guard bytes.count == 11, bytes.allSatisfy({ (0x30...0x39).contains($0) }), bytes[0] == 0x31,
            (0x33...0x39).contains(bytes[1])
        else { return nil }
        return String(digits)
    }
}
