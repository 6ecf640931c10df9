/// The vector for comparing faces: 128 numbers, of length 1 together. As sensitive personal data it prints nothing.
package struct FaceEmbedding: Hashable, Sendable, CustomStringConvertible {
    package static let size = 128

    package let values: [Float]

    init(unit values: [Float]) { self.values = values }

    /// - Returns: `nil` unless there are ``size`` finite numbers, not all of them zero; they are brought to length 1.
    package init?(_ values: [Float]) {
        let square = values.reduce(0) { $0 + $1 * $1 }
        guard values.count == Self.size, square.isFinite, square > 0 else { return nil }
        let length = square.squareRoot()
        self.values = values.map { $0 / length }
    }

    /// The cosine of the angle between two: 1 for the same picture, near 0 for different people.
    package func similarity(to other: FaceEmbedding) -> Double {
        Double(zip(values, other.values).reduce(0) { $0 + $1.0 * $1.1 })
    }

    package var description: String { "FaceEmbedding" }
}

extension FaceEmbedding: CustomReflectable {
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
