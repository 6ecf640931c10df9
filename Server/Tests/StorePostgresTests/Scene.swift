import BenjiProtocol
import Logging
import ServerTestKit
import Sightings
import Store

@testable import StorePostgres

/// A store with one subscription, and short ways to issue and redeem tokens of it.
struct Scene {
    static let app = AppID(rawValue: "300000000001")!
    static let now = Timestamp(milliseconds: 1_795_000_000_000)
    static let trace = TraceID(rawValue: String(repeating: "0", count: 32))!

    let store: PostgresStore
    let subscription: SubscriptionRecord

    init(_ store: PostgresStore) async throws {
        self.store = store
        let index = NumberIndex(BlindIndex(bytes: Array(repeating: 7, count: 32)))
        let rows = try await store.changeSubscriptions([index], audit: nil) { _, present in
            present
                ?? SubscriptionRecord(
                    id: 0, numberIndex: index.current, sealedNumber: Sealed(bytes: [1, 2]), carrier: .mobile, epoch: 1,
                    epochKey: Array(repeating: 1, count: 16), simGeneration: 1, sealedSIM: nil, simChangedAt: Self.now,
                    epochStartedAt: Self.now, lastSeenAt: Self.now)
        }
        subscription = rows[0]!
    }

    static func open(
        _ database: TemporaryDatabase, connections: Int = 4, deadlines: PostgresDeadlines = .patient
    ) throws -> PostgresStore {
        try PostgresStore(
            database.parameters, connections: connections, insistsOnDurability: false, deadlines: deadlines,
            logger: Logger(label: "test"))
    }

    static func hash(_ number: Int, _ kind: String) -> CredentialHash {
        let bytes = Array("\(kind)\(number)".utf8)
        return CredentialHash(bytes: bytes + Array(repeating: 0, count: 39 - bytes.count))
    }

    func scrip(_ number: Int) -> ScripRecord {
        ScripRecord(
            hash: Self.hash(number, "scrip"), family: Int64(number), generation: 1, appID: Self.app,
            subscription: subscription.reference, carrier: .mobile, binding: BindingID(rawValue: 1), deviceKey: "key",
            nonceHash: Self.hash(number, "nonce"), trace: Self.trace, dialect: .device, reusable: false,
            expiresAt: Self.now + .seconds(120))
    }

    func issue(_ number: Int) async throws {
        let token = TokenRecord(
            hash: Self.hash(number, "token"), appID: Self.app, purpose: .login, subscription: subscription.reference,
            carrier: .mobile, binding: BindingID(rawValue: 1), deviceKey: "key", assurance: .net, trace: Self.trace,
            dialect: .device, issuedAt: Self.now, expiresAt: Self.now + .seconds(120))
        let scrip = scrip(number)
        try await store.insertScrip(scrip)
        _ = try await store.issueToken(
            TokenIssue(
                scrip: scrip.hash, nextScrip: nil, token: token, consent: nil, now: Self.now,
                unusedSince: Self.now - .seconds(600), unusedPerKey: .max, unusedPerNumber: .max))
    }

    /// Whether this call has spent the token.
    static func redeem(_ number: Int, on store: PostgresStore, message: String, quota: Int? = nil)
        async throws(StoreError) -> Bool
    {
        let outcome = try await store.redeem(
            Redemption(
                token: hash(number, "token"), appID: app, purposes: [.login], messageID: message, now: now,
                quota: AnswerQuota(daily: quota), day: 20_261_118, leastAssurance: .net, interface: "test")
        ) { _, _ in "released" }
        if case .spent = outcome { return true }
        return false
    }
}

extension PostgresDeadlines {
    /// For tests that do not concern deadlines: as long as any other wait of a test.
    static var patient: PostgresDeadlines {
        var deadlines = PostgresDeadlines()
        deadlines.queue = Patience.deadline
        deadlines.answer = Patience.deadline
        return deadlines
    }
}
