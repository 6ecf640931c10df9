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
