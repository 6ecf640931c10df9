import BenjiProtocol
import Crypto
import Synchronization

/// Which phone a thing belongs to that turns up where no phone is: a trace, or a credential that an app's server
/// brings.
///
/// Credentials are remembered by their hash, and only the last few thousand of them.
final class PhoneMemory: Sendable {
    private struct State {
        var phones: [String: String] = [:]
        var order: [String] = []
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int = 4096) { self.capacity = capacity }

    func remember(_ trace: TraceID, phone: String) { insert("trace:" + trace.rawValue, phone) }
    func phone(of trace: TraceID) -> String? { state.withLock { $0.phones["trace:" + trace.rawValue] } }

    func remember(credential: String, phone: String) { insert(Self.key(credential), phone) }
    func phone(ofCredential credential: String) -> String? { state.withLock { $0.phones[Self.key(credential)] } }

    private static func key(_ credential: String) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Array(credential.utf8))))
    }

    private func insert(_ key: String, _ phone: String) {
        state.withLock { state in
            if state.phones.updateValue(phone, forKey: key) == nil { state.order.append(key) }
            guard state.order.count > capacity else { return }
            for old in state.order.prefix(capacity / 4) { state.phones[old] = nil }
            state.order.removeFirst(capacity / 4)
        }
    }
}
