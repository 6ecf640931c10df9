/// The ownership of a gateway pair under which a statement was made. The store compares it in the write that a sighting
/// leads to. So a replaced gateway that does not know it yet obtains nothing.
package struct PairFence: Hashable, Sendable, Codable {
    /// The pair's name in the authority's configuration.
    package var pair: String
    /// Name of the gateway that owned the pair.
    package var owner: String
    /// Which taking over this was, from 1.
    package var fence: Int64

    package init(pair: String, owner: String, fence: Int64) {
        self.pair = pair
        self.owner = owner
        self.fence = fence
    }
}

/// The owner of a pair of gateways, and the position of the pair's record.
package struct PairStanding: Hashable, Sendable {
    /// Name of the gateway that answers; `nil` if none has taken over yet, or the last one gave the pair back.
    package var owner: String?
    /// Counts the times that a gateway took over.
    package var fence: Int64
    /// Grows with each write of the owner, even one without changes. So it shows that the owner is alive.
    package var sequence: Int64
    /// Ends up to this sequence may have been forgotten. A gateway that has read less far must start over.
    package var forgottenUntil: Int64

    package init(owner: String? = nil, fence: Int64 = 0, sequence: Int64 = 0, forgottenUntil: Int64 = 0) {
        self.owner = owner
        self.fence = fence
        self.sequence = sequence
        self.forgottenUntil = forgottenUntil
    }
}

/// One entry of a pair's record: the newest that is known of one session, or of one NAS. No number is in it.
package struct PairEntry: Hashable, Sendable {
    /// Bytes that ``key`` has at most: a NAS's name, and as it calls itself.
    package static let longestKey = 1024
    /// Bytes that ``content`` has at most.
    package static let longestContent = 65_536
    /// Entries that an owner writes with one call at most.
    package static let recordLimit = 1000

    /// The session or NAS of the entry. The record keeps the newest entry of each key.
    package var key: [UInt8]
    /// The content that the gateway's journal would hold. Only gateways read it.
    package var content: [UInt8]
    /// Whether it says that something ended, which may be forgotten after a while.
    package var isEnd: Bool

    package init(key: [UInt8], content: [UInt8], isEnd: Bool) {
        self.key = key
        self.content = content
        self.isEnd = isEnd
    }
}

/// The entries that were written to a pair's record since a gateway last read it.
package struct PairUpdates: Hashable, Sendable {
    /// Entries that one answer holds at most.
    package static let entryLimit = 1000

    package var standing: PairStanding
    /// In the order in which they were written.
    package var entries: [PairEntry]
    /// How far the record is read with these entries.
    package var readUntil: Int64

    package init(standing: PairStanding, entries: [PairEntry], readUntil: Int64) {
        self.standing = standing
        self.entries = entries
        self.readUntil = readUntil
    }

    /// Whether nothing else had been written when this was read.
    package var isComplete: Bool { readUntil >= standing.sequence }
}

/// The result of an owner's attempt to write entries.
package enum PairRecording: Hashable, Sendable {
    /// They are durable, and this is the record's sequence now.
    case recorded(sequence: Int64)
    /// Nothing was written: the record has another sequence than the owner thinks, because an earlier answer was lost.
    case overtaken(sequence: Int64)
    /// Nothing was written: the gateway does not own the pair any more.
    case replaced
}

/// The authority's interface for a gateway of a pair. The authority itself knows the pair and the calling gateway.
package protocol PairService: Sendable {
    /// Returns entries written after this sequence, or the first part of them if there are many.
    func news(after sequence: Int64) async throws -> PairUpdates
    /// Takes the pair over, if its standing still equals `seen`.
    ///
    /// - Returns: the pair's standing afterwards, with any owner.
    func claim(seen: PairStanding) async throws -> PairStanding
    /// Writes entries, in this order; durable when it returns. Without entries it says that the owner is alive.
    ///
    /// - Parameters:
    ///   - fence: the owner's, as ``claim(seen:)`` returned it.
    ///   - sequence: the record's, as the owner knows it.
    func record(_ entries: [PairEntry], fence: Int64, after sequence: Int64) async throws -> PairRecording
    /// Gives the pair back, so that the other gateway need not wait. Quiet if it is another's by now.
    func release(fence: Int64) async throws
}
