package import BenjiProtocol
package import Store

extension TableStore {
    package func acceptInvitation(
        _ invitation: CredentialHash, spent: CredentialHash, account: ConsoleAccount, session: ConsoleSession,
        audit: AuditEntry
    ) async throws(StoreError) -> Bool {
        let codes = rowCodes
        return try await write("accept invitation", locks: [.orders]) { db in
            guard var admin = try AdminRows.find(account.admin, codes, db), admin.credential == invitation,
                admin.kind == .invitation, admin.isValid(at: session.beganAt)
            else { return false }
            admin.credential = spent
            try AdminRows.update(admin, codes, db)
            try ConsoleRows.end(account.admin, db)
            try db.run(
                """
                INSERT INTO console_account (admin, salt, cost, hash, last_step, failures, blocked_until, mac)
                VALUES ($1,$2,$3,$4,$5,0,0,$6)
                """, account.admin, account.password.salt, account.password.cost, account.password.hash,
                account.lastStep, ConsoleRows.code(of: account, codes))
            try ConsoleRows.insert(session, codes, db)
            try AuditRows.insert(audit, codes, db)
            return true
        }
    }

    package func beginSignIn(
        _ admin: String, at moment: Timestamp, limit: Int, pause: Duration, audit: AuditEntry?
    ) async throws(StoreError) -> SignInAttempt {
        let codes = rowCodes
        return try await write("begin sign-in", locks: []) { db in
            // After a pause the count starts again.
            let counted = try db.run(
                """
                UPDATE console_account SET
                    failures = CASE WHEN failures >= $3 THEN 1 ELSE failures + 1 END,
                    blocked_until = CASE WHEN failures + 1 = $3 THEN $4 ELSE 0 END
                WHERE admin = $1 AND blocked_until <= $2 AND \(ConsoleRows.mayEnter)
                """, admin, moment.milliseconds, limit, (moment + pause).milliseconds)
            let attempt = try db.row(
                """
                SELECT \(ConsoleRows.accountColumns), blocked_until FROM console_account
                WHERE admin = $1 AND \(ConsoleRows.mayEnter)
                """, of: "console_account", admin, moment.milliseconds
            ) { columns -> (account: ConsoleAccount?, until: Timestamp) in
                let account = try ConsoleRows.decodeAccount(&columns, codes)
                return (account: account, until: try columns.timestamp())
            }
            guard let attempt, let account = attempt.account, try AdminRows.find(admin, codes, db) != nil else {
                return .nobody
            }
            guard counted == 1 else { return .blocked(until: attempt.until) }
            if attempt.until > moment { try AuditRows.insert(audit, codes, db) }
            return .open(account)
        }
    }

    package func signIn(
        _ session: ConsoleSession, account: ConsoleAccount, by factor: SecondFactor, pending: CredentialHash?,
        audit: AuditEntry?
    ) async throws(StoreError) -> Bool {
        let codes = rowCodes
        return try await write("sign in", locks: []) { db in
            guard try ConsoleRows.hold(session.admin, codes, db) != nil else { return false }
            if let pending {
                guard let begun = try ConsoleRows.pending(pending, at: session.beganAt, codes, db),
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
            try ConsoleRows.insert(session, codes, db)
            try AuditRows.insert(audit, codes, db)
            return true
        }
    }

    package func beginPending(
        _ pending: PendingSignIn, account: ConsoleAccount
    ) async throws(StoreError) -> Bool {
        let codes = rowCodes
        return try await write("begin pending sign-in", locks: []) { db in
            guard try ConsoleRows.hold(pending.admin, withPassword: account.password, codes, db) != nil else {
                return false
            }
            try db.run(
                "INSERT INTO console_pending (hash, admin, session, ends_at, mac) VALUES ($1,$2,$3,$4,$5)",
                pending.hash.bytes, pending.admin, pending.session?.bytes, pending.endsAt.milliseconds,
                ConsoleRows.code(of: pending, codes))
            return true
        }
    }

    package func pendingSignIn(
        _ hash: CredentialHash, at moment: Timestamp
    ) async throws(StoreError) -> PendingSignIn? {
        let codes = rowCodes
        return try await read("read pending sign-in") { db in
            try ConsoleRows.pending(hash, at: moment, codes, db)
        }
    }

    package func bindPhone(
        _ phone: CredentialHash, pending: PendingSignIn, at moment: Timestamp, audit: AuditEntry?
    ) async throws(StoreError) -> Bool {
        let codes = rowCodes
        return try await write("bind phone", locks: []) { db in
            guard var account = try ConsoleRows.hold(pending.admin, codes, db),
                try ConsoleRows.pending(pending.hash, at: moment, codes, db) == pending,
                let hash = pending.session, let session = try ConsoleRows.session(hash, codes, db)?.session,
                session.admin == pending.admin, session.endsAt > moment
            else { return false }
            try ConsoleRows.spend(pending.hash, db)
            account.phone = phone
            try db.run(
                """
                UPDATE console_account SET phone = $2, phone_bound_at = $3, phone_used_at = NULL, failures = 0,
                    blocked_until = 0, mac = $4
                WHERE admin = $1
                """, pending.admin, phone.bytes, moment.milliseconds, ConsoleRows.code(of: account, codes))
            try AuditRows.insert(audit, codes, db)
            return true
        }
    }

    package func removePhone(of admin: String, audit: AuditEntry?) async throws(StoreError) -> Bool {
        let codes = rowCodes
        return try await write("remove phone", locks: []) { db in
            guard var account = try ConsoleRows.hold(admin, codes, db), account.phone != nil else { return false }
            account.phone = nil
            try db.run(
                """
                UPDATE console_account SET phone = NULL, phone_bound_at = NULL, phone_used_at = NULL, mac = $2
                WHERE admin = $1
                """, admin, ConsoleRows.code(of: account, codes))
            // A binding that was begun before does not come after.
            try db.run("DELETE FROM console_pending WHERE admin = $1 AND session IS NOT NULL", admin)
            try AuditRows.insert(audit, codes, db)
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
        let codes = rowCodes
        return try await read("read console session") { db in
            guard let found = try ConsoleRows.session(hash, codes, db), found.session.endsAt > moment,
                found.usedAt >= used, let admin = try AdminRows.find(found.session.admin, codes, db),
                admin.isValid(at: moment), try ConsoleRows.account(of: admin.name, codes, db) != nil
            else { return nil }
            return admin
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

    static let accountColumns = "admin, salt, cost, hash, last_step, phone, mac"

    // The values that codes cover; see ``RowCodes/code(of:_:)`` before you change them. The last code's time step,
    // failures and uses change at each sign-in, and give no rights.

    static func code(of account: ConsoleAccount, _ codes: RowCodes) -> [UInt8]? {
        codes.code(of: "console_account", values(of: account))
    }

    private static func values(of account: ConsoleAccount) -> [any SQLArgument] {
        [account.admin, account.password.salt, account.password.cost, account.password.hash, account.phone?.bytes]
    }

    private static func values(of session: ConsoleSession) -> [any SQLArgument] {
        [session.hash.bytes, session.admin, session.beganAt.milliseconds, session.endsAt.milliseconds]
    }

    static func code(of pending: PendingSignIn, _ codes: RowCodes) -> [UInt8]? {
        codes.code(of: "console_pending", values(of: pending))
    }

    private static func values(of pending: PendingSignIn) -> [any SQLArgument] {
        [pending.hash.bytes, pending.admin, pending.session?.bytes, pending.endsAt.milliseconds]
    }

    /// - Returns: `nil` for a row that is refused.
    static func decodeAccount(_ columns: inout some Columns, _ codes: RowCodes) throws -> ConsoleAccount? {
        let account = ConsoleAccount(
            admin: try columns.text(),
            password: PasswordHash(
                salt: try columns.bytes(), cost: try columns.integer(), hash: try columns.bytes()),
            lastStep: try columns.integer(), phone: try columns.optionalBytes().map(CredentialHash.init(bytes:)))
        let code = try columns.optionalBytes()
        let isOurs = codes.accepts(code, of: "console_account", id: account.admin, values(of: account))
        return isOurs ? account : nil
    }

    static func account(of admin: String, _ codes: RowCodes, _ db: some StatementRunner) throws -> ConsoleAccount? {
        try db.row(
            "SELECT \(accountColumns) FROM console_account WHERE admin = $1", of: "console_account", admin
        ) { try decodeAccount(&$0, codes) } ?? nil
    }

    /// Keeps an admin's account as it is until the commit: who signs in, binds a phone or is revoked at this moment
    /// waits.
    /// - Returns: the account, if they have one, with this password if one is given.
    static func hold(
        _ admin: String, withPassword password: PasswordHash? = nil, _ codes: RowCodes, _ db: some StatementRunner
    ) throws -> ConsoleAccount? {
        let held = try db.run(
            "UPDATE console_account SET failures = failures WHERE admin = $1 AND hash = coalesce($2, hash)", admin,
            password?.hash)
        return held == 1 ? try account(of: admin, codes, db) : nil
    }

    static func pending(
        _ hash: CredentialHash, at moment: Timestamp, _ codes: RowCodes, _ db: some StatementRunner
    ) throws -> PendingSignIn? {
        try db.row(
            "SELECT hash, admin, session, ends_at, mac FROM console_pending WHERE hash = $1 AND ends_at > $2",
            of: "console_pending", hash.bytes, moment.milliseconds
        ) { try decodePending(&$0, codes) } ?? nil
    }

    private static func decodePending(_ columns: inout some Columns, _ codes: RowCodes) throws -> PendingSignIn? {
        let pending = PendingSignIn(
            hash: CredentialHash(bytes: try columns.bytes()), admin: try columns.text(),
            session: try columns.optionalBytes().map(CredentialHash.init(bytes:)), endsAt: try columns.timestamp())
        let code = try columns.optionalBytes()
        let isOurs = codes.accepts(code, of: "console_pending", id: pending.admin, values(of: pending))
        return isOurs ? pending : nil
    }

    /// A session, and when it was used last.
    static func session(
        _ hash: CredentialHash, _ codes: RowCodes, _ db: some StatementRunner
    ) throws -> (session: ConsoleSession, usedAt: Timestamp)? {
        try db.row(
            "SELECT hash, admin, began_at, ends_at, used_at, mac FROM console_session WHERE hash = $1",
            of: "console_session", hash.bytes
        ) { try decodeSession(&$0, codes) } ?? nil
    }

    private static func decodeSession(
        _ columns: inout some Columns, _ codes: RowCodes
    ) throws -> (session: ConsoleSession, usedAt: Timestamp)? {
        let session = ConsoleSession(
            hash: CredentialHash(bytes: try columns.bytes()), admin: try columns.text(),
            beganAt: try columns.timestamp(), endsAt: try columns.timestamp())
        let usedAt = try columns.timestamp()
        let code = try columns.optionalBytes()
        let isOurs = codes.accepts(code, of: "console_session", id: session.admin, values(of: session))
        return isOurs ? (session: session, usedAt: usedAt) : nil
    }

    /// Gives every row its code.
    /// - Returns: how many there are.
    static func seal(_ codes: RowCodes, _ db: some StatementRunner) throws -> Int {
        let unchecked = RowCodes()
        let accounts = try db.rows("SELECT \(accountColumns) FROM console_account", of: "console_account") {
            try decodeAccount(&$0, unchecked)
        }.compactMap { $0 }
        for account in accounts {
            try db.run(
                "UPDATE console_account SET mac = $1 WHERE admin = $2", code(of: account, codes), account.admin)
        }
        // Begun before a restart, which ends none of them.
        let pending = try db.rows(
            "SELECT hash, admin, session, ends_at, mac FROM console_pending", of: "console_pending"
        ) { try decodePending(&$0, unchecked) }.compactMap { $0 }
        for each in pending {
            try db.run("UPDATE console_pending SET mac = $1 WHERE hash = $2", code(of: each, codes), each.hash.bytes)
        }
        let sessions = try db.rows(
            "SELECT hash, admin, began_at, ends_at, used_at, mac FROM console_session", of: "console_session"
        ) { try decodeSession(&$0, unchecked) }.compactMap { $0?.session }
        for session in sessions {
            try db.run(
                "UPDATE console_session SET mac = $1 WHERE hash = $2",
                codes.code(of: "console_session", values(of: session)), session.hash.bytes)
        }
        return accounts.count + pending.count + sessions.count
    }

    static func spend(_ pending: CredentialHash, _ db: some StatementRunner) throws {
        try db.run("DELETE FROM console_pending WHERE hash = $1", pending.bytes)
    }

    static func insert(_ session: ConsoleSession, _ codes: RowCodes, _ db: some StatementRunner) throws {
        try db.run(
            "INSERT INTO console_session (hash, admin, began_at, used_at, ends_at, mac) VALUES ($1,$2,$3,$3,$4,$5)",
            session.hash.bytes, session.admin, session.beganAt.milliseconds, session.endsAt.milliseconds,
            codes.code(of: "console_session", values(of: session)))
    }

    /// Ends an admin's account, sessions and pending sign-ins. The account comes first: a sign-in under way holds its
    /// row, and its new session exists by the time that the sessions are deleted.
    static func end(_ admin: String, _ db: some StatementRunner) throws {
        for table in ["console_account", "console_session", "console_pending"] {
            try db.run("DELETE FROM \(table) WHERE admin = $1", admin)
        }
    }
}
