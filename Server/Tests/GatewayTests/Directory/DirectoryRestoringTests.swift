@_spi(Server) import BenjiProtocol
import RADIUS
import Testing

@testable import Gateway

/// The changes that a directory takes back from a journal, or from the other gateway of a pair.
struct DirectoryRestoringTests {
    private static let start = DirectoryAlone.start

    private static let servers: [NetworkAccessServer] = {
        var nat = Network.server
        (nat.name, nat.sources) = ("nat", [IPPrefix("192.0.2.2")!])
        return [Network.server, nat]
    }()

    /// A session in which no field is like another's, and none is what an empty one has.
    private static func state(_ number: UInt32 = 1) -> DirectoryChange.SessionState {
        .init(
            key: SessionKey(a: number << 8 | 1, b: 5, c: 7), scope: "pgw\nid:pgw-1", subscription: 11, epoch: 13,
            simGeneration: 17, binding: 19, address: 0x0a00_0000 | number,
            prefix: 0x2001_0db8_0000_0000 | UInt64(number) << 16, prefixLength: 56, startedAt: start - 30,
            heardAt: start - 20, flags: Session.Flags.roaming.rawValue,
            aliases: [SessionKey(a: number << 8 | 3, b: 9, c: 9)], blocks: [])
    }

    private static func restored(_ changes: [DirectoryChange]) -> DirectoryAlone {
        var alone = DirectoryAlone(servers)
        // Another scope is the first.
        alone.directory.restore(.named(scope: "nat\nid:nat-1", restartedAt: 0), now: start)
        for change in changes { alone.directory.restore(change, now: start) }
        return alone
    }

    @Test("a session is taken back whole, with its further bearers, and its blocks of ports and who gave them")
    func whole() throws {
        var state = Self.state()
        state.blocks = [
            .init(address: 0xcb00_7101, first: 1024, last: 1024, time: Self.start - 25, scope: ""),
            .init(address: 0xcb00_7101, first: 2000, last: 2999, time: Self.start - 24, scope: "nat\nid:nat-1"),
            .init(address: 0xcb00_7102, first: 1024, last: 1535, time: Self.start - 5, scope: ""),
            .init(address: 0xcb00_7103, first: 1024, last: 1535, time: Self.start - 6, scope: ""),
        ]
        var alone = Self.restored([.put(state)])
        let index = try #require(alone.directory.index(of: state.key))
        #expect(alone.directory.state(of: index) == state)
        #expect(alone.directory.find(state.aliases[0]) == index)
        #expect(alone.directory.newestRestored == Self.start - 5, "a block may be newer than its session")
        #expect(alone.directory.holder(of: state.address, domain: 0) == index)
        #expect(alone.directory.holder(of: state.prefix, length: 56, domain: 0) == index)
        #expect(alone.directory.scopes.map(\.sessions) == [0, 1])
        // Said again it is the same, and there once.
        alone.directory.restore(.put(state), now: Self.start)
        #expect(Array(alone.states.values) == [state] && alone.directory.sessions.count == 1)
        #expect(alone.directory.ports.count == 4 && alone.directory.aliases.count == 1)
        #expect(alone.directory.newestRestored == Self.start - 5)
    }

    @Test("a block whose ports are in no order is none, and one whose giver is not known is in doubt")
    func blocks() throws {
        var state = Self.state()
        state.blocks = [
            .init(address: 1, first: 9, last: 8, time: 5, scope: ""),
            .init(address: 1, first: 10, last: 19, time: 5, scope: nil),
            .init(address: 1, first: 20, last: 29, time: 5, scope: "no-longer-configured\nid:x"),
        ]
        let alone = Self.restored([.put(state)])
        let kept = alone.directory.ports[.init(domain: 1, address: 1)]
        #expect(kept.map(\.first) == [10, 20] && kept.map(\.time) == [0, 0] && kept.map(\.scope) == [1, 1])
    }

    @Test("what belongs to no configured NAS, has no prefix that can be, or finds no room, is not taken back")
    func refused() {
        var stranger = Self.state()
        stranger.scope = "other\nid:pgw-1"
        var wide = Self.state()
        wide.prefixLength = 65
        #expect(Self.restored([.put(stranger), .put(wide)]).directory.sessions.count == 0)
        wide.prefixLength = 64
        #expect(Self.restored([.put(wide)]).directory.sessions.count == 1)
        var full = DirectoryAlone { $0.sessionLimit = 2 }
        for number in [1, 2, 3, 2] as [UInt32] {
            full.directory.restore(.put(Self.state(number)), now: Self.start)
        }
        #expect(Set(full.states.keys) == [Self.state(1).key, Self.state(2).key])
        // A scope of no NAS is not taken back either.
        let alone = Self.restored([
            .reset(scope: "other\nid:x", at: 5), .missedScope("other\nid:x", at: 5),
            .named(scope: "other\nid:x", restartedAt: 5), .missed(domain: "other", at: 5),
        ])
        #expect(alone.directory.scopes.count == 1 && alone.directory.missedAt == [0, 0])
    }

    @Test("the session that is taken back last has the address, and the prefix, of those before")
    func held() {
        for isPrefix in [false, true] {
            var second = Self.state(2)
            if isPrefix {
                second.prefix = Self.state(1).prefix
            } else {
                second.address = Self.state(1).address
            }
            let alone = Self.restored([.put(Self.state(1)), .put(second)])
            #expect(alone.states == [second.key: second])
        }
        // Those that have none are no rivals.
        let bare = ([1, 2] as [UInt32]).map { number in
            var state = Self.state(number)
            (state.address, state.prefix, state.prefixLength) = (0, 0, 0)
            return state
        }
        #expect(Self.restored(bare.map(DirectoryChange.put)).directory.sessions.count == 2)
    }

    @Test("an end takes away what was heard of until then, the session or one of its bearers")
    func removed() {
        let state = Self.state()
        for (time, isThere) in [(state.heardAt - 1, true), (state.heardAt, false)] {
            let ended = Self.restored([.put(state), .removed(state.key, at: time)])
            #expect((ended.states[state.key] != nil) == isThere)
            #expect(ended.directory.closed.endedSince(time, state.key))
            let bearer = Self.restored([.put(state), .removed(state.aliases[0], at: time)])
            #expect(bearer.states[state.key]?.aliases == (isThere ? state.aliases : []))
            #expect((bearer.directory.find(state.aliases[0]) != nil) == isThere)
        }
    }

    @Test("of restarts and losses the latest counts")
    func times() {
        let scope = "pgw\nid:pgw-1"
        for order in [[5, 9], [9, 5]] as [[UInt32]] {
            let alone = Self.restored(
                order.map { DirectoryChange.reset(scope: scope, at: $0) }
                    + order.map { DirectoryChange.missed(domain: "internet", at: $0 + 1) })
            #expect(alone.directory.scopes[1].resetAt == 9 && alone.directory.scopes[1].missedAt == 0)
            #expect(alone.directory.missedAt == [0, 10])
            let missed = Self.restored(order.map { .missedScope(scope, at: $0) })
            #expect(missed.directory.scopes[1].missedAt == 9 && missed.directory.scopes[1].restartAt == 0)
            let named = Self.restored(order.map { .named(scope: scope, restartedAt: $0) })
            #expect(named.directory.scopes[1].missedAt == 9 && named.directory.scopes[1].restartAt == 9)
        }
    }

    @Test("a journal that is written anew has all of it: restarts, ends, losses and names")
    func general() {
        let scope = "pgw\nid:pgw-1"
        let key = Self.state().key
        let alone = Self.restored([
            .reset(scope: scope, at: 5), .removed(key, at: 6), .missed(domain: "cmnet", at: .max),
            .missedScope(scope, at: 8),
        ])
        #expect(
            alone.directory.generalChanges == [
                .reset(scope: scope, at: 5), .removed(key, at: 6), .missed(domain: "cmnet", at: .max),
                .missed(domain: "internet", at: Self.start - 1), .missedScope(scope, at: 8),
                .named(scope: "nat\nid:nat-1", restartedAt: 0), .named(scope: scope, restartedAt: 0),
            ])
        #expect(alone.directory.allMisses == alone.directory.misses)
        // A domain that is settled, of which nothing was lost, needs no word; for the next gateway of a pair it does.
        var settled = DirectoryAlone()
        settled.directory.settlesAt = [0, 0]
        #expect(settled.directory.misses.isEmpty && settled.directory.settlesLast == 0)
        #expect(
            settled.directory.allMisses
                == ["cmnet", "internet"].map { DirectoryChange.missed(domain: $0, at: Self.start - 1) })
        settled.directory.missedAt = [0, 7]
        #expect(settled.directory.misses == [.missed(domain: "internet", at: 7)])
    }

    @Test("a session that was contested waits for something of the next second, one of nobody stays nobody's")
    func doubts() throws {
        var contested = Self.state()
        contested.flags = 0xff
        var alone = Self.restored([.put(contested)])
        let index = try #require(alone.directory.index(of: contested.key))
        #expect(alone.directory.sessions[index].flags == Session.Flags.durable)
        #expect(alone.directory.sessions[index].doubtedAt == Self.start, "after what this run may not have heard")
        contested.heardAt = Self.start + 3
        alone = Self.restored([.put(contested)])
        #expect(alone.directory.sessions[index].doubtedAt == Self.start + 3)
        var erased = Self.state()
        (erased.subscription, erased.flags) = (0, 0)
        alone = Self.restored([.put(erased)])
        #expect(alone.directory.sessions[index].flags == [.unsupported])
        alone = Self.restored([.put(Self.state())])
        #expect(alone.directory.sessions[index].flags == [.roaming] && alone.directory.sessions[index].doubtedAt == 0)
    }

    // MARK: The end of the reading

    private func began(
        _ changes: [DirectoryChange] = [], last: Int64?, at now: Int64 = 100, tolerance: Int64 = 60, repeats: Int64 = 0,
        isReached: Bool = true
    ) -> Directory {
        var servers = Self.servers
        for index in servers.indices { servers[index].repeats = .seconds(repeats) }
        var directory = DirectoryAlone(servers).directory
        for change in changes { directory.restore(change, now: Self.start) }
        func time(_ seconds: Int64) -> Timestamp { Timestamp(seconds: Network.start + seconds) }
        directory.begin(
            lastHeartbeat: last.map(time), at: time(now), clockTolerance: .seconds(tolerance), isReached: isReached)
        return directory
    }

    @Test("what was sent before a run began is no evidence, by the clock of the NAS that was ahead most")
    func deaf() {
        var state = Self.state()
        state.heardAt = Self.start + 70
        for (last, tolerance, lead, deafUntil) in [
            (nil, 60, 0, 100), (70, 60, 0, 100), (69, 60, 1, 101), (40, 60, 30, 130), (40, 20, 20, 120),
        ] as [(Int64?, Int64, UInt32, UInt32)] {
            let directory = began([.put(state)], last: last, tolerance: tolerance)
            #expect(directory.lead == lead && directory.deafUntil == Self.start + deafUntil, "\(lead)")
        }
        state.heardAt = Self.start + 150
        #expect(began([.put(state)], last: 100, tolerance: 20).deafUntil == Self.start + 150)
    }

    @Test("a NAS that had been silent for too long when nobody listened any more has missed what followed")
    func silent() {
        var state = Self.state()
        state.heardAt = Self.start - 900
        state.blocks = [.init(address: 1, first: 1, last: 2, time: Self.start - 890, scope: "")]
        for (last, isMissed) in [(10, false), (11, true)] as [(Int64, Bool)] {
            let scope = began([.put(state)], last: last).scopes[0]
            #expect(scope.missedAt == (isMissed ? Self.start + 10 : 0), "\(last)")
            #expect(scope.heardAt == Self.start + 100)
        }
        state.blocks = []
        #expect(began([.put(state)], last: 1).scopes[0].missedAt == Self.start)
        #expect(began([.put(state)], last: 0).scopes[0].missedAt == 0)
        // One without sessions was not silent.
        #expect(began([.named(scope: "pgw\nid:pgw-1", restartedAt: 0)], last: 90).scopes[0].missedAt == 0)
    }

    @Test("a domain is believed again after the time that all its NASes repeat for, if nobody was away for half of it")
    func settled() {
        for (last, repeats, isSettled) in [
            (70, 60, true), (69, 60, false), (100, 60, true), (101, 60, false), (100, 0, false), (nil, 60, false),
        ] as [(Int64?, Int64, Bool)] {
            let directory = began(last: last, repeats: repeats)
            let settles = isSettled ? Self.start + 160 : .max
            #expect(directory.settlesAt == [settles, settles], "\(last ?? -1) \(repeats)")
            #expect(directory.settlesLast == (isSettled ? settles : nil))
        }
    }

    @Test("where a gateway takes over, a domain waits for the first packet of each of its NASes")
    func reached() {
        for (now, isSettled) in [(29, true), (30, false)] as [(UInt32, Bool)] {
            var directory = began([.put(Self.state())], last: 0, at: 0, repeats: 60, isReached: false)
            #expect(directory.unheard == [0, 1] && directory.settlesAt == [.max, .max])
            directory.reached(by: 1, at: Self.start + now)
            #expect(directory.unheard == [0] && directory.settlesAt == [.max, .max])
            directory.reached(by: 0, at: Self.start + now)
            let settles = isSettled ? Self.start + now + 60 : .max
            #expect(directory.unheard.isEmpty && directory.settlesAt == [settles, settles], "\(now)")
        }
        // A doubt that was read while another listened is as old as everything else.
        var contested = Self.state()
        contested.flags = Session.Flags.contested.rawValue
        let taken = began([.put(contested)], last: 90, isReached: false)
        #expect(taken.sessions[0].doubtedAt == Self.start + 101)
        #expect(began([.put(Self.state())], last: 90, isReached: false).sessions[0].doubtedAt == 0)
    }

    @Test("a change that could not be kept is noted on its session until it is")
    func unsaved() {
        var alone = Self.restored([.put(Self.state(1)), .put(Self.state(2))])
        let changes: [DirectoryChange] = [.put(Self.state(2)), .put(Self.state(3)), .missed(domain: "cmnet", at: 1)]
        for unsaved in [true, false] {
            alone.directory.mark(changes, unsaved: unsaved)
            let flags = (0..<2).map { alone.directory.sessions[$0].flags.contains(.unsaved) }
            #expect(flags == [false, unsaved])
        }
    }

    // MARK: Whole histories

    @Test("what the events of a history change, taken back one by one, makes another directory hold the same sessions")
    func changesSuffice() {
        var generator = SeededGenerator(seed: 2869)
        var alone = DirectoryAlone(Self.servers)
        var other = DirectoryAlone(Self.servers)
        for step in 1...3000 {
            alone.now = UInt32(100 + step / 3)
            let kind: AccountingEvent.Kind = [.start, .start, .interim, .interim, .interim, .stop, .reset][
                Int.random(in: 0..<(step.isMultiple(of: 40) ? 7 : 6), using: &generator)]
            let address = Bool.random(using: &generator) ? "10.0.0.\(Int.random(in: 1...12, using: &generator))" : nil
            let prefix =
                Int.random(in: 0..<4, using: &generator) == 0
                ? "2001:db8:0:\(Int.random(in: 1...6, using: &generator))::/64" : nil
            let isReport = Int.random(in: 0..<8, using: &generator) == 0
            var event = alone.event(
                kind, "s\(Int.random(in: 0..<20, using: &generator))",
                at: alone.now - .random(in: 0...25, using: &generator), address: isReport ? nil : address,
                prefix: isReport ? nil : prefix, nas: isReport ? 1 : 0,
                name: isReport ? "nat-1" : "pgw-\(Int.random(in: 1...2, using: &generator))")
            if isReport { event.internalAddress = address.map { InternetAddress($0)! } }
            event.isMobile = Bool.random(using: &generator)
            event.endsSession = kind == .stop && Bool.random(using: &generator)
            if Int.random(in: 0..<3, using: &generator) == 0 {
                let port = UInt16.random(in: 1...6, using: &generator) * 1000
                event.blocks = [
                    PortBlock(
                        address: InternetAddress("203.0.113.\(Int.random(in: 1...2, using: &generator))")!,
                        ports: port...(port + 1500), isAllocated: Int.random(in: 0..<4, using: &generator) > 0)
                ]
            }
            let person = Int64.random(in: 0...5, using: &generator)
            let sim = Int32.random(in: 1...2, using: &generator)
            let outcome =
                person == 0
                ? alone.apply(event, .nobody) : alone.apply(event, person: person == 1 ? nil : person, sim: sim)
            let changes = outcome.changes + alone.directory.didRevoke(outcome.revoked)
            for change in changes { other.directory.restore(change, now: Self.start + alone.now) }
            guard step.isMultiple(of: 20) else { continue }
            let (here, there) = (alone.states, other.states)
            #expect(here == there, "step \(step)")
            guard here == there else { return }
        }
        #expect(alone.states.count > 5)
    }
}
