public import BenjiProtocol

/// A phone's App Attest. On Apple's systems ``DeviceCheckAppAttest``; elsewhere, and in tests, a model of it.
public protocol AppAttestService: Sendable {
    /// Whether this phone and process have App Attest: app extensions and the simulator do not.
    var isSupported: Bool { get }
    /// Makes a key in the Secure Enclave.
    ///
    /// - Returns: its name: 32 bytes, the hash of its public half.
    func makeKey() async throws(AppAttestServiceError) -> [UInt8]
    /// Apple's word for a new key. Asks Apple's servers.
    func attest(_ key: [UInt8], clientDataHash: [UInt8]) async throws(AppAttestServiceError) -> [UInt8]
    /// A key's signature over a request. Needs no network.
    func assert(_ key: [UInt8], clientDataHash: [UInt8]) async throws(AppAttestServiceError) -> [UInt8]
}

/// Why App Attest gave nothing.
public enum AppAttestServiceError: Error, Hashable, Sendable {
    /// The key is of another install of the app, or of another phone: make a new one.
    case invalidKey
    /// Apple's servers cannot be reached or are busy: try again later, with the same key.
    case unavailable
    /// Anything else.
    case failed
}

/// Keeps by which name the install's key of App Attest is known, and how far its registration is. The key itself never
/// leaves the Secure Enclave.
public protocol AppAttestKeyStore: Sendable {
    func read() -> AppAttestKeyEntry?
    /// Keeps the whole entry: one that came back without its registration would count as registered.
    ///
    /// - Parameter entry: `nil` to forget it.
    func write(_ entry: AppAttestKeyEntry?)
}

/// A key of App Attest.
public struct AppAttestKeyEntry: Hashable, Sendable {
    /// base64url of 32 bytes.
    public var keyID: String
    /// The device key that it is attested for.
    public var deviceKey: String
    /// The state from which an unfinished registration resumes; `nil` once the server has registered the key.
    public var registration: AppAttestRegistration?

    public init(keyID: String, deviceKey: String, registration: AppAttestRegistration? = nil) {
        self.keyID = keyID
        self.deviceKey = deviceKey
        self.registration = registration
    }
}

/// Vouches for each request by a key of App Attest, which the server registers once: tokens carry the assurance
/// `net+app`.
///
/// Where App Attest is missing or does not answer, requests go out unattested and earn `net`. A key is replaced when it
/// is no longer valid, as after a reinstall of the app, or when the server does not accept it. A key is kept until it
/// is refused. A request that Apple or the server did not answer is repeated unchanged, also after a restart of the
/// app.
public actor AppAttestation: AttestationProvider {
    /// How long no key is registered after Apple or the server said no, or after two time-outs in a row.
    static let pause: Duration = .seconds(600)

    private let service: any AppAttestService
    private let keys: any AppAttestKeyStore
    private let clock: any WallClock
    private var failedAt: Timestamp?
    /// When a key was given up last that the server did not take.
    private var replacedAt: Timestamp?
    /// Whether the last registration ended in a time-out, the first one in a row.
    private var hasTimedOut = false
    private var isRegistering = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    public init(
        service: any AppAttestService, keys: any AppAttestKeyStore, clock: any WallClock = SystemWallClock()
    ) {
        self.service = service
        self.keys = keys
        self.clock = clock
    }

    public func attestation(
        for key: DevicePublicKey, appID: AppID, bundleID: String, challenge: AttestationChallenge
    ) async throws -> String? {
        nil
    }

    public func attestation(for request: AttestedRequest) async throws -> String? {
        guard service.isSupported else { return nil }
        let challenge = try await request.challenge.value()
        // A second time with a new key, if the present one turns out to be of a former install.
        for _ in 0..<2 {
            guard let keyID = try await registeredKey(for: request, challenge),
                let key = Base64URL.decode(keyID)
            else { return nil }
            let hash = KeyAssertion.clientDataHash(appID: request.appID, challenge: challenge, proof: request.proof)
            do {
                let evidence = try await service.assert(key, clientDataHash: hash)
                return KeyAssertion(keyID: keyID, challenge: challenge, evidence: evidence).text
            } catch AppAttestServiceError.invalidKey { keys.write(nil) }
        }
        return nil
    }

    public func attestationWasRefused() async -> Bool {
        guard let kept = keys.read(), kept.registration == nil else { return false }
        if let replacedAt, clock.now >= replacedAt, clock.now - replacedAt < Self.pause { return false }
        replacedAt = clock.now
        keys.write(nil)
        return true
    }

    /// One call at a time makes a key; others wait for it.
    private func registeredKey(for request: AttestedRequest, _ challenge: String) async throws -> String? {
        while isRegistering { await withCheckedContinuation { waiting.append($0) } }
        let deviceKey = request.proof.key.thumbprint
        let kept = keys.read().flatMap { $0.deviceKey == deviceKey ? $0 : nil }
        if let kept, kept.registration == nil { return kept.keyID }
        if let failedAt, clock.now >= failedAt, clock.now - failedAt < Self.pause { return nil }
        isRegistering = true
        defer {
            isRegistering = false
            for waiter in waiting { waiter.resume() }
            waiting = []
        }
        do {
            let keyID = try await register(kept, request, challenge)
            (failedAt, hasTimedOut) = (nil, false)
            return keyID
        } catch {
            if !mayGoOnAtOnce(after: error) { failedAt = clock.now }
            throw error
        }
    }

    /// Whether the next request may try again, because the failure was no refusal.
    ///
    /// Each time-out takes time from a login, so a second one in a row makes the next wait.
    private func mayGoOnAtOnce(after error: any Error) -> Bool {
        let situation = (error as? BenjiError)?.situation
        hasTimedOut = situation == .timedOut && !hasTimedOut
        let unanswered: [Situation?] = [
            .noNetwork, .cellularDataOff, .networkFailure, .nameNotResolved, .connectionRefused, .tlsFailure,
            .malformedResponse, .cancelledByApp,
        ]
        return hasTimedOut || unanswered.contains(situation)
    }

    /// - Parameter kept: a key whose registration has not ended.
    private func register(
        _ kept: AppAttestKeyEntry?, _ request: AttestedRequest, _ challenge: String
    ) async throws -> String {
        if let kept {
            do { return try await finish(kept, request, challenge) } catch AppAttestServiceError.invalidKey {
                // Of a former install, or Apple has attested it already and its answer was lost.
            } catch let error as BenjiError where error.situation == .attestationInvalid {
                // Its challenge may have become too old.
            }
        }
        let new = AppAttestKeyEntry(
            keyID: Base64URL.encode(try await service.makeKey()), deviceKey: request.proof.key.thumbprint,
            registration: AppAttestRegistration(challenge: challenge, begunAt: clock.now))
        return try await finish(new, request, challenge)
    }

    /// Completes the remaining steps of a registration, and stores each step before the next.
    ///
    /// - Parameter challenge: for a key that Apple has not attested and whose own challenge would be too old for the
    ///   server soon.
    private func finish(
        _ entry: AppAttestKeyEntry, _ request: AttestedRequest, _ challenge: String
    ) async throws -> String {
        var entry = entry
        guard var registration = entry.registration, let key = Base64URL.decode(entry.keyID) else { return entry.keyID }
        let evidence: [UInt8]
        if let known = registration.evidence {
            evidence = known
        } else {
            if !ChallengeMemory.isFresh(registration.begunAt, now: clock.now) {
                registration = AppAttestRegistration(challenge: challenge, begunAt: clock.now)
            }
            entry.registration = registration
            keys.write(entry)
            let hash = AttestationRequest.clientDataHash(
                appID: request.appID, challenge: registration.challenge, keyThumbprint: entry.deviceKey)
            do { evidence = try await service.attest(key, clientDataHash: hash) } catch {
                if error != .unavailable { keys.write(nil) }
                throw error
            }
            entry.registration?.evidence = evidence
            keys.write(entry)
        }
        do {
            try await request.register(keyID: entry.keyID, challenge: registration.challenge, evidence: evidence)
        } catch {
            if (error as? BenjiError)?.situation == .attestationInvalid { keys.write(nil) }
            throw error
        }
        entry.registration = nil
        keys.write(entry)
        return entry.keyID
    }
}

/// Forgets with the process. For tests and for phones that are models.
public final class MemoryAppAttestKeyStore: AppAttestKeyStore {
    private let entry = Locked<AppAttestKeyEntry?>(nil)

    public init() {}

    public func read() -> AppAttestKeyEntry? { entry.withLock { $0 } }
    public func write(_ entry: AppAttestKeyEntry?) { self.entry.withLock { $0 = entry } }
}
