import BenjiProtocol

/// Makes, signs and sends the requests of the device dialect. The edge of ``LoginAttempt``.
struct DeviceCaller: Sendable {
    /// What came back from a server that speaks the dialect.
    enum Answer: Sendable {
        case success(JSON)
        case refusal(DeviceFailure)
    }

    /// Why no answer came.
    struct Failure: Error, Sendable {
        var error: BenjiError
        /// Whether the server may have done what was asked, unheard.
        var mayBeDone: Bool
    }

    /// What a body may be made of.
    struct Signing: Sendable {
        var proofID: String
        var signer: any DeviceSigner
    }

    let configuration: LoginEngine.Configuration
    let transport: any Transport
    let keyStore: any DeviceKeyStore
    let attestation: (any AttestationProvider)?
    let wallClock: any WallClock
    let random: any RandomSource

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
                    content: consent.content, sceneDigest: consent.sceneDigest, shownAt: consent.shownAt + clockOffset,
                    tickedAt: consent.tickedAt + clockOffset, tappedAt: consent.tappedAt + clockOffset
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
        body makeBody: @Sendable (Signing) throws -> JSON
    ) async throws(Failure) -> Answer {
        let request = try await request(path, clockOffset: clockOffset, body: makeBody)
        let response: TransportResponse
        do { response = try await transport.send(request, timeout: timeout()) } catch {
            throw Failure(error: BenjiError(error), mayBeDone: !Self.neverLeft(error.code))
        }
        return try answer(response)
    }

    private func request(
        _ path: DevicePath, clockOffset: Duration, body makeBody: @Sendable (Signing) throws -> JSON
    ) async throws(Failure) -> TransportRequest {
        func failure(_ situation: Situation, _ detail: String) -> Failure {
            Failure(error: BenjiError(situation, detail), mayBeDone: false)
        }
        let url: ServerURL
        do { url = try configuration.server.appending(path: path.rawValue) } catch {
            throw failure(.invalidArgument, error.description)
        }
        let signer: any DeviceSigner
        do { signer = try await keyStore.signer() } catch { throw failure(.deviceKeyUnavailable, error.description) }
        let localAddress: IPAddress?
        do { localAddress = try await transport.localAddress(towards: url) } catch {
            throw Failure(error: BenjiError(error), mayBeDone: false)
        }
        let vouched = try? await attestation?.attestation(
            for: signer.publicKey, appID: configuration.appID, bundleID: configuration.bundleID)
        // 22 characters out of 62: 130 bits, so that no two proofs of a device share a name.
        let signing = Signing(proofID: random.alphanumerics(22), signer: signer)
        do {
            let body = try makeBody(signing).serialized
            let proof = DeviceProof(
                id: signing.proofID, method: "POST", url: url.text, issuedAt: wallClock.now + clockOffset, body: body,
                localAddress: localAddress, key: signer.publicKey)
            var headers: HeaderFields = ["Content-Type": "application/json", "Accept": "application/json"]
            headers[DeviceProof.headerName] = try proof.signed(by: signer)
            if let vouched { headers[ClientAttestation.headerName] = vouched }
            // An authorize follows a prefetch soon. After it the server need not hold a place for this phone.
            return TransportRequest(
                method: "POST", url: url, headers: headers, body: body, endsConnection: path != .prefetch)
        } catch {
            // The key store's own errors may say more than is good to show.
            throw failure(.deviceKeyUnavailable, "the device key could not sign")
        }
    }

    /// The code decides, whatever the status: a refusal is one with status 200 too. Success must have both.
    private func answer(_ response: TransportResponse) throws(Failure) -> Answer {
        func failure(_ detail: String) -> Failure {
            let place = "\(configuration.server.origin): status \(response.status)"
            return Failure(error: BenjiError(.malformedResponse, "\(place), \(detail)"), mayBeDone: true)
        }
        // The answer to a forget has nothing to say.
        if response.status == 204, response.body.isEmpty { return .success(.object([])) }
        let json: JSON
        let refusal: DeviceFailure
        do throws(JSONError) {
            json = try JSON(parsing: response.body)
            refusal = try DeviceFailure(json)
        } catch {
            throw failure(error.description)
        }
        guard refusal.situation == .success else { return .refusal(refusal) }
        guard (200..<300).contains(response.status) else { throw failure("with the code of success") }
        return .success(json)
    }

    /// Failures after which the server cannot have seen the request.
    private static func neverLeft(_ code: TransportError.Code) -> Bool {
        switch code {
        case .noNetwork, .cellularUnavailable, .connectionRefused, .nameNotResolved, .tlsFailed, .invalidRequest: true
        default: false
        }
    }
}
