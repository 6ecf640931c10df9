@_spi(Server) import BenjiProtocol
import Testing

@testable import Gateway

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

struct JournalTests {
    private static func state(_ number: UInt32) -> DirectoryChange.SessionState {
        .init(
            key: SessionKey(a: number, b: 2, c: 3), scope: "pgw\nid:pgw-1", subscription: Int64(number), epoch: 1,
            simGeneration: 2, binding: -5, address: 0x0a00_0001, prefix: 0x2001_0db8_0000_0000, prefixLength: 64,
            startedAt: 100, heardAt: 200, flags: 5, aliases: [SessionKey(a: 9, b: 9, c: 9)],
            blocks: [
                .init(address: 1, first: 1024, last: 2047, time: 150, scope: ""),
                .init(address: 2, first: 1024, last: 2047, time: 150, scope: "nat\nid:nat-1"),
            ])
    }

    private let changes: [DirectoryChange] = [
        .put(state(1)), .removed(SessionKey(a: 7, b: 8, c: 9), at: 300), .reset(scope: "pgw\n", at: 50),
        .missed(domain: "cmnet", at: 70), .missedScope("pgw\nid:pgw-1", at: 90),
        .named(scope: "pgw\nid:pgw-1", restartedAt: 80),
    ]

    private func open(_ disk: MemoryDisk) throws -> (Journal, Journal.Recovery, [DirectoryChange]) {
        var found: [DirectoryChange] = []
        let opened = try Journal.open("journal", disk: disk, minimumSize: 1) { found.append($0) }
        return (opened.journal, opened.recovery, found)
    }

    @Test(
        "a call of the system that a signal interrupts is made again, any other failure and any success is its answer")
    func interrupted() {
        var calls = 0
        func answer(_ result: Int, _ error: Int32) -> Int {
            calls += 1
            errno = error
            return result
        }
        #expect(SystemDisk.retrying { calls < 2 ? answer(-1, EINTR) : answer(7, EINTR) } == 7)
        #expect(calls == 3)
        #expect(SystemDisk.retrying { answer(-1, ENOSPC) } == -1)
        #expect(calls == 4)
    }

    @Test("what was committed is there after a power cut")
    func roundTrip() throws {
        let disk = MemoryDisk()
        let (journal, recovery, _) = try open(disk)
        #expect(recovery == Journal.Recovery())
        try journal.commit(changes, at: Timestamp(seconds: 5))
        try journal.commit([], at: Timestamp(seconds: 9))
        let (_, after, found) = try open(disk.afterPowerCut())
        #expect(found == changes)
        #expect(after.lastHeartbeat == Timestamp(seconds: 9))
        #expect(after.lostBytes == 0)
    }

    @Test("one commit is one sync, however many changes it has")
    func groupCommit() throws {
        let disk = MemoryDisk()
        let (journal, _, _) = try open(disk)
        let before = disk.syncs
        try journal.commit((1...500).map { .put(Self.state($0)) }, at: Timestamp(seconds: 1))
        #expect(disk.syncs == before + 1)
    }

    @Test("cut at any byte of its last record, a journal gives all records before it and goes on from there")
    func tornTail() throws {
        let disk = MemoryDisk()
        let (journal, _, _) = try open(disk)
        try journal.commit([changes[0]], at: Timestamp(seconds: 1))
        let good = try #require(disk.contents("journal")).count
        try journal.commit([.put(Self.state(2))], at: Timestamp(seconds: 2))
        let whole = try #require(disk.contents("journal"))
        for length in good..<whole.count {
            let torn = MemoryDisk()
            torn.setContents("journal", Array(whole[..<length]))
            let (again, recovery, found) = try open(torn)
            // The second commit is a put and a heartbeat: a cut in the heartbeat leaves the put.
            #expect(found.first == changes[0] && found.count <= 2)
            let kept = found.count == 1 ? good : whole.count - 25 + 8
            #expect(recovery.lostBytes == length - min(kept, length) || recovery.lostBytes < 25)
            try again.commit([changes[1]], at: Timestamp(seconds: 3))
            let (_, last, after) = try open(torn)
            #expect(after == found + [changes[1]])
            #expect(last.lostBytes == 0)
        }
    }

    @Test("a changed byte anywhere ends what is believed there, and nothing behind it is")
    func damage() throws {
        let disk = MemoryDisk()
        let (journal, _, _) = try open(disk)
        try journal.commit(changes, at: Timestamp(seconds: 1))
        let whole = try #require(disk.contents("journal"))
        for index in JournalCoding.magic.count..<whole.count {
            var bytes = whole
            bytes[index] ^= 0x40
            let damaged = MemoryDisk()
            damaged.setContents("journal", bytes)
            let (_, recovery, found) = try open(damaged)
            #expect(changes.starts(with: found))
            #expect(recovery.lostBytes > 0)
        }
    }

    @Test("a file that is no journal is left alone")
    func foreign() throws {
        let disk = MemoryDisk()
        disk.setContents("journal", Array("something else".utf8))
        #expect(throws: JournalError.self) { try open(disk) }
        #expect(disk.contents("journal") == Array("something else".utf8))
    }

    @Test("compaction replaces the file; what is committed meanwhile is in both")
    func compaction() throws {
        let disk = MemoryDisk()
        let (journal, _, _) = try open(disk)
        for _ in 0..<50 { try journal.commit(changes, at: Timestamp(seconds: 1)) }
        #expect(journal.wantsCompaction)
        let size = try #require(disk.contents("journal")).count
        try journal.beginCompaction()
        try journal.addToCompaction([.put(Self.state(1))])
        try journal.commit([.put(Self.state(2))], at: Timestamp(seconds: 2))
        // A power cut before the end leaves the old file, complete.
        #expect(try open(disk.afterPowerCut()).2.last == .put(Self.state(2)))
        try journal.finishCompaction([changes[1]], at: Timestamp(seconds: 3))
        #expect(try open(disk.afterPowerCut()).2 == [.put(Self.state(1)), .put(Self.state(2)), changes[1]])
        #expect(try #require(disk.contents("journal")).count < size / 10)
        try journal.commit([.put(Self.state(4))], at: Timestamp(seconds: 4))
        #expect(try open(disk.afterPowerCut()).2.last == .put(Self.state(4)))
    }

    @Test("after a failed write nothing is committed until the journal is written anew")
    func failure() throws {
        let disk = MemoryDisk()
        let (journal, _, _) = try open(disk)
        try journal.commit([changes[0]], at: Timestamp(seconds: 1))
        disk.isFailing = true
        #expect(throws: JournalError.self) { try journal.commit([changes[1]], at: Timestamp(seconds: 2)) }
        disk.isFailing = false
        #expect(journal.isBroken && journal.wantsCompaction)
        #expect(throws: JournalError.self) { try journal.commit([changes[1]], at: Timestamp(seconds: 2)) }
        try journal.beginCompaction()
        try journal.addToCompaction(changes)
        try journal.finishCompaction([], at: Timestamp(seconds: 3))
        #expect(try open(disk.afterPowerCut()).2 == changes)
    }

    @Test("what is committed after a failed sync and a new start is there after a power cut")
    func forgottenPages() throws {
        let disk = MemoryDisk()
        let (journal, _, _) = try open(disk)
        try journal.commit([changes[0]], at: Timestamp(seconds: 1))
        disk.forgetNextSync()
        #expect(throws: JournalError.self) { try journal.commit([changes[1]], at: Timestamp(seconds: 2)) }
        // The system shows data that it could not write; only a power cut reveals the loss.
        let (again, recovery, shown) = try open(disk)
        #expect(shown == [changes[0], changes[1]] && recovery.lostBytes == 0)
        try again.commit([.put(Self.state(7))], at: Timestamp(seconds: 3))
        #expect(try open(disk.afterPowerCut()).2 == [changes[0], changes[1], .put(Self.state(7))])
    }

    @Test("random bytes behind a good journal are cut off, never trapped on")
    func fuzz() throws {
        var generator = SeededGenerator(seed: 7)
        let disk = MemoryDisk()
        let (journal, _, _) = try open(disk)
        try journal.commit(changes, at: Timestamp(seconds: 1))
        let whole = try #require(disk.contents("journal"))
        for _ in 0..<500 {
            let noise = (0..<Int.random(in: 1...60, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            let noisy = MemoryDisk()
            noisy.setContents("journal", whole + noise)
            let (_, recovery, found) = try open(noisy)
            #expect(found == changes)
            #expect(recovery.lostBytes == noise.count)
        }
        for _ in 0..<2000 {
            let noise = (0..<Int.random(in: 0...80, using: &generator)).map { _ in
                UInt8.random(in: 0...4, using: &generator)
            }
            _ = JournalCoding.decode(noise[...])
        }
    }

    @Test("on a real disk: readable by its owner only, one gateway at a time, and there after closing")
    func realDisk() throws {
        var template = Array("/tmp/benji-journal-XXXXXX".utf8CString)
        let directory = try #require(
            template.withUnsafeMutableBufferPointer { mkdtemp($0.baseAddress!) }.map { String(cString: $0) })
        let path = directory + "/journal"
        defer {
            unlink(path)
            rmdir(directory)
        }
        let opened = try Journal.open(path) { _ in }
        try opened.journal.commit(changes, at: Timestamp(seconds: 1))
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(throws: JournalError.self) { try Journal.open(path) { _ in } }
        try opened.journal.beginCompaction()
        try opened.journal.addToCompaction([changes[0]])
        try opened.journal.finishCompaction([], at: Timestamp(seconds: 2))
        #expect(throws: JournalError.self) { try Journal.open(path) { _ in } }
        opened.journal.close()
        var found: [DirectoryChange] = []
        let again = try Journal.open(path) { found.append($0) }
        again.journal.close()
        #expect(found == [changes[0]])
        #expect(again.recovery.lastHeartbeat == Timestamp(seconds: 2))
    }

    @Test("the checksum is zlib's, whatever the length")
    func checksum() {
        func checksum(_ text: String) -> UInt32 { CRC32.checksum(Array(text.utf8).span) }
        #expect(checksum("") == 0)
        #expect(checksum("1234567") == 0x5003_699f)
        #expect(checksum("12345678") == 0x9ae0_daaf)
        #expect(checksum("123456789") == 0xcbf4_3926)
        #expect(checksum(String(repeating: "a", count: 1000)) == 0x9a38_da03)
    }
}
