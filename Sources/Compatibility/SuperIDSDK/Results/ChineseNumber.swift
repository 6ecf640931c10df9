@_spi(Server) import BenjiProtocol

/// Whether a text has the form of a mobile number of mainland China, as an app may write one. The server knows the
/// ranges.
enum ChineseNumber {
    /// The eleven digits; `nil` for anything else. `+86`, `0086` and `86` may stand before them, spaces and dashes
    /// between.
    static func read(_ text: String?) -> String? {
        var digits = (text ?? "").filter { $0 != " " && $0 != "-" }[...]
        for prefix in ["+86", "0086"] where digits.hasPrefix(prefix) { digits = digits.dropFirst(prefix.count) }
        if digits.count == 13, digits.hasPrefix("86") { digits = digits.dropFirst(2) }
        return MainlandMobile.hasForm(Array(digits.utf8)) ? String(digits) : nil
    }
}
