import Crypto
package import Store

/// Merkle trees as RFC 9162 §2.1 defines them, over nodes that are kept. A hash of any range of leaves, and so any
/// proof, needs about log2 of the log's size of them, or twice that.
package enum MerkleTree {
    /// The root of a tree without leaves.
    package static let emptyRoot = Array(SHA256.hash(data: [UInt8]()))

    package static func leafHash(_ input: some Sequence<UInt8>) -> [UInt8] {
        Array(SHA256.hash(data: [0] + input))
    }

    package static func hash(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(data: [1] + left + right))
    }

    // MARK: growing

    /// A tree that grows by a leaf at a time, and knows of the leaves so far what their root is made of.
    package struct Growth {
        package private(set) var size: Int64
        /// The greatest first.
        private var frontier: [LogNode]
        /// Nodes above the leaves that are new since it began.
        package private(set) var nodes: [LogNode] = []

        package init() { self.init(size: 0, frontier: []) }

        /// - Parameter frontier: as ``LogBatch/frontier``.
        package init(size: Int64, frontier: [LogNode]) {
            self.size = size
            self.frontier = frontier
        }

        package mutating func append(_ leafHash: [UInt8]) {
            var node = LogNode(place: .init(level: 0, index: size), hash: leafHash)
            // Two neighbours of one size make one of twice the size.
            while let left = frontier.last, left.place.level == node.place.level {
                frontier.removeLast()
                node = LogNode(
                    place: .init(level: node.place.level + 1, index: node.place.index / 2),
                    hash: MerkleTree.hash(left.hash, node.hash))
                nodes.append(node)
            }
            frontier.append(node)
            size += 1
        }

        package var root: [UInt8] { MerkleTree.joined(frontier.map(\.hash)) ?? MerkleTree.emptyRoot }

        /// Forgets which nodes are new.
        package mutating func takeNodes() -> [LogNode] {
            defer { nodes = [] }
            return nodes
        }
    }

    /// Complete trees, each smaller than the one before it, as one.
    private static func joined(_ hashes: [[UInt8]]) -> [UInt8]? {
        guard var root = hashes.last else { return nil }
        for hash in hashes.dropLast().reversed() { root = Self.hash(hash, root) }
        return root
    }

    // MARK: ranges

    /// The nodes that a tree's hash over some leaves is made of, the greatest first. `range` is one that a proof names.
    package static func places(of range: Range<Int64>) -> [LogNode.Place] {
        var places: [LogNode.Place] = []
        var begin = range.lowerBound
        while begin < range.upperBound {
            let level = 63 - (range.upperBound - begin).leadingZeroBitCount
            places.append(LogNode.Place(level: level, index: begin >> level))
            begin += 1 << level
        }
        return places
    }

    /// - Parameter nodes: at least those that ``places(of:)`` names.
    /// - Returns: `nil` if one is missing.
    package static func hash(of range: Range<Int64>, _ nodes: [LogNode.Place: [UInt8]]) -> [UInt8]? {
        let places = places(of: range)
        let hashes = places.compactMap { nodes[$0] }
        guard hashes.count == places.count else { return nil }
        return range.isEmpty ? emptyRoot : joined(hashes)
    }

    /// The greatest power of two below `count`, which is 2 or more.
    private static func half(_ count: Int64) -> Int64 { 1 << (63 - (count - 1).leadingZeroBitCount) }

    /// The ranges whose hashes form an inclusion proof (RFC 9162 §2.1.3.1), from the leaf to the root.
    package static func inclusion(of index: Int64, in size: Int64) -> [Range<Int64>] {
        var path: [Range<Int64>] = []
        var range = 0..<size
        while range.upperBound - range.lowerBound > 1 {
            let middle = range.lowerBound + half(range.upperBound - range.lowerBound)
            if index < middle {
                path.append(middle..<range.upperBound)
                range = range.lowerBound..<middle
            } else {
                path.append(range.lowerBound..<middle)
                range = middle..<range.upperBound
            }
        }
        return path.reversed()
    }

    /// The ranges whose hashes form a consistency proof (RFC 9162 §2.1.4.1); none if `first` is 0 or `second`.
    package static func consistency(from first: Int64, to second: Int64) -> [Range<Int64>] {
        guard first > 0, first < second else { return [] }
        var path: [Range<Int64>] = []
        var range = 0..<second
        var isWhole = true
        while first != range.upperBound {
            let middle = range.lowerBound + half(range.upperBound - range.lowerBound)
            if first <= middle {
                path.append(middle..<range.upperBound)
                range = range.lowerBound..<middle
            } else {
                path.append(range.lowerBound..<middle)
                range = middle..<range.upperBound
                isWhole = false
            }
        }
        // The verifier has the first root.
        if !isWhole { path.append(range) }
        return path.reversed()
    }

    // MARK: checking

    /// Whether a proof shows that the leaf is in the tree at this place (RFC 9162 §2.1.3.2).
    package static func isIncluded(
        _ leafHash: [UInt8], at index: Int64, in size: Int64, proof: [[UInt8]], root: [UInt8]
    ) -> Bool {
        guard index >= 0, index < size else { return false }
        var (place, last, hash) = (index, size - 1, leafHash)
        for sibling in proof {
            if last == 0 { return false }
            if place & 1 == 1 || place == last {
                hash = Self.hash(sibling, hash)
                while place & 1 == 0, place != 0 { (place, last) = (place >> 1, last >> 1) }
            } else {
                hash = Self.hash(hash, sibling)
            }
            (place, last) = (place >> 1, last >> 1)
        }
        return last == 0 && hash == root
    }

    /// Whether a proof shows that the second tree begins with the first (RFC 9162 §2.1.4.2).
    package static func isConsistent(
        _ first: (size: Int64, root: [UInt8]), _ second: (size: Int64, root: [UInt8]), proof: [[UInt8]]
    ) -> Bool {
        if first.size == second.size { return proof.isEmpty && first.root == second.root }
        if first.size == 0 { return proof.isEmpty && first.root == emptyRoot }
        guard first.size > 0, first.size < second.size, !proof.isEmpty else { return false }
        let path = first.size & (first.size - 1) == 0 ? [first.root] + proof : proof
        var (place, last) = (first.size - 1, second.size - 1)
        while place & 1 == 1 { (place, last) = (place >> 1, last >> 1) }
        var (former, latter) = (path[0], path[0])
        for hash in path.dropFirst() {
            if last == 0 { return false }
            if place & 1 == 1 || place == last {
                former = Self.hash(hash, former)
                latter = Self.hash(hash, latter)
                while place & 1 == 0, place != 0 { (place, last) = (place >> 1, last >> 1) }
            } else {
                latter = Self.hash(latter, hash)
            }
            (place, last) = (place >> 1, last >> 1)
        }
        return last == 0 && former == first.root && latter == second.root
    }
}
