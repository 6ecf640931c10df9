import Authority
import BenchmarkSupport
@_spi(Server) import BenjiProtocol
import Crypto
import Sightings
import Store
import Synchronization

/// Tokens in a store, put there as a login puts them: each bought with a scrip.
struct TokenStock: Sendable {
    var store: any Store
    var app: AppID
    var subscriptions: [SubscriptionReference]

    /// Makes `count` tokens and returns their texts.
    func fill(_ count: Int) async throws -> [String] {
        let tokens = Mutex([String](repeating: "", count: count))
        try await inLanes(256, count: count) { index, _ in
            let token = try await issue(index)
            tokens.withLock { $0[index] = token }
        }
        return tokens.withLock { $0 }
    }

    private func issue(_ index: Int) async throws -> String {
        let random = SystemRandomSource()
        let now = SystemWallClock().now
        let token = CredentialGrammar.token.make(at: now, random: random)
        let scripText = CredentialGrammar.scrip.make(at: now, random: random)
        let later = now + .seconds(86400)
        let subscription = subscriptions[index % subscriptions.count]
        let trace = TraceID(at: now, random: random)
        let scrip = ScripRecord(
            hash: CredentialHash(of: scripText, .scrip), family: random.family(), generation: 1, appID: app,
            subscription: subscription, carrier: .mobile, binding: BindingID(rawValue: 1), deviceKey: "thumbprint",
            nonceHash: Self.hash("nonce"), trace: trace, dialect: .device, reusable: false, expiresAt: later)
        try await store.insertScrip(scrip)
        let outcome = try await store.issueToken(
            TokenIssue(
                scrip: scrip.hash, nextScrip: nil,
                token: TokenRecord(
                    hash: CredentialHash(of: token, .token), appID: app, purpose: .login, subscription: subscription,
                    carrier: .mobile, binding: scrip.binding, deviceKey: scrip.deviceKey, assurance: .net, trace: trace,
                    dialect: .device, issuedAt: now, expiresAt: later),
                consent: nil, now: now, unusedSince: now - .seconds(600), unusedPerKey: .max, unusedPerNumber: .max))
        guard outcome == .issued else { throw BenchmarkFailure("a token was not issued: \(outcome)") }
        return token
    }

    static func hash(_ text: String) -> CredentialHash {
        CredentialHash(bytes: Array(SHA256.hash(data: Array(text.utf8))))
    }
}
