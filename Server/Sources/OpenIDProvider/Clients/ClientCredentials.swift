import Authority
package import BenjiProtocol
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

    package init(authorization: String?, parameters: OpenIDParameters, peer: InternetAddress?) {
        self.authorization = authorization
        self.parameters = parameters
        self.peer = peer
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
        guard parameters["client_secret"] == nil else {
            throw refuse("a client secret goes into the Authorization header (client_secret_basic)")
        }
        let client: KnownClient
        var secretVersion: Int?
        switch (credentials.authorization, parameters["client_assertion"]) {
        case (nil, nil): throw refuse("no client authentication: use client_secret_basic or private_key_jwt")
        case (_?, _?): throw refuse("two client authentications in one request")
        case (let authorization?, nil):
            let (id, secret) = try Self.basic(authorization)
            client = try await knownClient(id, by: .clientSecretBasic)
            let hash = CredentialHash(of: secret).bytes
            let present = client.record.secrets.accepted(at: now)
            guard let found = present.first(where: { ConstantTime.areEqual(hash, $0.hash.bytes) }) else {
                throw refuse("the client secret is wrong")
            }
            secretVersion = found.version
        case (nil, let assertion?):
            guard parameters["client_assertion_type"] == Self.assertionType else {
                throw refuse("client_assertion_type: must be \(Self.assertionType)")
            }
            client = try await asserted(assertion, at: path)
        }
        guard parameters["client_id"] ?? client.record.appID.rawValue == client.record.appID.rawValue else {
            throw refuse("client_id: is another client's than the authentication")
        }
        guard client.app.mayBeAnswered(at: credentials.peer) else {
            throw OpenIDFailure(.unauthorizedClient, "the address is not among the app's server addresses")
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

    /// RFC 7523 §3 and OpenID Connect Core §9, with the limits of CAMARA's profile.
    private func asserted(_ text: String, at path: OpenIDProvider.Path) async throws(OpenIDFailure) -> KnownClient {
        func refuse(_ detail: String) -> OpenIDFailure { OpenIDFailure(.invalidClient, "client_assertion: \(detail)") }
        let jws: ServerJWS
        do { jws = try ServerJWS(parsing: text) } catch { throw refuse(error.description) }
        guard ["client-authentication+jwt", "jwt", nil].contains(jws.type?.lowercased()) else {
            throw refuse("typ must be client-authentication+jwt or JWT")
        }
        let payload = jws.payload
        guard let issuer = payload["iss"]?.stringValue, payload["sub"]?.stringValue == issuer else {
            throw refuse("iss and sub must both be the client_id")
        }
        let client = try await knownClient(issuer, by: .privateKeyJWT)
        let isSigned: Bool
        do {
            isSigned = try client.record.keySet.map { try ClientKeySet(parsing: $0).isSigner(of: jws) } ?? false
        } catch {
            throw OpenIDFailure(.serverError, "the client's key set cannot be read")
        }
        guard isSigned else { throw refuse("is not signed by one of the app's keys") }
        // One audience, and not in a list: an assertion that another provider could use as well is no assertion to us.
        guard let audience = payload["aud"]?.stringValue,
            [configuration.issuer, url(path), url(.token)].contains(audience)
        else { throw refuse("aud must be the issuer or the endpoint, as a string") }
        // Freshness is by the wall clock (decision 22): the client signed by one.
        if let problem = SignedClaims.timeProblem(payload, needsIssueTime: false, now: authority.clock.now) {
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
        return client
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
