@_spi(Server) import BenjiProtocol
import Logging
import ServerTestKit
import Store
import Testing

@testable import Authority

@Suite("Counts of logins on their way to the store")
struct LoginCountsTests {
    /// Keeps each write, and refuses those that it is told to.
    private actor CountBook: LoginCountStore {
        private(set) var writes: [[LoginCount]] = []
        private var refused: Set<Int>

        /// - Parameter refused: writes that fail, counted from one.
        init(refusing refused: Set<Int> = []) { self.refused = refused }

        var kept: [LoginCount] { writes.flatMap(\.self) }

        func addLoginCounts(_ counts: [LoginCount]) async throws(StoreError) {
            if refused.contains(writes.count + 1) {
                refused = []
                throw StoreError(.unavailable, "a test")
            }
            writes.append(counts)
        }

        func loginCounts(of app: AppID, hours: Range<Int64>) async throws(StoreError) -> [LoginCount] { [] }
        func loginCounts(
            hours: Range<Int64>, unit: Int64, offset: Int64
        ) async throws(StoreError) -> [LoginCount] { [] }
    }

    private static let app = AppID(rawValue: "300000000001")!
    private static let logger = AuthorityWorld.logger

    /// Counts one step each of these names, of one app in the same hour.
    private func count(_ steps: some Sequence<String>, in counts: LoginCounts, app: AppID? = Self.app) {
        let subject = RequestSubject()
        if let app { subject.note(app: app) }
        let event = TraceEvent(
            trace: TraceID(rawValue: String(repeating: "a", count: 32))!, at: Timestamp(seconds: 7200),
            party: .authority, step: "", situation: .success, detail: "")
        RequestSubject.$current.withValue(subject) {
            for step in steps {
                var event = event
                event.step = step
                counts.count(event)
            }
        }
    }

    private func byStep(_ counts: [LoginCount]) -> [String: Int] {
        Dictionary(counts.map { ($0.step, $0.count) }, uniquingKeysWith: +)
    }

    @Test("steps that are alike are one count, and each is written once; a step of no registered app is none")
    func sums() async throws {
        let (counts, store) = (LoginCounts(), CountBook())
        #expect(counts.writes == 0)
        count(["a", "b", "a", "a"], in: counts)
        count(["c"], in: counts, app: nil)
        try await counts.write(to: store, Self.logger)
        let expected = [("a", 3), ("b", 1)].map { step, count in
            LoginCount(
                app: Self.app, hour: 2, carrier: nil, party: .authority, step: step, situation: .success, count: count)
        }
        #expect(await Set(store.kept) == Set(expected) && counts.writes == 1)
        try await counts.write(to: store, Self.logger)
        #expect(await store.writes.count == 1 && counts.writes == 2)
        count(["a"], in: counts)
        try await counts.write(to: store, Self.logger)
        #expect(await byStep(store.kept) == ["a": 4, "b": 1])
    }

    @Test("five hundred counts are written at a time, and those of a failed write and behind it the next time")
    func slices() async throws {
        let steps = (0..<1001).map { "step \($0)" }
        let (counts, store) = (LoginCounts(), CountBook(refusing: [2]))
        count(steps + steps, in: counts)
        await #expect(throws: StoreError.self) { try await counts.write(to: store, Self.logger) }
        #expect(await store.writes.map(\.count) == [500])
        // New counts are added to those that could not be written.
        count(steps, in: counts)
        try await counts.write(to: store, Self.logger)
        #expect(await store.writes.map(\.count) == [500, 500, 500, 1])
        #expect(await byStep(store.kept) == Dictionary(uniqueKeysWithValues: steps.map { ($0, 3) }))
    }

    @Test("fifty thousand different counts wait at the most; a step that begins another is lost, and the log says so")
    func limit() async throws {
        #expect(LoginCounts.limit == 50_000)
        let (counts, store, log) = (LoginCounts(), CountBook(), LogBook())
        count((0..<50_000).lazy.map { "\($0)" }, in: counts)
        count(["7", "50000"], in: counts)
        try await counts.write(to: store, log.logger)
        let sums = await byStep(store.kept)
        #expect(sums.count == 50_000 && sums["7"] == 2 && sums["49999"] == 1 && sums["50000"] == nil)
        #expect(log.lines == ["warning steps of logins were not counted for charts steps=1"])
        count(["50000"], in: counts)
        try await counts.write(to: store, log.logger)
        #expect(await byStep(store.kept)["50000"] == 1, "there is room again")
        #expect(log.lines.count == 1, "nothing more was lost")
    }
}
