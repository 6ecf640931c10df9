/// The conditions of a statement that looks for rows by whatever is asked for.
package enum Conditions {
    /// All conditions that are asked for, joined. The others do not stand there, so that an index of what is asked for can be used;
    /// their arguments are bound and not named.
    package static func all(_ conditions: (isAsked: Bool, sql: String)...) -> String {
        let asked = conditions.filter(\.isAsked)
        return asked.isEmpty ? "true" : asked.map(\.sql).joined(separator: " AND ")
    }
}
