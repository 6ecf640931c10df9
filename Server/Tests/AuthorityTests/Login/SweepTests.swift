import BenjiProtocol
import GRDB
import ServerTestKit
import Store
import StoreSQLite
import Testing

@testable import Authority

@Suite("What is swept away, and what is not yet") struct SweepTests {
    @Test("A wrong guess is not forgotten as long as it counts")
    func guesses() async throws {
        let world = try await AuthorityWorld()
        func guess() async throws -> GuessOutcome {
            try await world.store.settle(
                Guess(
                    .digits(world.app.record.id), of: world.subscription, isRight: false, now: world.clock.now,
                    limit: 1, window: .seconds(86400)))
        }
        #expect(try await guess() == .wrong)
        world.clock.advance(by: .seconds(86399))
        try await world.authority.deleteExpired()
        #expect(try await guess() == .tooMany)
        world.clock.advance(by: .seconds(2))
        try await world.authority.deleteExpired()
        #expect(try await guess() == .wrong)
        await world.end()
    }

    @Test("Where nothing has expired nothing is swept, of no kind")
    func nothing() async throws {
        let world = try await AuthorityWorld()
        let (store, now) = (world.store, world.clock.now)
        let swept = [
            try await store.deleteExpiredScrips(before: now, limit: 9),
            try await store.deleteExpiredPages(now - .seconds(1)..<now, limit: 9),
            try await store.deleteExpiredCredentials(before: now, limit: 9),
            try await store.deleteGuesses(before: now, limit: 9),
            try await store.deleteNumberCounts(before: CalendarDay(now).number, limit: 9),
            try await store.deleteSMSCodes(before: now, limit: 9),
            try await store.deleteSMSUpstream(before: now, limit: 9),
            try await store.forgetFamiliarKeys(since: now, limit: 9),
            try await store.deleteExpiredMessages(before: now, limit: 9),
            try await store.deletePairEnds(before: now, limit: 9),
            try await store.eraseOutdatedFaceAccounts(unboundBefore: now, limit: 9),
            try await store.deleteTraceEvents(before: now, limit: 9),
        ]
        #expect(swept.allSatisfy { $0 == 0 }, "\(swept)")
        await world.end()
    }

    @Test("What keeps one table from being swept keeps no other, and is told")
    func oneFails() async throws {
        let world = try await AuthorityWorld()
        _ = try await world.redeem(nil, try await world.token().token)
        // As long as there is a face account, this one cannot be read.
        let database = try DatabaseQueue(path: world.directory + "/benji.sqlite")
        try await database.write { try $0.execute(sql: "ALTER TABLE face_account RENAME TO face_account_elsewhere") }
        try database.close()
        world.clock.advance(by: .seconds(8 * 86400))
        await #expect(throws: StoreError.self) { try await world.authority.deleteExpired() }
        #expect(try await world.count("trace_event") == 0, "what comes behind the failure is swept")
        #expect(try await world.count("token") == 0, "and what comes before it")
        await world.end()
    }

    @Test("each kind of record is in its table as long as its retention says, and not longer")
    func retention() async throws {
        let world = try await AuthorityWorld()
        let kept = ["trace_event", "familiar_key", "consent", "ledger"]
        let days: [(table: String, days: Int)] = [
            ("trace_event", 7), ("familiar_key", 180), ("consent", 1827),
        ]
        let begin = world.clock.now
        _ = try await world.redeem(nil, try await world.token().token)
        func there() async throws -> [String] {
            try await world.authority.deleteExpired()
            var there: [String] = []
            for table in kept where try await world.count(table) > 0 { there.append(table) }
            return there
        }
        func advance(to moment: Timestamp) { world.clock.advance(by: moment - world.clock.now) }
        var left = kept
        for (table, days) in days {
            let end = begin + .seconds(Int64(days) * 86400)
            advance(to: end)
            #expect(try await there() == left, "\(table) after \(days) days")
            advance(to: end + .seconds(1))
            left.removeAll { $0 == table }
            #expect(try await there() == left, "\(table) a second later")
        }
        // Whole months of the ledger end, when their last day is old enough.
        let end = begin + .seconds(3653 * 86400)
        advance(to: end)
        #expect(try await there() == ["ledger"])
        #expect(try await world.count("billing_day") == 1)
        let month = CalendarDay(begin).number / 100
        var next = end
        while CalendarDay(next - .seconds(3653 * 86400)).number / 100 == month { next = next + .seconds(3600) }
        advance(to: next - .seconds(3600))
        #expect(try await there() == ["ledger"], "an hour before the month is old enough")
        advance(to: next)
        #expect(try await there() == [])
        #expect(try await world.count("billing_day") == 0)
        #expect(try await world.store.ledgerBegin() == CalendarDay(next - .seconds(3653 * 86400)).number)
        await world.end()
    }
}
