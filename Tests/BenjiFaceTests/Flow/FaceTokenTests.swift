import BenjiClient
import BenjiFace
import BenjiFaceProtocol
import BenjiFaceTesting
import BenjiProtocol
import BenjiTesting
import Testing

@Suite struct FaceTokenTests {
    private func loggedIn() async throws -> FaceLab {
        let lab = try FaceLab(account: FaceLab.known)
        _ = try await lab.engine.run(.logIn(), on: ScriptedFaceStage())
        return lab
    }

    private func count(_ path: FacePath, _ lab: FaceLab) async -> Int {
        await lab.service.requests.filter { $0 == path }.count
    }

    @Test("One app token serves until it is about to end, and is then fetched anew without anybody noticing")
    func appToken() async throws {
        let lab = try await loggedIn()
        _ = try await lab.engine.isAuthorized(uid: "user-1")
        #expect(await count(.appToken, lab) == 1)
        lab.pass(.seconds(7195))
        #expect(try await lab.engine.isAuthorized(uid: "user-1"))
        #expect(await count(.appToken, lab) == 2)
    }

    @Test("An app token that the server has forgotten is replaced once")
    func forgottenAppToken() async throws {
        let lab = try await loggedIn()
        await lab.service.forgetAppTokens()
        #expect(try await lab.engine.isAuthorized(uid: "user-1"))
        #expect(await count(.appToken, lab) == 2)
        await lab.service.refuse(.state, .appTokenInvalid)
        await lab.service.refuse(.state, .appTokenInvalid)
        #expect(await error { try await lab.engine.isAuthorized(uid: "user-1") } == .appTokenInvalid)
    }

    @Test("An access that ends is renewed without anybody noticing, and stays renewed when the app starts anew")
    func renewal() async throws {
        let lab = try await loggedIn()
        lab.pass(.seconds(7195))
        #expect(try await lab.engine.user().uid == "user-1")
        #expect(await count(.renew, lab) == 1)
        #expect(try await lab.restarted().user().uid == "user-1")
        #expect(await count(.renew, lab) == 1)
    }

    @Test("Calls side by side renew once: a refresh token that is shown twice would end the access")
    func singleRenewal() async throws {
        let lab = try await loggedIn()
        lab.pass(.seconds(8000))
        let engine = lab.engine
        let uids = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 { group.addTask { try await engine.user().uid } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(uids == Array(repeating: "user-1", count: 8))
        #expect(await count(.renew, lab) == 1)
    }

    @Test("An access that only the server calls expired is renewed and the request sent again")
    func expiredAtServer() async throws {
        let lab = try await loggedIn()
        await lab.service.refuse(.user, .accessTokenExpired)
        #expect(try await lab.engine.user().uid == "user-1")
        #expect(await count(.renew, lab) == 1)
    }

    @Test("When renewing is refused the person has to log in again, and the phone knows it")
    func endedAccess() async throws {
        let lab = try await loggedIn()
        await lab.service.refuse(.renew, .refreshTokenInvalid)
        lab.pass(.seconds(8000))
        #expect(await error { try await lab.engine.updateUID("user-2") } == .refreshTokenInvalid)
        #expect(await !lab.engine.isAuthorized)
        #expect(await error { try await lab.engine.updateUID("user-2") } == .notAuthorized)
    }

    @Test("A renewal that the network swallowed leaves the person logged in")
    func lostRenewal() async throws {
        let lab = try await loggedIn()
        lab.pass(.seconds(8000))
        _ = try await lab.engine.usableAppToken()
        await lab.service.fail(.timedOut)
        #expect(await error { try await lab.engine.user() } == .timedOut)
        #expect(await lab.engine.isAuthorized)
        #expect(try await lab.engine.user().uid == "user-1")
    }

    @Test("Logging out ends the access at once, even when the server cannot be told, and keeps the account in mind")
    func loggingOut() async throws {
        let lab = try await loggedIn()
        await lab.service.fail(.connectionLost)
        await lab.engine.logOut()
        #expect(await !lab.engine.isAuthorized)
        #expect(await error { try await lab.engine.user() } == .notAuthorized)
        let stage = ScriptedFaceStage()
        _ = try await lab.engine.run(.logIn(), on: stage)
        #expect(await lab.carrier.tokens.count == 1)
    }

    @Test("Whoever logs out while the access is being renewed stays logged out, and what the renewal brought is ended")
    func loggingOutWhileRenewing() async throws {
        var way: SlowWay?
        let lab = try FaceLab(account: FaceLab.known) { service in
            let slow = SlowWay(service, keeping: .renew)
            way = slow
            return slow
        }
        let slow = try #require(way)
        let engine = lab.engine
        _ = try await engine.run(.logIn(), on: ScriptedFaceStage())
        lab.pass(.seconds(8000))
        async let user = error { try await engine.user() }
        await slow.isKeeping()
        await engine.logOut()
        await slow.letGo()
        #expect(await user == .notAuthorized)
        #expect(await !engine.isAuthorized)
        #expect(await count(.logOut, lab) == 2)
        #expect(await error { try await engine.user() } == .notAuthorized)
    }

    @Test("Taking the authorisation back forgets everything on the phone")
    func cancelling() async throws {
        let lab = try await loggedIn()
        #expect(try await lab.engine.cancelAuthorization())
        #expect(lab.vault.read() == nil)
        #expect(await error { try await lab.engine.cancelAuthorization() } == .notAuthorized)
    }

    @Test(
        "Freezing, erasing and another uid take a face that was just shown; later the person is asked to show it again")
    func confirming() async throws {
        let lab = try await loggedIn()
        // Right after the login.
        try await lab.engine.updateUID("user-2")
        lab.pass(.seconds(301))
        #expect(await error { try await lab.engine.updateUID("user-3") } == .confirmationNeeded)
        try await lab.engine.updateUID("user-3", on: ScriptedFaceStage())
        #expect(await lab.service.account?.uid == "user-3")
        lab.pass(.seconds(301))
        await lab.service.play(
            .fails(.faceDiffers, sentence: "other_person"), .fails(.faceDiffers, sentence: "other_person"),
            .fails(.faceDiffers, sentence: "other_person"))
        #expect(await error { try await lab.engine.eraseAccount(on: ScriptedFaceStage()) } == .faceDiffers)
        #expect(await lab.service.account != nil)
        try await lab.engine.eraseAccount(on: ScriptedFaceStage())
        #expect(await lab.service.account == nil)
        #expect(lab.vault.read() == nil)
    }

    @Test(
        "A phone whose account was erased elsewhere says so once, forgets it, and begins the next login with the number"
    )
    func erasedElsewhere() async throws {
        let lab = try await loggedIn()
        await lab.service.refuse(.begin, .accountErased)
        #expect(await lab.situation(.logIn(), ScriptedFaceStage()) == .accountErased)
        #expect(lab.vault.read() == nil)
        let tokens = await lab.carrier.tokens.count
        #expect(await lab.situation(.logIn(), ScriptedFaceStage()) == .success)
        #expect(await lab.carrier.tokens.count == tokens + 1)
    }

    @Test("A frozen account can do nothing, and the code says so")
    func frozen() async throws {
        let lab = try await loggedIn()
        await lab.service.change { $0?.isFrozen = true }
        #expect(await error { try await lab.engine.updateUID("user-2") } == .accountFrozen)
        #expect(await lab.situation(.logIn(), ScriptedFaceStage()) == .accountFrozen)
    }

    @Test("What a vault holds that is no memory is nothing, and tokens print as nothing")
    func damaged() async throws {
        let lab = try FaceLab(account: FaceLab.known)
        lab.vault.write(Array("{\"version\":2}".utf8))
        #expect(await !lab.engine.isAuthorized)
        _ = try await lab.engine.run(.logIn(), on: ScriptedFaceStage())
        let kept = try FaceMemory(JSON(parsing: try #require(lab.vault.read())))
        #expect(kept.access != nil)
        #expect(!"\(kept) \(String(reflecting: kept))".contains("SAcce"))
    }

    @Test("A phone with a wrong clock is told the time and goes on")
    func clock() async throws {
        let lab = try FaceLab(account: FaceLab.known)
        await lab.service.refuse(.appToken, .clockSkew)
        #expect(await lab.situation(.logIn(), ScriptedFaceStage()) == .success)
    }
}
