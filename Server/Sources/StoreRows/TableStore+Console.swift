package import BenjiProtocol
package import Store

extension TableStore {
    package func acceptInvitation(
        _ invitation: CredentialHash, spent: CredentialHash, account: ConsoleAccount, session: ConsoleSession,
        audit: AuditEntry
    ) async throws(StoreError) -> Bool {
        try await write("accept invitation", locks: [.orders]) { db in
            let taken = try db.run(
                """
                UPDATE admin SET credential = $1
                WHERE name = $2 AND credential = $3 AND kind = $4 AND revoked_at IS NULL AND expires_at > $5
                """, spent.bytes, account.admin, invitation.bytes, AdminRecord.CredentialKind.invitation.rawValue,
                session.beganAt.milliseconds)
            guard taken == 1 else { return false }
            try ConsoleRows.end(account.admin, db)
            try db.run(
                """
                INSERT INTO console_account (admin, salt, cost, hash, last_step, failures, blocked_until)
                VALUES ($1,$2,$3,$4,$5,0,0)
                """, account.admin, account.password.salt, account.password.cost, account.password.hash,
                account.lastStep)
            try ConsoleRows.insert(session, db)
            try AuditRows.insert(audit, db)
            return true
        }
    }

    package func beginSignIn(
        _ admin: String, at moment: Timestamp, limit: Int, pause: Duration, audit: AuditEntry?
    ) async throws(StoreError) -> SignInAttempt {
        try await write("begin sign-in", locks: []) { db in
            // After a pause the count begins anew.
            let counted = try db.run(
                """
                UPDATE console_account SET
                    failures = CASE WHEN failures >= $3 THEN 1 ELSE failures + 1 END,
                    blocked_until = CASE WHEN failures + 1 = $3 THEN $4 ELSE 0 END
                WHERE admin = $1 AND blocked_until <= $2 AND \(ConsoleRows.mayEnter)
                """, admin, moment.milliseconds, limit, (moment + pause).milliseconds)
            let attempt = try db.row(
                """
                SELECT admin, salt, cost, hash, last_step, phone, blocked_until FROM console_account
                WHERE admin = $1 AND \(ConsoleRows.mayEnter)
                """, of: "console_account", admin, moment.milliseconds
            ) { columns -> (SignInAttempt, Timestamp) in
                let account = ConsoleAccount(
                    admin: try columns.text(),
                    password: PasswordHash(
                        salt: try columns.bytes(), cost: try columns.integer(), hash: try columns.bytes()),
                    lastStep: try columns.integer(),
                    phone: try columns.optionalBytes().map(CredentialHash.init(bytes:)))
                let until = try columns.timestamp()
                return (counted == 1 ? .open(account) : .blocked(until: until), until)
            }
            guard let attempt else { return .nobody }
            if counted == 1, attempt.1 > moment { try AuditRows.insert(audit, db) }
            return attempt.0
        }
    }

    package func signIn(
        _ session: ConsoleSession, account: ConsoleAccount, by factor: SecondFactor, pending: CredentialHash?,
        audit: AuditEntry?
    ) async throws(StoreError) -> Bool {
        try await write("sign in", locks: []) { db in
            if let pending {
                guard try ConsoleRows.hold(session.admin, db),
                    let begun = try ConsoleRows.pending(pending, at: session.beganAt, db),
                    begun.admin == session.admin, begun.session == nil
                else { return false }
            }
            let taken =
                switch factor {
                case .code(let step):
                    try db.run(
                        """
                        UPDATE console_account SET last_step = $2, failures = 0, blocked_until = 0
                        WHERE admin = $1 AND last_step < $2 AND hash = $3
                        """, session.admin, step, account.password.hash)
                case .phone(let phone):
                    try db.run(
                        """
                        UPDATE console_account SET phone_used_at = $2, failures = 0, blocked_until = 0
                        WHERE admin = $1 AND phone = $4 AND hash = $3
                        """, session.admin, session.beganAt.milliseconds, account.password.hash, phone.bytes)
                }
            guard taken == 1 else { return false }
            if let pending { try ConsoleRows.spend(pending, db) }
            try ConsoleRows.insert(session, db)
            try AuditRows.insert(audit, db)
            return true
        }
    }

    package func beginPending(
        _ pending: PendingSignIn, account: ConsoleAccount
    ) async throws(StoreError) -> Bool {
        try await write("begin pending sign-in", locks: []) { db in
            guard try ConsoleRows.hold(pending.admin, withPassword: account.password, db) else { return false }
            try db.run(
                "INSERT INTO console_pending (hash, admin, session, ends_at) VALUES ($1,$2,$3,$4)", pending.hash.bytes,
                pending.admin, pending.session?.bytes, pending.endsAt.milliseconds)
            return true
        }
    }

    package func pendingSignIn(
        _ hash: CredentialHash, at moment: Timestamp
    ) async throws(StoreError) -> PendingSignIn? {
        try await read("read pending sign-in") { db in try ConsoleRows.pending(hash, at: moment, db) }
    }

    package func bindPhone(
        _ phone: CredentialHash, pending: PendingSignIn, at moment: Timestamp, audit: AuditEntry?
    ) async throws(StoreError) -> Bool {
        try await write("bind phone", locks: []) { db in
            guard try ConsoleRows.hold(pending.admin, db),
                try ConsoleRows.pending(pending.hash, at: moment, db) == pending, let session = pending.session,
                try db.hasRow(
                    "SELECT 1 FROM console_session WHERE hash = $1 AND admin = $2 AND ends_at > $3", session.bytes,
                    pending.admin, moment.milliseconds)
            else { return false }
            try ConsoleRows.spend(pending.hash, db)
            try db.run(
                """
                UPDATE console_account SET phone = $2, phone_bound_at = $3, phone_used_at = NULL, failures = 0,
                    blocked_until = 0
                WHERE admin = $1
                """, pending.admin, phone.bytes, moment.milliseconds)
            try AuditRows.insert(audit, db)
            return true
        }
    }

    package func removePhone(of admin: String, audit: AuditEntry?) async throws(StoreError) -> Bool {
        try await write("remove phone", locks: []) { db in
            let removed = try db.run(
                """
                UPDATE console_account SET phone = NULL, phone_bound_at = NULL, phone_used_at = NULL
                WHERE admin = $1 AND phone IS NOT NULL
                """, admin)
            guard removed == 1 else { return false }
            // A binding that was begun before does not come after.
            try db.run("DELETE FROM console_pending WHERE admin = $1 AND session IS NOT NULL", admin)
            try AuditRows.insert(audit, db)
            return true
        }
    }

    package func consolePhones() async throws(StoreError) -> [ConsolePhone] {
        try await read("read phones of admins") { db in
            try db.rows(
                """
                SELECT admin, phone_bound_at, phone_used_at FROM console_account WHERE phone IS NOT NULL ORDER BY admin
                """, of: "console_account"
            ) { columns in
                ConsolePhone(
                    admin: try columns.text(), boundAt: try columns.timestamp(),
                    usedAt: try columns.optionalTimestamp())
            }
        }
    }

    package func consoleSession(
        _ hash: CredentialHash, at moment: Timestamp, usedSince used: Timestamp
    ) async throws(StoreError) -> AdminRecord? {
        try await read("read console session") { db in
            try db.row(
                """
                SELECT \(AdminRows.columns) FROM admin WHERE name = (SELECT admin FROM console_session
                    WHERE hash = $1 AND ends_at > $2 AND used_at >= $3) AND revoked_at IS NULL AND expires_at > $2
                    AND EXISTS (SELECT 1 FROM console_account WHERE console_account.admin = admin.name)
                """, of: "admin", hash.bytes, moment.milliseconds, used.milliseconds, read: AdminRows.decode)
        }
    }

    package func noteConsoleUse(_ hash: CredentialHash, at moment: Timestamp) async throws(StoreError) {
        try await write("note console use", locks: []) { db in
            try db.run(
                "UPDATE console_session SET used_at = $2 WHERE hash = $1 AND used_at < $2", hash.bytes,
                moment.milliseconds)
        }
    }

    package func endConsoleSession(_ hash: CredentialHash) async throws(StoreError) {
        try await write("end console session", locks: []) { db in
            try db.run("DELETE FROM console_session WHERE hash = $1", hash.bytes)
        }
    }

    package func deleteConsoleSessions(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await write("delete console sessions", locks: []) { db in
            try db.run("DELETE FROM console_pending WHERE ends_at < $1", moment.milliseconds)
            return try db.run(
                """
                DELETE FROM console_session WHERE hash IN
                    (SELECT hash FROM console_session WHERE ends_at < $1 ORDER BY ends_at LIMIT $2)
                """, moment.milliseconds, limit)
        }
    }
}

enum ConsoleRows {
    /// An SQL condition: the admin of a row of `console_account` may sign in at `$2`.
    static let mayEnter = """
        EXISTS (SELECT 1 FROM admin WHERE name = console_account.admin AND revoked_at IS NULL AND expires_at > $2)
        """

    /// Keeps an admin's account as it is until the commit: who signs in, binds a phone or is revoked at this moment waits.
    /// - Returns: whether they have one, with this password if one is given.
    static func hold(_ admin: String, withPassword password: PasswordHash? = nil, _ db: some StatementRunner) throws
        -> Bool
    {
        try db.run(
            "UPDATE console_account SET failures = failures WHERE admin = $1 AND hash = coalesce($2, hash)", admin,
            password?.hash) == 1
    }

    static func pending(
        _ hash: CredentialHash, at moment: Timestamp, _ db: some StatementRunner
    ) throws -> PendingSignIn? {
        try db.row(
            "SELECT hash, admin, session, ends_at FROM console_pending WHERE hash = $1 AND ends_at > $2",
            of: "console_pending", hash.bytes, moment.milliseconds
        ) { columns in
            PendingSignIn(
                hash: CredentialHash(bytes: try columns.bytes()), admin: try columns.text(),
                session: try columns.optionalBytes().map(CredentialHash.init(bytes:)), endsAt: try columns.timestamp())
        }
    }

    static func spend(_ pending: CredentialHash, _ db: some StatementRunner) throws {
        try db.run("DELETE FROM console_pending WHERE hash = $1", pending.bytes)
    }

    static func insert(_ session: ConsoleSession, _ db: some StatementRunner) throws {
        try db.run(
            "INSERT INTO console_session (hash, admin, began_at, used_at, ends_at) VALUES ($1,$2,$3,$3,$4)",
            session.hash.bytes, session.admin, session.beganAt.milliseconds, session.endsAt.milliseconds)
    }

    /// Ends an admin's account, sessions and what they began. The account first: whoever signs in at this moment has its row, and the session that they
    /// began is there when the sessions' turn comes.
    static func end(_ admin: String, _ db: some StatementRunner) throws {
        for table in ["console_account", "console_session", "console_pending"] {
            try db.run("DELETE FROM \(table) WHERE admin = $1", admin)
        }
    }
}
