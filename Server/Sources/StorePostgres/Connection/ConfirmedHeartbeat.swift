import BenjiProtocol
import Foundation
import Logging
import Store
import Synchronization

/// The latest heartbeat of this node that a commit of its database has confirmed.
///
/// A database with an earlier one lacks confirmed commits, so that what they spent could be spent again. It is a former
/// primary, or was brought back to an earlier moment. Each node has a row of its own, which no other node raises: what
/// others write must not hide that this node's commits are missing.
///
/// The heartbeat is kept in memory and in a file, for a database that is brought back while all nodes are stopped. A
/// deliberate restore ends with a statement that begins a later history (docs/operations/postgresql.md, "Backups of
/// PostgreSQL").
final class ConfirmedHeartbeat: Sendable {
    /// The file's name in the data directory.
    static let fileName = "database-heartbeat"
    /// How long the row of a node is kept that counts no more: 30 days.
    static let keptRow: Duration = .seconds(30 * 86400)

    /// A heartbeat that is durable.
    struct Beat: Hashable, Sendable {
        /// The node whose row was counted.
        var node: String
        /// The database's history. Only the statements after a deliberate restore raise it.
        var history: Int64
        /// How often this node's heartbeat was counted.
        var beats: Int64
        /// When, by the database's clock.
        var at: Timestamp
    }

    /// The state of a database.
    struct Found: Hashable, Sendable {
        /// `nil` if it has no tables.
        var history: Int64?
        /// `nil` if it has no row of this node.
        var beats: Int64?
        /// Its time.
        var now: Timestamp
    }

    private struct State {
        /// A random name, which the file keeps.
        var node = UUID().uuidString.lowercased()
        var confirmed: Beat?
        var isRefusing = false
        var cannotWrite = false
    }

    private let path: String?
    private let logger: Logger
    private let state: Mutex<State>

    /// - Parameter path: the file; `nil` to keep it in memory alone.
    /// - Throws: ``StoreError/Code/corrupt`` if the file is there and cannot be read.
    init(path: String?, logger: Logger) throws(StoreError) {
        self.path = path
        self.logger = logger
        guard let path, FileManager.default.fileExists(atPath: path) else {
            state = Mutex(State())
            return
        }
        let words = (try? String(contentsOfFile: path, encoding: .utf8))?.split(whereSeparator: \.isWhitespace) ?? []
        let numbers = words.dropFirst().compactMap { Int64($0) }
        guard words.count == 4, numbers.count == 3, let name = UUID(uuidString: String(words[0])) else {
            throw StoreError(
                .corrupt,
                "\(path) cannot be read: it must hold the node's name and three numbers, of the last heartbeat of the "
                    + "database that this node has confirmed. Make it readable, or delete it if the database was not "
                    + "brought back to an earlier moment")
        }
        state = Mutex(
            State(
                node: name.uuidString.lowercased(),
                confirmed: Beat(
                    node: name.uuidString.lowercased(), history: numbers[0], beats: numbers[1],
                    at: Timestamp(milliseconds: numbers[2]))))
    }

    /// Moves the file aside while another database is made. If that succeeds, the file is deleted. If it fails, the
    /// file comes back.
    static func setAside<Value, Failure: Error>(
        in dataDirectory: String, while make: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let (files, path) = (FileManager.default, "\(dataDirectory)/\(fileName)")
        let former = path + ".former"
        func move(_ from: String, _ to: String) {
            guard files.fileExists(atPath: from) else { return }
            try? files.removeItem(atPath: to)
            try? files.moveItem(atPath: from, toPath: to)
        }
        move(path, former)
        do throws(Failure) {
            let made = try await make()
            try? files.removeItem(atPath: former)
            return made
        } catch {
            move(former, path)
            throw error
        }
    }

    /// Whether the last look found a database that went back.
    var isRefusing: Bool { state.withLock { $0.isRefusing } }

    /// Counts this node's heartbeat, in a transaction. ``confirm(_:)`` is for after its commit.
    ///
    /// - Returns: `nil` if there is nothing to confirm.
    /// - Throws: ``ServerFailure/lost(_:)`` if the row is earlier than the confirmed heartbeat. A connection can lead
    ///   to a database that went back without being made again, such as one that is restored beneath it.
    func count(_ db: Session) throws -> Beat? {
        // Before the transaction's own count: another one may be confirmed meanwhile.
        let (node, confirmed) = state.withLock { ($0.node, $0.confirmed) }
        let beat = try db.row(
            """
            INSERT INTO node_heartbeat AS n (node, beats, seen_at)
            VALUES ($1, 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
            ON CONFLICT (node) DO UPDATE SET beats = n.beats + 1, seen_at = excluded.seen_at
            RETURNING (SELECT h.number FROM database_history AS h WHERE h.id = 1), n.beats, n.seen_at
            """, of: "node_heartbeat", node
        ) {
            Beat(
                node: node, history: try $0.optionalInteger(Int64.self) ?? 0, beats: try $0.integer(),
                at: try $0.timestamp())
        }
        guard let beat else { return nil }
        let isNew = beat.beats == 1
        if let confirmed {
            let found = Found(history: beat.history, beats: isNew ? nil : beat.beats - 1, now: beat.at)
            try refuse(found, confirmed)
            // The node has another name now, under which its next heartbeat counts.
            if state.withLock({ $0.node != node }) { return nil }
        }
        if isNew {
            // Rows of nodes that are gone are few: each comes with a new data directory. Not by this node's time alone:
            // the database's clock may have been ahead once.
            try db.run(
                """
                DELETE FROM node_heartbeat
                WHERE seen_at < (SELECT max(seen_at) FROM node_heartbeat WHERE node <> $1) - $2
                """, node, Self.keptRow.wholeMilliseconds)
        }
        return beat
    }

    /// Remembers a heartbeat whose commit is durable.
    func confirm(_ beat: Beat) {
        let isNew = state.withLock { state in
            // A count under a former name of the node does not concern its present row.
            guard beat.node == state.node else { return false }
            if let last = state.confirmed, (beat.history, beat.beats) <= (last.history, last.beats) { return false }
            state.confirmed = beat
            return true
        }
        guard isNew, let path else { return }
        let failure: (any Error)?
        do {
            try Data("\(beat.node) \(beat.history) \(beat.beats) \(beat.at.milliseconds)\n".utf8)
                .write(to: URL(fileURLWithPath: path), options: .atomic)
            failure = nil
        } catch { failure = error }
        let couldWrite = state.withLock { state in
            defer { state.cannotWrite = failure != nil }
            return !state.cannotWrite
        }
        if let failure, couldWrite {
            logger.warning(
                "the database's heartbeat cannot be kept; after its next start this node would not notice a restore",
                metadata: ["file": "\(path)", "reason": "\((failure as NSError).code)"])
        }
    }

    /// Throws if the session's database has an earlier heartbeat of this node than the confirmed one.
    func refuseEarlier(_ session: Session) throws(ServerFailure) {
        guard let confirmed = state.withLock({ $0.confirmed }) else { return }
        let found: Found
        do { found = try look(session) } catch {
            throw error as? ServerFailure ?? .lost("\(type(of: error))")
        }
        try refuse(found, confirmed)
    }

    private func refuse(_ found: Found, _ confirmed: Beat) throws(ServerFailure) {
        let problem = Self.problem(found: found, confirmed: confirmed, path: path)
        let wasRefusing = state.withLock { state in
            defer { state.isRefusing = problem != nil }
            // Its row was deleted meanwhile. Under a new name, a row that counts from 1 on is no earlier one.
            if problem == nil, found.history == confirmed.history, found.beats == nil {
                (state.node, state.confirmed) = (UUID().uuidString.lowercased(), nil)
            }
            return state.isRefusing
        }
        guard let problem else { return }
        if !wasRefusing {
            logger.critical("the database went back; nothing is done in it", metadata: ["reason": "\(problem)"])
        }
        throw .lost(problem)
    }

    private func look(_ session: Session) throws -> Found {
        let node = state.withLock { $0.node }
        let history = try Self.ifThere {
            try session.row("SELECT number FROM database_history WHERE id = 1", of: "database_history") {
                try $0.integer(Int64.self)
            }
        }
        let beats = try Self.ifThere {
            try session.row("SELECT beats FROM node_heartbeat WHERE node = $1", of: "node_heartbeat", node) {
                try $0.integer(Int64.self)
            }
        }
        let now = try session.row(
            "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint", of: "clock_timestamp"
        ) { try $0.timestamp() }
        return Found(history: history, beats: beats, now: now ?? Timestamp(milliseconds: 0))
    }

    /// The value in a table; `nil` also if there is no such table.
    private static func ifThere(_ read: () throws -> Int64?) throws -> Int64? {
        do { return try read() } catch let error as ServerFailure where error.state == "42P01" { return nil }
    }

    /// Why no work may be done in a database; `nil` if it may.
    ///
    /// - Parameters:
    ///   - confirmed: the latest heartbeat that this node has confirmed.
    ///   - path: the file that holds it.
    static func problem(found: Found, confirmed: Beat, path: String?) -> String? {
        let history = found.history ?? -1
        if history > confirmed.history { return nil }
        if history == confirmed.history {
            if let beats = found.beats {
                if beats >= confirmed.beats { return nil }
            } else if found.now - confirmed.at > keptRow {
                return nil
            }
        }
        let place = path.map { " (\($0))" } ?? ""
        let isEarlier = history < confirmed.history
        let heartbeat = isEarlier ? found.history.map { "of history \($0)" } : found.beats.map { "\($0)" }
        let own = isEarlier ? "one of history \(confirmed.history)" : "\(confirmed.beats)"
        return
            "the database lacks commits that it had confirmed: this node's heartbeat there is "
            + "\(heartbeat ?? "missing"), "
            + "and the node has confirmed \(own)\(place). It is a former primary, or was brought back to an earlier "
            + "moment. Name the right database, or delete the file if this is another database, or end what may have "
            + "been spent since then by the statements of docs/operations/postgresql.md, Backups of PostgreSQL, of "
            + "which the last "
            + "one lets nodes go on"
    }
}
