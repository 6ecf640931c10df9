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
        let second = try MasterKey.load(path: path, random: SystemRandomSource())
        #expect(Vault(masterKey: first).receiptKey == Vault(masterKey: second).receiptKey)
    }

    @Test("A key file that others may read is refused, and the error says how to mend it")
    func permissions() throws {
        let path = path()
        defer { try? FileManager.default.removeItem(atPath: path) }
        _ = try MasterKey.load(path: path, random: SystemRandomSource())
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(throws: MasterKeyError.self) { try MasterKey.load(path: path, random: SystemRandomSource()) }
        do { _ = try MasterKey.load(path: path, random: SystemRandomSource()) } catch {
            #expect("\(error)".contains("chmod 600"))
        }
    }

    @Test(
        "Text that is not a master key is refused without being repeated",
        arguments: ["", "secret", "benji-master-key-1:abc"])
    func malformed(_ text: String) {
        do {
            _ = try MasterKey(text: text)
            Issue.record("accepted")
        } catch {
            #expect(text.isEmpty || !"\(error)".contains("secret"))
        }
    }
}
