@_spi(Server) import BenjiProtocol
import Crypto
import Store

/// The derived keys of a master key: those that seal and that find numbers.
struct WorkingKey: Sendable {
    let check: MasterKeyCheck
    let id: MasterKeyID
    private let sealing: SymmetricKey
    private let indexing: SymmetricKey

    init(_ key: MasterKey) {
        check = key.check
        id = key.id
        sealing = key.derived("seal")
        indexing = key.derived("index")
    }

    func seal(_ plaintext: [UInt8], purpose: String, owner: [UInt8]) throws -> Sealed {
        try Envelope.seal(plaintext, under: sealing, of: id, purpose: purpose, owner: owner)
    }

    /// Opens what names this key, or no key.
    func open(_ sealed: Sealed, purpose: String, owner: [UInt8]) throws(VaultError) -> [UInt8] {
        guard sealed.masterKey == nil else {
            return try Envelope.open(sealed, under: sealing, of: id, purpose: purpose, owner: owner)
        }
        return try Envelope.open(sealed, under: sealing, purpose: purpose, owner: owner)
    }

    func index(of number: PhoneNumber) -> BlindIndex {
        BlindIndex(bytes: Vault.code(indexing, "number", [Array(number.e164.utf8)]))
    }
}
