@_spi(Server) import BenjiProtocol
import ServerTestKit
import Store
import StoreSQLite
import Testing

@testable import Authority

@Suite("Apps that somebody else changes just now")
struct AppRaceTests {
    /// The store of a world, where an app is changed right after it was looked up.
    private final class HurriedStore: AppStore, AuditStore {
        private let store: any Store
        /// Said to be due whether or not they are.
        private let due: [AppID]?
        private let change: (@Sendable (inout AppRecord) -> Void)?
        private let failure: StoreError?

        init(
            _ store: any Store, due: [AppID]? = nil, failure: StoreError? = nil,
            _ change: (@Sendable (inout AppRecord) -> Void)? = nil
        ) {
            self.store = store
            self.due = due
            self.failure = failure
            self.change = change
        }

        func appsToErase(at moment: Timestamp) async throws(StoreError) -> [AppID] {
            if let due { return due }
            return try await store.appsToErase(at: moment)
        }

        func app(_ id: AppID) async throws(StoreError) -> AppRecord? {
            let found = try await store.app(id)
            if let change, var record = found {
                change(&record)
                try await store.updateApp(record, event: nil, audit: nil)
            }
            return found
        }

        func eraseApp(_ app: AppRecord, audit: AuditEntry?) async throws(StoreError) {
            if let failure { throw failure }
            try await store.eraseApp(app, audit: audit)
        }

        func createApp(_ app: AppRecord, audit: AuditEntry?) async throws(StoreError) {
            try await store.createApp(app, audit: audit)
        }
        func updateApp(_ app: AppRecord, event: OutboxEvent?, audit: AuditEntry?) async throws(StoreError) {
            try await store.updateApp(app, event: event, audit: audit)
        }
        func appRevision(_ id: AppID) async throws(StoreError) -> Int64? { try await store.appRevision(id) }
        func apps() async throws(StoreError) -> [AppRecord] { try await store.apps() }
        func app(withSourceID sourceID: String) async throws(StoreError) -> AppRecord? {
            try await store.app(withSourceID: sourceID)
        }
        func noteKeyUsages(_ usages: [AppKeyUsage]) async throws(StoreError) { try await store.noteKeyUsages(usages) }
        func keyUsages(of app: AppID) async throws(StoreError) -> [AppKeyUsage] { try await store.keyUsages(of: app) }
        func appendAudit(_ entry: AuditEntry) async throws(StoreError) { try await store.appendAudit(entry) }
        func auditEntries(
            _ filter: AuditFilter, before: Int64?, limit: Int
        ) async throws(StoreError) -> [AuditEntry] {
            try await store.auditEntries(filter, before: before, limit: limit)
        }
        func auditLines(after line: Int64, limit: Int) async throws(StoreError) -> [AuditEntry] {
            try await store.auditLines(after: line, limit: limit)
        }
        func lastAuditLine() async throws(StoreError) -> Int64 { try await store.lastAuditLine() }
        func auditEntry(actor: String, requestKey: String) async throws(StoreError) -> AuditEntry? {
            try await store.auditEntry(actor: actor, requestKey: requestKey)
        }
    }

    private func apps(_ world: AuthorityWorld, over store: HurriedStore) -> Apps {
        Apps(store: store, vault: world.vault, clock: world.clock, random: SystemRandomSource())
    }

    @Test("an app whose deletion was taken back, or put off, after it was found to be due is not erased")
    func takenBack() async throws {
        try await withWorld { world async throws in
            let id = world.app.record.id
            for deletedAfter in [nil, world.clock.now + .milliseconds(1)] {
                try await world.change { $0.deletedAfter = deletedAfter }
                let before = try await world.store.app(id)
                try await apps(world, over: HurriedStore(world.store, due: [id])).eraseDeleted()
                #expect(try await world.store.app(id) == before)
            }
            let nobody = try #require(AppID(rawValue: "300000000088"))
            try await apps(world, over: HurriedStore(world.store, due: [nobody])).eraseDeleted()
        }
    }

    @Test("an app that is changed while it is being erased is left to the next round, and another failure is told")
    func changedMeanwhile() async throws {
        try await withWorld { world async throws in
            let id = world.app.record.id
            let moment = world.clock.now
            try await world.change { $0.deletedAfter = moment }
            try await apps(world, over: HurriedStore(world.store) { $0.name += "x" }).eraseDeleted()
            let left = try #require(try await world.store.app(id))
            #expect(left.name == "Shopx" && left.keys.count == 2)
            let away = apps(world, over: HurriedStore(world.store, failure: StoreError(.unavailable, "a test")))
            await #expect(throws: StoreError.self) { try await away.eraseDeleted() }
            try await world.authority.apps.eraseDeleted()
            #expect(try await world.store.app(id)?.keys.isEmpty == true)
        }
    }
}
