import BenjiProtocol
import Sightings
import Store

extension Scenario {
    func client(_ app: AppID = app) -> OpenIDClientRecord {
        OpenIDClientRecord(
            appID: app, redirectURIs: ["https://shop.example/callback", "https://shop.example/二"],
            authentication: .clientSecretBasic,
            secrets: [
                ClientSecretRecord(version: 11, hash: Self.hash("secret"), createdAt: Self.now),
                ClientSecretRecord(
                    version: 9, hash: Self.hash("former"), createdAt: nil, acceptedUntil: Self.now + .seconds(1)),
            ], keySet: nil, idTokenAlgorithm: .es256,
            asksMiddleDigits: false, requiresPushedRequests: true, page: "{}", requiresPKCE: false,
            bindsAccessTokens: true, certificateName: CertificateName(.subjectDN, "CN=客户,O==,C=CN"),
            bindsToCertificate: true, profile: .fapi2, remembersConsent: true,
            backchannel: BackchannelRegistration(delivery: .poll))
    }

    func key(_ id: String, _ algorithm: IDTokenAlgorithm = .es256, createdAt: Timestamp) -> OpenIDKeyRecord {
        OpenIDKeyRecord(
            id: id, algorithm: algorithm, publicKey: "{\"kid\":\"\(id)\"}", sealedKey: Sealed(bytes: [1, 2, 3]),
            createdAt: createdAt,
            publishedUntil: nil)
    }

    func credential(
        _ label: String, kind: OpenIDCredential.Kind = .code, of subscription: SubscriptionRecord?, app: AppID = app,
        family: Int64 = 1, binding: Int64 = 1
    ) -> OpenIDCredential {
        OpenIDCredential(
            hash: Self.hash(label), kind: kind, family: family, appID: app,
            subject: subscription.map {
                OpenIDCredential.Subject(
                    subscription: $0.reference, carrier: $0.carrier, binding: BindingID(rawValue: binding))
            }, trace: Self.trace(1), details: #"{"scope":"openid"}"#, issuedAt: Self.now,
            expiresAt: Self.now + .seconds(60))
    }

    func exchange(
        _ credential: OpenIDCredential, next: OpenIDCredential? = nil, now: Timestamp = now,
        billing: OpenIDExchange.Billing? = nil, end: OpenIDExchange.End = .spent, pushed: OpenIDCredential? = nil
    ) -> OpenIDExchange {
        OpenIDExchange(
            hash: credential.hash, kind: credential.kind, appID: credential.appID, now: now, next: next,
            billing: billing, end: end, pushed: pushed?.hash)
    }
}

extension Array {
    func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
