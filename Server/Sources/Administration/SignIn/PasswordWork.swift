package import Authority
import BenjiProtocol
import Dispatch
package import Store
import Synchronization

/// Hashes passwords beside the threads that answer requests, a few at a time: whoever sends many wrong ones takes neither the processor
/// nor the memory from logins.
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
    private let queue = DispatchQueue(label: "benji-passwords", qos: .utility, attributes: .concurrent)
    private let places = DispatchSemaphore(value: atOnce)
    private let line = DispatchQueue(label: "benji-passwords-line", qos: .utility)
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

    /// What is kept of a new password. To be called in the line.
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
            line.async { [places, queue] in
                places.wait()
                queue.async {
                    let result = Result { () throws(Refusal) in try work() }
                    places.signal()
                    continuation.resume(returning: result)
                }
            }
        }.get()
    }
}
