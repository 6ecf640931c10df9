@_spi(Server) package import BenjiProtocol
import Crypto
package import Logging
import Requests
package import Store
import Synchronization

/// Seals and opens stored secrets, and computes values that must be found or recognised without being readable
/// (decision 12). There is one per process: it follows the store from one master key to the next (decision 33).
package final class Vault: Sendable {
    private struct Ring: Sendable {
        /// Seals, and finds numbers.
        var current: WorkingKey
        /// Finds numbers that a rotation has not come to yet.
        var outgoing: WorkingKey?
        /// All that can open something.
        var all: [WorkingKey]
        var receiptKey: ReceiptKey
    }

    /// The state of master keys that are not at hand.
    private struct Missing: Sendable {
        /// Why a key that the store names is not at hand.
        var problem: String?
        /// Keys that single values name and no place holds: of damaged values, or of a rotation not yet known.
        var told: Set<MasterKeyID> = []
    }

    private let ring: Mutex<Ring>
    private let missing = Mutex(Missing())
    private let logger: Logger
    let secrets: DataSecrets
    private let store: (any MasterKeyStore)?
    package let keeper: (any MasterKeyKeeper)?
    let attestationChallenges: AttestationChallenges

    /// The vault of one key that nothing can replace, for a store that belongs to none: openIds and the rest come from
    /// the key itself.
    package convenience init(masterKey: MasterKey) { self.init(masterKey, keeper: nil, store: nil) }

    /// - Parameter store: one that belongs to no key yet; it is followed once it does.
    init(
        _ masterKey: MasterKey, keeper: (any MasterKeyKeeper)?, store: (any MasterKeyStore)?,
        logger: Logger = Logger(label: "benji")
    ) {
        let key = WorkingKey(masterKey)
        ring = Mutex(Ring(current: key, outgoing: nil, all: [key], receiptKey: ReceiptKey(of: masterKey)))
        secrets = DataSecrets(of: masterKey)
        attestationChallenges = AttestationChallenges(key: secrets.attestation)
        self.keeper = keeper
        self.store = store
        self.logger = logger
    }

    /// The vault of a store that belongs to some of these keys.
    /// - Throws: ``VaultError`` if the keys do not open what the store keeps.
    init(
        _ keys: [MasterKey], _ kept: MasterKeyRing, keeper: any MasterKeyKeeper, store: any MasterKeyStore,
        logger: Logger
    ) throws(VaultError) {
        let keys = keys.map(WorkingKey.init)
        guard let sealed = kept.dataSecrets, let receiptKey = kept.receiptKeys.first else { throw VaultError() }
        secrets = try Self.secrets(in: sealed, keys)
        attestationChallenges = AttestationChallenges(key: secrets.attestation)
        ring = Mutex(try Self.ring(of: kept, keys, receiptKey))
        self.keeper = keeper
        self.store = store
        self.logger = logger
    }

    // MARK: following the store

    /// Why a master key that the store names is not at hand; `nil` as far as is known if all are. Nothing under that
    /// key opens until ``follow(asksAgain:)`` finds it.
    package var problem: String? { missing.withLock { $0.problem } }

    /// Reads the store's master keys and puts them into use here.
    ///
    /// - Parameter asksAgain: whether to look again for a key that was not at hand. Not for each request: an HSM is
    ///   slow.
    /// - Throws: ``Store/StoreError/Code/keyNotAtHand`` if keys that the store names are not.
    package func follow(asksAgain: Bool = true) async throws(StoreError) {
        guard let store, let keeper else { return }
        let kept = try await store.masterKeyRing()
        // A store that belongs to no key names none to follow.
        guard let receiptKey = kept.receiptKeys.first else { return }
        var known = ring.withLock { $0.all }
        let unknown = kept.needed.filter { id in !known.contains { $0.id == id } }
        if !asksAgain, !unknown.isEmpty, let problem { throw Self.notAtHand(problem) }
        do {
            if !unknown.isEmpty { known = Self.joined(known, try keeper.keys().map(WorkingKey.init)) }
            let new = try Self.ring(of: kept, known, receiptKey)
            ring.withLock { $0 = new }
        } catch {
            let ids = (unknown.isEmpty ? kept.needed : unknown).map(\.text).joined(separator: " and ")
            let problem =
                (error as? MasterKeyError)?.problem
                ?? "\(keeper.name) does not hold the key \(ids), which the database is under now"
            note(problem)
            throw Self.notAtHand(problem)
        }
        guard missing.withLock({ $0.problem.take() }) != nil else { return }
        logger.notice("the database's master key is at hand again")
    }

    private static func notAtHand(_ problem: String) -> StoreError {
        StoreError(.keyNotAtHand, "follow the master key: \(problem)")
    }

    /// Keeps why a key is not at hand, and says it if that is new.
    private func note(_ problem: String) {
        let former = missing.withLock { missing in
            defer { missing.problem = problem }
            return missing.problem
        }
        if former != problem { tell(problem) }
    }

    private func tell(_ problem: String) {
        logger.error(
            "the database's master key is not at hand",
            metadata: [
                "reason": "\(problem)",
                "advice":
                    """
                put it where the keys are kept, or restart this server if its settings have changed; see benji \
                keys show
                """,
            ])
    }

    /// Runs `body`, and again from the present master key if another process has changed it meanwhile.
    package func following<Value>(
        _ body: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        for _ in 0..<3 {
            do { return try await body() } catch {
                guard error.code == .keyChanged else { throw error }
                try await follow(asksAgain: false)
            }
        }
        return try await body()
    }

    private static func joined(_ known: [WorkingKey], _ more: [WorkingKey]) -> [WorkingKey] {
        known + more.filter { key in !known.contains { $0.id == key.id } }
    }

    private static func ring(
        of kept: MasterKeyRing, _ keys: [WorkingKey], _ receiptKey: ReceiptKeyRecord
    ) throws(VaultError) -> Ring {
        func key(_ record: MasterKeyRecord) throws(VaultError) -> WorkingKey {
            guard let key = keys.first(where: { $0.check == record.check }) else { throw VaultError() }
            return key
        }
        guard let current = kept.current, let sealed = receiptKey.sealedKey,
            let signer = ReceiptKey(
                bytes: try open(sealed, ReceiptKey.purpose, Array(receiptKey.id.utf8), keys))
        else { throw VaultError() }
        var outgoing: WorkingKey?
        if let record = kept.outgoing { outgoing = try key(record) }
        return Ring(current: try key(current), outgoing: outgoing, all: keys, receiptKey: signer)
    }

    private static func secrets(in sealed: Sealed, _ keys: [WorkingKey]) throws(VaultError) -> DataSecrets {
        guard let secrets = DataSecrets(bytes: try open(sealed, DataSecrets.purpose, [], keys)) else {
            throw VaultError()
        }
        return secrets
    }

    private static func open(
        _ sealed: Sealed, _ purpose: String, _ owner: [UInt8], _ keys: [WorkingKey]
    ) throws(VaultError) -> [UInt8] {
        for key in keys where sealed.masterKey == nil || sealed.masterKey == key.id {
            if let text = try? key.open(sealed, purpose: purpose, owner: owner) { return text }
        }
        throw VaultError()
    }

    // MARK: sealing

    /// The current master key's check value, as a store remembers it; it opens nothing.
    package var masterKeyCheck: MasterKeyCheck { ring.withLock { $0.current.check } }
    var masterKey: WorkingKey { ring.withLock { $0.current } }

    /// - Parameters:
    ///   - purpose: what kind of value this is: "number", "app-key".
    ///   - owner: the row that it belongs to. A value moved to another row does not open.
    package func seal(_ plaintext: [UInt8], purpose: String, owner: [UInt8]) throws -> Sealed {
        try masterKey.seal(plaintext, purpose: purpose, owner: owner)
    }

    package func open(_ sealed: Sealed, purpose: String, owner: [UInt8]) throws(VaultError) -> [UInt8] {
        try bringKey(of: sealed)
        return try Self.open(sealed, purpose, owner, ring.withLock { $0.all })
    }

    /// Checks that the master key that seals a subscription's number is at hand.
    /// - Throws: ``Store/StoreError/Code/keyNotAtHand``.
    package func checkKey(of subscription: SubscriptionRecord) throws(StoreError) {
        do { try bringKey(of: subscription.sealedNumber) } catch {
            throw StoreError(.keyNotAtHand, "the subscription's number does not open")
        }
    }

    /// Looks for the key that a value names. It is known, but for that of another process that rotates and has come to
    /// this value before we heard of it.
    private func bringKey(of sealed: Sealed) throws(VaultError) {
        guard let id = sealed.masterKey, let keeper, !ring.withLock({ $0.all.contains { $0.id == id } }) else { return }
        guard problem == nil else { throw VaultError(isKeyMissing: true) }
        let more: [WorkingKey]
        do { more = try keeper.keys().map(WorkingKey.init) } catch {
            note(error.problem)
            throw VaultError(isKeyMissing: true)
        }
        ring.withLock { $0.all = Self.joined($0.all, more) }
        guard !more.contains(where: { $0.id == id }) else { return }
        // Only the store knows whether there is such a key, so it is no problem of all yet. Few, should a file be
        // damaged.
        let isNew = missing.withLock { $0.told.count < 16 && $0.told.insert(id).inserted }
        if isNew { tell("\(keeper.name) does not hold the key \(id.text), under which a value of the database is") }
        throw VaultError(isKeyMissing: true)
    }

    static func code(_ key: SymmetricKey, _ domain: String, _ fields: [[UInt8]]) -> [UInt8] {
        var bytes = LengthPrefixed(domain: domain)
        for field in fields { bytes.append(field) }
        return Array(HMAC<SHA256>.authenticationCode(for: bytes.bytes, using: key))
    }

    /// How the key of a face account is sealed, which is named by its subscription and epoch.
    package static let faceKeyPurpose = "face-key"
    package static func faceKeyOwner(subscription: Int64, epoch: Int32) -> [UInt8] {
        Array("\(subscription)/\(epoch)".utf8)
    }

    // MARK: subscribers

    package func index(of number: PhoneNumber) -> NumberIndex {
        let (current, outgoing) = ring.withLock { ($0.current, $0.outgoing) }
        return NumberIndex(
            current.index(of: number), former: outgoing.map { [$0.index(of: number)] } ?? [], key: current.id)
    }

    package func seal(_ number: PhoneNumber, index: BlindIndex) throws -> Sealed {
        try masterKey.seal(number, index: index)
    }

    package func number(of subscription: SubscriptionRecord) throws(VaultError) -> PhoneNumber {
        let digits = try open(subscription.sealedNumber, purpose: "number", owner: subscription.numberIndex.bytes)
        // The sealed digits include the country code.
        guard let number = PhoneNumber("+" + String(decoding: digits, as: UTF8.self)) else { throw VaultError() }
        return number
    }

    /// A SIM card as it is compared: a keyed hash of its IMSI under a secret that never moves.
    func sim(_ imsi: String) -> SIMCode {
        SIMCode(bytes: Self.code(secrets.sim, "imsi", [Array(imsi.utf8)]))
    }

    func seal(_ sim: SIMCode, index: BlindIndex) throws -> Sealed {
        try masterKey.seal(sim, index: index)
    }

    /// The card of a subscription; `nil` if no feed has named one.
    func sim(of subscription: SubscriptionRecord) throws(VaultError) -> SIMCode? {
        guard let sealed = subscription.sealedSIM else { return nil }
        // A store from before keys had ids holds the code itself.
        guard sealed.bytes.count != SIMCode.length else { return SIMCode(bytes: sealed.bytes) }
        return SIMCode(
            bytes: try open(sealed, purpose: SIMCode.purpose, owner: subscription.numberIndex.bytes))
    }

    /// The person's identifier for this app: the same for every login, another for every app, gone with the epoch
    /// (decision 5).
    package func openID(_ subscription: SubscriptionRecord, app: AppID) -> String {
        Base64URL.encode(Self.code(secrets.openID, "open-id", [Array(app.rawValue.utf8), subscription.epochKey]))
    }

    /// The person's `pcid`: like the openID, under another key, so that the two cannot be matched.
    package func pseudonym(_ subscription: SubscriptionRecord, app: AppID) -> String {
        Base64URL.encode(Self.code(secrets.pseudonym, "pcid", [Array(app.rawValue.utf8), subscription.epochKey]))
    }

    /// By what an unfinished erasure of this number is known: under a secret that no rotation changes.
    package func erasureMark(of number: PhoneNumber) -> [UInt8] {
        Self.code(secrets.sim, "erasure", [Array(number.e164.utf8)])
    }

    /// The name of a request in the audit log, which is kept for good. Its sender may have made it from a number. No
    /// rotation changes its secret, and with the log alone the numbers cannot be tried.
    package func requestName(_ key: String, of actor: String) -> String {
        Base64URL.encode(Self.code(secrets.sim, "request", [Array(actor.utf8), Array(key.utf8)]))
    }

    // MARK: SMS codes

    /// Under a secret that no rotation changes.
    func smsIndex(_ domain: String, _ fields: [[UInt8]]) -> BlindIndex {
        BlindIndex(bytes: Self.code(secrets.sim, domain, fields))
    }

    // MARK: the console

    /// The secret of an admin's one-time passwords (RFC 6238). Another salt makes others.
    package func consoleSecret(of admin: String, salt: [UInt8]) -> [UInt8] {
        Self.code(secrets.attestation, "console-one-time-password", [Array(admin.utf8), salt])
    }

    // MARK: the installation

    /// The identifier of this installation: the same in all processes over one store, for good. It opens nothing, and
    /// does not reveal the keys.
    package var installation: String { Base64URL.encode(Self.code(secrets.attestation, "benji-installation-v1", [])) }

    // MARK: receipts

    /// Signs consent receipts.
    package var receiptSigner: SoftwareDeviceSigner { ring.withLock { $0.receiptKey.signer } }

    /// The public key with which anybody can check a consent receipt that is signed now.
    package var receiptKey: DevicePublicKey { receiptSigner.publicKey }
}

/// A SIM card as it is compared, and not as it is named.
struct SIMCode: Hashable, Sendable {
    static let length = 32
    static let purpose = "sim"
    let bytes: [UInt8]
}

extension WorkingKey {
    func seal(_ number: PhoneNumber, index: BlindIndex) throws -> Sealed {
        try seal(Array(number.e164.utf8), purpose: "number", owner: index.bytes)
    }

    func seal(_ sim: SIMCode, index: BlindIndex) throws -> Sealed {
        try seal(sim.bytes, purpose: SIMCode.purpose, owner: index.bytes)
    }
}

/// A sealed value did not open: another master key, a damaged row, or a value moved between rows.
package struct VaultError: Error, CustomStringConvertible {
    /// Whether it names a master key that is not at hand now.
    package var isKeyMissing: Bool

    package init(isKeyMissing: Bool = false) { self.isKeyMissing = isKeyMissing }

    package var description: String {
        "a sealed value does not open: it was sealed under another master key, damaged, or moved from another row"
    }
}

extension Refusal {
    /// Something sealed did not open.
    /// - Parameter detail: what it was, should it be damaged.
    package init(_ error: VaultError, _ detail: String, trace: TraceID? = nil) {
        self = error.isKeyMissing ? .keyNotAtHand(trace: trace) : Refusal(.internalError, detail, trace: trace)
    }
}
