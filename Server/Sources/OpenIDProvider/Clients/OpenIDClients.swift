package import Authority
package import BenjiPage
package import BenjiProtocol
import Foundation
package import Requests
package import Store

/// The apps that are clients of the OpenID provider: makes them, changes them, ends them.
package struct OpenIDClients: Sendable {
    let store: any OpenIDClientStore & RowCodeStore
    let clock: any WallClock
    let random: any RandomSource
    let keys: IDTokenKeys
    /// Which addresses clients may be told at.
    private let rules: CallbackRules

    package init(authority: Authority, store: any OpenIDClientStore & OpenIDKeyStore & RowCodeStore) {
        self.store = store
        clock = authority.clock
        random = authority.random
        rules = authority.configuration.callbacks
        keys = IDTokenKeys(store: store, vault: authority.vault, clock: clock, random: random)
    }

    /// The settings that an app's operator chooses.
    package struct Registration: Sendable {
        package var appID: AppID
        package var redirectURIs: [String] = []
        package var authentication: ClientAuthentication = .privateKeyJWT
        package var keySet: String?
        package var idTokenAlgorithm: IDTokenAlgorithm = .es256
        package var asksMiddleDigits = false
        package var requiresPushedRequests = false
        /// The page's description; `nil` keeps the one that the client has.
        package var page: PageDescription?
        /// The description that the client has, as it is stored.
        package private(set) var presentPage: String?
        /// The purposes for which it may call CAMARA's interfaces.
        package var purposes: [String] = []
        /// The origins whose pages may show the login page in a frame: `https://shop.example`.
        package var frameAncestors: [String] = []
        /// Whether it is told who comes back where no page was shown.
        package var stableSubjectWithoutPage = false
        /// Whether requests without PKCE are refused.
        package var requiresPKCE = true
        /// Whether access tokens are bound to a key of the client's (DPoP) without exception.
        package var bindsAccessTokens = false
        /// The name in its certificate, if it authenticates by `tls_client_auth`.
        package var certificateName: CertificateName?
        /// Whether access tokens are bound to the client's certificate without exception.
        package var bindsToCertificate = false
        /// Whether the page has a box that has the consent remembered.
        package var remembersConsent = false
        package var profile: ClientProfile = .openID
        /// How it asks people on their phones; `nil` if it may not.
        package var backchannel: BackchannelRegistration?
        /// Images of the page, by the names that the description has for them: new ones, or in the place of those of
        /// the same name. The others stay.
        package var media: [String: [UInt8]] = [:]
        /// Names of images that the page has no more.
        package var removedMedia: Set<String> = []

        package init(appID: AppID, page: PageDescription? = nil) {
            self.appID = appID
            self.page = page
        }

        /// The registration that a record contains.
        init(_ record: OpenIDClientRecord) {
            appID = record.appID
            redirectURIs = record.redirectURIs
            authentication = record.authentication
            keySet = record.keySet
            idTokenAlgorithm = record.idTokenAlgorithm
            asksMiddleDigits = record.asksMiddleDigits
            requiresPushedRequests = record.requiresPushedRequests
            purposes = record.purposes
            frameAncestors = record.frameAncestors
            stableSubjectWithoutPage = record.stableSubjectWithoutPage
            requiresPKCE = record.requiresPKCE
            bindsAccessTokens = record.bindsAccessTokens
            certificateName = record.certificateName
            bindsToCertificate = record.bindsToCertificate
            remembersConsent = record.remembersConsent
            profile = record.profile
            backchannel = record.backchannel
            presentPage = record.page
        }

        /// The record with this registration.
        fileprivate func written(over present: OpenIDClientRecord?) throws(Refusal) -> OpenIDClientRecord {
            var text = present?.page ?? ""
            if let page {
                do { text = try page.json().text } catch { throw Refusal(.parameterInvalid, "page: \(error)") }
            }
            return OpenIDClientRecord(
                appID: appID, redirectURIs: redirectURIs, authentication: authentication,
                secrets: present.map { authentication.fits($0.authentication) ? $0.secrets : [] } ?? [], keySet: keySet,
                idTokenAlgorithm: idTokenAlgorithm, asksMiddleDigits: asksMiddleDigits,
                requiresPushedRequests: requiresPushedRequests, page: text, purposes: purposes,
                frameAncestors: frameAncestors, stableSubjectWithoutPage: stableSubjectWithoutPage,
                requiresPKCE: requiresPKCE, bindsAccessTokens: bindsAccessTokens, certificateName: certificateName,
                bindsToCertificate: bindsToCertificate, profile: profile, remembersConsent: remembersConsent,
                backchannel: backchannel, revision: present?.revision ?? 0)
        }
    }

    /// A registered client, with its secret if it has a new one.
    package struct Registered: Sendable {
        package var record: OpenIDClientRecord
        /// Shown this once.
        package var secret: AppKey?
        /// The parts of a new key set that are not registered; see ``ClientKeySet/ignored``.
        package var ignoredKeys: [JSONError]

        package init(record: OpenIDClientRecord, secret: AppKey? = nil, ignoredKeys: [JSONError] = []) {
            self.record = record
            self.secret = secret
            self.ignoredKeys = ignoredKeys
        }
    }

    /// Makes an app a client as registered, or makes the client that it is so. See ``set(_:_:)``.
    package func register(_ registration: Registration, by note: OrderNote) async throws(Refusal) -> Registered {
        try await set(registration.appID, by: note) { $0 = registration }
    }

    /// Makes an app a client, or changes the client. This is one conditional write, repeated from the present record if
    /// another change was first.
    ///
    /// A client that authenticates with a secret and has none gets one. Otherwise its secrets stay as they are.
    ///
    /// - Parameters:
    ///   - note: who orders it.
    ///   - change: receives the present registration, or for a new client the defaults. It may run several times, so it
    ///     must have no effects.
    package func set(
        _ app: AppID, by note: OrderNote, _ change: (inout Registration) throws(Refusal) -> Void
    ) async throws(Refusal) -> Registered {
        let drawn = random.alphanumerics(CredentialGrammar.openID.length)
        for _ in 0..<Apps.maximumAttempts {
            let present = try await record(app)
            var registration = present.map(Registration.init) ?? Registration(appID: app)
            try change(&registration)
            try Self.validate(registration, isNew: present == nil)
            try registration.checkBackchannel(rules)
            var ignoredKeys: [JSONError] = []
            if let text = registration.keySet, text != present?.keySet {
                let set = try Self.keySet(text)
                (registration.keySet, ignoredKeys) = (set.canonical, set.ignored)
            }
            let images = try await mediaDigests(of: app)
            let media = try Self.judgedMedia(of: registration, present: images)
            var record = try registration.written(over: present)
            let needsSecret = record.authentication.usesSecret && record.secrets.isEmpty
            let now = clock.now
            let secret = secret(drawn, version: 1, of: record, at: now)
            if needsSecret { record.secrets = [ClientSecretRecord(hash: CredentialHash(of: secret), createdAt: now)] }
            try await keys.prepare(record.idTokenAlgorithm)
            let entry = note.entry(
                at: clock.now, app: app, from: present?.json(media: images),
                to: record.json(media: Self.digests(images, without: registration.removedMedia, adding: media)))
            guard let stored = try await put(record, entry, media, Array(registration.removedMedia)) else { continue }
            return Registered(
                record: stored, secret: needsSecret ? AppKey(secret) : nil, ignoredKeys: ignoredKeys)
        }
        throw Apps.changedTooOften
    }

    /// Gives a client a new secret.
    package func rotateSecret(
        of app: AppID, keeping overlap: KeyOverlap = .untilRetired, by note: OrderNote
    ) async throws(Refusal) -> Registered {
        let drawn = random.alphanumerics(CredentialGrammar.openID.length)
        var new = drawn
        let record = try await changeSecrets(of: app, by: note) { client throws(Refusal) in
            let now = clock.now
            let version = client.secrets.nextVersion
            new = secret(drawn, version: version, of: client, at: now)
            try client.secrets.rotate(
                to: ClientSecretRecord(version: version, hash: CredentialHash(of: new), createdAt: now),
                keeping: overlap, now: now, noun: AppKeyUse.openID.noun)
        }
        return Registered(record: record, secret: AppKey(new))
    }

    /// A new secret. Usually it is the drawn one. A client whose messages are checked with the secret itself gets one
    /// that can be derived again, because only a hash is kept.
    private func secret(_ drawn: String, version: Int, of client: OpenIDClientRecord, at moment: Timestamp) -> String {
        client.authentication == .clientSecretJWT
            ? keys.vault.clientSecret(of: client.appID, version: version, createdAt: moment) : drawn
    }

    /// Ends a secret of a client at once: the one of that version, or all but the newest.
    package func retireSecret(
        of app: AppID, version: Int? = nil, by note: OrderNote
    ) async throws(Refusal) -> Registered {
        Registered(
            record: try await changeSecrets(of: app, by: note) { client throws(Refusal) in
                try client.secrets.retire(version, now: clock.now, noun: AppKeyUse.openID.noun)
            })
    }

    private func changeSecrets(
        of app: AppID, by note: OrderNote, _ change: (inout OpenIDClientRecord) throws(Refusal) -> Void
    ) async throws(Refusal) -> OpenIDClientRecord {
        for _ in 0..<Apps.maximumAttempts {
            let present = try await find(app)
            var record = present
            guard record.authentication.usesSecret else {
                throw Refusal(
                    .parameterInvalid,
                    "the client has no secret; it is registered for \(record.authentication.rawValue)")
            }
            try change(&record)
            let entry = note.entry(at: clock.now, app: app, from: present.json(), to: record.json())
            if let stored = try await put(record, entry) { return stored }
        }
        throw Apps.changedTooOften
    }

    /// The images to write, if the page has not too many with them.
    ///
    /// - Parameter present: those that the page has, by name.
    private static func judgedMedia(
        of registration: Registration, present: [String: String]
    ) throws(Refusal) -> [OpenIDMedia] {
        let media = try PageMedia.judged(registration.media)
        for name in registration.removedMedia.sorted() where present[name] == nil {
            let list = present.isEmpty ? "none" : present.keys.sorted().joined(separator: ", ")
            throw Refusal(
                .parameterInvalid,
                "media: there is no \(name.prefix(64).printable) to remove; the page has \(list.printable)")
        }
        let images = digests(present, without: registration.removedMedia, adding: media)
        guard images.count <= PageMedia.maximumCount else { throw PageMedia.tooMany }
        return media
    }

    /// The digests of a page's images by name, after some were removed and others written.
    private static func digests(
        _ present: [String: String], without removed: Set<String>, adding media: [OpenIDMedia]
    ) -> [String: String] {
        var digests = present.filter { !removed.contains($0.key) }
        for image in media { digests[image.name] = image.digest }
        return digests
    }

    /// The digests of the images of a client's page, by name.
    package func mediaDigests(of app: AppID) async throws(Refusal) -> [String: String] {
        do { return try await store.openIDMediaDigests(of: app) } catch { throw Refusal(error) }
    }

    /// Gives ID tokens new signing keys; the old ones stay published until what they signed has ended.
    ///
    /// - Parameter isStolen: whether the old ones are in wrong hands. Then they are removed at once, and what they
    ///   signed counts no more.
    package func rotateKeys(isStolen: Bool = false, by note: OrderNote) async throws(Refusal) {
        try await keys.rotate(isStolen: isStolen, by: note)
    }

    /// The public signing keys, as clients see them.
    package func jwks() async throws(Refusal) -> JSON { try await keys.jwks() }

    package func find(_ app: AppID) async throws(Refusal) -> OpenIDClientRecord {
        guard let record = try await record(app) else { throw Refusal(.appUnknown, "the app is no OpenID client") }
        return record
    }

    private func record(_ app: AppID) async throws(Refusal) -> OpenIDClientRecord? {
        do { return try await store.openIDClient(app) } catch { throw Refusal(error) }
    }

    /// Removes a client, also one whose row is refused and counts as absent. It can then be registered again.
    package func remove(_ app: AppID, by note: OrderNote) async throws(Refusal) {
        let present = try await record(app)
        if present == nil {
            let row: RowToSeal?
            do { row = try await store.rowToSeal(.openIDClient, id: app.rawValue) } catch { throw Refusal(error) }
            guard row != nil else { throw Refusal(.appUnknown, "the app is no OpenID client") }
        }
        let before = try await present?.json(media: mediaDigests(of: app))
        let entry = note.entry(at: clock.now, app: app, from: before)
        do { try await store.removeOpenIDClient(app, audit: entry) } catch { throw Refusal(error) }
    }

    /// The record as it was written, or `nil` if another change was first.
    private func put(
        _ record: OpenIDClientRecord, _ entry: AuditEntry, _ media: [OpenIDMedia] = [], _ removedMedia: [String] = []
    ) async throws(Refusal) -> OpenIDClientRecord? {
        do {
            return try await store.putOpenIDClient(record, media: media, removedMedia: removedMedia, audit: entry)
        } catch {
            switch error.code {
            case .outdated: return nil
            case .notFound: throw Refusal(.appUnknown, "no app has this id")
            default: throw Refusal(error)
            }
        }
    }

    static func keySet(_ text: String) throws(Refusal) -> ClientKeySet {
        do { return try ClientKeySet(parsing: text) } catch {
            throw Refusal(.parameterInvalid, error.description)
        }
    }

    static func validate(_ registration: Registration, isNew: Bool = true) throws(Refusal) {
        func refuse(_ problem: String) -> Refusal { Refusal(.parameterInvalid, problem) }
        guard registration.page != nil || !isNew else { throw refuse("page: missing; a new client needs one") }
        guard (1...32).contains(registration.redirectURIs.count) else { throw refuse("redirect URIs: 1 to 32") }
        for uri in registration.redirectURIs {
            if let problem = problem(ofRedirectURI: uri) { throw refuse("redirect URI \(uri.prefix(200)): \(problem)") }
        }
        if let keySet = registration.keySet {
            _ = try Self.keySet(keySet)
        } else if registration.authentication == .privateKeyJWT {
            throw refuse("private_key_jwt: needs the client's public keys as a JWK set")
        }
        try validateCertificate(registration)
        guard registration.purposes.count <= 32 else { throw refuse("purposes: at most 32") }
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
        guard !registration.remembersConsent || !registration.asksMiddleDigits else {
            throw refuse("remember_consent: an app that always asks for the digits has no login without a page")
        }
        guard registration.profile == .fapi2 else { return }
        guard !registration.authentication.usesSecret else {
            throw refuse("profile fapi2: needs a client that signs (private_key_jwt), or mutual TLS")
        }
        guard registration.requiresPKCE else { throw refuse("profile fapi2: needs PKCE") }
        guard registration.idTokenAlgorithm == .es256 else { throw refuse("profile fapi2: has no RS256") }
        guard registration.purposes.isEmpty else {
            throw refuse("profile fapi2: CAMARA's interfaces have a security profile of their own; leave out purposes")
        }
    }

    /// The error in an origin, or `nil`. RFC 6454 §6.2, without wildcards: it is compared, and written into a policy.
    static func problem(ofFrameAncestor text: String) -> String? {
        let asked = "must be an origin: https://shop.example, without a path; http is for the machine itself"
        guard (1...255).contains(text.utf8.count), let parts = URLComponents(string: text), let host = parts.host,
            parts.user == nil, parts.path.isEmpty, parts.query == nil, parts.fragment == nil
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

    /// The error in a redirect URI, or `nil`. RFC 9700 §4.1 and RFC 8252 §7: absolute, no fragment, nothing to guess,
    /// and plain HTTP only to the machine itself.
    static func problem(ofRedirectURI text: String) -> String? {
        guard (1...2048).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            !text.contains(where: { "\"<>\\^`{|}*#".contains($0) })
        else { return "must be ASCII of at most 2048 characters, without spaces, *, # and quotes" }
        guard let parts = URLComponents(string: text), let scheme = parts.scheme, scheme == scheme.lowercased() else {
            return "must be an absolute address with its scheme in lower case"
        }
        guard parts.user == nil else { return "must not hold a user name" }
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
