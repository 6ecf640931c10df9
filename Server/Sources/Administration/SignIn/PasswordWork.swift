package import Authority
import BenjiProtocol
import Dispatch
import Foundation
package import Requests
package import Store
import Synchronization

/// Hashes passwords on threads of its own, a few at a time and at a low priority. Somebody who sends many wrong
/// passwords takes little processor and no memory from logins, and an operator can sign in although logins take all
/// processors.
package final class PasswordWork: Sendable {
    /// scrypt's N is two to the power of this: with blocks of 8 it takes 32 MiB and some 0.1 s.
    package static let usualCost = 15
    /// How many are hashed at once.
    static let atOnce = 2
    /// How many may wait; further ones are refused.
    static let waiting = 32

    /// Whether a password that was typed is the one that was kept.
    package typealias Comparison = @Sendable (Password, PasswordHash) throws(Refusal) -> Bool

    let cost: Int
    private let comparison: Comparison
    private let count = Mutex(0)

    init(cost: Int, comparison: @escaping Comparison) {
        self.cost = cost
        self.comparison = comparison
    }

    /// Does something with a password, once there is a place in the line. Who is sent away because many are there
    /// has no attempt counted.
    func inLine<Value: Sendable>(_ body: () async throws(Refusal) -> Value) async throws(Refusal) -> Value {
        let isAdmitted = count.withLock { count in
            guard count < Self.atOnce + Self.waiting else { return false }
            count += 1
            return true
        }
        guard isAdmitted else {
            throw Refusal(.overloaded, "too many people sign in at this moment; try again in a few seconds")
        }
        defer { count.withLock { $0 -= 1 } }
        return try await body()
    }

    /// Returns the hash to store of a new password. To be called in the line.
    func hash(_ password: Password, salt: [UInt8]) async throws(Refusal) -> PasswordHash {
        try await perform { () throws(Refusal) in try password.hash(salt: salt, cost: self.cost) }
    }

    /// To be called in the line.
    func matches(_ password: Password, _ kept: PasswordHash) async throws(Refusal) -> Bool {
        try await perform { () throws(Refusal) in try self.comparison(password, kept) }
    }

    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable () throws(Refusal) -> Value
    ) async throws(Refusal) -> Value {
        try await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, Refusal>, Never>) in
            PasswordThreads.shared.run {
                continuation.resume(returning: Result { () throws(Refusal) in try work() })
            }
        }.get()
    }
}

/// The threads that hash passwords, for all of the process.
private final class PasswordThreads: Sendable {
    static let shared = PasswordThreads()
    /// The nice value of the threads: where others want the processor too, one has about a tenth of what each of them
    /// has.
    private static let niceness: Int32 = 10

    private let jobs = Mutex<[@Sendable () -> Void]>([])
    private let available = DispatchSemaphore(value: 0)

    private init() {
        for number in 1...PasswordWork.atOnce {
            let thread = Thread { [self] in
                // On Linux each thread has a priority (setpriority(2), "C library/kernel differences").
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
                while true {
                    available.wait()
                    jobs.withLock { $0.removeFirst() }()
                }
            }
            thread.name = "benji-password-\(number)"
            thread.start()
        }
    }

    func run(_ job: @escaping @Sendable () -> Void) {
        jobs.withLock { $0.append(job) }
        available.signal()
    }
}
