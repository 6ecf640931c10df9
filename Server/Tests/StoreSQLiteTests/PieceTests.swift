import Foundation
import GRDB
import Processes
import Store
import StoreRows
import Testing

@testable import StoreSQLite

@Suite("The pieces of the file's store")
struct PieceTests {
    // MARK: - Locks and file systems

    /// Device 8:31, as the system's list has it: 08:1f.
    private let file = FileIdentity(device: 0x81f, number: 131)

    private func locks(_ list: String) -> [FileLock] { FileLock.all(on: file, in: list) }

    @Test("a lock of the list is read with its kind, its process and its bytes")
    func lockLines() {
        #expect(
            locks("1: POSIX ADVISORY READ 811 08:1f:131 128 130")
                == [FileLock(kind: .range, isShared: true, process: 811, bytes: 128...130)])
        #expect(
            locks("23: FLOCK ADVISORY WRITE 1 08:1f:131 0 EOF")
                == [FileLock(kind: .whole, isShared: false, process: 1, bytes: 0...UInt64.max)])
        #expect(locks("1: POSIX ADVISORY READ 811 08:1f:131 5 5").count == 1)
        let both = "1: POSIX ADVISORY READ 811 08:1f:131 1 2\n2: POSIX ADVISORY WRITE 812 08:1f:131 3 4"
        #expect(locks(both).map(\.process) == [811, 812])
    }

    @Test(
        "a line that is none, of another file, or of a process that is not seen, is passed over",
        arguments: [
            "", "1: POSIX ADVISORY READ 811 08:1f:131 128", "1: LEASE ADVISORY READ 811 08:1f:131 1 2",
            "1: POSIX ADVISORY READ x 08:1f:131 1 2", "1: POSIX ADVISORY READ 0 08:1f:131 1 2",
            "1: POSIX ADVISORY READ -1 08:1f:131 1 2", "1: POSIX ADVISORY READ 811 08:1f 1 2",
            "1: POSIX ADVISORY READ 811 08:1f:131:1 1 2", "1: POSIX ADVISORY READ 811 09:1f:131 1 2",
            "1: POSIX ADVISORY READ 811 08:1e:131 1 2", "1: POSIX ADVISORY READ 811 08:1f:132 1 2",
            "1: POSIX ADVISORY READ 811 08:1f:131 x 2", "1: POSIX ADVISORY READ 811 08:1f:131 2 1",
            "1: -> POSIX ADVISORY READ 811 08:1f:131 1 2",
        ])
    func otherLocks(line: String) { #expect(locks(line).isEmpty) }

    @Test("a file system's type stands behind the dash of its own line")
    func fileSystems() {
        let list = """
            36 35
            36 35 8:31 / /cut rw
            36 35 8:30 / /other rw,noatime - ext3 /dev/sda rw
            36 35 8:31 / /srv rw,noatime shared:1 master:2 - ext4 /dev/sdb rw
            36 35 8:31 / /again rw - xfs /dev/sdb rw
            """
        #expect(FileSystemType.find(of: file, in: list) == "ext4")
        #expect(FileSystemType.find(of: FileIdentity(device: 0x81e, number: 1), in: list) == "ext3")
        #expect(FileSystemType.find(of: FileIdentity(device: 0x91f, number: 1), in: list) == nil)
    }

    // MARK: - Statements

    private func table(_ body: (Database) throws -> Void) throws {
        try DatabaseQueue().write { db in
            try db.execute(sql: "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 'one'), (2, NULL), (3, 'three')")
            try body(db)
        }
    }

    @Test("of a statement's rows the first, all or none are read, and a change tells how many it changed")
    func statements() throws {
        try table { db in
            let sql = "SELECT a FROM t WHERE a >= ? ORDER BY a"
            let all = try db.rows(sql, of: "t", 2) { try $0.integer(Int64.self) }
            #expect(all == [2, 3])
            let first = try db.row(sql, of: "t", 2) { try $0.integer(Int64.self) }
            #expect(first == 2)
            let none = try db.row(sql, of: "t", 4) { try $0.integer(Int64.self) }
            #expect(none == nil)
            let (has, hasNot) = (try db.hasRow(sql, 3), try db.hasRow(sql, 4))
            #expect(has && !hasNot)
            let changed = try db.run("UPDATE t SET b = 'x' WHERE a < ?", 3)
            #expect(changed == 2)
        }
    }

    @Test("each kind of argument is bound as what it is, and nil as NULL")
    func arguments() throws {
        try table { db in
            func kind(_ argument: some BoundValue) throws -> String? {
                try db.row("SELECT typeof(?1) || ' ' || quote(?1)", of: "t", argument) { try $0.text() }
            }
            let kinds = [
                try kind(7), try kind(Int64.min), try kind(true), try kind(false), try kind("a'b"), try kind(""),
                try kind([1, 255] as [UInt8]), try kind([] as [UInt8]), try kind(Int64?.none), try kind(String?.none),
            ]
            #expect(
                kinds == [
                    "integer 7", "integer -9223372036854775808", "integer 1", "integer 0", "text 'a''b'", "text ''",
                    "blob X'01FF'", "blob X''", "null NULL", "null NULL",
                ])
        }
    }

    @Test("a column of another type, one that is NULL, and one that is not there are damage, told by the column's name")
    func damage() throws {
        try table { db in
            func damaged(_ read: (inout ColumnReader) throws -> Void) -> String? {
                do { _ = try db.row("SELECT a, b FROM t WHERE a = 2", of: "t", read: read) } catch {
                    return (error as? DamagedRow)?.column
                }
                return nil
            }
            let read = damaged {
                let (a, b) = (try $0.integer(Int64.self), try $0.optionalText())
                #expect(a == 2 && b == nil)
            }
            #expect(read == nil)
            let other = damaged { _ = try $0.text() }
            #expect(other == "t.a")
            let empty = damaged {
                _ = try $0.integer(Int64.self)
                _ = try $0.text()
            }
            #expect(empty == "t.b")
            let beyond = damaged {
                _ = try $0.integer(Int64.self)
                _ = try $0.optionalText()
                _ = try $0.optionalText()
            }
            #expect(beyond == "t.b")
        }
    }

    // MARK: - Drafts

    @Test("a draft is filled with all of a file, however long it is, and tells how far it is")
    func filling() throws {
        let place = try TemporaryPlace()
        let content = Data((0..<((1 << 20) + 5)).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        try content.write(to: URL(fileURLWithPath: place.path))
        let file = try AtomicFileWriter.begin(place.folder + "/f.unfinished", for: place.folder + "/f")
        var shares: [Double] = []
        try file.fill(from: place.path) { shares.append($0) }
        try file.fill(with: [1, 2, 3])
        try file.fill(with: [])
        #expect(shares.count == 2 && shares == shares.sorted() && shares.last == 1)
        try file.publish(replacing: false)
        #expect(try Data(contentsOf: URL(fileURLWithPath: place.folder + "/f")) == content + Data([1, 2, 3]))
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.folder).sorted() == ["f", "store.sqlite"])
    }

    @Test("a draft that is none of ours, or whose source is not there, is refused")
    func refusedDrafts() throws {
        let place = try TemporaryPlace()
        let draft = place.folder + "/f.unfinished"
        try FileManager.default.createSymbolicLink(atPath: draft, withDestinationPath: place.path)
        #expect(throws: StoreError(.unavailable, "")) { try AtomicFileWriter.begin(draft, for: place.folder + "/f") }
        try FileManager.default.removeItem(atPath: draft)
        let file = try AtomicFileWriter.begin(draft, for: place.folder + "/f")
        #expect(throws: StoreError(.unavailable, "")) { try file.fill(from: place.path) }
        file.discard()
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.folder).isEmpty)
    }

    // MARK: - What waits to be written

    private typealias Backlog = WriteBacklog<Int, String>

    private func group(_ next: Backlog.Next) -> (jobs: [Int], events: [String])? {
        if case .write(let group) = next { return (group.jobs, group.events) }
        return nil
    }

    private func isRest(_ next: Backlog.Next) -> Bool {
        if case .rest = next { return true }
        return false
    }

    private func word(_ admission: Backlog.Admission) -> String { "\(admission)" }

    @Test("a group has 512 jobs and 64 of strangers, 1,024 of whom may wait; 512 events go at once, and 16,384 wait")
    func usualLimits() {
        let usual = Backlog()
        #expect(usual.groupLimit == 512 && usual.unprovenInGroup == 64 && usual.unprovenLimit == 1024)
        #expect(usual.eventGroup == 512 && usual.eventLimit == 16_384)
        #expect(usual.isOpen && usual.waitingJobs == 0 && !usual.hasEvents)
    }

    @Test("a writer that has rested waits for nobody, however many the last group had")
    func restedWriter() {
        var backlog = Backlog()
        for job in 1...3 { _ = backlog.add(job) }
        #expect(group(backlog.next())?.jobs == [1, 2, 3])
        #expect(isRest(backlog.next(hasWaited: true)))
        let admission = backlog.add(4)
        #expect(word(admission) == "start")
        #expect(group(backlog.next())?.jobs == [4])
        #expect(isRest(backlog.next()))
    }

    @Test("events are taken up to their limit, and what was written goes no second time")
    func events() {
        var backlog = Backlog(eventGroup: 3, eventLimit: 4)
        var words = [word(backlog.add(events: ["a", "b"])), word(backlog.add(events: []))]
        #expect(words == ["flushLater", "waits"] && backlog.hasEvents)
        words = [word(backlog.add(events: ["c", "d", "e"])), word(backlog.add(events: ["c", "d"]))]
        #expect(words == ["full", "start"])
        #expect(group(backlog.next())?.events == ["a", "b", "c", "d"])
        #expect(!backlog.hasEvents)
        #expect(isRest(backlog.next()))
        words = [word(backlog.add(events: ["f"])), word(backlog.add(1))]
        #expect(words == ["flushLater", "start"])
        let next = group(backlog.next())
        #expect(next?.jobs == [1] && next?.events == [], "what came after the flush waits for the next")
    }

    @Test("events that could not be written are flushed after the usual delay, which is asked for once")
    func givenBack() {
        var backlog = Backlog()
        let words = [
            word(backlog.giveBack([])), word(backlog.giveBack(["a"])), word(backlog.giveBack(["b"])),
            word(backlog.add(events: ["c"])), word(backlog.flush()),
        ]
        #expect(words == ["waits", "flushLater", "waits", "waits", "start"])
        #expect(group(backlog.next())?.events == ["b", "a", "c"])
        let late = backlog.flush()
        #expect(word(late) == "waits", "nothing is left")
    }

    @Test("closing where nothing waits starts the writer, which finishes")
    func closingAtOnce() {
        var backlog = Backlog()
        let words = [word(backlog.close()), word(backlog.close())]
        #expect(words == ["start", "closed"] && !backlog.isOpen)
        guard case .finish = backlog.next() else { return #expect(Bool(false), "nothing is left") }
    }
}
