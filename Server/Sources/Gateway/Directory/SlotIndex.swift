import CProcessor

/// An open-addressing index from a hash to positions in the session table: four bytes a slot.
///
/// A slot holds a position and five bits of its hash, so that most probes that lead nowhere touch no session. It grows
/// by a fifth, which keeps the load between 0.75 and 0.9. Removal shifts back, so there are no tombstones.
struct SlotIndex: Sendable {
    private static let positionBits: UInt32 = 27
    private static let positionMask: UInt32 = (1 << positionBits) - 1
    /// Greater positions do not fit beside the bits of the hash.
    static let maximumPosition = Int(positionMask) - 1

    private var slots: ContiguousArray<UInt32>
    private(set) var count = 0

    init() { slots = ContiguousArray(repeating: 0, count: 16) }

    private func home(_ hash: UInt64) -> Int { Int(hash.multipliedFullWidth(by: UInt64(slots.count)).high) }

    private static func slot(_ position: Int, _ hash: UInt64) -> UInt32 {
        tag(hash) | UInt32(position + 1)
    }

    /// Five bits of a hash, in their place in a slot.
    private static func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash) << positionBits }

    private static func position(_ slot: UInt32) -> Int { Int(slot & positionMask) - 1 }

    /// The first position under `hash` that `matches`.
    @inline(__always)
    func find(_ hash: UInt64, _ matches: (Int) -> Bool) -> Int? {
        let tag = Self.tag(hash)
        var position = home(hash)
        while true {
            let slot = slots[position]
            if slot == 0 { return nil }
            if slot & ~Self.positionMask == tag, matches(Self.position(slot)) { return Self.position(slot) }
            position += 1
            if position == slots.count { position = 0 }
        }
    }

    /// Has the first place fetched that a position under `hash` may have.
    func prefetch(_ hash: UInt64) {
        slots.withUnsafeBufferPointer { slots in
            if let start = slots.baseAddress { CProcessor.prefetch(start + home(hash)) }
        }
    }

    /// The first position whose hash may be `hash`: five bits of it are.
    func firstLike(_ hash: UInt64) -> Int? { find(hash) { _ in true } }

    /// `rehash` gives the hash of a position that is already in the index.
    mutating func insert(_ position: Int, hash: UInt64, rehash: (Int) -> UInt64) {
        if (count + 1) * 10 > slots.count * 9 { grow(rehash) }
        put(Self.slot(position, hash), at: home(hash))
        count += 1
    }

    private mutating func put(_ slot: UInt32, at start: Int) {
        var position = start
        while slots[position] != 0 {
            position += 1
            if position == slots.count { position = 0 }
        }
        slots[position] = slot
    }

    private mutating func grow(_ rehash: (Int) -> UInt64) {
        let old = slots
        let size = old.count + max(old.count / 5, 8)
        slots = ContiguousArray(unsafeUninitializedCapacity: size) { slots, initialized in
            HugePages.advise(slots.baseAddress, byteCount: size * MemoryLayout<UInt32>.stride)
            slots.initialize(repeating: 0)
            initialized = size
        }
        for slot in old where slot != 0 { put(slot, at: home(rehash(Self.position(slot)))) }
    }

    mutating func remove(_ position: Int, hash: UInt64, rehash: (Int) -> UInt64) {
        let wanted = Self.slot(position, hash)
        var position = home(hash)
        while slots[position] != wanted {
            if slots[position] == 0 { return }
            position += 1
            if position == slots.count { position = 0 }
        }
        count -= 1
        var hole = position
        while true {
            position += 1
            if position == slots.count { position = 0 }
            let slot = slots[position]
            if slot == 0 { break }
            // It may fill the hole unless its home lies after the hole, up to where it stands.
            let start = home(rehash(Self.position(slot)))
            let stays = hole <= position ? (hole < start && start <= position) : (hole < start || start <= position)
            if !stays {
                slots[hole] = slot
                hole = position
            }
        }
        slots[hole] = 0
    }

    var memory: Int { slots.capacity * MemoryLayout<UInt32>.stride }
}
