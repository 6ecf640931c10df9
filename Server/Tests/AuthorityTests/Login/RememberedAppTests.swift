@_spi(Server) import BenjiProtocol
import GRDB
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Testing

@testable import Authority
@testable import Requests

/// The app's record changes in the store, as another process changes it: this one is not told.
@Suite("Phones' requests are judged by a remembered app, and by the present one where it matters")
struct RememberedAppTests {
    private func changeElsewhere(_ world: AuthorityWorld, _ change: (inout AppRecord) -> Void) async throws {
        var record = try #require(try await world.store.app(world.app.record.id))
        change(&record)
        try await world.store.updateApp(record)
    }

    @Test("An app that another process suspended gets no scrip, and one again as soon as that is lifted")
    func prefetch() async throws {
        let world = try await AuthorityWorld()
        _ = try await world.prefetch()
        try await changeElsewhere(world) { $0.suspended = true }
        #expect(try await refusal { _ = try await world.prefetch() } == .appSuspended)
        #expect(try await world.rows().scrips == 1)
        try await changeElsewhere(world) { $0.suspended = false }
        _ = try await world.prefetch()
        await world.end()
    }

    @Test("An app that another process suspended gets no token, and the scrip buys one as soon as that is lifted")
    func authorize() async throws {
        let world = try await AuthorityWorld()
        let response = try await world.prefetch()
        let consent = try world.consent(to: response)
        try await changeElsewhere(world) { $0.suspended = true }
        #expect(
            try await refusal { _ = try await world.authorize(response.scrip, consent: consent) } == .appSuspended)
        #expect(try await world.rows().tokens == 0)
        try await changeElsewhere(world) { $0.suspended = false }
        _ = try await world.authorize(response.scrip, consent: consent)
        #expect(try await world.rows().tokens == 1)
        await world.end()
    }

    @Test("What another process took from an app counts at the next token")
    func narrowed() async throws {
        let world = try await AuthorityWorld()
        let response = try await world.prefetch()
        try await changeElsewhere(world) { $0.leastAssurance = .netApp }
        #expect(
            try await refusal { _ = try await world.authorize(response.scrip, consent: world.consent(to: response)) }
                == .assuranceTooLow)
        #expect(try await refusal { _ = try await world.prefetch() } == .assuranceTooLow)
        try await changeElsewhere(world) { $0.bundleIDs = ["com.example.other"] }
        #expect(try await refusal { _ = try await world.prefetch() } == .bundleMismatch)
        await world.end()
    }

    @Test(
        """
        What vouched for a phone vouches no more once another process took it from the app, in the request that learns \
        of it too
        """
    )
    func vouching() async throws {
        let (world, install) = try await AttestedInstall.world()
        try await install.register(world)
        let response = try await world.prefetch(try install.call(world))
        #expect(response.assurance == .netApp)
        try await changeElsewhere(world) { $0.appleTeam = nil }
        #expect(
            try await refusal {
                _ = try await world.authorize(
                    response.scrip, consent: world.consent(to: response), device: try install.call(world))
            } == .attestationInvalid)
        #expect(try await world.rows().tokens == 0)
        try await changeElsewhere(world) { $0.appleTeam = AttestedInstall.team }
        try await changeElsewhere(world) { $0.name = "Another name" }
        let token = try await world.authorize(
            response.scrip, consent: world.consent(to: response), device: try install.call(world))
        #expect(token.assurance == .netApp)
        // Judged twice, and its counter taken once.
        try await changeElsewhere(world) { $0.name = "A third name" }
        let offer = try await world.prefetch(try install.call(world))
        #expect(offer.assurance == .netApp)
        try await changeElsewhere(world) { $0.name = "A fourth name" }
        let second = try await world.authorize(
            offer.scrip, consent: world.consent(to: offer), device: try install.call(world))
        #expect(second.assurance == .netApp)
        await world.end()
    }

    @Test("What another process gave an app counts at the next request")
    func widened() async throws {
        let world = try await AuthorityWorld { $0.capabilities = [.verification] }
        #expect(try await refusal { _ = try await world.prefetch(bundle: "com.example.new") } == .bundleMismatch)
        try await changeElsewhere(world) {
            $0.bundleIDs.append("com.example.new")
            $0.capabilities.insert(.login)
        }
        let response = try await world.prefetch(bundle: "com.example.new")
        #expect(response.maskedNumber == "138****0001")
        _ = try await world.authorize(response.scrip, consent: world.consent(to: response))
        await world.end()
    }

    @Test("A node that runs while the database is brought back judges by none of the revisions that are gone")
    func broughtBack() async throws {
        let world = try await AuthorityWorld()
        let id = world.app.record.id
        let first = try await world.authority.apps.find(id)
        for name in ["One", "Two"] { try await changeElsewhere(world) { $0.name = name } }
        let last = try await world.authority.apps.find(id)
        #expect(last.record.revision == first.record.revision + 2)
        let queue = try DatabaseQueue(path: world.directory + "/benji.sqlite")
        try await queue.write { db in
            try db.execute(
                sql: "UPDATE app SET name = ?, revision = ? WHERE id = ?",
                arguments: [first.record.name, first.record.revision, id.rawValue])
        }
        try queue.close()
        #expect(try await world.authority.apps.find(id).record.name == first.record.name)
        try await changeElsewhere(world) { $0.name = "Three" }
        try await changeElsewhere(world) { $0.suspended = true }
        let found = try await world.authority.apps.find(id)
        #expect(found.record.revision == last.record.revision && found.record.suspended)
        #expect(try await refusal { _ = try await world.prefetch() } == .appSuspended)
        // The double keeps what it knows, because what it reads is earlier.
        let naive = AppMemory()
        for app in [last, first] { naive.keep(app) }
        #expect(naive.app(id)?.record.revision == found.record.revision)
        #expect(naive.app(id)?.record.suspended == false, "the double must fall")
        await world.end()
    }

    @Test(
        "A request that finds its app changed is judged anew by every later record, also by one that was brought back")
    func judgedAnew() async throws {
        let world = try await AuthorityWorld()
        let (authority, id) = (world.authority, world.app.record.id)
        let former = try await authority.apps.find(id)
        try await changeElsewhere(world) { $0.name = "Two" }
        func bringBack() async {
            do {
                let queue = try DatabaseQueue(path: world.directory + "/benji.sqlite")
                try await queue.write { db in
                    try db.execute(
                        sql: "UPDATE app SET name = ?, revision = ? WHERE id = ?",
                        arguments: [former.record.name, former.record.revision, id.rawValue])
                }
                try queue.close()
            } catch { Issue.record(error) }
        }
        var names: [String] = []
        let isAnswered = try await authority.judged(byApp: id, seen: former) {
            (app: RegisteredApp) async throws(Refusal) -> Bool in
            names.append(app.record.name)
            if names.count == 1 { throw authority.failure(.parameterInvalid, "a test") }
            if names.count == 2 {
                await bringBack()
                throw authority.appChanged()
            }
            return true
        }
        #expect(isAnswered && names == ["Shop", "Two", "Shop"])
        await world.end()
    }

    @Test("A token without a scrip is issued by the present record of the app alone; no other error counts as a change")
    func issuedAtOnce() async throws {
        let world = try await AuthorityWorld()
        func issue(_ app: AppRecord) async -> Refusal? {
            let now = world.clock.now
            let random = SystemRandomSource()
            let token = TokenRecord(
                hash: CredentialHash(of: CredentialGrammar.token.make(at: now, random: random), .token),
                appID: app.id, purpose: .login, subscription: world.subscription, carrier: .mobile,
                binding: BindingID(rawValue: 7), deviceKey: "key", assurance: .net, trace: TraceID(random: random),
                dialect: .device, issuedAt: now, expiresAt: now + .seconds(60))
            do {
                try await world.authority.issueAtOnce(token, of: app, appRevision: app.revision, unusedPerKey: 9)
                return nil
            } catch { return error }
        }
        let former = try await world.authority.apps.find(world.app.record.id).record
        try await changeElsewhere(world) { $0.name = "Another name" }
        let present = try await world.authority.apps.find(former.id).record
        #expect(await issue(former)?.isAppOutdated == true)
        #expect(await issue(present) == nil)
        #expect(try await world.rows().tokens == 1)
        await world.end()
        let refusal = await issue(former)
        #expect(refusal?.situation == .storeUnavailable && refusal?.isAppOutdated == false)
    }

    @Test("A request that is judged twice counts once against the phone's limit")
    func limit() async throws {
        let world = try await AuthorityWorld(prefetchesPerNumber: 2)
        _ = try await world.prefetch()
        try await changeElsewhere(world) { $0.name = "Another name" }
        _ = try await world.prefetch()
        #expect(try await refusal { _ = try await world.prefetch() } == .tooManyRequests)
        await world.end()
    }
}
