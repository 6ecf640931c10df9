import BenjiProtocol
import Crypto
import CryptoExtras

/// How two vendors hide a number in an answer: AES-CBC under a key made of the app's, with sixteen digits `0`
/// for an initialisation vector, PKCS #7 padding, in lower-case hexadecimal.
///
/// With one key and one vector, one number always becomes the same text, and nothing shows that it was not changed. It
/// is here for the clients that decrypt it; what protects the number on its way is TLS.
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
