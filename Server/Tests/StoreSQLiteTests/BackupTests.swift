import BenjiProtocol
import Foundation
import GRDB
import Logging
import Processes
import Store
import Testing

@testable import StoreConformance
@testable import StoreSQLite

@Suite("Copies of a database")
struct BackupTests {
    private func open(_ path: String) throws -> SQLiteStore {
        try SQLiteStore(path: path, logger: Logger(label: "test"))
    }

    private func names(in folder: String) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder))
    }

    @Test("a copy that is taken while others write is whole, and holds everything that was answered before it began")
    func copyUnderWrites() async throws {
        let place = try TemporaryPlace()
        let store = try open(place.path)
        let scenario = Scenario(store: store) { store }
        for number in 1...50 { _ = try await scenario.subscription(number) }
        let copy = place.folder + "/copy.sqlite"
        let writer = Task {
            var number = 51
            while !Task.isCancelled {
                _ = try await scenario.subscription(number)
                number += 1
            }
            return number
        }
        _ = try await scenario.subscription(10_000)
        var shares: [Double] = []
        try SQLiteStore.copy(place.path, to: copy) { shares.append($0) }
        _ = try await scenario.subscription(20_000)
        writer.cancel()
        _ = try await writer.value
        #expect(shares.last == 1 && shares == shares.sorted())
        #expect(try SQLiteStore.damage(path: copy) == nil)
        let other = try SQLiteStore(lookingAt: copy, logger: Logger(label: "test"))
        for number in Array(1...50) + [10_000] {
            #expect(
                try await other.subscription(numberIndex: NumberIndex(Scenario.numberIndex(number))) != nil, "\(number)"
            )
        }
        #expect(try await other.subscription(numberIndex: NumberIndex(Scenario.numberIndex(20_000))) == nil)
        await other.close()
        await store.close()
    }

    @Test("a copy is one file, which can be read where nothing can be written")
    func oneFile() async throws {
        let place = try TemporaryPlace()
        let store = try open(place.path)
        _ = try await Scenario(store: store) { store }.subscription()
        try FileManager.default.createDirectory(atPath: place.folder + "/out", withIntermediateDirectories: false)
        let copy = place.folder + "/out/copy.sqlite"
        try SQLiteStore.copy(place.path, to: copy)
        await store.close()
        #expect(try names(in: place.folder + "/out") == ["copy.sqlite"])
        // The bytes of the header that ask for a write-ahead log, file format 2.
        #expect(Array(try Data(contentsOf: URL(fileURLWithPath: copy))[18...19]) == [1, 1])
        #expect(try SQLiteStore.contents(path: copy).subscriptions == 1)
        #expect(try names(in: place.folder + "/out") == ["copy.sqlite"])
    }

    @Test("nobody else's database is copied or told about, nor one of a later version, nor an empty file")
    func foreign() async throws {
        let place = try TemporaryPlace()
        let queue = try DatabaseQueue(path: place.path)
        try await queue.write { try $0.execute(sql: "CREATE TABLE theirs (value)") }
        try queue.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: place.path))
        let copy = place.folder + "/copy.sqlite"
        let notOurs = #expect(throws: StoreError.self) { try SQLiteStore.copy(place.path, to: copy) }
        #expect(notOurs?.detail.contains("not one of Benji's") == true)
        #expect(throws: StoreError(.corrupt, "")) { try SQLiteStore.contents(path: place.path) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: place.path)) == before)
        #expect(!FileManager.default.fileExists(atPath: copy))

        let newer = place.folder + "/newer.sqlite"
        await (try open(newer)).close()
        let later = try DatabaseQueue(path: newer)
        try await later.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('v99')") }
        try later.close()
        for problem in [
            #expect(throws: StoreError.self) { try SQLiteStore.copy(newer, to: copy) },
            #expect(throws: StoreError.self) { try SQLiteStore.contents(path: newer) },
        ] { #expect(problem?.detail.contains("newer Benji") == true) }

        let empty = place.folder + "/empty.sqlite"
        #expect(FileManager.default.createFile(atPath: empty, contents: nil))
        #expect(throws: StoreError(.corrupt, "")) { try SQLiteStore.contents(path: empty) }
    }

    @Test("in a copy that returns, what was spent stays spent, and nothing that was unspent can be spent any more")
    func credentialsEnd() async throws {
        let place = try TemporaryPlace()
        let store = try open(place.path)
        let scenario = Scenario(store: store) { store }
        let subscription = try await scenario.subscription()
        let scrip = scenario.scrip("scrip", of: subscription)
        try await store.insertScrip(scrip)
        let spent = try await scenario.issue(scenario.token("spent", of: subscription))
        let unspent = try await scenario.issue(scenario.token("unspent", of: subscription))
        #expect(try await scenario.redeem(spent, message: nil).word == "spent")
        let sent = Scenario.smsCode(1)
        _ = try await scenario.send(sent)
        let given = Scenario.smsUpstream(2)
        _ = try await scenario.give(given)
        let copy = place.folder + "/copy.sqlite"
        try SQLiteStore.copy(place.path, to: copy)
        await store.close()
        let line = AuditEntry(
            at: Scenario.now, actor: "ops", role: "operator", origin: "command line", order: "installation.restore")
        try SQLiteStore.prepareForReturn(path: copy, audit: line)
        let returned = try open(copy)
        let lines = try await returned.auditEntries(AuditFilter(), before: nil, limit: 9)
        #expect(lines.map(\.order) == ["installation.restore"])
        let after = Scenario(store: returned) { returned }
        #expect(try await after.redeem(spent, message: nil).word == "alreadySpent")
        #expect(try await after.redeem(unspent, message: nil).word == "unknown")
        #expect(try await after.show(sent) == "ended")
        #expect(try await after.arrive(given, from: 1) == "late")
        #expect(try await returned.scrip(scrip.hash) == .revoked(scrip))
        #expect(try await returned.ledgerEntries(app: Scenario.app, limit: 9).count == 1)
        await returned.close()
    }

    @Test("the consent to a token or code that was redeemed since a copy was made stays in a copy that returns")
    func consentsStay() async throws {
        let place = try TemporaryPlace()
        let store = try open(place.path)
        let scenario = Scenario(store: store) { store }
        let person = try await scenario.subscription()
        let token = try await scenario.issue(scenario.token("token", of: person, trace: Scenario.trace(1)))
        let page = scenario.credential("page", kind: .page, of: person)
        try await store.insertOpenIDCredential(page)
        var code = scenario.credential("code", of: person)
        code.trace = Scenario.trace(2)
        var answer = scenario.exchange(page, next: code)
        answer.consent = ConsentEvidence(
            appID: Scenario.app, trace: code.trace, subscription: person.reference, contentDigest: "digest",
            record: Scenario.record(of: code.trace), receivedAt: Scenario.now)
        #expect(try await store.exchange(answer) == .spent(page))
        _ = try await store.appendLog(limit: 100) { batch throws(StoreError) in try Scenario.addition(to: batch) }
        let (copy, naive) = (place.folder + "/copy.sqlite", place.folder + "/naive.sqlite")
        for path in [copy, naive] { try SQLiteStore.copy(place.path, to: path) }
        #expect(try await scenario.redeem(token, message: nil).word == "spent")
        #expect(try await store.exchange(scenario.exchange(code)) == .spent(code))
        await store.close()

        /// Consents and leaves' inputs that are there once everything has expired.
        func kept(_ path: String) async throws -> [Bool] {
            let returned = try open(path)
            let late = max(token.expiresAt, code.expiresAt) + .seconds(1)
            _ = try await returned.deleteExpiredCredentials(before: late, limit: 99)
            let consents = try await [1, 2].map(Scenario.trace).asyncMap {
                try await returned.consents(of: $0).count == 1
            }
            let leaves = try await returned.logLeaves(from: 0, limit: 9).map { $0.input != nil }
            await returned.close()
            return consents + leaves
        }
        try SQLiteStore.prepareForReturn(path: copy, audit: nil)
        #expect(try await kept(copy) == [true, true, true, true])
        // The double revokes the unspent credentials in the copy.
        let queue = try DatabaseQueue(path: naive)
        try await queue.write { db in
            try db.execute(sql: "UPDATE token SET revoked = 1 WHERE spent_at IS NULL")
            try db.execute(sql: "UPDATE openid_credential SET revoked = 1 WHERE spent_at IS NULL")
        }
        try queue.close()
        #expect(try await kept(naive) == [false, false, false, false], "the double must fall")
    }

    @Test("no admin who was revoked since a copy was made comes back with it")
    func admins() async throws {
        let place = try TemporaryPlace()
        let store = try open(place.path)
        let credential = CredentialHash(bytes: [UInt8](repeating: 1, count: 32))
        let record = AdminRecord(
            name: "ana", role: "support", kind: .token, credential: credential, createdAt: Scenario.now,
            expiresAt: Scenario.now + .seconds(86400))
        try await store.createAdmin(record, audit: nil)
        let copy = place.folder + "/copy.sqlite"
        try SQLiteStore.copy(place.path, to: copy)
        await store.close()
        try SQLiteStore.prepareForReturn(path: copy, audit: nil)
        let returned = try open(copy)
        #expect(try await returned.admin(credential)?.revokedAt != nil)
        await returned.close()
    }

    @Test("no attested key that was revoked or used since a copy was made comes back with it")
    func attestedKeys() async throws {
        let place = try TemporaryPlace()
        let store = try open(place.path)
        #expect(try await store.insertAttestedKey(Scenario.attestedKey("one")))
        let copy = place.folder + "/copy.sqlite"
        try SQLiteStore.copy(place.path, to: copy)
        await store.close()
        try SQLiteStore.prepareForReturn(path: copy, audit: nil)
        let returned = try open(copy)
        #expect(
            try await !returned.advanceAttestedKey("one", of: Scenario.app, to: 1, now: Scenario.now + .seconds(1)))
        #expect(try await !returned.insertAttestedKey(Scenario.attestedKey("one")))
        await returned.close()
    }

    @Test("a copy that returns never gives out a row number that was given out since it was made")
    func rowNumbers() async throws {
        let place = try TemporaryPlace()
        let store = try open(place.path)
        let scenario = Scenario(store: store) { store }
        let known = try await scenario.subscription(1)
        let copy = place.folder + "/copy.sqlite"
        try SQLiteStore.copy(place.path, to: copy)
        let empty = place.folder + "/empty.sqlite"
        await (try open(empty)).close()
        let since = try await scenario.subscription(2)
        await store.close()
        for (path, number) in [(copy, 3), (empty, 3)] {
            try SQLiteStore.prepareForReturn(path: path, audit: nil)
            let returned = try open(path)
            let new = try await Scenario(store: returned) { returned }.subscription(number)
            #expect(new.id > since.id, "a gateway may still hold \(since.id) for another number")
            #expect(new.id == (1 << 32) + 1 + (path == copy ? known.id : 0), "more than there are numbers")
            if path == copy { #expect(try await returned.subscription(known.id) == known) }
            await returned.close()
        }
    }
}

@Suite("Files that are not finished yet")
struct AtomicFileWriterTests {
    @Test("what was left under the temporary name is removed, with its companions, and nothing else is")
    func remains() throws {
        let place = try TemporaryPlace()
        for name in ["f.unfinished", "f.unfinished-journal", "f.unfinished-wal", "f.unfinished-shm", "other"] {
            try Data("left".utf8).write(to: URL(fileURLWithPath: "\(place.folder)/\(name)"))
        }
        let file = try AtomicFileWriter.begin(place.folder + "/f.unfinished", for: place.folder + "/f")
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: place.folder)) == ["f.unfinished", "other"])
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.size] as? Int == 0 && attributes[.posixPermissions] as? Int == 0o600)
        file.discard()
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.folder) == ["other"])
    }

    @Test("two do not write one file: the second is refused and harms nothing")
    func together() throws {
        let place = try TemporaryPlace()
        let (draft, target) = (place.folder + "/f.unfinished", place.folder + "/f")
        try Data("content".utf8).write(to: URL(fileURLWithPath: place.path))
        let file = try AtomicFileWriter.begin(draft, for: target)
        try file.fill(from: place.path)
        #expect(throws: StoreError(.alreadyExists, "")) { try AtomicFileWriter.begin(draft, for: target) }
        try file.publish(replacing: false)
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "content")
        #expect(!FileManager.default.fileExists(atPath: draft))
    }

    @Test("a file that is there is replaced only by whoever says so")
    func replacing() throws {
        let place = try TemporaryPlace()
        let (draft, target) = (place.folder + "/f.unfinished", place.folder + "/f")
        try Data("old".utf8).write(to: URL(fileURLWithPath: target))
        let refused = try AtomicFileWriter.begin(draft, for: target)
        #expect(throws: StoreError(.alreadyExists, "")) { try refused.publish(replacing: false) }
        refused.discard()
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "old")
        try AtomicFileWriter.begin(draft, for: target).publish(replacing: true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: target)).isEmpty)
    }

    @Test("a file is moved into a folder only where none of its name is")
    func moving() throws {
        let place = try TemporaryPlace()
        try FileManager.default.createDirectory(atPath: place.folder + "/in", withIntermediateDirectories: false)
        for name in ["f", "in/f", "g"] {
            try Data(name.utf8).write(to: URL(fileURLWithPath: "\(place.folder)/\(name)"))
        }
        #expect(throws: StoreError(.alreadyExists, "")) {
            try AtomicFileWriter.move(place.folder + "/f", into: place.folder + "/in")
        }
        try AtomicFileWriter.move(place.folder + "/g", into: place.folder + "/in")
        #expect(try String(contentsOfFile: place.folder + "/in/g", encoding: .utf8) == "g")
        #expect(try String(contentsOfFile: place.folder + "/in/f", encoding: .utf8) == "in/f")
    }

    @Test("an empty file that was left under the temporary name is taken as it is, and made its owner's alone")
    func emptyRemains() throws {
        let place = try TemporaryPlace()
        let draft = place.folder + "/f.unfinished"
        #expect(
            FileManager.default.createFile(atPath: draft, contents: nil, attributes: [.posixPermissions: 0o644]))
        let left = FileIdentity(draft)
        let file = try AtomicFileWriter.begin(draft, for: place.folder + "/f")
        #expect(FileIdentity(draft) == left)
        #expect(try FileManager.default.attributesOfItem(atPath: draft)[.posixPermissions] as? Int == 0o600)
        try file.give(toUser: getuid(), group: getgid())
        file.discard()
    }

    @Test("each refusal says what could not be done, with which file, and why")
    func refusals() throws {
        let place = try TemporaryPlace()
        let (folder, files) = (place.folder, FileManager.default)
        func said(_ body: () throws(StoreError) -> Void) -> String? {
            do { try body() } catch { return "\(error.code.rawValue): \(error.detail.replacing(folder, with: "/srv"))" }
            return nil
        }
        let (draft, target, none) = (folder + "/draft", folder + "/target", folder + "/none")
        try Data("database".utf8).write(to: URL(fileURLWithPath: place.path))
        try files.createSymbolicLink(atPath: folder + "/link", withDestinationPath: none)
        let making = ["none/draft", "link"].map { name in
            said { () throws(StoreError) in _ = try AtomicFileWriter.begin("\(folder)/\(name)", for: target) }
        }
        #expect(
            making == [
                "unavailable: cannot make /srv/none/draft: the folder /srv/none does not exist; make it first",
                "unavailable: cannot make /srv/link: too many levels of symbolic links",
            ])
        let file = try AtomicFileWriter.begin(draft, for: target)
        let database = FileIdentity(place.path)
        let filling = [none, none + "/file", folder, place.path].map { source in
            said { () throws(StoreError) in try file.fill(from: source, except: database) }
        }
        #expect(
            filling == [
                "unavailable: cannot read /srv/none: no such file or directory",
                "unavailable: cannot read /srv/none/file: the folder /srv/none does not exist; make it first",
                "unavailable: cannot read /srv: is a directory",
                "unavailable: /srv/store.sqlite is the database itself; name a backup",
            ])
        // Somebody removes the draft, and puts a link that leads nowhere or a file in its place.
        try files.removeItem(atPath: draft)
        var publishing = [false, true].map { replacing in
            said { () throws(StoreError) in try file.publish(replacing: replacing) }
        }
        try files.createSymbolicLink(atPath: target, withDestinationPath: none)
        let second = try AtomicFileWriter.begin(draft, for: target)
        publishing.append(said { () throws(StoreError) in try second.publish(replacing: false) })
        second.discard()
        try files.removeItem(atPath: target)
        try files.copyItem(atPath: place.path, toPath: target)
        publishing.append(said { () throws(StoreError) in try file.publish(replacing: false) })
        #expect(
            publishing == [
                "unavailable: cannot move to /srv/target /srv/draft: no such file or directory",
                "unavailable: cannot move to /srv/target /srv/draft: no such file or directory",
                "already exists: /srv/target exists", "already exists: /srv/target exists",
            ])
        file.discard()
        let others = [
            said { () throws(StoreError) in try AtomicFileWriter.move(none, into: folder + "/in") },
            said { () throws(StoreError) in try AtomicFileWriter.syncFolder(of: none + "/file") },
            said { () throws(StoreError) in try AtomicFileWriter.syncFolder(of: "file") },
            said { () throws(StoreError) in try AtomicFileWriter.syncFolder(of: target) },
        ]
        #expect(
            others == [
                "unavailable: cannot move to /srv/in/none /srv/none: no such file or directory",
                "unavailable: cannot sync the folder of /srv/none/file: "
                    + "the folder /srv/none does not exist; make it first",
                nil, nil,
            ])
    }

    #if os(Linux)
    @Test("a folder that cannot be synced is told")
    func unsyncedFolder() {
        // The kernel's folder of this process takes no sync.
        let error = #expect(throws: StoreError.self) { try AtomicFileWriter.syncFolder(of: "/proc/self/status") }
        #expect(error?.detail == "cannot sync the folder of /proc/self/status: invalid argument")
    }

    @Test("a draft that is published, discarded or refused is closed, and so is what it was filled from")
    func closed() throws {
        let place = try TemporaryPlace()
        let (draft, target) = (place.folder + "/f.unfinished", place.folder + "/f")
        try Data("content".utf8).write(to: URL(fileURLWithPath: place.path))
        /// Descriptors of this process that lead into the folder, also to files that are gone.
        func open() throws -> Int {
            let (files, list) = (FileManager.default, "/proc/self/fd")
            return try files.contentsOfDirectory(atPath: list).count { descriptor in
                let leads = try? files.destinationOfSymbolicLink(atPath: "\(list)/\(descriptor)")
                return leads?.hasPrefix(place.folder) == true
            }
        }
        var counts: [Int] = []
        let first = try AtomicFileWriter.begin(draft, for: target)
        #expect(throws: StoreError(.alreadyExists, "")) { try AtomicFileWriter.begin(draft, for: target) }
        counts.append(try open())
        // Another file than the one that is locked.
        try first.fill(from: place.path, except: FileIdentity(place.folder))
        counts.append(try open())
        try first.publish(replacing: false)
        counts.append(try open())
        try AtomicFileWriter.begin(draft, for: target).publish(replacing: true)
        counts.append(try open())
        try Data("left".utf8).write(to: URL(fileURLWithPath: draft))
        let third = try AtomicFileWriter.begin(draft, for: target)
        counts.append(try open())
        third.discard()
        counts.append(try open())
        #expect(counts == [1, 1, 0, 0, 1, 0])
    }
    #endif
}
