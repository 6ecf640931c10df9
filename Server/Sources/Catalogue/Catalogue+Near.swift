extension Catalogue {
    /// Codes close to `code`, which no table has; the likeliest first. They differ by the sign, by one edit of a
    /// number, or by up to two of a word. Words that begin or end like `code` are close, too.
    package static func near(_ code: String, limit: Int = 5) -> [String] {
        let wanted = normalized(code)
        guard !wanted.isEmpty else { return [] }
        var seen: Set<String> = []
        let ranked = entries.map(\.code).filter { seen.insert($0).inserted }.compactMap { candidate in
            distance(wanted, normalized(candidate)).map { (candidate, $0) }
        }
        return ranked.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.prefix(limit).map(\.0)
    }

    /// Without the sign, and as the tables spell words.
    private static func normalized(_ code: String) -> [UInt8] {
        code.lowercased().utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ") }
    }

    /// How many edits lie between the two, where that is few enough to be a slip; `nil` where it is not.
    private static func distance(_ wanted: [UInt8], _ candidate: [UInt8]) -> Int? {
        let isWord = candidate.contains { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        if isWord, wanted.count >= 4 {
            if candidate.starts(with: wanted) { return 1 }
            if candidate.reversed().starts(with: wanted.reversed()) { return 2 }
        }
        let edits = edits(wanted, candidate)
        return edits <= (isWord ? 2 : 1) && edits < wanted.count ? edits : nil
    }

    /// Levenshtein's distance.
    private static func edits(_ first: [UInt8], _ second: [UInt8]) -> Int {
        guard !first.isEmpty, !second.isEmpty else { return max(first.count, second.count) }
        var row = Array(0...second.count)
        for (line, byte) in first.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for (column, other) in second.enumerated() {
                let replaced = diagonal + (byte == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, row[column + 1] + 1)
            }
        }
        return row[second.count]
    }
}
