package import BenjiProtocol

/// Lets each proof count once, and only while it is of our time: a memory of names, and the time since when it
/// remembers.
package final class FreshProofs: Sendable {
    private let clock: any WallClock
    private let expiryClock: ExpiryClock
    private let names: ProofReplayCache

    /// - Parameter capacity: proofs that are remembered; see ``ProofReplayCache``.
    package convenience init(capacity: Int, clock: any WallClock) {
        self.init(capacity: capacity, clock: clock, expiryClock: ExpiryClock(clock))
    }

    package init(capacity: Int, clock: any WallClock, expiryClock: ExpiryClock) {
        self.clock = clock
        self.expiryClock = expiryClock
        names = ProofReplayCache(capacity: capacity)
    }

    /// The proof is of our time.
    package func checkTime(of proof: DeviceProof) throws(Refusal) {
        let now = clock.now
        let distance = proof.issuedAt > now ? proof.issuedAt - now : now - proof.issuedAt
        guard distance <= DeviceProof.maximumAge else {
            throw refusal(.clockSkew, "the proof's time is more than two minutes from the server's")
        }
        // Proofs shown to an earlier process, or before the clock was put back, are not remembered. So they must not
        // count again.
        guard proof.issuedAt.seconds >= expiryClock.trustedSince.seconds else {
            throw refusal(.clockSkew, "the proof is older than this server or its clock; make a new one")
        }
    }

    /// The proof has not been shown before. Last of the cheap checks, because it is remembered.
    package func checkNew(_ proof: DeviceProof) throws(Refusal) {
        switch names.insert(proof, now: clock.now) {
        case .new: return
        case .replayed: throw refusal(.proofReplayed, "this proof was used before")
        case .outOfTime:
            throw refusal(.clockSkew, "many proofs are remembered now: the proof's time must be the server's")
        case .full: throw refusal(.overloaded, "too many proofs at once; try again")
        }
    }

    private func refusal(_ situation: Situation, _ detail: String) -> Refusal {
        Refusal(situation, detail, serverTime: clock.now)
    }
}
