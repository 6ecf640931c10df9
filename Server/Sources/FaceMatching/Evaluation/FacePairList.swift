/// Pairs of pictures of which it is known whether they show one person.
package struct FacePairList: Sendable {
    package struct Pair: Hashable, Sendable {
        package var one: String
        package var other: String
        package var isSame: Bool
        /// The part of the list it belongs to; accuracy is cross-validated over them.
        package var fold: Int
        /// The group of people that the list names for it.
        package var group: String?
    }

    package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        package var line: Int
        package var text: String
        package var description: String { "line \(line): \(text)" }
    }

    package let pairs: [Pair]
    package let folds: Int
    /// The groups that the list names, sorted; empty if it names none.
    package var groups: [String] { Set(pairs.compactMap(\.group)).sorted() }

    /// Reads a list in the format of Labeled Faces in the Wild, or the simple one.
    ///
    /// In LFW, the first line has the number of folds and of pairs (`10 300`), or of pairs alone (`500`). `Name 1 4`
    /// means two pictures of one person, and `Name 1 Other 2` of two persons, in files such as `Name/Name_0001.jpg`.
    /// The simple format has two paths and `same` or `different` (or 1 or 0) on a line. Tabs, commas or spaces separate
    /// them. It skips lines that begin with #. In both formats, a further field names the pair's group, on every line
    /// or on none.
    package init(_ text: String) throws(Problem) {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
            .map { (number: $0.offset + 1, fields: Self.fields(String($0.element))) }
            .filter { !$0.fields.isEmpty }
        guard let first = lines.first else { throw Problem(line: 1, text: "the list is empty") }
        let head = first.fields.compactMap { Int($0) }
        let isLFW = head.count == first.fields.count && head.count <= 2
        let pairs =
            isLFW
            ? try Self.lfw(Array(lines.dropFirst()), head, first.number) : try lines.map(Self.simple)
        guard !pairs.isEmpty else { throw Problem(line: first.number, text: "the list has no pairs") }
        // A pair that was left out of its group would make the group's rates better or worse than they are.
        let numbered = zip(isLFW ? lines.dropFirst() : lines[...], pairs)
        let namesGroups = pairs[0].group != nil
        if let (line, _) = numbered.first(where: { ($0.1.group != nil) != namesGroups }) {
            let first = isLFW ? "the first pair" : "line \(first.number)"
            throw Problem(
                line: line.number,
                text: namesGroups
                    ? "no group, but \(first) names one: name a group on every line or on none"
                    : "a group, but \(first) names none: name a group on every line or on none")
        }
        self.pairs = pairs
        folds = (pairs.map(\.fold).max() ?? 0) + 1
    }

    private typealias Line = (number: Int, fields: [String])

    private static func fields(_ line: String) -> [String] {
        guard !line.hasPrefix("#") else { return [] }
        // A path may have spaces where tabs or commas separate.
        let separator: (Character) -> Bool =
            line.contains("\t") ? { $0 == "\t" } : line.contains(",") ? { $0 == "," } : { $0 == " " }
        return line.split(whereSeparator: separator).map { field in
            String(field.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }.filter { !$0.isEmpty }
    }

    private static func simple(_ line: Line) throws(Problem) -> Pair {
        guard (3...4).contains(line.fields.count) else {
            throw Problem(
                line: line.number,
                text: "\(line.fields.count) fields; expected: PICTURE PICTURE same|different [GROUP]")
        }
        let isSame: Bool
        switch line.fields[2] {
        case "same", "1": isSame = true
        case "different", "0": isSame = false
        default: throw Problem(line: line.number, text: "\(line.fields[2]) is neither same nor different")
        }
        return Pair(
            one: line.fields[0], other: line.fields[1], isSame: isSame, fold: 0,
            group: line.fields.count > 3 ? line.fields[3] : nil)
    }

    private static func lfw(_ lines: [Line], _ head: [Int], _ first: Int) throws(Problem) -> [Pair] {
        let (folds, half) = head.count == 2 ? (head[0], head[1]) : (1, head[0])
        // Each factor is compared first: their product may be more than there are numbers.
        guard (1...max(lines.count, 1)).contains(folds), (1...max(lines.count, 1)).contains(half),
            lines.count == folds * half * 2
        else {
            throw Problem(
                line: first,
                text: "announces \(folds) × \(half) pairs of one person and as many of two; \(lines.count) follow")
        }
        return try lines.enumerated().map { index, line throws(Problem) in
            func path(_ name: String, _ number: String) throws(Problem) -> String {
                guard let number = Int(number), number >= 0 else {
                    throw Problem(line: line.number, text: "\(number) is not the number of a picture")
                }
                let digits = String(number)
                return "\(name)/\(name)_\(String(repeating: "0", count: max(4 - digits.count, 0)))\(digits).jpg"
            }
            let fields = line.fields
            // `Name 1 4` and a group have as many fields as `Name 1 Other 2`; the third one is a number only in the
            // former.
            let isSame = fields.count > 2 && Int(fields[2]) != nil || fields.count == 3
            let own = isSame ? 3 : 4
            guard (own...own + 1).contains(fields.count) else {
                throw Problem(
                    line: line.number,
                    text: "\(fields.count) fields; expected: NAME 1 4 [GROUP], or NAME 1 OTHER 2 [GROUP]")
            }
            return Pair(
                one: try path(fields[0], fields[1]),
                other: isSame ? try path(fields[0], fields[2]) : try path(fields[2], fields[3]), isSame: isSame,
                fold: index / (half * 2), group: fields.count > own ? fields[own] : nil)
        }
    }
}
