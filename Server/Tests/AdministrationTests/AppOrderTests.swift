import Administration
import Authority
import BenjiProtocol
import CryptoExtras
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Testing

@Suite("Orders about apps")
struct AppOrderTests {
    @Test("an order's line says who gave it, from where and why, and of the app what was and what is, without its keys")
    func line() async throws {
        let world = try await AdministrationWorld()
        var changes = AppChanges()
        changes[.name] = "Shop 2"
        changes[list: .serverAddresses] = ListChange(adding: ["198.51.100.7"])
        try await world.order(ChangeApp(world.app, changes), reason: "they moved")
        _ = try await world.order(RotateAppKey(world.app, .server, keeping: .none))
        let lines = try await world.lines()
        #expect(lines.map(\.order) == ["app.rotate-key", "app.set"])
        let set = try #require(lines.last)
        #expect(set.actor == "ops" && set.role == "operator" && set.origin == "203.0.113.9")
        #expect(set.app == world.app && set.reason == "they moved" && set.outcome == .success)
        #expect(set.before == #"{"name":"Shop","serverAddresses":["203.0.113.0/24"]}"#)
        #expect(set.after == #"{"name":"Shop 2","serverAddresses":["203.0.113.0/24","198.51.100.7"]}"#)
        let rotated = try #require(lines.first?.after)
        let secret = try await world.authority.apps.find(world.app).serverSecret.reveal()
        #expect(rotated.contains(#""version":2"#) && !rotated.contains(secret))
        await world.end()
    }

    @Test(
        """
        an app has a hundred bundle ids and server addresses at the most; one of an earlier version that has more may \
        have fewer
        """
    )
    func longLists() async throws {
        let world = try await AdministrationWorld()
        func bundles(_ range: Range<Int>) -> AppChanges {
            var changes = AppChanges()
            changes[list: .bundles] = ListChange(adding: range.map { "com.example.a\($0)" })
            return changes
        }
        let present = try await world.world.store.app(world.app)?.bundleIDs.count ?? 0
        try await world.order(ChangeApp(world.app, bundles(0..<(100 - present))))
        #expect(try await world.refused(ChangeApp(world.app, bundles(100..<101))) == .parameterInvalid)
        var addresses = AppChanges()
        addresses[list: .serverAddresses] = ListChange((0..<101).map { "198.51.100.\($0)" })
        #expect(try await world.refused(ChangeApp(world.app, addresses)) == .parameterInvalid)
        var app = try #require(try await world.world.store.app(world.app))
        app.bundleIDs += (200..<220).map { "com.example.a\($0)" }
        try await world.world.store.updateApp(app, audit: nil)
        var fewer = AppChanges()
        fewer[list: .bundles] = ListChange(removing: ["com.example.a200"])
        #expect(try await world.refused(ChangeApp(world.app, fewer)) == nil)
        await world.end()
    }

    @Test("of a long list an order's line has what came and what went, and how many there were and are")
    func listLines() async throws {
        let world = try await AdministrationWorld()
        var changes = AppChanges()
        changes[list: .serverAddresses] = ListChange((0..<30).map { "198.51.100.\($0)" })
        try await world.order(ChangeApp(world.app, changes))
        changes[list: .serverAddresses] = ListChange(adding: ["192.0.2.1"], removing: ["198.51.100.7"])
        try await world.order(ChangeApp(world.app, changes))
        let line = try #require(try await world.lines().first)
        #expect(line.before == #"{"serverAddresses":{"only":["198.51.100.7"],"count":30}}"#)
        #expect(line.after == #"{"serverAddresses":{"only":["192.0.2.1"],"count":30}}"#)
        await world.end()
    }

    @Test("developers change an app 200 times in 24 hours, an operator as often as he wants")
    func ordersADay() async throws {
        let world = try await AdministrationWorld()
        let developer = world.caller(.developer, apps: [world.app])
        var changes = AppChanges()
        func set(_ position: Int) -> ChangeApp {
            changes[list: .bundles] = ListChange(["com.example.a\(position)"])
            return ChangeApp(world.app, changes)
        }
        for position in 0..<Administration.developersOrdersADay {
            #expect(try await world.refused(set(position), by: developer) == nil)
        }
        #expect(try await world.refused(set(-1), by: developer) == .tooManyRequests)
        #expect(try await world.refused(ShowApp(world.app), by: developer) == nil, "who only looks is not counted")
        #expect(try await world.refused(set(1)) == nil)
        world.clock.advance(by: .seconds(86_400))
        #expect(try await world.refused(set(2), by: developer) == nil)
        await world.end()
    }

    @Test("an order that changes nothing has a line too, and a refused one has a line with its code")
    func withoutChange() async throws {
        let world = try await AdministrationWorld()
        try await world.order(ResumeApp(world.app))
        var changes = AppChanges()
        changes[.name] = ""
        #expect(try await world.refused(ChangeApp(world.app, changes)) == .parameterInvalid)
        #expect(try await world.refused(SuspendApp(world.unknown)) == .appUnknown)
        #expect(try await world.refused(ShowApp(world.unknown)) == .appUnknown)
        let lines = try await world.lines()
        #expect(lines.map(\.order) == ["app.suspend", "app.set", "app.resume"])
        #expect(lines.map(\.outcome) == [.appUnknown, .parameterInvalid, .success])
        #expect(lines.allSatisfy { $0.before == nil && $0.after == nil })
        await world.end()
    }

    @Test("a stopped app is refused from the next request on, and answered again when that is taken back")
    func states() async throws {
        let world = try await AdministrationWorld()
        let refusing: [(any Order, any Order, Situation)] = [
            (SuspendApp(world.app), ResumeApp(world.app), .appSuspended),
            (AllowApp(world.app, isAllowed: false), AllowApp(world.app), .appNotAllowed),
            (DeleteApp(world.app), KeepApp(world.app), .appSuspended),
        ]
        let token = try await world.world.token().token
        for (stop, goOn, situation) in refusing {
            _ = try await world.order(stop)
            #expect(try await refusal { _ = try await world.world.prefetch() } == situation)
            #expect(try await refusal { _ = try await world.world.redeem(world.call(), token) } == situation)
            _ = try await world.order(goOn)
            #expect(try await refusal { _ = try await world.world.prefetch() } == nil)
        }
        #expect(try await refusal { _ = try await world.world.redeem(world.call(), token) } == nil)
        await world.end()
    }

    @Test("after its days an app is gone with its keys, nothing brings it back, and no other app gets its id")
    func deletion() async throws {
        let world = try await AdministrationWorld()
        #expect(try await world.refused(KeepApp(world.app)) == .parameterInvalid)
        #expect(try await world.refused(DeleteApp(world.app, afterDays: 366)) == .parameterInvalid)
        try await world.order(DeleteApp(world.app, afterDays: 3))
        #expect(try await world.refused(DeleteApp(world.app, afterDays: 30)) == .parameterInvalid, "a second time")
        world.clock.advance(by: .seconds(3 * 86400 - 1))
        try await world.authority.deleteExpired()
        #expect(try await world.authority.apps.find(world.app).record.keys.count == 2)
        world.clock.advance(by: .seconds(1))
        #expect(
            try await world.refused(KeepApp(world.app)) == .parameterInvalid, "too late, although all is there still")
        try await world.authority.deleteExpired()
        #expect(try await world.refused(KeepApp(world.app)) == .appUnknown)
        #expect(try await world.refused(ShowApp(world.app)) == .appUnknown)
        #expect(try await refusal { _ = try await world.world.prefetch() } == .appUnknown)
        let record = try #require(try await world.world.store.app(world.app))
        #expect(record.keys.isEmpty && record.sourceIDs.isEmpty && record.attesters.isEmpty)
        var registration = Apps.Registration(name: "thief")
        registration.id = world.app
        #expect(try await world.refused(CreateApp(registration)) == .parameterInvalid)
        #expect(try await world.lines().filter { $0.actor == "benji" }.map(\.order) == ["app.erase"])
        await world.end()
    }

    @Test("whatever can be said of a new app can be changed later, and taken away where that means something")
    func everyField() async throws {
        let world = try await AdministrationWorld()
        let attester = SoftwareDeviceSigner().publicKey.jwk.text
        var changes = AppChanges()
        changes[list: .bundles] = ListChange(["com.example.other"])
        changes[list: .capabilities] = ListChange(adding: ["ticked-page"], removing: ["verification"])
        changes[.rsaPublicKey] = .string(
            try _RSA.Signing.PrivateKey(keySize: .bits2048).publicKey.pemRepresentation)
        changes[.sign] = "rsa"
        changes[.dailyQuota] = 7
        changes[.leastAssurance] = "net+app"
        changes[list: .attesters] = ListChange([attester])
        changes[.appleTeam] = "A1B2C3D4E5"
        changes[.developmentKeys] = true
        changes[.scripLifetime] = 60
        changes[.tokenLifetime] = 61
        changes[.requestTimeTolerance] = 62
        changes[.numberWithoutPage] = true
        changes[.phonesWithoutKey] = true
        changes[list: .serverAddresses] = ListChange(["198.51.100.7"])
        changes[.unsignedRequests] = true
        changes[.openIDFromAnywhere] = true
        let digest = String(repeating: "A", count: 43)
        changes[list: .approvedContent] = ListChange([digest])
        changes[list: .sourceIDs] = ListChange(["123"])
        try await world.order(ChangeApp(world.app, changes))
        var app = try await world.authority.apps.find(world.app).record
        #expect(app.bundleIDs == ["com.example.other"] && app.capabilities == [.login, .tickedPage])
        #expect(app.rsaPublicKey != nil && app.signAlgorithm == .rsa && app.dailyQuota == 7)
        #expect(app.leastAssurance == .netApp && app.attesters == [attester])
        #expect(app.appleTeam == "A1B2C3D4E5" && app.takesDevelopmentKeys)
        #expect([app.scripLifetime, app.tokenLifetime, app.requestTimeTolerance] == [60, 61, 62])
        #expect(app.legacyNumberWithoutPage && app.phonesWithoutKey && app.unsignedRequests && app.openIDFromAnywhere)
        #expect(app.approvedContent == [digest] && app.sourceIDs == ["123"])
        var taken = AppChanges()
        taken[list: .attesters] = ListChange(removing: [AppRecord.digest(attester)])
        taken[.sign] = "md5"
        taken.cleared = Set(AppSetting.all.filter(\.isClearable)).subtracting([.attesters])
        try await world.order(ChangeApp(world.app, taken))
        app = try await world.authority.apps.find(world.app).record
        #expect(app.appleTeam == nil)
        #expect(app.attesters.isEmpty && app.rsaPublicKey == nil && app.dailyQuota == nil && app.sourceIDs.isEmpty)
        #expect([app.scripLifetime, app.tokenLifetime, app.requestTimeTolerance] == [nil, nil, nil])
        #expect(app.approvedContent.isEmpty)
        await world.end()
    }

    @Test(
        "a team at Apple has ten letters and digits",
        arguments: ["", "A1B2C3D4E", "a1b2c3d4e5", "A1B2C3D4E5F", "A1B2C3D4E "])
    func team(_ text: String) async throws {
        let world = try await AdministrationWorld()
        var changes = AppChanges()
        changes[.appleTeam] = .string(text)
        #expect(try await world.refused(ChangeApp(world.app, changes)) == .parameterInvalid)
        await world.end()
    }

    @Test("an attested key is listed, and revoked once, with a line that names it")
    func attestedKeys() async throws {
        let world = try await AdministrationWorld()
        let key = AttestedKeyRecord(
            appID: world.app, id: "one", publicKey: [4], deviceKey: "device", bundleID: "com.example.shop",
            isDevelopment: false, createdAt: world.world.clock.now)
        _ = try await (world.world.store as any AttestedKeyStore).insertAttestedKey(key)
        let listed = try await world.order(ListAttestedKeys(world.app))
        #expect(listed.arrayValue?.map { $0["key"]?.stringValue } == ["one"])
        #expect(try await world.order(ListAttestedKeys(world.app, deviceKey: "other")).arrayValue?.isEmpty == true)
        #expect(try await world.refused(ListAttestedKeys(world.app, limit: 0)) == .parameterInvalid)
        let revoked = try await world.order(RevokeAttestedKey(world.app, "one"))
        #expect(revoked["revokedAt"] != nil)
        #expect(
            try await (world.world.store as any AttestedKeyStore).attestedKey("one", of: world.app)?.revokedAt != nil)
        let line = try #require(try await world.lines().first { $0.order == "app.attested-key.revoke" })
        #expect(line.after?.contains(#""key":"one""#) == true)
        for name in ["one", "two"] {
            #expect(try await world.refused(RevokeAttestedKey(world.app, name)) == .parameterInvalid)
        }
        await world.end()
    }

    @Test("codes by SMS and phones without the app's key do not go together, whichever comes first")
    func codesNeedKeys() async throws {
        let world = try await AdministrationWorld()
        var (codes, keyless, back) = (AppChanges(), AppChanges(), AppChanges())
        codes[.leastAssurance] = "sms"
        codes[.workflow] = "one-tap-then-sms"
        keyless[.phonesWithoutKey] = true
        back[.workflow] = "one-tap"
        try await world.order(ChangeApp(world.app, codes))
        #expect(try await world.authority.apps.find(world.app).record.workflow == .oneTapThenSMS)
        #expect(try await world.refused(ChangeApp(world.app, keyless)) == .parameterInvalid)
        try await world.order(ChangeApp(world.app, back))
        try await world.order(ChangeApp(world.app, keyless))
        #expect(try await world.refused(ChangeApp(world.app, codes)) == .parameterInvalid)
        await world.end()
    }

    @Test("what is no page's digest is not approved, so that no slip shuts everybody out")
    func approvedDigests() async throws {
        let world = try await AdministrationWorld()
        for digest in ["garbage", "", String(repeating: "A", count: 42), String(repeating: "ä", count: 43)] {
            for change in [ListChange([digest]), ListChange(adding: [digest])] {
                var changes = AppChanges()
                changes[list: .approvedContent] = change
                #expect(try await world.refused(ChangeApp(world.app, changes)) == .parameterInvalid, "\(digest)")
            }
        }
        #expect(try await world.authority.apps.find(world.app).record.approvedContent.isEmpty)
        await world.end()
    }

    @Test("a reason that holds a phone number, control characters or more than 500 bytes is refused and not kept")
    func reasons() async throws {
        let world = try await AdministrationWorld()
        let long = String(repeating: "x", count: 501)
        let wrong = ["offends 13800138000", "+8613800138000", "a\u{1b}[2Jb", "two\nlines", long]
        for reason in wrong {
            let refused = try await refusal { try await world.order(SuspendApp(world.app), reason: reason) }
            #expect(refused == .parameterInvalid, "\(reason.debugDescription)")
        }
        try await world.order(SuspendApp(world.app), reason: "app 300000000001, ticket 20261122-7")
        let kept = try await world.lines().map(\.reason)
        #expect(kept == ["app 300000000001, ticket 20261122-7"] + Array(repeating: nil, count: wrong.count))
        await world.end()
    }

    @Test("an order about a number names its row of the register, and not the number")
    func numbers() async throws {
        let world = try await AdministrationWorld()
        let register = world.world.register
        _ = try await register.port(AuthorityWorld.number, to: .unicom, at: world.clock.now, by: .test)
        _ = try await register.reassign(AuthorityWorld.number, at: world.clock.now, by: .test)
        _ = try await register.reassign(AuthorityWorld.otherNumber, at: world.clock.now, by: .test)
        let lines = try await world.world.store.auditEntries(AuditFilter(), before: nil, limit: 2)
        let subject = "subscription \(world.world.subscription.subscription)"
        #expect(lines.map(\.subject) == [subject, subject])
        #expect(lines.map(\.before) == [nil, #"{"carrier":"mobile"}"#])
        #expect(lines.map(\.after) == [nil, #"{"carrier":"unicom"}"#])
        await world.end()
    }
}
