import BenjiProtocol
import Foundation
import Testing

@testable import BenjiClient

#if os(Linux) || os(macOS)
@Suite struct FileDeviceKeyStoreTests {
    /// Runs `body` with a path in a folder of its own, which is removed afterwards.
    private func withPath(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("benji-key-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.appendingPathComponent("device.pem").path)
    }

    private func mode(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    private func code(_ store: FileDeviceKeyStore) async -> DeviceKeyError.Code? {
        do throws(DeviceKeyError) {
            _ = try await store.signer()
            return nil
        } catch {
            return error.code
        }
    }

    @Test("The key is made once, stays the same, and only its owner can read it")
    func makingAndKeeping() async throws {
        try await withPath { path in
            let store = FileDeviceKeyStore(path: path)
            let key = try await store.signer().publicKey
            #expect(try await store.signer().publicKey == key)
            #expect(try await FileDeviceKeyStore(path: path).signer().publicKey == key)
            #expect(try mode(path) == 0o600)
            let folder = (path as NSString).deletingLastPathComponent
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder) == ["device.pem"],
                "nothing is left beside it")
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(text.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        }
    }

    @Test("What the key signs verifies")
    func signing() async throws {
        try await withPath { path in
            let signer = try await FileDeviceKeyStore(path: path).signer()
            let text = try CompactJWS.sign(header: [], payload: .object(["a": 1]), with: signer)
            #expect(try CompactJWS(parsing: text).isSigned(by: signer.publicKey))
        }
    }

    @Test(
        "A file that others may read or write is refused, whatever it holds",
        arguments: [0o640, 0o604, 0o620, 0o602, 0o644, 0o666])
    func exposed(mode: Int) async throws {
        try await withPath { path in
            let store = FileDeviceKeyStore(path: path)
            _ = try await store.signer()
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            #expect(await code(store) == .exposed)
        }
    }

    @Test(
        "What is not a key is refused and left alone",
        arguments: ["", "x", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
    func damaged(text: String) async throws {
        try await withPath { path in
            #expect(
                FileManager.default.createFile(
                    atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600]))
            #expect(await code(FileDeviceKeyStore(path: path)) == .damaged)
            let content = try String(contentsOfFile: path, encoding: .utf8)
            #expect(content == text)
        }
    }

    @Test("A file of a gigabyte is not read")
    func tooLarge() async throws {
        try await withPath { path in
            #expect(FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]))
            let handle = try #require(FileHandle(forWritingAtPath: path))
            try handle.truncate(atOffset: 1 << 30)
            try handle.close()
            #expect(await code(FileDeviceKeyStore(path: path)) == .damaged)
        }
    }

    @Test("A symbolic link is refused, also one that points nowhere")
    func links() async throws {
        try await withPath { path in
            let target = path + ".target"
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
            #expect(await code(FileDeviceKeyStore(path: path)) == .exposed)
            #expect(!FileManager.default.fileExists(atPath: target), "no key was made through the link")
            _ = try await FileDeviceKeyStore(path: target).signer()
            #expect(await code(FileDeviceKeyStore(path: path)) == .exposed)
        }
    }

    @Test("A folder, or a place without one, gives a clear error")
    func noPlace() async throws {
        try await withPath { path in
            #expect(await code(FileDeviceKeyStore(path: (path as NSString).deletingLastPathComponent)) == .damaged)
            #expect(await code(FileDeviceKeyStore(path: path + "/nowhere/key")) == .inaccessible)
        }
    }

    @Test("Many that start at once end up with one key")
    func race() async throws {
        try await withPath { path in
            let keys = try await withThrowingTaskGroup(of: DevicePublicKey.self) { group in
                for _ in 0..<32 { group.addTask { try await FileDeviceKeyStore(path: path).signer().publicKey } }
                return try await group.reduce(into: Set<DevicePublicKey>()) { $0.insert($1) }
            }
            #expect(keys.count == 1)
        }
    }

    @Test("After the key is removed another is made; removing nothing is no error")
    func removing() async throws {
        try await withPath { path in
            let store = FileDeviceKeyStore(path: path)
            let key = try await store.signer().publicKey
            try await store.removeKey()
            try await store.removeKey()
            #expect(try await store.signer().publicKey != key)
        }
    }
}
#endif
