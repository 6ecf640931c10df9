import BenjiProtocol
import BenjiTesting
import Testing

@testable import BenjiClient

/// A chip that says what it was asked. As Apple's does, it attests a key once and lets only attested keys sign.
private final class ScriptedChip: AppAttestService {
    struct State {
        var made = 0
        var keys: Set<[UInt8]> = []
        var attestedKeys: Set<[UInt8]> = []
        /// The hashes that keys were attested for.
        var attested: [[UInt8]] = []
        /// The hashes that it was asked to attest for.
        var asked: [[UInt8]] = []
        var faults: [AppAttestServiceError] = []
    }

    let isSupported: Bool
    private let state = Locked(State())

    init(isSupported: Bool = true) { self.isSupported = isSupported }

    var seen: State { state.withLock { $0 } }
    func fail(_ faults: AppAttestServiceError...) { state.withLock { $0.faults = faults } }
    func forgetKeys() { state.withLock { ($0.keys, $0.attestedKeys) = ([], []) } }

    func makeKey() async throws(AppAttestServiceError) -> [UInt8] {
        state.withLock { state in
            state.made += 1
            let key = [UInt8](repeating: UInt8(state.made), count: 32)
            state.keys.insert(key)
            return key
        }
    }

    func attest(_ key: [UInt8], clientDataHash: [UInt8]) async throws(AppAttestServiceError) -> [UInt8] {
        let fault: AppAttestServiceError? = state.withLock { state in
            state.asked.append(clientDataHash)
            if !state.faults.isEmpty { return state.faults.removeFirst() }
            guard state.keys.contains(key), state.attestedKeys.insert(key).inserted else { return .invalidKey }
            state.attested.append(clientDataHash)
            return nil
        }
        if let fault { throw fault }
        return [1] + clientDataHash
    }

    func assert(_ key: [UInt8], clientDataHash: [UInt8]) async throws(AppAttestServiceError) -> [UInt8] {
        guard seen.attestedKeys.contains(key) else { throw .invalidKey }
        return [2] + clientDataHash
    }
}

@Suite("A phone with App Attest registers a key once and lets it sign each request")
struct AppAttestationTests {
    private let chip = ScriptedChip()
    private let keys = MemoryAppAttestKeyStore()
    private let clock = ManualWallClock()

    private func provider(_ chip: ScriptedChip? = nil) -> AppAttestation {
        AppAttestation(service: chip ?? self.chip, keys: keys, clock: clock)
    }

    private static let challenge = challenge("c1")
    private static func challenge(_ text: String) -> ScriptedTransport.Answer {
        .json(.object(["code": "success", "challenge": .string(text)]))
    }
    private static let registered = ScriptedTransport.Answer.json(.object(["code": "success"]))

    /// The same install at another start of the app: same device key, same key chain, nothing else.
    private func restarted(_ lab: EngineLab, _ script: ScriptedTransport.Answer...) async -> EngineLab {
        let later = EngineLab(keyStore: MemoryDeviceKeyStore(lab.signer), attestation: provider())
        for answer in script { await later.transport.append(answer) }
        return later
    }

    private func registrations(_ lab: EngineLab) async throws -> [AttestationRequest] {
        try await lab.transport.requests.filter { $0.url.path.hasSuffix("/attestation") }
            .map { try AttestationRequest($0.json) }
    }

    private func hash(_ challenge: String, _ lab: EngineLab) -> [UInt8] {
        AttestationRequest.clientDataHash(
            appID: EngineLab.appID, challenge: challenge, keyThumbprint: lab.signer.publicKey.thumbprint)
    }

    private func assertion(_ request: TransportRequest) throws -> KeyAssertion {
        try KeyAssertion(parsing: request.headers[ClientAttestation.headerName] ?? "")
    }

    @Test("The first request registers a key for this app, challenge and device key; the others are signed alone")
    func first() async throws {
        let lab = EngineLab(
            Self.challenge, Self.registered, .prefetched(), .prefetched(2), attestation: provider())
        _ = try await lab.engine.prefetch()
        #expect(await lab.paths == ["challenge", "attestation", "prefetch"])
        let requests = await lab.transport.requests
        let registration = try AttestationRequest(requests[1].json)
        #expect(registration.appID == EngineLab.appID)
        #expect(registration.appKeyProof != nil)
        #expect(registration.challenge == "c1")
        let hash = AttestationRequest.clientDataHash(
            appID: EngineLab.appID, challenge: "c1", keyThumbprint: lab.signer.publicKey.thumbprint)
        #expect(registration.evidence == [1] + hash)
        #expect(requests[1].headers[ClientAttestation.headerName] == nil)
        let assertion = try assertion(requests[2])
        #expect(assertion.keyID == registration.keyID)
        #expect(
            assertion.evidence
                == [2]
                + KeyAssertion.clientDataHash(appID: EngineLab.appID, challenge: "c1", proof: try requests[2].proof))
        #expect(keys.read()?.deviceKey == lab.signer.publicKey.thumbprint)
    }

    @Test("Where App Attest is not there, requests go out without, and nothing else changes")
    func unsupported() async throws {
        let lab = EngineLab(.prefetched(), attestation: provider(ScriptedChip(isSupported: false)))
        _ = try await lab.engine.prefetch()
        #expect(await lab.paths == ["prefetch"])
        #expect(await lab.transport.requests[0].headers[ClientAttestation.headerName] == nil)
    }

    @Test("A key of a former install is replaced, and the request goes out under the new one")
    func reinstalled() async throws {
        keys.write(
            AppAttestKeyEntry(keyID: Base64URL.encode([UInt8](repeating: 9, count: 32)), deviceKey: "somebody's"))
        let provider = provider()
        let lab = EngineLab(
            Self.challenge, Self.registered, .prefetched(), Self.registered, .prefetched(), attestation: provider)
        _ = try await lab.engine.prefetch()
        #expect(chip.seen.made == 1)
        chip.forgetKeys()
        try await lab.engine.forget()
        _ = try? await lab.engine.prefetch()
        #expect(chip.seen.made == 2)
    }

    @Test("A registered key that the server does not take is replaced at once, and not again within ten minutes")
    func refused() async throws {
        let provider = provider()
        let lab = EngineLab(
            Self.challenge, Self.registered, .refused(.attestationInvalid), Self.challenge, Self.registered,
            .prefetched(), attestation: provider)
        _ = try await lab.engine.prefetch()
        #expect(await lab.paths == ["challenge", "attestation", "prefetch", "challenge", "attestation", "prefetch"])
        #expect(chip.seen.made == 2)
        await lab.transport.append(.refused(.attestationInvalid))
        let error = await EngineLab.error { () async throws(BenjiError) in try await lab.engine.forget() }
        #expect(error?.situation == .attestationInvalid)
        #expect(await lab.paths.count == 7)
        #expect(chip.seen.made == 2)
    }

    @Test("A registration whose answer was lost is sent again, word for word, with the next request")
    func lostAnswer() async throws {
        let lab = EngineLab(
            Self.challenge, .broken(.timedOut), .prefetched(), Self.registered, .authorized(), attestation: provider())
        _ = try await lab.engine.verificationToken()
        #expect(await lab.paths == ["challenge", "attestation", "prefetch", "attestation", "authorize"])
        let sent = try await registrations(lab)
        #expect(sent[0].keyID == sent[1].keyID)
        #expect(sent[0].challenge == sent[1].challenge)
        #expect(sent[0].evidence == sent[1].evidence)
        #expect(chip.seen.made == 1 && chip.seen.attested.count == 1)
        let requests = await lab.transport.requests
        #expect(requests[2].headers[ClientAttestation.headerName] == nil)
        #expect(try assertion(requests[4]).keyID == sent[0].keyID)
        #expect(keys.read()?.registration == nil)
    }

    @Test("A registration whose answer was lost is sent again by the app's next start, with the same key")
    func lostBeforeRestart() async throws {
        let lab = EngineLab(Self.challenge, .broken(.connectionLost), .prefetched(), attestation: provider())
        _ = try await lab.engine.prefetch()
        let later = await restarted(lab, Self.challenge("c2"), Self.registered, .prefetched())
        _ = try await later.engine.prefetch()
        let (first, second) = (try await registrations(lab), try await registrations(later))
        #expect(second.map(\.keyID) == first.map(\.keyID))
        #expect(second.map(\.challenge) == ["c1"])
        #expect(second.map(\.evidence) == first.map(\.evidence))
        #expect(chip.seen.made == 1 && chip.seen.attested.count == 1)
        #expect(try assertion(await later.transport.requests[2]).keyID == first.first?.keyID)
    }

    @Test("A kept registration that the server refuses is given up, and another key is registered at once")
    func keptAndRefused() async throws {
        let lab = EngineLab(Self.challenge, .broken(.connectionLost), .prefetched(), attestation: provider())
        _ = try await lab.engine.prefetch()
        let later = await restarted(
            lab, Self.challenge("c2"), .refused(.attestationInvalid), Self.registered, .prefetched())
        _ = try await later.engine.prefetch()
        #expect(try await registrations(later).map(\.challenge) == ["c1", "c2"])
        #expect(chip.seen.made == 2)
        #expect(try assertion(await later.transport.requests[3]).keyID == keys.read()?.keyID)
    }

    @Test("A key whose registration the server could not decide is kept, and sent again ten minutes later")
    func undecided() async throws {
        let provider = provider()
        let lab = EngineLab(
            Self.challenge, .refused(.storeUnavailable), .prefetched(), .authorized(), attestation: provider)
        _ = try await lab.engine.verificationToken()
        #expect(await lab.paths == ["challenge", "attestation", "prefetch", "authorize"])
        clock.advance(by: AppAttestation.pause)
        await lab.transport.append(Self.registered)
        await lab.transport.append(.prefetched(2))
        _ = try await lab.engine.prefetch()
        #expect(chip.seen.made == 1 && chip.seen.attested.count == 1)
        #expect(keys.read()?.registration == nil)
    }

    @Test("A registration takes half of the time at most, and two time-outs in a row end the tries for ten minutes")
    func slow() async throws {
        let lab = EngineLab(
            Self.challenge, .broken(.timedOut), .prefetched(), .broken(.timedOut), .authorized(), .prefetched(2),
            attestation: provider())
        _ = try await lab.engine.verificationToken(timeout: .seconds(8))
        #expect(await lab.transport.timeouts[1] == .seconds(4))
        _ = try await lab.engine.prefetch()
        #expect(
            await lab.paths == ["challenge", "attestation", "prefetch", "attestation", "authorize", "prefetch"])
        #expect(keys.read()?.registration != nil)
    }

    @Test("A phone without a network may try as often as it likes: its key is registered as soon as there is one")
    func offline() async throws {
        let lab = EngineLab(Self.challenge, attestation: provider())
        for _ in 0..<3 {
            for _ in 0..<2 { await lab.transport.append(.broken(.noNetwork)) }
            _ = await EngineLab.error { () async throws(BenjiError) in _ = try await lab.engine.prefetch() }
        }
        await lab.transport.append(Self.registered)
        await lab.transport.append(.prefetched())
        _ = try await lab.engine.prefetch()
        #expect(try await registrations(lab).count == 4)
        #expect(chip.seen.made == 1 && keys.read()?.registration == nil)
    }

    @Test("While Apple's servers are not there the login earns less; later the same key is attested for the same hash")
    func unavailable() async throws {
        chip.fail(.unavailable)
        let lab = EngineLab(Self.challenge, .prefetched(), .authorized(), attestation: provider())
        _ = try await lab.engine.verificationToken()
        #expect(await lab.paths == ["challenge", "prefetch", "authorize"], "Apple is not asked again at once")
        #expect(await lab.transport.requests[1].headers[ClientAttestation.headerName] == nil)
        let later = await restarted(lab, Self.challenge("c2"), Self.registered, .prefetched())
        _ = try await later.engine.prefetch()
        #expect(chip.seen.made == 1)
        #expect(chip.seen.asked == [hash("c1", lab), hash("c1", lab)])
        #expect(try await registrations(later).map(\.challenge) == ["c1"])
        #expect(try assertion(await later.transport.requests[2]).keyID == keys.read()?.keyID)
    }

    @Test("A key that Apple could not attest for half a day is attested for a challenge that the server still takes")
    func oldChallenge() async throws {
        chip.fail(.unavailable)
        let lab = EngineLab(Self.challenge, .prefetched(), attestation: provider())
        _ = try await lab.engine.prefetch()
        clock.advance(by: .seconds(43200))
        let later = await restarted(lab, Self.challenge("c2"), Self.registered, .prefetched())
        _ = try await later.engine.prefetch()
        #expect(chip.seen.made == 1)
        #expect(chip.seen.asked == [hash("c1", lab), hash("c2", lab)])
        #expect(try await registrations(later).map(\.challenge) == ["c2"])
    }

    @Test("A kept key that Apple calls invalid is replaced at once; after any other error there is a pause first")
    func invalid() async throws {
        chip.fail(.unavailable)
        let lab = EngineLab(Self.challenge, .prefetched(), attestation: provider())
        _ = try await lab.engine.prefetch()
        chip.forgetKeys()
        let later = await restarted(lab, Self.challenge, Self.registered, .prefetched())
        _ = try await later.engine.prefetch()
        #expect(chip.seen.made == 2)
        #expect(keys.read()?.registration == nil)

        keys.write(nil)
        chip.fail(.failed)
        let failing = await restarted(lab, Self.challenge, .prefetched(), .authorized())
        _ = try await failing.engine.verificationToken()
        #expect(await failing.paths == ["challenge", "prefetch", "authorize"])
        #expect(keys.read() == nil && chip.seen.made == 3)
    }

    @Test("A key that belongs to another device key is not registered for this one")
    func otherDeviceKey() async throws {
        let provider = provider()
        let lab = EngineLab(Self.challenge, .broken(.connectionLost), .prefetched(), attestation: provider)
        _ = try await lab.engine.prefetch()
        let other = EngineLab(Self.challenge, Self.registered, .prefetched(), attestation: provider)
        _ = try await other.engine.prefetch()
        #expect(try await registrations(lab)[0].keyID != registrations(other)[0].keyID)
        #expect(keys.read()?.deviceKey == other.signer.publicKey.thumbprint)
    }

    @Test("A server that registers nothing is not asked again for ten minutes")
    func notTaken() async throws {
        let provider = provider()
        let lab = EngineLab(Self.challenge, .refused(.attestationInvalid), .prefetched(), attestation: provider)
        _ = try await lab.engine.prefetch()
        let again = EngineLab(Self.challenge, .prefetched(), attestation: provider)
        _ = try await again.engine.prefetch()
        #expect(await again.paths == ["challenge", "prefetch"])
        #expect(chip.seen.made == 1)
    }
}
