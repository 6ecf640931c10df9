package import BenjiProtocol
package import Store

extension TableStore {
    package func addLoginCounts(_ counts: [LoginCount]) async throws(StoreError) {
        // In one order for all nodes, so that none waits for another's rows in a circle.
        let counts = counts.map { (key: LoginCountRows.key(of: $0), count: $0) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.count)
        try await write("add login counts", locks: []) { db in
            for each in counts {
                try db.run(
                    """
                    INSERT INTO login_count (app, hour, carrier, party, step, situation, steps) VALUES \
                    ($1,$2,$3,$4,$5,$6,$7)
                    ON CONFLICT (app, hour, carrier, party, step, situation)
                        DO UPDATE SET steps = login_count.steps + excluded.steps
                    """, each.app.rawValue, each.hour, each.carrier?.rawValue ?? "", each.party.rawValue, each.step,
                    each.situation.rawValue, Int64(each.count))
            }
        }
    }

    package func loginCounts(of app: AppID, hours: Range<Int64>) async throws(StoreError) -> [LoginCount] {
        try await readOne("read login counts") { db in
            try db.rows(
                """
                SELECT app, hour, carrier, party, step, situation, steps FROM login_count
                WHERE app = $1 AND hour >= $2 AND hour < $3 ORDER BY hour, carrier, party, step, situation
                """, of: "login_count", app.rawValue, hours.lowerBound, hours.upperBound, read: LoginCountRows.decode)
        }
    }

    package func loginCounts(
        hours: Range<Int64>, unit: Int64, offset: Int64
    ) async throws(StoreError) -> [LoginCount] {
        try await readOne("read login counts of all apps") { db in
            // App by app along the primary key: SQLite takes tables of a CROSS JOIN in the order in which they stand
            // here. By the index of hours it would look each row up.
            try db.rows(
                """
                SELECT login_count.app, (hour - $4) / $3 * $3 + $4 AS begun, carrier, party, step, situation,
                    CAST(sum(steps) AS bigint)
                FROM app CROSS JOIN login_count
                WHERE login_count.app = app.id AND hour >= $1 AND hour < $2
                GROUP BY login_count.app, begun, carrier, party, step, situation
                """, of: "login_count", hours.lowerBound, hours.upperBound, unit, offset, read: LoginCountRows.decode)
        }
    }

    package func deleteLoginCounts(before hour: Int64, limit: Int) async throws(StoreError) -> Int {
        try await write("delete login counts", locks: []) { db in
            try db.run(
                """
                DELETE FROM login_count WHERE (app, hour, carrier, party, step, situation) IN
                    (SELECT app, hour, carrier, party, step, situation FROM login_count WHERE hour < $1
                     LIMIT $2 \(Transaction.lockingFreeRows))
                """, hour, max(limit, 0))
        }
    }
}

enum LoginCountRows {
    static func key(of count: LoginCount) -> [String] {
        [
            count.app.rawValue, String(count.hour), count.carrier?.rawValue ?? "", count.party.rawValue, count.step,
            count.situation.rawValue,
        ]
    }

    static func decode(_ columns: inout some Columns) throws -> LoginCount {
        LoginCount(
            app: try columns.raw(), hour: try columns.integer(Int64.self),
            carrier: Carrier(rawValue: try columns.text()), party: try columns.raw(), step: try columns.text(),
            situation: try columns.raw(), count: try columns.integer(Int.self))
    }
}
