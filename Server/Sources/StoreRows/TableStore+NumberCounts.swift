package import Store

extension TableStore {
    package func deleteNumberCounts(before day: Int32, limit: Int) async throws(StoreError) -> Int {
        try await write("delete number counts", locks: []) { db in
            try db.run(
                """
                DELETE FROM number_day WHERE (subscription, app, day) IN
                    (SELECT subscription, app, day FROM number_day WHERE day < $1 LIMIT $2 \
                \(Transaction.lockingFreeRows))
                """, day, max(limit, 0))
        }
    }
}
