/// The conditions of a statement that looks for rows by whatever is asked for.
package enum Conditions {
    /// Joins the conditions that are asked for. The others are omitted, so that an index on the given columns can be
    /// used. Arguments of omitted conditions are bound and unused.
    package static func all(_ conditions: (isAsked: Bool, sql: String)...) -> String {
        let asked = conditions.filter(\.isAsked)
        return asked.isEmpty ? "true" : asked.map(\.sql).joined(separator: " AND ")
    }
}
