import StoreRows

/// The conditions of a statement that looks for rows by the given criteria.
enum Conditions {
    /// All conditions that are asked for, joined; the first is about the parameter `?1`, and so on.
    ///
    /// One that is not asked for only names its parameter, because each argument is bound. So SQLite can use an index
    /// for the others.
    static func all(_ conditions: (isAsked: Bool, sql: String)...) -> String {
        conditions.enumerated().map { index, condition in
            condition.isAsked ? condition.sql : "?\(index + 1) IS ?\(index + 1)"
        }.joined(separator: " AND ")
    }
}
