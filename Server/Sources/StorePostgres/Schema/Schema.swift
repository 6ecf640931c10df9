import Foundation
import Store
import StoreRows

/// The tables, and how an older schema is brought forward.
enum Schema {
    /// Everything of a store's lies in a schema of this name.
    static let name = "benji"

    /// A step that has been released is never edited: the next change is the next step.
    private static let steps: [[UInt8]] = [PackageResources.tables_sql, PackageResources.evidence_sql]

    /// The version of the tables that this program makes.
    static var newest: Int { steps.count }

    /// Brings the schema to the newest version in one transaction, one process at a time. Also gives the serving role
    /// the rights that it lacks. A user who does not own the tables does neither, nor does the serving role itself.
    ///
    /// - Parameter servingRole: the setting `store.serving-role`.
    /// - Throws: ``StoreError`` if the schema is newer, is older and of another owner, or is missing for the serving
    ///   role. The same if that role is unfit (``ServingRights/refusePowers(of:login:_:)``). Also ``ServerFailure``.
    static func bringForward(_ session: Session, servingRole: String? = nil) throws {
        let isCurrent = try Self.isCurrent(session)
        try refuseBeginning(as: servingRole, session)
        let who = try ServingRights.parties(session)
        if servingRole == who.user {
            try ServingRights.refusePowers(of: who.user, login: who.login, session)
        }
        guard try servingRole != who.user && ServingRights.isOwner(session) else {
            if isCurrent { return }
            throw try ServingRights.ownerNeeded(
                "the tables are of an earlier version of Benji", "benji migrate", as: .outdated, session)
        }
        var lacking = ServingRights.wanted(session.serverVersion)
        if isCurrent {
            // Rights too many are no reason: a REVOKE at each start would not take those that PUBLIC has.
            guard let servingRole else { return }
            lacking = Set(try ServingRights.difference(of: servingRole, session).missing)
            guard !lacking.isEmpty else { return }
        }
        try change(session) {
            try makeMissing(session)
            if let servingRole { try ServingRights.add(lacking, to: servingRole, session) }
        }
    }

    /// Refuses a database without tables if the session's user is the serving role, which makes none.
    ///
    /// - Parameter servingRole: the setting `store.serving-role`.
    static func refuseBeginning(as servingRole: String?, _ session: Session) throws {
        let user = try ServingRights.parties(session).user
        guard try servingRole == user && !isThere(session) else { return }
        throw StoreError(
            .unavailable,
            "there are no tables, and \(user) makes none, because store.serving-role names it; run benji init as the "
                + "owner of the tables")
    }

    /// Gives the serving role the rights that it lacks, and takes other rights from it. The tables must be of this
    /// version.
    ///
    /// - Returns: whether anything had to be changed.
    /// - Throws: ``StoreError`` if the session's user does not own the tables, or as
    ///   ``ServingRights/difference(of:login:_:)``.
    @discardableResult
    static func mendRights(of servingRole: String, _ session: Session) throws -> Bool {
        try ServingRights.requireOwner("a role gets its rights from the owner", "benji migrate", session)
        guard try !ServingRights.difference(of: servingRole, session).isEmpty else { return false }
        try change(session) { try ServingRights.give(to: servingRole, session) }
        return true
    }

    /// A transaction that has the lock of the schema, and the role of its owner.
    private static func change(_ session: Session, _ body: () throws -> Void) throws {
        session.begin(first: StoreLock.statements([.schema]))
        do {
            try takeOwnersRole(session)
            try body()
            try session.commit()
        } catch {
            session.rollBack()
            throw error
        }
    }

    /// Makes the rest of the transaction work as the owner of the schema. New objects then belong to that role, and not
    /// to a superuser or a member of it.
    ///
    /// Does nothing if there is no schema, or if an object in it belongs to a role whose rights the owner lacks.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` with the remedy if the user may not take that role.
    static func takeOwnersRole(_ session: Session) throws {
        let owner = try session.row(
            """
            SELECT pg_get_userbyid(n.nspowner)::text FROM pg_namespace AS n
            WHERE n.nspname = '\(name)' AND pg_get_userbyid(n.nspowner) <> current_user
                AND NOT EXISTS (SELECT FROM pg_class AS c
                    WHERE c.relnamespace = n.oid AND NOT pg_has_role(n.nspowner, c.relowner, 'USAGE'))
                AND NOT EXISTS (SELECT FROM pg_proc AS p
                    WHERE p.pronamespace = n.oid AND NOT pg_has_role(n.nspowner, p.proowner, 'USAGE'))
            """, of: "pg_namespace"
        ) { try $0.text() }
        guard let owner else { return }
        do { try session.run("SELECT set_config('role', $1, true)", owner) } catch let failure as ServerFailure
            where failure.state == "42501"
        {
            // From PostgreSQL 16 on a membership may be without SET.
            throw StoreError(
                .unavailable,
                "the user of store.postgres may not take the role of the tables' owner (SET ROLE \(owner)); run this "
                    + "with a store.postgres that names \(owner)")
        }
    }

    /// The same in a transaction that has the lock of the schema already.
    static func makeMissing(_ session: Session) throws {
        if try isCurrent(session) { return }
        // PostgreSQL asks for the right to make a schema even where IF NOT EXISTS finds it.
        if try !session.hasRow("SELECT 1 WHERE to_regnamespace('\(name)') IS NOT NULL") {
            try session.run("CREATE SCHEMA \(name)")
        }
        try session.run("CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)")
        if try !session.hasRow("SELECT 1 FROM schema_version") {
            try session.run("INSERT INTO schema_version (version) VALUES (0)")
        }
        for step in steps.dropFirst(try version(session)) {
            for statement in statements(String(decoding: step, as: UTF8.self)) { try session.run(statement) }
        }
        try session.run("UPDATE schema_version SET version = $1 WHERE version < $1", steps.count)
    }

    /// - Throws: ``StoreError/Code/corrupt`` if a newer Benji made it, or if it is older and must stay so.
    static func refuseOther(_ session: Session) throws {
        guard try version(session) == steps.count else {
            throw StoreError(.outdated, "open: the schema is of another version of Benji")
        }
    }

    /// Whether there is a schema of this version already.
    static func isCurrent(_ session: Session) throws -> Bool { try version(session) == steps.count }

    static func isThere(_ session: Session) throws -> Bool { try version(session) > 0 }

    /// 0 if there is none.
    private static func version(_ session: Session) throws -> Int {
        guard try session.hasRow("SELECT 1 WHERE to_regclass('\(name).schema_version') IS NOT NULL") else { return 0 }
        let found = try session.row("SELECT version FROM \(name).schema_version", of: "schema_version") {
            try $0.integer(Int.self)
        }
        guard let found, found <= steps.count else {
            throw StoreError(
                .corrupt,
                "open: the database was written by a newer Benji; this one knows the schema up to version "
                    + "\(steps.count)"
            )
        }
        return found
    }

    /// One statement at a time, because the server prepares no two of them: divided at semicolons that end a line, but
    /// within `$$`.
    private static func statements(_ script: String) -> [String] {
        var statements: [String] = []
        var current = ""
        var isQuoted = false
        for line in script.split(separator: "\n") where !line.hasPrefix("--") {
            current += line + "\n"
            if line.components(separatedBy: "$$").count.isMultiple(of: 2) { isQuoted.toggle() }
            if !isQuoted, line.hasSuffix(";") {
                statements.append(String(current.dropLast(2)))
                current = ""
            }
        }
        return statements
    }
}
