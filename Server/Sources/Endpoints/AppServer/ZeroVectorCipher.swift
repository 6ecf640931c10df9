import BenjiProtocol
import Crypto
import CryptoExtras

/// Two vendors' encryption of a number in an answer: AES-CBC under a key made of the app's. The initialisation vector
/// is sixteen digits `0`, the padding PKCS #7, the text lower-case hexadecimal.
///
/// With one key and one vector, one number always becomes the same text, and a change goes unnoticed. It serves the
/// clients that decrypt it; TLS protects the number on its way.
struct ZeroVectorCipher {
    private static let vector = [UInt8](repeating: UInt8(ascii: "0"), count: 16)

    private let key: SymmetricKey

    /// AES-128 or AES-256 under the first bytes of an app key's text; `nil` if it has fewer.
    init?(appKey: String, keyBytes: Int) {
        let bytes = appKey.utf8.prefix(keyBytes)
        guard bytes.count == keyBytes else { return nil }
        key = SymmetricKey(data: Array(bytes))
    }

    func encrypt(_ text: String) throws -> String {
        let vector = try AES._CBC.IV(ivBytes: Self.vector)
        return Hexadecimal.encode(try AES._CBC.encrypt(Array(text.utf8), using: key, iv: vector))
    }
}
