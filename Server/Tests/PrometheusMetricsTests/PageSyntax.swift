/// Reads a page as strictly as Prometheus does, and lists its errors.
struct PageSyntax {
    /// Value by name and labels as written.
    private(set) var samples: [String: String] = [:]
    private(set) var types: [String: String] = [:]
    private(set) var helps: [String: String] = [:]
    private(set) var problems: [String] = []

    init(_ page: String) {
        if !page.isEmpty, page.utf8.last != 0x0a { problems.append("the last line has no end") }
        var current = ""
        var finished: Set<String> = []
        // By bytes, because a carriage return before a line feed would hide it from `split` on characters.
        for bytes in page.utf8.split(separator: 0x0a) {
            let line = String(decoding: bytes, as: UTF8.self)
            if line.hasPrefix("# HELP ") {
                let words = line.split(separator: " ", maxSplits: 3)
                if words.count != 4 || helps.updateValue(String(words[3]), forKey: String(words[2])) != nil {
                    problems.append("help: \(line)")
                }
                if finished.contains(String(words[2])) { problems.append("help after its type: \(line)") }
            } else if line.hasPrefix("# TYPE ") {
                let words = line.split(separator: " ")
                guard words.count == 4, ["counter", "gauge", "histogram"].contains(words[3]) else {
                    problems.append("type: \(line)")
                    continue
                }
                current = String(words[2])
                if !finished.insert(current).inserted { problems.append("a second group: \(current)") }
                types[current] = String(words[3])
            } else {
                read(line, of: current)
            }
        }
    }

    private mutating func read(_ line: String, of family: String) {
        let metric =
            #/^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\\\|\\"|\\n)*",?)+)\})? (\S+)$/#
        guard let match = line.wholeMatch(of: metric) else { return problems.append("sample: \(line)") }
        let name = String(match.1)
        let ends = types[family] == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
        if !ends.contains(where: { family + $0 == name }) { problems.append("\(name) in the group of \(family)") }
        let value = String(match.3)
        if !["+Inf", "-Inf", "NaN"].contains(value), Double(value) == nil { problems.append("value: \(line)") }
        let key = String(line.dropLast(value.count + 1))
        if samples.updateValue(value, forKey: key) != nil { problems.append("twice: \(key)") }
        let names = (match.2 ?? "").matches(of: #/([a-zA-Z_][a-zA-Z0-9_]*)="(?:[^"\\]|\\.)*"/#).map { String($0.1) }
        if Set(names).count != names.count { problems.append("a label twice: \(line)") }
    }
}
