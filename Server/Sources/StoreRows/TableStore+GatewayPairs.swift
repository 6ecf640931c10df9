package import BenjiProtocol
package import Sightings
package import Store

extension TableStore {
    package func standing(ofPair pair: String) async throws(StoreError) -> PairStanding {
        try await look("read pair") { db in try PairRows.standing(of: pair, db) }
    }

    package func pairStandings() async throws(StoreError) -> [String: PairStanding] {
        try await readOne("read pairs") { db in
            let rows = try db.rows("SELECT \(PairRows.columns), name FROM gateway_pair", of: "gateway_pair") {
                columns in
                (standing: try PairRows.decode(&columns), name: try columns.text())
            }
            return Dictionary(rows.map { ($0.name, $0.standing) }) { first, _ in first }
        }
    }

    package func pairNews(
        _ pair: String, after sequence: Int64, limit: Int
    ) async throws(StoreError) -> PairUpdates {
        let limit = max(limit, 1)
        return try await read("read pair's record") { db in
            let standing = try PairRows.standing(of: pair, db)
            let rows = try db.rows(
                """
                SELECT key, content, ended_at IS NOT NULL, sequence FROM gateway_entry
                WHERE pair = $1 AND sequence > $2 ORDER BY sequence LIMIT $3
                """, of: "gateway_entry", pair, sequence, limit
            ) { columns in
                (
                    entry: PairEntry(
                        key: try columns.bytes(), content: try columns.bytes(), isEnd: try columns.bool()),
                    sequence: try columns.integer(Int64.self)
                )
            }
            let last = rows.count < limit ? nil : rows.last?.sequence
            return PairUpdates(
                standing: standing, entries: rows.map(\.entry), readUntil: last ?? max(standing.sequence, sequence))
        }
    }

    package func claimPair(
        _ pair: String, by owner: String, seen: PairStanding
    ) async throws(StoreError) -> PairStanding {
        try await write("claim pair", locks: [.pair(pair)]) { db in
            try db.run(
                """
                INSERT INTO gateway_pair (name, owner, fence, sequence, forgotten_until) VALUES ($1, NULL, 0, 0, 0)
                ON CONFLICT (name) DO NOTHING
                """, pair)
            try db.run(
                """
                UPDATE gateway_pair SET owner = $2, fence = fence + 1, sequence = sequence + 1
                WHERE name = $1 AND fence = $3 AND sequence = $4
                """, pair, owner, seen.fence, seen.sequence)
            return try PairRows.standing(of: pair, db)
        }
    }

    package func recordForPair(
        _ entries: [PairEntry], under fence: PairFence, after sequence: Int64, at moment: Timestamp
    ) async throws(StoreError) -> PairRecording {
        let newest = PairRows.newest(entries)
        return try await write("record for pair", locks: []) { db in
            // Holds the pair's row until the end: no two of these, and no taking over, come between.
            let advanced = try db.row(
                """
                UPDATE gateway_pair SET sequence = sequence + $5
                WHERE name = $1 AND owner = $2 AND fence = $3 AND sequence = $4 RETURNING sequence
                """, of: "gateway_pair", fence.pair, fence.owner, fence.fence, sequence, max(newest.count, 1)
            ) { try $0.integer(Int64.self) }
            guard let advanced else {
                let standing = try PairRows.standing(of: fence.pair, db)
                guard standing.isUnder(fence) else { return .replaced }
                return .overtaken(sequence: standing.sequence)
            }
            if !newest.isEmpty { try db.put(newest, ofPair: fence.pair, after: sequence, at: moment) }
            return .recorded(sequence: advanced)
        }
    }

    package func releasePair(_ fence: PairFence) async throws(StoreError) {
        try await write("release pair", locks: []) { db in
            try db.run(
                """
                UPDATE gateway_pair SET owner = NULL, sequence = sequence + 1
                WHERE name = $1 AND owner = $2 AND fence = $3
                """, fence.pair, fence.owner, fence.fence)
        }
    }

    package func deletePairEnds(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await write("forget pairs' ends", locks: []) { db in
            let pairs = try db.rows("SELECT name FROM gateway_pair ORDER BY name", of: "gateway_pair") {
                try $0.text()
            }
            var left = max(limit, 0)
            for pair in pairs where left > 0 {
                // First the pair's row, as an owner that writes.
                let (row, known) = ("gateway_pair", "UPDATE gateway_pair SET forgotten_until = forgotten_until")
                guard
                    let until = try db.row(
                        "\(known) WHERE name = $1 RETURNING forgotten_until", of: row, pair,
                        read: { try $0.integer(Int64.self) })
                else { continue }
                let ended = try db.rows(
                    """
                    SELECT sequence FROM gateway_entry WHERE ended_at < $2 AND pair = $1 ORDER BY ended_at LIMIT $3
                    """, of: "gateway_entry", pair, moment.milliseconds, left
                ) { try $0.integer(Int64.self) }
                guard let newest = ended.max() else { continue }
                try db.run(
                    """
                    DELETE FROM gateway_entry WHERE pair = $1 AND sequence IN
                        (SELECT CAST(value AS bigint) FROM \(Transaction.elements(of: "$2")))
                    """, pair, try ended.map(String.init).json)
                try db.run(
                    "UPDATE gateway_pair SET forgotten_until = $2 WHERE name = $1", pair, max(until, newest))
                left -= ended.count
            }
            return max(limit, 0) - left
        }
    }
}

extension PairStanding {
    /// Whether sightings under this fence still count.
    package func isUnder(_ fence: PairFence) -> Bool { self.owner == fence.owner && self.fence == fence.fence }
}

package enum PairRows {
    package static let columns = "owner, fence, sequence, forgotten_until"

    package static func standing(of pair: String, _ db: some StatementRunner) throws -> PairStanding {
        try db.row(
            "SELECT \(columns) FROM gateway_pair WHERE name = $1", of: "gateway_pair", pair, read: decode)
            ?? PairStanding()
    }

    package static func decode(_ columns: inout some Columns) throws -> PairStanding {
        PairStanding(
            owner: try columns.optionalText(), fence: try columns.integer(), sequence: try columns.integer(),
            forgottenUntil: try columns.integer())
    }

    /// Of each key the last entry, in their order.
    static func newest(_ entries: [PairEntry]) -> [PairEntry] {
        var seen: Set<[UInt8]> = []
        return entries.reversed().filter { seen.insert($0.key).inserted }.reversed()
    }
}
