@_spi(Server) import BenjiProtocol
import Crypto
import Foundation
import ServerTestKit
import Store
import Testing

@testable import Authority

@Suite("Forms and lengths of secrets")
struct SecretFormTests {
    private let vault = Vault(masterKey: MasterKey(bytes: Array(0..<32)))
    private let stranger = Vault(masterKey: MasterKey(bytes: Array(1..<33)))
    private let moment = Timestamp(milliseconds: 1_790_000_000_500)

    @Test("data secrets are four of 32 bytes, and behind them the moment of the rows' codes or nothing")
    func dataSecrets() throws {
        let bytes = (0..<128).map { UInt8($0) }
        let secrets = try #require(DataSecrets(bytes: bytes))
        #expect(secrets.bytes == bytes && secrets.rowsSealedAt == nil)
        let sealed = secrets.rowsSealed(at: moment)
        #expect(sealed.bytes.count == 136 && Array(sealed.bytes.prefix(128)) == bytes)
        let read = try #require(DataSecrets(bytes: sealed.bytes))
        #expect(read.rowsSealedAt == moment && read.bytes == sealed.bytes)
        #expect(read.rows == secrets.rows && read.rows.bitCount == 256)
        for count in [0, 127, 129, 135, 137, 144, 160] {
            #expect(DataSecrets(bytes: Array(repeating: 1, count: count)) == nil, "\(count)")
        }
        let made = DataSecrets.make(random: SystemRandomSource())
        #expect(made.bytes.count == 128)
        let keys = [made.openID, made.pseudonym, made.attestation, made.sim]
        for (place, key) in keys.enumerated() { #expect(!keys[..<place].contains(key)) }
        let first = DataSecrets(of: MasterKey(bytes: Array(0..<32)))
        let derived = [first.openID, first.pseudonym, first.attestation, first.sim]
        for (place, key) in derived.enumerated() { #expect(!derived[..<place].contains(key)) }
    }

    @Test("a nonce for proofs says when it was given, and is this installation's, whole and unchanged")
    func nonces() throws {
        let nonce = vault.dpopNonce(at: moment)
        #expect(vault.dpopNonceTime(nonce) == Timestamp(seconds: moment.seconds))
        let bytes = try #require(Base64URL.decode(nonce))
        #expect(bytes.count == 24)
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= 1
            #expect(vault.dpopNonceTime(Base64URL.encode(changed)) == nil, "\(place)")
        }
        for wrong in [
            "", "x", stranger.dpopNonce(at: moment), Base64URL.encode(bytes.dropLast()), Base64URL.encode(bytes + [0]),
        ] { #expect(vault.dpopNonceTime(wrong) == nil, "\(wrong)") }
        #expect(vault.dpopNonceTime(vault.dpopNonce(at: Timestamp(seconds: -5))) == Timestamp(seconds: -5))
    }

    @Test("what is made again is another for each app, version and time, and for each person and name")
    func madeAgain() {
        let (shop, mall) = (AppID(rawValue: "300000000001")!, AppID(rawValue: "300000000002")!)
        let secrets = [
            vault.clientSecret(of: shop, version: 1, createdAt: moment),
            vault.clientSecret(of: mall, version: 1, createdAt: moment),
            vault.clientSecret(of: shop, version: 2, createdAt: moment),
            vault.clientSecret(of: shop, version: 1, createdAt: moment + .milliseconds(1)),
            stranger.clientSecret(of: shop, version: 1, createdAt: moment),
        ]
        #expect(Set(secrets).count == 5 && secrets[0] == vault.clientSecret(of: shop, version: 1, createdAt: moment))
        let number = AuthorityWorld.number
        let names = [
            vault.requestName("a", of: "b"), vault.requestName("b", of: "a"), vault.requestName("ab", of: ""),
            vault.backchannelName(of: number), vault.backchannelName(of: AuthorityWorld.otherNumber),
            Base64URL.encode(vault.erasureMark(of: number)), vault.installation, stranger.installation,
            Base64URL.encode(vault.consoleSecret(of: "a", salt: [1])),
            Base64URL.encode(vault.consoleSecret(of: "a", salt: [2])),
            Base64URL.encode(vault.consoleSecret(of: "b", salt: [1])),
        ]
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { Base64URL.decode($0)?.count == 32 })
        #expect(Vault.faceKeyOwner(subscription: 7, epoch: 3) == Array("7/3".utf8))
    }

    @Test("a master key is 32 bytes behind its prefix, and no more", arguments: [0, 31, 33, 64])
    func masterKeys(count: Int) {
        let text = "benji-master-key-1:" + Base64URL.encode([UInt8](repeating: 1, count: count))
        #expect(throws: MasterKeyError.self) { try MasterKey(text: text) }
    }

    @Test("blanks around a master key are not part of it, and a file that is not there holds none in clear")
    func texts() throws {
        let bytes = Array(repeating: UInt8(1), count: 32)
        let key = try MasterKey(text: " \n\(MasterKey.text(of: bytes))\n")
        #expect(key.bytes == bytes && key.check == MasterKey(bytes: bytes).check)
        #expect(MasterKey.newText(random: SystemRandomSource()).utf8.count == 19 + 43)
        let file = MasterKeyFile(path: NSTemporaryDirectory() + "/none-\(UUID().uuidString).key")
        #expect(try !file.holdsClearKey())
        #expect(MasterKeyFile(path: "master.key").folder == "." && MasterKeyFile(path: "/a/b").folder == "/a")
    }

    /// An HSM that unwraps anything to so many bytes.
    private struct Lengthy: WrappingKey {
        let name = "pkcs11:token=lengthy"
        let count: Int
        func wrap(_ bytes: [UInt8]) -> [UInt8] { bytes }
        func unwrap(_ wrapped: [[UInt8]]) -> [[UInt8]?] { wrapped.map { _ in Array(repeating: 7, count: count) } }
    }

    @Test("what an HSM unwraps to another length is no master key")
    func unwrapped() throws {
        let line = "benji-wrapped-key-1:AAAA"
        #expect(try WrappingKeys(current: Lengthy(count: 32)).keys(in: line).count == 1)
        for count in [0, 31, 33] {
            #expect(throws: MasterKeyError.self) { try WrappingKeys(current: Lengthy(count: count)).keys(in: line) }
        }
    }

    @Test("keys from outside count as kept as new ones are, unless the former wrapping key opens them")
    func given() throws {
        func kept(_ wrapping: WrappingKeys, _ text: String) throws -> [Bool] {
            try GivenMasterKeys(name: "x", text: text, wrapping: wrapping).kept().map(\.isKeptAsNew)
        }
        let (clear, wrapped) = (MasterKey.text(of: Array(0..<32)), "benji-wrapped-key-1:AAAA")
        let hsm = Lengthy(count: 32)
        #expect(try kept(WrappingKeys(), clear) == [true])
        #expect(try kept(WrappingKeys(current: hsm), "\(clear) \(wrapped)") == [true, true])
        #expect(try kept(WrappingKeys(former: hsm), "\(wrapped)\n\(clear)") == [false, true])
        let keeper = try GivenMasterKeys(name: "x", text: clear)
        let (own, other) = (MasterKey(bytes: Array(0..<32)), MasterKey(bytes: Array(1..<33)))
        #expect(!keeper.remove([own], discarding: false) && keeper.remove([other], discarding: false))
        #expect(keeper.remove([], discarding: true) && keeper.formerKeyFiles().isEmpty)
        #expect(throws: MasterKeyError.self) { try keeper.add(random: SystemRandomSource()) }
    }

    @Test("of values under unknown keys sixteen keys are told, each once")
    func told() {
        let log = LogBook()
        let vault = Vault(
            MasterKey(bytes: Array(0..<32)), keeper: GivenMasterKeys(name: "x", keys: []), store: nil,
            logger: log.logger)
        for number in 0..<20 {
            let sealed = Sealed(bytes: [Sealed.version] + Array(repeating: UInt8(number), count: 8) + [1, 2, 3])
            for _ in 0..<2 {
                let error = #expect(throws: VaultError.self) { try vault.open(sealed, purpose: "x", owner: []) }
                #expect(error?.isKeyMissing == true)
            }
        }
        #expect(log.lines.count == 16 && vault.problem == nil)
    }

    @Test("what changes of the key disturb is tried four times, and what fails otherwise once")
    func following() async {
        for (code, tries) in [(.keyChanged, 4), (.unavailable, 1)] as [(StoreError.Code, Int)] {
            var tried = 0
            let error = await #expect(throws: StoreError.self) {
                try await vault.following { () throws(StoreError) in
                    tried += 1
                    throw StoreError(code, "test")
                }
            }
            #expect(error?.code == code && tried == tries)
        }
    }

    @Test("what is sealed opens for its own purpose and owner, under its own key and unchanged")
    func sealed() throws {
        let text = [UInt8]("secret".utf8)
        let sealed = try vault.seal(text, purpose: "p", owner: [1])
        #expect(try vault.open(sealed, purpose: "p", owner: [1]) == text)
        #expect(sealed.bytes.count == 1 + 8 + 12 + text.count + 16 && sealed.masterKey == vault.masterKey.id)
        for (purpose, owner) in [("q", [1]), ("p", [2]), ("p", []), ("", [1])] as [(String, [UInt8])] {
            #expect(throws: VaultError.self) { try vault.open(sealed, purpose: purpose, owner: owner) }
        }
        #expect(throws: VaultError.self) { try stranger.open(sealed, purpose: "p", owner: [1]) }
        for place in sealed.bytes.indices {
            var changed = sealed
            changed.bytes[place] ^= 1
            #expect(throws: VaultError.self, "\(place)") { try vault.open(changed, purpose: "p", owner: [1]) }
        }
    }
}
