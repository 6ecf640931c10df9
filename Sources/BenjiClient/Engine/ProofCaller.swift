package import BenjiProtocol

/// Makes, signs and sends the requests of a phone: each is a POST under a device proof.
package struct ProofCaller: Sendable {
    /// The reply of a server that speaks the dialect.
    package enum Answer: Sendable {
        case success(JSON)
        case refusal(DeviceFailure)
    }

    /// Why no answer came.
    package struct Failure: Error, Sendable {
        package var error: BenjiError
        /// Whether the server may have acted although no answer came.
        package var mayBeDone: Bool
    }

    /// The values that a body may include.
    package struct Signing: Sendable {
        package var proofID: String
        package var signer: any DeviceSigner
    }

    package enum Body: Sendable {
        case json(JSON)
        case bytes([UInt8], type: String)
    }

    private let configuration: LoginEngine.Configuration
    private let transport: any Transport
    private let keyStore: any DeviceKeyStore
    private let attestation: (any AttestationProvider)?
    private let challenges = ChallengeMemory()
    private let provesAddress: Bool
    private let situations: [Situation]
    private let wallClock: any WallClock
    private let random: any RandomSource

    /// - Parameters:
    ///   - attestation: vouches for app and key in every request.
    ///   - provesAddress: whether the proofs name the address on the path to the server, as the gateway asks.
    ///   - situations: in which a request can end.
    package init(
        configuration: LoginEngine.Configuration, transport: any Transport, keyStore: any DeviceKeyStore,
        attestation: (any AttestationProvider)? = nil, provesAddress: Bool,
        situations: [Situation] = Situation.ofNumberLogin, wallClock: any WallClock, random: any RandomSource
    ) {
        self.configuration = configuration
        self.transport = transport
        self.keyStore = keyStore
        self.attestation = attestation
        self.provesAddress = provesAddress
        self.situations = situations
        self.wallClock = wallClock
        self.random = random
    }

    package func signer() async throws(BenjiError) -> any DeviceSigner {
        do { return try await keyStore.signer() } catch {
            throw BenjiError(.deviceKeyUnavailable, error.description)
        }
    }

    /// - Parameters:
    ///   - timeout: asked for when the request is ready to leave.
    ///   - endsConnection: whether the server need not hold a place for this phone after the answer.
    package func post(
        _ path: String, clockOffset: Duration, endsConnection: Bool = false, timeout: @Sendable () -> Duration,
        body make: @Sendable (Signing) throws -> Body
    ) async throws(Failure) -> Answer {
        func send() async throws(Failure) -> Answer {
            try await post(
                path, clockOffset, endsConnection: endsConnection, timeout, attestation: attestation, body: make)
        }
        let answer = try await send()
        // Refused before anything was done, so it may be sent once more if something else vouches for it then.
        guard case .refusal(let refusal) = answer, refusal.situation == .attestationInvalid, let attestation,
            await attestation.attestationWasRefused()
        else { return answer }
        return try await send()
    }

    private func post(
        _ path: String, _ clockOffset: Duration, endsConnection: Bool, _ timeout: @Sendable () -> Duration,
        attestation: (any AttestationProvider)?, body make: @Sendable (Signing) throws -> Body
    ) async throws(Failure) -> Answer {
        let request: TransportRequest
        do throws(BenjiError) {
            request = try await self.request(path, clockOffset, endsConnection, timeout, attestation, make)
        } catch {
            throw Failure(error: error, mayBeDone: false)
        }
        let response: TransportResponse
        do { response = try await transport.send(request, timeout: timeout()) } catch {
            throw Failure(error: BenjiError(error), mayBeDone: !Self.neverLeft(error.code))
        }
        do throws(BenjiError) { return try answer(response) } catch { throw Failure(error: error, mayBeDone: true) }
    }

    private func request(
        _ path: String, _ clockOffset: Duration, _ endsConnection: Bool, _ timeout: @Sendable () -> Duration,
        _ attestation: (any AttestationProvider)?, _ make: @Sendable (Signing) throws -> Body
    ) async throws(BenjiError) -> TransportRequest {
        let url: ServerURL
        do { url = try configuration.server.appending(path: path) } catch {
            throw BenjiError(.invalidArgument, error.description)
        }
        let signer = try await signer()
        var localAddress: InternetAddress?
        if provesAddress {
            do { localAddress = try await transport.localAddress(towards: url) } catch { throw BenjiError(error) }
        }
        // 22 characters out of 62: 130 bits, so that no two proofs of a device share a name.
        let signing = Signing(proofID: random.alphanumerics(22), signer: signer)
        do {
            let (body, type) =
                switch try make(signing) {
                case .json(let json): (json.serialized, "application/json")
                case .bytes(let bytes, let type): (bytes, type)
                }
            let proof = DeviceProof(
                id: signing.proofID, method: "POST", url: url.text, issuedAt: wallClock.now + clockOffset, body: body,
                localAddress: localAddress, key: signer.publicKey)
            var headers: HeaderFields = ["Content-Type": type, "Accept": "application/json"]
            headers[DeviceProof.headerName] = try proof.signed(by: signer)
            if let vouched = try? await attestation?.attestation(for: vouching(for: proof, clockOffset, timeout)) {
                headers[ClientAttestation.headerName] = vouched
            }
            return TransportRequest(
                method: "POST", url: url, headers: headers, body: body, endsConnection: endsConnection)
        } catch {
            // The key store's own errors may say more than is good to show.
            throw BenjiError(.deviceKeyUnavailable, "the device key could not sign")
        }
    }

    private func vouching(
        for proof: DeviceProof, _ clockOffset: Duration, _ timeout: @Sendable () -> Duration
    ) -> AttestedRequest {
        let limit = timeout()
        return AttestedRequest(
            appID: configuration.appID, bundleID: configuration.bundleID, proof: proof,
            challenge: AttestationChallenge { try await challenge(limit) },
            // Half of the time, so that the request itself can go out without it.
            register: { try await register($0, $1, $2, clockOffset, limit / 2) })
    }

    /// Registers a key of App Attest.
    ///
    /// - Throws: a ``BenjiError``: the server's refusal, or why there was no answer.
    private func register(
        _ keyID: String, _ challenge: String, _ evidence: [UInt8], _ clockOffset: Duration, _ timeout: Duration
    ) async throws {
        let limit: @Sendable () -> Duration = { timeout }
        let answer: Answer
        do throws(Failure) {
            answer = try await post(
                DevicePath.attestation.rawValue, clockOffset, endsConnection: false, limit, attestation: nil
            ) { signing in
                .json(
                    AttestationRequest(
                        appID: configuration.appID, bundleID: configuration.bundleID, appKeyProof: appKeyProof(signing),
                        format: .appAttest, keyID: keyID, challenge: challenge, evidence: evidence
                    ).json)
            }
        } catch { throw error.error }
        guard case .refusal(let refusal) = answer else { return }
        throw BenjiError(refusal.situation, "the server did not register the key of App Attest")
    }

    func appKeyProof(_ signing: Signing) -> String? {
        configuration.appKey.map { appKey in
            AppKeyProof.make(
                appKey: appKey, appID: configuration.appID, proofID: signing.proofID,
                keyThumbprint: signing.signer.publicKey.thumbprint)
        }
    }

    /// The challenge for a new attestation: the last one received while it is fresh, or one requested now.
    private func challenge(_ timeout: Duration) async throws -> String {
        if let known = challenges.fresh(now: wallClock.now) { return known }
        let url = try configuration.server.appending(
            path: "\(DevicePath.challenge.rawValue)?app=\(configuration.appID.rawValue)")
        let response = try await transport.send(
            TransportRequest(method: "GET", url: url, headers: ["Accept": "application/json"], body: []),
            timeout: timeout)
        guard case .success(let json) = try answer(response), let text = json["challenge"]?.stringValue else {
            throw BenjiError(.malformedResponse, "the server gave no challenge for an attestation")
        }
        challenges.keep(text, now: wallClock.now)
        return text
    }

    /// The code decides, whatever the status: a refusal is one with status 200 too. Success must have both.
    private func answer(_ response: TransportResponse) throws(BenjiError) -> Answer {
        func failure(_ detail: String) -> BenjiError {
            BenjiError(.malformedResponse, "\(configuration.server.origin): status \(response.status), \(detail)")
        }
        // Some answers have no body.
        if response.status == 204, response.body.isEmpty { return .success(.object([])) }
        let json: JSON
        let refusal: DeviceFailure
        do throws(JSONError) {
            json = try JSON(parsing: response.body)
            refusal = try DeviceFailure(json, knowing: situations)
        } catch {
            throw failure(error.description)
        }
        guard refusal.situation == .success else {
            // The challenge may be the cause: the next attestation gets another.
            if refusal.situation == .attestationInvalid { challenges.forget() }
            return .refusal(refusal)
        }
        if let text = json["attestationChallenge"]?.stringValue { challenges.keep(text, now: wallClock.now) }
        guard (200..<300).contains(response.status) else { throw failure("with the code of success") }
        return .success(json)
    }

    /// Failures after which the server cannot have seen the request.
    private static func neverLeft(_ code: TransportError.Code) -> Bool {
        switch code {
        case .noNetwork, .cellularUnavailable, .cellularDenied, .connectionRefused, .nameNotResolved, .tlsFailed,
            .invalidRequest:
            true
        default: false
        }
    }
}
