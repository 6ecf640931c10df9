import Foundation
import Store
import StoreRows

/// The tables, and how an older schema is brought forward.
enum Schema {
    /// Everything of a store's lies in a schema of this name.
    static let name = "benji"

    /// A step that has been released is never edited: the next change is the next step.
    private static let steps: [[UInt8]] = [
        PackageResources.step1_tables_sql, PackageResources.step2_openid_and_faces_sql,
        PackageResources.step3_operators_sql, PackageResources.step4_gateway_pairs_sql,
        PackageResources.step5_sms_codes_sql, PackageResources.step6_callbacks_sql,
        PackageResources.step7_workflow_sql, PackageResources.step8_contracts_sql,
        PackageResources.step9_sms_upstream_and_owners_sql, PackageResources.step10_login_counts_sql,
        PackageResources.step11_console_sql, PackageResources.step12_openid_profiles_sql,
        PackageResources.step13_attested_keys_sql, PackageResources.step14_remembered_consents_sql,
        PackageResources.step15_log_sql, PackageResources.step16_console_phones_sql,
        PackageResources.step17_client_certificates_sql, PackageResources.step18_backchannel_sql,
        PackageResources.step19_ledger_sums_sql, PackageResources.step20_indexes_without_collation_sql,
        PackageResources.step21_row_codes_sql,
    ]

    /// Makes what is missing, in one transaction, one process at a time.
    ///
    /// - Throws: ``StoreError`` if the schema is a newer one; ``ServerFailure``.
    static func bringForward(_ session: Session) throws {
        if try version(session) == steps.count { return }
        session.begin(first: StoreLock.statements([.schema]))
        do {
            try makeMissing(session)
            try session.commit()
        } catch {
            session.rollBack()
            throw error
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
                "open: the database was written by a newer Benji; this one knows the schema up to version \(steps.count)"
            )
        }
        return found
    }

    /// One statement at a time, because the server prepares no two of them: divided at semicolons that end a line, but within `$$`.
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
