/// The default alphabet of GSM 03.38 (today 3GPP TS 23.038 §6.2.1) with its extension table, a septet in each octet, as
/// SMSCs take it.
package enum DefaultAlphabet {
    /// Leads to the extension table.
    static let escape: UInt8 = 0x1b

    /// By septet. The place of the escape holds a space, which is what phones show for an escape without a table.
    private static let basic: [Unicode.Scalar] = Array(
        ("@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ ÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§"
            + "¿abcdefghijklmnopqrstuvwxyzäöñüà").unicodeScalars)
    private static let extended: [UInt8: Unicode.Scalar] = [
        0x0a: "\u{0c}", 0x14: "^", 0x28: "{", 0x29: "}", 0x2f: "\\", 0x3c: "[", 0x3d: "~", 0x3e: "]", 0x40: "|",
        0x65: "€",
    ]

    private static let octets: [Unicode.Scalar: [UInt8]] = {
        var octets: [Unicode.Scalar: [UInt8]] = [:]
        for (septet, scalar) in basic.enumerated() where septet != escape { octets[scalar] = [UInt8(septet)] }
        for (septet, scalar) in extended { octets[scalar] = [escape, septet] }
        return octets
    }()

    /// One or two octets for each character; `nil` if a character is in neither table.
    static func units(_ text: String) -> [[UInt8]]? {
        var units: [[UInt8]] = []
        for scalar in text.unicodeScalars {
            guard let unit = octets[scalar] else { return nil }
            units.append(unit)
        }
        return units
    }

    /// The text of these octets; `nil` if one of them is no septet. The standard sets two rules. A character that the
    /// extension table lacks is read from the basic table, and an escape without a character is a space.
    package static func text(_ octets: [UInt8]) -> String? {
        guard octets.allSatisfy({ $0 < 0x80 }) else { return nil }
        var text = String.UnicodeScalarView()
        var isEscaped = false
        for octet in octets {
            if isEscaped, octet != escape {
                text.append(extended[octet] ?? basic[Int(octet)])
                isEscaped = false
            } else if octet == escape {
                if isEscaped { text.append(" ") }
                isEscaped = !isEscaped
            } else {
                text.append(basic[Int(octet)])
            }
        }
        if isEscaped { text.append(" ") }
        return String(text)
    }
}
