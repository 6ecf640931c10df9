import StoreRows

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension ConnectionPool.Connection {
    /// How often a transaction is tried that was in the way of another one.
    private static let attempts = 10

    /// Runs `body` in a transaction, which is durable when this returns. Repeats it if it surely changed nothing: after
    /// a conflict, on a read-only server, or if the connection was lost before the commit request.
    ///
    /// - Parameter lockTimeout: how long it waits for a lock, in PostgreSQL's words, if not as long as others.
    func inTransaction<Value>(
        _ mode: String, locks: [StoreLock] = [], lockTimeout: String? = nil, _ body: (Session) throws -> Value
    ) throws -> Value {
        let first = lockTimeout.map { [Statement("SET LOCAL lock_timeout = '\($0)'")] } ?? []
        var losses = 0
        for attempt in 1... {
            let session = try session()
            do {
                session.begin(mode, first: first + StoreLock.statements(locks))
                let value = try body(session)
                if session.isInTransaction { try session.commit() }
                return value
            } catch {
                let wasCommitting = session.commitIsUnderWay
                session.rollBack()
                guard let failure = error as? ServerFailure else { throw error }
                if failure.mayBeRepeated, attempt < Self.attempts {
                    // Not both at once again.
                    usleep(UInt32.random(in: 500...4000) * UInt32(attempt))
                } else if failure.isLost, !wasCommitting || failure.isReadOnly, losses == 0 {
                    losses += 1
                } else {
                    throw error
                }
            }
        }
        throw ServerFailure(state: "40001")
    }

    /// Runs statements that change nothing, each for itself.
    func withoutTransaction<Value>(_ body: (Session) throws -> Value) throws -> Value {
        do { return try body(session()) } catch {
            guard let failure = error as? ServerFailure, failure.isLost else { throw error }
            return try body(session())
        }
    }
}
