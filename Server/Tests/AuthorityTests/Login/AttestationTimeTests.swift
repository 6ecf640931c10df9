@_spi(Server) import BenjiProtocol
import ServerTestKit
import Store
import Testing

@testable import Authority

@Suite("How long an attestation counts") struct AttestationTimeTests {
    private static let day: Int64 = 86400

    /// Returns an attestation. By default it is issued now and lives for a day.
    private func attestation(
        _ world: AuthorityWorld, issued: Int64? = 0, lives seconds: Int64 = day, challenge: String?
    ) throws -> String {
        try ClientAttestation(
            appID: world.app.record.id, bundleID: AuthorityWorld.bundle,
            keyThumbprint: world.phone.publicKey.thumbprint,
            issuedAt: issued.map { world.clock.now + .seconds($0) },
            expiresAt: world.clock.now + .seconds((issued ?? 0) + seconds), challenge: challenge
        ).signed(by: world.attester)
    }

    private func answer(_ world: AuthorityWorld, _ text: String) async throws -> Situation? {
        try await refusal {
            let response = try await world.prefetch(try world.call(attestation: text))
            #expect(response.assurance == .netApp)
        }
    }

    /// As it was: the end alone counts.
    private func naive(_ world: AuthorityWorld, _ text: String) throws -> Bool {
        try ClientAttestation(verifying: text, attesters: [world.attester.publicKey]).expiresAt > world.clock.now
    }

    @Test("An attestation counts for a day from its challenge, to the second, and no longer whatever its end says")
    func oneDay() async throws {
        let world = try await AuthorityWorld()
        let text = try attestation(world, challenge: world.authority.attestationChallenge(for: world.app.record.id))
        world.clock.advance(by: .seconds(Self.day - 1))
        #expect(try await answer(world, text) == nil)
        world.clock.advance(by: .seconds(1))
        #expect(try await answer(world, text) == .attestationInvalid)
        await world.end()
    }

    @Test("One that is valid for seventy years is worth nothing")
    func seventyYears() async throws {
        let world = try await AuthorityWorld()
        let challenge = world.authority.attestationChallenge(for: world.app.record.id)
        let text = try attestation(world, lives: 70 * 365 * Self.day, challenge: challenge)
        #expect(try naive(world, text), "the double must fall")
        #expect(try await answer(world, text) == .attestationInvalid)
        #expect(try await answer(world, try attestation(world, lives: Self.day + 1, challenge: challenge)) != nil)
        #expect(try await answer(world, try attestation(world, challenge: challenge)) == nil)
        await world.end()
    }

    @Test("One that was signed in advance, for later, is worth nothing then: its challenge is old or nobody's")
    func inAdvance() async throws {
        let world = try await AuthorityWorld()
        let challenge = world.authority.attestationChallenge(for: world.app.record.id)
        let stock = try (0..<5).map { try attestation(world, issued: Int64($0) * Self.day, challenge: challenge) }
        for (index, text) in stock.enumerated() where index > 0 {
            #expect(try await answer(world, text) == .attestationInvalid, "dated \(index) days ahead")
            world.clock.advance(by: .seconds(Self.day))
            #expect(try naive(world, text), "the double must fall")
            #expect(try await answer(world, text) == .attestationInvalid, "used on its day")
        }
        await world.end()
    }

    @Test("A challenge is one of this server's, for this app, and not from the future")
    func challenges() async throws {
        let world = try await AuthorityWorld()
        let challenges = world.vault.attestationChallenges
        let app = world.app.record.id
        let other = try #require(AppID(rawValue: "300000000009"))
        let stranger = Vault(masterKey: MasterKey(bytes: Array(repeating: 9, count: 32))).attestationChallenges
        let good = challenges.make(for: app, at: world.clock.now)
        var bytes = try #require(Base64URL.decode(good))
        var longer = bytes
        longer.insert(0, at: 8)
        bytes[7] ^= 1
        let wrong = [
            challenges.make(for: other, at: world.clock.now), stranger.make(for: app, at: world.clock.now),
            Base64URL.encode(bytes), Base64URL.encode(longer), String(good.dropLast()), "x",
            challenges.make(for: app, at: world.clock.now + .seconds(121)),
            challenges.make(for: app, at: world.clock.now - .seconds(Self.day)),
        ]
        for text in wrong {
            #expect(try await answer(world, try attestation(world, challenge: text)) == .attestationInvalid)
        }
        #expect(try await answer(world, try attestation(world, challenge: good)) == nil)
        // Signed before the challenge was given: another clock, or a challenge that somebody added.
        #expect(
            try await answer(world, try attestation(world, issued: -121, challenge: good)) == .attestationInvalid)
        #expect(try await answer(world, try attestation(world, issued: -120, challenge: good)) == nil)
        await world.end()
    }

    @Test("Every answer to a prefetch brings a challenge where the app has attesters, and none where it has not")
    func comesWithPrefetch() async throws {
        let world = try await AuthorityWorld()
        let challenge = try #require(try await world.prefetch().attestationChallenge)
        world.clock.advance(by: .seconds(3600))
        #expect(try await answer(world, try attestation(world, challenge: challenge)) == nil)
        await world.end()
        let without = try await AuthorityWorld { $0.attesters = [] }
        #expect(try await without.prefetch().attestationChallenge == nil)
        await without.end()
    }

    @Test(
        """
        Without time and challenge an attestation is refused; where they are not asked for, it is weaker, and bounded \
        still
        """
    )
    func withoutChallenge() async throws {
        let world = try await AuthorityWorld()
        let old = try attestation(world, issued: nil, challenge: nil)
        #expect(try await answer(world, old) == .attestationInvalid)
        let noTime = try attestation(
            world, issued: nil, challenge: world.authority.attestationChallenge(for: world.app.record.id))
        #expect(try await answer(world, noTime) == .attestationInvalid)
        #expect(try await answer(world, try attestation(world, challenge: nil)) == .attestationInvalid)
        let weaker = world.restarted { $0.takesUnchallengedAttestations = true }
        #expect(try await answer(weaker, old) == nil)
        #expect(
            try await answer(weaker, try attestation(world, issued: nil, lives: Self.day + 1, challenge: nil))
                == .attestationInvalid)
        // WEAKER: an attestation signed long ago for a future moment is accepted at that moment.
        let stock = try attestation(world, issued: nil, lives: 30 * Self.day, challenge: nil)
        world.clock.advance(by: .seconds(29 * Self.day + 1))
        #expect(try await answer(weaker, stock) == nil)
        #expect(try await answer(world, stock) == .attestationInvalid)
        // A wrong challenge is wrong there too.
        #expect(try await answer(weaker, try attestation(world, challenge: "x")) == .attestationInvalid)
        await world.end()
    }
}
