import BenjiProtocol
import Crypto
import Foundation

/// Remembers the names of proofs while they could be shown again, and refuses a second one.
///
/// Names are kept by the second that the proof is dated with. A second is over when none of its proofs can be fresh any
/// more. A forgotten second's proofs are refused by their date (`forgottenBefore`), so no proof is taken twice, however
/// many come. A proof older than this process is refused by its time, for memory only lasts as long
/// (``ExpiryClock/trustedSince``).
///
/// After the clock was set back by more than a proof's age, proofs are accepted again from the new time on. Otherwise
/// all would be refused until the clock has caught up. A remembered proof is still refused; a forgotten one of that
/// period may be accepted twice. When room is needed, proofs of seconds that are now in the future are forgotten first.
///
/// Memory is bounded. When there are more proofs than places, the oldest seconds are forgotten early. Phones whose
/// clocks are behind by more than the memory reaches back then receive the server's time. They make the proof again,
/// and are served. No other phone notices, and an attacker's proofs cannot cause others to be refused:
///
/// - Proofs dated ahead would stay longest, so they get at most a quarter of the places. Above that, a phone whose
///   clock is ahead receives the server's time as well.
/// - The last seconds are never forgotten, because a proof that is on its way could then be refused. They fill the
///   memory only when three quarters of `capacity` come within ``minimumLead`` and ``minimumAge``: at the usual
///   capacity 35,000 a second.
final class ProofReplayCache: @unchecked Sendable {
    /// The default count of remembered names: 8,000 a second for the whole time that a proof is fresh. Some 40 bytes
    /// each.
    static let usualCapacity = 1_000_000
    /// Proofs of an age up to this are always taken.
    static let minimumAge: Int64 = 15
    /// Proofs dated ahead by no more than this are not counted as dated ahead.
    static let minimumLead: Int64 = 5

    private static let maximumAge = DeviceProof.maximumAge.components.seconds

    /// 128 bits of a SHA-256: a collision is infeasible, and a long name takes no more space.
    private struct Name: Hashable {
        var high: UInt64
        var low: UInt64

        /// Names are kept together with the key that used them: two phones may choose the same.
        init(_ proof: DeviceProof) {
            var hash = SHA256()
            hash.update(data: proof.key.rawRepresentation)
            hash.update(data: Array(proof.id.utf8))
            (high, low) = hash.finalize().withUnsafeBytes { bytes in
                (
                    bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self),
                    bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
                )
            }
        }
    }

    // Sound: every access to the variables below is inside `lock`.
    private let lock = NSLock()
    private var names: [Int64: Set<Name>] = [:]
    private var count = 0
    private var forgottenBefore = Int64.min
    private var lookedAt: Int64?

    private let capacity: Int

    init(capacity: Int = usualCapacity) { self.capacity = capacity }

    enum Verdict {
        case new, replayed
        /// Dated before the memory, or too far ahead while too many are. One with the server's time is taken.
        case outOfTime
        /// Not even the last seconds fit.
        case full
    }

    /// - Parameters:
    ///   - proof: known to be fresh (``FreshProofs/checkTime(of:)``).
    ///   - now: the time that freshness is judged by.
    func insert(_ proof: DeviceProof, now: Timestamp) -> Verdict {
        let name = Name(proof)
        let second = proof.issuedAt.seconds
        let present = now.seconds
        return lock.withLock {
            if present != lookedAt {
                if let lookedAt, present < lookedAt - Self.maximumAge {
                    forgottenBefore = min(forgottenBefore, present)
                }
                lookedAt = present
                // A second more: a proof is good to the last millisecond of its age.
                for past in names.keys where past + Self.maximumAge + 1 < present { forget(past) }
            }
            guard second >= forgottenBefore else { return .outOfTime }
            if names[second]?.contains(name) == true { return .replayed }
            if second > present + Self.minimumLead {
                let ahead = names.reduce(0) { $0 + ($1.key > present + Self.minimumLead ? $1.value.count : 0) }
                guard ahead < max(1, capacity / 4) else { return .outOfTime }
            }
            while count >= capacity {
                // Recorded while the clock was ahead. A proof used in these seconds may be accepted once more.
                if let farthest = names.keys.max(), farthest > present + Self.maximumAge {
                    count -= names.removeValue(forKey: farthest)?.count ?? 0
                    continue
                }
                guard let oldest = names.keys.min(), oldest < present - Self.minimumAge else { return .full }
                forget(oldest)
            }
            // Room was made by forgetting seconds up to this one.
            guard second >= forgottenBefore else { return .outOfTime }
            names[second, default: []].insert(name)
            count += 1
            return .new
        }
    }

    private func forget(_ second: Int64) {
        count -= names.removeValue(forKey: second)?.count ?? 0
        forgottenBefore = max(forgottenBefore, second + 1)
    }
}
