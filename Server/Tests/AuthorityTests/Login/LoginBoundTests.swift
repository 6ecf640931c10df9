import BenjiPolicy
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Synchronization
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Requests

@Suite("Requests of phones and servers at the edges of what is allowed")
struct LoginBoundTests {
    private func withWorld(_ body: (AuthorityWorld) async throws -> Void) async throws {
        try await withWorld({ _ in }, body)
    }

    private func withWorld(
        policy: CarrierPolicy = .standard, prefetchesPerNumber: Int = 1000,
        _ change: (inout Apps.Registration) -> Void, _ body: (AuthorityWorld) async throws -> Void
    ) async throws {
        let world = try await AuthorityWorld(policy: policy, prefetchesPerNumber: prefetchesPerNumber, change)
        do { try await body(world) } catch {
            await world.end()
            throw error
        }
        await world.end()
    }

    private func refused(_ body: () async throws -> Void) async throws -> Refusal? {
        do {
            try await body()
            return nil
        } catch let refusal as Refusal { return refusal }
    }

    // MARK: once, and not long after

    @Test("a signed request is taken within five minutes of its time either way, and once in a day")
    func takenOnce() async throws {
        try await withWorld { world async throws in
            let id = world.app.record.id
            func take(_ name: String, _ milliseconds: Int64 = 0) async throws -> Situation? {
                try await refusal {
                    try await world.authority.consume(
                        name, of: id, sentAt: world.clock.now + .milliseconds(milliseconds))
                }
            }
            for milliseconds in [-300_000, 300_000] as [Int64] {
                #expect(try await take("\(milliseconds)", milliseconds) == nil)
            }
            for milliseconds in [-300_001, 300_001] as [Int64] {
                #expect(try await take("\(milliseconds)", milliseconds) == .messageStale)
                #expect(try await take("\(milliseconds)") == nil, "a stale one takes no name")
            }
            #expect(try await take("a") == nil)
            #expect(try await take("a") == .messageReplayed)
            world.clock.advance(by: .seconds(86_399))
            #expect(try await take("a") == .messageReplayed)
        }
    }

    @Test("a consent counts that was tapped within two minutes of the server's time either way")
    func tapTimes() async throws {
        try await withWorld { world async throws in
            for (milliseconds, end) in [
                (-120_000, nil), (120_000, nil), (-120_001, .consentInvalid), (120_001, .consentInvalid),
            ] as [(Int64, Situation?)] {
                let response = try await world.prefetch()
                let consent = try world.consent(to: response) { record in
                    let moment = world.clock.now + .milliseconds(milliseconds)
                    (record.shownAt, record.tickedAt, record.tappedAt) = (moment, moment, moment)
                }
                #expect(
                    try await refusal { _ = try await world.authorize(response.scrip, consent: consent) } == end,
                    "\(milliseconds)")
            }
        }
    }

    @Test("an attestation may be dated two minutes ahead, and so may its challenge, which has sixteen bytes of code")
    func attestationTimes() async throws {
        try await withWorld { world async throws in
            let id = world.app.record.id
            func answer(issued: Int64, challenge: Int64) async throws -> Situation? {
                let now = world.clock.now
                let text = try ClientAttestation(
                    appID: id, bundleID: AuthorityWorld.bundle, keyThumbprint: world.phone.publicKey.thumbprint,
                    issuedAt: now + .seconds(issued), expiresAt: now + .seconds(3600),
                    challenge: world.vault.attestationChallenges.make(for: id, at: now + .seconds(challenge))
                ).signed(by: world.attester)
                return try await refusal { _ = try await world.prefetch(try world.call(attestation: text)) }
            }
            #expect(try await answer(issued: 120, challenge: 0) == nil)
            #expect(try await answer(issued: 121, challenge: 0) == .attestationInvalid)
            #expect(try await answer(issued: 0, challenge: 120) == nil)
            #expect(try await answer(issued: 1, challenge: 121) == .attestationInvalid)
            let challenge = world.authority.attestationChallenge(for: id)
            #expect(Base64URL.decode(challenge)?.count == 24)
            #expect(world.vault.attestationChallenges.issuedAt(challenge, for: id) == world.clock.now)
        }
    }

    @Test("the proof beside a registration of a key counts once, and a key ends with the bundle that it was made in")
    func attestedKeys() async throws {
        let (world, install) = try await AttestedInstall.world()
        let (request, device) = try install.registration(world)
        try await world.authority.register(request, from: device)
        #expect(try await refusal { try await world.authority.register(request, from: device) } == .proofReplayed)
        let offer = try await world.prefetch(try install.call(world))
        try await world.change { $0.bundleIDs = ["com.example.other"] }
        let refused = try await refused {
            _ = try await world.authorize(
                offer.scrip, consent: try world.consent(to: offer), device: try install.call(world))
        }
        #expect(refused?.situation == .attestationInvalid && refused?.detail == "the key is of another bundle")
        await world.end()
    }

    @Test(
        "a token is bought with a fresh proof, in the scrip's app, and by an attestation of one of its bundles"
    )
    func bought() async throws {
        try await withWorld { world async throws in
            var registration = Apps.Registration(name: "Another")
            registration.bundleIDs = [AuthorityWorld.bundle]
            let (id, other) = (world.app.record.id, try await world.authority.apps.register(registration).record.id)
            let (scrip, old) = (try await world.prefetch().scrip, try world.call())
            func end(_ app: AppID, _ device: DeviceCall) async throws -> Situation? {
                try await refusal {
                    _ = try await world.authority.authorize(
                        AuthorizeRequest(appID: app, scrip: scrip, purpose: .verification, consent: nil), from: device)
                }
            }
            world.clock.advance(by: .milliseconds(120_001))
            #expect(try await end(id, old) == .clockSkew)
            #expect(try await end(other, try world.call(SoftwareDeviceSigner())) == .scripInvalid)
            let foreign = try ClientAttestation(
                appID: id, bundleID: "com.example.foreign", keyThumbprint: world.phone.publicKey.thumbprint,
                issuedAt: world.clock.now, expiresAt: world.clock.now + .seconds(60),
                challenge: world.authority.attestationChallenge(for: id)
            ).signed(by: world.attester)
            #expect(try await end(id, try world.call(attestation: foreign)) == .attestationInvalid)
            #expect(try await end(id, try world.call(attested: true)) == nil)
        }
    }

    @Test("a page that the app draws needs no page digest")
    func appPage() async throws {
        try await withWorld { world async throws in
            let response = try await world.prefetch()
            let consent = try world.consent(to: response) {
                $0.content.drawnBy = .app
                $0.contentDigest = $0.content.digest
            }
            #expect(try await world.authorize(response.scrip, consent: consent).openID != nil)
        }
    }

    // MARK: what an app may

    @Test("an app that may neither log in nor verify is told so, and one that only verifies is shown no digit")
    func capabilities() async throws {
        try await withWorld(
            { $0.capabilities = [.tickedPage] },
            { world async throws in
                #expect(try await refusal { _ = try await world.prefetch() } == .capabilityMissing)
            })
        try await withWorld(
            { $0.capabilities = [.verification] },
            { world async throws in
                let response = try await world.prefetch()
                #expect(response.maskedNumber == "***********")
                let consent = try world.consent(to: response)
                #expect(
                    try await refusal { _ = try await world.authorize(response.scrip, consent: consent) }
                        == .capabilityMissing)
                _ = try await world.authorize(response.scrip, purpose: .verification, consent: nil)
            })
        try await withWorld(
            { $0.capabilities = [.login] },
            { world async throws in
                let response = try await world.prefetch()
                #expect(response.maskedNumber == "138****0001")
                #expect(
                    try await refusal {
                        _ = try await world.authorize(response.scrip, purpose: .verification, consent: nil)
                    } == .capabilityMissing)
            })
    }

    @Test("lives are the shorter of policy's and app's, and a scrip that is not reusable buys one token")
    func lifetimes() async throws {
        var policy = CarrierPolicy.standard
        policy.carriers[.mobile]?.lifetimes[.device] = CarrierPolicy.Lifetimes(
            scrip: 60, scripReusable: false, token: 30)
        for (scrip, token, lives) in [(nil, nil, [60, 30]), (10, 5, [10, 5]), (600, 300, [60, 30])]
            as [(
                Int64?, Int64?, [Int64]
            )]
        {
            try await withWorld(
                policy: policy, { ($0.scripLifetime, $0.tokenLifetime) = (scrip, token) },
                { world async throws in
                    let response = try await world.prefetch()
                    let bought = try await world.authorize(response.scrip, purpose: .verification, consent: nil)
                    #expect([response.scripLifetime, bought.tokenLifetime] == lives)
                    #expect(bought.scrip == nil && bought.nonce == nil)
                    #expect(
                        try await refusal {
                            _ = try await world.authorize(response.scrip, purpose: .verification, consent: nil)
                        } != nil)
                })
        }
    }

    // MARK: limits and traces

    @Test(
        "a key that used up its ten minutes is refused to their last second, and others are served briefly until then")
    func prefetchWindow() async throws {
        try await withWorld(
            prefetchesPerNumber: 1, { _ in },
            { world async throws in
                func lifetime(_ signer: SoftwareDeviceSigner) async throws -> Int64 {
                    try await world.prefetch(try world.call(signer)).scripLifetime
                }
                #expect(try await world.prefetch().scripLifetime == 3600)
                world.clock.advance(by: .milliseconds(599_999))
                #expect(try await refusal { _ = try await world.prefetch() } == .tooManyRequests)
                #expect(try await lifetime(SoftwareDeviceSigner()) == 120)
                world.clock.advance(by: .milliseconds(1))
                #expect(try await world.prefetch().scripLifetime == 3600)
                #expect(try await lifetime(SoftwareDeviceSigner()) == 120)
            })
    }

    @Test("tokens of one scrip are traced within their budget of ten minutes, and again after it")
    func tracedTokens() async throws {
        try await withWorld(
            prefetchesPerNumber: 2, { _ in },
            { world async throws in
                var scrip = try await world.prefetch().scrip
                func lines(after duration: Duration) async throws -> Int {
                    world.clock.advance(by: duration)
                    let before = try await world.rows().traces
                    let token = try await world.authorize(scrip, purpose: .verification, consent: nil)
                    scrip = try #require(token.scrip)
                    return try await world.rows().traces - before
                }
                #expect(try await lines(after: .zero) == 1)
                #expect(try await lines(after: .zero) == 1)
                #expect(try await lines(after: .zero) == 0)
                #expect(try await lines(after: .milliseconds(599_999)) == 0)
                #expect(try await lines(after: .milliseconds(1)) == 1)
            })
    }

    @Test("what is served briefly leaves no line, neither of a token nor of a refusal")
    func briefTraces() async throws {
        try await withWorld(
            prefetchesPerNumber: 1, { _ in },
            { world async throws in
                _ = try await world.prefetch(try world.call(SoftwareDeviceSigner()))
                let mine = try await world.prefetch()
                let guest = SoftwareDeviceSigner()
                let other = try await world.prefetch(try world.call(guest))
                #expect([mine.scripLifetime, other.scripLifetime] == [120, 120])
                let before = try await world.rows().traces
                _ = try await world.authorize(mine.scrip, consent: try world.consent(to: mine))
                #expect(
                    try await refusal {
                        _ = try await world.authorize(other.scrip, consent: nil, device: try world.call(guest))
                    } == .consentMissing)
                #expect(try await world.rows().traces == before)
            })
    }

    @Test("a proof that buys a token is shown once; the refusal names the login and leaves no line")
    func replayedProofs() async throws {
        try await withWorld { world async throws in
            let response = try await world.prefetch()
            let device = try world.call()
            let first = try await refused {
                _ = try await world.authorize(response.scrip, consent: nil, device: device)
            }
            #expect(first?.situation == .consentMissing && first?.trace == response.trace)
            let before = try await world.rows().traces
            let consent = try world.consent(to: response)
            let again = try await refused {
                _ = try await world.authorize(response.scrip, consent: consent, device: device)
            }
            #expect(again?.situation == .proofReplayed && again?.trace == response.trace)
            #expect(again?.serverTime == world.clock.now)
            #expect(try await world.rows().traces == before)
        }
    }

    @Test("a scrip is forgotten by a new proof of our time, for its own app")
    func forgetting() async throws {
        try await withWorld { world async throws in
            let (first, second) = (try await world.prefetch().scrip, try await world.prefetch().scrip)
            func forget(_ scrip: String, _ device: DeviceCall, app: AppID? = nil) async throws -> Situation? {
                try await refusal {
                    try await world.authority.forget(
                        ForgetRequest(appID: app ?? world.app.record.id, scrip: scrip), from: device)
                }
            }
            let device = try world.call()
            #expect(try await forget(first, device, app: AppID(rawValue: "300000000009")) == .scripStolen)
            #expect(try await forget(first, device) == nil)
            #expect(try await forget(second, device) == .proofReplayed)
            #expect(try await forget("SCrip", try world.call()) == nil, "nothing to forget")
            let old = try world.call()
            world.clock.advance(by: .milliseconds(120_001))
            #expect(try await forget(second, old) == .clockSkew)
            #expect(
                try await refusal { _ = try await world.authorize(second, purpose: .verification, consent: nil) } == nil
            )
        }
    }

    @Test("whoever looks on sees what the gateway said and why a prefetch was refused for it; neither is written down")
    func observedRefusals() async throws {
        try await withWorld { world async throws in
            final class Seen: Sendable {
                let steps = Mutex<[String]>([])
            }
            let seen = Seen()
            var observed = world
            observed.authority = Authority(
                configuration: world.authority.configuration, store: world.store, vault: world.vault,
                clock: world.clock, logger: AuthorityWorld.logger
            ) { event in
                seen.steps.withLock {
                    $0.append("\(event.party.rawValue) \(event.step) \(event.situation.rawValue)")
                }
            }
            for (sighting, steps) in [
                (
                    .failure(.staleAddress),
                    [
                        "gateway sighting \(Situation.addressStale.rawValue)",
                        "authority prefetch \(Situation.addressStale.rawValue)",
                    ]
                ),
                (
                    .success(world.sighting(gateway: "stranger")),
                    ["authority prefetch \(Situation.gatewayNotTrusted.rawValue)"]
                ),
            ] as [(Result<Sighting, SightingRefusal>, [String])] {
                seen.steps.withLock { $0 = [] }
                let call = try world.call(sighting: sighting)
                #expect(try await refusal { _ = try await observed.prefetch(call) } != nil)
                #expect(seen.steps.withLock { $0 } == steps)
            }
            #expect(try await world.rows().traces == 0)
        }
    }

    // MARK: sightings and stores

    @Test("a sighting of no row is stale, and of a pair it is the present owner's under its present fence alone")
    func sightings() async throws {
        try await withWorld { world async throws in
            let paired = world.restarted { configuration in
                configuration.gateways["gateway-2"] = [.mobile]
                configuration.pairs = ["gateway-1": "east", "gateway-2": "east"]
            }
            let seen = try await paired.authority.store.standing(ofPair: "east")
            let owned = try await paired.authority.store.claimPair("east", by: "gateway-1", seen: seen)
            func end(
                _ world: AuthorityWorld, _ gateway: String, _ fence: Int64?, _ row: SubscriptionReference? = nil
            ) async throws -> Situation? {
                var sighting = world.sighting(row, gateway: gateway)
                sighting.fence = fence
                let told = sighting
                return try await refusal { _ = try await world.authority.acceptedSighting(.success(told)) }
            }
            #expect(try await end(paired, "gateway-1", owned.fence) == nil)
            #expect(try await end(paired, "gateway-1", owned.fence + 1) == .addressStale)
            #expect(try await end(paired, "gateway-2", owned.fence) == .addressStale)
            #expect(try await end(paired, "gateway-1", nil) == .gatewayNotTrusted)
            #expect(try await end(world, "gateway-1", owned.fence) == .gatewayNotTrusted)
            let nobody = SubscriptionReference(subscription: 999, epoch: 1, simGeneration: 1)
            #expect(try await end(world, "gateway-1", nil, nobody) == .addressStale)
        }
    }

    @Test("a phone that the gateway saw has proved its address, and its carrier is noted once it is trusted")
    func proven() async throws {
        try await withWorld { world async throws in
            for (sighting, isProven, carrier) in [
                (.success(world.sighting()), true, .mobile), (.failure(.unknownAddress), false, nil),
                (.success(world.sighting(gateway: "stranger")), true, nil),
            ] as [(Result<Sighting, SightingRefusal>, Bool, Carrier?)] {
                let subject = RequestSubject()
                await RequestSubject.$current.withValue(subject) {
                    _ = try? await world.authority.acceptedSighting(sighting)
                }
                #expect(subject.isProven == isProven && subject.carrier == carrier)
            }
            let subject = RequestSubject()
            let token = try await world.token().token
            try await RequestSubject.$current.withValue(subject) { _ = try await world.redeem(nil, token) }
            #expect(subject.isProven && subject.carrier == .mobile)
        }
    }

    @Test("each failure of the store is told as what it is: one that passes, or one that does not")
    func storeFailures() async throws {
        try await withWorld { world async throws in
            let trace = TraceID(random: SystemRandomSource())
            for (code, situation) in [
                (.unavailable, .storeUnavailable), (.keyChanged, .storeUnavailable), (.keyNotAtHand, .storeUnavailable),
                (.gatewayReplaced, .addressStale), (.alreadyExists, .internalError), (.notFound, .internalError),
                (.outdated, .internalError), (.corrupt, .internalError),
            ] as [(StoreError.Code, Situation)] {
                let refusal = world.authority.failure(StoreError(code, "a test"), trace: trace)
                #expect(refusal.situation == situation, "\(code.rawValue)")
                #expect(refusal.serverTime == world.clock.now && !refusal.isAppOutdated && !refusal.smsLogin)
                #expect(refusal.detail.contains("master key") == (code == .keyNotAtHand))
                #expect(refusal.trace == (code == .gatewayReplaced ? nil : trace))
            }
            #expect(world.authority.appChanged().isAppOutdated)
            #expect(VaultError().isKeyMissing == false)
        }
    }

    @Test("a request that finds its app changed each time is judged three times, and one that is refused once")
    func judging() async throws {
        try await withWorld { world async throws in
            final class Attempts: Sendable {
                let count = Mutex(0)
            }
            func judged(_ authority: Authority, outdated: Bool) async -> Int {
                let attempts = Attempts()
                _ = try? await authority.judged(byApp: world.app.record.id) {
                    (_: RegisteredApp) async throws(Refusal) -> Bool in
                    attempts.count.withLock { $0 += 1 }
                    throw outdated ? authority.appChanged() : authority.failure(.parameterInvalid, "a test")
                }
                return attempts.count.withLock { $0 }
            }
            #expect(await judged(world.authority, outdated: true) == 1, "by the record that is remembered and present")
            #expect(await judged(world.restarted().authority, outdated: true) == 3)
            #expect(await judged(world.restarted().authority, outdated: false) == 1)
        }
    }

    @Test("where the master key is not at hand no token is spent and nothing comes into the log, and later both do")
    func missingKey() async throws {
        try await withWorld { world async throws in
            let keyless = Authority(
                configuration: world.authority.configuration, store: world.store,
                vault: Vault(
                    MasterKey(bytes: Array(repeating: 7, count: 32)), keeper: GivenMasterKeys(name: "x", keys: []),
                    store: nil, logger: AuthorityWorld.logger), clock: world.clock, logger: AuthorityWorld.logger)
            let token = try await world.token().token
            let refused = try await refused {
                _ = try await keyless.redeemNumber(keyless.admit(world.serverCall(), needs: .login), token: token)
            }
            #expect(refused?.situation == .storeUnavailable && refused?.detail.contains("master key") == true)
            #expect(try await world.store.ledgerEntries(app: world.app.record.id, limit: 9).isEmpty)
            #expect(try await world.redeem(nil, token).number == AuthorityWorld.number)
            await #expect(throws: StoreError(.keyNotAtHand, "")) { _ = try await keyless.appendToLog() }
            #expect(try await refusal { _ = try await world.authority.logHead() } == .storeUnavailable)
            _ = try await world.authority.appendToLog()
            #expect(try await world.authority.logHead().size == 2)
        }
    }
}
