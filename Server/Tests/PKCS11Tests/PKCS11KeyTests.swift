import Authority
import Foundation
import PKCS11
import Testing

/// Checks that need no HSM. The others are in Tests/System/durability/test_hsm.py.
@Suite("Keys in HSMs")
struct PKCS11KeyTests {
    private func problem(module: String) throws -> String {
        let key = PKCS11Key(try PKCS11URI("pkcs11:token=benji;object=master?module-path=\(module)"))
        return try #require(throws: MasterKeyError.self) { try key.wrap([1]) }.problem
    }

    @Test("A module that is not there is named, with the setting to correct")
    func missing() throws {
        let said = try problem(module: "/nowhere/hsm.so")
        #expect(said.contains("there is no module /nowhere/hsm.so") && said.contains("module-path"))
        #expect(said.contains("pkcs11:token=benji;object=master"))
    }

    @Test("A file that is no library is named")
    func malformed() throws {
        let path = NSTemporaryDirectory() + "/no-library-\(UUID().uuidString).so"
        try Data("no library".utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try problem(module: path).contains("the module \(path) cannot be loaded"))
    }

    @Test("A library that is no PKCS#11 module is named")
    func another() throws {
        // A file of /proc has no length, so it is read to its end.
        let maps = try #require(FileHandle(forReadingAtPath: "/proc/self/maps")).readDataToEndOfFile()
        let path = try #require(
            String(decoding: maps, as: UTF8.self).split(separator: "\n").compactMap {
                $0.split(separator: " ").last.map(String.init)
            }.first { $0.contains("/libc.so") })
        #expect(try problem(module: path).contains("no PKCS#11 module"))
    }
}
