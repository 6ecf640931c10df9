#if canImport(Security)
public import BenjiProtocol
import Crypto
import Foundation
import Security

/// A device key in the key chain of Apple's platforms. It is this device's only and in no backup. It is usable in the
/// background once the phone has been unlocked after its start.
///
/// Where there is a Secure Enclave, the key is made in it. The key chain then holds only the enclave's own sealed form,
/// which no other chip can open. Where there is none (the simulator, old Macs), the key chain holds the key.
public struct KeychainDeviceKeyStore: DeviceKeyStore {
    /// Names the entry: one key to one app id, so that two SDKs in one app do not share one.
    public let account: String
    private let service: String

    /// - Parameters:
    ///   - account: usually the app id.
    ///   - service: changes only for apps that keep several installs apart.
    public init(account: String, service: String = "benji.device-key") {
        self.account = account
        self.service = service
    }

    /// Makes the entry at its first use.
    public func signer() async throws(DeviceKeyError) -> any DeviceSigner {
        if let kept = try read() { return try open(kept) }
        let made = try make()
        var entry = query
        entry[kSecValueData as String] = made
        entry[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        let status = SecItemAdd(entry as CFDictionary, nil)
        // Another call was first, and its key counts.
        guard status == errSecSuccess || status == errSecDuplicateItem else { throw error(status, "be added") }
        guard let kept = try read() else {
            throw DeviceKeyError(.inaccessible, at: place, "the entry vanished while it was made")
        }
        return try open(kept)
    }

    public func removeKey() async throws(DeviceKeyError) {
        let status = SecItemDelete(query as CFDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else { throw error(status, "be removed") }
    }

    private var place: String { "key chain entry \(service)/\(account)" }

    private var query: [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
            kSecAttrAccount as String: account,
        ]
    }

    private func read() throws(DeviceKeyError) -> Data? {
        var search = query
        search[kSecReturnData as String] = true
        search[kSecMatchLimit as String] = kSecMatchLimitOne
        var found: CFTypeRef?
        let status = SecItemCopyMatching(search as CFDictionary, &found)
        if status == errSecItemNotFound { return nil }
        guard status == errSecSuccess else { throw error(status, "be read") }
        guard let data = found as? Data else { throw DeviceKeyError(.damaged, at: place, "does not hold data") }
        return data
    }

    // The first byte says what follows: 1 a key, 2 a key sealed by the Secure Enclave.
    private static let plain: UInt8 = 1
    private static let sealed: UInt8 = 2

    private func make() throws(DeviceKeyError) -> Data {
        #if canImport(CryptoKit)
        if SecureEnclave.isAvailable {
            // Without an access control of its own the key asks for an unlocked phone; a prefetch may run in the
            // background.
            var reason: Unmanaged<CFError>?
            let access = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, .privateKeyUsage, &reason)
            reason?.release()
            if let access, let key = try? SecureEnclave.P256.Signing.PrivateKey(accessControl: access) {
                return Data([Self.sealed]) + key.dataRepresentation
            }
        }
        #endif
        return Data([Self.plain]) + P256.Signing.PrivateKey().rawRepresentation
    }

    private func open(_ kept: Data) throws(DeviceKeyError) -> any DeviceSigner {
        let content = Data(kept.dropFirst())
        switch kept.first {
        case Self.plain:
            if let key = try? P256.Signing.PrivateKey(rawRepresentation: content) {
                return SoftwareDeviceSigner(key: key)
            }
        #if canImport(CryptoKit)
        case Self.sealed:
            if let key = try? SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: content) {
                return EnclaveSigner(key: key)
            }
        #endif
        default: break
        }
        // A phone restored from another's backup has the entry of a chip that is not its own.
        throw DeviceKeyError(
            .damaged, at: place, "does not hold a key of this device: remove it and let a new one be made")
    }

    private func error(_ status: OSStatus, _ what: String) -> DeviceKeyError {
        if status == errSecInteractionNotAllowed {
            return DeviceKeyError(.locked, at: place, "cannot \(what) until the phone is unlocked once after its start")
        }
        return DeviceKeyError(.inaccessible, at: place, "cannot \(what): status \(status)")
    }
}

#if canImport(CryptoKit)
private struct EnclaveSigner: DeviceSigner {
    private let held: ConstantKey<SecureEnclave.P256.Signing.PrivateKey>
    let publicKey: DevicePublicKey

    init(key: SecureEnclave.P256.Signing.PrivateKey) {
        held = ConstantKey(key)
        publicKey = DevicePublicKey(key.publicKey)
    }

    func signature(over message: [UInt8]) throws -> [UInt8] {
        Array(try held.key.signature(for: message).rawRepresentation)
    }
}
#endif
#endif
