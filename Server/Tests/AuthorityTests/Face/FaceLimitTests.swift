@_spi(Server) import BenjiProtocol
import Store
import Testing

@testable import Authority

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
        // Whoever came lately is still known, as many as half of what is remembered.
        for number in 950..<1000 {
            #expect(sources.isSpent(InternetAddress("198.51.\(number / 250).\(number % 250)")!, app, now: now))
        }
    }

    /// The limiter that counts by device key: it falls to whoever makes keys.
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

    @Test(
        "From one address an app's tokens, searches and questions run out, whatever device asks, and another address goes on"
    )
    func endpoints() async throws {
        try await withFaceWorld(
            capabilities: FaceSearchTests.capabilities,
            configured: {
                $0.addressAppTokens = 2
                $0.addressSearches = 2
                $0.addressQuestions = 2
            },
            { world in
                func from(_ address: String, _ device: SoftwareDeviceSigner) throws -> DeviceCall {
                    var call = try world.world.call(device)
                    call.source = InternetAddress(address)
                    return call
                }
                func appToken(_ address: String, _ device: SoftwareDeviceSigner) async throws -> String {
                    let call = try from(address, device)
                    return try await world.faces.appToken(
                        FaceAppTokenRequest(
                            appID: world.app.record.id, bundleID: AuthorityWorld.bundle,
                            appKeyProof: AppKeyProof.make(
                                appKey: world.app.key.reveal(), appID: world.app.record.id, proofID: call.proof.id,
                                keyThumbprint: call.proof.key.thumbprint)), from: call
                    ).appToken
                }
                let group = try await world.faces.createGroup(name: "g", tag: "", info: "{}", for: world.serverCall())
                var found: [String: [Situation?]] = [:]
                for _ in 0..<3 {
                    let device = SoftwareDeviceSigner()
                    // Its token comes by another address, so that one limit is looked at at a time.
                    let token = try await world.appToken(of: device)
                    let tokens = try await refusal { _ = try await appToken("203.0.113.7", device) }
                    let searches = try await refusal {
                        _ = try await world.faces.searchBegin(
                            FaceSearchBeginRequest(appToken: token, group: group.id),
                            from: try from("203.0.113.7", device))
                    }
                    let questions = try await refusal {
                        _ = try await world.faces.state(
                            FaceStateRequest(appToken: token, uid: "u"), from: try from("203.0.113.7", device))
                    }
                    for (name, situation) in [("tokens", tokens), ("searches", searches), ("questions", questions)] {
                        found[name, default: []].append(situation)
                    }
                }
                #expect(found.values.allSatisfy { $0 == [nil, nil, .tooManyRequests] }, "\(found)")
                _ = try await appToken("203.0.113.8", SoftwareDeviceSigner())
            })
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
        for number in 0..<2000 {
            #expect(
                proofs.insert(proof(), now: now + .seconds(241)), "\(number)")
        }
        // One capacity ago is still known.
        let last = proof()
        #expect(proofs.insert(last, now: now + .seconds(242)))
        for _ in 0..<400 { _ = proofs.insert(proof(), now: now + .seconds(242)) }
        #expect(!proofs.insert(last, now: now + .seconds(242)))
    }
}
