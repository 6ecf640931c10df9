import BenjiClient
import BenjiFace
import BenjiFaceProtocol
import BenjiFaceTesting
import BenjiProtocol
import BenjiTesting
import Foundation
import Testing
import Waiting

@testable import SuperIDSDK

/// Additions of SuperID's releases 1.3 to 1.9.9 that need no screen.
@MainActor @Suite struct SuperIDLaterTests {
    private let hearer = LaterHearer()

    /// A lab whose delegate is of the later kind, after the SDK has started.
    private func started(_ account: ScriptedFaceService.Account? = nil) async -> SuperIDLab {
        let lab = SuperIDLab(account: account, registers: false)
        lab.run { _ in
            SuperID.setupSuperIDDelegate(hearer)
            SuperID.registerApp(withAppID: "300000000001", withAppSecret: "secret")
        }
        let first = await hearer.next(after: 0)
        #expect(first == "app token 0")
        return lab
    }

    /// The delegate's call after a call of the SDK.
    private func heard(_ lab: SuperIDLab, _ call: () -> Void) async -> String {
        let count = hearer.all.count
        lab.run { _ in call() }
        return await hearer.next(after: count)
    }

    private func session(
        _ lab: SuperIDLab, _ kind: SuperIDSession.Kind, _ person: ScriptedFaceStage.Person = .init()
    ) async throws -> String {
        let count = hearer.all.count
        let session = try SuperIDSession(kind, lab.shell)
        await session.run(on: ScriptedFaceStage(person))
        return await hearer.next(after: count)
    }

    @Test("Class methods do what the instance's do, and a login of theirs tells the openId")
    func classMethods() async throws {
        let lab = await started()
        #expect(try await session(lab, .loginWithModel(nil)) == "login open-0000")
        #expect(hearer.info?["openId"] as? String == "open-0000" && hearer.info?["authorizationCode"] != nil)
        #expect(lab.run { _ in SuperID.isAppAuth() })
        let updated = await heard(lab) { SuperID.updateAppUserInfo(["email": "new@example.com"]) }
        #expect(updated == "user info 0")
        #expect(await lab.service.account?.email == "new@example.com")
        lab.run { _ in SuperID.uploadUserBehaviourEventData(withActionTag: "x", attributes: nil, actions: nil) }
        lab.run { _ in SuperID.appUserLogoutCurrentAccount() }
        await eventually("the account is logged out") { !lab.run { _ in SuperID.isAppAuth() } }
        #expect(try await session(lab, .loginWithModel(nil)) == "login open-0000")
        #expect(await lab.carrier.tokens.count == 1)
        let cancelled = await heard(lab) { SuperID.userCancelAuthorization() }
        #expect(cancelled == "cancelled")
        let again = await heard(lab) { SuperID.userCancelAuthorization() }
        #expect(again == "cancelled -1009")
    }

    @Test("What the app knows of its user comes along in a model, and with an appUid the login ties it")
    func model() async throws {
        let lab = await started()
        let model = SIDAppUserInfoModel()
        model.phone = "+86 138 0000 0000"
        model.name = "小林"
        model.email = "lin@example.com"
        model.avatar = "http://x"
        model.otherInfo = ["level": 3, "name": "the model's own name goes before"]
        #expect(model.phone?.isEmpty == false && model.otherInfo?.count == 2)
        #expect(model.name == "小林" && model.email == "lin@example.com" && model.avatar == "http://x")
        #expect(try await session(lab, .loginWithModel(model)) == "login open-0000")
        #expect(await lab.service.account?.other?["level"] == 3)
        #expect(await lab.service.account?.email == "lin@example.com")
        #expect(await lab.service.account?.isRandomUID == true)
        model.appUid = "user-9"
        #expect(model.appUid == "user-9")
        #expect(try await session(lab, .loginWithModel(model)) == "login open-0000")
        #expect(await lab.service.account?.uid == "user-9")
        model.appUid = "user-10"
        #expect(try await session(lab, .loginWithModel(model)) == "login nobody -1005")
        for wrong in [("+85291234567", [:]), ("", [7: 7]), ("", ["level": Double.nan])]
            as [(String, [AnyHashable: Any])]
        {
            model.phone = wrong.0
            model.otherInfo = wrong.1
            #expect(throws: BenjiError.self) { try SuperIDSession(.loginWithModel(model), lab.shell) }
        }
    }

    @Test("A delegate that knows only the uid hears of a later login by it")
    func olderDelegate() async throws {
        let lab = SuperIDLab(account: SuperIDLab.known)
        let session = try SuperIDSession(.loginWithModel(nil), lab.shell)
        await session.run(on: ScriptedFaceStage())
        guard case .login(let info, "user-1", nil) = await lab.hearer.next() else { return #expect(Bool(false)) }
        #expect(info["openId"] == "open-0000" && lab.hearer.all.count == 1)
    }

    @Test(
        """
        A verification needs somebody who is logged in, succeeds for their face, and is tried once unless the app says \
        more
        """
    )
    func verification() async throws {
        let lab = await started(SuperIDLab.known)
        #expect(throws: BenjiError(.notAuthorized, "")) {
            try SuperIDSession(.verification(attempts: nil), lab.shell)
        }
        _ = try await session(lab, .loginWithModel(nil))
        #expect(try await session(lab, .verification(attempts: nil)) == "verified 0")
        let play = ScriptedFaceService.Play.fails(.faceDiffers, sentence: "other_person")
        await lab.service.play(play)
        #expect(try await session(lab, .verification(attempts: nil)) == "verified 1")
        await lab.service.play(play)
        #expect(try await session(lab, .verification(attempts: 0)) == "verified 1")
        await lab.service.play(play)
        #expect(try await session(lab, .verification(attempts: 2)) == "verified 0")
    }

    @Test("By openId only whoever has logged in on this phone is answered for")
    func queries() async throws {
        let lab = await started(SuperIDLab.known)
        func state(_ openId: String?) async -> String {
            await heard(lab) { SuperID.queryCurrentUserAuthorizationState(withOpenId: openId) }
        }
        let before = await state("open-0000")
        #expect(before == "state 2")
        _ = try await session(lab, .loginWithModel(nil))
        let (own, other, none) = (await state("open-0000"), await state("open-9999"), await state(nil))
        #expect(own == "state 0" && other == "state 2" && none == "state 2")
        await lab.service.change { $0?.isAuthorized = false }
        let taken = await state("open-0000")
        #expect(taken == "state 1")
    }

    @Test(
        "The phone says who is logged in, by openId and uid also after the app was started anew, and nothing of nobody")
    func userData() async throws {
        let lab = await started(SuperIDLab.known)
        #expect(lab.run { _ in SuperID.getSIDUserInfoData() }.isEmpty)
        _ = try await session(lab, .loginWithModel(nil))
        let info = lab.run { _ in SuperID.getSIDUserInfoData() } as? [String: String]
        #expect(
            info == [
                "openId": "open-0000", "app_uid": "user-1", "regioncode": "86", "name": "小明", "phone": "138****0000",
            ])
        // The app's next start: only what the vault keeps.
        lab.shell.keep(nil)
        let kept = lab.run { _ in SuperID.getSIDUserInfoData() } as? [String: String]
        #expect(kept == ["openId": "open-0000", "app_uid": "user-1", "regioncode": "86"])
        #expect(lab.run { _ in SuperID.getPreSignUpUserPhoneInfo() }.isEmpty)
        #expect(lab.run { _ in SuperID.getSDKVersion() }["version"] as? String == "1.9.9.1")
        _ = await heard(lab) { SuperID.userCancelAuthorization() }
        #expect(lab.run { _ in SuperID.getSIDUserInfoData() }.isEmpty)
    }

    @Test("A start is told: with an app token, refused by the server, or without a network")
    func starting() async {
        let lab = await started()
        for (fault, expected) in [(nil, "app token 1"), (TransportError.Code.timedOut, "app token 2")] {
            if let fault { await lab.service.fail(fault) } else { await lab.service.refuse(.appToken, .appKeyWrong) }
            lab.pass(.seconds(7200))
            let told = await heard(lab) { SuperID.retryInitialSuperIDSDK() }
            #expect(told == expected)
        }
        let told = await heard(lab) { SuperID.retryInitialSuperIDSDK() }
        #expect(told == "app token 0")
    }

    @Test("A partner's single sign-on is answered with -1011, and no account is ever said to be updated")
    func partner() async {
        let lab = await started()
        let told = await heard(lab) { SuperID.sidCreatUser(withLESSOToken: "token") }
        #expect(told == "created nobody -1011" && hearer.all.allSatisfy { !$0.hasPrefix("account") })
    }

    @Test("Enumerations of the later releases have the values of the vendor's headers")
    func values() {
        #expect([SIDFACEVerifyState.faceVerifySucceed, .faceVerifyFail].map(\.rawValue) == [0, 1])
        #expect([SIDGetAppTokenState.succeed, .fail, .netWorkError].map(\.rawValue) == [0, 1, 2])
        #expect(
            [SIDUpdateAccountState.succeed, .fail, .accessTokenInvalid, .accountBeenFrozen, .accessTokenExpired]
                .map(\.rawValue) == Array(0...4))
    }
}
