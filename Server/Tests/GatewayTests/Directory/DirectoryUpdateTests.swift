@_spi(Server) import BenjiProtocol
import RADIUS
import Sightings
import Testing

@testable import Gateway

/// Changes to a session by updates, the register and further bearers.
struct DirectoryUpdateTests {
    private static let start = DirectoryAlone.start

    // MARK: Updates

    @Test("an update says who has the session now: each answer of the register has its own meaning")
    func described() throws {
        let known = SubscriptionReference(subscription: 1, epoch: 1, simGeneration: 1)
        let newSIM = SubscriptionReference(subscription: 1, epoch: 1, simGeneration: 2)
        let newOwner = SubscriptionReference(subscription: 1, epoch: 2, simGeneration: 1)
        let other = SubscriptionReference(subscription: 2, epoch: 1, simGeneration: 1)
        let identity: UInt32 = 5 << 12
        // Whether the subscriber changes, whether earned credentials are revoked, the flag, and the identity.
        let answers: [(Directory.Identified, SubscriptionReference, Bool, Bool, Bool, UInt32)] = [
            (.unchanged, known, false, false, false, identity),
            (.subscriber(known, identity: identity), known, false, false, false, identity),
            (.subscriber(known, identity: identity | 7), known, false, false, false, identity | 7),
            (.subscriber(newSIM, identity: identity), newSIM, true, false, false, identity),
            (.subscriber(newOwner, identity: identity), newOwner, true, true, false, identity),
            (.subscriber(other, identity: 6 << 12), other, true, true, false, 6 << 12),
            (.nobody, known, true, true, true, 0),
            (.unusable(identity: 77), known, true, true, true, 77),
        ]
        for (answer, reference, changes, revokes, isUnsupported, identityAfter) in answers {
            var alone = DirectoryAlone()
            alone.apply(
                alone.event(.start, "a", address: "10.0.0.1"), .subscriber(known, identity: identity))
            let before = try #require(alone.session("a"))
            alone.now = 10
            let outcome = alone.apply(alone.event(.interim, "a", address: "10.0.0.1"), answer)
            let after = try #require(alone.session("a"))
            #expect(after.reference == reference, "\(answer)")
            #expect((after.binding != before.binding) == changes, "\(answer)")
            #expect(outcome.revoked == (revokes ? [BindingID(rawValue: before.binding)] : []), "\(answer)")
            #expect(after.flags.contains(.unsupported) == isUnsupported, "\(answer)")
            #expect(after.identity == identityAfter, "\(answer)")
            #expect(after.heardAt == Self.start + 10 && after.startedAt == Self.start)
            #expect(outcome.changes == [.put(alone.directory.state(of: 0))])
            // The state before the session lost its subscriber does not count when it has one again.
            guard isUnsupported else { continue }
            alone.now = 20
            let again = alone.apply(alone.event(.interim, "a"), .subscriber(known, identity: identity))
            let last = try #require(alone.session("a"))
            #expect(last.flags.isEmpty && last.identity == identity && last.binding != after.binding)
            #expect(again.revoked == [BindingID(rawValue: after.binding)])
        }
    }

    @Test("an update says whether the phone roams, and one that does not tell changes nothing")
    func roaming() {
        var alone = DirectoryAlone()
        var event = alone.event(.start, "a", address: "10.0.0.1")
        for (told, isRoaming) in [(true, true), (nil, true), (false, false), (nil, false)] as [(Bool?, Bool)] {
            event.isRoaming = told
            alone.apply(event, person: 1)
            #expect(alone.session("a")?.flags.contains(.roaming) == isRoaming)
            alone.now += 1
            event = alone.event(.interim, "a")
        }
    }

    @Test("an update of before changes nothing, and a late Start only tells that the session began earlier")
    func late() throws {
        var alone = DirectoryAlone()
        alone.now = 30
        alone.apply(alone.event(.reset, "", at: 3))
        alone.apply(alone.event(.interim, "a", at: 20, address: "10.0.0.1"), person: 1)
        let before = try #require(alone.session("a"))
        // Not before the restart of its NAS, and not later than it began.
        for (kind, time) in [(.interim, 19), (.start, 3), (.start, 20)] as [(AccountingEvent.Kind, UInt32)] {
            let ignored = alone.apply(alone.event(kind, "a", at: time, address: "10.0.0.1"), person: 1)
            #expect(ignored.changes.isEmpty && alone.session("a") == before, "\(time)")
        }
        let outcome = alone.apply(alone.event(.start, "a", at: 4, address: "10.0.0.1"), person: 1)
        #expect(outcome.changes == [.put(alone.directory.state(of: 0))] && outcome.revoked.isEmpty)
        var expected = before
        expected.startedAt = Self.start + 4
        #expect(alone.session("a") == expected)
        // A newer Start is another session under the same name.
        let again = alone.apply(alone.event(.start, "a", at: 21, address: "10.0.0.1"), person: 2)
        #expect(again.revoked == [BindingID(rawValue: before.binding)])
        #expect(alone.session("a")?.startedAt == Self.start + 21 && alone.holder() == .success(2))
    }

    @Test("an older packet of a session that came too late for its address names nobody")
    func older() {
        let places =
            [
                (address: "10.0.0.1", prefix: nil, of: "10.0.0.1"),
                (address: nil, prefix: "2001:db8:1::/64", of: "2001:db8:1::1"),
            ] as [(address: String?, prefix: String?, of: String)]
        for place in places {
            var alone = DirectoryAlone()
            alone.now = 30
            for (name, time, person) in [("a", 20, 1), ("b", 15, 2)] as [(String, UInt32, Int64)] {
                let event = alone.event(.start, name, at: time, address: place.address, prefix: place.prefix)
                alone.apply(event, person: person)
            }
            alone.apply(alone.event(.start, "b", at: 14, address: "10.0.0.2"), person: 2)
            #expect(alone.holder(place.of) == .success(1) && alone.holder("10.0.0.2") == .failure(.unknownAddress))
            alone.apply(alone.event(.start, "b", at: 15, address: "10.0.0.2"), person: 2)
            #expect(alone.holder("10.0.0.2") == .success(2))
        }
        // A packet that names no address does not end an older claim of its session.
        var alone = DirectoryAlone()
        alone.now = 30
        alone.apply(alone.event(.interim, "b", at: 15), person: 2)
        alone.apply(alone.event(.start, "b", at: 14, address: "10.0.0.2"), person: 2)
        #expect(alone.holder("10.0.0.2") == .success(2))
    }

    @Test("after a restart of the gateway a late Start may be of another session, a late update is not")
    func forgotten() throws {
        for kind in [AccountingEvent.Kind.interim, .start] {
            var before = DirectoryAlone()
            before.now = 30
            before.apply(before.event(.start, "a", at: 10, address: "10.0.0.1"), person: 1)
            before.apply(before.event(.interim, "a", at: 25, address: "10.0.0.1"), person: 1)
            var alone = DirectoryAlone()
            alone.now = 30
            for state in before.states.values { alone.directory.restore(.put(state), now: Self.start + 30) }
            #expect(alone.session("a")?.identity == 0)
            let late = alone.apply(alone.event(kind, "a", at: 20, address: "10.0.0.1"), person: 1)
            #expect(late.revoked.isEmpty == (kind == .interim) && (alone.session("a") == nil) == (kind == .start))
        }
    }

    @Test(
        """
        a contested session is named again by a newer packet with its address, and not by one of the second of the doubt
        """
    )
    func contested() throws {
        var alone = DirectoryAlone()
        alone.now = 30
        alone.apply(alone.event(.start, "a", at: 10, address: "10.0.0.1"), person: 1)
        alone.apply(alone.event(.interim, "a", at: 20), person: 1)
        alone.apply(alone.event(.interim, "b", at: 15, address: "10.0.0.1"), person: 2)
        #expect(alone.holder() == .failure(.ambiguousAddress))
        alone.apply(alone.event(.interim, "a", at: 20), person: 3)
        #expect(alone.holder() == .failure(.ambiguousAddress) && alone.session("a")?.subscription == 1)
        alone.apply(alone.event(.interim, "a", at: 21), person: 3)
        #expect(alone.holder() == .failure(.unknownAddress), "another subscriber's, and it names no address")
        alone.apply(alone.event(.interim, "a", at: 22, address: "10.0.0.1"), person: 3)
        #expect(alone.holder() == .success(3))
    }

    @Test("a session that moves has another binding, and what it earned before is revoked if that is known late")
    func moved() throws {
        for (address, prefix) in [("10.0.0.2", nil), (nil, "2001:db8:1:2::/64"), (nil, "2001:db8:1::/63")]
            as [(String?, String?)]
        {
            for (time, isLate) in [(20, false), (19, true)] as [(UInt32, Bool)] {
                var alone = DirectoryAlone()
                alone.now = 30
                alone.apply(
                    alone.event(.start, "a", at: 10, address: "10.0.0.1", prefix: "2001:db8:1::/64"), person: 1)
                let before = try #require(alone.session("a"))
                let outcome = alone.apply(
                    alone.event(.interim, "a", at: time, address: address, prefix: prefix), person: 1)
                let after = try #require(alone.session("a"))
                #expect(after.binding != before.binding)
                #expect(outcome.revoked == (isLate ? [BindingID(rawValue: before.binding)] : []))
                #expect((after.address == before.address) == (address == nil))
                let hasPrefix = after.prefix == before.prefix && after.prefixLength == before.prefixLength
                #expect(hasPrefix == (prefix == nil))
                #expect(outcome.changes.last == .put(alone.directory.state(of: 0)))
            }
        }
    }

    @Test("the other gateway of a pair is told what it has to know, and a mere sign of life is told apart")
    func renewal() throws {
        struct Case {
            var before: (inout DirectoryAlone) -> Void = { _ in }
            var person: Int64? = 1
            var change: (inout AccountingEvent) -> Void = { _ in }
            var isRenewal = false
        }
        let block = PortBlock(address: InternetAddress("203.0.113.1")!, ports: DirectoryAlone.ports)
        let cases = [
            Case(isRenewal: true), Case(person: nil, isRenewal: true), Case(person: 2),
            Case(change: { $0.address = InternetAddress("10.0.0.2") }), Case(change: { $0.isRoaming = true }),
            Case(change: { $0.blocks = [block] }),
            Case(before: { $0.directory.sessions[0].doubtedAt = Self.start + 5 }),
        ]
        for (place, each) in cases.enumerated() {
            for isPaired in [true, false] {
                var alone = DirectoryAlone { $0.isPaired = isPaired }
                alone.apply(alone.event(.start, "a", address: "10.0.0.1"), person: 1)
                alone.now = 10
                each.before(&alone)
                var event = alone.event(.interim, "a")
                each.change(&event)
                let outcome = alone.apply(event, person: each.person)
                #expect(outcome.changes.last?.isRenewal == (isPaired && each.isRenewal), "\(place)")
            }
        }
    }

    // MARK: The register

    @Test("the register is asked about a Start, about news of a session, and about a session's new day")
    func needsRegister() throws {
        var alone = DirectoryAlone()
        alone.apply(alone.event(.start, "a", address: "10.0.0.1"), person: 1)
        func asks(
            _ alone: DirectoryAlone, _ kind: AccountingEvent.Kind, _ session: String = "a", at time: UInt32 = 0,
            calling: String? = "8613800000011"
        ) -> [Bool] {
            var event = alone.event(kind, session, at: time)
            event.calling = calling
            return [alone.directory.needsRegister(event), alone.directory.startsSession(event)]
        }
        #expect(asks(alone, .start) == [true, true])
        #expect(asks(alone, .start, calling: nil) == [false, true])
        #expect(asks(alone, .interim) == [false, false])
        #expect(asks(alone, .interim, "b") == [true, true])
        #expect(asks(alone, .interim, calling: "8613800000012") == [true, true])
        #expect(asks(alone, .stop) == [false, true])
        #expect(asks(alone, .reset) == [false, true])
        // The day of a session begins where its name says, so that not all begin at once.
        let hash = try #require(alone.session("a")).key.hash
        let begins = UInt32(86_400 - (UInt64(Self.start) + hash % 86_400) % 86_400)
        #expect(hash % 86_400 > 43_200 && begins > 43_200, "both halves of the day are told apart")
        #expect(asks(alone, .interim, at: begins - 1) == [false, false])
        #expect(asks(alone, .interim, at: begins) == [true, false])
        var report = alone.event(.start, "nat")
        (report.internalAddress, report.calling) = (InternetAddress("10.0.0.1"), "8613800000011")
        #expect(!alone.directory.needsRegister(report))
        // A session may belong to another subscriber if its NAS has been restarted, or perhaps has been.
        var gone = alone
        gone.apply(gone.event(.reset, "", at: 0))
        #expect(asks(gone, .interim) == [true, true])
        alone.directory.mayHaveRestarted(0, at: Self.start)
        #expect(asks(alone, .interim) == [true, true])
        alone.apply(alone.event(.interim, "a", at: 1, address: "10.0.0.1"), person: 1)
        #expect(asks(alone, .interim, at: 1) == [false, false])
    }

    @Test("an identity tells numbers and SIMs apart, and an IMSI that is not told is no change")
    func identities() {
        var alone = DirectoryAlone()
        alone.apply(alone.event(.start, "a", address: "10.0.0.1"), person: 1)
        func identity(_ directory: Directory, _ calling: String, _ imsi: String?) -> UInt32 {
            var event = alone.event(.start, "a")
            (event.calling, event.imsi) = (calling, imsi)
            return directory.identity(of: event)
        }
        let numbers = (0..<50).map { identity(alone.directory, "86138000000\($0)", nil) }
        // Twenty bits: two of fifty are alike once in a thousand.
        #expect(Set(numbers).count > 45 && numbers.allSatisfy { $0 & 0xfff == 0 && $0 >> 12 > 0 })
        #expect(numbers.contains { $0 >> 12 & 1 == 1 }, "every bit of the part counts")
        for number in 1...8 {
            let cards = (0..<50).map { identity(alone.directory, "861380000000\(number)", "4600000000000\($0)") }
            #expect(Set(cards).count > 40 && Set(cards.map { $0 >> 12 }).count == 1)
            #expect(cards.allSatisfy { $0 & 0xfff > 0 } && cards.contains { $0 & 1 == 1 })
        }
        // An outsider cannot derive one process's identities from another's.
        let other = Directory(
            configuration: Network.configuration(), random: SeededRandom(seed: 6), now: Timestamp(seconds: 1))
        #expect((0..<50).contains { identity(other, "86138000000\($0)", nil) != numbers[$0] })
        let (known, told) = (UInt32(5 << 12 | 7), UInt32(5 << 12 | 7))
        #expect(Directory.isSame(known, told) && Directory.isSame(known, 5 << 12))
        #expect(!Directory.isSame(known, 5 << 12 | 6) && !Directory.isSame(known, 6 << 12 | 7))
        #expect(!Directory.isSame(known, 6 << 12) && !Directory.isSame(5 << 12, told))
    }

    @Test(
        "a session that goes on stays with the SIM that it began with, and is nobody's once the register knows another")
    func meaning() {
        var alone = DirectoryAlone()
        alone.apply(alone.event(.start, "a", address: "10.0.0.1"), person: 1)
        var event = alone.event(.interim, "a")
        event.calling = "8613800000011"
        let identity = alone.directory.identity(of: event)
        func answer(_ subscription: Int64, _ sim: Int32) -> Directory.Identified {
            .subscriber(
                SubscriptionReference(subscription: subscription, epoch: 1, simGeneration: sim), identity: identity)
        }
        let newer = answer(1, 2)
        #expect(alone.directory.meaning(of: answer(1, 1), for: event) == answer(1, 1))
        #expect(alone.directory.meaning(of: newer, for: event) == .nobody)
        #expect(alone.directory.meaning(of: .nobody, for: event) == .nobody)
        var begins = event
        begins.kind = .start
        #expect(alone.directory.meaning(of: newer, for: begins) == newer)
        event.calling = "8613800000012"
        #expect(alone.directory.meaning(of: newer, for: event) == newer)
        // The register names the subscriber of a session that had none.
        alone.now = 1
        alone.apply(alone.event(.interim, "a"), .unusable(identity: identity))
        event.calling = "8613800000011"
        #expect(alone.directory.meaning(of: newer, for: event) == newer)
    }

    @Test("a first prefix does not make a session younger: a restart of before it ends the session")
    func firstPrefix() {
        for (address, isThere) in [(nil, false), ("10.0.0.2", true)] as [(String?, Bool)] {
            var alone = DirectoryAlone()
            alone.now = 70
            alone.apply(alone.event(.start, "a", at: 10, address: "10.0.0.1"), person: 1)
            alone.apply(
                alone.event(.interim, "a", at: 60, address: address, prefix: "2001:db8:1:1::/64"), person: 1)
            alone.apply(alone.event(.reset, "", at: 30))
            #expect(alone.holder(address ?? "10.0.0.1") == (isThere ? .success(1) : .failure(.unknownAddress)))
        }
    }

    @Test("a session that becomes another subscriber's keeps no address that its packet does not name")
    func othersAddress() {
        for isRestored in [false, true] {
            var alone = DirectoryAlone()
            alone.now = 30
            alone.apply(alone.event(.start, "a", at: 10, address: "10.0.0.1"), person: 1)
            if isRestored { alone.directory.restore(.put(alone.directory.state(of: 0)), now: Self.start + 30) }
            alone.apply(alone.event(.interim, "a", at: 20, prefix: "2001:db8:1:1::/64"), person: 2)
            #expect(alone.holder() == .failure(.unknownAddress))
            #expect(alone.holder("2001:db8:1:1::9") == .success(2))
            alone.apply(alone.event(.interim, "a", at: 21, address: "10.0.0.1"), person: 3)
            #expect(alone.holder() == .success(3) && alone.holder("2001:db8:1:1::9") == .failure(.unknownAddress))
        }
    }

    // MARK: Bearers

    @Test("the register is asked about a bearer's id that another session uses")
    func registerOfBearer() {
        var alone = DirectoryAlone()
        alone.now = 30
        for (name, time) in [("first", 10), ("second", 20)] as [(String, UInt32)] {
            var event = alone.event(.start, name, at: time, address: "10.0.0.1")
            event.isMobile = true
            alone.apply(event, person: 1)
        }
        for (name, address, isAsked) in [
            ("second", "10.0.0.1", false), ("second", "10.0.0.2", true), ("first", "10.0.0.2", false),
        ] {
            var event = alone.event(.interim, name, address: address)
            (event.calling, event.isMobile) = ("8613800000011", true)
            #expect(alone.directory.needsRegister(event) == isAsked, "\(name) \(address)")
        }
    }

    @Test(
        "a packet begins one more bearer of a session only of the same person, SIM, address and NAS, and while it lives"
    )
    func bearers() throws {
        struct Case {
            let what: String
            var change: (inout AccountingEvent) -> Void = { _ in }
            var person: Int64 = 1
            var sim: Int32 = 1
            var joins = false
        }
        let cases = [
            Case(what: "the same", joins: true),
            Case(what: "the second of the first", change: { $0.time = Self.start + 10 }, joins: true),
            Case(what: "before the first", change: { $0.time = Self.start + 9 }, joins: true),
            Case(what: "an update", change: { $0.kind = .interim }, joins: true),
            Case(what: "no mobile NAS", change: { $0.isMobile = false }),
            Case(what: "another person", person: 2),
            Case(what: "another SIM", sim: 2),
            Case(what: "another address", change: { $0.address = InternetAddress("10.0.0.2") }),
            Case(what: "no address", change: { $0.address = nil }),
        ]
        for each in cases {
            var alone = DirectoryAlone()
            alone.now = 30
            var first = alone.event(.start, "first", at: 10, address: "10.0.0.1")
            first.isMobile = true
            alone.apply(first, person: 1)
            var second = alone.event(.start, "second", at: 20, address: "10.0.0.1")
            second.isMobile = true
            each.change(&second)
            let outcome = alone.apply(second, person: each.person, sim: each.sim)
            #expect((alone.session("second")?.key == first.key) == each.joins, "\(each.what)")
            guard each.joins else { continue }
            let session = try #require(alone.session("first"))
            #expect(session.startedAt == (second.kind == .start ? max(first.time, second.time) : first.time))
            #expect(session.heardAt == max(first.time, second.time))
            #expect(outcome.changes == [.put(alone.directory.state(of: 0))] && outcome.revoked.isEmpty)
            #expect(alone.directory.state(of: 0).aliases == [second.key])
        }
        // Another NAS behind the same proxy, and a session of before a restart.
        for (name, resetAt) in [("pgw-2", nil), ("pgw-1", 15)] as [(String, UInt32?)] {
            var alone = DirectoryAlone()
            alone.now = 30
            var first = alone.event(.start, "first", at: 10, address: "10.0.0.1")
            first.isMobile = true
            alone.apply(first, person: 1)
            if let resetAt { alone.apply(alone.event(.reset, "", at: resetAt)) }
            var second = alone.event(.start, "second", at: 20, address: "10.0.0.1", name: name)
            second.isMobile = true
            alone.apply(second, person: 1)
            #expect(alone.session("second", of: "pgw\nid:\(name)")?.key == second.key)
        }
    }

    @Test("a session has ten further bearers at most, each of which can go, and be the last")
    func manyBearers() throws {
        var alone = DirectoryAlone()
        func event(_ kind: AccountingEvent.Kind, _ session: String) -> AccountingEvent {
            var event = alone.event(kind, session, address: kind == .start ? "10.0.0.1" : nil)
            event.isMobile = true
            event.endsSession = false
            return event
        }
        for index in 0...10 {
            alone.now += 1
            alone.apply(event(.start, "\(index)"), person: 1)
        }
        let first = try #require(alone.session("0")).key
        #expect((1...10).allSatisfy { alone.session("\($0)")?.key == first })
        alone.now += 1
        let stop = event(.stop, "3")
        let outcome = alone.apply(stop)
        #expect(outcome.changes == [.removed(stop.key, at: stop.time), .put(alone.directory.state(of: 0))])
        #expect(alone.session("3") == nil && alone.directory.aliasesOf[0]?.count == 9)
        #expect(alone.directory.closed.endedSince(stop.time, stop.key))
        alone.now += 1
        alone.apply(event(.start, "11"), person: 1)
        #expect(alone.session("11")?.key == first)
        // The end of the session may be said of any of them, if nothing newer was heard.
        var late = event(.stop, "4")
        (late.endsSession, late.time) = (true, late.time - 1)
        alone.apply(late)
        #expect(alone.session("4")?.key == first, "it may be of another session that had the same id")
        var end = event(.stop, "5")
        end.endsSession = true
        let ended = alone.apply(end)
        #expect(alone.directory.sessions.count == 0)
        #expect(alone.directory.aliases.isEmpty && alone.directory.aliasesOf.isEmpty)
        #expect(ended.changes.contains(.removed(first, at: end.time)))
        #expect(ended.changes.contains(.removed(end.key, at: end.time)))
        // A session without a further bearer keeps no list of them.
        alone.now += 1
        for name in ["a", "b", "c"] { alone.apply(event(.start, name), person: 1) }
        for name in ["b", "c"] { alone.apply(event(.stop, name)) }
        #expect(alone.directory.aliasesOf.isEmpty && alone.session("a") != nil)
        // The eleventh is a session of its own.
        for index in 20...30 { alone.apply(event(.start, "\(index)"), person: 1) }
        #expect(alone.session("30")?.key == event(.start, "30").key && alone.session("a") == nil)
    }
}
