import Administration
import Authority
import BenjiProtocol
import ServerTestKit
import Store
import Testing

@testable import Requests

@Suite("Contracts of apps, and what answers cost by them")
struct ContractOrderTests {
    private static let rates = ["released": "0.045", "matched": "0.02"]

    private func day(_ world: AdministrationWorld) -> CalendarDay { CalendarDay(world.clock.now) }

    private func terms(
        _ world: AdministrationWorld, _ reference: String = "2026-117", from: CalendarDay? = nil,
        _ change: (inout SetContract) -> Void = { _ in }
    ) -> SetContract {
        var order = SetContract(
            world.app, reference: reference, from: from, currency: "CNY", rates: Self.rates)
        change(&order)
        return order
    }

    private func login(_ world: AdministrationWorld) async throws {
        _ = try await world.world.redeem(world.call(), try await world.world.token().token)
    }

    private func bill(_ world: AdministrationWorld) async throws -> JSON {
        let day = CalendarDay(world.clock.now)
        return try await world.order(
            Statement(world.app, year: Int(day.number / 10_000), month: Int(day.number / 100 % 100)))
    }

    @Test("terms begin tomorrow unless somebody says otherwise, and today only where no terms hold today")
    func firstDays() async throws {
        let world = try await AdministrationWorld()
        let today = day(world)
        let begun = try await world.order(terms(world))
        #expect(begun["entry"] == .null && begun["next"]?["from"]?.stringValue == today.next.description)
        // In the place of those that have not begun.
        let now = try await world.order(terms(world, "second", from: today))
        #expect(now["entry"]?["reference"] == "second" && now["next"] == nil, "an entry ends all before it")
        #expect(try await world.refused(terms(world, from: today)) == .parameterInvalid)
        #expect(try await world.refused(terms(world, from: today.previous)) == .parameterInvalid)
        let third = try await world.order(terms(world, "third"))
        #expect(third["entry"]?["reference"] == "second" && third["next"]?["reference"] == "third")
        let shown = try await world.order(ShowContract(world.app, day: today.next))
        #expect(shown["entry"]?["reference"] == "third")
        let entries = try await world.order(ListContract(world.app))["entries"]?.arrayValue ?? []
        #expect(entries.map { $0["reference"]?.stringValue } == ["2026-117", "second", "third"])
        await world.end()
    }

    @Test("what was added is never changed, also not by whoever writes an app as it was read before")
    func appendOnly() async throws {
        let world = try await AdministrationWorld()
        try await world.order(terms(world, from: day(world)))
        let before = try await world.order(ListContract(world.app))
        var record = try await world.authority.apps.find(world.app).record
        record.contract[0].terms?.rates[.released] = .zero
        record.contract[0].from = 20_990_101
        try await world.world.store.updateApp(record)
        #expect(try await world.order(ListContract(world.app)) == before)
        await world.end()
    }

    @Test("terms that cannot be are refused, each with the member that is wrong")
    func wrongTerms() async throws {
        let world = try await AdministrationWorld()
        let wrong: [(String, (inout SetContract) -> Void)] = [
            ("reference", { $0.reference = "" }), ("reference", { $0.reference = "a\nb" }),
            ("reference", { $0.reference = String(repeating: "x", count: 201) }),
            ("reference", { $0.reference = "2026\u{202e}-117" }), ("reference", { $0.reference = "2026\u{200b}-117" }),
            ("reference", { $0.reference = " 2026-117" }), ("currency", { $0.currency = "CNX" }),
            ("currency", { $0.currency = "cny" }), ("rates", { $0.rates = [:] }),
            ("rates", { $0.rates = ["relased": "1"] }), ("rates.sent", { $0.rates = ["sent": "1e3"] }),
            ("rates.sent", { $0.rates = ["sent": "-1"] }), ("rates.sent", { $0.rates = ["sent": "0.0000001"] }),
            ("rates.sent", { $0.rates = ["sent": ".5"] }), ("rates.sent", { $0.rates = ["sent": "1.2.3"] }),
            ("rates", { $0.rates = ["sent": "1000.000001"] }), ("daily-limit", { $0.dailyLimit = 0 }),
            ("daily-limit", { $0.dailyLimit = .max }), ("monthly-limit", { $0.monthlyLimit = 9_000_000_001 }),
            ("monthly-limit", { $0.monthlyLimit = -1 }), ("daily-limit-per-number", { $0.dailyLimitPerNumber = 0 }),
            ("until", { $0.until = CalendarDay("2020-01-01") }),
        ]
        for (member, change) in wrong {
            do {
                try await world.order(terms(world, "2026-117", from: nil, change))
                Issue.record("\(member) was taken")
            } catch { #expect(error.detail.hasPrefix("\(member): "), "\(error.detail)") }
        }
        #expect(try await world.order(ListContract(world.app))["entries"] == .array([]))
        await world.end()
    }

    @Test(
        """
        a contract ends after its last day; what is not there cannot be ended, and a day that is over cannot be the last
        """
    )
    func ends() async throws {
        let world = try await AdministrationWorld()
        let today = day(world)
        #expect(try await world.refused(EndContract(world.app)) == .parameterInvalid)
        try await world.order(terms(world, from: today) { $0.dailyLimit = 7 })
        #expect(try await world.refused(EndContract(world.app, lastDay: today.previous)) == .parameterInvalid)
        let ended = try await world.order(EndContract(world.app))
        #expect(ended["entry"]?["reference"] == "2026-117" && ended["dailyQuota"] == 7)
        #expect(ended["next"]?["isEnd"] == true && ended["next"]?["from"]?.stringValue == today.next.description)
        let shown = try await world.order(ShowContract(world.app, day: today.next))
        #expect(shown["entry"] == .null && shown["dailyQuota"] == nil)
        await world.end()
    }

    @Test("each order leaves one line with what it changed")
    func lines() async throws {
        let world = try await AdministrationWorld()
        try await world.order(terms(world, from: day(world)), reason: "signed")
        let line = try #require(try await world.lines().first)
        #expect(line.order == "app.contract.set" && line.app == world.app && line.reason == "signed")
        #expect(line.after?.contains(#""reference":"2026-117""#) == true && line.after?.contains("0.045") == true)
        await world.end()
    }

    @Test(
        """
        a statement charges each answer by the terms of its day, exactly, and those of days without a contract are free
        """
    )
    func statement() async throws {
        let world = try await AdministrationWorld()
        // Far from the end of a month.
        world.clock.advance(by: .seconds(86400 * Int64((35 - day(world).number % 100) % 28)))
        try await login(world)
        try await world.order(terms(world))
        try await world.order(
            terms(world, "next", from: day(world).next.next) {
                $0.rates = ["released": "0.000001"]
                $0.currency = "EUR"
            })
        try await world.order(EndContract(world.app, lastDay: day(world).next.next))
        for count in [3, 2, 1] {
            world.clock.advance(by: .seconds(86400))
            for _ in 0..<count { try await login(world) }
        }
        let said = try await bill(world)
        #expect(said["answers"] == 7 && said["free"] == 2 && said["reconciled"] == true)
        func text(_ value: JSON, _ names: String...) -> [String?] { names.map { value[$0]?.stringValue } }
        let charges = said["charges"]?.arrayValue ?? []
        #expect(
            charges.map { text($0, "reference", "result", "currency", "rate", "amount") } == [
                ["2026-117", "released", "CNY", "0.045", "0.135"], ["next", "released", "EUR", "0.000001", "0.000002"],
            ])
        #expect(charges.map { $0["answers"] } == [3, 2])
        let totals = said["totals"]?.arrayValue ?? []
        #expect(totals.map { text($0, "currency", "amount") } == [["CNY", "0.135"], ["EUR", "0.000002"]])
        let daily = said["daily"]?.arrayValue ?? []
        #expect(daily.map { text($0, "amount")[0] } == [nil, "0.135", "0.000002", nil])
        await world.end()
    }

    @Test("an answer without a rate is counted and named, and is part of no sum")
    func unrated() async throws {
        let world = try await AdministrationWorld()
        try await world.order(terms(world, from: day(world)) { $0.rates = ["matched": "0.02"] })
        try await login(world)
        let said = try await bill(world)
        let charge = try #require(said["charges"]?.arrayValue?.first)
        #expect(charge["answers"] == 1 && charge["rate"] == nil && charge["amount"] == nil && said["free"] == 0)
        #expect(said["totals"]?.arrayValue?.first?["amount"] == "0.00")
        await world.end()
    }

    @Test(
        "amounts are read and written exactly",
        arguments: [
            ("0", "0.00"), ("1", "1.00"), ("0.5", "0.50"), ("0.045", "0.045"), ("999999999.999999", "999999999.999999"),
            ("0.100000", "0.10"), ("007", "7.00"),
        ])
    func amounts(text: String, written: String) {
        #expect(Amount(text)?.description == written)
    }

    @Test("a sum of many answers is exact where a floating-point number is not")
    func manyAnswers() {
        let rate = Amount("0.1")!
        #expect((rate * 3).description == "0.30" && (0.1 * 3).description != "0.3")
        #expect((Amount("1000")! * 9_000_000_000).description == "9000000000000.00")
        let sum = (0..<1_000_000).reduce(Amount.zero) { sum, _ in sum + Amount("0.000001")! }
        #expect(sum.description == "1.00")
    }

    @Test("days are read as they are written, and what is no day is not")
    func days() {
        for text in ["2026-11-21", "2028-02-29", "2026-12-31"] {
            #expect(CalendarDay(text)?.description == text)
        }
        for text in [
            "2026-02-29", "2026-13-01", "2026-00-10", "2026-11-00", "2026-1-1", "1999-12-31", "2026-11-2x",
            "+026-11-21",
        ] { #expect(CalendarDay(text) == nil, "\(text)") }
        #expect(CalendarDay("2026-12-31")?.next.description == "2027-01-01")
        #expect(CalendarDay("2027-01-01")?.previous.description == "2026-12-31")
    }
}
