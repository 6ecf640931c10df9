import BenjiClient
import BenjiProtocol
import Foundation
import Security
import Testing

/// The stand-ins have one key chain for the whole process. So each test has an account of its own, and none locks the
/// key chain while another reads.
@Suite(.serialized) struct KeychainDeviceKeyStoreTests {
    @Test("An install has one key: made at the first use, found again, and another one after it was removed")
    func key() async throws {
        let store = KeychainDeviceKeyStore(account: "300000000001")
        let first = try await store.signer().publicKey
        #expect(try await store.signer().publicKey == first)
        #expect(try await KeychainDeviceKeyStore(account: "300000000001").signer().publicKey == first)
        #expect(try await KeychainDeviceKeyStore(account: "300000000002").signer().publicKey != first)
        try await store.removeKey()
        #expect(try await store.signer().publicKey != first)
    }

    @Test("The entry stays on this device and can be read once the phone was unlocked")
    func accessibility() async throws {
        let store = KeychainDeviceKeyStore(account: "300000000003")
        _ = try await store.signer()
        #expect(
            StandInKeychain.shared.accessibility(service: "benji.device-key", account: "300000000003")
                == kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as String)
    }

    @Test("Before the first unlock the store says that the phone is locked, and makes no second key")
    func locked() async throws {
        let store = KeychainDeviceKeyStore(account: "300000000004")
        let key = try await store.signer().publicKey
        StandInKeychain.shared.isLocked = true
        do {
            _ = try await store.signer()
            Issue.record("a locked key chain gave a key")
        } catch { #expect(error.code == .locked) }
        StandInKeychain.shared.isLocked = false
        #expect(try await store.signer().publicKey == key)
    }
}
