#if canImport(DeviceCheck) && canImport(Security)
import BenjiProtocol
import DeviceCheck
import Foundation
import Security

/// App Attest of Apple's systems.
@available(macOS 11, *)
public struct DeviceCheckAppAttest: AppAttestService {
    public init() {}

    public var isSupported: Bool { DCAppAttestService.shared.isSupported }

    public func makeKey() async throws(AppAttestServiceError) -> [UInt8] {
        let name = try await Self.answer { DCAppAttestService.shared.generateKey(completionHandler: $0) }
        // Apple's own writing of it is base64.
        guard let key = Data(base64Encoded: name), key.count == 32 else { throw .failed }
        return Array(key)
    }

    public func attest(_ key: [UInt8], clientDataHash: [UInt8]) async throws(AppAttestServiceError) -> [UInt8] {
        let (name, hash) = (Data(key).base64EncodedString(), Data(clientDataHash))
        return Array(
            try await Self.answer {
                DCAppAttestService.shared.attestKey(name, clientDataHash: hash, completionHandler: $0)
            })
    }

    public func assert(_ key: [UInt8], clientDataHash: [UInt8]) async throws(AppAttestServiceError) -> [UInt8] {
        let (name, hash) = (Data(key).base64EncodedString(), Data(clientDataHash))
        return Array(
            try await Self.answer {
                DCAppAttestService.shared.generateAssertion(name, clientDataHash: hash, completionHandler: $0)
            })
    }

    /// The arguments of Apple's completion handlers: a value, or an error.
    private static func answer<Value: Sendable>(
        _ ask: (@escaping @Sendable (Value?, (any Error)?) -> Void) -> Void
    ) async throws(AppAttestServiceError) -> Value {
        let (answers, continuation) = AsyncStream.makeStream(of: Result<Value, AppAttestServiceError>.self)
        ask { value, error in
            continuation.yield(value.map { .success($0) } ?? .failure(Self.error(error)))
            continuation.finish()
        }
        // Apple may take for ever. The stream ends when the calling task is cancelled, as a login's is at its deadline.
        for await answer in answers { return try answer.get() }
        throw .unavailable
    }

    private static func error(_ error: (any Error)?) -> AppAttestServiceError {
        switch (error as? DCError)?.code {
        case .invalidKey: .invalidKey
        case .serverUnavailable: .unavailable
        default: .failed
        }
    }
}

/// The name of the key in the key chain, beside the device key.
public struct KeychainAppAttestKeyStore: AppAttestKeyStore {
    private let account: String
    private static let service = "benji.app-attest-key"

    /// - Parameter account: usually the app id.
    public init(account: String) { self.account = account }

    private var query: [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: Self.service,
            kSecAttrAccount as String: account,
        ]
    }

    public func read() -> AppAttestKeyEntry? {
        var search = query
        search[kSecReturnData as String] = true
        search[kSecMatchLimit as String] = kSecMatchLimitOne
        var found: CFTypeRef?
        guard SecItemCopyMatching(search as CFDictionary, &found) == errSecSuccess, let data = found as? Data else {
            return nil
        }
        return Self.entry(String(decoding: data, as: UTF8.self))
    }

    /// Key, device key and, while the key is not registered, challenge, its time in milliseconds and perhaps Apple's
    /// answer.
    private static func text(_ entry: AppAttestKeyEntry) -> String {
        var parts = [entry.keyID, entry.deviceKey]
        if let registration = entry.registration {
            parts += [registration.challenge, String(registration.begunAt.milliseconds)]
            if let evidence = registration.evidence { parts.append(Base64URL.encode(evidence)) }
        }
        return parts.joined(separator: " ")
    }

    private static func entry(_ text: String) -> AppAttestKeyEntry? {
        let parts = text.split(separator: " ").map(String.init)
        guard [2, 4, 5].contains(parts.count) else { return nil }
        var entry = AppAttestKeyEntry(keyID: parts[0], deviceKey: parts[1])
        guard parts.count > 2 else { return entry }
        guard let milliseconds = Int64(parts[3]) else { return nil }
        entry.registration = AppAttestRegistration(
            challenge: parts[2], begunAt: Timestamp(milliseconds: milliseconds),
            evidence: parts.count == 5 ? Base64URL.decode(parts[4]) : nil)
        return entry
    }

    public func write(_ entry: AppAttestKeyEntry?) {
        // A key that cannot be kept is replaced at the next start.
        _ = SecItemDelete(query as CFDictionary)
        guard let entry else { return }
        var item = query
        item[kSecValueData as String] = Data(Self.text(entry).utf8)
        item[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        _ = SecItemAdd(item as CFDictionary, nil)
    }
}

@available(macOS 11, *)
extension AppAttestation {
    /// With App Attest of the system and the key chain.
    ///
    /// - Parameter appID: the app's id at the server.
    public init(appID: String) {
        self.init(service: DeviceCheckAppAttest(), keys: KeychainAppAttestKeyStore(account: appID))
    }
}
#endif
