import AppAttest
import AppAttestModel
import Crypto
import Foundation
import ServerTestKit
import Store
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Requests

/// Verifies the signature of a registered key over the client data that the phone sends. It does not check that the
/// data are about this request, this device key and this app. It checks neither the challenge nor the key's counter.
private struct NaiveService {
    let appID: AppID
    let keys: [String: [UInt8]]

    /// - Parameter proof: the content that the assertion was made over, as the caller states it.
    func believes(_ call: DeviceCall, over proof: DeviceProof) -> Bool {
        guard let text = call.attestation, let assertion = try? KeyAssertion(parsing: text),
            let object = try? AssertionObject(decoding: assertion.evidence),
            let key = try? P256.Signing.PublicKey(x963Representation: keys[assertion.keyID] ?? []),
            let signature = try? P256.Signing.ECDSASignature(derRepresentation: object.signature)
        else { return false }
        let hash = KeyAssertion.clientDataHash(appID: appID, challenge: assertion.challenge, proof: proof)
        let nonce = SHA256.hash(data: object.authenticatorData + hash)
        return key.isValidSignature(signature, for: Data(nonce))
    }
}

private struct RealService {
    let world: AuthorityWorld

    /// Whether a login by this call earns more than one by none.
    func believes(_ call: DeviceCall) async -> Bool {
        (try? await world.prefetch(call).assurance) ?? .net > .net
    }
}

@Suite("What a stolen or replayed assertion gains: net+app at a naive service, and nothing at Benji's")
struct AppAttestAttackTests {
    private let world: AuthorityWorld
    private let install: AttestedInstall
    private let real: RealService
    private let naive: NaiveService

    init() async throws {
        (world, install) = try await AttestedInstall.world()
        try await install.register(world)
        real = RealService(world: world)
        let record = try await (world.store as any AttestedKeyStore).attestedKey(install.keyID, of: world.app.record.id)
        naive = NaiveService(appID: world.app.record.id, keys: [install.keyID: record?.publicKey ?? []])
    }

    /// - Parameter original: the call that the assertion was made for, if it is another one.
    private func check(
        _ call: DeviceCall, from original: DeviceCall? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        #expect(
            naive.believes(call, over: (original ?? call).proof), "the attack is none", sourceLocation: sourceLocation)
        #expect(await !real.believes(call), sourceLocation: sourceLocation)
    }

    @Test("what no registered key signed is believed by neither")
    func unsigned() async throws {
        var key = ModelEnclave.Key()
        key.counter = 9
        let (app, challenge) = (world.app.record.id, world.authority.attestationChallenge(for: world.app.record.id))
        for id in [install.keyID, Base64URL.encode(key.id)] {
            var call = try world.call()
            let hash = KeyAssertion.clientDataHash(appID: app, challenge: challenge, proof: call.proof)
            let evidence = try ModelEnclave.assertion(of: key, clientDataHash: hash, appleID: AttestedInstall.appleID)
            call.attestation = KeyAssertion(keyID: id, challenge: challenge, evidence: evidence.encoded).text
            #expect(!naive.believes(call, over: call.proof))
            #expect(await !real.believes(call))
        }
        let good = try install.call(world)
        #expect(naive.believes(good, over: good.proof))
        #expect(await real.believes(good))
    }

    @Test("an assertion that was seen is shown again, with its proof and with a new one")
    func replayed() async throws {
        let call = try install.call(world)
        #expect(await real.believes(call))
        await check(call)
        var again = try world.call()
        again.attestation = call.attestation
        await check(again, from: call)
        // Elsewhere the proof may be new. The counter reveals the repetition there too.
        let another = Authority(
            configuration: world.authority.configuration, store: world.store, vault: world.vault, clock: world.clock,
            logger: AuthorityWorld.logger)
        var elsewhere = world
        elsewhere.authority = another
        #expect(await !RealService(world: elsewhere).believes(call))
    }

    @Test("assertions that were made in one order come in another: what comes late has had its time")
    func outOfOrder() async throws {
        let (first, second) = (try install.call(world), try install.call(world))
        #expect(await real.believes(second))
        await check(first)
    }

    @Test("of 16 that show one assertion with one proof at two nodes at once, one is believed at most")
    func race() async throws {
        let call = try install.call(world)
        let nodes = (0..<2).map { _ in
            var node = world
            node.authority = Authority(
                configuration: world.authority.configuration, store: world.store, vault: world.vault,
                clock: world.clock, logger: AuthorityWorld.logger)
            return RealService(world: node)
        }
        let believed = await withTaskGroup(of: Bool.self) { group in
            for place in 0..<16 { group.addTask { await nodes[place % 2].believes(call) } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(believed == 1)
    }

    @Test("an assertion is taken over to another device key, or another body")
    func moved() async throws {
        let call = try install.call(world)
        var other = try world.call(SoftwareDeviceSigner())
        other.attestation = call.attestation
        await check(other, from: call)
        var body = call
        body.proof.bodyHash = DeviceProof.hash(of: [1])
        await check(body, from: call)
        var id = call
        id.proof.id += "x"
        await check(id, from: call)
    }

    @Test("a genuine phone signs for the device keys of others: its key speaks for its own alone")
    func signingMachine() async throws {
        let stranger = SoftwareDeviceSigner()
        await check(try install.call(world, signer: stranger))
    }

    @Test("another app of the same team on the same phone signs for this one")
    func otherApp() async throws {
        await check(try install.call(world, appleID: "\(AttestedInstall.team).com.example.other"))
    }

    @Test("a key that was copied out of a chip ends with the first login of its owner: what it counts falls behind")
    func stolenKey() async throws {
        let stolen = try #require(install.enclave.key(install.key))
        for _ in 0..<3 { #expect(await real.believes(try install.call(world))) }
        var call = try world.call()
        let challenge = world.authority.attestationChallenge(for: world.app.record.id)
        let hash = KeyAssertion.clientDataHash(appID: world.app.record.id, challenge: challenge, proof: call.proof)
        var copy = stolen
        copy.counter += 1
        let evidence = try ModelEnclave.assertion(of: copy, clientDataHash: hash, appleID: AttestedInstall.appleID)
        call.attestation = KeyAssertion(keyID: install.keyID, challenge: challenge, evidence: evidence.encoded).text
        await check(call)
    }

    @Test("an assertion that was made in advance is shown a day after its challenge, or with a challenge of nobody's")
    func prepared() async throws {
        let challenge = world.authority.attestationChallenge(for: world.app.record.id)
        world.clock.advance(by: .seconds(86400))
        await check(try install.call(world, challenge: challenge))
        await check(try install.call(world, challenge: "mine"))
    }

    @Test(
        "an attestation that was seen registers its key for another device key, or a second time after it was revoked")
    func replayedAttestation() async throws {
        let fresh = try AttestedInstall(world, under: install.authority)
        let (request, device) = try fresh.registration(world)
        let thief = try world.call(SoftwareDeviceSigner())
        var stolen = request
        stolen.appKeyProof = AppKeyProof.make(
            appKey: world.app.key.reveal(), appID: world.app.record.id, proofID: thief.proof.id,
            keyThumbprint: thief.proof.key.thumbprint)
        await #expect(throws: Refusal.self) { try await world.authority.register(stolen, from: thief) }
        try await world.authority.register(request, from: device)
        #expect(
            try await (world.store as any AttestedKeyStore).revokeAttestedKey(
                fresh.keyID, of: world.app.record.id, at: world.clock.now, audit: nil))
        let again = try world.call()
        var later = request
        later.appKeyProof = AppKeyProof.make(
            appKey: world.app.key.reveal(), appID: world.app.record.id, proofID: again.proof.id,
            keyThumbprint: again.proof.key.thumbprint)
        await #expect(throws: Refusal.self) { try await world.authority.register(later, from: again) }
    }

    @Test("an assertion of any other form is refused, not ignored")
    func forms() async throws {
        let good = try #require(try install.call(world).attestation)
        let parts = good.split(separator: ".").map(String.init)
        for text in [
            "apple-appattest.", "apple-appattest.a.b.c", good + ".x", parts[0] + "..\(parts[2]).\(parts[3])",
            parts[..<3].joined(separator: ".") + ".", parts[..<3].joined(separator: ".") + "." + "A",
            parts[..<3].joined(separator: ".") + "." + String(repeating: "A", count: 8192),
        ] {
            var call = try world.call()
            call.attestation = text
            await #expect(throws: Refusal.self, "\(text.prefix(40))") { try await world.prefetch(call) }
        }
    }
}
