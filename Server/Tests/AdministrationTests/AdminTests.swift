import Administration
import Authority
import BenjiFaceProtocol
import BenjiProtocol
import ServerTestKit
import Store
import StoreSQLite
import Testing

@Suite("Who may give orders over the admin interface")
struct AdminTests {
    private func caller(_ world: AdministrationWorld, _ token: String?) async throws -> Caller {
        try await world.administration.caller(token: try #require(token), from: "203.0.113.9")
    }

    private func refusal(_ world: AdministrationWorld, _ token: String?) async throws -> Situation? {
        try await ServerTestKit.refusal { _ = try await caller(world, token) }
    }

    @Test("a token brings the name, role, apps and scope that it was granted for, and nothing else does")
    func granted() async throws {
        let world = try await AdministrationWorld()
        let order = GrantAdmin("dev", .developer, apps: [world.app], seesNumbers: true)
        let token = try await world.order(order, by: world.caller(seesNumbers: true))["token"]?.stringValue
        #expect(token?.hasPrefix("benji_admin_") == true)
        let caller = try await caller(world, token)
        #expect(
            caller
                == Caller(
                    name: "dev", role: .developer, apps: [world.app], seesNumbers: true, origin: "203.0.113.9"))
        for other in [
            "", "benji_admin_", "benji_admin_x", token.map { $0 + "x" }, token.map { String($0.dropFirst()) },
        ] {
            #expect(try await refusal(world, other) == .accessTokenInvalid)
        }
        await world.end()
    }

    @Test("a token ends with its days, when it is revoked, and when it is renewed")
    func ended() async throws {
        let world = try await AdministrationWorld()
        let first = try await world.order(GrantAdmin("ana", .support, days: 1))["token"]?.stringValue
        world.clock.advance(by: .seconds(86400))
        #expect(try await refusal(world, first) == .accessTokenExpired)
        let second = try await world.order(RenewAdmin("ana", days: 2))["token"]?.stringValue
        #expect(try await refusal(world, first) == .accessTokenInvalid)
        #expect(try await refusal(world, second) == nil)
        try await world.order(RevokeAdmin("ana"))
        #expect(try await refusal(world, second) == .accessTokenInvalid)
        #expect(try await world.refused(RevokeAdmin("ana")) == .parameterInvalid)
        #expect(try await world.refused(RevokeAdmin("nobody")) == .notFound)
        await world.end()
    }

    @Test("a certificate's admin is known by its key alone, and no token is made of that")
    func certificate() async throws {
        let world = try await AdministrationWorld()
        let key: [UInt8] = [1, 2, 3]
        let digest = Hexadecimal.encode(Admins.digest(publicKey: key))
        let answer = try await world.order(GrantAdmin("robot", .auditor, certificate: digest))
        #expect(answer["token"] == nil && answer["credential"] == "certificate")
        let caller = try await world.administration.caller(certificateKey: key, from: "::1")
        #expect(caller.name == "robot" && caller.role == .auditor)
        let other = try await ServerTestKit.refusal {
            _ = try await world.administration.caller(certificateKey: [1, 2, 4], from: "::1")
        }
        #expect(other == .accessTokenInvalid)
        #expect(try await world.refused(GrantAdmin("robot-2", .auditor, certificate: "12")) == .parameterInvalid)
        #expect(try await world.refused(GrantAdmin("robot-2", .auditor, certificate: digest)) == .parameterInvalid)
        try await world.order(GrantAdmin("robot-2", .auditor))
        #expect(try await world.refused(RenewAdmin("robot-2", certificate: digest)) == .parameterInvalid)
        await world.end()
    }

    @Test(
        "no admin gets a name twice, an app as support, none as developer, a life without end, or a name like a number")
    func refused() async throws {
        let world = try await AdministrationWorld()
        try await world.order(GrantAdmin("ana", .support))
        try await world.order(RevokeAdmin("ana"))
        for order in [
            GrantAdmin("ana", .support), GrantAdmin("bob", .support, apps: [world.app]), GrantAdmin("bob", .developer),
            GrantAdmin("bob", .support, days: 0), GrantAdmin("bob", .support, days: 367), GrantAdmin("Bob", .support),
            GrantAdmin("13800000001", .support), GrantAdmin("", .support), GrantAdmin("b b", .support),
            // A change of direction, an invisible character, a control character and a Cyrillic letter.
            GrantAdmin("b\u{202e}ob", .support), GrantAdmin("b\u{200b}ob", .support), GrantAdmin("b\u{7}ob", .support),
            GrantAdmin("b\u{43e}b", .support),
        ] {
            #expect(try await world.refused(order) == .parameterInvalid, "\(order)")
        }
        let unknown = GrantAdmin("bob", .developer, apps: [world.unknown])
        #expect(try await world.refused(unknown) == .appUnknown)
        await world.end()
    }

    @Test("who does not see numbers lets nobody see them")
    func scope() async throws {
        let world = try await AdministrationWorld()
        #expect(try await world.refused(GrantAdmin("ana", .support, seesNumbers: true)) == .orderNotPermitted)
        try await world.order(GrantAdmin("ana", .support, seesNumbers: true), by: world.caller(seesNumbers: true))
        #expect(try await world.refused(RenewAdmin("ana")) == .orderNotPermitted)
        await world.end()
    }

    @Test("the list and the audit log say who was let in, by whom and until when, and hold no credential")
    func written() async throws {
        let world = try await AdministrationWorld()
        let token = try #require(try await world.order(GrantAdmin("ana", .support))["token"]?.stringValue)
        _ = try await caller(world, token)
        let list = try await world.order(ListAdmins())
        #expect(list.arrayValue?.first?["lastUsed"] != nil && !list.text.contains(token))
        let line = try #require(try await world.lines().first)
        #expect(line.order == "admin.grant" && line.subject == "admin ana" && line.actor == "ops")
        let hash = Hexadecimal.encode(CredentialHash(of: token).bytes)
        #expect(line.after?.contains("support") == true)
        #expect(line.after?.contains(token) == false && line.after?.contains(hash) == false)
        await world.end()
    }
}
