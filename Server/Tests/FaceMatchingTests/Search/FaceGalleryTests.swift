import FaceMatching
import Testing

/// The search finds what comparing one by one finds.
@Suite struct FaceGalleryTests {
    private func embeddings(_ count: Int, seed: UInt64) -> [FaceEmbedding] {
        var state = seed
        func next() -> Float {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(Int64(bitPattern: state) >> 33) / Float(1 << 30)
        }
        return (0..<count).compactMap { _ in FaceEmbedding((0..<FaceEmbedding.size).map { _ in next() }) }
    }

    @Test func `The best are those that comparing with each would name, in order`() {
        let all = embeddings(300, seed: 7)
        var gallery = FaceGallery<Int>()
        gallery.reserve(300)
        for (index, embedding) in all.enumerated() { gallery.add(embedding, id: index) }
        for probe in embeddings(20, seed: 8) + [all[123]] {
            let expected = all.indices.map { ($0, probe.similarity(to: all[$0])) }.sorted { $0.1 > $1.1 }.prefix(5)
            let found = gallery.search(probe, least: -1, limit: 5)
            #expect(found.map(\.id) == expected.map(\.0))
            #expect(zip(found, expected).allSatisfy { abs($0.similarity - $1.1) < 1e-5 })
        }
    }

    @Test func `What is less alike than asked for is not found`() {
        let all = embeddings(50, seed: 9)
        var gallery = FaceGallery<Int>()
        for (index, embedding) in all.enumerated() { gallery.add(embedding, id: index) }
        #expect(gallery.search(all[7], least: 0.9).map(\.id) == [7])
        #expect(gallery.search(embeddings(1, seed: 10)[0], least: 0.9, limit: 10).isEmpty)
        #expect(gallery.search(all[7], least: 0.9, limit: 0).isEmpty)
        #expect(FaceGallery<Int>().search(all[7], least: -1).isEmpty)
    }

    @Test func `What is removed is not found, and the rest is`() {
        let all = embeddings(10, seed: 11)
        var gallery = FaceGallery<Int>()
        for (index, embedding) in all.enumerated() { gallery.add(embedding, id: index) }
        gallery.removeAll { $0 % 2 == 0 }
        #expect(gallery.ids == [1, 3, 5, 7, 9])
        #expect(gallery.search(all[4], least: 0.9).isEmpty)
        #expect(gallery.search(all[5], least: 0.9).map(\.id) == [5])
        #expect(gallery.bytes == 5 * 128 * 4)
    }

    @Test func `Numbers that are no embedding are none`() {
        #expect(FaceEmbedding([]) == nil)
        #expect(FaceEmbedding([Float](repeating: 0, count: 128)) == nil)
        #expect(FaceEmbedding([Float](repeating: .nan, count: 128)) == nil)
        #expect(FaceEmbedding([Float](repeating: .greatestFiniteMagnitude, count: 128)) == nil)
        #expect(FaceEmbedding([Float](repeating: 3, count: 127)) == nil)
        #expect(FaceEmbedding([Float](repeating: 3, count: 128)) != nil)
    }
}
