import BenjiProtocol
import Store
import Synchronization

/// Apps with their keys open, as they were last read. Reading and opening one takes longer than spending a token.
///
/// The keys stay in this process's memory, where the master key that opens them is too.
final class AppMemory: Sendable {
    private let capacity: Int
    private let apps = Mutex<[AppID: RegisteredApp]>([:])

    /// - Parameter capacity: how many apps are kept; with one more, all are forgotten and read again as they call.
    init(capacity: Int = 4096) { self.capacity = capacity }

    func app(_ id: AppID) -> RegisteredApp? { apps.withLock { $0[id] } }

    /// Keeps an app, unless a later revision of it is here already.
    func keep(_ app: RegisteredApp) {
        apps.withLock { apps in
            if let known = apps[app.record.id], known.record.revision > app.record.revision { return }
            if apps.count >= capacity, apps[app.record.id] == nil { apps.removeAll(keepingCapacity: true) }
            apps[app.record.id] = app
        }
    }
}
