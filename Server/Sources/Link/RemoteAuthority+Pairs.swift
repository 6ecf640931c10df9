import BenjiProtocol
package import Sightings
package import Store

extension RemoteAuthority: PairService {
    package func news(after sequence: Int64) async throws(StoreError) -> PairUpdates {
        try await register(.pairNews, PairQuestion(after: sequence).json, PairUpdates.init)
    }

    package func claim(seen: PairStanding) async throws(StoreError) -> PairStanding {
        try await register(.pairClaim, seen.json) { json throws(JSONError) in try PairStanding(json) }
    }

    package func record(
        _ entries: [PairEntry], fence: Int64, after sequence: Int64
    ) async throws(StoreError) -> PairRecording {
        let statement = PairStatement(fence: fence, sequence: sequence, entries: entries)
        return try await register(.pairRecord, statement.json, PairRecording.init)
    }

    package func release(fence: Int64) async throws(StoreError) {
        try await register(.pairRelease, PairStatement(fence: fence).json, AuthorityNode.nothing)
    }
}
