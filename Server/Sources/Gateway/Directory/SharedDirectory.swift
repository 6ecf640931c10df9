import CProcessor
import Synchronization

/// The directory behind its lock, which look-ups take first.
///
/// Accounting comes in long batches. It holds the lock for many events, because taking it for each costs more. As soon
/// as a look-up waits, it releases the lock after the current event.
final class SharedDirectory: Sendable {
    private let directory: Mutex<Directory>
    private let lookups = Atomic<Int>(0)

    /// How often another caller checks whether look-ups still wait: some microseconds. A look-up takes less than one.
    private static let patience = 100

    init(_ directory: Directory) { self.directory = Mutex(directory) }

    /// Whether a look-up is waiting or under way.
    var isWanted: Bool { lookups.load(ordering: .relaxed) > 0 }

    /// For a look-up.
    func look<Result: Sendable>(_ body: (borrowing Directory) -> Result) -> Result {
        lookups.add(1, ordering: .relaxed)
        defer { lookups.subtract(1, ordering: .relaxed) }
        return directory.withLock { body($0) }
    }

    /// For everybody else, and for work that takes a few microseconds.
    func withLockedValue<Result: Sendable>(_ body: (inout Directory) throws -> Result) rethrows -> Result {
        var patience = Self.patience
        while isWanted, patience > 0 {
            patience -= 1
            pause_spinning()
        }
        return try directory.withLock { try body(&$0) }
    }

    /// Does `body` for each element, in order. Look-ups come in between.
    func forEach<Element>(_ elements: some Sequence<Element>, _ body: (inout Directory, Element) -> Void) {
        var iterator = elements.makeIterator()
        var next = iterator.next()
        while next != nil {
            withLockedValue { directory in
                while let element = next {
                    body(&directory, element)
                    next = iterator.next()
                    if isWanted { return }
                }
            }
        }
    }
}
