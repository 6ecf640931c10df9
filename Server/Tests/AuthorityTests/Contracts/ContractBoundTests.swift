import BenjiProtocol
import GRDB
import ServerTestKit
import Store
import Testing

@testable import Authority
@testable import Requests

@Suite("Terms of a contract at the bounds of what may be agreed")
struct ContractBoundTests {
    private static let terms = ContractTerms(
        reference: "2026-117", currency: "CNY", rates: [.released: Amount(millionths: 45_000)])

    @Test("each term is taken at its bound, and refused by its name one beyond it")
    func bounds() {
        let cases: [(String?, (inout ContractTerms) -> Void)] = [
            (nil, { $0.reference = "x" }), (nil, { $0.reference = String(repeating: "x", count: 200) }),
            (
                "reference: 1 to 200 bytes, such as the contract's number",
                { $0.reference = String(repeating: "x", count: 201) }
            ),
            (nil, { $0.rates = [.released: Amount(millionths: 1_000_000_000)] }),
            (
                "rates: at most 1000.00 for one answer",
                { $0.rates = [.released: .zero, .matched: Amount(millionths: 1_000_000_001)] }
            ),
            (nil, { ($0.dailyLimit, $0.monthlyLimit, $0.dailyLimitPerNumber) = (1, 1, 1) }),
            (nil, { $0.dailyLimit = 1_000_000_000 }), ("daily-limit: 1 to 1000000000", { $0.dailyLimit = 0 }),
            ("daily-limit: 1 to 1000000000", { $0.dailyLimit = 1_000_000_001 }),
            (nil, { $0.monthlyLimit = 9_000_000_000 }), ("monthly-limit: 1 to 9000000000", { $0.monthlyLimit = 0 }),
            ("monthly-limit: 1 to 9000000000", { $0.monthlyLimit = 9_000_000_001 }),
            (nil, { $0.dailyLimitPerNumber = 1_000_000_000 }),
            ("daily-limit-per-number: 1 to 1000000000", { $0.dailyLimitPerNumber = 0 }),
            ("daily-limit-per-number: 1 to 1000000000", { $0.dailyLimitPerNumber = 1_000_000_001 }),
        ]
        for (place, (problem, change)) in cases.enumerated() {
            var (terms, said) = (Self.terms, String?.none)
            change(&terms)
            do throws(Refusal) { try ContractRules.check(terms) } catch { said = error.detail }
            #expect(said == problem, "case \(place)")
        }
    }

    @Test("terms may end on their first day, and a refused day is refused for what is wrong with it")
    func days() async throws {
        let world = try await AuthorityWorld()
        let (apps, id, today) = (world.authority.apps, world.app.record.id, CalendarDay(world.clock.now))
        func refused(_ body: () async throws -> Void) async throws -> String? {
            do { try await body() } catch let refusal as Refusal { return refusal.detail }
            return nil
        }
        var terms = Self.terms
        terms.until = today.number
        let ending = terms
        #expect(try await refused { _ = try await apps.setContract(of: id, from: today, ending, by: .test) } == nil)
        #expect(
            try await refused { _ = try await apps.setContract(of: id, from: today.next, ending, by: .test) }
                == "until: \(today) is before the first day, \(today.next)")
        #expect(
            try await refused { _ = try await apps.setContract(of: id, from: today.previous, Self.terms, by: .test) }
                == "from: \(today.previous) is over; terms hold from today on, or from a later day")
        #expect(
            try await refused { _ = try await apps.endContract(of: id, after: today.previous, by: .test) }
                == "last-day: \(today.previous) is over; a day that was is never billed otherwise")
        #expect(
            try await refused { _ = try await apps.endContract(of: id, after: today, by: .test) }
                == "the app has no contract on \(today.next) that could be ended")
        await world.end()
    }

    @Test("the entries of a contract are counted from 1, and there are a thousand at most")
    func entries() async throws {
        let world = try await AuthorityWorld()
        let id = world.app.record.id
        for number in [1, 2] {
            let app = try await world.authority.apps.setContract(of: id, from: nil, Self.terms, by: .test)
            #expect(app.record.contract.last?.number == number)
        }
        let queue = try DatabaseQueue(path: world.directory + "/benji.sqlite")
        try await queue.write { db in
            for number in 3...999 {
                try db.execute(
                    sql: "INSERT INTO app_contract (app, number, from_day, added_at) VALUES (?, ?, 20260101, 0)",
                    arguments: [id.rawValue, number])
            }
        }
        try queue.close()
        let apps = world.restarted().authority.apps
        let last = try await apps.setContract(of: id, from: nil, Self.terms, by: .test)
        #expect(last.record.contract.map(\.number) == Array(1...1000))
        await #expect(throws: Refusal(.parameterInvalid, "the app's contract has 1000 entries already")) {
            _ = try await apps.setContract(of: id, from: nil, Self.terms, by: .test)
        }
        await world.end()
    }
}
