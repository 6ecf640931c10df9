import AppAttest
import ServerTestKit
import Store
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Requests

@Suite("A key of App Attest is registered once and vouches for its device key")
struct AppAttestTests {
    @Test("a login by a registered key earns net+app, and by none net")
    func login() async throws {
        let (world, install) = try await AttestedInstall.world()
        #expect(try await world.token().assurance == .net)
        try await install.register(world)
        let offer = try await world.prefetch(try install.call(world))
        #expect(offer.assurance == .netApp)
        #expect(offer.attestationChallenge != nil)
        let token = try await world.authorize(
            offer.scrip, consent: try world.consent(to: offer), device: try install.call(world))
        #expect(token.assurance == .netApp)
        #expect(
            try await (world.store as any AttestedKeyStore).attestedKey(install.keyID, of: world.app.record.id)?.counter
                == 2)
    }

    @Test("an app that asks for net+app lets no phone in without a key")
    func required() async throws {
        let (world, install) = try await AttestedInstall.world { $0.leastAssurance = .netApp }
        await expectRefusal(.assuranceTooLow) { try await world.prefetch() }
        try await install.register(world)
        #expect(try await world.prefetch(try install.call(world)).assurance == .netApp)
    }

    @Test("a registration whose answer was lost may be sent again by its phone, and by no other")
    func again() async throws {
        let (world, install) = try await AttestedInstall.world()
        let (request, device) = try install.registration(world)
        try await world.authority.register(request, from: device)
        try await install.register(world)
        await expectRefusal(.attestationInvalid) {
            try await install.register(world, signer: SoftwareDeviceSigner())
        }
    }

    @Test("a phone that was installed anew registers another key, and the one before ends")
    func reinstalled() async throws {
        let (world, install) = try await AttestedInstall.world()
        try await install.register(world)
        let anew = try AttestedInstall(world, under: install.authority)
        try await anew.register(world)
        #expect(try await world.prefetch(try anew.call(world)).assurance == .netApp)
        await expectRefusal(.attestationInvalid) { try await world.prefetch(try install.call(world)) }
    }

    @Test("a server without a root, and an app without a team, register nothing")
    func unknown() async throws {
        var (world, install) = try await AttestedInstall.world()
        world.trust(nil)
        await expectRefusal(.attestationInvalid) { try await install.register(world) }
        let (other, _) = try await AttestedInstall.world { $0.appleTeam = nil }
        await expectRefusal(.attestationInvalid) { try await install.register(other) }
    }

    @Test("a key of an app under development counts where the app takes those, and until it does not any more")
    func development() async throws {
        let (strict, install) = try await AttestedInstall.world()
        await expectRefusal(.attestationInvalid) {
            let (request, device) = try install.registration(strict, environment: .development)
            try await strict.authority.register(request, from: device)
        }
        let (world, other) = try await AttestedInstall.world { $0.takesDevelopmentKeys = true }
        let (request, device) = try other.registration(world, environment: .development)
        try await world.authority.register(request, from: device)
        #expect(try await world.prefetch(try other.call(world)).assurance == .netApp)
        try await world.authority.apps.change(world.app.record.id, by: .test) { $0.takesDevelopmentKeys = false }
        await expectRefusal(.attestationInvalid) { try await world.prefetch(try other.call(world)) }
    }

    @Test("a key that is revoked vouches for nothing and is not registered again")
    func revoked() async throws {
        let (world, install) = try await AttestedInstall.world()
        try await install.register(world)
        #expect(
            try await (world.store as any AttestedKeyStore).revokeAttestedKey(
                install.keyID, of: world.app.record.id, at: world.clock.now, audit: nil))
        await expectRefusal(.attestationInvalid) { try await world.prefetch(try install.call(world)) }
        await expectRefusal(.attestationInvalid) {
            try await world.authority.vouching(for: try install.call(world), of: world.app.record)
        }
        await expectRefusal(.attestationInvalid) { try await install.register(world) }
    }

    @Test(
        "a key is registered with a fresh proof, by one who knows the app's key, for its bundle and our challenge"
    )
    func registrations() async throws {
        let (world, install) = try await AttestedInstall.world()
        func end(
            _ device: DeviceCall? = nil, challenge: String? = nil,
            _ change: (inout AttestationRequest) -> Void = { _ in }
        ) async throws -> Situation? {
            let (made, caller) = try install.registration(world, device: device, challenge: challenge)
            var request = made
            change(&request)
            let changed = request
            return try await refusal { try await world.authority.register(changed, from: caller) }
        }
        let (old, challenge) = (try world.call(), world.authority.attestationChallenge(for: world.app.record.id))
        world.clock.advance(by: .milliseconds(120_001))
        #expect(try await end(old) == .clockSkew)
        #expect(try await end { $0.appKeyProof = nil } == .appKeyWrong)
        #expect(try await end { $0.bundleID = "com.example.other" } == .bundleMismatch)
        #expect(try await end(challenge: "mine") == .attestationInvalid)
        world.clock.advance(by: .seconds(86_400))
        #expect(try await end(challenge: challenge) == .attestationInvalid)
        #expect(try await end() == nil)
        await world.end()
    }

    @Test("a registered key speaks for its own bundle, and for nobody where the server has no root any more")
    func bundles() async throws {
        let beta = "com.example.shop.beta"
        var (world, install) = try await AttestedInstall.world { $0.bundleIDs = [AuthorityWorld.bundle, beta] }
        try await install.register(world)
        await expectRefusal(.attestationInvalid) { try await world.prefetch(try install.call(world), bundle: beta) }
        #expect(try await world.prefetch(try install.call(world)).assurance == .netApp)
        world.trust(nil)
        await expectRefusal(.attestationInvalid) { try await world.prefetch(try install.call(world)) }
        await world.end()
    }

    @Test("an assertion that has counted vouches for nothing more, whether it is counted again or looked at alone")
    func counted() async throws {
        let (world, install) = try await AttestedInstall.world()
        try await install.register(world)
        let (authority, app, call) = (world.authority, world.app.record, try install.call(world))
        let vouching = try await authority.vouching(for: call, of: app)
        #expect(vouching == .key(install.keyID, counter: 1))
        #expect(try await authority.vouching(for: call, of: app) == vouching)
        try await authority.count(vouching, of: app.id)
        await expectRefusal(.attestationInvalid) { try await authority.count(vouching, of: app.id) }
        await expectRefusal(.attestationInvalid) { try await authority.vouching(for: call, of: app) }
        #expect(try await authority.vouching(for: call, of: app, counted: vouching) == vouching)
        await world.end()
    }

    private func expectRefusal<Value>(
        _ situation: Situation, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Value
    ) async {
        do {
            _ = try await body()
            Issue.record("nothing was refused", sourceLocation: sourceLocation)
        } catch { #expect((error as? Refusal)?.situation == situation, sourceLocation: sourceLocation) }
    }
}
