package import Authority
package import BenjiFaceProtocol
import BenjiProtocol
package import Requests
import Store

/// The app token, which an SDK asks for when it is initialised.
extension FaceProvider {
    package func appToken(
        _ request: FaceAppTokenRequest, from device: DeviceCall
    ) async throws(Refusal) -> FaceAppTokenResponse {
        let app = try await authority.liveApp(
            request.appID, installedAs: request.bundleID, appKeyProof: request.appKeyProof, by: device)
        try checkGrant(of: app)
        let isAttested = try await isAttested(device, app: app.record)
        let holder = FaceAppTokens.Holder(app: app.record.id, deviceKey: device.proof.key.thumbprint)
        let kind = try await kind(of: holder, device, isAttested: isAttested)
        try checkNew(device)
        let token = CredentialGrammar.faceAppToken.make(random: random)
        let lifetime = kind == .brief ? Lifetime.briefAppToken : Lifetime.appToken
        appTokens.insert(
            token,
            .init(holder: holder, isAttested: isAttested, kind: kind, expiresAt: now + .seconds(lifetime)))
        return FaceAppTokenResponse(
            appToken: token, appTokenLifetime: lifetime, attributes: app.record.faceAttributes,
            serverTime: authority.clock.now)
    }

    /// Counts an app token, and says among which it is.
    private func kind(
        of holder: FaceAppTokens.Holder, _ device: DeviceCall, isAttested: Bool
    ) async throws(Refusal) -> FaceAppTokens.Kind {
        var kind = isAttested ? FaceAppTokens.Kind.own : .shared
        let service = try await tokenBudget.take(
            holder.deviceKey, holder.app, from: device.source, isAttested: isAttested, now: now
        ) { () async throws(Refusal) -> Bool in
            if try await isKnown(device, to: holder.app) {
                kind = .own
                return true
            }
            // A holder of a token gets another.
            guard let held = appTokens.kind(of: holder, now: now) else { return false }
            kind = held == .own ? .shared : held
            return true
        }
        switch service {
        case .full: return kind
        case .brief: return .brief
        case .refused: throw failure(.tooManyRequests, "too many app tokens for this address; try again later")
        }
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
