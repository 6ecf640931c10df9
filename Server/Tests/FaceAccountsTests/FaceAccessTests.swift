import BenjiFaceProtocol
@_spi(Server) import BenjiProtocol
import FaceMatching
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Testing

@testable import Authority
@testable import FaceAccounts

@Suite("What an app may do with a face account") struct FaceAccessTests {
    @Test("An access token expires, a refresh token renews it silently, and a spent one ends everything")
    func renewal() async throws {
        try await withFaceWorld { world in
            let first = try await world.enrol().grant
            world.world.clock.advance(by: .seconds(first.accessTokenLifetime))
            #expect(try await refusal { _ = try await world.user(first.accessToken) } == .accessTokenExpired)
            func renew(_ token: String) async throws -> FaceGrant {
                try await world.faces.renew(
                    FaceRenewRequest(appToken: try await world.appToken(), refreshToken: token),
                    from: try world.world.call()
                ).grant
            }
            let second = try await renew(first.refreshToken)
            _ = try await world.user(second.accessToken)
            #expect(try await refusal { _ = try await renew(first.refreshToken) } == .refreshTokenInvalid)
            #expect(try await refusal { _ = try await world.user(second.accessToken) } == .accessTokenInvalid)
            #expect(try await refusal { _ = try await renew(second.refreshToken) } == .refreshTokenInvalid)
        }
    }

    @Test("Whoever stays away for two months logs in again")
    func refreshExpires() async throws {
        try await withFaceWorld { world in
            let login = try await world.enrol()
            world.world.clock.advance(by: .seconds(login.grant.refreshTokenLifetime))
            let found = try await refusal {
                _ = try await world.faces.renew(
                    FaceRenewRequest(appToken: try await world.appToken(), refreshToken: login.grant.refreshToken),
                    from: try world.world.call())
            }
            #expect(found == .refreshTokenInvalid)
            _ = try await world.logIn(login.remembered)
        }
    }

    @Test("The app gives its uid once to one account; until then it is random")
    func uid() async throws {
        try await withFaceWorld { world in
            let login = try await world.enrol()
            let token = try await world.appToken()
            try await world.faces.updateUID(
                FaceUpdateUIDRequest(appToken: token, accessToken: login.grant.accessToken, uid: "u-1"),
                from: try world.world.call())
            let user = try await world.user(login.grant.accessToken)
            #expect(user.uid == "u-1" && !user.isRandomUID)
            let again = try await world.logIn(login.remembered)
            #expect(again.uid == "u-1" && !again.isRandomUID)
            func isAuthorized(_ uid: String) async throws -> Bool {
                try await world.faces.state(
                    FaceStateRequest(appToken: token, uid: uid), from: try world.world.call()
                ).isAuthorized
            }
            #expect(try await isAuthorized("u-1"))
            #expect(try await !isAuthorized(login.uid))
        }
    }

    @Test("Binding ties the app's uid; another one for the same account is refused, and so is a uid of another's")
    func binding() async throws {
        try await withFaceWorld { world in
            #expect(
                try await refusal {
                    _ = try await world.begin(.bind, .oneTap(try await world.token()))
                } == .uidMissing)
            let login = try await world.enrol(.bind, uid: "u-1", info: FaceUserInfo(email: "lin@example.com"))
            #expect(login.uid == "u-1" && !login.isRandomUID && login.userInfo.email == "lin@example.com")
            #expect(
                try await refusal {
                    _ = try await world.begin(.bind, .remembered(login.remembered), uid: "u-2")
                } == .accountBoundElsewhere)
            _ = try await world.logIn(login.remembered, uid: "u-1")
        }
    }

    @Test("A uid that another account has is refused when binding and when updating")
    func uidTaken() async throws {
        try await withFaceWorld { world in
            let other = try await world.otherAccount(uid: "taken")
            #expect(other)
            let login = try await world.enrol()
            let update = try await refusal {
                try await world.faces.updateUID(
                    FaceUpdateUIDRequest(
                        appToken: try await world.appToken(), accessToken: login.grant.accessToken, uid: "taken"),
                    from: try world.world.call())
            }
            #expect(update == .uidTaken)
            #expect(
                try await refusal { _ = try await world.begin(.bind, .remembered(login.remembered), uid: "taken") }
                    == .uidTaken)
        }
    }

    @Test("Attributes are read of the account's own face, by an authorised app, and only those that were granted")
    func attributes() async throws {
        for (capabilities, isDetailed) in [
            ([.login, .verification, .face], false), ([.login, .verification, .face, .faceAttributes], true),
        ] as [(Set<Capability>, Bool)] {
            try await withFaceWorld(capabilities: capabilities) { world in
                let login = try await world.enrol()
                let begun = try await world.begin(.attributes, .access(login.grant.accessToken))
                #expect(begun.needs == [.face])
                guard case .passed(let values?) = try await world.show(FaceWorld.owner, in: begun.session) else {
                    Issue.record("no attributes")
                    return
                }
                #expect(values[.age] == .number("26.850") && values[.male]?["result"] == 0)
                #expect((values[.position] != nil) == isDetailed && (values[.emotions] != nil) == isDetailed)
                let again = try await world.begin(.attributes, .access(login.grant.accessToken))
                guard case .failed(let failure) = try await world.show(FaceWorld.stranger, in: again.session) else {
                    Issue.record("a stranger's attributes were read")
                    return
                }
                #expect(failure.situation == .faceDiffers)
            }
        }
    }

    @Test("Without an authorised account there are no attributes")
    func attributesDenied() async throws {
        try await withFaceWorld { world in
            let login = try await world.enrol()
            _ = try await world.faces.cancel(
                try await world.access(login.grant.accessToken), from: try world.world.call())
            let found = try await refusal {
                _ = try await world.begin(.attributes, .access(login.grant.accessToken))
            }
            #expect(found == .attributesDenied)
        }
    }

    @Test("Verifying compares once more and notes when; a login's session cannot be finished by it")
    func verify() async throws {
        try await withFaceWorld { world in
            let login = try await world.enrol()
            world.world.clock.advance(by: .seconds(100))
            let begun = try await world.begin(.verify, .access(login.grant.accessToken))
            #expect(try await world.show(FaceWorld.owner, in: begun.session) == .passed(nil))
            #expect(try await refusal { _ = try await world.finish(begun) } == .faceSessionInvalid)
        }
    }

    @Test("Logging out ends the access; account, authorisation and memory stay")
    func logOut() async throws {
        try await withFaceWorld { world in
            let login = try await world.enrol()
            try await world.faces.logOut(
                try await world.access(login.grant.accessToken), from: try world.world.call())
            #expect(try await refusal { _ = try await world.user(login.grant.accessToken) } == .accessTokenInvalid)
            #expect(try await world.logIn(login.remembered).uid == login.uid)
        }
    }

    @Test("Logging out ends what lives longer too when the access token has expired")
    func lateLogOut() async throws {
        try await withFaceWorld { world in
            let login = try await world.enrol()
            world.world.clock.advance(by: .seconds(login.grant.accessTokenLifetime))
            try await world.faces.logOut(
                try await world.access(login.grant.accessToken), from: try world.world.call())
            let found = try await refusal {
                _ = try await world.faces.renew(
                    FaceRenewRequest(appToken: try await world.appToken(), refreshToken: login.grant.refreshToken),
                    from: try world.world.call())
            }
            #expect(found == .refreshTokenInvalid)
        }
    }

    @Test(
        "A session that is open learns what has become of its account before a face is compared",
        arguments: [FacePurpose.verify, .attributes])
    func openSession(purpose: FacePurpose) async throws {
        let events: [(Situation, (FaceWorld, FaceFinishResponse) async throws -> Void)] = [
            (
                .accountFrozen,
                { world, login in
                    try await world.faces.freeze(
                        try await world.confirmed(login.grant.accessToken), from: try world.world.call())
                }
            ),
            (
                .faceSessionInvalid,
                { world, login in
                    _ = try await world.faces.erase(
                        try await world.confirmed(login.grant.accessToken), from: try world.world.call())
                    // Enrolled again, it is another account.
                    _ = try await world.enrol()
                }
            ),
            (
                .notAuthorized,
                { world, login in
                    try await world.authorizeOtherApp()
                    let answer = try await world.faces.cancel(
                        try await world.access(login.grant.accessToken), from: try world.world.call())
                    #expect(!answer.isErased)
                }
            ),
            (
                .faceSessionInvalid,
                { world, _ in
                    _ = try await world.world.register.reassign(AuthorityWorld.number, at: world.world.clock.now)
                }
            ),
        ]
        for (index, (expected, event)) in events.enumerated() {
            try await withFaceWorld { world in
                let login = try await world.enrol()
                let begun = try await world.begin(purpose, .access(login.grant.accessToken))
                try await event(world, login)
                let found = try await refusal { try await world.show(FaceWorld.owner, in: begun.session) }
                #expect(found == expected, "event \(index)")
            }
        }
    }

    @Test(
        "An authorisation that was cancelled and given anew is another than the one that a session began with",
        arguments: [FacePurpose.verify, .attributes])
    func authorizedAnew(purpose: FacePurpose) async throws {
        try await withFaceWorld { world in
            let login = try await world.enrol(.bind, uid: "u-1")
            try await world.authorizeOtherApp()
            let begun = try await world.begin(purpose, .access(login.grant.accessToken))
            _ = try await world.faces.cancel(
                try await world.access(login.grant.accessToken), from: try world.world.call())
            world.world.clock.advance(by: .seconds(1))
            let again = try await world.begin(.bind, .oneTap(try await world.token()), uid: "u-1")
            try await world.show(FaceWorld.owner, in: again.session)
            let anew = try await world.finish(again)
            #expect(
                try await refusal { try await world.show(FaceWorld.owner, in: begun.session) } == .notAuthorized)
            // The new one works.
            let later = try await world.begin(purpose, .access(anew.grant.accessToken))
            guard case .passed = try await world.show(FaceWorld.owner, in: later.session) else {
                Issue.record("the new authorisation does not count")
                return
            }
        }
    }

    @Test("What an app says of its user while they log in stays said, and a cancelled authorisation's words stay away")
    func infoMeanwhile() async throws {
        try await withFaceWorld { world in
            let first = try await world.enrol(.bind, uid: "u-1", info: FaceUserInfo(email: "old@example.com"))
            try await world.authorizeOtherApp()
            let login = try await world.begin(.login, .remembered(first.remembered))
            let late = try await world.begin(.bind, .remembered(first.remembered), uid: "u-1")
            for session in [login, late] { try await world.show(FaceWorld.owner, in: session.session) }
            try await world.faces.updateUserInfo(
                FaceUpdateUserInfoRequest(
                    appToken: try await world.appToken(), accessToken: first.grant.accessToken,
                    userInfo: FaceUserInfo(email: "new@example.com")), from: try world.world.call())
            let second = try await world.finish(login)
            #expect(second.userInfo.email == "new@example.com")
            #expect(try await world.user(second.grant.accessToken).userInfo.email == "new@example.com")
            // After a cancellation and a new authorisation of the same user, an earlier session belongs to the old one.
            _ = try await world.faces.cancel(
                try await world.access(second.grant.accessToken), from: try world.world.call())
            world.world.clock.advance(by: .seconds(1))
            let begun = try await world.begin(.bind, .oneTap(try await world.token()), uid: "u-1")
            try await world.show(FaceWorld.owner, in: begun.session)
            let anew = try await world.finish(begun)
            #expect(anew.userInfo.email == nil)
            #expect(try await refusal { _ = try await world.finish(late) } == .faceSessionInvalid)
            #expect(try await world.user(anew.grant.accessToken).userInfo.email == nil)
        }
    }

    @Test("A server's call counts once, also when the clock was put back since")
    func serverCallAfterClock() async throws {
        try await withFaceWorld { world in
            var call = world.serverCall()
            call.sentAt = world.world.clock.now
            try await world.faces.admit(call, name: "name")
            world.world.clock.advance(by: .seconds(660))
            #expect(try await refusal { try await world.faces.admit(call, name: "name") } == .messageStale)
            try await world.world.authority.deleteExpired()
            world.world.clock.set(by: .seconds(-600))
            #expect(try await refusal { try await world.faces.admit(call, name: "name") } == .messageReplayed)
        }
    }

    @Test("Cancelling the last authorisation erases the face")
    func cancel() async throws {
        try await withFaceWorld { world in
            let login = try await world.enrol()
            let answer = try await world.faces.cancel(
                try await world.access(login.grant.accessToken), from: try world.world.call())
            #expect(answer.isErased)
            #expect(
                try await world.accounts.counts() == FaceCounts(accounts: 0, frozen: 0, bindings: 0)
            )
            #expect(try await refusal { _ = try await world.logIn(login.remembered) } == .rememberedAccountInvalid)
            #expect(try await world.enrol().uid != login.uid)
        }
    }

    @Test("A frozen account refuses everything until the operator thaws it")
    func frozen() async throws {
        try await withFaceWorld { world in
            let login = try await world.enrol()
            try await world.faces.freeze(
                try await world.confirmed(login.grant.accessToken), from: try world.world.call())
            #expect(try await refusal { _ = try await world.user(login.grant.accessToken) } == .accountFrozen)
            #expect(try await refusal { _ = try await world.logIn(login.remembered) } == .accountFrozen)
            #expect(
                try await refusal {
                    _ = try await world.begin(.login, .oneTap(try await world.token()))
                } == .accountFrozen)
            #expect(try await world.accounts.setFrozen(false, AuthorityWorld.number))
            _ = try await world.user(login.grant.accessToken)
        }
    }

    @Test("What the app's server was given for a code holds for two hours, as it was told")
    func serverTokenLasts() async throws {
        try await withFaceWorld { world in
            let login = try await world.enrol()
            let grant = try await world.faces.exchangeCode(login.authorizationCode, for: world.serverCall())
            #expect(grant.lifetime == 7200)
            world.world.clock.advance(by: .seconds(7199))
            _ = try await world.faces.user(grant.accessToken, for: world.serverCall())
            world.world.clock.advance(by: .seconds(1))
            #expect(
                try await refusal { _ = try await world.faces.user(grant.accessToken, for: world.serverCall()) }
                    == .accessTokenExpired)
        }
    }

    @Test("The app's server exchanges the code once, within a minute, and learns who it is")
    func code() async throws {
        try await withFaceWorld { world in
            let login = try await world.enrol()
            let grant = try await world.faces.exchangeCode(login.authorizationCode, for: world.serverCall())
            #expect(grant.openID == login.openID)
            let user = try await world.faces.user(grant.accessToken, for: world.serverCall())
            #expect(user.uid == login.uid && user.userInfo.phone == "13800000001")
            #expect(
                try await refusal {
                    _ = try await world.faces.exchangeCode(login.authorizationCode, for: world.serverCall())
                } == .tokenSpent)
            #expect(
                try await refusal { _ = try await world.faces.user(grant.accessToken, for: world.serverCall()) }
                    == .accessTokenInvalid)
            #expect(try await refusal { _ = try await world.user(login.grant.accessToken) } == .accessTokenInvalid)
            let later = try await world.logIn(login.remembered)
            world.world.clock.advance(by: .seconds(60))
            #expect(
                try await refusal {
                    _ = try await world.faces.exchangeCode(later.authorizationCode, for: world.serverCall())
                } == .tokenExpired)
        }
    }
}

extension FaceWorld {
    /// Lets another app know the owner too, so that cancelling here does not erase their account.
    func authorizeOtherApp() async throws {
        let row = try #require(try await world.store.subscription(world.subscription.subscription))
        let account = try #require(try await world.store.faceAccount(subscription: row.id, epoch: row.epoch))
        let now = world.clock.now
        let outcome = try await world.store.finishFaceLogin(
            FaceLoginWrite(
                account: .known(account.id, terms: account.terms, simGeneration: row.simGeneration), consents: [],
                binding: FaceBindingRecord(
                    account: account.id, appID: try #require(AppID(rawValue: "300000000099")), uid: "elsewhere",
                    isRandomUID: true, openID: "open elsewhere", sealedInfo: nil, authorizedAt: now, verifiedAt: now),
                present: nil, credentials: []))
        #expect(outcome == .done(account: account.id))
    }

    /// An account of another number, in the same app, made without a phone.
    func otherAccount(uid: String) async throws -> Bool {
        let reference = try #require(
            try await world.register.observe([
                .init(number: AuthorityWorld.otherNumber, imsi: nil, carrier: .mobile, eventTime: world.clock.now)
            ])[0])
        let (key, sealed) = try AccountKey.make(
            subscription: reference.subscription, epoch: reference.epoch, vault: world.vault,
            random: SystemRandomSource())
        let now = world.clock.now
        let outcome = try await world.store.finishFaceLogin(
            FaceLoginWrite(
                account: .new(
                    FaceAccountRecord(
                        subscription: reference.subscription, epoch: reference.epoch, sealedKey: sealed,
                        sealedTemplate: try key.seal(
                            FaceTemplate.bytes(FakeFace.embedding(Self.stranger)), purpose: FaceTemplate.purpose),
                        sealedProfile: try key.seal(
                            FaceProfile(name: "别人", avatar: nil).bytes, purpose: FaceProfile.purpose),
                        terms: Self.terms.version, simGeneration: reference.simGeneration, createdAt: now)),
                consents: [],
                binding: FaceBindingRecord(
                    account: 0, appID: app.record.id, uid: uid, isRandomUID: false, openID: "open \(uid)",
                    sealedInfo: nil, authorizedAt: now, verifiedAt: now), present: nil, credentials: []))
        if case .done = outcome { return true }
        return false
    }
}
