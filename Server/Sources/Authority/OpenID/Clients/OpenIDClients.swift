public import BenjiPage
public import BenjiProtocol
internal import Foundation
public import Store

/// The apps that are clients of the OpenID provider: makes them, changes them, ends them.
public struct OpenIDClients: Sendable {
    let store: any Store
    let random: any RandomSource
    let keys: IDTokenKeys

    /// What an app's operator decides.
    public struct Registration: Sendable {
        public var appID: AppID
        public var redirectURIs: [String] = []
        public var authentication: ClientAuthentication = .privateKeyJWT
        public var keySet: String?
        public var idTokenAlgorithm: IDTokenAlgorithm = .es256
        public var asksMiddleDigits = false
        public var requiresPushedRequests = false
        /// The page's description.
        public var page: PageDescription
        /// What it may ask CAMARA's interfaces for.
        public var purposes: [String] = []
        /// The origins whose pages may show the login page in a frame: `https://shop.example`.
        public var frameAncestors: [String] = []
        /// Whether it is told who comes back where no page was shown.
        public var stableSubjectWithoutPage = false
        /// The page's images, by the names that the description has for them.
        public var media: [String: [UInt8]] = [:]

        public init(appID: AppID, page: PageDescription) {
            self.appID = appID
            self.page = page
        }
    }

    /// A registered client, with its secret if it has a new one.
    public struct Registered: Sendable {
        public var record: OpenIDClientRecord
        /// Shown this once.
        public var secret: AppKey?

        public init(record: OpenIDClientRecord, secret: AppKey? = nil) {
            self.record = record
            self.secret = secret
        }
    }

    /// Makes an app a client, or replaces what it was. A client that authenticates with a secret gets a new one.
    public func register(_ registration: Registration) async throws(Refusal) -> Registered {
        try Self.validate(registration)
        let media = try PageMedia.judged(registration.media)
        let page: String
        do { page = try registration.page.json().text } catch {
            throw Refusal(.parameterInvalid, "page: \(error)")
        }
        let secret =
            registration.authentication == .clientSecretBasic
            ? random.alphanumerics(CredentialGrammar.openID.length) : nil
        let record = OpenIDClientRecord(
            appID: registration.appID, redirectURIs: registration.redirectURIs,
            authentication: registration.authentication, secretHash: secret.map { CredentialHash(of: $0) },
            keySet: registration.keySet, idTokenAlgorithm: registration.idTokenAlgorithm,
            asksMiddleDigits: registration.asksMiddleDigits,
            requiresPushedRequests: registration.requiresPushedRequests, page: page,
            purposes: registration.purposes, frameAncestors: registration.frameAncestors,
            stableSubjectWithoutPage: registration.stableSubjectWithoutPage)
        try await keys.prepare(registration.idTokenAlgorithm)
        try await put(record)
        do { try await store.putOpenIDMedia(media, of: record.appID) } catch { throw Refusal(error) }
        return Registered(record: record, secret: secret.map(AppKey.init))
    }

    /// Gives a client a new secret. The old one stops working at once.
    public func rotateSecret(of app: AppID) async throws(Refusal) -> Registered {
        var record = try await find(app)
        guard record.authentication == .clientSecretBasic else {
            throw Refusal(.parameterInvalid, "the client signs its requests and has no secret")
        }
        let secret = random.alphanumerics(CredentialGrammar.openID.length)
        record.secretHash = CredentialHash(of: secret)
        try await put(record)
        return Registered(record: record, secret: AppKey(secret))
    }

    /// Gives ID tokens new signing keys; the old ones stay published until what they signed has ended.
    public func rotateKeys() async throws(Refusal) { try await keys.rotate() }

    /// The public signing keys, as clients see them.
    public func jwks() async throws(Refusal) -> JSON { try await keys.jwks() }

    public func find(_ app: AppID) async throws(Refusal) -> OpenIDClientRecord {
        let record: OpenIDClientRecord?
        do { record = try await store.openIDClient(app) } catch { throw Refusal(error) }
        guard let record else { throw Refusal(.appUnknown, "the app is no OpenID client") }
        return record
    }

    public func remove(_ app: AppID) async throws(Refusal) {
        do { try await store.removeOpenIDClient(app) } catch { throw Refusal(error) }
    }

    private func put(_ record: OpenIDClientRecord) async throws(Refusal) {
        do { try await store.putOpenIDClient(record) } catch {
            guard error.code == .notFound else { throw Refusal(error) }
            throw Refusal(.appUnknown, "no app has this id")
        }
    }

    static func validate(_ registration: Registration) throws(Refusal) {
        func refuse(_ problem: String) -> Refusal { Refusal(.parameterInvalid, problem) }
        guard (1...32).contains(registration.redirectURIs.count) else { throw refuse("redirect URIs: 1 to 32") }
        for uri in registration.redirectURIs {
            if let problem = problem(ofRedirectURI: uri) { throw refuse("redirect URI \(uri.prefix(200)): \(problem)") }
        }
        if let keySet = registration.keySet {
            do { _ = try ClientKeySet(parsing: keySet) } catch { throw refuse(error.description) }
        } else if registration.authentication == .privateKeyJWT {
            throw refuse("private_key_jwt: needs the client's public keys as a JWK set")
        }
        for purpose in registration.purposes where !CAMARAScopes.isPurpose(purpose) {
            throw refuse("purpose \(purpose.prefix(64)): must be dpv: and a name, dpv:FraudPreventionAndDetection")
        }
        guard registration.frameAncestors.count <= 16 else { throw refuse("frame ancestors: at most 16") }
        for origin in registration.frameAncestors {
            if let problem = problem(ofFrameAncestor: origin) {
                throw refuse("frame ancestor \(origin.prefix(200)): \(problem)")
            }
        }
        guard registration.purposes.isEmpty || registration.authentication == .privateKeyJWT else {
            throw refuse("purposes: CAMARA's interfaces need a client that signs (private_key_jwt)")
        }
    }

    /// What is wrong with an origin, or `nil`. RFC 6454 §6.2, without wildcards: it is compared, and written into a policy.
    static func problem(ofFrameAncestor text: String) -> String? {
        let asked = "must be an origin: https://shop.example, without a path; http is for the machine itself"
        guard (1...255).contains(text.utf8.count), let parts = URLComponents(string: text), let host = parts.host,
            parts.user == nil, parts.password == nil, parts.path.isEmpty, parts.query == nil, parts.fragment == nil
        else { return asked }
        let own = ["127.0.0.1", "localhost", "[::1]"]
        guard parts.scheme == "https" || (parts.scheme == "http" && own.contains(host)) else { return asked }
        let isPlain = host.utf8.allSatisfy { byte in
            (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte) || "-.[]:".utf8.contains(byte)
        }
        // Browsers leave a port out that is the scheme's own.
        let usual = parts.scheme == "https" ? 443 : 80
        guard isPlain, !host.isEmpty, parts.port != usual,
            text == "\(parts.scheme ?? "")://\(host)" + (parts.port.map { ":\($0)" } ?? "")
        else { return "must be written as browsers write it: in lower case, without a port that is the scheme's own" }
        return nil
    }

    /// What is wrong with a redirect URI, or `nil`. RFC 9700 §4.1 and RFC 8252 §7: absolute, no fragment, nothing to
    /// guess, and plain HTTP only to the machine itself.
    static func problem(ofRedirectURI text: String) -> String? {
        guard (1...2048).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            !text.contains(where: { "\"<>\\^`{|}*#".contains($0) })
        else { return "must be ASCII of at most 2048 characters, without spaces, *, # and quotes" }
        guard let parts = URLComponents(string: text), let scheme = parts.scheme, scheme == scheme.lowercased() else {
            return "must be an absolute address with its scheme in lower case"
        }
        guard parts.user == nil, parts.password == nil else { return "must not hold a user name" }
        let host = parts.host ?? ""
        switch scheme {
        case "https": return host.isEmpty || !text.hasPrefix("https://") ? "must name a host" : nil
        case "http":
            return ["127.0.0.1", "[::1]", "::1", "localhost"].contains(host)
                ? nil : "must be https; http is for the machine itself"
        default:
            // RFC 8252 §7.1: a domain name in reverse, so that two apps do not choose the same.
            return scheme.contains(".")
                ? nil : "a scheme of an app's own must be a reversed domain name, com.example.shop"
        }
    }
}
