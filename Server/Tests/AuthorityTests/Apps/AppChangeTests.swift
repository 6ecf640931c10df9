@_spi(Server) import BenjiProtocol
import GRDB
import ServerTestKit
import Store
import StoreSQLite
import Synchronization
import Testing

@testable import Authority

@Suite("How an app is registered, changed and erased")
struct AppChangeTests {
    /// Counts how often something was tried.
    private final class Attempts: Sendable {
        private let state = Mutex(0)
        var count: Int { state.withLock { $0 } }

        func next() -> Int {
            state.withLock { count in
                count += 1
                return count
            }
        }
    }

    /// Random bytes that are all the same.
    private struct Same: RandomSource {
        let byte: UInt8
        func bytes(_ count: Int) -> [UInt8] { Array(repeating: byte, count: count) }
    }

    @Test(
        """
        a drawn id that is taken is drawn again, and a changed master key learned; a taken id that was given is refused
        """
    )
    func registering() async throws {
        try await withWorld { world async throws in
            /// How a registration ends whose writes fail so, and how many there were.
            func end(
                _ failures: [StoreError.Code], _ change: (inout Apps.Registration) -> Void = { _ in }
            ) async throws -> String {
                var registration = Apps.Registration(name: "x")
                change(&registration)
                let (attempts, store, wanted) = (Attempts(), world.store, registration)
                let write: (AppRecord, AuditEntry) async throws(StoreError) -> Void = {
                    record, line throws(StoreError) in
                    let number = attempts.next()
                    if number <= failures.count { throw StoreError(failures[number - 1], "a test") }
                    try await store.createApp(record, audit: line)
                }
                let situation = try await refusal {
                    _ = try await world.authority.apps.register(wanted, by: .test, writingBy: write)
                }
                return "\(situation?.rawValue ?? "registered") \(attempts.count)"
            }
            #expect(try await end([]) == "registered 1")
            #expect(try await end([.keyChanged]) == "registered 2")
            #expect(try await end([.alreadyExists, .alreadyExists]) == "registered 3")
            let taken = "\(Situation.parameterInvalid.rawValue) 1"
            #expect(try await end([.alreadyExists]) { $0.id = AppID(rawValue: "300000000077") } == taken)
            #expect(try await end([.alreadyExists]) { $0.sourceIDs = ["77"] } == taken)
            #expect(
                try await end(Array(repeating: .alreadyExists, count: 16)) == "\(Situation.internalError.rawValue) 16")
            #expect(try await end([.unavailable]) == "\(Situation.storeUnavailable.rawValue) 1")
            #expect(try await end([.corrupt]) == "\(Situation.internalError.rawValue) 1")
        }
    }

    @Test("an app's id is 3000 and eight digits, and its keys are 32 letters and digits each")
    func drawn() async throws {
        try await withWorld { world async throws in
            func register(_ byte: UInt8) async throws -> RegisteredApp {
                try await Apps(store: world.store, vault: world.vault, clock: world.clock, random: Same(byte: byte))
                    .register(Apps.Registration(name: "x"), by: .test)
            }
            #expect(try await register(10).record.id.rawValue == "300000000000")
            #expect(try await register(9).record.id.rawValue == "300099999999")
            #expect(try await refusal { _ = try await register(10) } == .internalError, "no other id is drawn")
            for key in [world.app.key, world.app.serverSecret] {
                #expect(key.reveal().wholeMatch(of: /[0-9A-Za-z]{32}/) != nil)
            }
            #expect(world.app.record.keys.map(\.version) == [1, 1] && world.app.key != world.app.serverSecret)
        }
    }

    @Test("a change is made again from the app as it is then, two hundred times at the most")
    func changing() async throws {
        try await withWorld { world async throws in
            let id = world.app.record.id
            func end(_ failures: Int, _ code: StoreError.Code) async throws -> String {
                let (attempts, store) = (Attempts(), world.store)
                let write: (AppRecord, AuditEntry) async throws(StoreError) -> Void = {
                    record, line throws(StoreError) in
                    if attempts.next() <= failures { throw StoreError(code, "a test") }
                    try await store.updateApp(record, event: nil, audit: line)
                }
                let situation = try await refusal {
                    try await world.authority.apps.change(id, by: .test, writingBy: write) { $0.name += "x" }
                }
                return "\(situation?.rawValue ?? "changed") \(attempts.count)"
            }
            #expect(try await end(0, .outdated) == "changed 1")
            #expect(try await end(2, .outdated) == "changed 3")
            #expect(try await end(2, .keyChanged) == "changed 3")
            #expect(try await world.authority.apps.find(id).record.name == "Shopxxx")
            #expect(try await end(.max, .outdated) == "\(Situation.overloaded.rawValue) 200")
            #expect(try await end(1, .alreadyExists) == "\(Situation.parameterInvalid.rawValue) 1")
            #expect(try await end(1, .unavailable) == "\(Situation.storeUnavailable.rawValue) 1")
            #expect(try await end(1, .notFound) == "\(Situation.internalError.rawValue) 1")
            #expect(try await world.authority.apps.find(id).record.name == "Shopxxx")
        }
    }

    @Test("an order that changes nothing leaves a line and the revision as it was; one with a write of its own writes")
    func unchanged() async throws {
        try await withWorld { world async throws in
            let (apps, id) = (world.authority.apps, world.app.record.id)
            func lines() async throws -> Int {
                try await (world.store as any Store).auditEntries(AuditFilter(app: id), before: nil, limit: 99).count
            }
            let (before, revision) = (try await lines(), try await apps.find(id).record.revision)
            let same = try await apps.change(id, by: .test) { _ in }
            #expect(same.record.revision == revision && same.key == world.app.key)
            #expect(try await apps.find(id).record.revision == revision)
            #expect(try await lines() == before + 1)
            let changed = try await apps.change(id, by: .test) { $0.name = "y" }
            #expect(changed.record.revision == revision + 1)
            #expect(try await apps.find(id).record.revision == revision + 1)
            let (attempts, store) = (Attempts(), world.store)
            let write: (AppRecord, AuditEntry) async throws(StoreError) -> Void = { record, line throws(StoreError) in
                _ = attempts.next()
                try await store.updateApp(record, event: nil, audit: line)
            }
            try await apps.change(id, by: .test, writingBy: write) { _ in }
            #expect(attempts.count == 1)
            #expect(try await lines() == before + 3)
            #expect(
                try await refusal { try await apps.change(id, by: .test) { $0.serverAddresses = ["10.0.0.0/8"] } }
                    == .parameterInvalid, "nobody said that the wide block is meant")
            #expect(
                try await refusal { try await apps.change(id, by: .test) { $0.name = "" } } == .parameterInvalid)
            let nobody = try #require(AppID(rawValue: "300000000088"))
            #expect(try await refusal { try await apps.change(nobody, by: .test) { _ in } } == .appUnknown)
        }
    }

    @Test("an app is erased at the moment that its deletion ends; its name and id stay, and nothing of it is answered")
    func erasing() async throws {
        try await withWorld { world async throws in
            let (apps, id) = (world.authority.apps, world.app.record.id)
            let end = world.clock.now + .seconds(60)
            try await apps.change(id, by: .test) { $0.deletedAfter = end }
            #expect(try await refusal { _ = try await world.prefetch() } == .appSuspended)
            world.clock.advance(by: .milliseconds(59_999))
            try await apps.eraseDeleted()
            #expect(try await apps.find(id).record.keys.count == 2)
            world.clock.advance(by: .milliseconds(1))
            try await apps.eraseDeleted()
            let left = try #require(try await world.store.app(id))
            #expect(left.keys.isEmpty && left.suspended && !left.allowed && left.capabilities.isEmpty)
            #expect(left.bundleIDs.isEmpty && left.serverAddresses.isEmpty && left.attesters.isEmpty)
            #expect(left.name == "Shop" && left.deletedAfter == end && left.createdAt == world.app.record.createdAt)
            #expect(try await refusal { _ = try await apps.find(id) } == .appUnknown)
            #expect(try await refusal { try await apps.change(id, by: .test) { $0.suspended = false } } == .appUnknown)
            #expect(try await apps.all().isEmpty)
            let line = try await (world.store as any Store).auditEntries(
                AuditFilter(app: id), before: nil, limit: 1
            ).first
            #expect(line?.order == "app.erase" && line?.actor == "benji" && line?.before?.contains("bundles") == true)
            let before = try await apps.store.appRevision(id)
            try await apps.eraseDeleted()
            #expect(try await apps.store.appRevision(id) == before, "once")
        }
    }

    @Test("an app that has no key for phones is a fault of the installation, and no unknown one")
    func keyless() async throws {
        for uses in [[], [AppKeyUse.server]] {
            try await withWorld { world async throws in
                let id = world.app.record.id
                try await world.change { app in app.keys.removeAll { !uses.contains($0.use) } }
                #expect(try await refusal { _ = try await world.authority.apps.find(id) } == .internalError)
            }
        }
    }

    @Test("the app of a request is noted for its metrics once it is found, read or remembered, and not what is named")
    func subjects() async throws {
        try await withWorld { world async throws in
            let (apps, id) = (world.authority.apps, world.app.record.id)
            let nobody = try #require(AppID(rawValue: "300000000088"))
            func remembered(_ app: AppID) -> AppID? {
                let subject = RequestSubject()
                RequestSubject.$current.withValue(subject) { _ = apps.remembered(app) }
                return subject.app
            }
            for (wanted, found) in [(id, id), (nobody, nil)] as [(AppID, AppID?)] {
                let subject = RequestSubject()
                await RequestSubject.$current.withValue(subject) { _ = try? await apps.find(wanted) }
                #expect(subject.app == found && remembered(wanted) == found)
            }
        }
    }

    @Test("days of use that the store did not take are written the next time")
    func usages() async throws {
        try await withWorld { world async throws in
            let (apps, id) = (world.authority.apps, world.app.record.id)
            func rename(_ name: String, to other: String) async throws {
                let database = try DatabaseQueue(path: world.directory + "/benji.sqlite")
                try await database.write { try $0.execute(sql: "ALTER TABLE \(name) RENAME TO \(other)") }
                try database.close()
            }
            apps.noteUsage(.package, 1, of: id)
            try await rename("app_key_usage", to: "elsewhere")
            await #expect(throws: StoreError.self) { try await apps.writeUsages() }
            try await rename("elsewhere", to: "app_key_usage")
            try await apps.writeUsages()
            #expect(try await apps.usages(of: id).map(\.day) == [CalendarDay(world.clock.now).number])
        }
    }

    @Test("with more keys than are remembered all are forgotten, and noted anew")
    func forgottenUsages() {
        let usages = KeyUsages(capacity: 2)
        let app = AppID(rawValue: "300000000001")!
        for version in [1, 2, 3, 1, 3] { usages.note(.server, version, of: app, day: 2) }
        #expect(usages.take().map(\.version) == [1, 2, 3, 1])
        usages.note(.server, 3, of: app, day: 3)
        #expect(usages.take().map(\.day) == [3], "another day")
    }
}
