package import BenjiProtocol
package import Sightings
package import Store

extension PostgresStore {
    package func isFamiliar(
        deviceKey: String, app: AppID, subscription: SubscriptionReference
    ) async throws(StoreError) -> Bool {
        try await read("read familiar key") { db in
            try db.hasRow(
                "SELECT 1 FROM familiar_key WHERE subscription = $1 AND app = $2 AND device_key = $3 AND epoch = $4",
                subscription.subscription, app.rawValue, deviceKey, subscription.epoch)
        }
    }

    package func forgetFamiliarKeys(since moment: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await write("forget familiar keys") { db in
            try db.run(
                """
                DELETE FROM familiar_key WHERE ctid = ANY (ARRAY
                    (SELECT ctid FROM familiar_key WHERE seen_at < $1 LIMIT $2
                     FOR UPDATE SKIP LOCKED))
                """, moment.milliseconds, max(limit, 0))
        }
    }

    package func settle(_ guess: Guess) async throws(StoreError) -> GuessOutcome {
        // Right guesses wait their turn among the wrong ones.
        try await write("settle guess") { db in
            guard !guess.isRight else { return try WrongGuesses.haveRoom(guess, db) ? .right : .tooMany }
            return try WrongGuesses.count(guess, db) ? .wrong : .tooMany
        }
    }

    package func deleteGuesses(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await write("delete guesses") { db in
            try db.run(
                """
                DELETE FROM wrong_guess WHERE ctid = ANY (ARRAY
                    (SELECT ctid FROM wrong_guess WHERE since < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))
                """, moment.milliseconds, max(limit, 0))
        }
    }
}

/// Device keys whose login tokens an app's server has redeemed.
enum FamiliarKeys {
    /// Once a day is enough: readers ask only whether the key was used in the last months.
    private static let precision: Int64 = 86_400_000

    /// Notes the keys of spent tokens, each once, in the order of their rows.
    static func noting(_ tokens: [(token: TokenRecord, at: Timestamp)]) -> [Statement] {
        struct Key: Hashable {
            var subscription: Int64
            var app: String
            var deviceKey: String
        }
        var newest: [Key: (epoch: Int32, at: Int64)] = [:]
        for (token, moment) in tokens {
            let key = Key(
                subscription: token.subscription.subscription, app: token.appID.rawValue, deviceKey: token.deviceKey)
            newest[key] = (token.subscription.epoch, max(moment.milliseconds, newest[key]?.at ?? .min))
        }
        if newest.isEmpty { return [] }
        return [
            Statement(
                """
                INSERT INTO familiar_key (subscription, app, device_key, epoch, seen_at)
                    SELECT * FROM unnest($1, $2, $3, $4, $5) AS n (subscription, app, device_key, epoch, seen_at)
                    ORDER BY n.subscription, n.app COLLATE "C", n.device_key COLLATE "C"
                ON CONFLICT (subscription, app, device_key)
                    DO UPDATE SET epoch = excluded.epoch, seen_at = excluded.seen_at
                    WHERE familiar_key.epoch <> excluded.epoch OR familiar_key.seen_at < excluded.seen_at - \(precision)
                """, Values(newest.map(\.key.subscription)), Values(newest.map(\.key.app)),
                Values(newest.map(\.key.deviceKey)), Values(newest.map(\.value.epoch)), Values(newest.map(\.value.at)))
        ]
    }
}

private enum WrongGuesses {
    /// An SQL condition about a row: it counts still, for the person who holds the number now.
    private static let counts = "wrong_guess.epoch = $3 AND wrong_guess.since > $5"

    static func haveRoom(_ guess: Guess, _ db: Session) throws -> Bool {
        // Behind wrong ones that are being counted.
        try !db.hasRow(
            """
            SELECT 1 FROM (SELECT * FROM wrong_guess WHERE subscription = $1 AND app = $2 FOR UPDATE) AS wrong_guess
            WHERE count >= $4 AND \(counts)
            """, guess.subscription.subscription, guess.kind.name, guess.subscription.epoch, guess.limit,
            (guess.now - guess.window).milliseconds)
    }

    /// One more, if there is room; false, and nothing changed, if not.
    static func count(_ guess: Guess, _ db: Session) throws -> Bool {
        try db.hasRow(
            """
            INSERT INTO wrong_guess (subscription, app, epoch, count, since)
                SELECT $1, $2, $3, 1, $6 WHERE $4 > 0
            ON CONFLICT (subscription, app) DO UPDATE SET
                count = CASE WHEN \(counts) THEN wrong_guess.count + 1 ELSE 1 END,
                since = CASE WHEN \(counts) THEN wrong_guess.since ELSE $6 END,
                epoch = $3
                WHERE NOT (\(counts)) OR wrong_guess.count < $4
            RETURNING 1
            """, guess.subscription.subscription, guess.kind.name, guess.subscription.epoch, guess.limit,
            (guess.now - guess.window).milliseconds, guess.now.milliseconds)
    }
}
