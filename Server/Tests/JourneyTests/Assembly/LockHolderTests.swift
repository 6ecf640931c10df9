import Foundation
import StoreSQLite
import Testing

@testable import BenjiCommand
@testable import Processes
@testable import ServerRuntime

@Suite("Who holds the folder")
struct LockHolderTests {
    private let locks = """
        1: POSIX  ADVISORY  WRITE 812 08:01:1234 0 EOF
        2: FLOCK  ADVISORY  WRITE 4711 08:01:1234 0 EOF
        3: FLOCK  ADVISORY  WRITE 99 08:02:1234 0 EOF
        4: FLOCK  ADVISORY  WRITE -1 08:01:77 0 EOF
        4: -> FLOCK  ADVISORY  WRITE 98 08:01:1234 0 EOF
        broken
        """

    @Test("The process that has locked a file is read from the system's list, by disk and file")
    func list() {
        let device = UInt64(8) << 8 | 1
        #expect(LockHolder.holder(of: FileIdentity(device: device, number: 1234), in: locks) == 4711)
        #expect(LockHolder.holder(of: FileIdentity(device: device + 1, number: 1234), in: locks) == 99)
        #expect(
            LockHolder.holder(of: FileIdentity(device: device, number: 77), in: locks) == nil, "of another container")
        #expect(LockHolder.holder(of: FileIdentity(device: device, number: 5), in: locks) == nil)
    }

    @Test("A lock is found in a list that is longer than one piece of it")
    func long() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "locks-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let descriptors = (0..<200).map { open("\(folder)/\($0)", O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
        defer { for descriptor in descriptors { close(descriptor) } }
        for descriptor in descriptors { try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0) }
        for index in [0, 100, 199] {
            #expect(LockHolder(holding: "\(folder)/\(index)").process == getpid(), "lock \(index)")
        }
    }

    @Test(
        "A lock that is missing from the list while others come and go is found by reading again, and not without end")
    func shifting() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "lock-\(UUID().uuidString)").path
        try Data().write(to: URL(filePath: file))
        defer { try? FileManager.default.removeItem(atPath: file) }
        var found = stat()
        try #require(stat(file, &found) == 0)
        let (major, minor) = (found.st_dev >> 8 & 0xfff, found.st_dev & 0xff)
        let line = "2: FLOCK ADVISORY WRITE 4711 \(hex(major)):\(hex(minor)):\(found.st_ino) 0 EOF"
        for missed in [0, 1, LockHolder.readings - 1, LockHolder.readings] {
            var readings = 0
            let holder = LockHolder(holding: file) {
                readings += 1
                return readings > missed ? line : "1: FLOCK ADVISORY WRITE 5 00:00:1 0 EOF"
            }
            #expect(holder.process == (missed < LockHolder.readings ? 4711 : nil), "missed \(missed) times")
            #expect(readings == min(missed + 1, LockHolder.readings))
        }
        var readings = 0
        let nowhere = LockHolder(holding: file) {
            readings += 1
            return nil
        }
        #expect(nowhere.process == nil && readings == 1, "a system without the list")
    }

    private func hex(_ number: some BinaryInteger) -> String { String(number, radix: 16) }

    @Test("A port's holder is found in the kernel's tables: sockets that listen, and any of UDP")
    func ports() {
        let table = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 0 100 0
               1: 0100007F:1F90 0100007F:C001 01 00000000:00000000 00:00000000 00000000     0        0 4712 1 0 100 0
               2: 0100007F:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4713 1 0 100 0
               3: 00000000:1F90 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 4714 1 0 100 0
            broken
            """
        #expect(PortHolder.inodes(of: 8080, isUDP: false, in: table) == ["4711"])
        #expect(PortHolder.inodes(of: 8080, isUDP: true, in: table) == ["4711", "4712", "4714"])
        #expect(PortHolder.inodes(of: 9, isUDP: true, in: table).isEmpty)
    }

    @Test("A folder in use is told with the folder and what to do")
    func words() throws {
        let configuration = try DemoStage.configuration(dataDirectory: "/srv/benji", ports: (0, 0, 0, 0))
        let said = LockHolder(holding: "/nothing/here").problem(configuration.process)
        #expect(said.contains("/srv/benji") && said.contains("another process") && said.contains("stop it"))
    }
}
