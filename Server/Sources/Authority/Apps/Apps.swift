package import BenjiProtocol
package import Requests
package import Store

/// The registry of apps: makes them, changes them, opens their keys.
package struct Apps: Sendable {
    let store: any AppStore & AuditStore
    private let vault: Vault
    let clock: any WallClock
    let random: any RandomSource
    private let memory = AppMemory()
    private let usages = KeyUsages()

    package init(store: any AppStore & AuditStore, vault: Vault, clock: any WallClock, random: any RandomSource) {
        self.store = store
        self.vault = vault
        self.clock = clock
        self.random = random
    }

    /// A new app, as the operator wants it.
    @dynamicMemberLookup
    package struct Registration: Sendable {
        /// The app's id; `nil` if one is to be drawn.
        package var id: AppID?
        /// Its settings; it has no keys yet, and its id does not count.
        package var app: AppRecord
        /// Whether blocks wider than /16 (IPv4) or /48 (IPv6) are meant.
        package var acceptsWideAddresses = false
        /// Whether phones and server share one key, as with other vendors.
        package var hasOneKey = false

        package init(name: String) {
            app = AppRecord(
                id: AppID(rawValue: "000000000000")!, name: name, keys: [], capabilities: Capability.usual,
                bundleIDs: [], serverAddresses: [], createdAt: Timestamp(milliseconds: 0))
        }

        package subscript<Value>(dynamicMember member: WritableKeyPath<AppRecord, Value>) -> Value {
            get { app[keyPath: member] }
            set { app[keyPath: member] = newValue }
        }
    }

    /// Registers an app and returns it with its keys, which are shown this once.
    ///
    /// - Parameter write: writes the app with its line, if more is to be written in the same commit.
    package func register(
        _ registration: Registration, by note: OrderNote,
        writingBy write: ((AppRecord, AuditEntry) async throws(StoreError) -> Void)? = nil
    ) async throws(Refusal) -> RegisteredApp {
        let uses: [AppKeyUse] = registration.hasOneKey ? [.package] : [.package, .server]
        let texts = uses.map { _ in newKey() }
        // Ids are drawn, not counted, so that one does not tell how many apps there are; a taken one is drawn again.
        for _ in 0..<16 {
            let id = registration.id ?? randomID()
            var record = registration.app
            (record.id, record.createdAt) = (id, clock.now)
            // Another process may have changed the master key.
            try await followKey()
            for (use, text) in zip(uses, texts) { record.keys.append(try seal(text, use, version: 1, of: id)) }
            try AppRules.check(record, acceptsWide: registration.acceptsWideAddresses, now: clock.now)
            do {
                let line = entry(note, from: nil, to: record)
                if let write { try await write(record, line) } else { try await store.createApp(record, audit: line) }
                return try open(record)
            } catch let error as StoreError {
                if error.code == .keyChanged { continue }
                guard error.code == .alreadyExists else { throw Refusal(error) }
                if registration.id != nil || !registration.sourceIDs.isEmpty {
                    throw Refusal(.parameterInvalid, "the app id or one of the source ids is taken")
                }
            } catch let refusal as Refusal {
                throw refusal
            } catch { throw Refusal(.internalError, "the app could not be registered") }
        }
        throw Refusal(.internalError, "no free app id was found")
    }

    /// Attempts at one change. Each repeats it from the present record, because another change came first.
    package static let maximumAttempts = 200

    package static let changedTooOften = Refusal(
        .overloaded, "others change this app without a pause; nothing was changed, try again")

    /// Changes an app: the one way to do it. The change starts from the present record. It is written only if that
    /// record is still the present one; otherwise it is repeated.
    ///
    /// - Parameters:
    ///   - note: who orders it. An order that changes nothing is noted too.
    ///   - acceptingWideAddresses: the operator has said that wide blocks of server addresses are meant.
    ///   - write: writes the changed app with its line, if the same commit writes more. It is also called when the app
    ///     does not change, and may run several times.
    ///   - change: may run several times, so it must have no effects.
    /// - Returns: the app as it was written.
    @discardableResult
    package func change(
        _ id: AppID, by note: OrderNote, acceptingWideAddresses: Bool = false,
        writingBy write: ((AppRecord, AuditEntry) async throws(StoreError) -> Void)? = nil,
        _ change: (inout AppRecord) throws(Refusal) -> Void
    ) async throws(Refusal) -> RegisteredApp {
        for _ in 0..<Self.maximumAttempts {
            let before = try await read(id)
            var record = before
            try change(&record)
            guard record != before || write != nil else {
                do throws(StoreError) {
                    try await store.appendAudit(entry(note, from: before, to: record))
                } catch { throw Refusal(error) }
                return try open(before)
            }
            try AppRules.check(record, before: before, acceptsWide: acceptingWideAddresses, now: clock.now)
            do throws(StoreError) {
                let line = entry(note, from: before, to: record)
                if let write {
                    try await write(record, line)
                } else {
                    let event = record.event(ofChangeFrom: before, at: clock.now, random: random)
                    try await store.updateApp(record, event: event, audit: line)
                }
            } catch {
                switch error.code {
                case .outdated: continue
                case .keyChanged:
                    try await followKey()
                    continue
                case .alreadyExists: throw Refusal(.parameterInvalid, "one of the source ids is another app's")
                default: throw Refusal(error)
                }
            }
            record.revision += 1
            return try open(record)
        }
        throw Self.changedTooOften
    }

    private func followKey() async throws(Refusal) {
        do { try await vault.follow() } catch { throw Refusal(error) }
    }

    private func entry(_ note: OrderNote, from before: AppRecord?, to after: AppRecord) -> AuditEntry {
        let now = clock.now
        return note.entry(at: now, app: after.id, from: before?.json(now: now), to: after.json(now: now))
    }

    /// All apps but those that have been erased, by id.
    package func all() async throws(Refusal) -> [AppRecord] {
        do { return try await store.apps().filter { !$0.keys.isEmpty } } catch { throw Refusal(error) }
    }

    /// Erases apps whose deletion can no longer be undone, except their names and ids. People's openIds are made from
    /// an app's id, so no other app may ever get it.
    func eraseDeleted() async throws(StoreError) {
        for id in try await store.appsToErase(at: clock.now) {
            guard let before = try await store.app(id), before.deletedAfter.map({ $0 <= clock.now }) == true else {
                continue
            }
            let erased = AppRecord(
                id: id, name: before.name, keys: [], suspended: true, allowed: false, capabilities: [], bundleIDs: [],
                serverAddresses: [], createdAt: before.createdAt, deletedAfter: before.deletedAfter,
                contract: before.contract, revision: before.revision)
            let note = OrderNote(actor: "benji", role: "installation", origin: "maintenance", order: "app.erase")
            do {
                try await store.eraseApp(erased, audit: entry(note, from: before, to: erased))
            } catch  where error.code == .outdated {
                // Somebody changed it just now: the next round looks again.
            }
        }
    }

    /// The app and its keys, whatever its state.
    package func find(_ id: AppID) async throws(Refusal) -> RegisteredApp {
        // Callers who prove nothing can ask this as often as they like, so the record is read only if it is new.
        let revision: Int64?
        do { revision = try await store.appRevision(id) } catch { throw Refusal(error) }
        guard let revision else { throw Self.unknown }
        RequestSubject.current?.note(app: id)
        if let known = memory.app(id) {
            if known.record.revision == revision { return known }
            // The database was brought back. Its next revisions have numbers that are known here with another content.
            if known.record.revision > revision { memory.forget(id) }
        }
        return try open(await read(id))
    }

    private static let unknown = Refusal(.appUnknown, "no app has this id")

    /// The app as it was when it was last read here. It may have changed since: only what the store compares with the
    /// record's revision, a redemption, may rest on it.
    package func remembered(_ id: AppID) -> RegisteredApp? {
        guard let app = memory.app(id) else { return nil }
        RequestSubject.current?.note(app: id)
        return app
    }

    // MARK: When keys were used

    /// Notes that a key was used now. It is written later (``writeUsages()``).
    package func noteUsage(_ use: AppKeyUse, _ version: Int, of app: AppID) {
        usages.note(use, version, of: app, day: CalendarDay(clock.now).number)
    }

    /// Writes which keys were used since the last time. Call it every minute or so, and once more before the end.
    package func writeUsages() async throws(StoreError) {
        let taken = usages.take()
        guard !taken.isEmpty else { return }
        do { try await store.noteKeyUsages(taken) } catch {
            usages.giveBack(taken)
            throw error
        }
    }

    /// The last day on which each of an app's keys was used.
    package func usages(of app: AppID) async throws(Refusal) -> [AppKeyUsage] {
        do { return try await store.keyUsages(of: app) } catch { throw Refusal(error) }
    }

    // MARK: Keys, open and sealed

    func newKey() -> String { random.alphanumerics(32) }

    private func read(_ id: AppID) async throws(Refusal) -> AppRecord {
        let record: AppRecord?
        do { record = try await store.app(id) } catch { throw Refusal(error) }
        guard let record else { throw Self.unknown }
        guard !record.keys.isEmpty || record.deletedAfter == nil else {
            throw Refusal(.appUnknown, "the app with this id was deleted")
        }
        return record
    }

    private func open(_ record: AppRecord) throws(Refusal) -> RegisteredApp {
        var keys: [RegisteredKey] = []
        for key in record.keys {
            let text = try open(key, of: record.id)
            keys.append(
                RegisteredKey(use: key.use, version: key.version, acceptedUntil: key.acceptedUntil, key: text))
        }
        guard keys.contains(where: { $0.use == .package }) else {
            throw Refusal(.internalError, "the app has no key")
        }
        let app = RegisteredApp(record: record, keys: keys)
        memory.keep(app)
        return app
    }

    func open(_ key: AppKeyRecord, of app: AppID) throws(Refusal) -> AppKey {
        do {
            let text = try vault.open(
                key.sealed, purpose: Self.purpose(key.use), owner: Self.owner(app, key.version))
            return AppKey(String(decoding: text, as: UTF8.self))
        } catch {
            throw Refusal(error, "the app's key does not open; was the database made with another master key?")
        }
    }

    func seal(
        _ text: String, _ use: AppKeyUse, version: Int, of app: AppID, isInPackage: Bool = false
    ) throws(Refusal) -> AppKeyRecord {
        do {
            return AppKeyRecord(
                use: use, version: version,
                sealed: try vault.seal(
                    Array(text.utf8), purpose: Self.purpose(use), owner: Self.owner(app, version)),
                createdAt: clock.now, isInPackage: isInPackage)
        } catch {
            throw Refusal(.internalError, "the app's key could not be sealed")
        }
    }

    static func purpose(_ use: AppKeyUse) -> String {
        switch use {
        case .server: "app-server-secret"
        case .callback: "app-callback-secret"
        case .package, .openID: "app-key"
        }
    }

    static func owner(_ app: AppID, _ version: Int) -> [UInt8] { Array("\(app.rawValue)/\(version)".utf8) }

    private func randomID() -> AppID {
        let digits = random.bytes(8).map { String($0 % 10) }.joined()
        // Twelve digits by construction.
        return AppID(rawValue: "3000" + digits)!
    }
}

extension Apps {
    /// How many source ids one app may have.
    package static let maximumSourceIDCount = 99
}
