import BenjiProtocol
import Crypto
import Store
import Testing

@testable import Authority

@Suite("Trees and proofs are those of RFC 9162")
struct MerkleTreeTests {
    /// The definitions of RFC 9162 §2.1 as they stand there, slow and by recursion.
    private enum Definition {
        static func hash(_ leaves: ArraySlice<[UInt8]>) -> [UInt8] {
            guard leaves.count > 1 else {
                return leaves.first.map { Array(SHA256.hash(data: [0] + $0)) } ?? Array(SHA256.hash(data: [UInt8]()))
            }
            let middle = leaves.startIndex + half(leaves.count)
            return Array(SHA256.hash(data: [1] + hash(leaves[..<middle]) + hash(leaves[middle...])))
        }

        static func half(_ count: Int) -> Int {
            var half = 1
            while half * 2 < count { half *= 2 }
            return half
        }

        static func path(_ index: Int, _ leaves: ArraySlice<[UInt8]>) -> [[UInt8]] {
            guard leaves.count > 1 else { return [] }
            let k = half(leaves.count)
            let middle = leaves.startIndex + k
            return index < k
                ? path(index, leaves[..<middle]) + [hash(leaves[middle...])]
                : path(index - k, leaves[middle...]) + [hash(leaves[..<middle])]
        }

        static func proof(_ first: Int, _ leaves: ArraySlice<[UInt8]>, _ isWhole: Bool = true) -> [[UInt8]] {
            if first == leaves.count { return isWhole ? [] : [hash(leaves)] }
            let k = half(leaves.count)
            let middle = leaves.startIndex + k
            return first <= k
                ? proof(first, leaves[..<middle], isWhole) + [hash(leaves[middle...])]
                : proof(first - k, leaves[middle...], false) + [hash(leaves[..<middle])]
        }
    }

    private static let leaves = (0..<131).map { Array("leaf \($0)".utf8) }

    /// All nodes of the tree over these leaves, as the log keeps them.
    private static func grown(_ count: Int) -> (tree: MerkleTree.Growth, nodes: [LogNode.Place: [UInt8]]) {
        var tree = MerkleTree.Growth()
        var nodes: [LogNode.Place: [UInt8]] = [:]
        for (index, leaf) in leaves.prefix(count).enumerated() {
            let hash = MerkleTree.leafHash(leaf)
            nodes[.init(level: 0, index: Int64(index))] = hash
            tree.append(hash)
        }
        for node in tree.takeNodes() { nodes[node.place] = node.hash }
        return (tree, nodes)
    }

    @Test("The roots of the trees that Certificate Transparency's implementations are tested with")
    func vectors() throws {
        let inputs = [
            "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
        ]
        let roots = [
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
            "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
            "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
            "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
            "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
        ]
        var tree = MerkleTree.Growth()
        #expect(
            Hexadecimal.encode(tree.root) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        for (input, root) in zip(inputs, roots) {
            tree.append(MerkleTree.leafHash(try #require(Hexadecimal.decode(input))))
            #expect(Hexadecimal.encode(tree.root) == root)
        }
    }

    @Test("Up to 131 leaves, roots and inclusion proofs are the definition's, and each proves its leaf and no other")
    func inclusion() throws {
        let (_, nodes) = Self.grown(131)
        for size in 0...131 {
            let root = Definition.hash(Self.leaves[..<size])
            #expect(Self.grown(size).tree.root == root)
            #expect(MerkleTree.hash(of: 0..<Int64(size), nodes) == root)
            for index in 0..<size where size < 20 || index % 13 == size % 13 || index > size - 3 {
                let proof = MerkleTree.inclusion(of: Int64(index), in: Int64(size)).compactMap {
                    MerkleTree.hash(of: $0, nodes)
                }
                #expect(proof == Definition.path(index, Self.leaves[..<size]))
                let leaf = MerkleTree.leafHash(Self.leaves[index])
                func holds(_ leaf: [UInt8], _ index: Int, _ proof: [[UInt8]]) -> Bool {
                    MerkleTree.isIncluded(leaf, at: Int64(index), in: Int64(size), proof: proof, root: root)
                }
                #expect(holds(leaf, index, proof))
                #expect(!holds(MerkleTree.leafHash(Self.leaves[(index + 1) % 131]), index, proof))
                #expect(!holds(leaf, index, proof + [root]))
                if size > 1 {
                    #expect(!holds(leaf, index, Array(proof.dropLast())))
                    #expect(!holds(leaf, (index + 1) % size, proof))
                }
                #expect(!holds(leaf, -1, proof) && !holds(leaf, size, proof))
            }
        }
    }

    @Test("Up to 131 leaves, consistency proofs are the definition's, and prove no log that was rewritten")
    func consistency() {
        let (_, nodes) = Self.grown(131)
        var other = Self.leaves
        other[0] = [9]
        let roots = (0...131).map { Definition.hash(Self.leaves[..<$0]) }
        for second in 0...131 {
            for first in 0...second where second < 20 || first % 11 == second % 11 || first > second - 3 {
                let proof = MerkleTree.consistency(from: Int64(first), to: Int64(second)).compactMap {
                    MerkleTree.hash(of: $0, nodes)
                }
                #expect(proof == (first == 0 ? [] : Definition.proof(first, Self.leaves[..<second])))
                func holds(_ from: [UInt8], _ to: [UInt8], _ proof: [[UInt8]]) -> Bool {
                    MerkleTree.isConsistent((Int64(first), from), (Int64(second), to), proof: proof)
                }
                #expect(holds(roots[first], roots[second], proof))
                #expect(!holds(roots[first], roots[second], proof + [roots[1]]))
                guard first > 0 else { continue }
                #expect(!holds(Definition.hash(other[..<first]), roots[second], proof))
                #expect(!holds(roots[first], Definition.hash(other[..<second]), proof))
                #expect(
                    !MerkleTree.isConsistent(
                        (Int64(second) + 1, roots[first]), (Int64(second), roots[second]), proof: proof))
                if first < second { #expect(!holds(roots[first], roots[second], Array(proof.dropLast()))) }
            }
        }
    }

    @Test("A proof in a log of a billion leaves needs some sixty nodes at the most")
    func size() {
        let size: Int64 = 1_000_000_007
        for index in [0, 1, 123_456_789, size / 2, size - 1] {
            #expect(MerkleTree.inclusion(of: index, in: size).flatMap(MerkleTree.places).count <= 60)
            #expect(MerkleTree.consistency(from: index, to: size).flatMap(MerkleTree.places).count <= 60)
        }
    }
}
