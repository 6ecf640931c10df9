import BenjiProtocol
import Requests
import Store
import Synchronization

/// When each page last had a code sent, in this process. So a button pressed twice sends no second message. This serves
/// the person only; the limits of messages are counted in the store.
final class LastCodes: Sendable {
    /// Between two codes of one page for one number.
    static let pause = Duration.seconds(60)

    private struct Last {
        var id: SMSTransactionID
        var number: PhoneNumber
        var at: Timestamp

        /// Seconds that are left of the pause.
        func wait(_ now: Timestamp) -> Int64 {
            let passed = now - at
            guard .zero <= passed, passed < LastCodes.pause else { return 0 }
            return max(1, (LastCodes.pause - passed).components.seconds)
        }
    }

    private let codes: Mutex<RecentMemory<Int64, Last>>

    /// - Parameter capacity: pages that are remembered.
    init(capacity: Int) { codes = Mutex(RecentMemory(capacity: capacity)) }

    /// Begins a code, unless the page had one sent to this number within the pause: then says which, and how many
    /// seconds are left.
    func begin(
        _ id: SMSTransactionID, to number: PhoneNumber, for page: Int64, now: Timestamp
    ) -> (id: SMSTransactionID, wait: Int64)? {
        codes.withLock { codes in
            if let last = codes.value(of: page), last.number == number, last.wait(now) > 0 {
                return (last.id, last.wait(now))
            }
            codes.keep(Last(id: id, number: number, at: now), of: page)
            return nil
        }
    }

    /// The message of this code did not go out. If the page has begun another since, that one's pause stays.
    func forget(_ id: SMSTransactionID, of page: Int64) {
        codes.withLock { codes in
            guard codes.value(of: page)?.id == id, var last = codes.take(page) else { return }
            last.at = Timestamp(milliseconds: 0)
            codes.keep(last, of: page)
        }
    }

    /// Seconds until the page may have another sent to the same number.
    func wait(after page: Int64, now: Timestamp) -> Int64 {
        codes.withLock { codes in codes.value(of: page)?.wait(now) ?? 0 }
    }
}
