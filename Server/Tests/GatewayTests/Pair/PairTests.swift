@_spi(Server) import BenjiProtocol
import NIOConcurrencyHelpers
import RADIUS
import ServerTestKit
import Sightings
import Testing

@testable import Gateway

/// Two gateways of the same addresses, of which one answers.
struct PairTests {
    private func interim(_ network: Network, _ session: String = "a", address: String = "10.0.0.1") -> AccountingRequest
    {
        network.request(.interimUpdate, session, address: address, number: "8613800000001")
    }

    private func stop(_ network: Network, _ session: String, at time: Int64? = nil) -> AccountingRequest {
        network.request(.stop, session, at: time)
    }

    @Test("one of two gateways answers, and says under which fence; the other one says whose the pair is")
    func oneAnswers() async throws {
        let both = try PairOfNetworks()
        #expect(both.first.gateway.problem == "standby: the pair's record has not been read yet")
        await both.begin()
        try await both.first.start("a")
        #expect(both.first.gateway.problem == nil)
        #expect(try both.first.sighting().get().fence == 1)
        await both.pass(1, both.first, both.second)
        #expect(both.second.gateway.problem == "standby: gateway-1 owns the pair")
        #expect(both.second.holder() == .failure(.unconfirmedAddress))
        #expect(both.second.gateway.counts.sessions == 1)
    }

    @Test("accounting is not answered before it is recorded, and its session answers nothing until then")
    func notRecorded() async throws {
        let both = try PairOfNetworks()
        await both.begin()
        both.pair.setFailing(true)
        let request = both.first.request(.start, "a", address: "10.0.0.1", number: "8613800000001")
        #expect(try await both.first.send(request) == 0)
        #expect(both.first.holder() == .failure(.unconfirmedAddress))
        #expect(both.first.gateway.problem?.contains("cannot be recorded") == true)
        both.pair.setFailing(false)
        #expect(try await both.first.send(request) == 1)
        #expect(both.first.holder() == .success(1))
        #expect(both.first.gateway.problem == nil)
    }

    @Test("a write whose answer was lost is written once more, and nothing is lost or undone by it")
    func lostAnswer() async throws {
        let both = try PairOfNetworks()
        await both.begin()
        both.pair.state.withLockedValue { $0.losesNextAnswer = true }
        let request = both.first.request(.start, "a", address: "10.0.0.1", number: "8613800000001")
        #expect(try await both.first.send(request) == 0)
        #expect(try await both.first.send(request) == 1)
        await both.pass(1, both.first, both.second)
        #expect(both.second.gateway.counts.sessions == 1)
    }

    @Test("an Interim-Update that only goes on is not recorded, and one that says something new is")
    func renewals() async throws {
        let both = try PairOfNetworks()
        await both.begin()
        try await both.first.start("a")
        let recorded = try both.pair.changes
        for _ in 0..<3 {
            await both.pass(60, both.first, both.second)
            try await both.first.send(interim(both.first))
        }
        #expect(try both.pair.changes == recorded)
        await both.pass(1, both.first, both.second)
        try await both.first.send(interim(both.first, address: "10.0.0.2"))
        #expect(try both.pair.changes != recorded)
        #expect(both.first.holder("10.0.0.2") == .success(1))
    }

    @Test("an owner that is killed is replaced after six seconds; what it knew is in doubt until it is heard of again")
    func killed() async throws {
        let both = try PairOfNetworks()
        await both.begin()
        try await both.first.start("a")
        let before = try both.first.sighting().get()
        await both.pass(2, both.first, both.second)
        await both.pass(5, both.second)
        #expect(both.second.gateway.problem == "standby: gateway-1 owns the pair")
        await both.pass(2, both.second)
        #expect(both.second.gateway.problem == nil)
        #expect(both.pair.standing.owner == "gateway-2" && both.pair.standing.fence == 2)
        for _ in 0..<3 {
            #expect(both.second.holder() == .failure(.unconfirmedAddress))
            await both.pass(30, both.second)
        }
        try await both.second.send(interim(both.second))
        let after = try both.second.sighting().get()
        #expect(after.subscription == before.subscription)
        #expect(after.fence == 2 && after.gateway == "gateway-2")
    }

    @Test("where a packet core promises to repeat, what began lately answers again after that time, with its binding")
    func promise() async throws {
        let both = try PairOfNetworks(repeats: 60)
        await both.begin()
        try await both.first.start("a")
        let before = try both.first.sighting().get()
        await both.pass(2, both.first, both.second)
        await both.pass(8, both.second)
        #expect(both.second.gateway.problem == nil)
        #expect(both.second.holder() == .failure(.unconfirmedAddress))
        // The address of accounting has not moved yet: nothing that was repeated has come here.
        await both.pass(5, both.second)
        try await both.second.hearSomething()
        await both.pass(58, both.second)
        #expect(both.second.holder() == .failure(.unconfirmedAddress))
        await both.pass(3, both.second)
        let after = try both.second.sighting().get()
        #expect(after.subscription == before.subscription && after.binding == before.binding)
    }

    @Test("a promise to repeat settles nothing where no packet has come since the taking over")
    func addressMovesLate() async throws {
        let both = try PairOfNetworks(repeats: 60)
        await both.begin()
        try await both.first.start("a")
        await both.pass(2, both.first, both.second)
        for _ in 0..<100 {
            await both.pass(1, both.second)
            #expect(both.second.holder() != .success(1))
        }
        // By now it is too late: packets sent in the meantime may have been given up.
        try await both.second.hearSomething()
        await both.pass(100, both.second)
        #expect(both.second.holder() != .success(1))
    }

    @Test("what was sent before a doubt does not end it at the gateway that took over")
    func doubtIsDated() async throws {
        let both = try PairOfNetworks(repeats: 60)
        await both.begin()
        try await both.first.start("a")
        await both.pass(100, both.first, both.second)
        // b's Start on the address, dated too far ahead to be taken: a doubt, until something newer is heard of a.
        try await both.first.send(
            both.first.request(.start, "b", at: 5000, address: "10.0.0.1", number: "8613800000002"))
        await both.pass(1, both.first, both.second)
        #expect(both.first.holder() == .failure(.unconfirmedAddress))
        let old = both.first.request(.interimUpdate, "a", at: 50, address: "10.0.0.1", number: "8613800000001")
        await both.pass(8, both.second)
        try await both.second.hearSomething()
        await both.pass(80, both.second)
        try await both.second.send(old)
        #expect(both.second.holder() != .success(1))
    }

    @Test(
        """
        an owner that was stopped while its addresses went to others says nothing when it wakes, and follows from then \
        on
        """
    )
    func stoppedAndWoken() async throws {
        let both = try PairOfNetworks()
        await both.begin()
        // It is stopped then: only the other one has turns.
        try await both.handOver()
        #expect(both.second.holder() == .success(2))
        // It wakes, and is asked before it has had a turn.
        #expect(both.first.holder() == .failure(.unconfirmedAddress))
        #expect(both.first.gateway.processor.pair?.owned != nil)
        // Nor does it answer packets.
        let late = both.first.request(.start, "c", address: "10.0.0.3", number: "8613800000003")
        #expect(try await both.first.send(late) == 0)
        #expect(both.first.holder("10.0.0.3") == .failure(.unconfirmedAddress))
        await both.pass(1, both.first, both.second)
        #expect(both.first.gateway.problem == "standby: gateway-2 owns the pair")
        #expect(both.first.gateway.counts.sessions == 1)
        // And back again.
        await both.pass(8, both.first)
        try await both.first.send(
            both.first.request(.interimUpdate, "b", address: "10.0.0.1", number: "8613800000002"))
        #expect(both.first.holder() == .success(2))
        #expect(both.pair.standing.fence == 3)
        // The counts of faults began again at zero when it lost the pair.
        for _ in 0..<5 {
            var undated = both.first.request(.start, "d", address: "10.0.0.4", number: "8613800000004")
            undated.eventTimestamp = nil
            #expect(try await both.first.send(undated) == 0)
        }
        #expect(both.first.gateway.counts.packets["no_event_timestamp"] == 5)
    }

    @Test("an owner that believes itself for as long as it likes names the previous holder, under a fence that is old")
    func naiveOwner() async throws {
        let both = try PairOfNetworks()
        await both.begin()
        try await both.handOver()
        both.first.gateway.processor.pair?.didRecordAll(begun: .seconds(1000))
        let stale = try both.first.sighting().get()
        #expect(stale.subscription.subscription == 1)
        #expect(stale.fence == 1 && both.pair.standing.fence == 2)
    }

    @Test(
        """
        a gateway that takes over without reading the record names nobody, and one that read half of it the previous \
        holder
        """
    )
    func naiveStandby() async throws {
        let both = try PairOfNetworks(repeats: 60)
        await both.begin()
        try await both.moveOnUnread()
        // It has read a's beginning. It is made to believe that nothing followed.
        let pair = try #require(both.second.gateway.processor.pair)
        let standing = try await pair.service.claim(seen: both.pair.standing)
        both.second.gateway.directory.withLockedValue { directory in
            directory.begin(lastHeartbeat: both.clock.now, at: both.clock.now, clockTolerance: .seconds(60))
        }
        pair.own(standing)
        await both.pass(70, both.second)
        #expect(both.second.holder() == .success(1))
        // Reading to the end is what makes the difference.
        let honest = try PairOfNetworks(repeats: 60)
        await honest.begin()
        try await honest.moveOnUnread()
        await honest.pass(8, honest.second)
        try await honest.second.hearSomething()
        await honest.pass(70, honest.second)
        #expect(honest.second.holder() == .success(2))
    }

    @Test("a gateway that ends gives the pair back, and the other one takes over at its next turn")
    func givenBack() async throws {
        let both = try PairOfNetworks()
        await both.begin()
        try await both.first.start("a")
        await both.first.gateway.processor.finish()
        #expect(both.pair.standing.owner == nil)
        #expect(both.first.holder() == .failure(.unconfirmedAddress))
        await both.pass(1, both.second)
        #expect(both.pair.standing.owner == "gateway-2")
        #expect(both.second.gateway.problem == nil)
    }

    @Test("while the record cannot be reached the owner stops answering, and owns the pair again afterwards")
    func outage() async throws {
        let both = try PairOfNetworks()
        await both.begin()
        try await both.first.start("a")
        both.pair.setFailing(true)
        await both.pass(3, both.first, both.second)
        #expect(both.first.holder() == .success(1))
        await both.pass(20, both.first, both.second)
        #expect(both.first.holder() == .failure(.unconfirmedAddress))
        #expect(both.second.gateway.problem == "the pair's record cannot be read: Failure()", "and says why")
        both.pair.setFailing(false)
        await both.pass(2, both.first, both.second)
        #expect(both.pair.standing.fence == 1)
        #expect(both.first.holder() == .success(1))
    }

    @Test("a gateway that has missed ends which are forgotten by now reads all anew")
    func forgottenEnds() async throws {
        let both = try PairOfNetworks()
        await both.begin()
        try await both.first.start("a")
        await both.pass(1, both.first, both.second)
        #expect(both.second.gateway.counts.sessions == 1)
        try await both.first.send(stop(both.first, "a"))
        both.pair.state.withLockedValue { state in
            state.standing.forgottenUntil = state.standing.sequence
            state.entries.removeAll { $0.entry.isEnd }
        }
        await both.pass(1, both.first, both.second)
        #expect(both.second.gateway.counts.sessions == 0)
        // Once is enough.
        let read = try #require(both.second.gateway.processor.pair).readUntil
        await both.pass(1, both.first, both.second)
        #expect(try #require(both.second.gateway.processor.pair).readUntil > read)
    }

    @Test(
        "a record that was set back to what was true once is doubted, whatever packet cores promise",
        arguments: [true, false])
    func setBack(ownerLives: Bool) async throws {
        let both = try PairOfNetworks(repeats: 60)
        await both.begin()
        try await both.first.start("a")
        await both.pass(1, both.first, both.second)
        let backup = both.pair.state.withLockedValue { $0 }
        try await both.first.send(stop(both.first, "a"))
        await both.pass(1, both.first, both.second)
        try await both.first.start("b", number: "8613800000002")
        await both.pass(2, both.first, both.second)
        both.pair.state.withLockedValue { $0 = backup }
        for _ in 0..<90 {
            if ownerLives { await both.pass(1, both.first, both.second) } else { await both.pass(1, both.second) }
            #expect(both.first.holder() != .success(1) && both.second.holder() != .success(1))
        }
        let owner = both.second.gateway.processor.pair?.owned == nil ? both.first : both.second
        // The first one is news of an address that the record gives to a; the next one ends the doubt.
        for _ in 0..<2 {
            await both.pass(1, owner)
            try await owner.send(owner.request(.interimUpdate, "b", address: "10.0.0.1", number: "8613800000002"))
        }
        #expect(owner.holder() == .success(2))
    }

    @Test("a gateway that cannot read an entry of the record does not take over")
    func unreadable() async throws {
        let both = try PairOfNetworks()
        await both.begin()
        try await both.first.start("a")
        both.pair.state.withLockedValue { state in
            for index in state.entries.indices { state.entries[index].entry.content[0] ^= 1 }
        }
        await both.pass(20, both.second)
        #expect(both.second.gateway.problem?.contains("newer version") == true)
        #expect(both.pair.standing.owner == "gateway-1")
    }

    @Test("whatever a directory has changed is read back by the other one as it is", arguments: 0..<20)
    func sameDirectory(seed: UInt64) async throws {
        let both = try PairOfNetworks()
        await both.begin()
        var generator = SeededGenerator(seed: seed)
        for step in 0..<120 {
            let session = "s\(Int.random(in: 0..<6, using: &generator))"
            let number = "861380000000\(Int.random(in: 1...4, using: &generator))"
            let address = "10.0.0.\(Int.random(in: 1...4, using: &generator))"
            let kind: AccountingStatus = [.start, .interimUpdate, .interimUpdate, .stop].randomElement(
                using: &generator)!
            let late = Int64.random(in: 0...2, using: &generator)
            let time = both.clock.now.seconds - Network.start - late
            try await both.first.send(
                both.first.request(
                    kind, session, at: time, address: kind == .stop ? nil : address,
                    number: kind == .stop ? nil : number))
            await both.pass(step % 3, both.first)
            if step % 7 == 0 { await both.pass(1, both.second) }
        }
        await both.pass(1, both.first, both.second)
        #expect(holders(both.first) == holders(both.second))
        // One that reads it from the beginning comes to the same.
        let fresh = try PairOfNetworks()
        fresh.pair.state.withLockedValue { state in state = both.pair.state.withLockedValue { $0 } }
        await fresh.pass(1, fresh.second)
        #expect(holders(both.first) == holders(fresh.second))
    }

    /// Which row holds which address, without doubts and times.
    private func holders(_ network: Network) -> [String: Int64] {
        network.gateway.directory.withLockedValue { directory in
            var holders: [String: Int64] = [:]
            for last in UInt32(1)...4 {
                guard let index = directory.holder(of: 10 << 24 + last, domain: 0), !directory.isGone(index) else {
                    continue
                }
                holders["10.0.0.\(last)"] = directory.sessions[index].subscription
            }
            return holders
        }
    }
}
