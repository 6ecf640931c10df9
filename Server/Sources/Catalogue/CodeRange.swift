/// The codes that a row of a table stands for.
enum CodeRange {
    /// A row for more is a slip, such as a digit too many.
    static let maximumCount = 100

    /// `200052...200058` written out, or `text` itself where it has no `...`.
    ///
    /// Both ends are numbers of as many digits and with the same sign, and the first is nearer to zero. `nil` for
    /// another range.
    static func codes(_ text: String) -> [String]? {
        guard text.contains("...") else { return [text] }
        let ends = text.split(separator: "...", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        let sign = ends[0].hasPrefix("-") ? "-" : ""
        let first = ends[0].dropFirst(sign.count)
        guard ends[1].hasPrefix(sign), let from = number(first), let to = number(ends[1].dropFirst(sign.count)),
            ends[0].count == ends[1].count, from < to, to - from < maximumCount
        else { return nil }
        return (from...to).map { number in
            let digits = String(number)
            return sign + String(repeating: "0", count: first.count - digits.count) + digits
        }
    }

    private static func number(_ text: Substring) -> Int? {
        text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil
    }
}
