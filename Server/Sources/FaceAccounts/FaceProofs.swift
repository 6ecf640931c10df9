import Authority
import BenjiProtocol
import Crypto
import Foundation
import Synchronization

/// The names of face login's proofs, for as long as a proof could be replayed. This memory is separate, so a flood of
/// face requests does not fill the memory that every one-tap login needs.
///
/// The older half is forgotten when the newer half is full, or when twice a proof's life has passed. So unknown callers
/// never lock out a phone; they can only have a proof forgotten early. A replayed face request then gains nothing,
/// since sessions, challenges, tokens and codes each count once.
final class FaceProofs: Sendable {
    /// A digest, because a name is as long as a phone likes.
    private struct Name: Hashable {
        var first: UInt64
        var second: UInt64
    }
    private struct State {
        var newer: Set<Name> = []
        var older: Set<Name> = []
        var turnedAt = Timestamp(milliseconds: 0)
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) { self.capacity = capacity }

    /// `false` if it was shown before.
    func insert(_ proof: DeviceProof, now: Timestamp) -> Bool {
        let name = SHA256.hash(data: Data("\(proof.key.thumbprint).\(proof.id)".utf8)).withUnsafeBytes {
            Name(first: $0.load(as: UInt64.self), second: $0.load(fromByteOffset: 8, as: UInt64.self))
        }
        // As long as the one-tap logins' memory keeps a name: a proof may be dated ahead of us, and behind.
        let life = DeviceProof.maximumAge + DeviceProof.maximumAge + .seconds(1)
        return state.withLock { state in
            if now - state.turnedAt >= life || state.newer.count >= max(capacity / 2, 1) {
                let isOld = now - state.turnedAt >= life + life
                state.older = isOld ? [] : state.newer
                state.newer = []
                state.turnedAt = now
            }
            return !state.older.contains(name) && state.newer.insert(name).inserted
        }
    }
}
