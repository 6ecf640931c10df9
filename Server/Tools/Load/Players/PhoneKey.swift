import BenjiProtocol
import Crypto

/// A phone's device key with its public half ready: half a million signatures should not compute it as often.
struct PhoneKey: DeviceSigner {
    let publicKey: DevicePublicKey
    let thumbprint: String
    private let key: P256.Signing.PrivateKey

    init() {
        key = P256.Signing.PrivateKey()
        publicKey = DevicePublicKey(key.publicKey)
        thumbprint = publicKey.thumbprint
    }

    func signature(over message: [UInt8]) throws -> [UInt8] {
        Array(try key.signature(for: message).rawRepresentation)
    }
}
