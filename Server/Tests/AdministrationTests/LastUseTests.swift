import Administration
import Authority
import BenjiFaceProtocol
import BenjiProtocol
import ServerTestKit
import Store
import StoreSQLite
import Testing

@Suite("When keys, secrets and tokens were used last, as orders answer it")
struct LastUseTests {
    /// The day of last use that an answer gives for each key, by its use and version; "never" where there is none.
    private func days(_ keys: JSON?) -> [String: String] {
        var days: [String: String] = [:]
        for key in keys?.arrayValue ?? [] {
            let name = "\(key["use"]?.stringValue ?? "?") \(key["version"]?.text ?? "?")"
            days[name] = key["lastUsed"]?.stringValue ?? "never"
        }
        return days
    }

    @Test("an app's answer has for each version of each key the last day on which it was used, in China's time")
    func keys() async throws {
        let world = try await AdministrationWorld()
        let other = try await world.authority.apps.register(Apps.Registration(name: "other")).record.id
        func shown() async throws -> [String: String] {
            try await world.authority.apps.writeUsages()
            return days(try await world.order(ShowApp(world.app), by: world.caller(.auditor))["keys"])
        }
        #expect(try await shown() == ["package 1": "never", "server 1": "never"])
        // 22:13 in China.
        _ = try await world.world.prefetch()
        #expect(try await shown() == ["package 1": "2026-09-21", "server 1": "never"])
        // Past midnight there, and the same day in UTC.
        world.clock.advance(by: .seconds(2 * 3600))
        _ = try await world.world.prefetch()
        world.authority.apps.noteUsage(.server, 1, of: other)
        #expect(try await shown() == ["package 1": "2026-09-22", "server 1": "never"])
        let rotated = try await world.order(RotateAppKey(world.app, .server, keeping: .untilRetired))
        #expect(days(rotated["keys"]) == ["package 1": "2026-09-22", "server 1": "never", "server 2": "never"])
        world.authority.apps.noteUsage(.server, 1, of: world.app)
        world.clock.advance(by: .seconds(3 * 86400))
        world.authority.apps.noteUsage(.server, 2, of: world.app)
        let last = ["package 1": "2026-09-22", "server 1": "2026-09-22", "server 2": "2026-09-25"]
        #expect(try await shown() == last)
        #expect(days(try await world.order(SuspendApp(world.app))["keys"]) == last, "a change answers it too")
        #expect(
            days(try await world.order(ShowApp(other))["keys"]) == ["package 1": "never", "server 1": "2026-09-22"])
        await world.end()
    }

    @Test("a client's answer has the last day of each of its secrets")
    func secrets() async throws {
        let world = try await AdministrationWorld()
        var client = OpenIDClientChanges()
        client.redirectURIs = ListChange(["https://shop.example/callback"])
        client.page = """
            {"terms": {"items": [
                {"title": {"zh-Hans": "《用户协议》", "en": "User Agreement"}, "url": "https://shop.example/agreement"},
                {"title": {"zh-Hans": "《隐私政策》", "en": "Privacy Policy"}, "url": "https://shop.example/privacy"}]}}
            """
        try await world.order(ChangeOpenIDClient(world.app, client))
        try await world.order(RotateClientSecret(world.app, keeping: .untilRetired))
        world.authority.apps.noteUsage(.openID, 2, of: world.app)
        world.clock.advance(by: .seconds(86400))
        world.authority.apps.noteUsage(.openID, 1, of: world.app)
        world.authority.apps.noteUsage(.server, 1, of: world.app)
        try await world.authority.apps.writeUsages()
        let shown = try await world.order(ShowOpenIDClient(world.app))
        #expect(days(shown["secrets"]) == ["openid 1": "2026-09-22", "openid 2": "2026-09-21"])
        await world.end()
    }

    @Test("the list of admins has the last day on which each of them came, whatever is ordered about them since")
    func admins() async throws {
        let world = try await AdministrationWorld()
        func token(_ name: String) async throws -> String {
            try #require(try await world.order(GrantAdmin(name, .support))["token"]?.stringValue)
        }
        func come(_ token: String) async throws {
            _ = try await world.administration.caller(token: token, from: "203.0.113.9")
        }
        func listed() async throws -> [String: String] {
            let admins = try await world.order(ListAdmins(), by: world.caller(.auditor)).arrayValue ?? []
            return Dictionary(
                uniqueKeysWithValues: admins.map {
                    ($0["name"]?.stringValue ?? "?", $0["lastUsed"]?.stringValue ?? "never")
                })
        }
        let (ana, ben) = (try await token("ana"), try await token("ben"))
        _ = try await token("cid")
        try await come(ana)
        try await come(ben)
        #expect(try await listed() == ["ana": "2026-09-21", "ben": "2026-09-21", "cid": "never"])
        world.clock.advance(by: .seconds(2 * 3600))
        try await come(ana)
        try await come(ana)
        let unknown = try await refusal { try await come(ben + "x") }
        #expect(unknown == .accessTokenInvalid)
        #expect(try await listed() == ["ana": "2026-09-22", "ben": "2026-09-21", "cid": "never"])
        world.clock.advance(by: .seconds(86400))
        try await world.order(RevokeAdmin("ben"))
        try await world.order(RenewAdmin("ana"))
        #expect(try await listed() == ["ana": "2026-09-22", "ben": "2026-09-21", "cid": "never"])
        await world.end()
    }
}
