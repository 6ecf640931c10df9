// The names are Apple's.
@_exported import Foundation

public struct DCError: Error, Hashable, Sendable {
    public enum Code: Int, Sendable {
        case unknownSystemFailure = 0
        case featureUnsupported = 1
        case invalidInput = 2
        case invalidKey = 3
        case serverUnavailable = 4
    }

    public let code: Code
    public init(_ code: Code) { self.code = code }
}

public final class DCAppAttestService: Sendable {
    public static let shared = DCAppAttestService()

    public var isSupported: Bool { StandInAppAttest.shared.isSupported }

    public func generateKey(completionHandler: @escaping @Sendable (String?, (any Error)?) -> Void) {
        answer(completionHandler) { try StandInAppAttest.shared.makeKey() }
    }

    public func attestKey(
        _ keyId: String, clientDataHash: Data, completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {
        answer(completionHandler) { try StandInAppAttest.shared.use("attest", keyId, clientDataHash) }
    }

    public func generateAssertion(
        _ keyId: String, clientDataHash: Data, completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {
        answer(completionHandler) { try StandInAppAttest.shared.use("assert", keyId, clientDataHash) }
    }

    private func answer<Value>(
        _ handler: @escaping @Sendable (Value?, (any Error)?) -> Void, _ value: () throws -> Value
    ) {
        if StandInAppAttest.shared.isSilentNow() { return }
        do { handler(try value(), nil) } catch { handler(nil, error) }
    }
}

/// Test hook: which keys there are, and what App Attest answers.
///
/// `@unchecked Sendable`: everything is read and written while the lock is held.
public final class StandInAppAttest: @unchecked Sendable {
    public static let shared = StandInAppAttest()

    private let lock = NSLock()
    private var supported = false
    private var keys: Set<String> = []
    private var fault: DCError?
    private var isSilent = false

    public var isSupported: Bool {
        get { lock.withLock { supported } }
        set { lock.withLock { supported = newValue } }
    }

    /// Thrown by whatever is asked next, once.
    public func failNext(with error: DCError) { lock.withLock { fault = error } }

    /// Whatever is asked next is never answered, once.
    public func keepSilentNext() { lock.withLock { isSilent = true } }

    func isSilentNow() -> Bool {
        lock.withLock {
            defer { isSilent = false }
            return isSilent
        }
    }

    /// As after the app was removed and installed again.
    public func forgetKeys() { lock.withLock { keys = [] } }

    func makeKey() throws -> String {
        try lock.withLock {
            try throwFault()
            let key = Data((0..<32).map { _ in UInt8.random(in: 0...255) }).base64EncodedString()
            keys.insert(key)
            return key
        }
    }

    /// Returns the request, its key and its hash as text.
    func use(_ word: String, _ key: String, _ hash: Data) throws -> Data {
        try lock.withLock {
            try throwFault()
            guard keys.contains(key) else { throw DCError(.invalidKey) }
            return Data("\(word) \(key) \(hash.base64EncodedString())".utf8)
        }
    }

    private func throwFault() throws {
        guard let error = fault else { return }
        fault = nil
        throw error
    }
}
