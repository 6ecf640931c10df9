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
            PrefetchRequest(
                appID: configuration.appID, bundleID: configuration.bundleID, appKeyProof: appKeyProof(signing),
                dialect: configuration.dialect
            ).json
        }
    }

    private func appKeyProof(_ signing: ProofCaller.Signing) -> String? {
        configuration.appKey.map { appKey in
            AppKeyProof.make(
                appKey: appKey, appID: configuration.appID, proofID: signing.proofID,
                keyThumbprint: signing.signer.publicKey.thumbprint)
        }
    }

    func smsCode(
        to number: String, clockOffset: Duration, timeout: @Sendable () -> Duration
    ) async throws(Failure) -> Answer {
        try await post(.smsCode, clockOffset: clockOffset, timeout: timeout) { signing in
            SMSCodeRequest(
                appID: configuration.appID, bundleID: configuration.bundleID, appKeyProof: appKeyProof(signing),
                dialect: configuration.dialect, number: number
            ).json
        }
    }

    func smsLogin(
        _ digits: String, of code: SMSCode, consent: PageConsent, clockOffset: Duration,
        timeout: @Sendable () -> Duration
    ) async throws(Failure) -> Answer {
        try await post(.smsLogin, clockOffset: clockOffset, timeout: timeout) { signing in
            // The server drew the transaction for this login alone, so it stands for scrip and nonce.
            let record = ConsentRecord(
                appID: configuration.appID, trace: code.trace, scrip: code.transaction, nonce: code.transaction,
                content: consent.content, pageDigest: consent.pageDigest, sceneDigest: consent.sceneDigest,
                shownAt: consent.shownAt + clockOffset, tickedAt: consent.tickedAt + clockOffset,
                tappedAt: consent.tappedAt + clockOffset)
            return SMSLoginRequest(
                appID: configuration.appID, dialect: configuration.dialect, transaction: code.transaction,
                smsCode: digits, consent: try record.signed(by: signing.signer)
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
