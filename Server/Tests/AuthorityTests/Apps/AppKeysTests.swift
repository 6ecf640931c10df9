@_spi(Server) import BenjiProtocol
import ServerTestKit
import Store
import StoreSQLite
import Testing

@testable import Authority
@testable import Requests

@Suite("Keys of an app")
struct AppKeysTests {
    private func works(_ key: AppKey, in world: AuthorityWorld) async throws -> Bool {
        try await refusal { _ = try await world.prefetch(appKey: key.reveal()) } == nil
    }

    /// Whether a server that signs with the key is admitted, by the app as it is or as somebody remembers it.
    private func admits(_ key: AppKey, _ app: RegisteredApp? = nil, in world: AuthorityWorld) async throws -> Bool {
        let present = try await world.authority.registeredApp(world.app.record.id)
        let app = app ?? present
        guard let signer = app.serverKey({ $0 == key }) else { return false }
        var call = world.serverCall(app)
        call.key = signer
        do {
            _ = try world.authority.admit(call, needs: .login)
            return true
        } catch {
            #expect(error.situation == .signWrong)
            return false
        }
    }

    @Test("the app key before works beside the new one until it is retired")
    func keyRotation() async throws {
        let world = try await AuthorityWorld()
        let (apps, id, first) = (world.authority.apps, world.app.record.id, world.app.key)
        let second = try await apps.rotateKey(of: id).key
        #expect(try await [works(first, in: world), works(second, in: world)] == [true, true])
        #expect(try await refusal { _ = try await apps.rotateKey(of: id) } == .parameterInvalid, "a third")
        try await apps.retireKey(of: id)
        #expect(try await [works(first, in: world), works(second, in: world)] == [false, true])
        #expect(try await refusal { try await apps.retireKey(of: id) } == .parameterInvalid, "the last one")
        #expect(try await refusal { try await apps.retireKey(of: id, version: 2) } == .parameterInvalid, "the last one")
        // A new key that no client received can itself be retired, and its version is not used again.
        let third = try await apps.rotateKey(of: id).key
        try await apps.retireKey(of: id, version: 3)
        #expect(try await [works(second, in: world), works(third, in: world)] == [true, false])
        let fourth = try await apps.rotateKey(of: id, keeping: .none)
        #expect(fourth.record.keys(for: .package).map(\.version) == [4])
        #expect(
            try await [works(second, in: world), works(third, in: world), works(fourth.key, in: world)] == [
                false, false, true,
            ])
        #expect(fourth.serverSecret == world.app.serverSecret, "the server secret stays")
        await world.end()
    }

    @Test("a key that stays for some days ends with them, also to who remembers the app")
    func overlap() async throws {
        let world = try await AuthorityWorld()
        let (apps, id) = (world.authority.apps, world.app.record.id)
        let key = try await apps.rotateKey(of: id, keeping: .days(30)).key
        let rotated = try await apps.rotateKey(.server, of: id, keeping: .days(30))
        world.clock.advance(by: .seconds(30 * 86400 - 1))
        #expect(try await [works(world.app.key, in: world), works(key, in: world)] == [true, true])
        #expect(try await admits(world.app.serverSecret, rotated, in: world))
        world.clock.advance(by: .seconds(1))
        #expect(try await [works(world.app.key, in: world), works(key, in: world)] == [false, true])
        #expect(try await [admits(world.app.serverSecret, rotated, in: world)] == [false])
        #expect(try await admits(rotated.serverSecret, rotated, in: world))
        for days in [0, 3651, -1] {
            #expect(
                try await refusal { _ = try await apps.rotateKey(of: id, keeping: .days(days)) } == .parameterInvalid)
        }
        await world.end()
    }

    @Test("what phones carry signs nothing of a server's; of an app with one key it does")
    func twoKeys() async throws {
        let world = try await AuthorityWorld()
        #expect(!world.app.record.hasOneKey(at: world.clock.now))
        #expect(try await admits(world.app.serverSecret, in: world))
        #expect(try await [admits(world.app.key, in: world)] == [false])
        #expect(try await works(world.app.key, in: world))
        #expect(
            try await [works(world.app.serverSecret, in: world)] == [false], "nor does the server secret work on phones"
        )
        await world.end()
        let old = try await AuthorityWorld { $0.hasOneKey = true }
        #expect(old.app.record.hasOneKey(at: old.clock.now))
        #expect(try await [admits(old.app.key, in: old), works(old.app.key, in: old)] == [true, true])
        #expect(
            try await refusal { _ = try await old.authority.apps.rotateKey(.server, of: old.app.record.id) }
                == .parameterInvalid)
        await old.end()
    }

    @Test(
        "an app without a server secret has none to rotate or retire, and the refusal names the command that adds one")
    func noServerSecret() async throws {
        let world = try await AuthorityWorld { $0.hasOneKey = true }
        let (apps, id) = (world.authority.apps, world.app.record.id)
        func detail(_ order: () async throws -> RegisteredApp) async throws -> String {
            do { _ = try await order() } catch let refusal as Refusal { return refusal.detail }
            return "done"
        }
        for said in [
            try await detail { try await apps.rotateKey(.server, of: id) },
            try await detail { try await apps.rotateKey(.server, of: id, keeping: .none) },
            try await detail { try await apps.retireKey(.server, of: id) },
            try await detail { try await apps.retireKey(.server, of: id, version: 1) },
        ] {
            #expect(said.contains("give it a server secret first: benji app split-keys \(id)"), "\(said)")
        }
        #expect(try await world.authority.registeredApp(id).record.keys(for: .server).isEmpty)
        await world.end()
    }

    @Test("the copy of an app key says when the key was made, not when it was copied")
    func ageOfACopy() async throws {
        let world = try await AuthorityWorld { $0.hasOneKey = true }
        let made = world.clock.now
        world.clock.advance(by: .seconds(86400))
        let split = try await world.authority.apps.splitKeys(of: world.app.record.id).record
        #expect(split.keys.first { $0.isInPackage }?.createdAt == made)
        await world.end()
    }

    @Test("an app that is given a server secret goes on as before until the key is retired as one")
    func splitting() async throws {
        let world = try await AuthorityWorld { $0.hasOneKey = true }
        let (apps, id, key) = (world.authority.apps, world.app.record.id, world.app.key)
        let split = try await apps.splitKeys(of: id)
        #expect(split.key == key && split.serverSecret != key)
        #expect(split.record.hasOneKey(at: world.clock.now), "it is marked until then")
        #expect(
            try await [admits(key, in: world), admits(split.serverSecret, in: world), works(key, in: world)] == [
                true, true, true,
            ])
        #expect(try await refusal { _ = try await apps.splitKeys(of: id) } == .parameterInvalid, "twice")
        let retired = try await apps.retireKey(.server, of: id)
        #expect(!retired.record.hasOneKey(at: world.clock.now))
        #expect(
            try await [admits(key, in: world), admits(split.serverSecret, in: world), works(key, in: world)] == [
                false, true, true,
            ])
        await world.end()
    }

    @Test(
        """
        what was in the package redeems nothing after its key was ended at once, nor what was copied from it when the \
        app was split
        """
    )
    func leakedKey() async throws {
        let world = try await AuthorityWorld { $0.hasOneKey = true }
        let (apps, id, leaked) = (world.authority.apps, world.app.record.id, world.app.key)
        let split = try await apps.splitKeys(of: id)
        let everywhere: (inout AppRecord) -> Void = { $0.serverAddresses = ["0.0.0.0/0"] }
        #expect(
            try await refusal { try await apps.change(id, acceptingWideAddresses: true, everywhere) }
                == .parameterInvalid, "the app has one key still")
        #expect(NaiveAppRules.takesWideAddresses(split.record))
        let rotated = try await apps.rotateKey(of: id, keeping: .none)
        #expect(!rotated.record.hasOneKey(at: world.clock.now))
        #expect(try await [admits(leaked, in: world), works(leaked, in: world)] == [false, false])
        #expect(try await [admits(leaked, split, in: world)] == [true], "by who remembers the app, until it redeems")
        #expect(
            try await [
                admits(split.serverSecret, in: world), works(rotated.key, in: world), admits(rotated.key, in: world),
            ] == [true, true, false])
        try await apps.change(id, acceptingWideAddresses: true, everywhere)

        // The double replaces the key of one use.
        var naive = rotated.record
        naive.revision += 1
        naive.keys = split.record.keys(for: .server) + rotated.record.keys(for: .package)
        try await world.store.updateApp(naive)
        #expect(try await [admits(leaked, in: world)] == [true], "the double")
        // The next change of the app key ends the copy that such a double left.
        try await apps.rotateKey(of: id)
        #expect(try await [admits(leaked, in: world)] == [false])
        await world.end()
    }

    @Test("a copy of an app key among the server secrets ends with that key, at once or by itself, and never after it")
    func copiesEnd() async throws {
        let world = try await AuthorityWorld { $0.hasOneKey = true }
        let (apps, id, first) = (world.authority.apps, world.app.record.id, world.app.key)
        let split = try await apps.splitKeys(of: id)
        try await apps.rotateKey(of: id)
        #expect(try await admits(first, in: world), "the key before stays valid, and so does its copy")
        try await apps.retireKey(of: id)
        #expect(try await [admits(first, in: world), works(first, in: world)] == [false, false])
        #expect(try await admits(split.serverSecret, in: world))
        await world.end()

        let slow = try await AuthorityWorld { $0.hasOneKey = true }
        let (others, other, key) = (slow.authority.apps, slow.app.record.id, slow.app.key)
        try await others.splitKeys(of: other)
        let rotated = try await others.rotateKey(of: other, keeping: .days(30))
        #expect(rotated.record.hasOneKey(at: slow.clock.now))
        slow.clock.advance(by: .seconds(30 * 86400 - 1))
        #expect(try await [admits(key, in: slow), works(key, in: slow)] == [true, true])
        slow.clock.advance(by: .seconds(1))
        #expect(try await [admits(key, in: slow), works(key, in: slow)] == [false, false])
        #expect(try await !others.find(other).record.hasOneKey(at: slow.clock.now))
        await slow.end()
    }

    @Test(
        """
        an app whose server has nothing but a copy of the app key to sign with is not shut out; the refusal says what \
        to do first
        """
    )
    func lastSecret() async throws {
        let world = try await AuthorityWorld { $0.hasOneKey = true }
        let (apps, id, key) = (world.authority.apps, world.app.record.id, world.app.key)
        try await apps.splitKeys(of: id)
        // Somebody thinks that the new secret leaked.
        try await apps.retireKey(.server, of: id, version: 2)
        do {
            try await apps.rotateKey(of: id, keeping: .none)
            Issue.record("the server has nothing to sign with")
        } catch { #expect(error.detail.contains("benji app rotate-secret \(id)")) }
        #expect(try await [admits(key, in: world), works(key, in: world)] == [true, true])
        // A change that keeps the copy locks no server out.
        try await apps.rotateKey(of: id, keeping: .untilRetired)
        #expect(try await [admits(key, in: world), works(key, in: world)] == [true, true])
        let secret = try await apps.rotateKey(.server, of: id).serverSecret
        try await apps.rotateKey(of: id, keeping: .none)
        #expect(try await [admits(key, in: world), admits(secret, in: world)] == [false, true])
        await world.end()
    }

    @Test(
        """
        an app that is split while its key is changed goes on: its server may sign with either key, each as long as it \
        lasts
        """
    )
    func splittingInRotation() async throws {
        let world = try await AuthorityWorld { $0.hasOneKey = true }
        let (apps, id, older) = (world.authority.apps, world.app.record.id, world.app.key)
        let newer = try await apps.rotateKey(of: id, keeping: .days(30)).key
        let secret = try await apps.splitKeys(of: id, keeping: .days(60)).serverSecret
        #expect(
            try await [admits(older, in: world), admits(newer, in: world), admits(secret, in: world)] == [
                true, true, true,
            ])
        world.clock.advance(by: .seconds(30 * 86400))
        #expect(try await [admits(older, in: world), admits(newer, in: world)] == [false, true])
        try await apps.retireKey(.server, of: id)
        #expect(try await [admits(newer, in: world), admits(secret, in: world)] == [false, true])
        await world.end()

        let strict = try await AuthorityWorld { $0.hasOneKey = true }
        try await strict.authority.apps.rotateKey(of: strict.app.record.id)
        let split = try await strict.authority.apps.splitKeys(of: strict.app.record.id, keeping: .none)
        #expect(split.record.keys(for: .server).count == 1)
        #expect(try await [admits(strict.app.key, in: strict), admits(split.key, in: strict)] == [false, false])
        await strict.end()
    }

    @Test(
        "naming server addresses closes OpenID Connect and CAMARA to all others, unless the same order says otherwise")
    func namedAddresses() {
        for (said, names, before, wanted) in [
            (nil, true, true, false), (nil, false, true, true), (true, true, true, true), (true, true, false, true),
            (false, false, true, false), (nil, true, false, false), (true, false, false, true),
        ] as [(Bool?, Bool, Bool, Bool)] {
            var app = AppRecord(
                id: AppID(rawValue: "300000000001")!, name: "x", keys: [], capabilities: [], bundleIDs: [],
                serverAddresses: [], createdAt: Timestamp(milliseconds: 0))
            app.openIDFromAnywhere = before
            app.settleOpenIDFromAnywhere(said, namesAddresses: names)
            #expect(app.openIDFromAnywhere == wanted, "said \(String(describing: said)), names \(names)")
        }
    }

    @Test("the day of a key's last use is written once a day, later, and is no change of the app")
    func usages() async throws {
        let world = try await AuthorityWorld()
        let (apps, id) = (world.authority.apps, world.app.record.id)
        func written() async throws -> [String] {
            try await apps.writeUsages()
            return try await apps.usages(of: id).map {
                "\($0.use.rawValue) \($0.version) \(CalendarDay(number: $0.day))"
            }
        }
        #expect(try await written() == [])
        _ = try await world.prefetch()
        _ = try await world.prefetch()
        #expect(try await refusal { _ = try await world.prefetch(appKey: "wrong") } == .appKeyWrong)
        #expect(try await apps.usages(of: id).isEmpty, "a phone does not wait for it")
        #expect(try await written() == ["package 1 2026-09-21"])
        #expect(try await admits(world.app.serverSecret, in: world))
        world.clock.advance(by: .seconds(86400))
        #expect(try await admits(world.app.serverSecret, in: world))
        #expect(try await written() == ["package 1 2026-09-21", "server 1 2026-09-22"])
        #expect(try await apps.find(id).record.revision == 1)
        await world.end()
    }

    @Test("usages that could not be written are kept for the next time")
    func unwrittenUsages() {
        let usages = KeyUsages(capacity: 2)
        let app = AppID(rawValue: "300000000001")!
        usages.note(.server, 1, of: app, day: 2)
        usages.note(.server, 1, of: app, day: 2)
        usages.note(.server, 1, of: app, day: 1)
        let taken = usages.take()
        #expect(taken == [AppKeyUsage(appID: app, use: .server, version: 1, day: 2)])
        #expect(usages.take().isEmpty)
        usages.giveBack(taken)
        usages.note(.server, 2, of: app, day: 2)
        usages.note(.server, 3, of: app, day: 2)
        #expect(usages.take().count == 3)
    }

    @Test("a rotation holds whatever others change meanwhile; a double that does not compare brings the old key back")
    func rotationComesBack() async throws {
        let world = try await AuthorityWorld()
        let (apps, id) = (world.authority.apps, world.app.record.id)
        let bundles = (0..<24).map { "com.example.\($0)" }
        let rotated = try await withThrowingTaskGroup(of: Void.self) { group in
            for bundle in bundles {
                group.addTask { try await apps.change(id) { $0.bundleIDs.append(bundle) } }
            }
            let rotated = try await apps.rotateKey(of: id, keeping: .none)
            try await group.waitForAll()
            return rotated
        }
        #expect(try await Set(apps.find(id).record.bundleIDs) == Set(bundles + [AuthorityWorld.bundle]))
        #expect(try await [works(rotated.key, in: world), works(world.app.key, in: world)] == [true, false])

        // The double: what every change was before it compared.
        let read = try await apps.find(id).record
        let again = try await apps.rotateKey(of: id, keeping: .none)
        var late = read
        late.name = "late"
        await #expect(throws: StoreError(.outdated, "")) { try await world.store.updateApp(late) }
        #expect(try await [works(again.key, in: world), works(rotated.key, in: world)] == [true, false])
        late.revision = again.record.revision
        try await world.store.updateApp(late)
        #expect(try await [works(rotated.key, in: world), works(again.key, in: world)] == [true, false], "the double")
        await world.end()
    }

    @Test("wide blocks of server addresses are taken only if they are meant, and never for an app with one key")
    func wideAddresses() async throws {
        let world = try await AuthorityWorld()
        let (apps, id) = (world.authority.apps, world.app.record.id)
        for address in ["0.0.0.0/0", "::/0", "128.0.0.0/1", "10.0.0.0/15", "2001:db8::/47"] {
            let change: (inout AppRecord) -> Void = { $0.serverAddresses = [address] }
            #expect(try await refusal { try await apps.change(id, change) } == .parameterInvalid, "\(address)")
            let app = try await apps.change(id, acceptingWideAddresses: true, change)
            #expect(app.record.wideServerAddresses == [address])
            try await apps.change(id) { $0.name = "still the same addresses" }
            var registration = Apps.Registration(name: "x")
            registration.serverAddresses = [address]
            #expect(try await refusal { _ = try await apps.register(registration) } == .parameterInvalid)
            registration.acceptsWideAddresses = true
            registration.hasOneKey = true
            #expect(try await refusal { _ = try await apps.register(registration) } == .parameterInvalid)
            registration.hasOneKey = false
            _ = try await apps.register(registration)
        }
        for address in ["10.0.0.0/16", "2001:db8::/48", "203.0.113.7"] {
            let app = try await apps.change(id) { $0.serverAddresses = [address] }
            #expect(app.record.wideServerAddresses.isEmpty)
        }
        await world.end()
    }
}

/// The rule of before: any secret that is in no package will do, whatever else may sign.
private enum NaiveAppRules {
    static func takesWideAddresses(_ app: AppRecord) -> Bool {
        !app.keys.isEmpty && app.keys.contains { $0.use == .server && !$0.isInPackage }
    }
}
