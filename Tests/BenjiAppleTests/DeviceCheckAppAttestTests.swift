#if canImport(DeviceCheck) && canImport(Security)
import BenjiClient
import BenjiProtocol
import DeviceCheck
import Foundation
import Security
import Testing

@Suite("App Attest of Apple's systems, as the SDK asks it", .serialized)
struct DeviceCheckAppAttestTests {
    private let system = DeviceCheckAppAttest()
    private let chip = StandInAppAttest.shared

    @Test("A key is made, attested and asked to sign by the name that the server knows it by")
    func asked() async throws {
        chip.isSupported = true
        defer { chip.isSupported = false }
        #expect(system.isSupported)
        let key = try await system.makeKey()
        #expect(key.count == 32)
        let (name, hash) = (Data(key).base64EncodedString(), Data([1, 2, 3]).base64EncodedString())
        #expect(try await system.attest(key, clientDataHash: [1, 2, 3]) == Array("attest \(name) \(hash)".utf8))
        #expect(try await system.assert(key, clientDataHash: [1, 2, 3]) == Array("assert \(name) \(hash)".utf8))
    }

    @Test("A key of a former install is told from Apple's servers that do not answer, and from the rest")
    func errors() async throws {
        let key = try await system.makeKey()
        chip.forgetKeys()
        await #expect(throws: AppAttestServiceError.invalidKey) { try await system.assert(key, clientDataHash: []) }
        chip.failNext(with: DCError(.serverUnavailable))
        await #expect(throws: AppAttestServiceError.unavailable) { try await system.attest(key, clientDataHash: []) }
        chip.failNext(with: DCError(.featureUnsupported))
        await #expect(throws: AppAttestServiceError.failed) { try await system.makeKey() }
    }

    @Test("Whoever is cancelled does not wait for an answer that Apple never gives")
    func silence() async throws {
        let key = try await system.makeKey()
        chip.keepSilentNext()
        let asked = Task { try await system.attest(key, clientDataHash: []) }
        asked.cancel()
        await #expect(throws: AppAttestServiceError.unavailable) { try await asked.value }
    }

    @Test("The key's name is kept in the key chain, on this device alone, and can be forgotten")
    func keychain() {
        let store = KeychainAppAttestKeyStore(account: "300000000009")
        #expect(store.read() == nil)
        var entry = AppAttestKeyEntry(
            keyID: Base64URL.encode([UInt8](repeating: 7, count: 32)), deviceKey: String(repeating: "a", count: 43))
        store.write(entry)
        #expect(store.read() == entry)
        // Until the server has it, with all that its registration goes on with.
        entry.registration = AppAttestRegistration(
            challenge: "c-1_", begunAt: Timestamp(milliseconds: 1_790_000_000_123))
        store.write(entry)
        #expect(store.read() == entry)
        entry.registration?.evidence = [UInt8](repeating: 0xff, count: 6000)
        store.write(entry)
        #expect(store.read() == entry)
        #expect(
            StandInKeychain.shared.accessibility(service: "benji.app-attest-key", account: "300000000009")
                == kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as String)
        store.write(AppAttestKeyEntry(keyID: "x", deviceKey: "y"))
        #expect(store.read()?.keyID == "x")
        store.write(nil)
        #expect(store.read() == nil)
    }
}
#endif
