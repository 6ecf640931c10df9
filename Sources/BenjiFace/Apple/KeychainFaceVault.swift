#if canImport(Security)
import Foundation
import Security

/// Keeps what an install remembers in the key chain of Apple's systems: this device's only, in no backup.
public struct KeychainFaceVault: FaceVault {
    private let account: String
    private let service: String

    /// - Parameter account: usually the app id.
    public init(account: String, service: String = "benji.face") {
        self.account = account
        self.service = service
    }

    private var query: [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
            kSecAttrAccount as String: account,
        ]
    }

    public func read() -> [UInt8]? {
        var search = query
        search[kSecReturnData as String] = true
        search[kSecMatchLimit as String] = kSecMatchLimitOne
        var found: CFTypeRef?
        guard SecItemCopyMatching(search as CFDictionary, &found) == errSecSuccess, let data = found as? Data else {
            return nil
        }
        return Array(data)
    }

    public func write(_ bytes: [UInt8]?) {
        _ = SecItemDelete(query as CFDictionary)
        guard let bytes else { return }
        var entry = query
        entry[kSecValueData as String] = Data(bytes)
        entry[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        _ = SecItemAdd(entry as CFDictionary, nil)
    }
}
#endif
