@_spi(Server) import BenjiProtocol
import RADIUS
import Sightings
import Testing

@testable import Gateway

/// Whom an event speaks against, and why it makes no phone known.
struct DirectorySayingTests {
    private static let start = DirectoryAlone.start

    // MARK: Suspicions

    /// An event, its session, and the sessions that it speaks against.
    private struct Saying {
        var kind: AccountingEvent.Kind = .start
        var session = "new"
        var endsSession = true
        var time: UInt32 = 15
        var isTimed = true
        var address: String?
        var prefix: String?
        var ports: ClosedRange<UInt16>?
        var against: [String] = []
    }

    @Test("an event speaks against who may lose what it names, and against its own session if it ends or changes it")
    func sayings() throws {
        let sayings = [
            Saying(address: "10.0.0.1", against: ["a"]), Saying(address: "10.0.0.9"),
            Saying(prefix: "2001:db8:1:1::/64", against: ["a"]), Saying(prefix: "2001:db8:1::/63"),
            Saying(ports: 1535...1600, against: ["a"]), Saying(ports: 1536...1600),
            Saying(address: "10.0.0.2", ports: 1000...1024, against: ["a", "b"]),
            // In the second of its last packet another may have followed; before it, none.
            Saying(time: 10, address: "10.0.0.1", against: ["a"]), Saying(time: 9, address: "10.0.0.1"),
            Saying(time: 9, isTimed: false, address: "10.0.0.1", against: ["a"]),
            Saying(kind: .stop, session: "a", endsSession: false), Saying(kind: .stop, session: "a", against: ["a"]),
            Saying(kind: .stop, session: "a", time: 10, against: ["a"]),
            Saying(kind: .stop, session: "a", time: 9),
            Saying(kind: .stop, session: "a", time: 9, isTimed: false, against: ["a"]),
            Saying(kind: .start, session: "a", time: 15, address: "10.0.0.1", against: ["a"]),
            Saying(kind: .interim, session: "a", address: "10.0.0.1"),
            Saying(kind: .interim, session: "a", address: "10.0.0.9", against: ["a"]),
            Saying(kind: .interim, session: "a", address: "10.0.0.2", against: ["a", "b"]),
            Saying(kind: .interim, session: "a", isTimed: false, address: "10.0.0.1"),
            Saying(kind: .interim, session: "a", isTimed: false, address: "10.0.0.9", against: ["a"]),
            Saying(kind: .reset),
        ]
        for (place, saying) in sayings.enumerated() {
            var alone = DirectoryAlone()
            alone.now = 20
            var first = alone.event(.start, "a", at: 10, address: "10.0.0.1", prefix: "2001:db8:1:1::/64")
            let site = InternetAddress("203.0.113.1")!
            first.blocks = [PortBlock(address: site, ports: DirectoryAlone.ports)]
            alone.apply(first, person: 1)
            alone.apply(alone.event(.start, "b", at: 10, address: "10.0.0.2"), person: 2)
            var event = alone.event(
                saying.kind, saying.session, at: saying.time, address: saying.address, prefix: saying.prefix)
            event.isTimed = saying.isTimed
            event.endsSession = saying.kind == .stop && saying.endsSession
            event.blocks = saying.ports.map { [PortBlock(address: site, ports: $0)] } ?? []
            let against = saying.against.compactMap { alone.session($0)?.key }
            let suspended = alone.directory.suspendHolders(before: event)
            let again = alone.directory.suspendHolders(before: event)
            #expect(suspended == against && again.isEmpty, "\(place)")
            for name in ["a", "b"] {
                let flags = alone.session(name)?.flags
                #expect(flags?.contains(.suspended) == saying.against.contains(name), "\(place)")
            }
            alone.directory.resume(suspended)
            #expect(alone.session("a")?.flags.isEmpty == true && alone.session("b")?.flags.isEmpty == true)
            guard saying.kind != .reset else { continue }
            // Not taken, it leaves a doubt until something newer is heard, and the journal is told once.
            let now = Timestamp(seconds: Int64(Self.start + alone.now))
            let changes = alone.directory.doubt(because: event, at: now)
            let states = alone.states
            #expect(changes == against.compactMap { key in states[key].map(DirectoryChange.put) }, "\(place)")
            let repeated = alone.directory.doubt(because: event, at: now)
            #expect(repeated.isEmpty)
            for name in saying.against {
                let doubtedAt = Self.start + (saying.isTimed ? saying.time : 20)
                #expect(alone.session(name)?.doubtedAt == doubtedAt, "\(place)")
            }
        }
    }

    @Test("a refused packet puts a block in doubt whose session was heard of later, and the journal is told once")
    func blockOfLater() {
        var alone = DirectoryAlone()
        alone.now = 60
        var (first, event) = (
            alone.event(.start, "a", at: 10, address: "10.0.0.1"), alone.event(.start, "b", at: 40, address: "10.0.0.2")
        )
        first.blocks = [PortBlock(address: InternetAddress("203.0.113.1")!, ports: DirectoryAlone.ports)]
        event.blocks = first.blocks
        alone.apply(first, person: 1)
        alone.apply(alone.event(.interim, "a", at: 50, address: "10.0.0.1"), person: 1)
        let now = Timestamp(seconds: Int64(Self.start + alone.now))
        let changes = alone.directory.doubt(because: event, at: now)
        #expect(changes == [.put(alone.directory.state(of: 0))])
        #expect(alone.directory.state(of: 0).blocks.map(\.time) == [0])
        let repeated = alone.directory.doubt(because: event, at: now)
        #expect(repeated.isEmpty)
    }

    @Test("a refused restart of a NAS is told to the journal once")
    func refusedReset() throws {
        var alone = DirectoryAlone()
        alone.now = 20
        alone.apply(alone.event(.start, "a", at: 10, address: "10.0.0.1"), person: 1)
        let now = Timestamp(seconds: Int64(Self.start + alone.now))
        let reset = alone.event(.reset, "", at: 20)
        let changes = alone.directory.doubt(because: reset, at: now)
        #expect(changes == [.named(scope: reset.scope, restartedAt: Self.start + 20)])
        let repeated = alone.directory.doubt(because: reset, at: now)
        #expect(repeated.isEmpty)
    }

    @Test("an update under another name is a known session's if the session has the address, prefix and subscriber")
    func knownUnderAnotherName() throws {
        var alone = DirectoryAlone()
        alone.apply(
            alone.event(.start, "a", address: "10.0.0.1", prefix: "2001:db8:1::/64"), person: 1)
        let session = try #require(alone.session("a"))
        func hasAll(address: String? = nil, prefix: String? = nil, calling: String? = nil) -> Bool {
            var event = alone.event(.interim, "a", address: address, prefix: prefix)
            event.calling = calling
            return alone.directory.hasAll(of: event, session)
        }
        #expect(hasAll())
        #expect(hasAll(address: "10.0.0.1") && !hasAll(address: "10.0.0.2"))
        #expect(hasAll(prefix: "2001:db8:1::/64") && !hasAll(prefix: "2001:db8:1:2::/64"))
        #expect(!hasAll(prefix: "2001:db8:1::/63"))
        #expect(hasAll(calling: "8613800000011") && !hasAll(calling: "8613800000012"))
    }

    // MARK: Faults

    @Test("why a session makes no phone known, and whether it makes one known, is told of its event")
    func faults() {
        var alone = DirectoryAlone()
        alone.apply(alone.event(.start, "known", address: "10.0.0.1"), person: 1)
        alone.apply(alone.event(.start, "nobody", address: "10.0.0.2"), .nobody)
        let one = Directory.Identified.subscriber(
            SubscriptionReference(subscription: 1, epoch: 1, simGeneration: 1), identity: 1)
        let block = PortBlock(address: InternetAddress("203.0.113.1")!, ports: DirectoryAlone.ports)
        let back = PortBlock(address: InternetAddress("203.0.113.1")!, ports: DirectoryAlone.ports, isAllocated: false)
        func event(
            _ kind: AccountingEvent.Kind, _ session: String, _ address: String? = nil, prefix: String? = nil,
            calling: String? = nil, inside: String? = nil, _ blocks: [PortBlock] = []
        ) -> AccountingEvent {
            var event = alone.event(kind, session, address: address, prefix: prefix)
            (event.calling, event.blocks) = (calling, blocks)
            event.internalAddress = inside.map { InternetAddress($0)! }
            return event
        }
        let number = "8613800000011"
        let cases: [(AccountingEvent, FeedFault?, makes: Bool, again: Bool)] = [
            (event(.start, "known", calling: number), .noAddress, true, false),
            (event(.start, "new", "10.0.0.9"), .noNumber, false, false),
            (event(.start, "new", prefix: "2001:db8:1:1::/64"), .noNumber, false, false),
            (event(.start, "new", "10.0.0.9", calling: number), nil, false, false),
            (event(.start, "new", prefix: "2001:db8:1:1::/64", calling: number), nil, false, false),
            (event(.interim, "known"), nil, true, false),
            (event(.interim, "new"), .noAddress, false, false),
            (event(.interim, "nobody", "10.0.0.2"), nil, true, true),
            (event(.start, "nobody", "10.0.0.2"), .noNumber, true, false),
            (event(.stop, "new"), nil, false, false),
            (event(.reset, ""), nil, false, false),
            (event(.start, "nat", inside: "10.0.0.1", [block]), nil, true, false),
            (event(.interim, "nat", inside: "10.0.0.1", [block]), nil, true, false),
            (event(.stop, "nat", inside: "10.0.0.1", [block]), nil, false, false),
            (event(.start, "nat", inside: "10.0.0.1", [back]), nil, false, false),
            (event(.start, "nat", inside: "10.0.0.2", [block]), nil, false, false),
            (event(.start, "nat", inside: "10.0.0.9", [block]), .noSession, false, false),
            (event(.interim, "nat", inside: "10.0.0.9", [block]), .noSession, false, false),
            (event(.stop, "nat", inside: "10.0.0.9", [block]), nil, false, false),
            (event(.start, "nat", inside: "10.0.0.9", [back]), nil, false, false),
        ]
        for (place, (event, fault, makes, again)) in cases.enumerated() {
            #expect(alone.directory.fault(of: event) == fault, "\(place)")
            #expect(alone.directory.makesPhoneKnown(event, one) == makes, "\(place)")
            #expect(alone.directory.isRefusedAgain(event) == again, "\(place)")
            if !event.isReportOfNAT { #expect(!alone.directory.makesPhoneKnown(event, .nobody), "\(place)") }
        }
    }

    @Test("sessions are counted by NAS, with those that one and a half intervals have not confirmed")
    func confirmations() {
        var nat = Network.server
        (nat.name, nat.sources) = ("nat", [IPPrefix("192.0.2.2")!])
        var alone = DirectoryAlone([Network.server, nat])
        alone.apply(alone.event(.start, "a", address: "10.0.0.1"), person: 1)
        alone.apply(alone.event(.start, "b", address: "10.0.0.2"), person: 2)
        alone.apply(alone.event(.start, "c", address: "10.0.0.3", name: "pgw-2"), person: 3)
        alone.apply(alone.event(.reset, "", name: "pgw-2"))
        for (seconds, range, count, unconfirmed) in [
            (900, 0..<9, 2, 0), (901, 0..<9, 2, 2), (901, 1..<2, 1, 1), (901, 2..<9, 0, 0),
        ] as [(UInt32, Range<Int>, Int, Int)] {
            var confirmations = [FeedConfirmation(), FeedConfirmation()]
            alone.directory.count(range, at: Self.start + seconds, into: &confirmations)
            #expect(confirmations[0].sessions == count && confirmations[0].unconfirmed == unconfirmed)
            #expect(confirmations[1].sessions == 0)
        }
        for (nas, seconds, sessions, isSilent) in [(0, 900, 3, false), (0, 901, 3, true), (1, 901, 0, false)]
            as [(Int, UInt32, Int, Bool)]
        {
            let state = alone.directory.state(of: nas, at: Self.start + seconds)
            #expect(state.sessions == sessions && state.isSilent == isSilent)
        }
    }
}
