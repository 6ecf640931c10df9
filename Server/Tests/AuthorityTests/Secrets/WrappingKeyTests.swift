import BenjiProtocol
import Crypto
import Foundation
import Synchronization
import Testing

@testable import Authority

/// A key as an HSM has it, in this process: it can be taken away, and it counts how often it is asked.
final class PuppetWrappingKey: WrappingKey {
    let name: String
    private let key = SymmetricKey(size: .bits256)
    private let state = Mutex((isThere: true, asked: 0))

    init(_ name: String = "pkcs11:token=puppet") { self.name = name }

    var asked: Int { state.withLock { $0.asked } }
    func takeAway() { state.withLock { $0.isThere = false } }

    private func ask() throws(MasterKeyError) {
        let isThere = state.withLock { state in
            state.asked += 1
            return state.isThere
        }
        guard isThere else { throw MasterKeyError("the wrapping key \(name): the HSM has no such token") }
    }

    func wrap(_ bytes: [UInt8]) throws(MasterKeyError) -> [UInt8] {
        try ask()
        do { return Array(try AES.GCM.seal(bytes, using: key).combined!) } catch {
            throw MasterKeyError("\(error)")
        }
    }

    func unwrap(_ wrapped: [[UInt8]]) throws(MasterKeyError) -> [[UInt8]?] {
        try ask()
        return wrapped.map { bytes in
            (try? AES.GCM.open(AES.GCM.SealedBox(combined: bytes), using: key)).map { Array($0) }
        }
    }
}

/// An HSM that takes what it is given and gives something else back.
private struct ForgetfulKey: WrappingKey {
    let name = "pkcs11:token=forgetful"
    func wrap(_ bytes: [UInt8]) -> [UInt8] { bytes }
    func unwrap(_ wrapped: [[UInt8]]) -> [[UInt8]?] { wrapped.map { _ in Array(repeating: 7, count: 32) } }
}

@Suite("Master keys that a key in an HSM wraps")
struct WrappingKeyTests {
    private let path = NSTemporaryDirectory() + "/wrapped-\(UUID().uuidString).key"
    private let random = SystemRandomSource()

    private func file(_ current: (any WrappingKey)? = nil, former: (any WrappingKey)? = nil) -> MasterKeyFile {
        MasterKeyFile(path: path, wrapping: WrappingKeys(current: current, former: former))
    }

    private func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    private func problem(_ file: MasterKeyFile) throws -> String {
        try #require(throws: MasterKeyError.self) { try file.keys() }.problem
    }

    private func clean() { try? FileManager.default.removeItem(atPath: path) }

    @Test("A wrapped file holds no key in clear, and the key that wrapped it opens it")
    func wrapped() throws {
        defer { clean() }
        let hsm = PuppetWrappingKey()
        let made = try file(hsm).load(random: random)
        #expect(try text().hasPrefix("benji-wrapped-key-1:") && text().split(separator: "\n").count == 1)
        #expect(try !file(hsm).holdsClearKey())
        #expect(try file(hsm).keys().map(\.check) == made.map(\.check))
        #expect(try file(nil, former: hsm).keys().map(\.check) == made.map(\.check))
    }

    @Test("Without a wrapping key a wrapped file is refused, and the error names the setting and says to restart")
    func unnamed() throws {
        defer { clean() }
        _ = try file(PuppetWrappingKey()).load(random: random)
        let said = try problem(file())
        #expect(said.contains("set master-key.wrapping-key") && said.contains("restart") && said.contains(path))
    }

    @Test(
        """
        A file that another key wrapped is refused, and the error names the key that was tried and repeats nothing of \
        the file
        """
    )
    func another() throws {
        defer { clean() }
        _ = try file(PuppetWrappingKey()).load(random: random)
        let said = try problem(file(PuppetWrappingKey("pkcs11:token=other")))
        #expect(said.contains("pkcs11:token=other has not wrapped") && said.contains("former-wrapping-key"))
        #expect(try !said.contains(text().split(separator: ":")[1].prefix(8)))
    }

    @Test(
        "A wrapped line that was cut or changed is refused, and the error says what is wrong with it",
        arguments: [
            ("benji-wrapped-key-1:", "must be base64url"), ("benji-wrapped-key-1:?", "must be base64url"),
            ("benji-wrapped-key-1:AAAA", "has not wrapped"), ("benji-wrapped-key-2:AAAA", "43 characters"),
        ])
    func malformed(_ line: String, _ words: String) throws {
        defer { clean() }
        #expect(
            FileManager.default.createFile(
                atPath: path, contents: Data(line.utf8), attributes: [.posixPermissions: 0o600]))
        #expect(try problem(file(PuppetWrappingKey())).contains(words))
    }

    @Test("A key that was unwrapped once is there when the HSM is gone, and the HSM is not asked for it again")
    func remembered() throws {
        defer { clean() }
        let hsm = PuppetWrappingKey()
        _ = try file(hsm).load(random: random)
        #expect(hsm.asked == 2, "for a new key: to wrap it, and whether it can be had again")
        let later = file(hsm)
        let keys = try later.keys()
        let asked = hsm.asked
        hsm.takeAway()
        #expect(try later.keys().map(\.check) == keys.map(\.check) && hsm.asked == asked)
        #expect(throws: MasterKeyError.self) { try file(hsm).keys() }
        #expect(throws: MasterKeyError.self) { try later.add(random: random) }
        #expect(try text().split(separator: "\n").count == 1)
    }

    @Test("No master key is made that its wrapping key does not give back")
    func forgetful() throws {
        defer { clean() }
        #expect(throws: MasterKeyError.self) { try file(ForgetfulKey()).load(random: random) }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("Keys of before are read beside new ones: in clear, and under the former wrapping key; each goes by itself")
    func moving() throws {
        defer { clean() }
        let (first, second) = (PuppetWrappingKey("pkcs11:token=first"), PuppetWrappingKey("pkcs11:token=second"))
        let clear = try file().load(random: random)[0]
        let wrapped = try file(first).add(random: random)
        #expect(try file(first).holdsClearKey())
        #expect(try file(first).keys().map(\.check) == [clear.check, wrapped.check])
        #expect(try file(first).remove([clear], discarding: true) && !file(first).holdsClearKey())
        let moved = try file(second, former: first).add(random: random)
        #expect(try file(second, former: first).keys().map(\.check) == [wrapped.check, moved.check])
        #expect(try file(second, former: first).remove([wrapped], discarding: true))
        #expect(try file(second).keys().map(\.check) == [moved.check])
        let back = try file(nil, former: second).add(random: random)
        #expect(try file(nil, former: second).remove([moved], discarding: true))
        #expect(try file().keys().map(\.check) == [back.check])
    }

    @Test("A key from the environment may be a wrapped one")
    func given() throws {
        defer { clean() }
        let hsm = PuppetWrappingKey()
        let made = try file(hsm).load(random: random)[0]
        let keeper = try GivenMasterKeys(name: "BENJI_MASTER_KEY", text: text(), wrapping: WrappingKeys(current: hsm))
        #expect(try keeper.keys().map(\.check) == [made.check])
    }
}
