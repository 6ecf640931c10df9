/// Which session holds which ports of which public address (edge case 10).
struct PublicPorts: Sendable {
    struct Block: Sendable, Hashable {
        var first: UInt16
        var last: UInt16
        var session: UInt32
        /// When it was given, in seconds since 1970.
        var time: UInt32

        func overlaps(_ ports: ClosedRange<UInt16>) -> Bool { first <= ports.upperBound && last >= ports.lowerBound }
    }

    struct Place: Hashable, Sendable {
        let domain: UInt16
        let address: UInt32
    }

    private var blocks: [Place: ContiguousArray<Block>] = [:]

    subscript(place: Place) -> ContiguousArray<Block> { blocks[place] ?? [] }

    mutating func insert(_ block: Block, at place: Place) { blocks[place, default: []].append(block) }

    mutating func remove(at place: Place, where condition: (Block) -> Bool) {
        guard var list = blocks.removeValue(forKey: place) else { return }
        list.removeAll(where: condition)
        if !list.isEmpty { blocks[place] = list }
    }

    var count: Int { blocks.values.reduce(0) { $0 + $1.count } }
}
