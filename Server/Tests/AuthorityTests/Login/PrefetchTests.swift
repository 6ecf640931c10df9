import Authority
import BenjiPolicy
@_spi(Server) import BenjiProtocol
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Testing

@testable import Requests

@Suite struct PrefetchTests {
    @Test("A phone on mobile data gets a scrip, the mask, its carrier's page and nothing more of the number")
    func success() async throws {
        let world = try await AuthorityWorld()
        let response = try await world.prefetch()
        #expect(response.maskedNumber == "138****0001")
        #expect(response.carrier == .mobile)
        #expect(response.page.termsTitle == "中国移动认证服务条款")
        #expect(response.scripLifetime == 3600)
        #expect(response.assurance == .net)
        #expect(!response.json.text.contains("13800000001"))
        await world.end()
    }

    @Test(
        "An address that names no subscriber gets no scrip",
        arguments: zip(
            SightingRefusal.allCases,
            [
                Situation.addressUnknown, .addressStale, .addressAmbiguous, .addressStale, .subscriberUnsupported,
            ]))
    func refusedSightings(_ sighting: SightingRefusal, _ expected: Situation) async throws {
        let world = try await AuthorityWorld()
        #expect(
            try await refusal { _ = try await world.prefetch(try world.call(sighting: .failure(sighting))) } == expected
        )
        await world.end()
    }

    @Test("A bundle id that the app did not register gets no scrip")
    func bundle() async throws {
        let world = try await AuthorityWorld()
        #expect(try await refusal { _ = try await world.prefetch(bundle: "com.evil.shop") } == .bundleMismatch)
        await world.end()
    }

    @Test("An SDK that does not know the app's key gets no scrip")
    func appKey() async throws {
        let world = try await AuthorityWorld()
        #expect(try await refusal { _ = try await world.prefetch(appKey: "guess") } == .appKeyWrong)
        await world.end()
    }

    @Test("Without an app key only an app that is registered for it is served, and a wrong key is wrong there too")
    func withoutAppKey() async throws {
        let strict = try await AuthorityWorld()
        #expect(try await refusal { _ = try await strict.prefetch(provesAppKey: false) } == .appKeyWrong)
        await strict.end()
        let world = try await AuthorityWorld { $0.phonesWithoutKey = true }
        #expect(try await world.prefetch(provesAppKey: false).assurance == .net)
        #expect(try await world.prefetch().assurance == .net)
        #expect(try await refusal { _ = try await world.prefetch(appKey: "guess") } == .appKeyWrong)
        await world.end()
    }

    @Test("A phone without an app key is let in by an app that asks for more only when its platform vouches for it")
    func withoutAppKeyAttested() async throws {
        let world = try await AuthorityWorld {
            $0.phonesWithoutKey = true
            $0.leastAssurance = .netApp
        }
        #expect(try await refusal { _ = try await world.prefetch(provesAppKey: false) } == .assuranceTooLow)
        let attested = try await world.prefetch(try world.call(attested: true), provesAppKey: false)
        #expect(attested.assurance == .netApp)
        await world.end()
    }

    @Test("A proof works once")
    func replay() async throws {
        let world = try await AuthorityWorld()
        let call = try world.call()
        _ = try await world.prefetch(call)
        #expect(try await refusal { _ = try await world.prefetch(call) } == .proofReplayed)
        await world.end()
    }

    @Test(
        "A proof is of our time to two minutes, and never older than the server", arguments: [119, 120, 121] as [Int64])
    func proofTime(_ seconds: Int64) async throws {
        let world = try await AuthorityWorld()
        world.clock.advance(by: .seconds(1000))
        let call = try world.call()
        world.clock.advance(by: .seconds(seconds))
        #expect(try await refusal { _ = try await world.prefetch(call) } == (seconds > 120 ? .clockSkew : nil))
        await world.end()
    }

    @Test("A proof that is one second older than the server is refused, however fresh it is", arguments: [0, 1, 100])
    func olderThanServer(_ running: Int64) async throws {
        let world = try await AuthorityWorld()
        let start = world.clock.now
        world.clock.advance(by: .seconds(running))
        var early = try world.call()
        early.proof.issuedAt = start - .seconds(1)
        #expect(try await refusal { _ = try await world.prefetch(early) } == .clockSkew)
        var first = try world.call()
        first.proof.issuedAt = start
        #expect(try await refusal { _ = try await world.prefetch(first) } == nil)
        await world.end()
    }

    @Test("A suspended app, and one that is not on the allow-list, get no scrip")
    func appState() async throws {
        let world = try await AuthorityWorld { $0.allowed = false }
        #expect(try await refusal { _ = try await world.prefetch() } == .appNotAllowed)
        var record = world.app.record
        record.suspended = true
        try await world.store.updateApp(record)
        #expect(try await refusal { _ = try await world.prefetch() } == .appSuspended)
        await world.end()
    }

    @Test("A gateway speaks only for its own carriers")
    func gatewayTrust() async throws {
        let world = try await AuthorityWorld()
        // The last one may speak for China Unicom, but the subscription is China Mobile's.
        for sighting in [
            world.sighting(carrier: .telecom), world.sighting(gateway: "stranger"), world.sighting(carrier: .unicom),
        ] {
            #expect(
                try await refusal { _ = try await world.prefetch(try world.call(sighting: .success(sighting))) }
                    == .gatewayNotTrusted)
        }
        await world.end()
    }

    @Test("A carrier that is switched off gets no scrip")
    func disabledCarrier() async throws {
        var policy = CarrierPolicy.standard
        policy.carriers[.mobile]?.enabled = false
        let world = try await AuthorityWorld(policy: policy)
        #expect(try await refusal { _ = try await world.prefetch() } == .carrierUnsupported)
        await world.end()
    }

    @Test(
        """
        A copied app id and key earn net and nothing more; an attested phone earns net+app; naming its address counts \
        only then
        """
    )
    func assurance() async throws {
        let world = try await AuthorityWorld()
        let confirmed = world.sighting(localAddressConfirmed: true)
        #expect(try await world.prefetch(try world.call(sighting: .success(confirmed))).assurance == .net)
        #expect(try await world.prefetch(try world.call(attested: true)).assurance == .netApp)
        #expect(
            try await world.prefetch(try world.call(sighting: .success(confirmed), attested: true)).assurance
                == .netAppAddress)
        await world.end()
    }

    @Test("A wrong attestation is refused, never quietly worth less")
    func wrongAttestation() async throws {
        let world = try await AuthorityWorld()
        func attestation(
            by signer: SoftwareDeviceSigner, app: AppID? = nil, bundle: String = AuthorityWorld.bundle,
            key: String? = nil, seconds: Int64 = 60
        ) throws -> String {
            try ClientAttestation(
                appID: app ?? world.app.record.id, bundleID: bundle,
                keyThumbprint: key ?? world.phone.publicKey.thumbprint, issuedAt: world.clock.now,
                expiresAt: world.clock.now + .seconds(seconds),
                challenge: world.authority.attestationChallenge(for: app ?? world.app.record.id)
            ).signed(by: signer)
        }
        let wrong = [
            try attestation(by: SoftwareDeviceSigner()),
            try attestation(by: world.attester, app: AppID(rawValue: "300000000009")),
            try attestation(by: world.attester, bundle: "com.evil.app"),
            try attestation(by: world.attester, key: SoftwareDeviceSigner().publicKey.thumbprint),
            try attestation(by: world.attester, seconds: 0), "not a JWT",
        ]
        for text in wrong {
            #expect(
                try await refusal { _ = try await world.prefetch(try world.call(attestation: text)) }
                    == .attestationInvalid)
        }
        await world.end()
    }

    @Test("An attestation for another of the app's bundle ids than the request's is refused")
    func attestedBundle() async throws {
        let world = try await AuthorityWorld { $0.bundleIDs = [AuthorityWorld.bundle, "com.example.shop.beta"] }
        // The world attests its first bundle id.
        #expect(try await world.prefetch(try world.call(attested: true)).assurance == .netApp)
        let other = try world.call(attested: true)
        #expect(
            try await refusal { _ = try await world.prefetch(other, bundle: "com.example.shop.beta") }
                == .attestationInvalid)
        #expect(try await world.prefetch(bundle: "com.example.shop.beta").assurance == .net)
        await world.end()
    }

    @Test("Weaker than the app accepts is refused")
    func leastAssurance() async throws {
        let world = try await AuthorityWorld { $0.leastAssurance = .netApp }
        #expect(try await refusal { _ = try await world.prefetch() } == .assuranceTooLow)
        #expect(try await world.prefetch(try world.call(attested: true)).assurance == .netApp)
        await world.end()
    }

    @Test("A session of a replaced SIM is stale to the authority, whatever the gateway still says")
    func staleGeneration() async throws {
        let world = try await AuthorityWorld()
        world.clock.advance(by: .seconds(1))
        _ = try await world.register.observe([
            SubscriberObservation(
                number: AuthorityWorld.number, imsi: "460000000000099", carrier: .mobile, eventTime: world.clock.now)
        ])
        #expect(try await refusal { _ = try await world.prefetch() } == .addressStale)
        await world.end()
    }
}
