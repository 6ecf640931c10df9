import BenjiProtocol
import Sightings
import Store

/// A token that has not been redeemed yet.
struct UnusedToken {
    var hash: CredentialHash
    var subscription: Int64
    var app: AppID
    var assurance: Assurance
    var deviceKey: String
    var trace: TraceID
    var issuedAt: Timestamp

    init(_ columns: inout ColumnReader) throws {
        hash = try columns.hash()
        subscription = try columns.integer()
        app = try columns.raw()
        assurance = try columns.raw()
        deviceKey = try columns.text()
        trace = try columns.raw()
        issuedAt = try columns.timestamp()
    }

    init(_ token: TokenRecord) {
        hash = token.hash
        subscription = token.subscription.subscription
        app = token.appID
        assurance = token.assurance
        deviceKey = token.deviceKey
        trace = token.trace
        issuedAt = token.issuedAt
    }

    /// Returns the tokens beyond the limit: the second and later tokens of a key before any key's newest.
    static func excess(_ tokens: [UnusedToken], beyond limit: Int, keeping hash: CredentialHash) -> [UnusedToken] {
        func isBefore(_ left: UnusedToken, _ right: UnusedToken) -> Bool {
            if left.issuedAt != right.issuedAt { return left.issuedAt > right.issuedAt }
            return left.hash == hash && right.hash != hash
        }
        let places = Dictionary(grouping: tokens, by: \.deviceKey).values.flatMap { ofKey in
            ofKey.sorted(by: isBefore).enumerated().map { (place: $0.offset, token: $0.element) }
        }
        return places.sorted { left, right in
            left.place != right.place ? left.place < right.place : isBefore(left.token, right.token)
        }.dropFirst(limit).map(\.token)
    }
}
