/// Templates in one block of memory, for finding a face among many by comparing it with each. The search is exact, and
/// below a million templates fast enough that an index would not pay.
///
/// It applies no rules. The owner of the group decides who may be searched for and what a match permits.
package struct FaceGallery<ID: Sendable>: Sendable {
    package private(set) var ids: [ID] = []
    private var values: [Float] = []

    package init() {}

    package var count: Int { ids.count }

    /// Bytes that the numbers take.
    package var bytes: Int { values.count * MemoryLayout<Float>.size }

    package mutating func reserve(_ count: Int) {
        ids.reserveCapacity(count)
        values.reserveCapacity(count * FaceEmbedding.size)
    }

    package mutating func add(_ embedding: FaceEmbedding, id: ID) {
        ids.append(id)
        values.append(contentsOf: embedding.values)
    }

    /// Removes every template whose id fulfils a condition; the others keep their order.
    package mutating func removeAll(where isGone: (ID) throws -> Bool) rethrows {
        var kept = FaceGallery()
        for (index, id) in ids.enumerated() where try !isGone(id) {
            kept.ids.append(id)
            kept.values.append(contentsOf: values[index * FaceEmbedding.size..<(index + 1) * FaceEmbedding.size])
        }
        self = kept
    }

    package struct Find: Sendable {
        package var id: ID
        package var similarity: Double
    }

    /// The templates that are most like a face, the best first.
    /// - Parameters:
    ///   - least: templates less similar are not found; `FacePolicy.identification`.
    ///   - limit: at most so many.
    package func search(_ probe: FaceEmbedding, least: Double, limit: Int = 1) -> [Find] {
        var best: [(index: Int, similarity: Float)] = []
        guard limit > 0 else { return [] }
        var least = Float(least)
        values.withUnsafeBufferPointer { values in
            probe.values.withUnsafeBufferPointer { probe in
                for index in ids.indices {
                    let similarity = Self.product(values.baseAddress! + index * FaceEmbedding.size, probe.baseAddress!)
                    guard similarity >= least else { continue }
                    let place = best.firstIndex { $0.similarity < similarity } ?? best.endIndex
                    guard place < limit else { continue }
                    best.insert((index, similarity), at: place)
                    if best.count > limit { best.removeLast() }
                    if best.count == limit { least = max(least, best[limit - 1].similarity) }
                }
            }
        }
        return best.map { Find(id: ids[$0.index], similarity: Double($0.similarity)) }
    }

    /// The one template that matches a face, or `nil`. It must reach the policy's identification threshold, and exceed
    /// every other template by the margin.
    package func only(_ probe: FaceEmbedding, policy: FacePolicy) -> Find? {
        let finds = search(probe, least: policy.identification - policy.identificationMargin, limit: 2)
        guard let first = finds.first, first.similarity >= policy.identification else { return nil }
        guard finds.count < 2 || first.similarity - finds[1].similarity >= policy.identificationMargin else {
            return nil
        }
        return first
    }

    /// Four sums side by side, so that none waits for the one before it.
    @inline(__always)
    private static func product(_ one: UnsafePointer<Float>, _ other: UnsafePointer<Float>) -> Float {
        var sums = (SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero)
        let left = UnsafeRawPointer(one)
        let right = UnsafeRawPointer(other)
        let step = MemoryLayout<SIMD8<Float>>.size
        for offset in Swift.stride(from: 0, to: FaceEmbedding.size * MemoryLayout<Float>.size, by: 4 * step) {
            func part(_ number: Int) -> SIMD8<Float> {
                left.loadUnaligned(fromByteOffset: offset + number * step, as: SIMD8<Float>.self)
                    * right.loadUnaligned(fromByteOffset: offset + number * step, as: SIMD8<Float>.self)
            }
            sums.0 += part(0)
            sums.1 += part(1)
            sums.2 += part(2)
            sums.3 += part(3)
        }
        return (sums.0 + sums.1 + sums.2 + sums.3).sum()
    }
}
