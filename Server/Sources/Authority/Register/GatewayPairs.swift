package import BenjiProtocol
import Requests
package import Sightings
package import Store

/// Pairs of gateways: who owns each, and what its owner records for the other (decision 43).
///
/// A gateway acts only for the pair that the operator has put it in, and only in its own name.
package struct GatewayPairs: Sendable {
    /// Bytes of entries that one answer holds at most, unless a single one is larger.
    static let newsSize = 384 * 1024

    private let store: any GatewayPairStore
    private let pairs: [String: String]
    private let clock: any WallClock

    /// - Parameter pairs: of which pair each gateway is, by its name.
    package init(store: any GatewayPairStore, pairs: [String: String], clock: any WallClock = SystemWallClock()) {
        self.store = store
        self.pairs = pairs
        self.clock = clock
    }

    /// The entries recorded after a sequence number, or a part of them.
    package func news(after sequence: Int64, for gateway: String) async throws -> PairUpdates {
        let pair = try pair(of: gateway)
        var limit = PairUpdates.entryLimit
        while true {
            let news = try await store.pairNews(pair, after: sequence, limit: limit)
            let size = news.entries.reduce(0) { $0 + $1.key.count + $1.content.count }
            if size <= Self.newsSize || limit == 1 { return news }
            limit = max(1, min(limit, news.entries.count) / 2)
        }
    }

    /// Makes a gateway the owner of its pair, if that stands as the gateway has seen it.
    package func claim(seen: PairStanding, by gateway: String) async throws -> PairStanding {
        try await store.claimPair(try pair(of: gateway), by: gateway, seen: seen)
    }

    /// Writes what the owner of a pair records.
    package func record(
        _ entries: [PairEntry], fence: Int64, after sequence: Int64, by gateway: String
    ) async throws -> PairRecording {
        try await store.recordForPair(
            entries, under: PairFence(pair: try pair(of: gateway), owner: gateway, fence: fence), after: sequence,
            at: clock.now)
    }

    /// Takes the pair back from its owner.
    package func release(fence: Int64, by gateway: String) async throws {
        try await store.releasePair(PairFence(pair: try pair(of: gateway), owner: gateway, fence: fence))
    }

    private func pair(of gateway: String) throws(Refusal) -> String {
        guard let pair = pairs[gateway] else {
            throw Refusal(.gatewayNotTrusted, "this gateway is of no pair; name one in gateways.\(gateway).pair")
        }
        return pair
    }
}
