/// The keys that a program's configuration may have. The reader, the check for misspelt keys and the example file use
/// this list.
package struct ConfigurationKeys: Sendable {
    /// The shared secret of the example file: known to everybody.
    package static let exampleSecret = "change-me-to-sixteen-or-more"

    package struct Key: Sendable {
        /// `*` stands for a name that the operator chose, such as one out of `nas.names`.
        package var name: String
        /// Whether the value is the path of a file or folder.
        package var isPath = false
        package var example: String
        package var meaning: String
        /// Required for a whole number: ``Settings/number(_:default:)`` reads no key without bounds.
        package var bounds: NumberBounds?
        /// The roles in which the setting has an effect.
        package fileprivate(set) var roles: [ServerRole] = []

        package init(
            name: String, isPath: Bool = false, example: String, meaning: String, bounds: NumberBounds? = nil
        ) {
            (self.name, self.isPath, self.example) = (name, isPath, example)
            (self.meaning, self.bounds) = (meaning, bounds)
        }

        /// The first part of the name.
        fileprivate var section: String { String(name.prefix { $0 != "." }) }

        /// The meaning and, for a number, the range.
        package var explanation: String {
            bounds.map { "\(meaning), \($0.range.lowerBound) to \($0.range.upperBound)" } ?? meaning
        }
    }

    /// Keys that have an effect in the same roles.
    package struct Group: Sendable {
        package var roles: [ServerRole]
        package var keys: [Key]

        package init(_ roles: [ServerRole], _ keys: [Key]) { (self.roles, self.keys) = (roles, keys) }
    }

    package let all: [Key]
    /// How to give a key of a section an effect, by the section's name.
    private let remedies: [String: String]
    private let byName: [String: Key]
    /// The command that prints the example file.
    private let exampleCommand: String
    /// A remark about unknown keys; `nil` if the table has the keys of all programs.
    private let others: String?

    /// - Parameters:
    ///   - remedies: how to give a key of a section an effect, by the section's name.
    ///   - exampleCommand: the command that prints ``exampleFile(_:)``.
    ///   - others: a remark about unknown keys, if another program has more keys.
    package init(
        _ groups: [Group], remedies: [String: String], exampleCommand: String, others: String? = nil
    ) {
        let keys = groups.flatMap { group in
            group.keys.map { key in
                var key = key
                key.roles = group.roles
                return key
            }
        }
        // Keys of one section stand together, whatever their roles.
        var sections: [String] = []
        for key in keys where !sections.contains(key.section) { sections.append(key.section) }
        all = sections.flatMap { section in keys.filter { $0.section == section } }
        byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
        (self.remedies, self.exampleCommand, self.others) = (remedies, exampleCommand, others)
    }

    /// How to give a key an effect that no reader asked for.
    func remedy(_ name: String) -> String { remedies[String(name.prefix { $0 != "." })] ?? "remove it" }

    /// A commented file in which the required settings stand ready and the others wait behind a #.
    ///
    /// - Parameter required: the settings that stand ready, as YAML.
    package func exampleFile(_ required: String) -> String {
        let widest = all.map { Terminal.width($0.name) }.max() ?? 0
        let settings = all.map { "#   \(Terminal.padded($0.name, to: widest + 2))\($0.explanation) (\($0.example))" }
        return """
            # Benji's configuration. Every setting is explained; those behind a # show their default or an example.
            # The same settings can come from the environment: nas.pgw.secret is BENJI_NAS_PGW_SECRET.

            \(required)

            # All settings:
            \(settings.joined(separator: "\n"))
            """
    }

    /// What to say of an unknown key: the one that was probably meant, or what there is under its first part.
    package func hint(for name: String) -> String { remarked(own(hintFor: name)) }

    /// With the remark about keys of other programs.
    func remarked(_ hint: String) -> String { others.map { "\(hint); \($0)" } ?? hint }

    private func own(hintFor name: String) -> String {
        if let meant = suggestion(for: name) { return "did you mean \(meant)?" }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let siblings = all.map(\.name).filter { $0.hasPrefix("\(parts[0]).") }
        let listed = siblings.isEmpty ? all.map(\.name).filter { $0.hasSuffix(".\(parts[0])") } : siblings
        guard !listed.isEmpty else { return "`\(exampleCommand)` lists all keys" }
        return "there are \(listed.prefix(12).joined(separator: ", "))\(listed.count > 12 ? " …" : "")"
    }

    /// The declaration of a key: `nas.pgw.rate` is declared as `nas.*.rate`.
    package func declaration(of name: String) -> Key? {
        if let key = byName[name] { return key }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 3 ? byName["\(parts[0]).*.\(parts[2])"] : nil
    }

    /// The known key that is written most like `name`, if one is close: of the same section, if there is such a
    /// section.
    package func suggestion(for name: String) -> String? {
        // A name in the place of `*` is the operator's own and stays.
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let candidates = all.map { key in
            let pattern = key.name.split(separator: ".")
            guard pattern.count == parts.count else { return key.name }
            return zip(pattern, parts).map { String($0 == "*" ? $1 : $0) }.joined(separator: ".")
        }
        let section = "\(parts[0])."
        let nearby = candidates.filter { $0.hasPrefix(section) }
        let best = (nearby.isEmpty ? candidates : nearby).map { ($0, EditDistance.between(name, $0)) }.min {
            $0.1 < $1.1
        }
        return best.flatMap { $0.1 <= min(3, name.count / 3) ? $0.0 : nil }
    }
}
