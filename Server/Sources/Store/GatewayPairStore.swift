package import BenjiProtocol
package import Sightings

/// Keeps who owns each pair of gateways, and the record that its owner writes for the other.
///
/// An unclaimed pair has the defaults of ``Sightings/PairStanding/init(owner:fence:sequence:forgottenUntil:)``.
package protocol GatewayPairStore: Sendable {
    /// The state of a pair.
    func standing(ofPair pair: String) async throws(StoreError) -> PairStanding
    /// All pairs that were claimed once, by name.
    func pairStandings() async throws(StoreError) -> [String: PairStanding]

    /// The entries written after a sequence number, as of one moment, in the order of writing. Of a key that was
    /// written more than once only the last entry is there.
    ///
    /// - Parameter limit: entries at most; 1 at least.
    func pairNews(_ pair: String, after sequence: Int64, limit: Int) async throws(StoreError) -> PairUpdates

    /// Makes `owner` the owner, with the next fence, if the pair's state is still `seen`. Of several callers that
    /// have seen the same, one wins. Durable before it returns; later writes of an earlier owner are refused.
    ///
    /// - Returns: the pair's present state, with either owner.
    func claimPair(_ pair: String, by owner: String, seen: PairStanding) async throws(StoreError) -> PairStanding

    /// Writes entries of the owner in one durable, atomic step, each in the place of an earlier one of its key.
    ///
    /// - Parameters:
    ///   - sequence: the record's, as the owner knows it. Entries that were sent twice, or on two ways, are written
    ///     once.
    ///   - moment: from when ends are kept; see ``deletePairEnds(before:limit:)``.
    func recordForPair(
        _ entries: [PairEntry], under fence: PairFence, after sequence: Int64, at moment: Timestamp
    ) async throws(StoreError) -> PairRecording

    /// Takes the owner's name off, if the fence is still the pair's.
    func releasePair(_ fence: PairFence) async throws(StoreError)

    /// Forgets entries about what ended before this moment, and notes up to which sequence.
    ///
    /// - Returns: how many were forgotten, at most `limit`.
    func deletePairEnds(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int
}
