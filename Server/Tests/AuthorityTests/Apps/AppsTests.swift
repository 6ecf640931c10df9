import Authority
import BenjiProtocol
import ServerTestKit
import Store
import StoreSQLite
import Testing

@testable import Requests

@Suite struct AppsTests {
    @Test("The id of an app is 3000 and eight digits, another for each")
    func ids() async throws {
        let world = try await AuthorityWorld()
        var ids: Set<String> = []
        for _ in 0..<4 {
            let id = try await world.authority.apps.register(Apps.Registration(name: "x")).record.id.rawValue
            #expect(id.utf8.count == 12 && id.hasPrefix("3000") && id.utf8.allSatisfy { (0x30...0x39).contains($0) })
            ids.insert(id)
        }
        #expect(ids.count == 4)
        await world.end()
    }

    @Test("A registration that cannot work is refused with the reason")
    func validation() async throws {
        let world = try await AuthorityWorld()
        let mutations: [(String, (inout Apps.Registration) -> Void)] = [
            ("name", { $0.name = "" }), ("name", { $0.name = "a\nb" }),
            ("server address", { $0.serverAddresses = ["10.0.0.0/33"] }),
            ("RSA public key", { $0.rsaPublicKey = "PEM" }),
            ("needs an RSA public key", { $0.signAlgorithm = .rsa }), ("quota", { $0.dailyQuota = -1 }),
            ("quota", { $0.dailyQuota = 1_000_000_001 }), ("quota", { $0.dailyQuota = .max }),
            ("token lifetime", { $0.tokenLifetime = 0 }), ("token lifetime", { $0.tokenLifetime = 2_592_001 }),
            ("scrip lifetime", { $0.scripLifetime = .max }), ("attester", { $0.attesters = ["{}"] }),
            ("tolerance", { $0.requestTimeTolerance = .max }), ("source id", { $0.sourceIDs = ["12a"] }),
            ("unsigned requests", { $0.unsignedRequests = true }),
            (
                "unsigned requests",
                {
                    $0.unsignedRequests = true
                    $0.serverAddresses = ["192.0.2.7", "198.51.100.0/28"]
                }
            ),
            (
                "unsigned requests",
                {
                    $0.unsignedRequests = true
                    $0.serverAddresses = ["2001:db8::/63"]
                }
            ),
            ("least assurance sms", { $0.workflow = .oneTapThenSMS }),
            (
                "least assurance sms",
                {
                    $0.workflow = .oneTapThenSMS
                    $0.leastAssurance = .netApp
                }
            ),
            (
                "capability login",
                {
                    $0.workflow = .oneTapThenSMS
                    $0.leastAssurance = .sms
                    $0.capabilities = [.verification]
                }
            ),
            ("source ids", { $0.sourceIDs = (0..<100).map(String.init) }),
        ]
        for (word, mutation) in mutations {
            var registration = Apps.Registration(name: "x")
            mutation(&registration)
            do {
                _ = try await world.authority.apps.register(registration)
                Issue.record("accepted: \(word)")
            } catch {
                #expect(error.detail.contains(word), "\(error.detail)")
            }
        }
        await world.end()
    }

    @Test("An app of which nothing is said has nothing that weakens it, and may do no more than log in and verify")
    func nothingSaid() async throws {
        let world = try await AuthorityWorld()
        let app = try await world.authority.apps.register(Apps.Registration(name: "x")).record
        #expect(
            !app.openIDFromAnywhere && !app.phonesWithoutKey && !app.unsignedRequests && !app.legacyNumberWithoutPage)
        #expect(!app.suspended && app.allowed && !app.hasOneKey(at: world.clock.now))
        #expect(app.capabilities == [.login, .verification])
        #expect(app.serverAddresses.isEmpty && app.bundleIDs.isEmpty && app.attesters.isEmpty)
        #expect(app.approvedContent.isEmpty && app.sourceIDs.isEmpty)
        #expect(app.requestTimeTolerance == nil && app.dailyQuota == nil)
        #expect(app.leastAssurance == .net && app.workflow == .oneTap)
        await world.end()
    }

    @Test("An app keeps the id that another vendor gave it, and no second app gets it")
    func foreignIDs() async throws {
        let world = try await AuthorityWorld()
        for text in ["b41a959b5cac4dd1277183e074630945", "oCRdOzLa9S8Jyf3hVbpYa5", "5f0e3b9a7c1d2e4f6a8b0c2d"] {
            var registration = Apps.Registration(name: "x")
            registration.id = AppID(rawValue: text)
            let app = try await world.authority.apps.register(registration)
            #expect(app.record.id.rawValue == text)
            #expect(try await world.authority.apps.find(app.record.id).key == app.key)
            let again = registration
            #expect(try await refusal { _ = try await world.authority.apps.register(again) } == .parameterInvalid)
        }
        await world.end()
    }

    @Test("A key that is rotated now replaces the old one at once, and neither can be read from the store")
    func rotation() async throws {
        let world = try await AuthorityWorld()
        let rotated = try await world.authority.apps.rotateKey(of: world.app.record.id, keeping: .none)
        #expect(rotated.key != world.app.key)
        #expect(try await refusal { _ = try await world.prefetch() } == .appKeyWrong)
        _ = try await world.prefetch(appKey: rotated.key.reveal())
        let sealed = try await world.store.app(world.app.record.id)?.keys.flatMap(\.sealed.bytes) ?? []
        #expect(!String(decoding: sealed, as: UTF8.self).contains(rotated.key.reveal()))
        await world.end()
    }

    @Test("A key in clear prints nothing of itself")
    func description() async throws {
        let world = try await AuthorityWorld()
        var text = ""
        dump(world.app.key, to: &text)
        #expect(!(text + "\(world.app.key)" + String(reflecting: world.app.key)).contains(world.app.key.reveal()))
        await world.end()
    }

    @Test("A key sealed under another master key does not open, and the error says what to look for")
    func otherMasterKey() async throws {
        let world = try await AuthorityWorld()
        let stranger = Apps(
            store: world.store, vault: Vault(masterKey: MasterKey(bytes: Array(repeating: 1, count: 32))),
            clock: world.clock,
            random: SystemRandomSource())
        do {
            _ = try await stranger.find(world.app.record.id)
            Issue.record("opened")
        } catch {
            #expect(error.detail.contains("master key"))
        }
        await world.end()
    }
}
