package import BenjiProtocol
package import Store

extension TableStore {
    package func appendLog(
        limit: Int, _ make: @escaping @Sendable (LogBatch) throws(StoreError) -> LogAddition?
    ) async throws(StoreError) -> LogHead? {
        let settled = try await settledLogRows(for: .log)
        return try await write("append to the log", locks: [.log]) { db in
            let state = try LogRows.state(db)
            let reach = try LogKind.allCases.map { kind in
                try LogRows.reach(
                    kind, after: state.marks[kind] ?? 0, settled: settled?[kind] ?? .max, limit: limit,
                    isHeld: true, db)
            }
            let sources = reach.flatMap(\.sources)
            let batch = LogBatch(
                sources: sources, head: state.head, frontier: try LogRows.frontier(of: state.head?.size ?? 0, db))
            let addition = try make(batch)
            try LogRows.mark(reach, without: sources.dropFirst(addition?.leaves.count ?? 0), state.marks, db)
            guard let addition else { return state.head }
            try LogRows.insert(addition, db)
            return addition.head
        }
    }

    /// SQLite has one writer, so rows commit in the order of their numbers.
    package func settledLogRows(for _: LogReader) async throws(StoreError) -> [LogKind: Int64]? { nil }

    package func logState() async throws(StoreError) -> LogState {
        try await read("read the log's state") { db in try LogRows.state(db) }
    }

    package func logHeads() async throws(StoreError) -> [LogHead] {
        try await readOne("read heads") { db in
            try db.rows("\(LogRows.heads) ORDER BY hour", of: "log_head", read: LogRows.head)
        }
    }

    package func logLeaves(from index: Int64, limit: Int) async throws(StoreError) -> [LogLeaf] {
        try await readOne("read leaves") { db in
            try db.rows(
                "\(LogRows.leaves) WHERE leaf >= $1 ORDER BY leaf LIMIT $2", of: "log_leaf", index, max(limit, 0),
                read: LogRows.leaf)
        }
    }

    package func logLeaf(hash: [UInt8]) async throws(StoreError) -> LogLeaf? {
        try await readOne("read leaf") { db in
            try db.row("\(LogRows.leaves) WHERE hash = $1 ORDER BY leaf", of: "log_leaf", hash, read: LogRows.leaf)
        }
    }

    package func logLeaves(
        of holder: LogLeaf.Holder, before: Int64?, limit: Int
    ) async throws(StoreError) -> [LogLeaf] {
        try await readOne("read leaves") { db in
            try db.rows(
                """
                \(LogRows.leaves) WHERE subscription = $1 AND epoch = $2 AND leaf < $3 ORDER BY leaf DESC LIMIT $4
                """, of: "log_leaf", holder.subscription, holder.epoch, before ?? .max, max(limit, 0),
                read: LogRows.leaf)
        }
    }

    package func logNodes(_ places: [LogNode.Place]) async throws(StoreError) -> [LogNode] {
        try await read("read nodes") { db in try LogRows.nodes(places, db) }
    }

    package func logSources(
        _ kind: LogKind, after row: Int64, through last: Int64
    ) async throws(StoreError) -> [LogSource] {
        try await read("read what the log is made of") { db in
            try LogRows.reach(kind, after: row, settled: last, limit: .max, db).sources
        }
    }
}

extension LogKind {
    /// The table whose rows it has.
    var table: String {
        switch self {
        case .consent: "consent"
        case .release: "ledger"
        }
    }
}

/// Rows of the public log.
package enum LogRows {
    static let leaves = "SELECT leaf, hash, kind, source, subscription, epoch, input FROM log_leaf"
    static let heads = "SELECT size, root, at, text FROM log_head"

    /// The next rows of one kind.
    struct Reach {
        var kind: LogKind
        var sources: [LogSource]
        /// The last row that was looked at: a line of the ledger that is no release stands in no leaf.
        var last: Int64
    }

    /// Removes the subscriber and the hashed input from leaves.
    package static func forget<DB: StatementRunner>(_ kind: LogKind, _ sources: [Int64], _ db: DB) throws {
        guard !sources.isEmpty else { return }
        try db.run(
            """
            UPDATE log_leaf SET subscription = NULL, epoch = NULL, input = NULL
            WHERE kind = $1 AND source IN (SELECT CAST(value AS bigint) FROM \(DB.elements(of: "$2")))
            """, kind.rawValue, try sources.map(String.init).json)
    }

    static func state<DB: StatementRunner>(_ db: DB) throws -> LogState {
        let marks = try db.rows("SELECT kind, source FROM log_mark", of: "log_mark") {
            (try $0.raw(LogKind.self), try $0.integer(Int64.self))
        }
        let known = Dictionary(uniqueKeysWithValues: marks)
        let hasMore = try LogKind.allCases.contains { kind in
            let next = "SELECT 1 FROM \(kind.table) WHERE id > $1 AND id <= \(DB.lastNumber(of: kind.table)) LIMIT 1"
            return try db.hasRow(next, known[kind] ?? 0)
        }
        let head = try db.row("\(heads) ORDER BY hour DESC LIMIT 1", of: "log_head", read: head)
        return LogState(head: head, marks: known, hasMore: hasMore)
    }

    /// - Parameters:
    ///   - settled: the last row that may be looked at.
    ///   - isHeld: whether no consent may be deleted until the transaction ends. A transaction that deletes a consent
    ///     removes the hashed content from its leaf, and does not find a leaf that is not committed yet.
    static func reach<DB: StatementRunner>(
        _ kind: LogKind, after row: Int64, settled: Int64, limit: Int, isHeld: Bool = false, _ db: DB
    ) throws -> Reach {
        let found: [Found]
        let given = DB.lastNumber(of: kind.table)
        switch kind {
        case .consent:
            found = try db.rows(
                """
                SELECT id, app, received_at, content_digest, \(ConsentRows.record), subscription, epoch, '' FROM consent
                WHERE id > $1 AND id <= $2 AND id <= \(given) ORDER BY id LIMIT $3 \(isHeld ? DB.holdingRows : "")
                """, of: "consent", row, settled, limit, read: Found.init)
        case .release:
            // A later one is of another tap. Clocks of two servers may be apart a little.
            let consent = """
                FROM consent WHERE consent.trace = ledger.trace AND consent.received_at <= ledger.at + 2000
                ORDER BY id DESC LIMIT 1
                """
            // A login without a page has no consent. Its steps say whose it was, as long as they are kept.
            let step = """
                FROM trace_event WHERE trace_event.trace = ledger.trace AND trace_event.subscription IS NOT NULL
                ORDER BY id DESC LIMIT 1
                """
            found = try db.rows(
                """
                SELECT id, app, at, (SELECT content_digest \(consent)), interface,
                    coalesce((SELECT subscription \(consent)), (SELECT subscription \(step))),
                    coalesce((SELECT epoch \(consent)), (SELECT epoch \(step))), result FROM ledger
                WHERE id > $1 AND id <= $2 AND id <= \(given) ORDER BY id LIMIT $3
                """, of: "ledger", row, settled, limit, read: Found.init)
        }
        let released = found.filter { kind == .consent || BilledResult(rawValue: $0.result)?.tellsNumber == true }
        let holders = try holders(Set(released.compactMap(\.subscription)), db)
        let sources = released.map { found in
            let holder = found.subscription.flatMap { holders[$0] }
            return LogSource(
                kind: kind, row: found.row, appID: found.app, at: found.at, contentDigest: found.contentDigest,
                detail: found.detail, holder: holder?.epoch == found.epoch ? holder : nil)
        }
        return Reach(kind: kind, sources: sources, last: found.last?.row ?? row)
    }

    private struct Found {
        var row: Int64
        var app: AppID
        var at: Timestamp
        var contentDigest: String?
        var detail: String
        var subscription: Int64?
        var epoch: Int32?
        /// Of a release what the ledger calls it.
        var result: String

        init(_ columns: inout some Columns) throws {
            row = try columns.integer()
            app = try columns.raw()
            at = try columns.timestamp()
            contentDigest = try columns.optionalText()
            // A record whose piece is missing is no record any more.
            detail = try columns.optionalText() ?? ""
            subscription = try columns.optionalInteger()
            epoch = try columns.optionalInteger()
            result = try columns.text()
        }
    }

    private static func holders<DB: StatementRunner>(
        _ subscriptions: Set<Int64>, _ db: DB
    ) throws -> [Int64: SubscriptionRecord] {
        guard !subscriptions.isEmpty else { return [:] }
        let records = try db.rows(
            """
            SELECT \(SubscriptionRows.columns) FROM subscription
            WHERE id IN (SELECT CAST(value AS bigint) FROM \(DB.elements(of: "$1")))
            """, of: "subscription", try subscriptions.sorted().map(String.init).json, read: SubscriptionRows.decode)
        return Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0) })
    }

    static func frontier(of size: Int64, _ db: some StatementRunner) throws -> [LogNode] {
        let places = (0..<56).reversed().filter { size >> $0 & 1 == 1 }.map { level in
            LogNode.Place(level: level, index: size >> level - 1)
        }
        let nodes = try nodes(places, db)
        guard nodes.count == places.count else { throw DamagedRow(column: "log_node") }
        return nodes.sorted { $0.place.level > $1.place.level }
    }

    /// Levels take the upper bits.
    private static func key(_ place: LogNode.Place) -> Int64 { Int64(place.level) << 56 + place.index }

    static func nodes<DB: StatementRunner>(_ places: [LogNode.Place], _ db: DB) throws -> [LogNode] {
        var nodes: [LogNode] = []
        let wanted = [
            ("SELECT leaf, hash FROM log_leaf WHERE leaf", places.filter { $0.level == 0 }),
            ("SELECT place, hash FROM log_node WHERE place", places.filter { $0.level > 0 }),
        ]
        for (selecting, places) in wanted where !places.isEmpty {
            let keys = places.map { String(key($0)) }
            nodes += try db.rows(
                "\(selecting) IN (SELECT CAST(value AS bigint) FROM \(DB.elements(of: "$1")))", of: "log_node",
                try keys.json
            ) { columns in
                let key = try columns.integer(Int64.self)
                let place = LogNode.Place(level: Int(key >> 56), index: key & (1 << 56 - 1))
                return LogNode(place: place, hash: try columns.bytes())
            }
        }
        return nodes
    }

    static func mark(
        _ reach: [Reach], without left: ArraySlice<LogSource>, _ marks: [LogKind: Int64], _ db: some StatementRunner
    ) throws {
        for each in reach {
            let mark = left.first { $0.kind == each.kind }.map { $0.row - 1 } ?? each.last
            guard mark > marks[each.kind] ?? 0 else { continue }
            try db.run(
                """
                INSERT INTO log_mark (kind, source) VALUES ($1,$2)
                ON CONFLICT (kind) DO UPDATE SET source = excluded.source
                """, each.kind.rawValue, mark)
        }
    }

    static func insert(_ addition: LogAddition, _ db: some StatementRunner) throws {
        for leaf in addition.leaves {
            try db.run(
                """
                INSERT INTO log_leaf (leaf, hash, kind, source, subscription, epoch, input) VALUES \
                ($1,$2,$3,$4,$5,$6,$7)
                """, leaf.index, leaf.hash, leaf.kind.rawValue, leaf.row, leaf.holder?.subscription,
                leaf.holder?.epoch, leaf.input)
        }
        for node in addition.nodes {
            try db.run("INSERT INTO log_node (place, hash) VALUES ($1,$2)", key(node.place), node.hash)
        }
        let head = addition.head
        try db.run(
            """
            INSERT INTO log_head (hour, size, root, at, text) VALUES ($1,$2,$3,$4,$5)
            ON CONFLICT (hour) DO UPDATE SET size = excluded.size, root = excluded.root, at = excluded.at, text = \
            excluded.text
            """, head.at.milliseconds / 3_600_000, head.size, head.root, head.at.milliseconds, head.text)
    }

    static func leaf(_ columns: inout some Columns) throws -> LogLeaf {
        let (index, hash) = (try columns.integer(Int64.self), try columns.bytes())
        let (kind, row) = (try columns.raw(LogKind.self), try columns.integer(Int64.self))
        let (subscription, epoch) = (try columns.optionalInteger(Int64.self), try columns.optionalInteger(Int32.self))
        var holder: LogLeaf.Holder?
        if let subscription, let epoch { holder = LogLeaf.Holder(subscription: subscription, epoch: epoch) }
        return LogLeaf(
            index: index, hash: hash, kind: kind, row: row, holder: holder, input: try columns.optionalText())
    }

    static func head(_ columns: inout some Columns) throws -> LogHead {
        LogHead(
            size: try columns.integer(), root: try columns.bytes(), at: try columns.timestamp(),
            text: try columns.text())
    }
}
