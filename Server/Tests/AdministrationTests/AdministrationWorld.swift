import Administration
import Authority
import BenjiProtocol
import GRDB
import Requests
import ServerTestKit
import Store
import StoreSQLite

/// An installation with one app, and people who give it orders.
struct AdministrationWorld: Sendable {
    let world: AuthorityWorld
    let administration: Administration

    var authority: Authority { world.authority }
    var clock: TestClock { world.clock }
    var app: AppID { world.app.record.id }
    let unknown = AppID(rawValue: "300000000099")!

    init() async throws {
        world = try await AuthorityWorld()
        var administration = Administration(authority: world.authority, store: world.store)
        administration.findsSessions = { _, _, _ in [] }
        self.administration = administration
    }

    func caller(_ role: Role = .operator, apps: Set<AppID> = [], seesNumbers: Bool = false) -> Caller {
        Caller(name: "ops", role: role, apps: apps, seesNumbers: seesNumbers, origin: "203.0.113.9")
    }

    @discardableResult
    func order(_ order: some Order, by caller: Caller? = nil, reason: String? = nil) async throws(Refusal) -> JSON {
        try await administration.perform(order, by: caller ?? self.caller(), reason: reason)
    }

    /// Why an order is refused; `nil` if it is not.
    func refused(_ order: some Order, by caller: Caller? = nil) async throws -> Situation? {
        try await refusal { _ = try await self.order(order, by: caller) }
    }

    /// The audit log but for what made this world, newest first.
    func lines() async throws -> [AuditEntry] {
        try await world.store.auditEntries(AuditFilter(), before: nil, limit: 500).filter { $0.actor != "tester" }
    }

    /// Runs statements on the database itself, which no order would do.
    func database(_ sql: String) async throws {
        try await DatabaseQueue(path: world.directory + "/benji.sqlite").write { db in try db.execute(sql: sql) }
    }

    /// A call of the app's server as the app is now.
    func call() async throws -> ServerCall { world.serverCall(try await authority.registeredApp(app)) }

    func end() async { await world.end() }
}
