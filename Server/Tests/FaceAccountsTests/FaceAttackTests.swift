import BenjiFaceProtocol
@_spi(Server) import BenjiProtocol
import Crypto
import FaceMatching
import Foundation
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Testing

@testable import Authority
@testable import FaceAccounts

@Suite("Attacks on face accounts") struct FaceAttackTests {
    @Test("A session is finished once, by the device that began it, and its challenge counts once")
    func replay() async throws {
        try await withFaceWorld { world in
            let first = try await world.enrol()
            let begun = try await world.begin(.login, .remembered(first.remembered))
            let challenge = try await world.faces.challenge(
                FaceChallengeRequest(session: begun.session), from: try world.world.call())
            #expect(challenge.lifetime == 60, "in seconds")
            let frames = FaceFramesRequest(
                session: begun.session, challenge: challenge.challenge,
                frames: [.init(milliseconds: 0, picture: FakeFace.picture(FaceWorld.owner))])
            let thief = SoftwareDeviceSigner()
            #expect(
                try await refusal { _ = try await world.faces.frames(frames, from: try world.world.call(thief)) }
                    == .faceSessionInvalid)
            #expect(try await world.faces.frames(frames, from: try world.world.call()) == .passed(nil))
            #expect(
                try await refusal { _ = try await world.faces.frames(frames, from: try world.world.call()) }
                    == .challengeInvalid)
            let recorded = FaceFramesRequest(
                session: (try await world.begin(.login, .remembered(first.remembered))).session,
                challenge: challenge.challenge, frames: frames.frames)
            #expect(
                try await refusal { _ = try await world.faces.frames(recorded, from: try world.world.call()) }
                    == .challengeInvalid)
            _ = try await world.finish(begun)
            #expect(try await refusal { _ = try await world.finish(begun) } == .faceSessionInvalid)
        }
    }

    /// A server that keeps sessions by the name that the client sends: the same replay succeeds.
    @Test("The replayed session gets into a server that trusts the name of the session")
    func naiveSessions() {
        struct NaiveSessions {
            var passed: Set<String> = []
            func finish(_ session: String) -> Bool { passed.contains(session) }
        }
        var naive = NaiveSessions()
        naive.passed.insert("session")
        #expect(naive.finish("session") && naive.finish("session"))
    }

    @Test("Of 16 that finish one session at once one logs in")
    func race() async throws {
        try await withFaceWorld { world in
            let first = try await world.enrol()
            let begun = try await world.begin(.login, .remembered(first.remembered))
            try await world.show(FaceWorld.owner, in: begun.session)
            let count = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<16 {
                    group.addTask { try await refusal { _ = try await world.finish(begun) } == nil }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(count == 1)
        }
    }

    @Test("A one-tap token, app token, access token and memory are worth nothing to another device key")
    func stolen() async throws {
        try await withFaceWorld { world in
            let thief = SoftwareDeviceSigner()
            let token = try await world.token()
            #expect(try await refusal { _ = try await world.begin(.login, .oneTap(token), of: thief) } == .tokenUnknown)
            // It stayed its owner's.
            let begun = try await world.begin(.login, .oneTap(token))
            try await world.agree(begun)
            try await world.show(FaceWorld.owner, in: begun.session)
            let login = try await world.finish(begun, name: "林小满")
            #expect(try await refusal { _ = try await world.begin(.login, .oneTap(token)) } == .tokenSpent)
            #expect(
                try await refusal { _ = try await world.begin(.login, .remembered(login.remembered), of: thief) }
                    == .rememberedAccountInvalid)
            let appToken = try await world.appToken()
            let request = FaceAccessRequest(appToken: appToken, accessToken: login.grant.accessToken)
            #expect(
                try await refusal { _ = try await world.faces.user(request, from: try world.world.call(thief)) }
                    == .appTokenInvalid)
            let own = FaceAccessRequest(
                appToken: try await world.appToken(of: thief), accessToken: login.grant.accessToken)
            #expect(
                try await refusal { _ = try await world.faces.user(own, from: try world.world.call(thief)) }
                    == .accessTokenInvalid)
            let renew = FaceRenewRequest(
                appToken: try await world.appToken(of: thief), refreshToken: login.grant.refreshToken)
            #expect(
                try await refusal { _ = try await world.faces.renew(renew, from: try world.world.call(thief)) }
                    == .refreshTokenInvalid)
            _ = try await world.user(login.grant.accessToken)
        }
    }

    @Test("An app token is over after two hours")
    func appTokenExpires() async throws {
        try await withFaceWorld { world in
            let token = try await world.appToken()
            world.world.clock.advance(by: .seconds(7200))
            let found = try await refusal {
                _ = try await world.faces.state(
                    FaceStateRequest(appToken: token, uid: "u"), from: try world.world.call())
            }
            #expect(found == .appTokenInvalid)
        }
    }

    @Test("One consent does not stand for the other, nor for another session, an old one or a ticked page")
    func consents() async throws {
        try await withFaceWorld { world in
            let begun = try await world.begin(.login, .oneTap(try await world.token()))
            let other = try await world.begin(.login, .oneTap(try await world.token()))
            func give(_ text: String) async throws -> Situation? {
                try await refusal {
                    try await world.faces.consent(
                        FaceConsentRequest(session: begun.session, consent: text), from: try world.world.call())
                }
            }
            #expect(try await give(try #require(try world.authorization(for: begun))) == .consentInvalid)
            #expect(try await give(try world.consent(to: other)) == .consentInvalid)
            #expect(try await give(try world.consent(to: begun, links: [])) == .consentInvalid)
            #expect(
                try await give(try world.consent(to: begun) { $0.tappedAt = $0.tappedAt - .seconds(300) })
                    == .consentInvalid)
            #expect(
                try await give(
                    try world.consent(to: begun) {
                        $0.content.initiallyTicked = true
                        $0.contentDigest = $0.content.digest
                    }) == .consentInvalid)
            #expect(try await give(try world.consent(to: begun)) == nil)
            try await world.show(FaceWorld.owner, in: begun.session)
            let found = try await refusal {
                _ = try await world.faces.finish(
                    FaceFinishRequest(
                        session: begun.session, name: "林小满", authorization: try world.consent(to: begun)),
                    from: try world.world.call())
            }
            #expect(found == .consentInvalid)
            // Nothing came of it, and the session goes on.
            #expect(try await world.accounts.counts().accounts == 0)
            _ = try await world.finish(begun, name: "林小满")
        }
    }

    @Test("A template that is moved to another account does not open there")
    func movedTemplate() async throws {
        let vault = Vault(masterKey: MasterKey(bytes: Array(0..<32)))
        let (first, _) = try AccountKey.make(subscription: 1, epoch: 1, vault: vault, random: SystemRandomSource())
        let (second, sealedSecond) = try AccountKey.make(
            subscription: 2, epoch: 1, vault: vault, random: SystemRandomSource())
        let template = try first.seal(FaceTemplate.bytes(FakeFace.embedding(1)), purpose: FaceTemplate.purpose)
        #expect(throws: VaultError.self) { try second.open(template, purpose: FaceTemplate.purpose) }
        // Nor does the key, moved along with it.
        let moved = FaceAccountRecord(
            subscription: 1, epoch: 1, sealedKey: sealedSecond, sealedTemplate: template, sealedProfile: template,
            terms: "1", simGeneration: 1, createdAt: Timestamp(milliseconds: 0))
        #expect(throws: VaultError.self) { try AccountKey(of: moved, vault: vault) }
        // Under one key for all, and bound to nothing, it would: the attack bites.
        let shared = SymmetricKey(size: .bits256)
        let naive = try AES.GCM.seal(FaceTemplate.bytes(FakeFace.embedding(1)), using: shared)
        #expect(try Array(AES.GCM.open(naive, using: shared)) == FaceTemplate.bytes(FakeFace.embedding(1)))
    }

    @Test("After an erasure neither the files nor the master key open the template that somebody kept")
    func erasedTemplate() async throws {
        try await withFaceWorld { world in
            let login = try await world.enrol()
            let row = try #require(try await world.world.store.subscription(world.world.subscription.subscription))
            let account = try #require(
                try await world.world.store.faceAccount(subscription: row.id, epoch: row.epoch))
            func files() throws -> Data {
                try ["benji.sqlite", "benji.sqlite-wal"].reduce(into: Data()) { all, name in
                    all += (try? Data(contentsOf: URL(fileURLWithPath: "\(world.world.directory)/\(name)"))) ?? Data()
                }
            }
            #expect(try files().range(of: Data(account.sealedKey.bytes)) != nil, "the test looks in the right place")
            _ = try await world.faces.cancel(
                try await world.access(login.grant.accessToken), from: try world.world.call())
            let after = try files()
            #expect(after.range(of: Data(account.sealedKey.bytes)) == nil)
            #expect(after.range(of: Data(account.sealedTemplate.bytes)) == nil)
            #expect(after.range(of: Data(account.sealedProfile.bytes)) == nil)
        }
    }

    @Test("What is kept of a person is in no table in clear")
    func nothingInClear() async throws {
        try await withFaceWorld { world in
            let login = try await world.enrol(info: FaceUserInfo(email: "lin@example.com"))
            let files = try ["benji.sqlite", "benji.sqlite-wal"].map {
                try Data(contentsOf: URL(fileURLWithPath: "\(world.world.directory)/\($0)"))
            }
            let template = Data(FaceTemplate.bytes(FakeFace.embedding(FaceWorld.owner)))
            for secret in [
                Data("林小满".utf8), Data("lin@example.com".utf8), Data("13800000001".utf8), template.dropFirst(),
                Data(login.grant.accessToken.utf8), Data(login.remembered.utf8),
            ] {
                for file in files { #expect(file.range(of: secret) == nil) }
            }
        }
    }

    @Test("A group is its app's alone: another app neither sees it nor gets people into it")
    func groups() async throws {
        try await withFaceWorld(capabilities: [.login, .verification, .face, .faceGroups]) { world in
            let login = try await world.enrol()
            let group = try await world.faces.createGroup(name: "g", tag: "", info: "{}", for: world.serverCall())
            try await world.faces.addMember(login.openID, to: group.id, for: world.serverCall())
            #expect(try await world.faces.members(of: group.id, for: world.serverCall()) == [login.openID])
            var registration = Apps.Registration(name: "Other")
            registration.capabilities = [.face, .faceGroups]
            registration.serverAddresses = ["203.0.113.0/24"]
            let other = world.serverCall(try await world.world.authority.apps.register(registration))
            #expect(try await refusal { _ = try await world.faces.members(of: group.id, for: other) } == .groupUnknown)
            let own = try await world.faces.createGroup(name: "o", tag: "", info: "{}", for: other)
            #expect(
                try await refusal { try await world.faces.addMember(login.openID, to: own.id, for: other) }
                    == .openIDUnknown)
        }
    }
}
