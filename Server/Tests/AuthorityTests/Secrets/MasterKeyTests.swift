import Authority
import BenjiProtocol
import Foundation
import Store
import Testing

@Suite struct MasterKeyTests {
    private func path() -> String { NSTemporaryDirectory() + "/master-\(UUID().uuidString).key" }

    @Test("The first start makes a key that only its owner can read, later starts read the same one")
    func creation() throws {
        let path = path()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let first = try MasterKeyFile(path: path).load(random: SystemRandomSource())
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(!FileManager.default.fileExists(atPath: path + ".new"))
        let second = try MasterKeyFile(path: path).load(random: SystemRandomSource())
        #expect(first.count == 1 && first.map(\.check) == second.map(\.check))
    }

    @Test("What root writes belongs to the owner of the folder, as the server does", .enabled(if: geteuid() == 0))
    func owner() throws {
        let folder = NSTemporaryDirectory() + "/master-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let file = MasterKeyFile(path: folder + "/master.key")
        let first = try file.load(random: SystemRandomSource())
        #expect(chown(folder, 4321, 4322) == 0)
        let former = "master.key.former-\(first[0].id.text)"
        func owners(_ names: [String] = ["master.key", "master.key.lock"]) throws -> [[Int?]] {
            try names.map { name in
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
                let names: [FileAttributeKey] = [.ownerAccountID, .groupOwnerAccountID]
                return names.map { (attributes[$0] as? NSNumber)?.intValue }
            }
        }
        let hold = try file.hold()
        _ = try file.add(random: SystemRandomSource())
        #expect(try owners() == [[4321, 4322], [4321, 4322]])
        #expect(try file.remove(first, discarding: false))
        #expect(try owners() == [[4321, 4322], [4321, 4322]])
        #expect(try owners([former]) == [[4321, 4322]])
        withExtendedLifetime(hold) {}
    }

    @Test("A key file that cannot be read says why")
    func unreadable() throws {
        let path = path()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let error = #expect(throws: MasterKeyError.self) { try MasterKeyFile(path: path).keys() }
        #expect("\(try #require(error))".contains("directory"))
    }

    @Test("Reading a key that is not there makes none")
    func reading() throws {
        let path = path()
        #expect(try MasterKeyFile(path: path).keys().isEmpty)
        #expect(try MasterKeyFile(path: path + "/in/no/folder").keys().isEmpty)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("What a start that broke off left half written is written anew, and is nobody's key")
    func draft() throws {
        let path = path()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data("benji-master-key-1:".utf8).write(to: URL(fileURLWithPath: path + ".new"))
        #expect(try MasterKeyFile(path: path).keys().isEmpty)
        _ = try MasterKeyFile(path: path).load(random: SystemRandomSource())
        #expect(!FileManager.default.fileExists(atPath: path + ".new"))
    }

    @Test("Of many that begin at once all have the same key")
    func race() async throws {
        let path = path()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let keys = try await withThrowingTaskGroup(of: [MasterKeyCheck].self) { group in
            for _ in 0..<16 {
                group.addTask {
                    try MasterKeyFile(path: path).load(random: SystemRandomSource()).map(\.check)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(keys.allSatisfy { $0.count == 1 && $0 == keys.first })
    }

    @Test(
        "A key file that others may read or write is refused, and the error says how to mend it",
        arguments: [0o644, 0o640, 0o604, 0o620, 0o660])
    func permissions(_ mode: Int) throws {
        let path = path()
        defer { try? FileManager.default.removeItem(atPath: path) }
        _ = try MasterKeyFile(path: path).load(random: SystemRandomSource())
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        let error = #expect(throws: MasterKeyError.self) {
            try MasterKeyFile(path: path).load(random: SystemRandomSource())
        }
        #expect("\(try #require(error))".contains("chmod 600"))
    }

    @Test(
        "Text that is not a master key is refused without being repeated",
        arguments: [
            "", "secret", "benji-master-key-1:abc", "benji-master-key-2:" + String(repeating: "A", count: 43),
        ])
    func malformed(_ text: String) {
        do {
            _ = try MasterKey(text: text)
            Issue.record("accepted")
        } catch {
            #expect(text.isEmpty || !"\(error)".contains("secret"))
        }
    }
}
