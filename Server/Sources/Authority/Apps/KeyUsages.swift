import BenjiProtocol
import Store
import Synchronization

/// On which day each key was used last, until it is written: once a day for each key, and never while a call waits.
final class KeyUsages: Sendable {
    private struct Key: Hashable {
        var app: AppID
        var use: AppKeyUse
        var version: Int
    }
    private struct State {
        /// The last day that was noted, written or not.
        var days: [Key: Int32] = [:]
        var unwritten: [AppKeyUsage] = []
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// - Parameter capacity: keys that are remembered. One more clears the memory, and all keys are noted again.
    init(capacity: Int = 16384) { self.capacity = capacity }

    func note(_ use: AppKeyUse, _ version: Int, of app: AppID, day: Int32) {
        let key = Key(app: app, use: use, version: version)
        state.withLock { state in
            if let known = state.days[key], known >= day { return }
            if state.days.count >= capacity { state.days.removeAll(keepingCapacity: true) }
            state.days[key] = day
            state.unwritten.append(AppKeyUsage(appID: app, use: use, version: version, day: day))
        }
    }

    /// Takes out the usages to be written now. A caller that cannot write them gives them back.
    func take() -> [AppKeyUsage] {
        state.withLock { state in
            defer { state.unwritten = [] }
            return state.unwritten
        }
    }

    func giveBack(_ usages: [AppKeyUsage]) { state.withLock { $0.unwritten.append(contentsOf: usages) } }
}
