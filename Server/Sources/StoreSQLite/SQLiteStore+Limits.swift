package import BenjiProtocol
import GRDB
package import Sightings
package import Store

extension SQLiteStore {
    package func isFamiliar(
        deviceKey: String, app: AppID, subscription: SubscriptionReference
    ) async throws(StoreError) -> Bool {
        try await look("read familiar key") { db in
            try db.hasRow(
                "SELECT 1 FROM familiar_key WHERE subscription = ? AND app = ? AND device_key = ? AND epoch = ?",
                subscription.subscription, app.rawValue, deviceKey, subscription.epoch)
        }
    }

    package func forgetFamiliarKeys(since moment: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await write("forget familiar keys") { db in
            try db.run(
                """
                DELETE FROM familiar_key WHERE (subscription, app, device_key) IN
                    (SELECT subscription, app, device_key FROM familiar_key WHERE seen_at < ? LIMIT ?)
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
                DELETE FROM wrong_guess WHERE (subscription, app) IN
                    (SELECT subscription, app FROM wrong_guess WHERE since < ? LIMIT ?)
                """, moment.milliseconds, max(limit, 0))
        }
    }
}

/// Device keys whose login tokens an app's server has redeemed.
enum FamiliarKeys {
    /// Once a day is enough: callers ask whether it was in the last months.
    private static let precision: Int64 = 86_400_000

    // Made once: redemptions run it.
    private static let noting = """
        INSERT INTO familiar_key (subscription, app, device_key, epoch, seen_at) VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT (subscription, app, device_key)
            DO UPDATE SET epoch = excluded.epoch, seen_at = excluded.seen_at
            WHERE epoch <> excluded.epoch OR seen_at < excluded.seen_at - \(precision)
        """

    static func note(_ token: TokenRecord, at moment: Timestamp, _ db: Database) throws {
        try db.run(
            noting, token.subscription.subscription, token.appID.rawValue, token.deviceKey, token.subscription.epoch,
            moment.milliseconds)
    }
}

private enum WrongGuesses {
    /// An SQL condition about a row: it counts still, for the person who holds the number now.
    private static let counts = "epoch = ?3 AND since > ?5"

    static func haveRoom(_ guess: Guess, _ db: Database) throws -> Bool {
        try !db.hasRow(
            "SELECT 1 FROM wrong_guess WHERE subscription = ?1 AND app = ?2 AND count >= ?4 AND \(counts)",
            guess.subscription.subscription, guess.kind.name, guess.subscription.epoch, guess.limit,
            (guess.now - guess.window).milliseconds)
    }

    /// One more, if there is room; false, and nothing changed, if not.
    static func count(_ guess: Guess, _ db: Database) throws -> Bool {
        try db.run(
            """
            INSERT INTO wrong_guess (subscription, app, epoch, count, since)
                SELECT ?1, ?2, ?3, 1, ?6 WHERE ?4 > 0
            ON CONFLICT (subscription, app) DO UPDATE SET
                count = CASE WHEN \(counts) THEN count + 1 ELSE 1 END,
                since = CASE WHEN \(counts) THEN since ELSE ?6 END,
                epoch = ?3
                WHERE NOT (\(counts)) OR count < ?4
            """, guess.subscription.subscription, guess.kind.name, guess.subscription.epoch, guess.limit,
            (guess.now - guess.window).milliseconds, guess.now.milliseconds) == 1
    }
}
