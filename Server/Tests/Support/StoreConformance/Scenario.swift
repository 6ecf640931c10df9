import BenjiProtocol
import Sightings
import Store

/// An open store and short ways to say what a promise does with it. Everything is fixed: the same names, the same
/// moment.
struct Scenario: Sendable {
    let store: any Store
    let factory: StoreFactory

    static let now = Timestamp(milliseconds: 1_795_000_000_000)
    static let day: Int32 = 20_261_118
    static let app = appID(1)
    static let otherApp = appID(2)

    static func appID(_ number: Int) -> AppID {
        AppID(rawValue: "300000" + String(repeating: "0", count: 6 - String(number).count) + String(number))!
    }

    static func trace(_ number: Int) -> TraceID {
        let digits = String(number, radix: 16)
        return TraceID(rawValue: String(repeating: "0", count: 32 - digits.count) + digits)!
    }

    /// 32 bytes that begin with the label; labels are shorter than that.
    static func hash(_ label: String) -> CredentialHash { CredentialHash(bytes: padded(label)) }

    private static func padded(_ label: String) -> [UInt8] {
        let bytes = Array(label.utf8)
        return bytes + Array(repeating: 0, count: 32 - bytes.count)
    }

    /// The same place opened a second time, as another process would.
    func withAnother(_ body: (any Store) async throws -> Void) async throws {
        let another = try await factory()
        do {
            try await body(another)
        } catch {
            await another.close()
            throw error
        }
        await another.close()
    }

    // MARK: subscriptions

    static func numberIndex(_ number: Int) -> BlindIndex { BlindIndex(bytes: padded("number \(number)")) }

    static func newSubscription(_ number: Int) -> SubscriptionRecord {
        SubscriptionRecord(
            id: 0, numberIndex: numberIndex(number), sealedNumber: Sealed(bytes: padded("sealed \(number)")),
            carrier: .mobile, epoch: 1, epochKey: Array(repeating: UInt8(truncatingIfNeeded: number), count: 16),
            simGeneration: 1, sealedSIM: nil, simChangedAt: now, epochStartedAt: now, lastSeenAt: now)
    }

    /// The subscription of a number, made if it is not there.
    func subscription(_ number: Int = 1) async throws -> SubscriptionRecord {
        let records = try await store.changeSubscriptions([Self.numberIndex(number)]) { _, present in
            present ?? Self.newSubscription(number)
        }
        guard records.count == 1, let record = records[0] else {
            throw PromiseBroken("changeSubscriptions does not return the row it made", #fileID)
        }
        return record
    }

    func change(
        _ number: Int = 1, _ change: @escaping @Sendable (inout SubscriptionRecord) -> Void
    ) async throws {
        _ = try await store.changeSubscriptions([Self.numberIndex(number)]) { _, present in
            guard var record = present else { return nil }
            change(&record)
            return record
        }
    }

    // MARK: credentials

    func scrip(
        _ label: String, of subscription: SubscriptionRecord, app: AppID = app, family: Int64 = 1,
        generation: Int32 = 1,
        binding: Int64 = 1, expiresAt: Timestamp = now + .seconds(600)
    ) -> ScripRecord {
        ScripRecord(
            hash: Self.hash(label), family: family, generation: generation, appID: app,
            subscription: subscription.reference, carrier: subscription.carrier, binding: BindingID(rawValue: binding),
            deviceKey: "thumbprint", nonceHash: Self.hash("nonce"), trace: Self.trace(1), dialect: .device,
            reusable: true, expiresAt: expiresAt)
    }

    func token(
        _ label: String, of subscription: SubscriptionRecord, app: AppID = app, purpose: TokenPurpose = .login,
        binding: Int64 = 1, assurance: Assurance = .net, issuedAt: Timestamp = now,
        expiresAt: Timestamp = now + .seconds(120), trace: TraceID = trace(1)
    ) -> TokenRecord {
        TokenRecord(
            hash: Self.hash(label), appID: app, purpose: purpose, subscription: subscription.reference,
            carrier: subscription.carrier, binding: BindingID(rawValue: binding), deviceKey: "thumbprint",
            assurance: assurance, trace: trace, dialect: .device, issuedAt: issuedAt, expiresAt: expiresAt)
    }

    func request(
        _ token: TokenRecord, scrip: CredentialHash, next: ScripRecord? = nil, now: Timestamp = now,
        unusedSince: Timestamp? = nil, perApp: Int = 30, perNumber: Int = 60
    ) -> TokenIssue {
        TokenIssue(
            scrip: scrip, nextScrip: next, token: token,
            consent: ConsentEvidence(
                appID: token.appID, trace: token.trace, subscription: token.subscription, contentDigest: "digest",
                record: Self.record(of: token.trace), assurance: token.assurance, receivedAt: now),
            now: now, unusedSince: unusedSince ?? now - .seconds(600), unusedPerKey: perApp, unusedPerNumber: perNumber)
    }

    /// A signed consent, as far as a store looks into one: its page is the same for every login.
    static func record(of trace: TraceID, content: String = #"{"texts":["{ \" }"]}"#) -> String {
        let payload = #"{"trace":"\#(trace.rawValue)","content":\#(content),"tappedAt":1}"#
        return ["{}", payload, "signature"].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
    }

    /// Stores a token the only way there is: with a scrip that it uses up.
    ///
    /// - Parameters:
    ///   - record: the consent, if not ``record(of:content:)``.
    ///   - hasPage: whether there is a consent at all.
    ///   - limit: as of ``TokenIssue/numberLimit``.
    ///   - perNumber: as of ``TokenIssue/unusedPerNumber``.
    @discardableResult
    func issue(
        _ token: TokenRecord, record: String? = nil, hasPage: Bool = true, limit: NumberLimit? = nil,
        perNumber: Int = .max
    ) async throws -> TokenRecord {
        let outcome = try await tryToIssue(
            token, record: record, hasPage: hasPage, limit: limit, perNumber: perNumber)
        try expect(outcome, is: .issued, "issuing with a fresh scrip")
        return token
    }

    func tryToIssue(
        _ token: TokenRecord, on other: (any Store)? = nil, record: String? = nil, hasPage: Bool = true,
        limit: NumberLimit?, perNumber: Int = .max
    ) async throws -> TokenIssueOutcome {
        var scrip = ScripRecord(
            hash: CredentialHash(bytes: token.hash.bytes.reversed()), family: .max, generation: 1, appID: token.appID,
            subscription: token.subscription, carrier: token.carrier, binding: BindingID(rawValue: .max),
            deviceKey: token.deviceKey, nonceHash: Self.hash("nonce"), trace: token.trace, dialect: .device,
            reusable: false, expiresAt: Self.now)
        scrip.expiresAt = token.issuedAt + .seconds(1)
        try await store.insertScrip(scrip)
        var request = request(token, scrip: scrip.hash, now: token.issuedAt, perApp: .max, perNumber: perNumber)
        if let record { request.consent?.record = record }
        if !hasPage { request.consent = nil }
        request.numberLimit = limit
        return try await (other ?? store).issueToken(request)
    }

    func revoke(_ bindings: Int64..., at: Timestamp = now) async throws {
        try await store.revokeCredentials(bindings: bindings.map { BindingID(rawValue: $0) }, at: at)
    }

    // MARK: redeeming

    func redeem(
        _ token: TokenRecord, on other: (any Store)? = nil, app: AppID = app, revision: Int64? = nil,
        issuer: Redemption.Issuer? = nil, purposes: Set<TokenPurpose> = [.login], trace: TraceID? = nil,
        message: String?, now: Timestamp = now, quota: Int? = nil, monthly: Int? = nil, day: Int32 = day,
        least: Assurance = .net,
        answer: @escaping @Sendable () throws(StoreError) -> String = { "released" }
    ) async throws -> RedemptionOutcome {
        try await (other ?? store).redeem(
            Redemption(
                token: token.hash, appID: app, appRevision: revision, issuer: issuer, purposes: purposes, trace: trace,
                messageID: message, now: now, quota: AnswerQuota(daily: quota, monthly: monthly), day: day,
                leastAssurance: least,
                interface: "loginTokenValidate")
        ) { _, _ throws(StoreError) in try answer() }
    }

    /// Fails unless the token can be spent now: what a refusal must leave behind.
    func expectUnspent(
        _ token: TokenRecord, purposes: Set<TokenPurpose> = [.login], message: String, after what: String
    ) async throws {
        let outcome = try await redeem(
            token, app: token.appID, purposes: purposes, message: message, least: token.assurance)
        try expect(outcome.isSpent, "\(what) used the token up: then \(outcome.word)")
    }
}

extension RedemptionOutcome {
    var isSpent: Bool { word == "spent" }

    /// The outcome without its records.
    var word: String {
        switch self {
        case .spent: "spent"
        case .appChanged: "appChanged"
        case .messageReplayed: "messageReplayed"
        case .unknown: "unknown"
        case .wrongApp: "wrongApp"
        case .wrongPurpose: "wrongPurpose"
        case .wrongLogin: "wrongLogin"
        case .alreadySpent: "alreadySpent"
        case .expired: "expired"
        case .tooWeak: "tooWeak"
        case .subscriptionChanged: "subscriptionChanged"
        case .quotaExceeded: "quotaExceeded"
        }
    }
}

extension ScripLookup {
    /// The answer without its record.
    var word: String {
        switch self {
        case .unknown: "unknown"
        case .current: "current"
        case .superseded: "superseded"
        case .revoked: "revoked"
        }
    }
}
