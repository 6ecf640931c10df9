import Administration
import Authority
@_spi(Server) import BenjiProtocol
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Testing

@testable import Requests

@Suite("Evidence that can be read")
struct EvidenceTests {
    /// A login that ended well, and its trace.
    private func login(_ world: AdministrationWorld) async throws -> TraceID {
        let response = try await world.world.token()
        _ = try await world.world.redeem(world.call(), response.token)
        return response.trace
    }

    private func text(_ json: JSON, _ names: String...) -> [String?] { names.map { json[$0]?.stringValue } }

    @Test("a login is told step by step to whom it concerns, and is no login to a developer of another app")
    func story() async throws {
        let world = try await AdministrationWorld()
        let trace = try await login(world)
        let told = try await world.order(ShowTrace(trace), by: world.caller(.support))
        let steps = told["events"]?.arrayValue?.compactMap { $0["step"]?.stringValue }
        #expect(steps == ["sighting", "prefetch", "consent", "authorize", "test"])
        #expect(told["app"]?.stringValue == world.app.rawValue)
        let other = try await world.authority.apps.register(Apps.Registration(name: "other")).record.id
        let developer = world.caller(.developer, apps: [other])
        #expect(try await world.refused(ShowTrace(trace, app: other), by: developer) == .processIDUnknown)
        #expect(try await world.refused(ShowTrace(trace), by: developer) == .orderNotPermitted)
        #expect(try await world.refused(ShowConsents(trace, app: other), by: developer) == .consentMissing)
        await world.end()
    }

    @Test("a login whose server was answered went well, and what was refused after that is told besides")
    func askedAgain() async throws {
        let world = try await AdministrationWorld()
        let response = try await world.world.token()
        _ = try await world.world.redeem(world.call(), response.token)
        #expect(
            try await world.order(ShowTrace(response.trace))["outcome"]?.text
                == #"{"step":"test","situation":"success"}"#)
        #expect(try await refusal { _ = try await world.world.redeem(world.call(), response.token) } == .tokenSpent)
        let outcome = #""step":"test","situation":"success","then":{"step":"test","situation":"token_spent"}}"#
        #expect(try await world.order(ShowTrace(response.trace))["outcome"]?.text == "{" + outcome)
        let found = try await world.order(FindTraces(TraceFilter(app: world.app)))["traces"]?.arrayValue ?? []
        #expect(found.count == 1 && found.first?.text.hasSuffix("," + outcome) == true)
        let spent = try await world.order(FindTraces(TraceFilter(app: world.app, situations: [.tokenSpent])))
        #expect(spent["traces"]?.arrayValue == found, "it is found by what was refused, too")
        await world.end()
    }

    @Test("logins go on after the last one that was told, if that is one of the app's that is asked about")
    func after() async throws {
        let world = try await AdministrationWorld()
        var traces: [TraceID] = []
        for _ in 0..<3 { traces.append(try await login(world)) }
        let found = try await world.order(FindTraces(TraceFilter(app: world.app, after: traces[2]), limit: 1))
        #expect(found["traces"]?.arrayValue?.map { text($0, "trace") } == [[traces[1].rawValue]])
        let other = try await world.authority.apps.register(Apps.Registration(name: "other")).record.id
        let developer = world.caller(.developer, apps: [other])
        let strange = FindTraces(TraceFilter(app: other, after: traces[2]))
        #expect(try await world.refused(strange, by: developer) == .processIDUnknown)
        let gone = FindTraces(TraceFilter(after: TraceID(rawValue: String(repeating: "f", count: 32))))
        #expect(try await world.refused(gone) == .processIDUnknown)
        await world.end()
    }

    @Test("logins are found by number; the audit log says that somebody looked, without the number")
    func byNumber() async throws {
        let world = try await AdministrationWorld()
        let trace = try await login(world)
        let support = world.caller(.support)
        let found = try await world.order(FindTraces(TraceFilter(), number: AuthorityWorld.number), by: support)
        #expect(found["traces"]?.arrayValue?.map { text($0, "trace", "situation") } == [[trace.rawValue, "success"]])
        let unknown = FindTraces(TraceFilter(), number: AuthorityWorld.otherNumber)
        #expect(try await world.refused(unknown, by: support) == .numberUnknown)
        let developer = world.caller(.developer, apps: [world.app])
        let own = FindTraces(TraceFilter(app: world.app), number: AuthorityWorld.number)
        #expect(try await world.refused(own, by: developer) == .orderNotPermitted)
        let lines = try await world.lines()
        #expect(lines.map(\.outcome) == [.orderNotPermitted, .success, .success])
        let subjects = [nil, "a number that nobody has", "subscription \(world.world.subscription.subscription)"]
        #expect(lines.map(\.subject) == subjects)
        await world.end()
    }

    @Test("a page of the audit log ends where its lines become too long together, and its cursor goes on there")
    func longLines() async throws {
        let world = try await AdministrationWorld()
        // As an earlier version wrote long lists.
        let long = #"{"bundles":["\#(String(repeating: "x", count: 1 << 20))"]}"#
        for _ in 0..<9 {
            try await world.world.store.appendAudit(
                AuditEntry(
                    at: world.clock.now, actor: "dev", role: "developer", origin: "a test", order: "app.set",
                    app: world.app, after: long))
        }
        var (counts, cursor): ([Int], Int64?) = ([], nil)
        repeat {
            let page = try await world.order(ListAudit(AuditFilter(actor: "dev"), before: cursor, limit: 500))
            #expect(page.text.utf8.count < ListAudit.maximumBytes + 10_000)
            counts.append(page["entries"]?.arrayValue?.count ?? 0)
            cursor = page["next"]?.integerValue
        } while cursor != nil
        #expect(counts == [3, 3, 3])
        await world.end()
    }

    @Test("what concerns a person is not answered if the look cannot be written down")
    func unwrittenLooks() async throws {
        let world = try await AdministrationWorld()
        let trace = try await login(world)
        let looks: [any Order] = [
            FindTraces(TraceFilter(), number: AuthorityWorld.number), ShowConsents(trace),
            ShowNumber(AuthorityWorld.number),
        ]
        for look in looks { #expect(try await world.refused(look) == nil, "\(type(of: look).name)") }
        let lines = try await world.lines().count
        try await world.database(
            "CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'the disk is full'); END")
        for look in looks { #expect(try await world.refused(look) == .internalError, "\(type(of: look).name)") }
        #expect(try await world.refused(ShowTrace(trace)) == nil, "a look that is not written down goes on")
        #expect(try await world.lines().count == lines)
        await world.end()
    }

    @Test("the audit log says which orders there are when it is asked for one that there is not")
    func misspeltOrder() async throws {
        let world = try await AdministrationWorld()
        #expect(try await world.refused(ListAudit(AuditFilter(order: "app.suspended"))) == .parameterInvalid)
        do { try await world.order(ListAudit(AuditFilter(order: "app.suspended"))) } catch {
            #expect(error.detail.contains("app.resume, ") && error.detail.contains("app.suspend, "))
        }
        for order in ["app.suspend", "app.erase", "number.port"] {
            let found = try await world.order(ListAudit(AuditFilter(order: order)))
            #expect(found["entries"]?.arrayValue?.isEmpty == true, "\(order)")
        }
        // As an earlier version may have called one.
        let old = OrderNote(actor: "ops", role: "operator", origin: "a test", order: "app.freeze")
        try await world.world.store.appendAudit(old.entry(at: world.clock.now))
        let found = try await world.order(ListAudit(AuditFilter(order: "app.freeze")))
        #expect(found["entries"]?.arrayValue?.count == 1)
        await world.end()
    }

    @Test("a statement counts the ledger's lines of a month in UTC+8 and says on which day the quota's count differs")
    func statement() async throws {
        let world = try await AdministrationWorld()
        for _ in 0..<2 { _ = try await login(world) }
        let day = CalendarDay(world.clock.now)
        let (year, month) = (Int(day.number / 10_000), Int(day.number / 100 % 100))
        let order = Statement(world.app, year: year, month: month)
        let agreed = try await world.order(order, by: world.caller(.auditor))
        #expect(agreed["answers"] == 2 && agreed["reconciled"] == true && agreed["differingDays"] == nil)
        #expect(agreed["days"]?[day.description] == 2)
        let line = JSON.object(["interface": "test", "result": "released", "answers": 2])
        #expect(agreed["lines"] == .array([line]))
        let daily = JSON.object([
            "day": .string(day.description), "interface": "test", "result": "released", "answers": 2,
        ])
        #expect(agreed["daily"] == .array([daily]))
        // Nothing changes once the lines are in sums, and a line that is in none yet is counted with them.
        _ = try await world.world.authority.sumLedger()
        #expect(try await world.order(order) == agreed)
        try await world.database("UPDATE billing_day SET answered = 3")
        let differing = try await world.order(order)
        #expect(differing["reconciled"] == false && differing["answers"] == 2)
        #expect(differing["differingDays"] == .array([.string(day.description)]))
        let earlier = try await world.order(Statement(world.app, year: year - 1, month: month))
        #expect(earlier["answers"] == 0 && earlier["reconciled"] == true)
        #expect(try await world.refused(Statement(world.app, year: year, month: 13)) == .parameterInvalid)
        await world.end()
    }

    @Test("a consent is shown as the person's phone signed it, and each look at it has a line")
    func consent() async throws {
        let world = try await AdministrationWorld()
        let trace = try await login(world)
        let shown = try await world.order(ShowConsents(trace), by: world.caller(.auditor), reason: "a complaint")
        let consent = try #require(shown["consents"]?.arrayValue?.first)
        #expect(consent["shown"]?["contentDigest"] == consent["contentDigest"])
        let record = try #require(consent["record"]?.stringValue)
        #expect(try CompactJWS(parsing: record).isSigned(by: world.world.phone.publicKey))
        let line = try #require(try await world.lines().first)
        #expect(line.order == "consent.show" && line.reason == "a complaint" && line.outcome == .success)
        await world.end()
    }

    @Test("lists come page by page, each page from where the one before ended")
    func pages() async throws {
        let world = try await AdministrationWorld()
        for _ in 0..<3 { _ = try await login(world) }
        let first = try await world.order(ListLedger(world.app, limit: 2))
        let next = try #require(first["next"]?.integerValue)
        let second = try await world.order(ListLedger(world.app, before: next, limit: 2))
        func ids(_ page: JSON) -> [Int64] { page["entries"]?.arrayValue?.compactMap { $0["id"]?.integerValue } ?? [] }
        #expect(ids(first) + ids(second) == (ids(first) + ids(second)).sorted(by: >))
        #expect(ids(first).count == 2 && ids(second).count == 1 && second["next"] == nil)
        for limit in [0, 501] {
            #expect(try await world.refused(ListAudit(limit: limit)) == .parameterInvalid)
            #expect(try await world.refused(FindTraces(TraceFilter(), limit: limit)) == .parameterInvalid)
        }
        await world.end()
    }
}
