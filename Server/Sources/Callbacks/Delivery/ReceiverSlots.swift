package import BenjiProtocol

/// Decides which receivers may be sent an event now, so that one that is slow or gone holds up no other.
///
/// A receiver begins with one event under way. One that takes events and has more to come gets several, up to
/// ``mostForOne`` while most of the places are free. One whose last attempt failed has one, after a pause that doubles
/// with each failure in a row. All of those together have half of the places.
package struct ReceiverSlots: Sendable {
    package static let perReceiver = 4
    package static let mostForOne = 32
    package static let longestPause: Duration = .seconds(60)

    private struct Receiver {
        var running = 0
        /// In a row.
        var failures = 0
        /// Since it last had nothing under way, or failed.
        var successes = 0
        var restsUntil = Timestamp(milliseconds: 0)
    }

    private let capacity: Int
    private var receivers: [AppID: Receiver] = [:]

    /// - Parameter capacity: events under way at the same time.
    package init(capacity: Int = 256) { self.capacity = capacity }

    /// Takes as many places as a receiver may have now.
    package mutating func take(for app: AppID, at now: Timestamp) -> Int {
        var receiver = receivers[app] ?? Receiver()
        guard now >= receiver.restsUntil else { return 0 }
        let isFailing = receiver.failures > 0
        let failing = receivers.values.reduce(0) { $0 + ($1.failures > 0 ? $1.running : 0) }
        let all = receivers.values.reduce(0) { $0 + $1.running }
        let room = min(capacity - all, isFailing ? capacity / 2 - failing : .max)
        let wanted = min(Self.mostForOne, max(Self.perReceiver, receiver.successes / 8))
        let grown = min(wanted, receiver.running + capacity / 4 - all)
        let most = receiver.successes < 2 ? 1 : max(Self.perReceiver, grown)
        let taken = max(0, min((isFailing ? 1 : most) - receiver.running, room))
        receiver.running += taken
        if taken > 0 { receivers[app] = receiver }
        return taken
    }

    /// Says how an attempt went.
    ///
    /// - Returns: whether the place may go on with the receiver's next event.
    package mutating func note(_ app: AppID, succeeded: Bool, at now: Timestamp) -> Bool {
        var receiver = receivers[app] ?? Receiver()
        if succeeded {
            receiver.failures = 0
            receiver.successes += 1
        } else {
            receiver.failures += 1
            receiver.successes = 0
            let pause = Duration.seconds(1 << min(receiver.failures - 1, 6))
            receiver.restsUntil = now + min(pause, Self.longestPause)
        }
        receivers[app] = receiver
        return succeeded
    }

    /// Gives a place back.
    package mutating func end(_ app: AppID) {
        receivers[app]?.running -= 1
        // Nothing is kept of a receiver that answers and has nothing under way.
        if let receiver = receivers[app], receiver.running <= 0, receiver.failures == 0 { receivers[app] = nil }
    }

    /// Forgets receivers that have rested for long, such as those of apps that are gone.
    package mutating func forget(restedBefore moment: Timestamp) {
        receivers = receivers.filter { $0.value.running > 0 || $0.value.restsUntil >= moment }
    }
}
