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

    private func appKeyProof(_ signing: ProofCaller.Signing) -> String? { caller.appKeyProof(signing) }

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
            SMSLoginRequest(
                appID: configuration.appID, dialect: configuration.dialect, transaction: code.transaction,
                smsCode: digits,
                consent: try signed(consent, trace: code.trace, transaction: code.transaction, clockOffset, signing)
            ).json
        }
    }

    /// The server drew the transaction for this login alone, so it stands for scrip and nonce.
    private func signed(
        _ consent: PageConsent, trace: TraceID, transaction: String, _ clockOffset: Duration,
        _ signing: ProofCaller.Signing
    ) throws -> String {
        try ConsentRecord(
            appID: configuration.appID, trace: trace, scrip: transaction, nonce: transaction, content: consent.content,
            pageDigest: consent.pageDigest, sceneDigest: consent.sceneDigest, shownAt: consent.shownAt + clockOffset,
            tickedAt: consent.tickedAt + clockOffset, tappedAt: consent.tappedAt + clockOffset
        ).signed(by: signing.signer)
    }

    func smsUpstream(clockOffset: Duration, timeout: @Sendable () -> Duration) async throws(Failure) -> Answer {
        try await post(.smsUpstream, clockOffset: clockOffset, timeout: timeout) { signing in
            SMSUpstreamRequest(
                appID: configuration.appID, bundleID: configuration.bundleID, appKeyProof: appKeyProof(signing),
                dialect: configuration.dialect
            ).json
        }
    }

    func smsUpstreamStatus(
        of text: SMSText, clockOffset: Duration, timeout: @Sendable () -> Duration
    ) async throws(Failure) -> Answer {
        try await post(.smsUpstreamStatus, clockOffset: clockOffset, timeout: timeout) { _ in
            SMSUpstreamStatusRequest(appID: configuration.appID, transaction: text.transaction).json
        }
    }

    func smsUpstreamLogin(
        _ text: SMSText, consent: PageConsent, clockOffset: Duration, timeout: @Sendable () -> Duration
    ) async throws(Failure) -> Answer {
        try await post(.smsUpstreamLogin, clockOffset: clockOffset, timeout: timeout) { signing in
            SMSUpstreamLoginRequest(
                appID: configuration.appID, dialect: configuration.dialect, transaction: text.transaction,
                consent: try signed(consent, trace: text.trace, transaction: text.transaction, clockOffset, signing)
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
