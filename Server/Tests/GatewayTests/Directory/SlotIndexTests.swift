import Testing

@testable import Gateway

struct SlotIndexTests {
    @Test("against a dictionary: thousands of insertions and removals, with hashes that collide")
    func againstDictionary() {
        var generator = SeededGenerator(seed: 82)
        var index = SlotIndex()
        var hashes: [Int: UInt64] = [:]
        for _ in 0..<20_000 {
            let place = Int.random(in: 0..<600, using: &generator)
            let known = hashes
            if let hash = hashes[place] {
                index.remove(place, hash: hash) { known[$0]! }
                hashes[place] = nil
            } else {
                // Few distinct hashes, so that runs are long and wrap around the end.
                let hash =
                    UInt64.random(in: 0..<40, using: &generator) << 58 | UInt64.random(in: 0..<4, using: &generator)
                index.insert(place, hash: hash) { known[$0]! }
                hashes[place] = hash
            }
            #expect(index.count == hashes.count)
        }
        for place in 0..<600 {
            let hash = hashes[place]
            #expect(index.find(hash ?? 0, { $0 == place }) == (hash == nil ? nil : place))
        }
    }
}
