@_spi(Server) import BenjiValues

/// The grammar of texts, names and addresses in a description. Each function returns the problem, or `nil`.
enum PageGrammar {
    /// How many scalars a text that people read may have.
    static let maximumLength = 200

    /// A text that people read, on one line: held to ``BenjiValues/TextGrammar``.
    ///
    /// White space at its ends, marks at its beginning and code points that Unicode has not assigned are allowed here,
    /// unlike in a name. The facades take texts as apps set them, and stored descriptions stay readable.
    static func text(_ text: String) -> String? {
        if let problem = TextGrammar.problem(in: text) { return problem }
        let count = text.unicodeScalars.count
        guard count > 0 else { return "must not be empty" }
        return count <= maximumLength ? nil : "must have at most \(maximumLength) characters, has \(count)"
    }

    /// A text that only joins others, such as a space between two titles: it may be empty.
    static func glue(_ text: String) -> String? { text.isEmpty ? nil : self.text(text) }

    /// The name of an image, an animation or a view that the app supplies: a relative path.
    static func resource(_ name: String) -> String? {
        let rule = "must be 1 to 128 letters, digits and . _ - / without .. and not begin with /"
        var count = 0
        var last: UInt8 = UInt8(ascii: "/")
        for byte in name.utf8 {
            count += 1
            let lower = byte | 0x20
            let isWord =
                lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
                || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
            switch byte {
            case UInt8(ascii: "."), UInt8(ascii: "/"): if byte == last { return rule }
            case UInt8(ascii: "_"), UInt8(ascii: "-"): break
            default: if !isWord { return rule }
            }
            last = byte
        }
        return (1...128).contains(count) ? nil : rule
    }

    /// The address of terms: `https`, a host, printable ASCII. Nothing is escaped or repaired.
    static func address(_ address: String) -> String? {
        let bytes = Array(address.utf8)
        let scheme = Array("https://".utf8)
        guard bytes.count > scheme.count, bytes[..<scheme.count] == scheme[...] else {
            return "must begin with https:// and name a host"
        }
        guard bytes.count <= 2048 else { return "must have at most 2048 bytes" }
        var inHost = true
        var hostLength = 0
        for byte in bytes[scheme.count...] {
            switch byte {
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): inHost = false
            // Before the path, a name in front of @ would pass for the host.
            case UInt8(ascii: "@") where inHost, UInt8(ascii: "%") where inHost:
                return "must have a host without user name and escapes"
            case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "`"),
                UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "|"), UInt8(ascii: "^"):
                return "must hold no quotes, brackets or backslashes"
            case 0x21..<0x7f: if inHost { hostLength += 1 }
            default: return "must be printable ASCII without spaces"
            }
        }
        return hostLength > 0 ? nil : "must begin with https:// and name a host"
    }
}
