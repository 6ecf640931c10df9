import Foundation
import Processes
import StoreSQLite
import Testing

@Suite("Who is in the way")
struct DatabaseReadersTests {
    @Test("Who reads a database for long is told from whoever has it open, writes, or reads for a moment")
    func readers() async throws {
        let database = FileManager.default.temporaryDirectory.appending(path: "read-\(UUID().uuidString)").path
        try Data().write(to: URL(filePath: database + "-shm"))
        defer { try? FileManager.default.removeItem(atPath: database + "-shm") }
        let place = try #require(FileIdentity(database + "-shm"))
        let (major, minor) = (place.device >> 8 & 0xfff, place.device & 0xff)
        func line(_ kind: String, _ process: Int32, _ bytes: String, inode: UInt64? = nil) -> String {
            "1: POSIX ADVISORY \(kind) \(process) \(hex(major)):\(hex(minor)):\(inode ?? place.number) \(bytes)"
        }
        let locks = [
            line("READ", 811, "128 128"), line("WRITE", 812, "120 120"), line("READ", 813, "124 124"),
            line("READ", 814, "123 127", inode: place.number + 1), line("READ", getpid(), "124 124"),
        ]
        var looks = 0
        let found = await DatabaseReaders.find(ofDatabase: database) {
            looks += 1
            let passing = looks == 2 ? [] : [line("READ", 815, "125 125")]
            return (locks + passing).joined(separator: "\n")
        }
        #expect(found.map(\.id) == [813])
        #expect(await DatabaseReaders.find(ofDatabase: database) { nil }.isEmpty, "a system without the list")
        #expect(await DatabaseReaders.find(ofDatabase: "/nothing/here").isEmpty)
    }

    @Test("A process is named with its program, in what a terminal can show")
    func program() {
        let own = "\(RunningProcess(id: getpid()))"
        #expect(own.hasPrefix("process \(getpid()) (") && own.utf8.allSatisfy { (0x20...0x7e).contains($0) })
        #expect("\(RunningProcess(id: .max))" == "process \(Int32.max)")
    }

    #if os(Linux)
    @Test("A process that has a file open is found by the file's path, and none by a path that nobody has open")
    func opened() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "open-\(UUID().uuidString)").path
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { unlink(path) }
        let place = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
        #expect(RunningProcess.having(open: ["/nothing/here", place]) == [RunningProcess(id: getpid())])
        close(descriptor)
        #expect(RunningProcess.having(open: [place]).isEmpty)
    }
    #endif

    private func hex(_ number: some BinaryInteger) -> String { String(number, radix: 16) }
}
