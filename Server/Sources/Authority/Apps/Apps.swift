public import BenjiProtocol
internal import CryptoExtras
public import Store

/// The registry of apps: makes them, changes them, opens their keys.
public struct Apps: Sendable {
    private let store: any Store
    private let vault: Vault
    private let clock: any WallClock
    private let random: any RandomSource
    private let memory = AppMemory()

    public init(store: any Store, vault: Vault, clock: any WallClock, random: any RandomSource) {
        self.store = store
        self.vault = vault
        self.clock = clock
        self.random = random
    }

    /// What a new app says of itself.
    public struct Registration: Sendable {
        public var id: AppID?
        public var name: String
        public var capabilities = Capability.usual
        public var bundleIDs: [String] = []
        public var serverAddresses: [String] = []
        public var rsaPublicKey: String?
        public var signAlgorithm: SignAlgorithm = .md5
        public var dailyQuota: Int?
        public var leastAssurance: Assurance = .net
        public var attesters: [String] = []
        public var scripLifetime: Int64?
        public var tokenLifetime: Int64?
        public var requestTimeTolerance: Int64?
        public var legacyNumberWithoutPage = false
        public var phonesWithoutKey = false
        public var unsignedRequests = false
        public var approvedContent: [String] = []
        public var sourceIDs: [String] = []
        public var allowed = true

        public init(name: String) { self.name = name }
    }

    /// Registers an app and returns it with its key, which is shown this once.
    public func register(_ registration: Registration) async throws(Refusal) -> RegisteredApp {
        try Self.validate(registration)
        let keyText = random.alphanumerics(32)
        // Ids are drawn, not counted, so that one does not tell how many apps there are; a taken one is drawn again.
        for _ in 0..<16 {
            let id = registration.id ?? randomID()
            var record = AppRecord(
                id: id, name: registration.name, sealedKey: Sealed(bytes: []), allowed: registration.allowed,
                capabilities: registration.capabilities, bundleIDs: registration.bundleIDs,
                serverAddresses: registration.serverAddresses, rsaPublicKey: registration.rsaPublicKey,
                signAlgorithm: registration.signAlgorithm, dailyQuota: registration.dailyQuota,
                leastAssurance: registration.leastAssurance, attesters: registration.attesters,
                scripLifetime: registration.scripLifetime, tokenLifetime: registration.tokenLifetime,
                requestTimeTolerance: registration.requestTimeTolerance,
                legacyNumberWithoutPage: registration.legacyNumberWithoutPage,
                phonesWithoutKey: registration.phonesWithoutKey, unsignedRequests: registration.unsignedRequests,
                approvedContent: registration.approvedContent, sourceIDs: registration.sourceIDs, createdAt: clock.now)
            record.sealedKey = try seal(keyText, for: record)
            do {
                try await store.createApp(record)
                return RegisteredApp(record: record, key: AppKey(keyText))
            } catch {
                guard error.code == .alreadyExists else { throw Refusal(error) }
                if registration.id != nil || !registration.sourceIDs.isEmpty {
                    throw Refusal(.parameterInvalid, "the app id or one of the source ids is taken")
                }
            }
        }
        throw Refusal(.internalError, "no free app id was found")
    }

    /// Gives an app a new key. The old one stops working at once.
    public func rotateKey(of id: AppID) async throws(Refusal) -> RegisteredApp {
        let app = try await find(id)
        var record = app.record
        record.keyVersion += 1
        let keyText = random.alphanumerics(32)
        record.sealedKey = try seal(keyText, for: record)
        do { try await store.updateApp(record) } catch { throw Refusal(error) }
        return RegisteredApp(record: record, key: AppKey(keyText))
    }

    /// Changes an app's record as it is now.
    func change(_ id: AppID, _ change: (inout AppRecord) -> Void) async throws(Refusal) -> AppRecord {
        var record = try await find(id).record
        change(&record)
        do { try await store.updateApp(record) } catch { throw Refusal(error) }
        return try await find(id).record
    }

    public func all() async throws(Refusal) -> [AppRecord] {
        do { return try await store.apps() } catch { throw Refusal(error) }
    }

    /// The app and its key, whatever its state.
    public func find(_ id: AppID) async throws(Refusal) -> RegisteredApp {
        let record: AppRecord?
        do { record = try await store.app(id) } catch { throw Refusal(error) }
        guard let record else { throw Refusal(.appUnknown, "no app has this id") }
        let key: [UInt8]
        do {
            key = try vault.open(record.sealedKey, purpose: "app-key", owner: Self.owner(of: record))
        } catch {
            throw Refusal(.internalError, "the app's key does not open; was the database made with another master key?")
        }
        let app = RegisteredApp(record: record, key: AppKey(String(decoding: key, as: UTF8.self)))
        memory.keep(app)
        return app
    }

    /// The app as it was when it was last read here. It may have changed since: only what the store compares with the
    /// record's revision, a redemption, may rest on it.
    public func remembered(_ id: AppID) -> RegisteredApp? { memory.app(id) }

    private func randomID() -> AppID {
        let digits = random.bytes(8).map { String($0 % 10) }.joined()
        // Twelve digits by construction.
        return AppID(rawValue: "3000" + digits)!
    }

    private func seal(_ key: String, for record: AppRecord) throws(Refusal) -> Sealed {
        do {
            return try vault.seal(Array(key.utf8), purpose: "app-key", owner: Self.owner(of: record))
        } catch {
            throw Refusal(.internalError, "the app's key could not be sealed")
        }
    }

    static func owner(of record: AppRecord) -> [UInt8] {
        Array("\(record.id.rawValue)/\(record.keyVersion)".utf8)
    }
}

extension Apps {
    /// Document 000's limit of source ids for one app (103408).
    public static let greatestSourceIDCount = 99

    static func validate(_ registration: Registration) throws(Refusal) {
        func refuse(_ problem: String) -> Refusal { Refusal(.parameterInvalid, problem) }
        guard (1...128).contains(registration.name.utf8.count) else { throw refuse("name: 1 to 128 bytes") }
        guard !registration.name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw refuse("name: must not contain control characters")
        }
        for address in registration.serverAddresses where IPPrefix(address) == nil {
            throw refuse("server address \(address.prefix(64)): must be an address or a block such as 203.0.113.0/24")
        }
        let prefixes = registration.serverAddresses.compactMap { IPPrefix($0) }
        guard !registration.unsignedRequests || RegisteredApp.tellAServer(prefixes) else {
            throw refuse("unsigned requests: need server addresses, none wider than /29 (IPv4) or /64 (IPv6)")
        }
        for bundle in registration.bundleIDs where !BundleIDGrammar.matches(bundle) {
            throw refuse(
                "bundle id \(bundle.prefix(64)): letters, digits, hyphens and underscores in parts joined by dots, such as "
                    + "com.example.shop")
        }
        for attester in registration.attesters { _ = try attesterKey(attester) }
        if let pem = registration.rsaPublicKey {
            // The initialiser refuses anything under 2048 bits.
            do { _ = try _RSA.Signing.PublicKey(pemRepresentation: pem) } catch {
                throw refuse("RSA public key: must be PEM of at least 2048 bits")
            }
        } else if registration.signAlgorithm == .rsa {
            throw refuse("sign algorithm rsa: needs an RSA public key")
        }
        guard registration.dailyQuota ?? 1 >= 0 else { throw refuse("daily quota: must not be negative") }
        for lifetime in [registration.scripLifetime, registration.tokenLifetime] where lifetime ?? 1 < 1 {
            throw refuse("lifetime: must be at least one second")
        }
        guard (1...86400).contains(registration.requestTimeTolerance ?? 1) else {
            throw refuse("request time tolerance: 1 to 86400 seconds")
        }
        guard registration.sourceIDs.count <= greatestSourceIDCount else {
            throw Refusal(.sourceIDLimit, "at most \(greatestSourceIDCount) source ids for one app")
        }
        for id in registration.sourceIDs where !SourceIDGrammar.matches(id) {
            throw Refusal(.sourceIDMalformed, "source id: 1 to 32 digits")
        }
    }

    static func attesterKey(_ jwk: String) throws(Refusal) -> DevicePublicKey {
        do {
            return try DevicePublicKey(jwk: try JSON(parsing: jwk), path: "attester")
        } catch {
            throw Refusal(.parameterInvalid, error.description)
        }
    }
}
