import BenjiProtocol

enum MessageNames {
    /// False if the app has used the name and it is still to be remembered.
    static func take(
        _ name: String, app: AppID, until: Timestamp, now: Timestamp, _ db: some StatementRunner
    ) throws -> Bool {
        try db.hasRow(
            """
            INSERT INTO message (app, name, expires_at) VALUES ($1, $2, $3)
            ON CONFLICT (app, name) DO UPDATE SET expires_at = excluded.expires_at WHERE message.expires_at <= $4
            RETURNING 1
            """, app.rawValue, name, until.milliseconds, now.milliseconds)
    }

    static func isTaken(_ name: String, app: AppID, now: Timestamp, _ db: some StatementRunner) throws -> Bool {
        try db.hasRow(
            "SELECT 1 FROM message WHERE app = $1 AND name = $2 AND expires_at > $3", app.rawValue, name,
            now.milliseconds)
    }
}
