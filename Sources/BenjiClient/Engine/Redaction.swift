/// Hides in a text for developers whatever may be a number or a credential.
///
/// Servers and libraries may put either into their texts.
enum Redaction {
    static let maximumLength = 512
    static let hidden = "[hidden]"

    /// Cuts `text` to ``maximumLength`` Unicode scalars and replaces control characters by spaces. Hides runs of seven
    /// or more digits (also with spaces, dashes or asterisks between them), and words of 24 or more letters and digits.
    static func redact(_ text: String) -> String {
        var output = ""
        var word: [Unicode.Scalar] = []
        for scalar in text.unicodeScalars.prefix(maximumLength) {
            if isWord(scalar) {
                word.append(scalar)
            } else {
                output += shown(word)
                word = []
                output.unicodeScalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
            }
        }
        return hidingDigits(output + shown(word))
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .decimalNumber
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        isDigit(scalar) || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
            || scalar == "-"
    }

    /// A credential is long, and random enough to hold digits or capitals inside.
    private static func shown(_ word: [Unicode.Scalar]) -> String {
        let text = String(String.UnicodeScalarView(word))
        let plain = word.allSatisfy { ("a"..."z").contains($0) || $0 == "_" || $0 == "-" }
        return word.count >= 24 && !plain ? hidden : text
    }

    private static func hidingDigits(_ text: String) -> String {
        var output = String.UnicodeScalarView()
        var run: [Unicode.Scalar] = []
        var digits = 0
        func flush() {
            // Separators at the end of a run are not part of it.
            let tail = run.reversed().prefix { !isDigit($0) }.reversed()
            output.append(contentsOf: digits >= 7 ? Array(hidden.unicodeScalars) : Array(run.dropLast(tail.count)))
            output.append(contentsOf: tail)
            run = []
            digits = 0
        }
        for scalar in text.unicodeScalars {
            if isDigit(scalar) {
                run.append(scalar)
                digits += 1
            } else if digits > 0, scalar == " " || scalar == "-" || scalar == "*" {
                run.append(scalar)
            } else {
                flush()
                output.append(scalar)
            }
        }
        flush()
        return String(output)
    }
}
