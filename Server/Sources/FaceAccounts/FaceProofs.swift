import Authority
import BenjiProtocol
import Crypto
import Foundation
import Synchronization

/// The names of face login's proofs, while they could be shown again. A memory of its own: what floods face login does not fill the one
/// that every one-tap login needs.
///
/// Half of it is forgotten when the other half is full or a proof's time has passed twice. So strangers in any number never keep a
/// phone out; what they can do is to have a proof forgotten early, and a face request that is shown again buys nothing new: sessions,
/// challenges, tokens and codes count once by themselves.
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
