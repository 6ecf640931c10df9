import Authority
import BenjiProtocol
import ServerTestKit
import Store
import Testing

@Suite("Free calls, and the limits of contracts")
struct ContractLimitTests {
    private static let terms = ContractTerms(
        reference: "2026-117", currency: "CNY", rates: [.released: Amount(millionths: 45_000)])
    private static let note = OrderNote(actor: "tester", role: "operator", origin: "a test", order: "app.contract.set")

    /// An authority where an app without a contract has so many free answers a day.
    private func begin(
        free: Int?, _ change: (inout Apps.Registration) -> Void = { _ in }
    ) async throws -> AuthorityWorld {
        try await AuthorityWorld(change).restarted { $0.freeAnswersPerDay = free }
    }

    private func agree(_ world: AuthorityWorld, _ change: (inout ContractTerms) -> Void = { _ in }) async throws {
        var terms = Self.terms
        change(&terms)
        _ = try await world.authority.apps.setContract(
            of: world.app.record.id, from: CalendarDay(world.clock.now), terms, by: Self.note)
    }

    /// How a redemption of a new token ends; `nil` if its number is released.
    private func end(_ world: AuthorityWorld) async throws -> Situation? {
        let token = try await world.token().token
        let app = try await world.authority.registeredApp(world.app.record.id)
        return try await refusal { _ = try await world.redeem(world.serverCall(app), token) }
    }

    @Test("an app without a contract and without a quota has the installation's free answers a day, and no more")
    func freeAnswers() async throws {
        let world = try await begin(free: 2)
        #expect(try await [end(world), end(world), end(world)] == [nil, nil, .quotaExceeded])
        world.clock.advance(by: .seconds(86400))
        #expect(try await end(world) == nil, "the next day has its own")
        await world.end()
    }

    @Test("a quota of the app's own takes the place of the free answers, whichever is larger")
    func ownQuota() async throws {
        for quota in [1, 3] {
            let world = try await begin(free: 2) { $0.dailyQuota = quota }
            for _ in 0..<quota { #expect(try await end(world) == nil) }
            #expect(try await end(world) == .quotaExceeded)
            await world.end()
        }
    }

    @Test("without the setting nothing is limited")
    func noSetting() async throws {
        let world = try await begin(free: nil)
        for _ in 0..<5 { #expect(try await end(world) == nil) }
        await world.end()
    }

    @Test("terms of a contract hold from the very next redemption on, and after its last day the free answers are back")
    func contract() async throws {
        let world = try await begin(free: 1)
        #expect(try await [end(world), end(world)] == [nil, .quotaExceeded])
        try await agree(world) { $0.until = CalendarDay(world.clock.now).number }
        for _ in 0..<3 { #expect(try await end(world) == nil) }
        world.clock.advance(by: .seconds(86400))
        #expect(try await [end(world), end(world)] == [nil, .quotaExceeded])
        await world.end()
    }

    @Test("of the app's own quota and the contract's limit the smaller one holds, and the month's besides")
    func smallest() async throws {
        let own = try await begin(free: nil) { $0.dailyQuota = 1 }
        try await agree(own) { $0.dailyLimit = 5 }
        #expect(try await [end(own), end(own)] == [nil, .quotaExceeded])
        await own.end()
        let agreed = try await begin(free: nil) { $0.dailyQuota = 5 }
        try await agree(agreed) { $0.dailyLimit = 2 }
        #expect(try await [end(agreed), end(agreed), end(agreed)] == [nil, nil, .quotaExceeded])
        await agreed.end()
        let month = try await begin(free: nil)
        // Early in a month.
        month.clock.advance(by: .seconds(86400 * Int64((35 - CalendarDay(month.clock.now).number % 100) % 28)))
        try await agree(month) { $0.monthlyLimit = 3 }
        #expect(try await [end(month), end(month)] == [nil, nil])
        month.clock.advance(by: .seconds(86400))
        #expect(try await [end(month), end(month)] == [nil, .quotaExceeded])
        await month.end()
    }

    @Test(
        "a number has as many tokens a day as the contract says, by every way that issues one, and the next day others")
    func numberLimit() async throws {
        let world = try await begin(free: nil)
        try await agree(world) { $0.dailyLimitPerNumber = 2 }
        func token(_ purpose: TokenPurpose = .login) async throws -> Situation? {
            try await refusal { _ = try await world.token(purpose) }
        }
        #expect(try await token() == nil)
        #expect(try await token(.verification) == nil)
        #expect(try await token() == .numberQuotaExceeded)
        #expect(try await token(.verification) == .numberQuotaExceeded)
        world.clock.advance(by: .seconds(86400))
        #expect(try await token() == nil)
        world.clock.advance(by: .seconds(2 * 86400))
        try await world.authority.deleteExpired()
        #expect(try await world.count("number_day") == 0, "old counts go")
        await world.end()
    }

    @Test("an app without a limit for numbers counts none")
    func noCounts() async throws {
        let world = try await begin(free: 10)
        try await agree(world)
        #expect(try await end(world) == nil)
        #expect(try await world.count("number_day") == 0)
        await world.end()
    }

    @Test("the terms of a day are those added last of all that had begun by then")
    func termsOfDays() {
        var app = AppRecord(
            id: AppID(rawValue: "300000000001")!, name: "app", keys: [], capabilities: [], bundleIDs: [],
            serverAddresses: [], createdAt: Timestamp(milliseconds: 0))
        func entry(_ number: Int, _ from: Int32, until: Int32? = nil, ends: Bool = false) -> ContractEntry {
            var terms = Self.terms
            terms.until = until
            return ContractEntry(
                number: number, from: from, terms: ends ? nil : terms, addedAt: Timestamp(milliseconds: 0))
        }
        app.contract = [
            entry(1, 20_260_101, until: 20_260_228), entry(2, 20_260_401), entry(3, 20_260_315, until: 20_260_630),
            entry(4, 20_260_501, ends: true), entry(5, 20_260_601),
        ]
        let expected: [Int32: Int?] = [
            20_251_231: nil, 20_260_101: 1, 20_260_228: 1, 20_260_301: nil, 20_260_315: 3, 20_260_401: 3,
            20_260_430: 3, 20_260_501: nil, 20_260_531: nil, 20_260_601: 5, 20_270_101: 5,
        ]
        for (day, number) in expected { #expect(app.contract(on: day)?.number == number, "\(day)") }
    }
}
