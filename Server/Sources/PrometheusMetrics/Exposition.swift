/// How names, labels and numbers are written in Prometheus' text format.
enum Exposition {
    /// A metric's name: letters, digits, underscores and colons, no digit first. What else is in it becomes an
    /// underscore.
    static func name(_ label: String) -> String { clean(label) { $0 == UInt8(ascii: ":") } }

    /// Counters end in `_total`.
    static func counterName(_ label: String) -> String { ending(name(label), "_total") }

    /// Returns a timer's name, which ends in its unit, seconds.
    static func timerName(_ label: String) -> String { ending(name(label), "_seconds") }

    private static func ending(_ name: String, _ end: String) -> String { name.hasSuffix(end) ? name : name + end }

    private static func clean(_ text: String, allowing allowed: (UInt8) -> Bool) -> String {
        var bytes = text.utf8.map { byte -> UInt8 in
            let letter = (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
            return letter || (0x30...0x39).contains(byte) || allowed(byte) ? byte : UInt8(ascii: "_")
        }
        if bytes.first.map({ (0x30...0x39).contains($0) }) ?? true { bytes.insert(UInt8(ascii: "_"), at: 0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The labels between the braces, sorted, so that the same dimensions in another order are the same series.
    ///
    /// Two names that become equal are told apart by underscores; `le` belongs to a histogram itself, and names that
    /// begin with two underscores to Prometheus.
    static func labels(_ dimensions: [(String, String)], of kind: MetricKind) -> String {
        var values: [String: String] = [:]
        for (label, value) in dimensions {
            var name = clean(label) { _ in false }
            while name.hasPrefix("__") { name.removeFirst() }
            if kind == .histogram, name == "le" { name = "le_" }
            while values[name] != nil { name += "_" }
            values[name] = value
        }
        return values.sorted { $0.key < $1.key }.map { "\($0.key)=\"\(escape($0.value))\"" }.joined(separator: ",")
    }

    private static func escape(_ value: String) -> String {
        var escaped = ""
        // Scalars, not characters: "\r\n" is one character and would keep its line feed.
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": escaped += #"\\"#
            case "\"": escaped += #"\""#
            case "\n": escaped += #"\n"#
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// The text of a `# HELP` line, which ends at the first line feed.
    static func help(_ text: String) -> String {
        text.replacing("\\", with: #"\\"#).replacing("\n", with: #"\n"#)
    }

    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        if let whole = Int64(exactly: value) { return String(whole) }
        return "\(value)"
    }

    static func line(_ name: String, _ labels: String, _ value: String, to text: inout String) {
        text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
    }
}
