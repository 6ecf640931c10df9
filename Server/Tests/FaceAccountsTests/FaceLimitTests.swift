import BenjiFaceProtocol
@_spi(Server) import BenjiProtocol
import ServerTestKit
import Sightings
import Store
import Testing

@testable import Authority
@testable import FaceAccounts
@testable import Requests

@Suite("Limits of face login's endpoints") struct FaceLimitTests {
    private let app = AppID(rawValue: "300000000001")!
    private let other = AppID(rawValue: "300000000002")!

    private func proof() -> DeviceProof {
        DeviceProof(
            id: SystemRandomSource().alphanumerics(22), method: "POST", url: "u", issuedAt: Timestamp(seconds: 1000),
            body: [], localAddress: nil, key: Self.key.publicKey)
    }

    @Test("A limit hangs on the address, of IPv6 on its /64, and on the app; a new device key buys nothing")
    func sources() {
        let sources = SourceLimiter(calls: 3)
        let now = Timestamp(seconds: 1000)
        for address in ["203.0.113.7", "2001:db8:1:2::1"] {
            for _ in 0..<3 { #expect(sources.admits(InternetAddress(address), app, now: now)) }
            #expect(!sources.admits(InternetAddress(address), app, now: now))
            #expect(sources.admits(InternetAddress(address), other, now: now))
        }
        #expect(!sources.admits(InternetAddress("2001:db8:1:2:3:4:5:6"), app, now: now), "the same /64")
        #expect(sources.admits(InternetAddress("2001:db8:1:3::1"), app, now: now))
        #expect(sources.admits(InternetAddress("203.0.113.8"), app, now: now))
        #expect(sources.admits(nil, app, now: now), "a call that a gateway passed on has none")
        // A third of ten minutes brings one call back, and a clock that is put back none.
        #expect(!sources.admits(InternetAddress("203.0.113.7"), app, now: now + .seconds(199)))
        #expect(sources.admits(InternetAddress("203.0.113.7"), app, now: now + .seconds(201)))
        #expect(!sources.admits(InternetAddress("203.0.113.7"), app, now: now))
    }

    @Test("Strangers in any number keep nobody out: the sources that were quiet longest are forgotten")
    func manySources() {
        let sources = SourceLimiter(calls: 1, capacity: 100)
        let now = Timestamp(seconds: 1000)
        for number in 0..<1000 {
            #expect(sources.admits(InternetAddress("198.51.\(number / 250).\(number % 250)"), app, now: now))
        }
        #expect(sources.count <= 100)
        // The most recent callers are still known, up to half of the capacity.
        for number in 950..<1000 {
            #expect(sources.isSpent(InternetAddress("198.51.\(number / 250).\(number % 250)")!, app, now: now))
        }
    }

    @Test(
        "Comparisons count for ten minutes in a process; faces of others do so everywhere, and for a day"
    )
    func windows() async throws {
        let configured = { (configuration: inout FaceProvider.Configuration) in
            (configuration.comparisons, configuration.dailyFaces) = (2, 3)
        }
        try await withFaceWorld(configured: configured) { world in
            let first = try await world.enrol()
            /// One face, before the account.
            func show(_ person: UInt8, to node: FaceWorld) async throws -> Situation? {
                try await refusal {
                    let begun = try await node.begin(.login, .remembered(first.remembered))
                    try await node.show(person, in: begun.session)
                }
            }
            let (owner, stranger) = (FaceWorld.owner, FaceWorld.stranger)
            for expected in [nil, nil, .tooManyRequests] as [Situation?] {
                #expect(try await show(owner, to: world) == expected)
            }
            world.world.clock.advance(by: .seconds(599))
            #expect(try await show(owner, to: world) == .tooManyRequests)
            world.world.clock.advance(by: .seconds(1))
            #expect(try await show(owner, to: world) == nil)
            let node = world.restarted()
            for _ in 0..<2 { #expect(try await show(stranger, to: node) == nil) }
            #expect(try await show(owner, to: world.restarted()) == .tooManyRequests)
            world.world.clock.advance(by: .seconds(599))
            #expect(try await show(owner, to: world.restarted()) == .tooManyRequests)
            world.world.clock.advance(by: .seconds(1))
            #expect(try await show(owner, to: world.restarted()) == nil)
            // The third of the day.
            #expect(try await show(stranger, to: world.restarted()) == nil)
            #expect(try await show(owner, to: world.restarted()) == .tooManyRequests)
            world.world.clock.advance(by: .seconds(86_400 - 600 - 1))
            #expect(try await show(owner, to: world.restarted()) == .tooManyRequests)
            world.world.clock.advance(by: .seconds(1))
            #expect(try await show(owner, to: world.restarted()) == nil)
        }
    }

    @Test("There is room for twenty thousand sessions, and the standing of eighty thousand keys is known")
    func room() async throws {
        try await withFaceWorld(capabilities: FaceSearchTests.capabilities) { world in
            let (faces, now) = (world.faces, world.world.clock.now)
            let session = FaceSession(
                appID: app, deviceKey: "k", trace: TraceID(random: SystemRandomSource()), purpose: .login,
                nonceHash: "", expiresAt: now + .seconds(600), subscription: world.world.subscription, needs: [],
                attemptsLeft: 3)
            let inserted = (0..<20_001).prefix { faces.sessions.insert(session, "\($0)", now: now) }
            #expect(inserted.count == 20_000)
            let token = try await world.token()
            #expect(try await refusal { _ = try await world.begin(.login, .oneTap(token)) } == .overloaded)
            let group = try await world.group(of: [])
            #expect(try await refusal { _ = try await world.searchBegin(group) } == .overloaded)
            for key in 0..<80_000 { faces.standings.note(.stranger, of: "\(key)", until: now + .seconds(600)) }
            #expect(faces.frameStanding(of: "0") == .stranger)
            faces.standings.note(.stranger, of: "80000", until: now + .seconds(600))
            #expect(faces.frameStanding(of: "0") == .none)
        }
    }

    /// A limiter that counts by device key: a caller that makes keys defeats it.
    @Test("Six thousand app tokens leave from one address where a limit hangs on the device key")
    func naiveKeys() {
        let naive = RateLimiter(limit: 10, window: .seconds(600), capacity: 1_000_000)
        let sources = SourceLimiter(calls: 1200)
        let now = Timestamp(seconds: 1000)
        let counts = (0..<6000).reduce(into: (naive: 0, ours: 0)) { counts, number in
            if naive.admits("key \(number)", now: now) { counts.naive += 1 }
            if sources.admits(InternetAddress("203.0.113.7"), app, now: now) { counts.ours += 1 }
        }
        #expect(counts.naive == 6000 && counts.ours == 1200)
    }

    private static let key = SoftwareDeviceSigner()

    // MARK: budgets

    /// One call of a key of which nothing is known, unless said otherwise.
    private func take(
        _ budget: FaceBudget, _ key: String, attested: Bool = false, known: Bool = false,
        at address: String? = "203.0.113.7", after seconds: Int64 = 0
    ) async throws -> FaceBudget.Service {
        try await budget.take(
            key, app, from: address.flatMap { InternetAddress($0) }, isAttested: attested,
            now: Timestamp(seconds: 1000 + seconds)
        ) { () throws(Refusal) in known }
    }

    @Test(
        "An address's budget holds keys of which nothing is known, and neither attested ones nor those with an account")
    func budget() async throws {
        let budget = FaceBudget(perKey: 3, perAddress: 2)
        for key in ["a", "b"] { #expect(try await take(budget, key) == .full) }
        #expect(try await take(budget, "c") == .refused)
        #expect(try await take(budget, "attested", attested: true) == .full)
        #expect(try await take(budget, "known", known: true) == .full)
        #expect(try await take(budget, "c", at: "203.0.113.8") == .full)
        #expect(try await take(budget, "d", at: nil) == .full, "a call that a gateway passed on has no address")
        // Each of them is counted by itself.
        for _ in 0..<2 { #expect(try await take(budget, "attested", attested: true) == .full) }
        #expect(try await take(budget, "attested", attested: true) == .refused)
        for _ in 0..<2 { #expect(try await take(budget, "known", known: true) == .full) }
        #expect(try await take(budget, "known", known: true) == .refused)
        // Attested keys do not use up the address's budget.
        let fresh = FaceBudget(perKey: 9, perAddress: 1)
        for number in 0..<100 { _ = try await take(fresh, "\(number)", attested: true) }
        #expect(try await take(fresh, "new") == .full)
    }

    @Test("Above an address's budget new keys are served briefly, so many a second and never none")
    func brief() async throws {
        let budget = FaceBudget(perKey: 3, perAddress: 1, servesBriefly: true)
        #expect(try await take(budget, "first") == .full)
        for number in 0..<FaceBudget.briefBurst { #expect(try await take(budget, "\(number)") == .brief) }
        #expect(try await take(budget, "late") == .refused)
        for second in Int64(1)...5 {
            var served = 0
            for number in 0..<100 {
                if try await take(budget, "\(second) \(number)", after: second) == .brief { served += 1 }
            }
            #expect(served == FaceBudget.briefPerSecond)
        }
        #expect(try await take(budget, "v6", at: "2001:db8::1") == .full)
        #expect(try await take(budget, "v6", at: "2001:db8::2") == .brief, "the same /64")
    }

    /// The rule of before: everybody at an address counts against everybody there.
    @Test("A guest with 1,203 keys keeps the attested phone of his address out where the address alone is counted")
    func naiveAddress() async throws {
        let naive = SourceLimiter(calls: 1200)
        let ours = FaceBudget(perKey: 60, perAddress: 1200, servesBriefly: true)
        let now = Timestamp(seconds: 1000)
        for number in 0..<1203 {
            _ = naive.admits(InternetAddress("203.0.113.7"), app, now: now)
            _ = try await take(ours, "guest \(number)")
        }
        #expect(!naive.admits(InternetAddress("203.0.113.7"), app, now: now))
        #expect(try await take(ours, "phone", attested: true) == .full)
    }

    @Test("App tokens of strangers in any number put out no token of an attested phone")
    func tokenMemory() {
        let tokens = FaceAppTokens(capacity: 10)
        let now = Timestamp(seconds: 1000)
        func insert(_ name: String, _ kind: FaceAppTokens.Kind) {
            tokens.insert(
                name,
                .init(
                    holder: .init(app: app, deviceKey: name), isAttested: kind == .own, kind: kind,
                    expiresAt: now + .seconds(60)))
        }
        func has(_ name: String) -> Bool {
            let isHeld = tokens.kind(of: .init(app: app, deviceKey: name), now: now) != nil
            #expect(isHeld == (tokens.entry(of: name, deviceKey: name, now: now) != nil))
            return isHeld
        }
        insert("phone", .own)
        insert("first", .shared)
        for number in 0..<100 { insert("brief \(number)", .brief) }
        #expect(has("phone") && has("first"))
        for number in 0..<100 { insert("shared \(number)", .shared) }
        #expect(has("phone") && !has("first"))
        #expect(!has("shared 89") && has("shared 90") && has("shared 99"), "the ten newest are kept")
        #expect(tokens.kind(of: .init(app: app, deviceKey: "phone"), now: now) == .own)
        #expect(tokens.holderCount == 21, "of whoever was forgotten nothing stays")
        let later = now + .seconds(60)
        #expect(tokens.kind(of: .init(app: app, deviceKey: "phone"), now: later) == nil, "it has expired")
        #expect(tokens.entry(of: "phone", deviceKey: "another", now: now) == nil)
    }

    @Test("Searches that are only begun fill a quarter of the table of sessions, and put out none that has seen a face")
    func searchSessions() {
        let sessions = FaceSessions(capacity: 40)
        let now = Timestamp(seconds: 1000)
        func insert(_ name: String, _ needs: Set<FaceNeed>, _ whose: SubscriptionReference?, _ number: Int) -> Bool {
            let session = FaceSession(
                appID: app, deviceKey: "k", trace: TraceID(random: SystemRandomSource()), purpose: .login,
                nonceHash: "", expiresAt: now + .seconds(Int64(100 + number)), subscription: whose, needs: needs,
                attemptsLeft: 3)
            return sessions.insert(session, name, now: now)
        }
        func has(_ name: String) -> Bool { sessions.session(name, deviceKey: "k", now: now) != nil }
        #expect(insert("looking", [], nil, 0))
        for number in 1..<100 { #expect(insert("idle \(number)", [.face], nil, number)) }
        #expect(sessions.count == 10 && has("looking") && has("idle 99") && !has("idle 90"))
        let holder = SubscriptionReference(subscription: 1, epoch: 1, simGeneration: 1)
        for number in 0..<30 { #expect(insert("login \(number)", [.face], holder, number)) }
        #expect(!insert("one more", [.face], holder, 0))
    }

    @Test("Whoever only begins searches uses up none of the app's: they are counted where a challenge was passed")
    func appSearches() async throws {
        try await withFaceWorld(
            capabilities: FaceSearchTests.capabilities, configured: { $0.appSearches = 1 },
            { world in
                let first = try await world.enrolForGroups()
                let group = try await world.group(of: [first.openID])
                for _ in 0..<5 {
                    let stranger = SoftwareDeviceSigner()
                    _ = try await world.faces.searchBegin(
                        FaceSearchBeginRequest(appToken: try await world.appToken(of: stranger), group: group),
                        from: try world.world.call(stranger))
                }
                let session = try await world.looking(in: group)
                #expect(try await world.look(session) == first.openID)
                let second = try await world.looking(in: group)
                #expect(try await refusal { _ = try await world.look(second) } == .tooManyRequests)
            })
    }

    @Test("A flood of face requests leaves the memory that one-tap logins need as it was")
    func ownMemory() async throws {
        try await withFaceWorld { world in
            let call = try world.world.call()
            let app = world.app
            try world.faces.admit(call, app)
            #expect(try await refusal { try world.faces.admit(call, app) } == .proofReplayed)
            // The same proof is new to the other memory: nothing was written there.
            try world.world.authority.checkNew(call.proof)
        }
    }

    @Test("A proof of face login counts once until it is too old, and a full memory forgets instead of refusing")
    func proofs() {
        let proofs = FaceProofs(capacity: 1000)
        let now = Timestamp(seconds: 1000)
        let first = proof()
        #expect(proofs.insert(first, now: now))
        for seconds in [0, 120, 240] {
            #expect(!proofs.insert(first, now: now + .seconds(Int64(seconds))), "after \(seconds) s")
        }
        let late = proof()
        #expect(proofs.insert(late, now: now + .seconds(200)))
        #expect(!proofs.insert(late, now: now + .seconds(245)), "remembered beside what began anew")
        for number in 0..<2000 {
            #expect(
                proofs.insert(proof(), now: now + .seconds(246)), "\(number)")
        }
        // One capacity ago is still known.
        let last = proof()
        #expect(proofs.insert(last, now: now + .seconds(247)))
        for _ in 0..<400 { _ = proofs.insert(proof(), now: now + .seconds(247)) }
        #expect(!proofs.insert(last, now: now + .seconds(247)))
    }
}
