/// How long a store in PostgreSQL lets its callers wait. Work that takes longer fails as
/// ``StoreError/Code/unavailable``.
package struct PostgresDeadlines: Sendable {
    /// How long work may wait for a connection. Default: 10 s.
    package var queue: Duration = .seconds(10)
    /// How long PostgreSQL may take for an answer to gathered work. Default: 6 s. Afterwards the connection counts as
    /// lost. It must be longer than the wait for a lock, which is 5 s (``ReadySession``).
    package var answer: Duration = .seconds(6)

    package init() {}

    /// How old gathered work may be when it begins. The rest of ``queue`` is for its execution.
    var gathering: Duration { queue * 4 / 5 }
    /// When PostgreSQL itself ends a statement: 15 s, and not before ``answer``.
    var statement: Duration { max(.seconds(15), answer) }
    /// How long an answer to other work may take: longer than ``statement``.
    var slowAnswer: Duration { statement + .seconds(5) }
}
