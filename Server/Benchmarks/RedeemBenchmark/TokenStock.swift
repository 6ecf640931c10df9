import BenchmarkSupport
@_spi(Server) import BenjiProtocol
import Crypto
import Sightings
import Store

/// Tokens in a store, put there as a login puts them: each bought with a scrip.
struct TokenStock: Sendable {
    var store: any Store
    var app: AppID
    var subscriptions: [SubscriptionReference]

    /// Makes `count` tokens and returns their texts.
    func fill(_ count: Int) async throws -> [String] {
        let random = SystemRandomSource()
        let tokens = (0..<count).map { _ in CredentialGrammar.token.make(random: random) }
        try await inLanes(256, count: count) { index, _ in try await issue(tokens[index], index) }
        return tokens
    }

    private func issue(_ token: String, _ index: Int) async throws {
        let now = SystemWallClock().now
        let later = now + .seconds(86400)
        let subscription = subscriptions[index % subscriptions.count]
        // No two alike; the trace of a login is 128 random bits.
        let trace = TraceID(rawValue: Hexadecimal.encode(SystemRandomSource().bytes(16)))!
        let scrip = ScripRecord(
            hash: Self.hash("scrip " + token), family: Int64(index), generation: 1, appID: app,
            subscription: subscription, carrier: .mobile, binding: BindingID(rawValue: 1), deviceKey: "thumbprint",
            nonceHash: Self.hash("nonce"), trace: trace, dialect: .device, reusable: false, expiresAt: later)
        try await store.insertScrip(scrip)
        let outcome = try await store.issueToken(
            TokenIssue(
                scrip: scrip.hash, nextScrip: nil,
                token: TokenRecord(
                    hash: Self.hash(token), appID: app, purpose: .login, subscription: subscription, carrier: .mobile,
                    binding: scrip.binding, deviceKey: scrip.deviceKey, assurance: .net, trace: trace,
                    dialect: .device, issuedAt: now, expiresAt: later),
                consent: nil, now: now, unusedSince: now - .seconds(600), unusedPerKey: .max, unusedPerNumber: .max))
        guard outcome == .issued else { throw BenchmarkFailure("a token was not issued: \(outcome)") }
    }

    static func hash(_ text: String) -> CredentialHash {
        CredentialHash(bytes: Array(SHA256.hash(data: Array(text.utf8))))
    }
}
