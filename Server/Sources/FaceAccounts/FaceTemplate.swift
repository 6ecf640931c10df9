import Authority
import FaceMatching
import Store

/// How an embedding is written before it is sealed: a version, then 128 floats, the least significant byte first.
enum FaceTemplate {
    static let purpose = "face-template"
    private static let version: UInt8 = 1

    static func bytes(_ embedding: FaceEmbedding) -> [UInt8] {
        [version]
            + embedding.values.flatMap { value in
                (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
            }
    }

    /// The face that an account keeps.
    static func open(_ sealed: Sealed, under key: AccountKey) throws(VaultError) -> FaceEmbedding {
        try embedding(try key.open(sealed, purpose: purpose))
    }

    static func embedding(_ bytes: [UInt8]) throws(VaultError) -> FaceEmbedding {
        guard bytes.count == 1 + 4 * FaceEmbedding.size, bytes[0] == version else { throw VaultError() }
        let values = stride(from: 1, to: bytes.count, by: 4).map { start in
            Float(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << (8 * UInt32($1)) })
        }
        guard let embedding = FaceEmbedding(values) else { throw VaultError() }
        return embedding
    }
}
