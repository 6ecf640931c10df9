/// The grammar of texts that people read: names of apps, page texts, short messages.
///
/// A text must not hold code points that the reader cannot see, or that change how other characters are shown. Such a
/// text reads otherwise than it is stored, signed and compared. It could pass for another one (Unicode UTS #39, and UAX
/// #9 for the direction of writing).
///
/// ``problem(in:allowsLineFeeds:)`` does not depend on the system's version of Unicode: phones of any age and the
/// server accept the same texts.
@_spi(Server) public enum TextGrammar {
    /// The most combining marks that may follow one another in a name. More are painted over the lines above and below.
    public static let maximumMarks = 4

    /// The reason why a text is refused, with the code point and its position; `nil` for a good text.
    ///
    /// Zero-width joiners and variation selectors are good inside emoji, and inside words of the Arabic, Indic and
    /// Mongolian scripts, which need them.
    ///
    /// - Parameters:
    ///   - text: of any length, also empty.
    ///   - allowsLineFeeds: whether U+000A is good, for texts of several lines.
    /// - Returns: a part of a sentence, "must not hold U+202E at character 5: it changes the direction of writing".
    ///   Characters are Unicode scalars and are counted from 1.
    public static func problem(in text: String, allowsLineFeeds: Bool = false) -> String? {
        let scalars = Array(text.unicodeScalars)
        for index in scalars.indices {
            if let fault = fault(of: scalars, at: index, allowsLineFeeds) {
                return refusal(of: scalars[index], at: index, fault)
            }
        }
        return nil
    }

    /// The reason why a text is no name, or no other text of one line that stands for itself; `nil` for a good one.
    ///
    /// Refuses more than ``problem(in:allowsLineFeeds:)``: an empty text, white space at an end, a combining mark
    /// first. It also refuses over ``maximumMarks`` marks in a row, and code points that Unicode has not assigned.
    ///
    /// - Parameter text: of any length.
    /// - Returns: as ``problem(in:allowsLineFeeds:)``.
    public static func problem(inName text: String) -> String? {
        if let problem = problem(in: text) { return problem }
        let scalars = Array(text.unicodeScalars)
        guard !scalars.isEmpty else { return "must not be empty" }
        var marks = 0
        for index in scalars.indices {
            let scalar = scalars[index]
            if index == 0 || index == scalars.count - 1, scalar.properties.isWhitespace {
                return refusal(of: scalar, at: index, "it is white space at the beginning or the end")
            }
            switch scalar.properties.generalCategory {
            case .unassigned: return refusal(of: scalar, at: index, "Unicode has not assigned it")
            case .nonspacingMark, .spacingMark, .enclosingMark: marks += 1
            default: marks = 0
            }
            if marks == 1, index == 0 { return refusal(of: scalar, at: index, "it is a mark without a letter") }
            if marks > maximumMarks {
                return refusal(of: scalar, at: index, "it is one of more than \(maximumMarks) marks in a row")
            }
        }
        return nil
    }

    /// The text without the code points for which ``problem(in:allowsLineFeeds:)`` refuses it.
    ///
    /// For texts that were stored before they were checked, and for texts of unauthenticated senders.
    public static func cleaned(_ text: String, keepsLineFeeds: Bool = false) -> String {
        let scalars = Array(text.unicodeScalars)
        var kept = String.UnicodeScalarView()
        for index in scalars.indices where fault(of: scalars, at: index, keepsLineFeeds) == nil {
            kept.append(scalars[index])
        }
        return String(kept)
    }

    private static func refusal(of scalar: Unicode.Scalar, at index: Int, _ fault: String) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let zeros = String(repeating: "0", count: max(0, 4 - digits.utf8.count))
        return "must not hold U+\(zeros)\(digits) at character \(index + 1): \(fault)"
    }

    private static func fault(of scalars: [Unicode.Scalar], at index: Int, _ allowsLineFeeds: Bool) -> String? {
        switch scalars[index].value {
        case 0x0a where allowsLineFeeds: nil
        case 0..<0x20, 0x7f..<0xa0: "it is a control character"
        case 0x2028, 0x2029: "it breaks the line"
        case 0x061c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: "it changes the direction of writing"
        case 0x200c, 0x200d: isJoiner(scalars, at: index) ? nil : "it has no width, and joins nothing here"
        case 0xfe0e, 0xfe0f: selectsEmoji(scalars, at: index) ? nil : "it has no width, and follows no emoji"
        case 0x180b...0x180f:
            index > 0 && isMongolian(scalars[index - 1].value)
                ? nil : "it has no width, and follows no Mongolian letter"
        // The other code points that are drawn as nothing (Default_Ignorable_Code_Point), the reserved ones included.
        case 0xad, 0x034f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x200b, 0x2060...0x2065, 0x206a...0x206f, 0x3164,
            0xfe00...0xfe0d, 0xfeff, 0xffa0, 0xfff0...0xfffb, 0x1bca0...0x1bca3, 0x1d173...0x1d17a, 0xe0000...0xe0fff:
            "it has no width"
        case 0x13430...0x13455: "it changes how other hieroglyphs are placed"
        case 0x2800, 0xfffc: "it is drawn as a blank, or stands for an object"
        case 0xe000...0xf8ff, 0xf0000...0x10ffff: "it is of private use"
        case 0xfdd0...0xfdef: "it is no character"
        // No plane from the fourth to the thirteenth has a character.
        case 0x40000..<0xe0000: "Unicode has not assigned it"
        case let value: value & 0xfffe == 0xfffe ? "it is no character" : nil
        }
    }

    /// Whether U+200C or U+200D is inside a word of a script that needs it (RFC 5892, appendix A), or U+200D inside an
    /// emoji (UTS #51).
    private static func isJoiner(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
        guard index > 0, index + 1 < scalars.count else { return false }
        let (before, next) = (scalars[index - 1].value, scalars[index + 1].value)
        if 0x0900...0x0dff ~= before {
            // Bengali and Kannada ra keep their shape before a virama (Unicode Standard, sections 12.2 and 12.8).
            if before == 0x09b0 || before == 0x0cb0, isVirama(next) { return true }
            return isVirama(before) && usesJoiners(next)
        }
        if usesJoiners(before) { return usesJoiners(next) }
        guard scalars[index].value == 0x200d, isEmoji(next) else { return false }
        return isEmoji(before) || selectsEmoji(scalars, at: index - 1)
    }

    /// Whether a variation selector follows an emoji, or the beginning of a keycap (UTS #51).
    private static func selectsEmoji(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
        guard index > 0, 0xfe0e...0xfe0f ~= scalars[index].value else { return false }
        switch scalars[index - 1].value {
        case 0x23, 0x2a, 0x30...0x39: return index + 1 < scalars.count && scalars[index + 1].value == 0x20e3
        case let value: return isEmoji(value)
        }
    }

    /// The blocks of Arabic, of the scripts of India, and of Mongolian.
    private static func usesJoiners(_ value: UInt32) -> Bool {
        switch value {
        case 0x0620...0x06ff, 0x0750...0x077f, 0x08a0...0x08ff, 0x0900...0x0dff: true
        default: isMongolian(value)
        }
    }

    /// Whether a code point of the scripts of India is the sign after which a joiner shows (RFC 5892, appendix A.1).
    private static func isVirama(_ value: UInt32) -> Bool {
        switch value {
        case 0x094d, 0x09cd, 0x0a4d, 0x0acd, 0x0b4d, 0x0bcd, 0x0c4d, 0x0ccd, 0x0d3b, 0x0d3c, 0x0d4d, 0x0dca: true
        default: false
        }
    }

    private static func isMongolian(_ value: UInt32) -> Bool { 0x1820...0x18aa ~= value }

    /// Blocks that have emoji. Other symbols in them gain nothing by a joiner or a selector.
    private static func isEmoji(_ value: UInt32) -> Bool {
        switch value {
        case 0xa9, 0xae, 0x203c, 0x2049, 0x2122, 0x2139, 0x2194...0x2199, 0x21a9, 0x21aa, 0x2300...0x23ff, 0x24c2,
            0x25a0...0x27bf, 0x2900...0x297f, 0x2b00...0x2bff, 0x3030, 0x303d, 0x3297, 0x3299, 0x1f000...0x1faff:
            true
        default: false
        }
    }
}
