import BenjiProtocol
import Store
import Synchronization

/// Apps with their keys open, as they were last read. Reading and opening one takes longer than spending a token.
///
/// The keys stay in this process's memory, where the master key that opens them is too.
final class AppMemory: Sendable {
    private struct Cache {
        var apps: [RegisteredApp] = []
        var places: [AppID: Int] = [:]
        var size = 0

        mutating func forget(_ place: Int) {
            apps.swapAt(place, apps.count - 1)
            let app = apps.removeLast()
            places[app.record.id] = nil
            if place < apps.count { places[apps[place].record.id] = place }
            size -= app.size
        }
    }

    private let capacity: Int
    private let kept = Mutex(Cache())

    /// - Parameter capacity: bytes that apps may take, by ``RegisteredApp/size``. When a new app does not fit, random
    ///   others are evicted. So most apps that call in turn stay, whatever their order.
    init(capacity: Int = 256 << 20) { self.capacity = capacity }

    func app(_ id: AppID) -> RegisteredApp? { kept.withLock { kept in kept.places[id].map { kept.apps[$0] } } }

    func forget(_ id: AppID) {
        kept.withLock { kept in
            guard let place = kept.places[id] else { return }
            kept.forget(place)
        }
    }

    /// Keeps an app, unless a later revision of it is here already.
    func keep(_ app: RegisteredApp) {
        kept.withLock { kept in
            if let place = kept.places[app.record.id] {
                guard kept.apps[place].record.revision <= app.record.revision else { return }
                kept.forget(place)
            }
            while !kept.apps.isEmpty, kept.size + app.size > capacity {
                kept.forget(.random(in: kept.apps.indices))
            }
            kept.places[app.record.id] = kept.apps.count
            kept.apps.append(app)
            kept.size += app.size
        }
    }
}
