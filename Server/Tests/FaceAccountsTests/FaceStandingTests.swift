import BenjiFaceProtocol
@_spi(Server) import BenjiProtocol
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Testing

@testable import Authority
@testable import FaceAccounts
@testable import Requests

@Suite("What a face account's logins stand on: its SIM, its devices, a face that was just shown")
struct FaceStandingTests {
    // MARK: a replaced SIM

    @Test(
        """
        A replaced SIM ends every grant, and its holder gets in again by one tap and the same face, to the same account
        """
    )
    func replacedSIM() async throws {
        try await withFaceWorld { world in
            let login = try await world.enrol()
            let server = try await world.faces.exchangeCode(login.authorizationCode, for: world.serverCall())
            let open = try await world.begin(.login, .remembered(login.remembered))
            world.world.clock.advance(by: .seconds(100))
            let sim = try await world.replaceSIM()
            let changedAt = world.world.clock.now

            let renewal = FaceRenewRequest(
                appToken: try await world.appToken(), refreshToken: login.grant.refreshToken)
            let told = try await failure { _ = try await world.user(login.grant.accessToken) }
            #expect(told?.situation == .accessTokenInvalid && told?.since == changedAt)
            #expect(
                try await refusal { _ = try await world.faces.renew(renewal, from: try world.world.call()) }
                    == .refreshTokenInvalid)
            #expect(try await refusal { _ = try await world.logIn(login.remembered) } == .rememberedAccountInvalid)
            #expect(
                try await refusal { _ = try await world.faces.user(server.accessToken, for: world.serverCall()) }
                    == .accessTokenInvalid)
            #expect(
                try await refusal { try await world.show(FaceWorld.owner, in: open.session) } == .subscriptionChanged)
            // The face is still the account's: a person who has got the number alone is refused.
            let begun = try await world.begin(.login, .oneTap(try await world.token(by: sim)))
            #expect(!begun.isNewAccount && begun.needs == [.face])
            guard case .failed = try await world.show(FaceWorld.stranger, in: begun.session) else {
                Issue.record("a stranger with the new SIM got in")
                return
            }
            try await world.show(FaceWorld.owner, in: begun.session)
            let again = try await world.finish(begun)
            #expect(again.openID == login.openID && again.uid == login.uid)
            _ = try await world.user(again.grant.accessToken)
            // Credentials of the old SIM do not become valid again.
            #expect(try await refusal { _ = try await world.user(login.grant.accessToken) } == .accessTokenInvalid)
            #expect(try await refusal { _ = try await world.logIn(login.remembered) } == .rememberedAccountInvalid)
        }
    }

    @Test("A code of before the SIM was replaced buys nothing, and the new SIM opens nothing below the floor")
    func replacedSIMBeforeTheCode() async throws {
        try await withFaceWorld { world in
            let login = try await world.enrol()
            world.world.clock.advance(by: .seconds(10))
            let sim = try await world.replaceSIM()
            #expect(
                try await refusal {
                    _ = try await world.faces.exchangeCode(login.authorizationCode, for: world.serverCall())
                } == .subscriptionChanged)
            let weak = try await world.token(by: sim, attested: false)
            #expect(try await refusal { _ = try await world.begin(.login, .oneTap(weak)) } == .assuranceTooLow)
        }
    }

    /// A server that compares owners only: the thief of a phone keeps his access when its SIM was replaced.
    @Test("Grants outlive a replaced SIM in a server that compares epochs alone")
    func naiveEpochs() async throws {
        try await withFaceWorld { world in
            let login = try await world.enrol()
            world.world.clock.advance(by: .seconds(100))
            _ = try await world.replaceSIM()
            struct NaiveGrants {
                var epochs: [String: Int32]
                func holds(_ token: String, of row: SubscriptionRecord) -> Bool { epochs[token] == row.epoch }
            }
            let naive = NaiveGrants(epochs: [login.grant.accessToken: world.world.subscription.epoch])
            let row = try #require(try await world.world.store.subscription(world.world.subscription.subscription))
            #expect(naive.holds(login.grant.accessToken, of: row))
            #expect(try await refusal { _ = try await world.user(login.grant.accessToken) } == .accessTokenInvalid)
        }
    }

    // MARK: what cannot be taken back

    @Test(
        """
        An access token alone erases nothing, freezes nothing and gives no other uid: it takes a face that was just \
        shown
        """
    )
    func stolenAccess() async throws {
        try await withFaceWorld { world in
            let login = try await world.enrol()
            world.world.clock.advance(by: .seconds(301))
            let token = login.grant.accessToken
            let acts = try await world.acts(token, uid: "u-9")
            for act in acts { #expect(try await refusal { try await act() } == .confirmationNeeded) }
            #expect(try await world.user(token).uid == login.uid)
            // Neither a failed face nor one picture for attributes helps.
            let wrong = try await world.begin(.verify, .access(token))
            try await world.show(FaceWorld.stranger, in: wrong.session)
            let look = try await world.begin(.attributes, .access(token))
            try await world.show(FaceWorld.owner, in: look.session)
            for act in acts { #expect(try await refusal { try await act() } == .confirmationNeeded) }
            // The holder shows their face, and for five minutes it counts.
            let begun = try await world.begin(.verify, .access(token))
            #expect(try await world.show(FaceWorld.owner, in: begun.session) == .passed(nil))
            world.world.clock.advance(by: .seconds(300))
            for act in try await world.acts(token, uid: "u-9") { #expect(try await refusal { try await act() } == nil) }
        }
    }

    @Test(
        """
        An access token alone takes the last authorisation back, and the account stays a week for its holder, who gets \
        in again
        """
    )
    func stolenAccessCancels() async throws {
        try await withFaceWorld { world in
            func counts() async throws -> FaceCounts {
                try await world.world.authority.deleteExpired()
                return try await world.accounts.counts()
            }
            func cancel(_ accessToken: String) async throws {
                world.world.clock.advance(by: .seconds(301))
                let answer = try await world.faces.cancel(
                    try await world.access(accessToken), from: try world.world.call())
                #expect(!answer.isErased)
                #expect(answer.keptUntil == world.world.clock.now + FaceAccounts.keptUnbound)
                #expect(FaceAccounts.keptUnbound == .seconds(604_800), "the page says seven days")
            }
            let login = try await world.enrol(.bind, uid: "u-1")
            try await cancel(login.grant.accessToken)
            #expect(try await refusal { _ = try await world.user(login.grant.accessToken) } == .notAuthorized)
            world.world.clock.advance(by: FaceAccounts.keptUnbound - .seconds(1))
            #expect(try await counts() == FaceCounts(accounts: 1, frozen: 0, bindings: 0))
            let begun = try await world.begin(.bind, .oneTap(try await world.token()), uid: "u-1")
            #expect(!begun.isNewAccount && begun.needs == [.face, .authorization])
            try await world.show(FaceWorld.owner, in: begun.session)
            let again = try await world.finish(begun)
            #expect(again.openID == login.openID && again.userInfo.name == "林小满")
            world.world.clock.advance(by: .seconds(86400))
            #expect(try await counts().accounts == 1, "an app knows the account again")
            try await cancel(try await world.renewed(again.grant).accessToken)
            world.world.clock.advance(by: FaceAccounts.keptUnbound + .seconds(1))
            #expect(try await counts() == FaceCounts(accounts: 0, frozen: 0, bindings: 0))
            #expect(try await world.begin(.login, .oneTap(try await world.token())).isNewAccount)
        }
    }

    /// A server that takes the bearer of an access token for its holder.
    @Test("A stolen access token erases the account at a server that asks for nothing else")
    func naiveErasing() {
        struct NaiveAccounts {
            var accounts: [String: String] = ["SAcce1": "account"]
            mutating func erase(_ accessToken: String) -> Bool { accounts.removeValue(forKey: accessToken) != nil }
        }
        var naive = NaiveAccounts()
        let isErased = naive.erase("SAcce1")
        #expect(isErased && naive.accounts.isEmpty)
    }

    @Test("A face that one device has shown confirms nothing on another, nor in another app")
    func freshness() {
        let fresh = FaceFreshness(life: .seconds(300), capacity: 4)
        let app = AppID(rawValue: "300000000001")!
        let key = FaceFreshness.Key(account: 1, app: app, deviceKey: "a")
        let now = Timestamp(seconds: 1000)
        fresh.note(key, at: now)
        #expect(fresh.isFresh(key, now: now + .seconds(300)))
        #expect(!fresh.isFresh(key, now: now + .milliseconds(300_001)))
        #expect(!fresh.isFresh(key, now: now - .milliseconds(1)), "a clock that was put back")
        for other in [
            FaceFreshness.Key(account: 2, app: app, deviceKey: "a"),
            FaceFreshness.Key(account: 1, app: AppID(rawValue: "300000000002")!, deviceKey: "a"),
            FaceFreshness.Key(account: 1, app: app, deviceKey: "b"),
        ] {
            #expect(!fresh.isFresh(other, now: now))
        }
        // Memory is bounded: the oldest go.
        for account in Int64(10)..<20 { fresh.note(.init(account: account, app: app, deviceKey: "a"), at: now) }
        #expect(!fresh.isFresh(key, now: now))
        #expect(fresh.isFresh(.init(account: 19, app: app, deviceKey: "a"), now: now))
    }

    @Test(
        """
        A fresh one-tap token confirms instead of a face, once, if it is the account's own number's and worth the floor
        """
    )
    func oneTapConfirms() async throws {
        try await withFaceWorld(capabilities: FaceSearchTests.capabilities) { world in
            let login = try await world.enrol()
            world.world.clock.advance(by: .seconds(301))
            func freeze(_ oneTap: String) async throws -> Situation? {
                let request = try await world.confirmed(login.grant.accessToken, oneTap: oneTap)
                return try await refusal { try await world.faces.freeze(request, from: try world.world.call()) }
            }
            #expect(try await freeze(try await world.token(attested: false)) == .assuranceTooLow)
            #expect(try await freeze(try await world.otherNumbersToken()) == .numberDiffers)
            let token = try await world.token()
            #expect(try await freeze(token) == nil)
            _ = try await world.accounts.setFrozen(false, AuthorityWorld.number)
            #expect(try await freeze(token) == .tokenSpent)
        }
    }

    // MARK: the account's other devices

    @Test("An account that is erased on one device says so on the other, with the time, for whatever it shows")
    func othersAreTold() async throws {
        try await withFaceWorld { world in
            let login = try await world.enrol()
            let other = SoftwareDeviceSigner()
            let second = try await world.logIn(on: other)
            world.world.clock.advance(by: .seconds(60))
            let erasedAt = world.world.clock.now
            let answer = try await world.faces.erase(
                try await world.confirmed(login.grant.accessToken), from: try world.world.call())
            #expect(answer.isErased)
            world.world.clock.advance(by: .seconds(60))
            let token = try await world.appToken(of: other)
            let calls: [() async throws -> Void] = [
                {
                    _ = try await world.faces.user(
                        FaceAccessRequest(appToken: token, accessToken: second.grant.accessToken),
                        from: try world.world.call(other))
                },
                {
                    _ = try await world.faces.renew(
                        FaceRenewRequest(appToken: token, refreshToken: second.grant.refreshToken),
                        from: try world.world.call(other))
                },
                { _ = try await world.begin(.login, .remembered(second.remembered), of: other) },
            ]
            for call in calls {
                let told = try await failure(call)
                #expect(told?.situation == .accountErased && told?.since == erasedAt)
            }
            // No other device is informed.
            let thief = SoftwareDeviceSigner()
            #expect(
                try await refusal { _ = try await world.begin(.login, .remembered(second.remembered), of: thief) }
                    == .rememberedAccountInvalid)
            // After a month the record of the erasure is gone.
            world.world.clock.advance(by: FaceEnding.memory + .seconds(86401))
            try await world.world.authority.deleteExpired()
            #expect(
                try await refusal { _ = try await world.begin(.login, .remembered(second.remembered), of: other) }
                    == .rememberedAccountInvalid)
        }
    }

    @Test("An account that is frozen says when and by whom, and another uid says since when")
    func frozenAndRenamed() async throws {
        try await withFaceWorld { world in
            let login = try await world.enrol()
            let other = SoftwareDeviceSigner()
            let second = try await world.logIn(on: other)
            func user() async throws -> FaceUserResponse {
                try await world.faces.user(
                    FaceAccessRequest(
                        appToken: try await world.appToken(of: other), accessToken: second.grant.accessToken),
                    from: try world.world.call(other))
            }
            #expect(try await user().uidSince != nil)
            world.world.clock.advance(by: .seconds(60))
            let moment = world.world.clock.now
            try await world.faces.updateUID(
                FaceUpdateUIDRequest(
                    appToken: try await world.appToken(), accessToken: login.grant.accessToken, uid: "u-2"),
                from: try world.world.call())
            world.world.clock.advance(by: .seconds(60))
            let seen = try await user()
            #expect(seen.uid == "u-2" && seen.uidSince == moment)
            for isHolder in [true, false] {
                let frozenAt = world.world.clock.now
                if isHolder {
                    try await world.faces.freeze(
                        try await world.confirmed(login.grant.accessToken), from: try world.world.call())
                } else {
                    _ = try await world.accounts.setFrozen(true, AuthorityWorld.number)
                }
                world.world.clock.advance(by: .seconds(5))
                let told = try await failure { _ = try await user() }
                #expect(told?.situation == .accountFrozen && told?.since == frozenAt)
                #expect(told?.detail.contains(isHolder ? "holder" : "operator") == true)
                _ = try await world.accounts.setFrozen(false, AuthorityWorld.number)
            }
        }
    }

    // MARK: the number

    @Test("No answer to a phone holds the number: it goes to the app's server")
    func masked() async throws {
        try await withFaceWorld { world in
            let begun = try await world.begin(.login, .oneTap(try await world.token()))
            try await world.agree(begun)
            try await world.show(FaceWorld.owner, in: begun.session)
            let login = try await world.finish(begun, name: "林小满")
            let user = try await world.user(login.grant.accessToken)
            #expect(login.userInfo.phone == "138****0001" && user.userInfo.phone == "138****0001")
            for answer in [begun.json, login.json, user.json] { #expect(!answer.text.contains("13800000001")) }
            let grant = try await world.faces.exchangeCode(login.authorizationCode, for: world.serverCall())
            let told = try await world.faces.user(grant.accessToken, for: world.serverCall())
            #expect(told.userInfo.phone == "13800000001")
        }
    }
}

/// The whole refusal of a phone's request, or `nil` if it was not refused.
private func failure(_ body: () async throws -> Void) async throws -> Refusal? {
    do {
        try await body()
        return nil
    } catch let failure as Refusal {
        return failure
    }
}

extension FaceWorld {
    /// The holder's number has another card from now on.
    func replaceSIM() async throws -> SubscriptionReference {
        try #require(
            try await world.register.observe([
                SubscriberObservation(
                    number: AuthorityWorld.number, imsi: "460000000000077", carrier: .mobile,
                    eventTime: world.clock.now)
            ])[0])
    }

    /// Returns a one-tap token of this SIM's holder, earned by a device.
    func token(
        by sim: SubscriptionReference, attested: Bool = true, of device: SoftwareDeviceSigner? = nil
    ) async throws -> String {
        func call() throws -> DeviceCall {
            try world.call(device, sighting: .success(world.sighting(sim)), attested: attested)
        }
        let page = try await world.prefetch(try call())
        return try await world.authorize(
            page.scrip, consent: try world.consent(to: page, signer: device), device: try call()
        ).token
    }

    func renewed(_ grant: FaceGrant) async throws -> FaceGrant {
        try await faces.renew(
            FaceRenewRequest(appToken: try await appToken(), refreshToken: grant.refreshToken), from: try world.call()
        ).grant
    }

    func otherNumbersToken() async throws -> String {
        let other = try #require(
            try await world.register.observe([
                SubscriberObservation(
                    number: AuthorityWorld.otherNumber, imsi: "460000000000002", carrier: .mobile,
                    eventTime: world.clock.now)
            ])[0])
        return try await token(by: other)
    }

    /// A login of the known account on another device.
    func logIn(on device: SoftwareDeviceSigner) async throws -> FaceFinishResponse {
        let begun = try await begin(.login, .oneTap(try await token(by: world.subscription, of: device)), of: device)
        let challenge = try await faces.challenge(
            FaceChallengeRequest(session: begun.session), from: try world.call(device))
        let frames = FaceFramesRequest(
            session: begun.session, challenge: challenge.challenge,
            frames: [.init(milliseconds: 0, picture: FakeFace.picture(Self.owner))])
        #expect(try await faces.frames(frames, from: try world.call(device)) == .passed(nil))
        return try await faces.finish(FaceFinishRequest(session: begun.session), from: try world.call(device))
    }

    /// The actions that need a fresh confirmation, the least drastic first.
    func acts(_ accessToken: String, uid: String) async throws -> [() async throws -> Void] {
        let token = try await appToken()
        return [
            {
                try await faces.updateUID(
                    FaceUpdateUIDRequest(appToken: token, accessToken: accessToken, uid: uid), from: try world.call())
            },
            {
                try await faces.freeze(
                    FaceConfirmedRequest(appToken: token, accessToken: accessToken), from: try world.call())
                _ = try await FaceAccounts(authority: world.authority, store: world.store).setFrozen(
                    false, AuthorityWorld.number)
            },
            {
                _ = try await faces.erase(
                    FaceConfirmedRequest(appToken: token, accessToken: accessToken), from: try world.call())
            },
        ]
    }
}
