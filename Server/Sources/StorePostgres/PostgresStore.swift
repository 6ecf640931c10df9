package import BenjiProtocol
package import Logging
import Sightings
package import Store
package import StoreRows
import Synchronization

/// A store in a PostgreSQL database, for installations that outgrow one machine (decision 9).
///
/// Several servers may use one database. Writes are durable when they are answered, and the most frequent operations
/// are gathered, so that many share one commit. Operations that wait for more than a few seconds are refused as
/// ``StoreError/Code/unavailable``. Those under way when a connection broke get the same error, because it is unknown
/// whether they were committed. They are written wholly then, or not at all.
package final class PostgresStore: TableStore {
    let pool: ConnectionPool
    let traces: TraceWriter
    let logger: Logger
    private let heartbeat: ConfirmedHeartbeat
    let redemptions: Batcher<RedemptionRequest, RedemptionOutcome>
    let issues: Batcher<TokenIssue, TokenIssueOutcome>
    let newScrips: Batcher<NewScrip, Bool>
    let lookUps: Batcher<CredentialHash, ScripLookup>
    let subscriptions: Batcher<Int64, SubscriptionRecord?>
    let standings: Batcher<String, PairStanding>
    let appRevisions: Batcher<AppID, Int64?>
    let appRecords: Batcher<AppID, AppRecord?>
    let openIDClients: Batcher<AppID, OpenIDClientRecord?>
    let openIDCredentials: Batcher<CredentialHash, OpenIDLookup>
    let changes: Batcher<SubscriptionChange, [SubscriptionRecord?]>
    package let rowCodes = RowCodes()
    let billedDays = BilledDays()
    let horizon = LogHorizon()
    let markHorizon = LogHorizon()
    let sumHorizon = LogHorizon()
    /// Whether the log has said that the owner of the tables must vacuum.
    let namesVacuum = Mutex(false)

    /// Connects, and makes the tables or brings older ones forward. Blocks while it does.
    ///
    /// - Parameters:
    ///   - connections: how many at once.
    ///   - bringingForward: `false` for callers that may work beside a server of an earlier version.
    ///   - servingRole: the role that servers connect as. The owner of the tables gives it the rights that it lacks. If
    ///     it is the user itself, that must be no owner. `nil` if servers own the tables, or if the catalogue decides.
    ///   - deadlines: how long callers wait.
    ///   - dataDirectory: where the last confirmed heartbeat of the database is kept; `nil` to keep it in memory alone.
    ///   - insistsOnDurability: `false` for tests alone, whose server may forget everything.
    /// - Throws: ``StoreError/Code/corrupt`` if a newer Benji made the tables. ``StoreError/Code/outdated`` if they are
    ///   older and must stay so, or belong to another user. ``StoreError/Code/unavailable`` if the database cannot be
    ///   reached, loses confirmed commits, or went back to an earlier state.
    package init(
        _ parameters: ConnectionParameters, connections: Int = 4, bringingForward: Bool = true,
        servingRole: String? = nil, insistsOnDurability: Bool = true,
        deadlines: PostgresDeadlines = PostgresDeadlines(),
        dataDirectory: String? = nil, logger: Logger
    ) throws(StoreError) {
        let heartbeat = try ConfirmedHeartbeat(
            path: dataDirectory.map { "\($0)/\(ConfirmedHeartbeat.fileName)" }, logger: logger)
        let make: @Sendable () throws(ServerFailure) -> Session = { () throws(ServerFailure) in
            try ReadySession.make(
                parameters, insistsOnDurability: insistsOnDurability, deadlines: deadlines)
        }
        do {
            let session = try make()
            try heartbeat.refuseEarlier(session)
            if bringingForward {
                try Schema.bringForward(session, servingRole: servingRole)
            } else {
                try Schema.refuseOther(session)
            }
        } catch {
            throw StoreError(error, during: "open")
        }
        let pool = ConnectionPool(
            count: max(connections, 1), deadlines: deadlines, heartbeat: heartbeat, logger: logger, make: make)
        self.pool = pool
        self.heartbeat = heartbeat
        self.logger = logger
        traces = TraceWriter(pool: pool, logger: logger)
        let days = billedDays
        redemptions = Batcher("redeem", pool, locks: Redeeming.locks) { operations, db in
            try Redeeming.perform(operations, days, db)
        }
        issues = Batcher("issue token", pool, locks: TokenIssuing.locks, perform: TokenIssuing.perform)
        newScrips = Batcher("insert scrip", pool, locks: ScripRows.locks, perform: ScripRows.insert)
        lookUps = Batcher("read scrip", pool, locks: nil, perform: ScripRows.find)
        subscriptions = Batcher("read subscription", pool, locks: nil, perform: SubscriptionRows.find)
        standings = Batcher("read pair", pool, locks: nil, perform: PairRows.standings)
        appRevisions = Batcher("read app's revision", pool, locks: nil, perform: AppRows.revisions)
        openIDCredentials = Batcher("read openid credential", pool, locks: nil, perform: OpenIDRows.lookups)
        let codes = rowCodes
        appRecords = Batcher("read app", pool, locks: nil, readsSnapshot: true) { apps, db in
            try AppRows.records(apps, codes, db)
        }
        openIDClients = Batcher("read openid client", pool, locks: nil, readsSnapshot: true) { apps, db in
            try OpenIDRows.clients(apps, codes, db)
        }
        changes = Batcher(
            "change subscriptions", pool, locks: { _ in [.masterKeys.shared] },
            perform: { operations, db in try SubscriptionChanges.perform(operations, codes, db) })
    }

    /// Whether the database has this version's tables, so that opening it would make nothing. Writes nothing.
    package static func hasCurrentSchema(_ parameters: ConnectionParameters) throws(StoreError) -> Bool {
        do { return try Schema.isCurrent(ReadySession.make(parameters, insistsOnDurability: false)) } catch {
            throw StoreError(error, during: "look")
        }
    }

    /// Whether the database has a store's tables, of whichever version. Blocks while it looks, and changes nothing.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` if it cannot be reached, or does not meet a requirement.
    package static func hasTables(
        _ parameters: ConnectionParameters, insistsOnDurability: Bool = true
    ) throws(StoreError) -> Bool {
        do {
            return try Schema.isThere(ReadySession.make(parameters, insistsOnDurability: insistsOnDurability))
        } catch { throw StoreError(error, during: "store.postgres") }
    }

    /// Makes another database, as `benji init` and `benji store copy` do. The heartbeat of the former database is set
    /// aside meanwhile. If `make` succeeds, it is deleted from the data directory. If `make` throws, it comes back.
    package static func setHeartbeatAside<Value, Failure: Error>(
        in dataDirectory: String, while make: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await ConfirmedHeartbeat.setAside(in: dataDirectory, while: make)
    }

    /// Examines a database that works, for an operator. Blocks while it reads, and changes nothing.
    ///
    /// - Parameter servingRole: the setting `store.serving-role`.
    /// - Throws: ``StoreError/Code/unavailable``, with the remedy, if the user lacks a right that serving needs. The
    ///   same if the serving role is missing, or has a power that no list of rights limits. If the setting names the
    ///   user itself, the owner's power and a database without tables are refused, too.
    package static func examine(
        _ parameters: ConnectionParameters, servingRole: String? = nil
    ) throws(StoreError) -> StoreExamination {
        do {
            let session = try ReadySession.make(parameters, insistsOnDurability: false)
            var known = StoreExamination()
            known.ofDatabase = try DatabaseRequirement.unmet([.advice], by: session)
            try Schema.refuseBeginning(as: servingRole, session)
            if let mismatch = try ServingRights.mismatch(servingRole, session) { known.ofServer.append(mismatch) }
            if try Schema.isCurrent(session) { try ServingRights.examine(servingRole, session, into: &known) }
            return known
        } catch { throw StoreError(error, during: "store.postgres") }
    }

    /// Gives the serving role the rights that it lacks, and takes others from it. Blocks while it does. The tables must
    /// be of this version.
    ///
    /// - Returns: whether anything had to be changed.
    /// - Throws: ``StoreError/Code/unavailable`` if the user of the connection does not own the tables, or as
    ///   ``examine(_:servingRole:)`` of the serving role.
    @discardableResult
    package static func mendRights(
        of servingRole: String, _ parameters: ConnectionParameters
    ) throws(StoreError) -> Bool {
        do {
            return try Schema.mendRights(
                of: servingRole, ReadySession.make(parameters, insistsOnDurability: false))
        } catch { throw StoreError(error, during: "store.postgres") }
    }

    package func check() async throws(StoreError) {
        try await pool.perform("check") { [heartbeat] connection in
            do {
                let beat = try connection.inTransaction(Session.beginToWrite) { db in try heartbeat.count(db) }
                if let beat { heartbeat.confirm(beat) }
            } catch {
                if heartbeat.isRefusing { connection.giveUpAll() }
                throw error
            }
        }
    }

    package func serverTime() async throws(StoreError) -> Timestamp? {
        try await readOne("read clock") { db in
            try db.row(
                "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint", of: "clock_timestamp"
            ) { try $0.timestamp() }
        }
    }

    package func close() async {
        await traces.close()
        await pool.close()
    }

    /// Reads with several statements, as of one moment.
    package func read<Value: Sendable>(
        _ name: String, _ body: @escaping @Sendable (Session) throws -> Value
    ) async throws(StoreError) -> Value {
        try await pool.perform(name) { connection in
            try connection.inTransaction(Session.beginToRead, body)
        }
    }

    /// Reads with one statement.
    package func readOne<Value: Sendable>(
        _ name: String, _ body: @escaping @Sendable (Session) throws -> Value
    ) async throws(StoreError) -> Value {
        try await pool.perform(name) { connection in try connection.withoutTransaction(body) }
    }

    /// A transaction, durable when this returns. `body` may run twice, the first time taken back, so it must have no
    /// effects but on the database.
    @discardableResult
    package func write<Value: Sendable>(
        _ name: String, locks: [StoreLock] = [], _ body: @escaping @Sendable (Session) throws -> Value
    ) async throws(StoreError) -> Value {
        try await pool.perform(name) { connection in
            try connection.inTransaction(Session.beginToWrite, locks: locks, body)
        }
    }
}
