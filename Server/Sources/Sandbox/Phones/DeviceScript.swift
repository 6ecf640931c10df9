package import BenjiClient
package import BenjiProtocol

/// The device dialect without the SDK: what an attacker writes, and what tests use to say things the SDK never would.
package struct DeviceScript: Sendable {
    package let signer: SoftwareDeviceSigner
    private let server: ServerURL
    private let transport: any Transport
    private let clock: any WallClock
    private let random: any RandomSource

    package init(
        server: ServerURL, transport: any Transport, signer: SoftwareDeviceSigner = SoftwareDeviceSigner(),
        clock: some WallClock = SystemWallClock(), random: some RandomSource = SystemRandomSource()
    ) {
        self.server = server
        self.transport = transport
        self.signer = signer
        self.clock = clock
        self.random = random
    }

    /// Asks for a scrip with any app id and key, as copied out of an app; `nil` if the app has no key.
    package func prefetch(
        appID: AppID, appKey: String?, bundleID: String, attestation: String? = nil
    ) async throws -> PrefetchResponse {
        let id = Base64URL.encode(random.bytes(16))
        let request = PrefetchRequest(
            appID: appID, bundleID: bundleID,
            appKeyProof: appKey.map {
                AppKeyProof.make(
                    appKey: $0, appID: appID, proofID: id, keyThumbprint: signer.publicKey.thumbprint)
            }, dialect: .device)
        return try PrefetchResponse(
            try await send(.prefetch, body: request.json.serialized, proofID: id, attestation: attestation))
    }

    /// Asks for a token with any scrip, of this device or another.
    package func authorize(
        appID: AppID, scrip: String, purpose: TokenPurpose, consent: String? = nil, attestation: String? = nil
    ) async throws -> AuthorizeResponse {
        let request = AuthorizeRequest(appID: appID, scrip: scrip, purpose: purpose, consent: consent)
        return try AuthorizeResponse(
            try await send(
                .authorize, body: request.json.serialized, proofID: Base64URL.encode(random.bytes(16)),
                attestation: attestation))
    }

    /// Makes and signs the consent that goes with a prefetch: an attacker's script ticks its own boxes.
    package func consent(to response: PrefetchResponse, appID: AppID) throws -> String {
        let offer = PageOffer(
            maskedNumber: response.maskedNumber, carrier: response.carrier, page: response.page,
            policyVersion: response.policyVersion, trace: response.trace)
        return try ConsentRecord(
            appID: appID, trace: response.trace, scrip: response.scrip, nonce: response.nonce,
            content: ScriptedPerson.content(for: offer), sceneDigest: nil, shownAt: clock.now, tickedAt: clock.now,
            tappedAt: clock.now
        ).signed(by: signer)
    }

    private func send(
        _ path: DevicePath, body: [UInt8], proofID: String, attestation: String?
    ) async throws -> JSON {
        let url = try server.appending(path: path.rawValue)
        let proof = DeviceProof(
            id: proofID, method: "POST", url: url.text, issuedAt: clock.now, body: body,
            localAddress: try await transport.localAddress(towards: url), key: signer.publicKey)
        var headers: HeaderFields = [
            "Content-Type": "application/json", "DPoP": try proof.signed(by: signer),
        ]
        if let attestation { headers[ClientAttestation.headerName] = attestation }
        let response = try await transport.send(
            TransportRequest(method: "POST", url: url, headers: headers, body: body), timeout: .seconds(30))
        let json = try JSON(parsing: response.body)
        guard response.status == 200 else { throw try DeviceFailure(json) }
        return json
    }
}
