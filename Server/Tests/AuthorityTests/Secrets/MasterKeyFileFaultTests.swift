import BenjiProtocol
import Foundation
import Testing

@testable import Authority

@Suite("A file of master keys that cannot be read, written or held")
struct MasterKeyFileFaultTests {
    private let folder = NSTemporaryDirectory() + "fault-\(UUID().uuidString)"
    private let random = SystemRandomSource()
    private var file: MasterKeyFile { MasterKeyFile(path: folder + "/master.key") }
    /// One in a folder that is not there.
    private var nowhere: MasterKeyFile { MasterKeyFile(path: folder + "/none/master.key") }

    private func withFolder(_ body: () throws -> Void) throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body()
    }

    private func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    private func names() throws -> Set<String> { Set(try FileManager.default.contentsOfDirectory(atPath: folder)) }

    private func words(_ code: Int32) -> String { String(cString: strerror(code)) }

    private func problem<Value>(_ body: () throws(MasterKeyError) -> Value) -> String? {
        do throws(MasterKeyError) {
            _ = try body()
            return nil
        } catch { return error.problem }
    }

    @Test("what cannot be opened or looked at is refused in the system's words, and what cannot be there holds no key")
    func reading() throws {
        try withFolder { () throws in
            let socket = folder + "/socket"
            #expect(mknod(socket, S_IFSOCK | 0o600, 0) == 0)
            let descriptor = open(socket, O_RDONLY)
            let reason = errno
            #expect(descriptor < 0)
            #expect(problem(MasterKeyFile(path: socket).keys) == "\(socket): \(words(reason))")
            let long = folder + "/" + String(repeating: "x", count: 300)
            #expect(problem(MasterKeyFile(path: long).keys) == "\(long): \(words(ENAMETOOLONG))")
            _ = try file.load(random: random)
            #expect(try MasterKeyFile(path: file.path + "/master.key").keys().isEmpty)
        }
    }

    @Test("a folder that is not there is named as the reason why no key is kept or held in it")
    func missingFolder() throws {
        let reason = words(ENOENT)
        let added = problem { () throws(MasterKeyError) in try nowhere.add(random: random) }
        let replaced = problem { () throws(MasterKeyError) in try nowhere.replace(nowhere.path, with: ["x"]) }
        #expect(added == "\(nowhere.path): \(reason)" && replaced == added)
        #expect(problem(nowhere.syncFolder) == "\(nowhere.folder): \(reason)")
        #expect(problem(nowhere.hold) == "\(nowhere.path).lock: \(reason)")
        #expect(try nowhere.remove([], discarding: false), "there is nothing to do")
    }

    @Test("a folder in the place of a file is neither replaced, nor held, nor discarded, and nothing is left beside it")
    func folders() throws {
        try withFolder { () throws in
            let id = MasterKey(bytes: Array(0..<32)).id
            let (lock, former) = (file.path + ".lock", file.formerPath(id))
            for place in [file.path, lock, former] { try makeFolder(place) }
            let before = try names()
            let reason = words(EISDIR)
            let replaced = problem { () throws(MasterKeyError) in try file.replace(file.path, with: ["x"]) }
            let discarded = problem { () throws(MasterKeyError) in try file.discard(id) }
            #expect(replaced == "\(file.path): \(reason)" && discarded == "\(former): \(reason)")
            #expect(problem(file.hold) == "\(lock): \(reason)")
            #expect(try names() == before)
        }
    }

    @Test("a file that was discarded is gone, whatever error came before, and one that is not there is none")
    func discarding() throws {
        try withFolder { () throws in
            let id = MasterKey(bytes: Array(0..<32)).id
            for name in ["", ".new"] {
                #expect(FileManager.default.createFile(atPath: file.formerPath(id) + name, contents: Data()))
            }
            for _ in 0..<2 {
                errno = EEXIST
                try file.discard(id)
                #expect(try names().isEmpty)
            }
        }
    }

    @Test("a file in which none of the keys lies is left as it is, to its last blank")
    func leftAlone() throws {
        try withFolder { () throws in
            let texts = [UInt8(1), 2].map { MasterKey.text(of: Array(repeating: $0, count: 32)) }
            let text = " \(texts[0])  \(texts[1])\n\n"
            #expect(
                FileManager.default.createFile(
                    atPath: file.path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600]))
            let stranger = MasterKey(bytes: Array(repeating: 3, count: 32))
            #expect(try file.remove([stranger], discarding: false))
            #expect(try String(contentsOfFile: file.path, encoding: .utf8) == text)
            #expect(try names() == ["master.key"])
        }
    }

    #if os(Linux)
    @Test("no file of keys stays open but the lock, while it is held")
    func descriptors() throws {
        try withFolder { () throws in
            let name = URL(fileURLWithPath: folder).lastPathComponent
            func open() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { descriptor in
                    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
                }.filter { $0.contains(name) }
            }
            let first = try file.load(random: random)
            _ = try file.add(random: random)
            _ = try file.remove(first, discarding: false)
            #expect(try open() == [])
            do {
                let hold = try file.hold()
                let second = try file.hold()
                #expect(hold != nil && second == nil)
                #expect(try open().count == 1)
                withExtendedLifetime(hold) {}
            }
            #expect(try open() == [])
        }
    }
    #endif
}
