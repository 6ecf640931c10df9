/// Which session holds which ports of which public address, where a NAT puts many subscribers behind one.
struct PublicPorts: Sendable {
    struct Block: Sendable, Hashable {
        var first: UInt16
        var last: UInt16
        var session: UInt32
        /// When it was given, in seconds since 1970; 0 if nobody knows who said so.
        var time: UInt32
        /// Who said so: index in ``Directory/scopes``. A NAT may be another NAS than the session's own.
        var scope: UInt16

        func overlaps(_ ports: ClosedRange<UInt16>) -> Bool { first <= ports.upperBound && last >= ports.lowerBound }
    }

    struct Address: Hashable, Sendable {
        let domain: UInt16
        let address: UInt32
    }

    private var blocks: [Address: ContiguousArray<Block>] = [:]
    /// Blocks that have no holder any more, and when they had one last: an older report does not give them again.
    private var former: [Address: ContiguousArray<(ports: ClosedRange<UInt16>, time: UInt32)>] = [:]
    /// How many blocks each scope has reported.
    private var counts: [UInt16: Int] = [:]

    subscript(address: Address) -> ContiguousArray<Block> { blocks[address] ?? [] }

    mutating func insert(_ block: Block, at address: Address) {
        blocks[address, default: []].append(block)
        counts[block.scope, default: 0] += 1
    }

    mutating func remove(at address: Address, where condition: (Block) -> Bool) {
        guard var list = blocks.removeValue(forKey: address) else { return }
        list.removeAll { block in
            guard condition(block) else { return false }
            counts[block.scope, default: 0] -= 1
            return true
        }
        if !list.isEmpty { blocks[address] = list }
    }

    /// Puts blocks in doubt until they are given again. Returns their sessions.
    mutating func doubt(at address: Address, where condition: (Block) -> Bool) -> [Int] {
        guard var list = blocks[address] else { return [] }
        let places = list.indices.filter { condition(list[$0]) }
        for place in places { list[place].time = 0 }
        if !places.isEmpty { blocks[address] = list }
        return places.map { Int(list[$0].session) }
    }

    /// Notes that ports had a holder until this time.
    /// - Parameter horizon: what is older need not be known.
    mutating func note(_ ports: ClosedRange<UInt16>, formerAt time: UInt32, _ address: Address, horizon: UInt32) {
        var list = former.removeValue(forKey: address) ?? []
        let known = list.first { $0.ports == ports }?.time ?? 0
        list.removeAll { $0.ports == ports || $0.time < horizon }
        list.append((ports, max(known, time)))
        former[address] = list
    }

    /// Whether one of these ports is known to have had a holder at `time` or later that it has lost.
    func hadHolder(_ ports: ClosedRange<UInt16>, since time: UInt32, _ address: Address) -> Bool {
        guard !former.isEmpty, let list = former[address] else { return false }
        return list.contains { $0.ports.overlaps(ports) && $0.time >= time }
    }

    var isEmpty: Bool { blocks.isEmpty }

    var count: Int { blocks.values.reduce(0) { $0 + $1.count } }

    /// How many blocks a scope has reported.
    func count(of scope: UInt16) -> Int { counts[scope] ?? 0 }

    /// For each scope the newest block that it gave, in seconds since 1970.
    var newest: [UInt16: UInt32] {
        var newest: [UInt16: UInt32] = [:]
        for list in blocks.values {
            for block in list { newest[block.scope] = max(newest[block.scope] ?? 0, block.time) }
        }
        return newest
    }

    /// The sessions that hold a block which this scope gave until `time`.
    func sessions(reportedBy scope: UInt16, until time: UInt32) -> Set<UInt32> {
        guard count(of: scope) > 0 else { return [] }
        var found: Set<UInt32> = []
        for list in blocks.values {
            for block in list where block.scope == scope && block.time <= time { found.insert(block.session) }
        }
        return found
    }
}
