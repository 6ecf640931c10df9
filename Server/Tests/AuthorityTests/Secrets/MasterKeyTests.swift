import Authority
import BenjiProtocol
import Foundation
import Testing

@Suite struct MasterKeyTests {
    private func path() -> String { NSTemporaryDirectory() + "/master-\(UUID().uuidString).key" }

    @Test("The first start makes a key that only its owner can read, later starts read the same one")
    func creation() throws {
        let path = path()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let first = try MasterKey.load(path: path, random: SystemRandomSource())
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(!FileManager.default.fileExists(atPath: path + ".new"))
        let second = try MasterKey.load(path: path, random: SystemRandomSource())
        #expect(Vault(masterKey: first).receiptKey == Vault(masterKey: second).receiptKey)
    }

    @Test("Reading a key that is not there makes none")
    func reading() throws {
        let path = path()
        #expect(try MasterKey.read(path: path) == nil)
        #expect(try MasterKey.read(path: path + "/in/no/folder") == nil)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("What a start that broke off left half written is written anew, and is nobody's key")
    func draft() throws {
        let path = path()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data("benji-master-key-1:".utf8).write(to: URL(fileURLWithPath: path + ".new"))
        #expect(try MasterKey.read(path: path) == nil)
        _ = try MasterKey.load(path: path, random: SystemRandomSource())
        #expect(!FileManager.default.fileExists(atPath: path + ".new"))
    }

    @Test("Of many that begin at once all have the same key")
    func race() async throws {
        let path = path()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let keys = try await withThrowingTaskGroup(of: DevicePublicKey.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    Vault(masterKey: try MasterKey.load(path: path, random: SystemRandomSource())).receiptKey
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(keys.allSatisfy { $0 == keys.first })
    }

    @Test(
        "A key file that others may read or write is refused, and the error says how to mend it",
        arguments: [0o644, 0o640, 0o604, 0o620, 0o660])
    func permissions(_ mode: Int) throws {
        let path = path()
        defer { try? FileManager.default.removeItem(atPath: path) }
        _ = try MasterKey.load(path: path, random: SystemRandomSource())
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        let error = #expect(throws: MasterKeyError.self) {
            try MasterKey.load(path: path, random: SystemRandomSource())
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
