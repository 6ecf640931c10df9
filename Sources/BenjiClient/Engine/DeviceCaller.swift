import BenjiProtocol

/// The requests of the device dialect. The edge of ``LoginAttempt``.
struct DeviceCaller: Sendable {
    typealias Answer = ProofCaller.Answer
    typealias Failure = ProofCaller.Failure

    private let configuration: LoginEngine.Configuration
    private let caller: ProofCaller

    init(
        configuration: LoginEngine.Configuration, transport: any Transport, keyStore: any DeviceKeyStore,
        attestation: (any AttestationProvider)?, wallClock: any WallClock, random: any RandomSource
    ) {
        self.configuration = configuration
        caller = ProofCaller(
            configuration: configuration, transport: transport, keyStore: keyStore, attestation: attestation,
            provesAddress: true, wallClock: wallClock, random: random)
    }

    func prefetch(clockOffset: Duration, timeout: @Sendable () -> Duration) async throws(Failure) -> Answer {
        try await post(.prefetch, clockOffset: clockOffset, timeout: timeout) { signing in
            let thumbprint = signing.signer.publicKey.thumbprint
            return PrefetchRequest(
                appID: configuration.appID, bundleID: configuration.bundleID,
                appKeyProof: configuration.appKey.map { appKey in
                    AppKeyProof.make(
                        appKey: appKey, appID: configuration.appID, proofID: signing.proofID,
                        keyThumbprint: thumbprint)
                }, dialect: configuration.dialect
            ).json
        }
    }

    func authorize(
        _ held: LoginMemory.Prefetched, consent: PageConsent?, clockOffset: Duration,
        timeout: @Sendable () -> Duration
    ) async throws(Failure) -> Answer {
        try await post(.authorize, clockOffset: clockOffset, timeout: timeout) { signing in
            // The record's times are the server's, like the proof's: a phone's wrong clock must not spoil a right
            // consent.
            let record = try consent.map { consent in
                try ConsentRecord(
                    appID: configuration.appID, trace: held.offer.trace, scrip: held.scrip, nonce: held.nonce,
                    content: consent.content, pageDigest: consent.pageDigest, sceneDigest: consent.sceneDigest,
                    shownAt: consent.shownAt + clockOffset, tickedAt: consent.tickedAt + clockOffset,
                    tappedAt: consent.tappedAt + clockOffset
                ).signed(by: signing.signer)
            }
            return AuthorizeRequest(
                appID: configuration.appID, scrip: held.scrip, purpose: record == nil ? .verification : .login,
                consent: record
            ).json
        }
    }

    func forget(scrip: String, clockOffset: Duration, timeout: @Sendable () -> Duration) async throws(Failure) -> Answer
    {
        try await post(.forget, clockOffset: clockOffset, timeout: timeout) { _ in
            ForgetRequest(appID: configuration.appID, scrip: scrip).json
        }
    }

    private func post(
        _ path: DevicePath, clockOffset: Duration, timeout: @Sendable () -> Duration,
        body makeBody: @Sendable (ProofCaller.Signing) throws -> JSON
    ) async throws(Failure) -> Answer {
        // An authorize follows a prefetch soon.
        try await caller.post(
            path.rawValue, clockOffset: clockOffset, endsConnection: path != .prefetch, timeout: timeout
        ) { .json(try makeBody($0)) }
    }
}
