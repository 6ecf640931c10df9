import BenjiProtocol
import Testing

@testable import Requests

@Suite("A proof counts once") struct ProofReplayCacheTests {
    private static let key = SoftwareDeviceSigner().publicKey
    private static let start: Int64 = 1_800_000_000

    private func at(_ seconds: Int64, _ milliseconds: Int64 = 0) -> Timestamp {
        Timestamp(milliseconds: (Self.start + seconds) * 1000 + milliseconds)
    }

    private func proof(_ id: String, dated seconds: Int64) -> DeviceProof {
        DeviceProof(
            id: id, method: "POST", url: "http://gateway/", issuedAt: at(seconds), body: [], localAddress: nil,
            key: Self.key)
    }

    /// A memory as it was: as long after its use as a proof may be old.
    private final class NaiveMemory {
        private var names: [String: Timestamp] = [:]
        func insert(_ proof: DeviceProof, now: Timestamp) -> ProofReplayCache.Verdict {
            if let end = names[proof.id], now < end { return .replayed }
            names[proof.id] = now + DeviceProof.maximumAge
            return .new
        }
    }

    @Test("A proof dated 119 seconds ahead is remembered as long as it is fresh, not as long after its use")
    func datedAhead() {
        let naive = NaiveMemory()
        #expect(naive.insert(proof("a", dated: 119), now: at(0)) == .new)
        #expect(naive.insert(proof("a", dated: 119), now: at(122)) == .new, "the double must fall")
        let memory = ProofReplayCache(capacity: 100)
        #expect(memory.insert(proof("a", dated: 119), now: at(0)) == .new)
        for seconds in [1, 119, 122, 200, 239] as [Int64] {
            #expect(memory.insert(proof("a", dated: 119), now: at(seconds)) == .replayed, "after \(seconds) s")
        }
        #expect(memory.insert(proof("b", dated: 239), now: at(239)) == .new)
    }

    @Test("A proof is remembered to the last millisecond in which it is fresh", arguments: [-120, 0, 120] as [Int64])
    func lastMillisecond(_ dated: Int64) {
        let memory = ProofReplayCache(capacity: 100)
        #expect(memory.insert(proof("a", dated: dated), now: at(0)) == .new)
        #expect(memory.insert(proof("a", dated: dated), now: at(dated + 120)) != .new)
        // A caller that does not check the proof's age first is not admitted either.
        #expect(memory.insert(proof("a", dated: dated), now: at(dated + 500)) != .new)
    }

    @Test("More proofs than places make room from the oldest; what was forgotten is refused, and the present is served")
    func overflow() {
        let memory = ProofReplayCache(capacity: 100)
        for index in 0..<100 {
            #expect(memory.insert(proof("old \(index)", dated: -100), now: at(0)) == .new)
        }
        for index in 0..<100 { #expect(memory.insert(proof("new \(index)", dated: 0), now: at(0)) == .new) }
        for index in 0..<100 {
            #expect(memory.insert(proof("old \(index)", dated: -100), now: at(0)) == .outOfTime)
            #expect(memory.insert(proof("new \(index)", dated: 0), now: at(0)) == .replayed)
        }
        #expect(memory.insert(proof("another", dated: -100), now: at(0)) == .outOfTime)
    }

    @Test(
        "Whatever an attacker dates his proofs with, phones with the server's time are served, and nothing counts twice"
    )
    func flood() {
        for lead in [-120, -16, 6, 119] as [Int64] {
            // Fifty a second for as long as they are fresh are 12,000.
            let memory = ProofReplayCache(capacity: 1500)
            var taken: [DeviceProof] = []
            for second in 0..<300 as Range<Int64> {
                for index in 0..<50 {
                    let proof = proof("flood \(second) \(index)", dated: second + lead)
                    if memory.insert(proof, now: at(second)) == .new { taken.append(proof) }
                }
                let honest = proof("honest \(second)", dated: second)
                #expect(memory.insert(honest, now: at(second)) == .new, "at \(second), flood by \(lead)")
                taken.append(honest)
                for old in taken.suffix(600) where abs(old.issuedAt.seconds - Self.start - second) <= 120 {
                    #expect(memory.insert(old, now: at(second)) != .new, "a proof counted twice")
                }
            }
        }
    }

    @Test("A clock that is put forward and back by two minutes lets no proof count twice")
    func smallJumps() {
        let memory = ProofReplayCache(capacity: 1000)
        let used = [proof("a", dated: 0), proof("b", dated: 60), proof("c", dated: 119)]
        for proof in used { #expect(memory.insert(proof, now: at(0)) == .new) }
        for now in [122, 2, 120, 241, 121, 239] as [Int64] {
            for proof in used { #expect(memory.insert(proof, now: at(now)) != .new, "\(proof.id) at \(now)") }
        }
    }

    @Test(
        """
        A clock that is put back by an hour stops nobody who has its time, and what is remembered counts no second time
        """
    )
    func largeJump() {
        let memory = ProofReplayCache(capacity: 1000)
        #expect(memory.insert(proof("before", dated: 0), now: at(0)) == .new)
        #expect(memory.insert(proof("ahead", dated: 3600), now: at(3600)) == .new)
        #expect(memory.insert(proof("back", dated: -3600), now: at(-3600)) == .new)
        for now in [-3600, -3500, 0, 3600] as [Int64] {
            #expect(memory.insert(proof("ahead", dated: 3600), now: at(now)) == .replayed, "at \(now)")
        }
        #expect(memory.insert(proof("back", dated: -3600), now: at(0)) != .new)
    }

    @Test("After a clock that ran an hour ahead is put right, proofs of the right time are taken")
    func putBack() {
        let memory = ProofReplayCache(capacity: 100)
        #expect(memory.insert(proof("ahead", dated: 3600), now: at(3600)) == .new)
        #expect(memory.insert(proof("later", dated: 3800), now: at(3800)) == .new, "what came before is forgotten")
        #expect(memory.insert(proof("a", dated: 0), now: at(0)) == .new)
        #expect(memory.insert(proof("a", dated: 0), now: at(1)) == .replayed)
        let narrow = ProofReplayCache(capacity: 1)
        #expect(narrow.insert(proof("ahead", dated: 3600), now: at(3600)) == .new)
        #expect(narrow.insert(proof("later", dated: 3620), now: at(3620)) == .new, "in the place of the one before")
        #expect(narrow.insert(proof("a", dated: 0), now: at(0)) == .new)
        #expect(narrow.insert(proof("a", dated: 0), now: at(1)) == .replayed)
    }

    @Test("What is forgotten to make room refuses its own second, and not the next")
    func forgottenSecond() {
        let memory = ProofReplayCache(capacity: 3)
        for name in ["a", "b"] { #expect(memory.insert(proof(name, dated: -100), now: at(0)) == .new) }
        for name in ["c", "d"] { #expect(memory.insert(proof(name, dated: 0), now: at(0)) == .new) }
        #expect(memory.insert(proof("e", dated: -100), now: at(0)) == .outOfTime)
        #expect(memory.insert(proof("e", dated: -99), now: at(0)) == .new)
    }

    @Test("A quarter of the places is for proofs dated ahead by more than five seconds; five are not ahead")
    func ahead() {
        let memory = ProofReplayCache(capacity: 8)
        for name in ["a", "b", "c"] { #expect(memory.insert(proof(name, dated: 5), now: at(0)) == .new) }
        for name in ["d", "e"] { #expect(memory.insert(proof(name, dated: 6), now: at(0)) == .new) }
        #expect(memory.insert(proof("f", dated: 6), now: at(0)) == .outOfTime)
        #expect(memory.insert(proof("f", dated: 5), now: at(0)) == .new)
    }

    @Test("However few the places are, one is for a proof dated ahead, and what may still be fresh is not forgotten")
    func narrow() {
        let memory = ProofReplayCache(capacity: 3)
        #expect(memory.insert(proof("a", dated: 120), now: at(0)) == .new)
        #expect(memory.insert(proof("b", dated: 120), now: at(0)) == .outOfTime)
        for name in ["b", "c"] { #expect(memory.insert(proof(name, dated: 0), now: at(0)) == .new) }
        #expect(memory.insert(proof("d", dated: 0), now: at(0)) == .full)
        #expect(memory.insert(proof("a", dated: 120), now: at(0)) == .replayed)
    }

    @Test("A proof takes the place of the second before it, and never that of its own")
    func ownSecond() {
        let memory = ProofReplayCache(capacity: 1)
        #expect(memory.insert(proof("a", dated: -100), now: at(0)) == .new)
        #expect(memory.insert(proof("b", dated: -99), now: at(0)) == .new)
        #expect(memory.insert(proof("c", dated: -99), now: at(0)) == .outOfTime)
        #expect(memory.insert(proof("c", dated: -98), now: at(0)) == .new)
    }

    @Test("What a clock that ran ahead has filled the memory with keeps nobody out once the clock is right")
    func fullOfTheFuture() {
        let memory = ProofReplayCache(capacity: 4)
        for name in ["a", "b", "c", "d"] { #expect(memory.insert(proof(name, dated: 3600), now: at(3600)) == .new) }
        for name in ["e", "f", "g", "h"] {
            #expect(memory.insert(proof(name, dated: 0), now: at(0)) == .new)
            #expect(memory.insert(proof(name, dated: 0), now: at(0)) == .replayed)
        }
        #expect(memory.insert(proof("i", dated: 0), now: at(0)) == .full)
    }

    @Test("Two keys may choose one name, and only more proofs in seconds than there is memory for are turned away")
    func names() {
        let memory = ProofReplayCache(capacity: 3)
        var other = proof("a", dated: 0)
        other.key = SoftwareDeviceSigner().publicKey
        #expect(memory.insert(proof("a", dated: 0), now: at(0)) == .new)
        #expect(memory.insert(other, now: at(0)) == .new)
        #expect(memory.insert(proof("b", dated: 0), now: at(0)) == .new)
        #expect(memory.insert(proof("c", dated: 0), now: at(0)) == .full)
        #expect(memory.insert(proof("c", dated: 15), now: at(15)) == .full)
        #expect(memory.insert(proof("c", dated: 16), now: at(16)) == .new)
    }
}
