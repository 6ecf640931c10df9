public import BenjiProtocol
internal import Store

/// What document 003 calls initialising the SDK.
extension FaceProvider {
    public func appToken(
        _ request: FaceAppTokenRequest, from device: DeviceCall
    ) async throws(DeviceFailure) -> FaceAppTokenResponse {
        try authority.checkTime(of: device.proof)
        let app = try await authority.liveApp(request.appID)
        try authority.checkInstall(
            of: app, bundleID: request.bundleID, appKeyProof: request.appKeyProof, proof: device.proof)
        try admit(device, app)
        guard tokenRequests.admits(device.source, app.record.id, now: now) else {
            throw failure(.tooManyRequests, "too many app tokens for this address; try again later")
        }
        let token = CredentialGrammar.faceAppToken.make(random: random)
        appTokens.insert(
            token, app: app.record.id, deviceKey: device.proof.key.thumbprint,
            expiresAt: now + .seconds(Lifetime.appToken))
        return FaceAppTokenResponse(
            appToken: token, appTokenLifetime: Lifetime.appToken, attributes: app.record.faceAttributes,
            serverTime: authority.clock.now)
    }
}

extension AppRecord {
    /// The attributes that the app may read, in the document's order.
    var faceAttributes: [FaceAttributeField] {
        FaceAttributeField.allCases.filter {
            capabilities.contains(.faceAttributes) || FaceAttributeField.usual.contains($0)
        }
    }
}
