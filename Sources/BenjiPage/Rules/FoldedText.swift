@_spi(Server) import BenjiValues

/// A text made comparable: ASCII in lower case, full-width forms as ASCII, no spaces and nothing invisible, so that
/// `Log in`, `ＬＯＧＩＮ` and `登 录` are found.
struct FoldedText {
    private(set) var scalars: [UInt32] = []

    init(_ text: String) {
        for scalar in text.unicodeScalars {
            var value = scalar.value
            if value >= 0xff01, value <= 0xff5e { value -= 0xfee0 }
            switch value {
            case 0...0x20, 0xa0, 0xad, 0x2000...0x200f, 0x2028...0x202f, 0x205f...0x206f, 0x3000, 0xfe00...0xfe0f,
                0xfeff:
                continue
            case 0x41...0x5a: value += 0x20
            default: break
            }
            scalars.append(value)
        }
    }

    /// Whether this text holds one of the words.
    func contains(anyOf words: [String]) -> Bool {
        for word in words where contains(FoldedText(word).scalars) { return true }
        return false
    }

    private func contains(_ word: [UInt32]) -> Bool {
        guard !word.isEmpty, word.count <= scalars.count else { return false }
        for start in 0...(scalars.count - word.count) {
            var length = 0
            while length < word.count, scalars[start + length] == word[length] { length += 1 }
            if length == word.count { return true }
        }
        return false
    }

    /// Whether eleven digits in a row, dashes aside, have the form of a mobile number of mainland China.
    var holdsWholeNumber: Bool {
        var digits: [UInt8] = []
        for scalar in scalars + [0] {
            if scalar >= 0x30, scalar <= 0x39 {
                digits.append(UInt8(scalar))
            } else if scalar != 0x2d, !(0x2010...0x2015).contains(scalar) {
                if Self.endsInNumber(digits) { return true }
                digits = []
            }
        }
        return false
    }

    /// With or without 86 in front.
    private static func endsInNumber(_ digits: [UInt8]) -> Bool {
        let hasCountryCode = digits.count == 13 && digits[0] == UInt8(ascii: "8") && digits[1] == UInt8(ascii: "6")
        return MainlandMobile.hasForm(hasCountryCode ? Array(digits[2...]) : digits)
    }

    /// How many characters hide a digit.
    var maskCount: Int {
        var count = 0
        for scalar in scalars where scalar == 0x2a || scalar == 0x78 || scalar == 0x2022 || scalar == 0x25cf {
            count += 1
        }
        return count
    }

    /// How many digits there are.
    var digitCount: Int {
        var count = 0
        for scalar in scalars where scalar >= 0x30 && scalar <= 0x39 { count += 1 }
        return count
    }
}
