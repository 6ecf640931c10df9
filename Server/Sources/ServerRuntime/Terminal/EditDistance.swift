/// Levenshtein's distance: how many bytes must be put in, taken out or replaced to make one word of another.
package enum EditDistance {
    package static func between(_ left: String, _ right: String) -> Int {
        let left = Array(left.utf8)
        let right = Array(right.utf8)
        var row = Array(0...right.count)
        for (i, a) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, b) in right.enumerated() {
                let above = row[j + 1]
                row[j + 1] = min(row[j] + 1, above + 1, diagonal + (a == b ? 0 : 1))
                diagonal = above
            }
        }
        return row[right.count]
    }

    /// The one of the words that is written most like `word`, if one is close.
    package static func nearest(to word: String, among words: [String], within maximum: Int = 2) -> String? {
        words.map { ($0, between(word, $0)) }.min { $0.1 < $1.1 }.flatMap { $0.1 <= maximum ? $0.0 : nil }
    }
}
