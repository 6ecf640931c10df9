internal import BenjiProtocol
internal import Foundation

/// Remembers the names of proofs while they could be shown again, and refuses a second one.
///
/// Memory only: a proof older than this process is refused by its time, and the scrip behind a replayed authorize has
/// rotated anyway.
final class ProofReplayCache: @unchecked Sendable {
    // Sound: every access to the two variables below is inside `lock`.
    private let lock = NSLock()
    private var names: Set<String> = []
    private var order: [(expires: Timestamp, name: String)] = []
    private var head = 0

    private let capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    enum Verdict { case new, replayed, full }

    /// Names are kept together with the key that used them: two phones may choose the same.
    func insert(_ proof: DeviceProof, now: Timestamp) -> Verdict {
        let name = "\(proof.key.thumbprint).\(proof.id)"
        return lock.withLock {
            while head < order.count, order[head].expires <= now {
                names.remove(order[head].name)
                head += 1
            }
            if head > 4096, head * 2 > order.count {
                order.removeFirst(head)
                head = 0
            }
            if names.contains(name) { return .replayed }
            guard names.count < capacity else { return .full }
            names.insert(name)
            // Twice the age: a proof may be dated ahead of us by as much as it may be behind. A second more, because it
            // is still good in the last millisecond of that.
            order.append((now + DeviceProof.greatestAge + DeviceProof.greatestAge + .seconds(1), name))
            return .new
        }
    }
}
