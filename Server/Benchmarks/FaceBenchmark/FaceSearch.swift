import BenchmarkSupport
import FaceMatching

/// A gallery of random templates with one that is real.
final class FaceSearch: Sendable {
    private let gallery: FaceGallery<Int>
    private let own: FaceEmbedding
    private let place: Int
    private let flat: [Float]

    var count: Int { gallery.count }

    init(templates: Int, own: FaceEmbedding) {
        var random = SystemRandomNumberGenerator()
        var gallery = FaceGallery<Int>()
        gallery.reserve(templates)
        place = Int.random(in: 0..<templates, using: &random)
        var flat: [Float] = []
        flat.reserveCapacity(templates * FaceEmbedding.size)
        for index in 0..<templates {
            let values = (0..<FaceEmbedding.size).map { _ in Float.random(in: -1...1, using: &random) }
            let embedding = index == place ? own : FaceEmbedding(values) ?? own
            gallery.add(embedding, id: index)
            flat += embedding.values
        }
        self.gallery = gallery
        self.own = own
        self.flat = flat
    }

    /// Milliseconds for one search.
    func search(_ repeats: Int) throws -> Double {
        var finds: [FaceGallery<Int>.Find] = []
        let time = seconds { for _ in 0..<repeats { finds = gallery.search(own, least: 0.5, limit: 5) } }
        guard finds.map(\.id) == [place] else { throw BenchmarkFailure("the search does not find what is there") }
        return time / Double(repeats) * 1000
    }

    /// Milliseconds for adding all numbers up.
    func read(_ repeats: Int) -> Double {
        var sum = SIMD16<Float>.zero
        let time = seconds {
            for _ in 0..<repeats {
                flat.withUnsafeBytes { bytes in
                    for offset in stride(from: 0, to: bytes.count, by: 64) {
                        sum += bytes.loadUnaligned(fromByteOffset: offset, as: SIMD16<Float>.self)
                    }
                }
            }
        }
        return sum[0].isNaN ? .nan : time / Double(repeats) * 1000
    }
}
