@_spi(Server) import BenjiProtocol
import Testing

@testable import Gateway

/// When a journal is compacted, which files it has open, and its errors.
struct JournalStateTests {
    private let disk = MemoryDisk()

    /// A change whose record has so many bytes, 15 at least.
    private func change(bytes: Int) -> DirectoryChange {
        .missed(domain: String(repeating: "d", count: bytes - 15), at: 1)
    }

    private func open(minimumSize: Int = 1, afterLoss end: [DirectoryChange] = []) throws -> Journal {
        let afterLoss = { end }
        return try Journal.open("journal", disk: disk, minimumSize: minimumSize, afterLoss: afterLoss) { _ in }.journal
    }

    /// How a journal came to the size that it is measured by.
    enum Way: CaseIterable { case begun, opened, openedAfterLoss, writtenAnew }

    /// A new journal of 8 bytes, or one of 60 that was opened or compacted.
    private func journal(_ way: Way, minimumSize: Int) throws -> Journal {
        let journal = try open(minimumSize: minimumSize)
        switch way {
        case .begun: return journal
        case .opened:
            try journal.commit([change(bytes: 52)], at: nil)
            return try open(minimumSize: minimumSize)
        case .openedAfterLoss:
            try journal.commit([change(bytes: 30)], at: nil)
            disk.setContents("journal", try #require(disk.contents("journal")) + [1, 2, 3])
            return try open(minimumSize: minimumSize, afterLoss: [change(bytes: 22)])
        case .writtenAnew:
            try journal.commit([change(bytes: 300)], at: nil)
            try journal.beginCompaction()
            try journal.addToCompaction([change(bytes: 15)])
            try journal.commit([change(bytes: 15)], at: nil)
            try journal.finishCompaction([change(bytes: 22)], at: nil)
            return journal
        }
    }

    @Test(
        "a journal is to be written anew once it is larger than the least size and than twice what it began with",
        arguments: [
            (.begun, 23, 15, false), (.begun, 22, 15, true), (.opened, 1, 60, false), (.opened, 1, 61, true),
            (.opened, 130, 70, false), (.opened, 130, 71, true), (.openedAfterLoss, 1, 60, false),
            (.openedAfterLoss, 1, 61, true), (.writtenAnew, 1, 60, false), (.writtenAnew, 1, 61, true),
        ] as [(Way, Int, Int, Bool)])
    func size(way: Way, minimumSize: Int, added: Int, isDue: Bool) throws {
        let journal = try journal(way, minimumSize: minimumSize)
        #expect(!journal.wantsCompaction && !journal.isCompacting && !journal.isBroken)
        #expect(disk.contents("journal")?.count == (way == .begun ? 8 : 60))
        try journal.commit([change(bytes: added)], at: nil)
        #expect(journal.wantsCompaction == isDue)
    }

    @Test("a journal that is asked to be written anew waits for it until it is done, also after a failure")
    func asked() throws {
        let journal = try open()
        journal.askForCompaction()
        #expect(journal.wantsCompaction)
        try journal.beginCompaction()
        #expect(!journal.wantsCompaction && journal.isCompacting)
        disk.isFailing = true
        #expect(throws: JournalError(operation: "write", code: 28)) {
            try journal.addToCompaction([change(bytes: 20)])
        }
        disk.isFailing = false
        #expect(journal.wantsCompaction && !journal.isCompacting && !journal.isBroken)
        try journal.beginCompaction()
        try journal.finishCompaction([], at: nil)
        #expect(!journal.wantsCompaction && !journal.isCompacting)
    }

    @Test("a journal has one file open, a second one while it is written anew, and none after its last failure or end")
    func files() throws {
        let journal = try open()
        #expect(disk.openFiles == 1)
        for _ in 0..<2 {
            try journal.beginCompaction()
            #expect(disk.openFiles == 2)
        }
        // If a write to the new file fails, the change is in the old one.
        disk.failWrites(to: "journal.new")
        try journal.commit([change(bytes: 20)], at: nil)
        #expect(disk.openFiles == 1 && !journal.isCompacting)
        #expect(throws: JournalError(operation: "write", code: 28)) { try journal.beginCompaction() }
        #expect(disk.openFiles == 1 && !journal.isCompacting)
        disk.failWrites(to: nil)
        try journal.beginCompaction()
        try journal.finishCompaction([], at: nil)
        #expect(disk.openFiles == 1)
        #expect(throws: JournalError(operation: "compacting", code: 5)) { try journal.finishCompaction([], at: nil) }
        // After a failed rename either file may have the name.
        try journal.beginCompaction()
        disk.failNextMove()
        #expect(throws: JournalError(operation: "rename", code: 5)) { try journal.finishCompaction([], at: nil) }
        #expect(disk.openFiles == 0 && journal.isBroken && journal.wantsCompaction)
        #expect(throws: JournalError(operation: "writing after a failure", code: 5)) { try journal.commit([], at: nil) }
        try journal.beginCompaction()
        try journal.finishCompaction([change(bytes: 20)], at: nil)
        #expect(disk.openFiles == 1 && !journal.isBroken)
        disk.failWrites(to: "journal")
        #expect(throws: JournalError(operation: "write", code: 28)) {
            try journal.commit([], at: Timestamp(seconds: 1))
        }
        #expect(disk.openFiles == 0 && journal.isBroken)
        disk.failWrites(to: nil)
        try journal.beginCompaction()
        try journal.finishCompaction([change(bytes: 20)], at: nil)
        try journal.beginCompaction()
        #expect(disk.openFiles == 2)
        journal.close()
        #expect(disk.openFiles == 0)
        // The copy that is made at the opening is closed if it cannot take the journal's place.
        for _ in 0..<2 {
            disk.failNextMove()
            #expect(throws: JournalError(operation: "rename", code: 5)) { try open() }
            #expect(disk.openFiles == 0)
        }
        let again = try open()
        #expect(disk.openFiles == 1)
        again.close()
        #expect(disk.openFiles == 0)
    }

    @Test("a new journal holds its head alone, also after a power cut, and nothing was found or lost")
    func begun() throws {
        let opened = try Journal.open("journal", disk: disk) { _ in Issue.record("something was found") }
        let recovery = opened.recovery
        #expect(recovery.lastHeartbeat == nil && recovery.records == 0 && recovery.lostBytes == 0)
        #expect(disk.afterPowerCut().contents("journal") == Array("BENJIGW3".utf8))
    }

    @Test("a head that was cut off in the middle is lost, and the journal begins anew", arguments: 1...7)
    func tornHead(length: Int) throws {
        disk.setContents("journal", Array("BENJIGW3".utf8.prefix(length)))
        let opened = try Journal.open("journal", disk: disk) { _ in Issue.record("something was found") }
        #expect(opened.recovery.records == 0 && opened.recovery.lostBytes == length)
        #expect(disk.afterPowerCut().contents("journal") == Array("BENJIGW3".utf8))
    }

    @Test("a file that is no journal is told from one that cannot be read")
    func foreign() throws {
        disk.setContents("journal", Array("BENJIGW4 and more".utf8))
        let error = #expect(throws: JournalError.self) { try open() }
        #expect(error == JournalError(operation: "reading the header", code: 0))
        #expect(error?.description == "journal: reading the header failed: this is no journal of a gateway")
        #expect(disk.openFiles == 0)
    }

    @Test(
        "an opened journal is durable under this version's head, and says what was lost only if something was",
        arguments: ["BENJIGW1", "BENJIGW2", "BENJIGW3"], [0, 1, 3])
    func opened(head: String, lost: Int) throws {
        let changes = [change(bytes: 40), change(bytes: 15)]
        let journal = try open()
        try journal.commit([changes[0]], at: Timestamp(seconds: 9))
        try journal.commit([changes[1]], at: Timestamp(seconds: 5))
        journal.close()
        let records = try #require(disk.contents("journal")).dropFirst(8)
        disk.setContents("journal", Array(head.utf8) + records + [UInt8](repeating: 1, count: lost))
        var (found, calls): ([DirectoryChange], Int) = ([], 0)
        let note = change(bytes: 30)
        let afterLoss: () -> [DirectoryChange] = {
            calls += 1
            return [note]
        }
        let opened = try Journal.open("journal", disk: disk, afterLoss: afterLoss) { found.append($0) }
        #expect(found == changes && calls == (lost > 0 ? 1 : 0))
        #expect(opened.recovery.lastHeartbeat == Timestamp(seconds: 9) && opened.recovery.records == 4)
        #expect(opened.recovery.lostBytes == lost)
        var expected = Array("BENJIGW3".utf8) + records
        if lost > 0 { JournalCoding.append(.change(note), to: &expected) }
        #expect(disk.afterPowerCut().contents("journal") == expected)
    }
}
