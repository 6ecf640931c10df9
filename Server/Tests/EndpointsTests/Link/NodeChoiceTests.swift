import Testing

@testable import Link

@Suite("Which node of an authority is asked")
struct NodeChoiceTests {
    private let keys = (1...3000).map { UInt64($0) }
    private let names = ["a.internal:8083", "b.internal:8083", "c.internal:8083"]

    private func seconds(_ count: Double) -> Duration { .seconds(count) }

    @Test("a subscription's calls go to one node, and subscriptions are spread over all")
    func spread() {
        let choice = NodeChoice(names)
        let shares = Dictionary(grouping: keys) { choice.next(for: $0)! }.mapValues(\.count)
        #expect(shares.keys.sorted() == [0, 1, 2])
        #expect(shares.values.allSatisfy { (800...1200).contains($0) }, "\(shares)")
        #expect(keys.allSatisfy { choice.next(for: $0) == choice.next(for: $0) })
    }

    @Test("gateways with the same nodes in another order choose the same node")
    func order() {
        let (one, other) = (NodeChoice(names), NodeChoice(names.reversed()))
        #expect(keys.allSatisfy { names[one.next(for: $0)!] == names.reversed()[other.next(for: $0)!] })
    }

    @Test("when a node fails only its own share moves, and it comes back when the node does")
    func moves() {
        var choice = NodeChoice(names)
        let before = keys.map { choice.next(for: $0)! }
        choice.failed(1, asked: seconds(0), at: seconds(1))
        let during = keys.map { choice.next(for: $0)! }
        #expect(!during.contains(1))
        #expect(zip(before, during).allSatisfy { $0 == 1 || $0 == $1 })
        #expect(Set(zip(before, during).filter { $0.0 == 1 }.map(\.1)) == [0, 2])
        choice.answered(1, at: seconds(2))
        #expect(keys.map { choice.next(for: $0)! } == before)
    }

    @Test("a node that failed is left alone, longer each time, up to sixteen seconds, and is due when that is over")
    func pauses() {
        var choice = NodeChoice(names)
        var now = seconds(100)
        for pause in [1, 2, 4, 8, 16, 16, 16] as [Double] {
            choice.failed(0, asked: now, at: now)
            #expect(choice.isLeftAlone(0))
            #expect(choice.due(at: now + seconds(pause) - .milliseconds(1)) == [])
            now += seconds(pause)
            #expect(choice.due(at: now) == [0])
        }
        choice.answered(0, at: now)
        #expect(!choice.isLeftAlone(0) && choice.due(at: now + seconds(100)) == [])
        choice.failed(0, asked: now + seconds(1), at: now + seconds(1))
        #expect(choice.due(at: now + seconds(2)) == [0], "after an answer the first pause is short again")
    }

    @Test("many calls that fail together are one failure")
    func together() {
        var choice = NodeChoice(names)
        for index in 0..<200 { choice.failed(0, asked: .milliseconds(index), at: seconds(2)) }
        #expect(choice.due(at: seconds(3)) == [0])
    }

    @Test("a call that fails says nothing about a node that has answered others since it was sent")
    func answersOthers() {
        var choice = NodeChoice(names)
        choice.answered(0, at: seconds(10))
        choice.failed(0, asked: seconds(9), at: seconds(11))
        #expect(!choice.isLeftAlone(0))
        choice.failed(0, asked: seconds(11), at: seconds(13))
        #expect(choice.isLeftAlone(0))
    }

    @Test("where nobody answers a call asks one node, the one whose pause ends first, and never a second")
    func nobody() {
        var choice = NodeChoice(names)
        for (node, moment) in [(2, 1.0), (0, 2.0), (1, 3.0)] {
            choice.failed(node, asked: seconds(moment), at: seconds(moment))
        }
        #expect(keys.allSatisfy { choice.next(for: $0) == 2 })
        #expect(choice.next(for: 1, after: [2]) == nil)
        choice.failed(2, asked: seconds(4), at: seconds(4))
        #expect(choice.next(for: 1) == 0)
    }

    @Test("a call goes to each node that answers once, and to none that is left alone as long as one does")
    func once() {
        var choice = NodeChoice(names)
        choice.failed(0, asked: .zero, at: .zero)
        for key in keys {
            let first = choice.next(for: key)!
            let second = choice.next(for: key, after: [first])!
            #expect(Set([first, second]) == [1, 2])
            #expect(choice.next(for: key, after: [first, second]) == nil)
        }
    }

    @Test("the only node is always asked")
    func single() {
        var choice = NodeChoice(["a:1"])
        for moment in 1...5 { choice.failed(0, asked: seconds(Double(moment)), at: seconds(Double(moment))) }
        #expect(choice.next(for: 7) == 0)
        #expect(choice.next(for: 7, after: [0]) == nil)
    }
}
