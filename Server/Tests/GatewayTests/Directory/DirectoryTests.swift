@_spi(Server) import BenjiProtocol
import Sightings
import Testing

@testable import Gateway

/// The holder of an address, and the end of a session, event by event.
struct DirectoryTests {
    private static let start = DirectoryAlone.start

    // MARK: Claims

    /// A second session's claim to the address of a first one, which began at 10.
    struct Claim: Sendable, CustomTestStringConvertible {
        let kind: AccountingEvent.Kind
        let time: UInt32
        let isSamePerson: Bool
        /// When the first session was last heard of.
        var heardAt: UInt32 = 20
        let isTaken: Bool
        var isContested = false

        var testDescription: String { "\(kind) at \(time), heard at \(heardAt), same person: \(isSamePerson)" }
    }

    private static let claims: [Claim] = [
        // Before the first session began.
        .init(kind: .start, time: 9, isSamePerson: false, isTaken: false),
        .init(kind: .interim, time: 9, isSamePerson: false, isTaken: false),
        // While it was heard of.
        .init(kind: .start, time: 10, isSamePerson: false, isTaken: false, isContested: true),
        .init(kind: .interim, time: 10, isSamePerson: false, isTaken: false, isContested: true),
        .init(kind: .start, time: 15, isSamePerson: false, isTaken: false, isContested: true),
        .init(kind: .interim, time: 15, isSamePerson: false, isTaken: false, isContested: true),
        .init(kind: .start, time: 15, isSamePerson: true, isTaken: false),
        .init(kind: .interim, time: 15, isSamePerson: true, isTaken: false),
        // In the second of its last packet, and after it.
        .init(kind: .start, time: 20, isSamePerson: false, isTaken: true),
        .init(kind: .interim, time: 20, isSamePerson: false, isTaken: true, isContested: true),
        .init(kind: .interim, time: 20, isSamePerson: true, isTaken: true),
        .init(kind: .start, time: 21, isSamePerson: false, isTaken: true),
        .init(kind: .interim, time: 21, isSamePerson: false, isTaken: true, isContested: true),
        .init(kind: .interim, time: 21, isSamePerson: true, isTaken: true),
        // Both in one second.
        .init(kind: .start, time: 10, isSamePerson: false, heardAt: 10, isTaken: true, isContested: true),
        .init(kind: .start, time: 10, isSamePerson: true, heardAt: 10, isTaken: true),
        .init(kind: .interim, time: 10, isSamePerson: false, heardAt: 10, isTaken: false, isContested: true),
        .init(kind: .interim, time: 10, isSamePerson: true, heardAt: 10, isTaken: false),
        .init(kind: .start, time: 11, isSamePerson: false, heardAt: 10, isTaken: true),
    ]

    @Test(
        "the newest event wins an address or a prefix, and nobody is named where the events of two sessions interleave",
        arguments: claims, [false, true])
    func claim(_ claim: Claim, hasPrefix: Bool) throws {
        var alone = DirectoryAlone()
        alone.now = 30
        let address = hasPrefix ? nil : "10.0.0.1"
        let prefix = hasPrefix ? "2001:db8:1:1::/64" : nil
        alone.apply(alone.event(.start, "old", at: 10, address: address, prefix: prefix), person: 1)
        alone.apply(alone.event(.interim, "old", at: claim.heardAt, address: address, prefix: prefix), person: 1)
        let binding = try #require(alone.session("old")).binding
        let outcome = alone.apply(
            alone.event(claim.kind, "new", at: claim.time, address: address, prefix: prefix),
            person: claim.isSamePerson ? 1 : 2)
        let session = try #require(alone.session(claim.isTaken ? "new" : "old"))
        #expect(alone.session(claim.isTaken ? "old" : "new") == nil)
        #expect(session.flags.contains(.contested) == claim.isContested)
        let row: Int64 = claim.isTaken && !claim.isSamePerson ? 2 : 1
        #expect(
            alone.holder(address ?? "2001:db8:1:1::9")
                == (claim.isContested ? .failure(.ambiguousAddress) : .success(row)))
        let isRevoked = !claim.isSamePerson && (claim.isTaken || claim.isContested)
        #expect(outcome.revoked == (isRevoked ? [BindingID(rawValue: binding)] : []))
        // Earlier credentials count no more, also for a session that goes on.
        if !claim.isTaken { #expect((session.binding != binding) == claim.isContested) }
    }

    private static let updates = claims.filter { $0.kind == .interim }

    @Test(
        "a session that goes on claims like one that begins, and has left what it had also where it gets nothing",
        arguments: updates, [false, true])
    func claimOfKnown(_ claim: Claim, hasPrefix: Bool) throws {
        var alone = DirectoryAlone()
        alone.now = 30
        let address = hasPrefix ? nil : "10.0.0.1"
        let prefix = hasPrefix ? "2001:db8:1:1::/64" : nil
        let person: Int64 = claim.isSamePerson ? 1 : 2
        alone.apply(
            alone.event(
                .start, "new", at: 5, address: hasPrefix ? nil : "10.0.0.9",
                prefix: hasPrefix ? "2001:db8:9:9::/64" : nil), person: person)
        alone.apply(alone.event(.start, "old", at: 10, address: address, prefix: prefix), person: 1)
        alone.apply(alone.event(.interim, "old", at: claim.heardAt, address: address, prefix: prefix), person: 1)
        let binding = try #require(alone.session("old")).binding
        let outcome = alone.apply(
            alone.event(.interim, "new", at: claim.time, address: address, prefix: prefix), person: person)
        let session = try #require(alone.session("new"))
        let old = alone.session("old")
        #expect((old == nil) == claim.isTaken)
        #expect(session.flags.contains(.contested) == (claim.isTaken && claim.isContested))
        #expect((old?.flags.contains(.contested) ?? false) == (!claim.isTaken && claim.isContested))
        #expect((hasPrefix ? session.prefixLength == 0 : session.address == 0) == !claim.isTaken)
        let isRevoked = !claim.isSamePerson && (claim.isTaken || claim.isContested)
        #expect(outcome.revoked.contains(BindingID(rawValue: binding)) == isRevoked)
        #expect(alone.holder(hasPrefix ? "2001:db8:9:9::1" : "10.0.0.9") == .failure(.unknownAddress))
    }

    @Test("whose NAS has been restarted holds no address against anybody", arguments: [false, true])
    func claimOfGone(isSamePerson: Bool) throws {
        var alone = DirectoryAlone()
        alone.now = 30
        alone.apply(alone.event(.start, "old", at: 10, address: "10.0.0.1"), person: 1)
        alone.apply(alone.event(.interim, "old", at: 20, address: "10.0.0.1"), person: 1)
        alone.apply(alone.event(.reset, "", at: 20))
        #expect(alone.holder() == .failure(.unknownAddress))
        let binding = try #require(alone.session("old")).binding
        let outcome = alone.apply(
            alone.event(.interim, "new", at: 20, address: "10.0.0.1"), person: isSamePerson ? 1 : 2)
        #expect(alone.holder() == .success(isSamePerson ? 1 : 2))
        #expect(outcome.revoked == (isSamePerson ? [] : [BindingID(rawValue: binding)]))
        #expect(alone.session("old") == nil)
        #expect(try #require(alone.session("new")).startedAt == Self.start + 21, "it began after the restart")
    }

    enum Leaving: CaseIterable { case stop, move, beginsAgain, stopOfAnother, stopThatNamesIt }

    @Test(
        "an event from before an address or prefix became free says nothing of it, however it became free",
        arguments: Leaving.allCases, [false, true])
    func vacancy(_ leaving: Leaving, hasPrefix: Bool) {
        // Of the same second only a Start is the next holder's.
        for (kind, time, isTaken) in [
            (.start, 19, false), (.interim, 20, false), (.start, 20, true), (.interim, 21, true),
        ] as [(AccountingEvent.Kind, UInt32, Bool)] {
            var alone = DirectoryAlone()
            alone.now = 30
            let address = hasPrefix ? nil : "10.0.0.1"
            let prefix = hasPrefix ? "2001:db8:1:1::/64" : nil
            let (other, otherPrefix) = (hasPrefix ? nil : "10.0.0.2", hasPrefix ? "2001:db8:1:2::/64" : nil)
            let isElsewhere = leaving == .stopThatNamesIt
            alone.apply(
                alone.event(
                    .start, "old", at: 10, address: isElsewhere ? other : address,
                    prefix: isElsewhere ? otherPrefix : prefix), person: 1)
            switch leaving {
            case .stop: alone.apply(alone.event(.stop, "old", at: 20))
            case .move:
                alone.apply(alone.event(.interim, "old", at: 20, address: other, prefix: otherPrefix), person: 1)
            case .beginsAgain:
                alone.apply(alone.event(.start, "old", at: 20, address: other, prefix: otherPrefix), person: 1)
            case .stopOfAnother:
                alone.apply(alone.event(.stop, "unheard", at: 20, address: address, prefix: prefix))
            case .stopThatNamesIt:
                alone.apply(alone.event(.stop, "old", at: 20, address: address, prefix: prefix))
            }
            let held = address ?? "2001:db8:1:1::9"
            #expect(alone.holder(held) == .failure(.unknownAddress))
            alone.apply(alone.event(kind, "new", at: time, address: address, prefix: prefix), person: 2)
            #expect(alone.holder(held) == (isTaken ? .success(2) : .failure(.unknownAddress)))
        }
    }

    @Test("a Stop that names what another session holds ends it, or contests it if it was heard of later")
    func stopOfAnother() throws {
        for (time, isThere, isContested) in [(10, true, false), (15, true, true), (20, false, false)]
            as [(UInt32, Bool, Bool)]
        {
            for prefix in [nil, "2001:db8:1:1::/64"] {
                var alone = DirectoryAlone()
                alone.now = 25
                let address = prefix == nil ? "10.0.0.1" : nil
                alone.apply(alone.event(.start, "old", at: 10, address: address, prefix: prefix), person: 1)
                alone.apply(alone.event(.interim, "old", at: 20), person: 1)
                let binding = BindingID(rawValue: try #require(alone.session("old")).binding)
                let outcome = alone.apply(alone.event(.stop, "unheard", at: time, address: address, prefix: prefix))
                #expect((alone.session("old") != nil) == isThere, "\(time)")
                #expect((alone.session("old")?.flags.contains(.contested) ?? false) == isContested, "\(time)")
                #expect(outcome.revoked == (time > 10 ? [binding] : []), "\(time)")
            }
        }
    }

    // MARK: Ends

    @Test("the Stop of a session that nobody knows is kept, and counted but for a NAT's and for one that is too old")
    func unknownStop() {
        var alone = DirectoryAlone()
        alone.now = 5
        let stop = alone.event(.stop, "a")
        let outcome = alone.apply(stop)
        #expect(outcome.changes.last == .removed(stop.key, at: Self.start + 5))
        #expect(alone.directory.losses[0].stopsWithoutStart == 1)
        alone.apply(stop)
        #expect(alone.directory.losses[0].stopsWithoutStart == 1)
        #expect(alone.directory.closed.endedSince(Self.start + 5, stop.key))
        #expect(!alone.directory.closed.endedAfter(Self.start + 5, stop.key))
        var report = alone.event(.stop, "nat")
        report.internalAddress = InternetAddress("10.0.0.1")
        alone.apply(report)
        #expect(alone.directory.losses[0].stopsWithoutStart == 1)
        var ofBearer = alone.event(.stop, "b")
        ofBearer.endsSession = false
        let ignored = alone.apply(ofBearer)
        #expect(ignored.changes.isEmpty)
    }

    @Test(
        """
        a Stop ends its session, or puts it in doubt if newer packets came, and revokes if it comes later than an \
        address rests
        """
    )
    func stop() throws {
        for (time, now, isEnded, isLate) in [(19, 20, false, false), (20, 30, true, false), (20, 31, true, true)]
            as [(UInt32, UInt32, Bool, Bool)]
        {
            var alone = DirectoryAlone()
            alone.now = now
            alone.apply(alone.event(.start, "a", at: 10, address: "10.0.0.1"), person: 1)
            alone.apply(alone.event(.interim, "a", at: 20), person: 1)
            let session = try #require(alone.session("a"))
            let outcome = alone.apply(alone.event(.stop, "a", at: time))
            #expect((alone.session("a") == nil) == isEnded)
            #expect(outcome.revoked.contains(BindingID(rawValue: session.binding)) == (isLate || !isEnded))
            #expect(outcome.changes.contains(.removed(session.key, at: Self.start + time)) == isEnded)
            #expect(alone.holder() != .success(1))
            // It does not come back with a packet of before.
            alone.apply(alone.event(.interim, "a", at: time, address: "10.0.0.1"), person: 1)
            #expect((alone.session("a") == nil) == isEnded)
        }
    }

    @Test("a restart ends what began until then, of its own NAS alone, and revokes if it is late")
    func reset() throws {
        for (now, isLate) in [(30, false), (31, true)] as [(UInt32, Bool)] {
            var alone = DirectoryAlone()
            alone.now = now
            alone.apply(alone.event(.start, "before", at: 20, address: "10.0.0.1"), person: 1)
            alone.apply(alone.event(.start, "after", at: 21, address: "10.0.0.2"), person: 2)
            alone.apply(alone.event(.start, "other", at: 10, address: "10.0.0.3", name: "pgw-2"), person: 3)
            let session = try #require(alone.session("before"))
            let outcome = alone.apply(alone.event(.reset, "", at: 20))
            #expect(outcome.changes == [.reset(scope: "pgw\nid:pgw-1", at: Self.start + 20)])
            #expect(outcome.revoked == (isLate ? [BindingID(rawValue: session.binding)] : []))
            #expect(alone.directory.unrevoked == (isLate ? [session.binding: session.key] : [:]))
            #expect(alone.holder("10.0.0.1") == .failure(.unknownAddress))
            #expect(alone.holder("10.0.0.2") == .success(2) && alone.holder("10.0.0.3") == .success(3))
            // It stays until what it earned is revoked.
            let paired = alone.directory.sweep(3, at: Timestamp(seconds: Int64(Self.start + now)))
            #expect(paired.isEmpty)
            #expect((alone.session("before") != nil) == isLate)
            let goOn = alone.directory.didRevoke(outcome.revoked)
            #expect(goOn.isEmpty && alone.directory.unrevoked.isEmpty)
            alone.directory.sweep(3, at: Timestamp(seconds: Int64(Self.start + now)))
            #expect(alone.session("before") == nil && alone.session("after") != nil)
            // Said again, or an earlier one that comes later, changes nothing.
            for time in [19, 20] as [UInt32] {
                let again = alone.apply(alone.event(.reset, "", at: time))
                #expect(again.changes.isEmpty && again.revoked.isEmpty)
            }
        }
    }

    @Test(
        "sessions are swept after four leases of silence, a few at a time, and a pair is told",
        arguments: [false, true])
    func sweep(isPaired: Bool) throws {
        var alone = DirectoryAlone { $0.isPaired = isPaired }
        let sessions = try (1...5).map { index in
            alone.apply(alone.event(.start, "\(index)", address: "10.0.0.\(index)"), person: Int64(index))
            return try #require(alone.session("\(index)"))
        }
        alone.now = 2
        alone.apply(alone.event(.stop, "2"))
        let removed = sessions.map { DirectoryChange.removed($0.key, at: Self.start) }
        // Twice the interim interval is a lease. The second entry is free.
        for (steps, seconds, told, count) in [
            (10, 4800, [], 4), (2, 4801, [removed[0]], 3), (2, 4801, [removed[2], removed[3]], 1),
            (2, 4801, [removed[4]], 0),
        ] as [(Int, UInt32, [DirectoryChange], Int)] {
            let changes = alone.directory.sweep(steps, at: Timestamp(seconds: Int64(Self.start + seconds)))
            #expect(changes == (isPaired ? told : []))
            #expect(alone.directory.sessions.count == count)
        }
        // It begins again with the first entry.
        alone.now = 4801
        for index in 1...5 { alone.apply(alone.event(.start, "\(index)", address: "10.0.0.\(index)"), person: 1) }
        let all = alone.directory.sweep(5, at: Timestamp(seconds: Int64(Self.start + 9602)))
        #expect(all.count == (isPaired ? 5 : 0))
        #expect(alone.directory.sessions.count == 0)
    }

    @Test("a clock that is set back takes back what it had said of losses")
    func turnedBack() {
        var alone = DirectoryAlone()
        _ = alone.directory.miss(from: nil, at: Timestamp(seconds: Int64(Self.start + 100)))
        #expect(alone.directory.missedAt == [Self.start + 100, Self.start + 100])
        alone.directory.turn(at: Timestamp(seconds: Int64(Self.start + 100)))
        #expect(alone.directory.missedAt == [Self.start + 100, Self.start + 100])
        alone.directory.turn(at: Timestamp(seconds: Int64(Self.start + 50)))
        #expect(alone.directory.missedAt == [Self.start + 50, Self.start + 50])
        #expect(alone.directory.deafUntil == Self.start - 1)
        alone.directory.turn(at: Timestamp(seconds: Int64(Self.start - 9)))
        #expect(alone.directory.deafUntil == Self.start - 9)
    }

    @Test("a person who is erased is nobody on every session of theirs, and on no other's")
    func forgotten() throws {
        var alone = DirectoryAlone()
        for index in 1...4 {
            alone.apply(alone.event(.start, "\(index)", address: "10.0.0.\(index)"), person: Int64(index))
        }
        alone.apply(alone.event(.interim, "4"), .nobody)
        let before = try (1...4).map { try #require(alone.session("\($0)")) }
        var outcome = Directory.Outcome()
        alone.directory.forget([2, 3, 4], in: 0..<2, &outcome)
        #expect(outcome.revoked == [BindingID(rawValue: before[1].binding)])
        let second = try #require(alone.session("2"))
        #expect(
            second.subscription == 0 && second.epoch == 0 && second.simGeneration == 0 && second.identity == 0
                && second.flags == [.unsupported] && second.isDoubted && second.binding != before[1].binding)
        #expect(second.address == before[1].address)
        #expect(outcome.changes == [.put(alone.directory.state(of: 1))])
        #expect(alone.session("1") == before[0] && alone.session("3") == before[2])
        alone.directory.forget([2, 3, 4], in: 2..<4, &outcome)
        // A session that cannot log in has nothing to revoke.
        #expect(outcome.revoked.count == 2 && alone.session("4") == before[3])
        #expect(alone.holder("10.0.0.3") == .failure(.unconfirmedAddress))
        // The next packet that names the subscriber, and is newer, ends it.
        alone.now = 1
        alone.apply(alone.event(.interim, "2", address: "10.0.0.2"), person: 7)
        #expect(alone.holder("10.0.0.2") == .success(7))
    }
}
