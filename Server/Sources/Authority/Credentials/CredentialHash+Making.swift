package import BenjiProtocol
import Crypto
package import Store

extension CredentialHash {
    /// The hash under which a credential is kept. Credentials carry more than 190 random bits, so a plain SHA-256
    /// cannot be reversed.
    package init(of credential: String) { self.init(bytes: Array(SHA256.hash(data: Array(credential.utf8)))) }

    /// The hash behind the characters that say when the credential was made (``CredentialGrammar/make(at:random:)``).
    package init(of credential: String, _ grammar: CredentialGrammar) {
        self.init(bytes: Array(grammar.order(of: credential)) + CredentialHash(of: credential).bytes)
    }
}
