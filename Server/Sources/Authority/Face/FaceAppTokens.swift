internal import BenjiProtocol
internal import Store
internal import Synchronization

/// App tokens, in memory: they come and go with every start of every phone, and whoever loses one fetches the next.
final class FaceAppTokens: Sendable {
    private struct Entry {
        var app: AppID
        var deviceKey: String
        var expiresAt: Timestamp
    }
    private struct State {
        var entries: [CredentialHash: Entry] = [:]
        var order: [CredentialHash] = []
        var head = 0
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// - Parameter capacity: how many are kept; with one more, the oldest is forgotten.
    init(capacity: Int) { self.capacity = capacity }

    func insert(_ token: String, app: AppID, deviceKey: String, expiresAt: Timestamp) {
        let hash = CredentialHash(of: token)
        state.withLock { state in
            if state.order.count - state.head >= capacity {
                state.entries[state.order[state.head]] = nil
                state.head += 1
                if state.head * 2 > state.order.count {
                    state.order.removeFirst(state.head)
                    state.head = 0
                }
            }
            state.entries[hash] = Entry(app: app, deviceKey: deviceKey, expiresAt: expiresAt)
            state.order.append(hash)
        }
    }

    /// The app that the token was given to, if it holds for this device key.
    func app(of token: String, deviceKey: String, now: Timestamp) -> AppID? {
        let entry = state.withLock { $0.entries[CredentialHash(of: token)] }
        guard let entry, entry.deviceKey == deviceKey, now < entry.expiresAt else { return nil }
        return entry.app
    }
}
