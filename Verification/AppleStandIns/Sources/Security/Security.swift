// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

@_exported import Foundation

public typealias OSStatus = Int32
public typealias CFTypeRef = AnyObject
public typealias CFString = NSString
public typealias CFDictionary = NSDictionary

public let errSecSuccess: OSStatus = 0
public let errSecParam: OSStatus = -50
public let errSecItemNotFound: OSStatus = -25300
public let errSecDuplicateItem: OSStatus = -25299
public let errSecInteractionNotAllowed: OSStatus = -25308

nonisolated(unsafe) public let kSecClass: CFString = "class"
nonisolated(unsafe) public let kSecClassGenericPassword: CFString = "genp"
nonisolated(unsafe) public let kSecAttrService: CFString = "svce"
nonisolated(unsafe) public let kSecAttrAccount: CFString = "acct"
nonisolated(unsafe) public let kSecValueData: CFString = "v_Data"
nonisolated(unsafe) public let kSecReturnData: CFString = "r_Data"
nonisolated(unsafe) public let kSecMatchLimit: CFString = "m_Limit"
nonisolated(unsafe) public let kSecMatchLimitOne: CFString = "m_LimitOne"
nonisolated(unsafe) public let kSecAttrAccessible: CFString = "pdmn"
nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"

public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    StandInKeychain.shared.add(attributes)
}

public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    StandInKeychain.shared.find(query) { result?.pointee = $0 }
}

public func SecItemDelete(_ query: CFDictionary) -> OSStatus { StandInKeychain.shared.remove(query) }

/// Test hook: the key chain of generic passwords, in memory.
public final class StandInKeychain: @unchecked Sendable {
    public static let shared = StandInKeychain()

    private let lock = NSLock()
    private var items: [String: (data: Data, accessible: String)] = [:]
    private var locked = false

    /// Whether the phone has not been unlocked since its start.
    public var isLocked: Bool {
        get { lock.withLock { locked } }
        set { lock.withLock { locked = newValue } }
    }

    /// When an entry may be read, as it was written with it; `nil` when there is none.
    public func accessibility(service: String, account: String) -> String? {
        lock.withLock { items["\(service)/\(account)"]?.accessible }
    }

    public func removeAll() { lock.withLock { items = [:] } }

    private func name(_ query: CFDictionary) -> String? {
        guard let service = query[kSecAttrService] as? String, let account = query[kSecAttrAccount] as? String else {
            return nil
        }
        return "\(service)/\(account)"
    }

    func add(_ attributes: CFDictionary) -> OSStatus {
        lock.withLock {
            guard let name = name(attributes), let data = attributes[kSecValueData] as? Data else { return errSecParam }
            guard !locked else { return errSecInteractionNotAllowed }
            guard items[name] == nil else { return errSecDuplicateItem }
            items[name] = (data, attributes[kSecAttrAccessible] as? String ?? "")
            return errSecSuccess
        }
    }

    func find(_ query: CFDictionary, _ found: (CFTypeRef) -> Void) -> OSStatus {
        lock.withLock {
            guard let name = name(query) else { return errSecParam }
            guard let item = items[name] else { return errSecItemNotFound }
            guard !locked else { return errSecInteractionNotAllowed }
            found(item.data as NSData)
            return errSecSuccess
        }
    }

    func remove(_ query: CFDictionary) -> OSStatus {
        lock.withLock {
            guard let name = name(query) else { return errSecParam }
            return items.removeValue(forKey: name) == nil ? errSecItemNotFound : errSecSuccess
        }
    }
}

// MARK: - What Network.framework takes from here

public enum tls_protocol_version_t: UInt16, Sendable {
    case TLSv12 = 0x0303
    case TLSv13 = 0x0304
}

/// The options of a TLS connection.
public final class sec_protocol_options_t: @unchecked Sendable {
    /// Test hook.
    public internal(set) var standInLeastVersion: tls_protocol_version_t?

    public init() {}
}

public func sec_protocol_options_set_min_tls_protocol_version(
    _ options: sec_protocol_options_t, _ version: tls_protocol_version_t
) { options.standInLeastVersion = version }
