import Authority
@_spi(Server) package import BenjiProtocol
import Crypto
import Foundation
import Store

/// How a request to an endpoint of servers says whose it is.
package struct ClientCredentials: Sendable {
    /// The value of the `Authorization` header, if there was one.
    package var authorization: String?
    package var parameters: OpenIDParameters
    /// The address that the connection came from.
    package var peer: InternetAddress?
    /// The proof that the caller has a key, if there was one.
    package var proof: PresentedProof?
    /// The certificate of the connection, if it has one and the listener asks for it.
    package var certificate: ClientCertificate?

    package init(
        authorization: String?, parameters: OpenIDParameters, peer: InternetAddress?, proof: PresentedProof? = nil,
        certificate: ClientCertificate? = nil
    ) {
        self.authorization = authorization
        self.parameters = parameters
        self.peer = peer
        self.proof = proof
        self.certificate = certificate
    }
}

/// A client whose word has been checked.
struct KnownClient: Sendable {
    var app: RegisteredApp
    var record: OpenIDClientRecord
}

extension ProviderContext {
    static let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

    /// The client behind a request of a server, by the one method that it is registered for.
    ///
    /// - Parameter path: the endpoint that is called.
    func authenticate(_ credentials: ClientCredentials, at path: OpenIDProvider.Path) async throws(OpenIDFailure)
        -> KnownClient
    {
        func refuse(_ detail: String) -> OpenIDFailure { OpenIDFailure(.invalidClient, detail) }
        let parameters = credentials.parameters
        let client: KnownClient
        var secretVersion: Int?
        switch (credentials.authorization, parameters["client_secret"], parameters["client_assertion"]) {
        case (nil, nil, nil):
            guard let certificate = credentials.certificate, let id = parameters["client_id"] else {
                throw refuse("no client authentication")
            }
            client = try await self.client(id, by: certificate)
        case (let authorization?, nil, nil):
            let (id, secret) = try Self.basic(authorization)
            client = try await knownClient(id, by: .clientSecretBasic)
            secretVersion = try version(of: secret, client)
        case (nil, let secret?, nil):
            client = try await knownClient(try parameters.required("client_id"), by: .clientSecretPost)
            secretVersion = try version(of: secret, client)
        case (nil, nil, let assertion?):
            guard parameters["client_assertion_type"] == Self.assertionType else {
                throw refuse("client_assertion_type: must be \(Self.assertionType)")
            }
            (client, secretVersion) = try await asserted(assertion, at: path)
        default: throw refuse("two client authentications in one request")
        }
        guard parameters["client_id"] ?? client.record.appID.rawValue == client.record.appID.rawValue else {
            throw refuse("client_id: is another client's than the authentication")
        }
        RequestSubject.current?.prove()
        guard client.app.mayBeAnswered(at: credentials.peer) else {
            throw OpenIDFailure(
                .unauthorizedClient, "the address is not among the app's server addresses",
                situation: .serverAddressNotAllowed)
        }
        if let secretVersion { authority.apps.noteUsage(.openID, secretVersion, of: client.record.appID) }
        return client
    }

    /// The client of an app that may be answered, whether or not the caller has proved anything yet.
    func knownClient(_ id: String, by method: ClientAuthentication? = nil) async throws(OpenIDFailure) -> KnownClient {
        guard let appID = AppID(rawValue: id) else {
            throw OpenIDFailure(.invalidClient, "client_id: must be the app's id")
        }
        let app: RegisteredApp
        do { app = try await authority.liveApp(appID) } catch { throw OpenIDFailure(error) }
        let record: OpenIDClientRecord
        do { record = try await clients.find(appID) } catch { throw OpenIDFailure(error) }
        guard method == nil || method == record.authentication else {
            throw OpenIDFailure(
                .invalidClient, "the app is registered for \(record.authentication.rawValue)")
        }
        return KnownClient(app: app, record: record)
    }

    /// Which of a client's secrets it is.
    private func version(of secret: String, _ client: KnownClient) throws(OpenIDFailure) -> Int {
        let hash = CredentialHash(of: secret).bytes
        let present = client.record.secrets.accepted(at: now)
        guard let found = present.first(where: { ConstantTime.areEqual(hash, $0.hash.bytes) }) else {
            throw OpenIDFailure(.invalidClient, "the client secret is wrong")
        }
        return found.version
    }

    /// RFC 7523 §3 and OpenID Connect Core §9, with the limits of CAMARA's profile. The registration says how it is
    /// signed, and not its header (RFC 8725 §3.1).
    private func asserted(
        _ text: String, at path: OpenIDProvider.Path
    ) async throws(OpenIDFailure) -> (KnownClient, secretVersion: Int?) {
        func refuse(_ detail: String) -> OpenIDFailure { OpenIDFailure(.invalidClient, "client_assertion: \(detail)") }
        let parts: JWSParts
        do { parts = try JWSParts(parsing: text, name: "JWT") } catch { throw refuse(error.description) }
        let type = parts.header["typ"]?.stringValue?.lowercased()
        guard ["client-authentication+jwt", "jwt", nil].contains(type) else {
            throw refuse("typ must be client-authentication+jwt or JWT")
        }
        let payload = parts.payload
        guard let issuer = payload["iss"]?.stringValue, payload["sub"]?.stringValue == issuer else {
            throw refuse("iss and sub must both be the client_id")
        }
        let client = try await knownClient(issuer)
        var secretVersion: Int?
        switch client.record.authentication {
        case .privateKeyJWT: try checkSignature(of: parts, client)
        case .clientSecretJWT: secretVersion = try version(ofSecretUnder: parts, client)
        case let other:
            throw OpenIDFailure(.invalidClient, "the app is registered for \(other.rawValue)")
        }
        RequestSubject.current?.prove()
        try checkAudience(payload, client, at: path)
        // Freshness is by the wall clock (decision 22): the client signed by one.
        let isUsual = client.record.profile == .openID && client.record.purposes.isEmpty
        let life = isUsual ? SignedClaims.maximumAssertionLife : SignedClaims.maximumLife
        if let problem = SignedClaims.timeProblem(
            payload, needsIssueTime: false, life: life, now: authority.clock.now)
        {
            throw refuse(problem)
        }
        guard let id = payload["jti"]?.stringValue, (1...255).contains(id.utf8.count) else {
            throw refuse("jti: missing or longer than 255 bytes")
        }
        let name = "openid-assertion:" + Base64URL.encode(Array(SHA256.hash(data: Array(id.utf8))))
        let isNew: Bool
        do {
            isNew = try await store.takeName(
                name, app: client.record.appID,
                until: now + .seconds(authority.configuration.messageMemory), now: now)
        } catch { throw OpenIDFailure(error) }
        guard isNew else { throw refuse("was used before") }
        return (client, secretVersion)
    }

    private func checkSignature(of assertion: JWSParts, _ client: KnownClient) throws(OpenIDFailure) {
        func refuse(_ detail: String) -> OpenIDFailure { OpenIDFailure(.invalidClient, "client_assertion: \(detail)") }
        let jws: ServerJWS
        do { jws = try ServerJWS(assertion) } catch { throw refuse(error.description) }
        guard client.record.profile.takes(jws.algorithm) else { throw refuse("alg must be ES256 or PS256") }
        let isSigned: Bool
        do {
            isSigned = try client.record.keySet.map { try ClientKeySet(parsing: $0).isSigner(of: jws) } ?? false
        } catch {
            throw OpenIDFailure(.serverError, "the client's key set cannot be read")
        }
        guard isSigned else { throw refuse("is not signed by one of the app's keys") }
    }

    /// Which of a client's secrets made the code of an assertion (`client_secret_jwt`).
    private func version(ofSecretUnder assertion: JWSParts, _ client: KnownClient) throws(OpenIDFailure) -> Int {
        func refuse(_ detail: String) -> OpenIDFailure { OpenIDFailure(.invalidClient, "client_assertion: \(detail)") }
        guard assertion.header["alg"] == "HS256", assertion.header["crit"] == nil else {
            throw refuse("alg must be HS256, and crit is not understood")
        }
        for record in client.record.secrets.accepted(at: now) {
            guard let createdAt = record.createdAt else { continue }
            let secret = authority.vault.clientSecret(
                of: client.record.appID, version: record.version, createdAt: createdAt)
            // The stored hash decides, so that only issued secrets count.
            guard ConstantTime.areEqual(CredentialHash(of: secret).bytes, record.hash.bytes) else { continue }
            let isMade = HMAC<SHA256>.isValidAuthenticationCode(
                assertion.signature, authenticating: assertion.signingInput,
                using: SymmetricKey(data: Array(secret.utf8)))
            if isMade { return record.version }
        }
        throw refuse("is not made with one of the client's secrets")
    }

    /// One audience: an assertion that another provider could use as well is no assertion to us.
    private func checkAudience(
        _ payload: JSON, _ client: KnownClient, at path: OpenIDProvider.Path
    ) throws(OpenIDFailure) {
        if client.record.profile == .fapi2 {
            guard payload["aud"]?.stringValue == configuration.issuer else {
                throw OpenIDFailure(.invalidClient, "client_assertion: aud must be the issuer, as a string (fapi2)")
            }
            return
        }
        let audiences = SignedClaims.audiences(payload)
        guard audiences.count == 1, payload["aud"]?.arrayValue?.count ?? 1 == 1,
            ([configuration.issuer] + [path, .token].flatMap(configuration.urls)).contains(audiences[0])
        else { throw OpenIDFailure(.invalidClient, "client_assertion: aud must be the issuer or the endpoint, alone") }
    }

    /// RFC 6749 §2.3.1: id and secret are form-encoded before they are joined.
    private static func basic(_ header: String) throws(OpenIDFailure) -> (id: String, secret: String) {
        let failure = OpenIDFailure(.invalidClient, "Authorization: must be Basic with client_id and secret")
        let parts = header.split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "basic",
            let bytes = Data(base64Encoded: String(parts[1])).map(Array.init),
            let colon = bytes.firstIndex(of: 0x3a), let id = FormText.decode(bytes[..<colon]),
            let secret = FormText.decode(bytes[(colon + 1)...])
        else { throw failure }
        return (id, secret)
    }
}
