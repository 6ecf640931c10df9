import Crypto
import Store

extension CredentialHash {
    /// The hash under which a credential is kept. Credentials carry more than 190 random bits, so a plain SHA-256
    /// cannot be reversed.
    package init(of credential: String) { self.init(bytes: Array(SHA256.hash(data: Array(credential.utf8)))) }
}
