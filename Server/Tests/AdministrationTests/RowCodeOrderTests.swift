import Administration
import Authority
import BenjiProtocol
import ServerTestKit
import Store
import StoreSQLite
import Testing

@Suite("Orders about rows that Benji did not write")
struct RowCodeOrderTests {
    private static let page = """
        {"terms": {"items": [
            {"title": {"zh-Hans": "《用户协议》", "en": "User Agreement"}, "url": "https://shop.example/agreement"},
            {"title": {"zh-Hans": "《隐私政策》", "en": "Privacy Policy"}, "url": "https://shop.example/privacy"}]}}
        """

    /// A world whose app has a code. Its audit log has no mark yet.
    private static func world() async throws -> AdministrationWorld {
        let world = try await AdministrationWorld()
        let store = world.world.store
        store.rowCodes.use { Array("secret".utf8) + $0 }
        let app = try #require(try await store.rowToSeal(.app, id: world.app.rawValue))
        let line = AuditEntry(
            at: world.clock.now, actor: "ops", role: "operator", origin: "test", order: "rows.seal")
        #expect(try await store.seal(app, audit: line))
        return world
    }

    @Test("a row of another party is not renewed, although it says that it is revoked; without codes it is renewed")
    func renewed() async throws {
        let (world, naive) = (try await Self.world(), try await AdministrationWorld())
        for world in [world, naive] {
            try await world.order(GrantAdmin("dev", .support))
            try await world.database("UPDATE admin SET role = 'operator', sees_numbers = 1, revoked_at = 5")
        }
        let caller = world.caller(seesNumbers: true)
        #expect(try await world.refused(RenewAdmin("dev"), by: caller) == .notFound)
        #expect(try await naive.order(RenewAdmin("dev"), by: caller)["token"]?.stringValue != nil)
        await world.end()
        await naive.end()
    }

    @Test("a client whose row is refused is absent; removed, it can be registered anew")
    func openIDClient() async throws {
        let world = try await Self.world()
        var new = OpenIDClientChanges()
        new.redirectURIs = ListChange(["https://shop.example/callback"])
        new.page = Self.page
        try await world.order(ChangeOpenIDClient(world.app, new))
        try await world.database("UPDATE openid_client SET mac = NULL")
        #expect(try await world.refused(ShowOpenIDClient(world.app)) == .appUnknown)
        #expect(try await world.refused(ChangeOpenIDClient(world.app, new)) != nil)
        try await world.order(RemoveOpenIDClient(world.app))
        #expect(try await world.refused(RemoveOpenIDClient(world.app)) == .appUnknown)
        try await world.order(ChangeOpenIDClient(world.app, new))
        #expect(try await world.refused(ShowOpenIDClient(world.app)) == nil)
        await world.end()
    }

    @Test("the audit log says which admins and what of itself are not to be believed, and says it to no developer")
    func problems() async throws {
        let world = try await Self.world()
        try await world.order(GrantAdmin("dev", .support))
        try await world.database("UPDATE admin SET role = 'operator'")
        let shown = try await world.order(ListAudit(AuditFilter()), by: world.caller(.auditor))
        let problems = (shown["problems"]?.arrayValue ?? []).compactMap(\.stringValue)
        #expect(problems.count == 3, "\(problems)")
        #expect(problems.contains { $0.contains("the row dev of the table admin") })
        #expect(problems.contains { $0.contains("the audit log: its mark is missing") })
        #expect(problems.contains { $0.contains("were not compared with their marks yet") })
        world.world.store.rowCodes.note(evidenceProblems: [])
        let later = try await world.order(ListAudit(AuditFilter()), by: world.caller(.auditor))
        #expect(later["problems"]?.arrayValue?.count == 2)
        let developer = world.caller(.developer, apps: [world.app])
        let theirs = try await world.order(ListAudit(AuditFilter(app: world.app)), by: developer)
        #expect(theirs["entries"] != nil && theirs["problems"] == nil)
        await world.end()
    }
}
