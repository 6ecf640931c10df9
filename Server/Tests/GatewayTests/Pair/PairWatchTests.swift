import Sightings
import Testing

@testable import Gateway

/// When a gateway takes the other one of its pair for dead.
struct PairWatchTests {
    private let alive = PairStanding(owner: "gateway-1", fence: 3, sequence: 10)

    /// Looks at the pair's standing each second from `begin` to `end`.
    private func watch(
        _ watch: inout PairWatch, from begin: Int64, to end: Int64, _ standing: (Int64) -> PairStanding?
    ) {
        for second in begin...end {
            if let standing = standing(second) {
                watch.saw(standing, at: .seconds(second))
            } else {
                watch.lost()
            }
        }
    }

    @Test("an owner that writes nothing for six seconds in which it could be read is taken for dead, and not before")
    func silence() {
        var watched = PairWatch()
        watch(&watched, from: 0, to: 5) { _ in alive }
        #expect(watched.claimable(at: .seconds(5)) == nil)
        watch(&watched, from: 6, to: 6) { _ in alive }
        #expect(watched.claimable(at: .seconds(6)) == alive)
    }

    @Test("whatever an owner writes is a sign of life")
    func writing() {
        var watched = PairWatch()
        watch(&watched, from: 0, to: 60) { second in
            PairStanding(owner: "gateway-1", fence: 3, sequence: 10 + second / 5)
        }
        #expect(watched.claimable(at: .seconds(60)) == nil)
        #expect(watched.aliveAt == .seconds(59))
    }

    @Test("time in which the record could not be read does not count: its owner may not have been able to write either")
    func outage() {
        var watched = PairWatch()
        watch(&watched, from: 0, to: 3) { _ in alive }
        watch(&watched, from: 4, to: 30) { _ in nil }
        #expect(watched.claimable(at: .seconds(30)) == nil)
        watch(&watched, from: 31, to: 36) { _ in alive }
        #expect(watched.claimable(at: .seconds(36)) == nil)
        watch(&watched, from: 37, to: 37) { _ in alive }
        #expect(watched.claimable(at: .seconds(37)) == alive)
    }

    @Test("time in which this gateway itself was stopped does not count")
    func stopped() {
        var watched = PairWatch()
        watch(&watched, from: 0, to: 3) { _ in alive }
        watch(&watched, from: 60, to: 60) { _ in alive }
        #expect(watched.claimable(at: .seconds(60)) == nil)
    }

    @Test("a pair that was given back, or never owned, may be taken over at once")
    func givenBack() {
        var watched = PairWatch()
        watched.saw(PairStanding(), at: .seconds(1))
        #expect(watched.claimable(at: .seconds(1)) == PairStanding())
        watched.saw(alive, at: .seconds(2))
        #expect(watched.claimable(at: .seconds(2)) == nil)
        var later = alive
        later.sequence += 1
        watched.saw(later, at: .seconds(3))
        var free = later
        free.owner = nil
        free.sequence += 1
        watched.saw(free, at: .seconds(5))
        #expect(watched.claimable(at: .seconds(5)) == free)
        #expect(watched.aliveAt == .seconds(2), "to give a pair back is no sign that anybody listened until then")
    }

    @Test("to take over is no sign that anybody listened, before the new owner has recorded something")
    func claimed() {
        var watched = PairWatch()
        watch(&watched, from: 0, to: 3) { second in PairStanding(owner: "gateway-1", fence: 3, sequence: 10 + second) }
        #expect(watched.aliveAt == .seconds(2))
        watched.saw(PairStanding(owner: "gateway-2", fence: 4, sequence: 14), at: .seconds(4))
        #expect(watched.aliveAt == nil)
        watched.saw(PairStanding(owner: "gateway-2", fence: 4, sequence: 15), at: .seconds(5))
        #expect(watched.aliveAt == .seconds(4))
    }

    @Test("nobody has seen an owner alive whose record stands still since the first look")
    func neverSeenAlive() {
        var watched = PairWatch()
        watch(&watched, from: 0, to: 6) { _ in alive }
        #expect(watched.aliveAt == nil)
    }
}
