package import BenjiProtocol

/// A capability of an app.
package enum Capability: String, Hashable, Sendable, Codable, CaseIterable {
    /// One-tap login: releases the number after consent.
    case login
    /// 本机号码校验: answers whether a number is the phone's own.
    case verification
    /// Takes consents from pages that began with the tick set, as two vendors' documents have it. Neither the law nor
    /// today's rules want such pages, so an app has it only when the operator grants it.
    case tickedPage = "ticked-page"
    /// Answers when the SIM of a number was changed last, over CAMARA's sim-swap. It can ask about any number, so the
    /// operator grants it.
    case simSwap = "sim-swap"
    /// Sends codes to numbers by SMS and compares them, over CAMARA's one-time-password-sms. The app can message any
    /// number in its own words, so the operator grants it.
    case smsCodes = "sms-codes"
    /// Login by face. Off until the operator grants it: it is the strictest kind of personal data.
    case face
    /// Besides, the attributes that need a grant of their own: expression, pose, eyes, mouth, points and box.
    case faceAttributes = "face-attributes"
    /// Besides, groups of the app's own people, and looking for a face in them.
    case faceGroups = "face-groups"

    /// The capabilities of an app by default.
    package static let usual: Set<Capability> = [.login, .verification]
}

/// By which ways an app's phones log in.
package enum Workflow: String, Hashable, Sendable, Codable, CaseIterable {
    /// Only the network reports the number.
    case oneTap = "one-tap"
    /// Besides, a phone that the network does not know just now may log in by a code that is sent to its number. This
    /// earns ``BenjiProtocol/Assurance/sms``, so the app must accept that. If it accepts
    /// ``BenjiProtocol/Assurance/smsUpstream`` too, a text that is sent from the number logs in as well.
    case oneTapThenSMS = "one-tap-then-sms"
}

/// How an app's server signs its requests to loginTokenValidate: pinned at registration, never chosen by the request
/// (decision 11).
package enum SignAlgorithm: String, Hashable, Sendable, Codable, CaseIterable {
    /// MD5 over the fields and the app key. Only for callers that cannot do better.
    case md5
    /// SHA-256 with RSA (PKCS#1 v1.5) over app id and token; the answer's number is encrypted to the same key.
    case rsa
}

/// A registered application.
package struct AppRecord: Hashable, Sendable {
    package var id: AppID
    package var name: String
    /// By use, the newest of each first. An app without a server secret has one key for phones and server.
    package var keys: [AppKeyRecord]
    package var suspended: Bool
    /// Whether the operator has put the app on its allow-list; without it nothing is answered.
    package var allowed: Bool
    package var capabilities: Set<Capability>
    package var bundleIDs: [String]
    /// Addresses from which the app's server may call, in CIDR form. Empty means none.
    package var serverAddresses: [String]
    /// Whether a server that proves itself by a client secret or its own key may call from any address. This concerns
    /// the interfaces of OpenID Connect and CAMARA.
    package var openIDFromAnywhere: Bool
    /// PEM of an RSA public key of at least 2048 bits, or `nil`.
    package var rsaPublicKey: String?
    package var signAlgorithm: SignAlgorithm
    /// Answered redemptions and verifications a day (UTC+8), or `nil` for none of its own.
    package var dailyQuota: Int?
    package var leastAssurance: Assurance
    package var workflow: Workflow
    /// JWKs of the attesters whose word counts for this app.
    package var attesters: [String]
    /// The team at Apple that publishes the app, by which keys of App Attest are told to be this app's; `nil` if none
    /// is taken.
    package var appleTeam: String?
    /// Whether keys count that App Attest attested for apps under development.
    package var takesDevelopmentKeys: Bool
    /// Shorter life for this app's scrips and tokens, in seconds. Policy's value if `nil`; never longer than policy's.
    package var scripLifetime: Int64?
    package var tokenLifetime: Int64?
    /// Seconds that a server request's time may be from ours, or `nil`: callers exist whose time stands still since
    /// their start.
    package var requestTimeTolerance: Int64?
    /// The explicit grant that lets a token earned without a page release a number (decision 17). Audited at each use.
    package var legacyNumberWithoutPage: Bool
    /// Whether this app's phones may ask without showing that they know the app key: their SDK was given an app id
    /// only.
    package var phonesWithoutKey: Bool
    /// Whether the app's server may redeem without a sign where a dialect has such a form. Then only its address
    /// identifies it, so the addresses must be few.
    package var unsignedRequests: Bool
    /// Whether consents count only on approved pages. So they do, too, where ``approvedContent`` names any.
    package var requiresPageReview: Bool
    /// Page digests of approved pages; of pages that the app draws itself, content digests. Empty means that any page
    /// that keeps the rules will do, unless ``requiresPageReview`` says otherwise.
    package var approvedContent: [String]
    /// Identifiers of the owner's services for single sign-on, 99 at most.
    package var sourceIDs: [String]
    /// The owner of the service, as the operator names them. Apps with the same owner may redeem each other's tokens
    /// for people who agreed (decision 51); `nil` for an app that shares with none.
    package var owner: String?
    package var createdAt: Timestamp
    /// From when what the app has is deleted. Until then it is refused, and the deletion can be taken back. `nil` for
    /// an app that stays.
    package var deletedAfter: Timestamp?
    /// The app's callback; `nil` if it has none.
    package var callback: CallbackRecord?
    /// The history of the app's contract, in the order of its numbers. The store keeps an entry as it was first
    /// written.
    package var contract: [ContractEntry]
    /// Counts the writes of this app, from 1. The store counts. A change names the revision it was made from
    /// (``AppStore/updateApp(_:event:audit:)``). A redemption names the one it was judged by
    /// (``Redemption/appRevision``), and so does the issue of scrips and tokens.
    package var revision: Int64

    package init(
        id: AppID, name: String, keys: [AppKeyRecord], suspended: Bool = false, allowed: Bool = true,
        capabilities: Set<Capability>, bundleIDs: [String], serverAddresses: [String],
        openIDFromAnywhere: Bool = false, rsaPublicKey: String? = nil,
        signAlgorithm: SignAlgorithm = .md5, dailyQuota: Int? = nil, leastAssurance: Assurance = .net,
        workflow: Workflow = .oneTap, attesters: [String] = [], appleTeam: String? = nil,
        takesDevelopmentKeys: Bool = false, scripLifetime: Int64? = nil, tokenLifetime: Int64? = nil,
        requestTimeTolerance: Int64? = nil, legacyNumberWithoutPage: Bool = false, phonesWithoutKey: Bool = false,
        unsignedRequests: Bool = false, requiresPageReview: Bool = false, approvedContent: [String] = [],
        sourceIDs: [String] = [], owner: String? = nil, createdAt: Timestamp, deletedAfter: Timestamp? = nil,
        callback: CallbackRecord? = nil, contract: [ContractEntry] = [], revision: Int64 = 1
    ) {
        self.id = id
        self.name = name
        self.keys = keys
        self.suspended = suspended
        self.allowed = allowed
        self.capabilities = capabilities
        self.bundleIDs = bundleIDs
        self.serverAddresses = serverAddresses
        self.openIDFromAnywhere = openIDFromAnywhere
        self.rsaPublicKey = rsaPublicKey
        self.signAlgorithm = signAlgorithm
        self.dailyQuota = dailyQuota
        self.leastAssurance = leastAssurance
        self.workflow = workflow
        self.attesters = attesters
        self.appleTeam = appleTeam
        self.takesDevelopmentKeys = takesDevelopmentKeys
        self.scripLifetime = scripLifetime
        self.tokenLifetime = tokenLifetime
        self.requestTimeTolerance = requestTimeTolerance
        self.legacyNumberWithoutPage = legacyNumberWithoutPage
        self.phonesWithoutKey = phonesWithoutKey
        self.unsignedRequests = unsignedRequests
        self.requiresPageReview = requiresPageReview
        self.approvedContent = approvedContent
        self.sourceIDs = sourceIDs
        self.owner = owner
        self.createdAt = createdAt
        self.deletedAfter = deletedAfter
        self.callback = callback
        self.contract = contract
        self.revision = revision
    }
}

extension AppRecord {
    /// Whether any attester of device keys counts for this app.
    package var takesAttestations: Bool { !attesters.isEmpty || appleTeam != nil }
}

/// Keeps the registered apps. Each change takes the audit log's line about its order (``AuditStore``), or `nil`.
package protocol AppStore: Sendable {
    /// Fails with ``StoreError/Code/alreadyExists`` if the id, or one of its source ids, is taken.
    func createApp(_ app: AppRecord, audit: AuditEntry?) async throws(StoreError)
    /// Replaces the whole record, if it is still at the revision that `app` names, and counts the revision up by one.
    /// Fails with ``StoreError/Code/outdated`` if it is not, and with ``StoreError/Code/notFound`` if there is none.
    ///
    /// - Parameter event: the event for the app's callback, put into the outbox in the same commit.
    func updateApp(_ app: AppRecord, event: OutboxEvent?, audit: AuditEntry?) async throws(StoreError)
    /// Replaces the record as ``updateApp(_:event:audit:)`` does. The same step removes the app's OpenID client with
    /// all that it holds, its events in the outbox and its phones' attested keys.
    func eraseApp(_ app: AppRecord, audit: AuditEntry?) async throws(StoreError)
    func app(_ id: AppID) async throws(StoreError) -> AppRecord?
    /// The revision of an app's record; `nil` if there is no such app. Cheaper than the record, also for many at once.
    func appRevision(_ id: AppID) async throws(StoreError) -> Int64?
    /// All apps by id.
    func apps() async throws(StoreError) -> [AppRecord]
    /// The apps with a key whose ``AppRecord/deletedAfter`` is at or before `moment`, by id.
    func appsToErase(at moment: Timestamp) async throws(StoreError) -> [AppID]
    /// The app that registered a source id.
    func app(withSourceID sourceID: String) async throws(StoreError) -> AppRecord?

    /// Notes when keys were used. The latest day of each key is kept; keys need not exist.
    func noteKeyUsages(_ usages: [AppKeyUsage]) async throws(StoreError)
    /// When the keys of an app were used last, by use and version. Does not change the app's revision.
    func keyUsages(of app: AppID) async throws(StoreError) -> [AppKeyUsage]
}

extension AppStore {
    /// Replaces the record without telling a callback.
    package func updateApp(_ app: AppRecord, audit: AuditEntry?) async throws(StoreError) {
        try await updateApp(app, event: nil, audit: audit)
    }
}
