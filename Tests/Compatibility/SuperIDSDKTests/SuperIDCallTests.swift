import BenjiClient
import BenjiFace
import BenjiFaceProtocol
import BenjiFaceTesting
import BenjiPage
import BenjiProtocol
import BenjiTesting
import Foundation
import Testing
import Waiting

@testable import SuperIDSDK

@MainActor @Suite struct SuperIDCallTests {
    @Test("A first login hands over the documented keys as texts, and a random uid that the app may replace")
    func login() async {
        let lab = SuperIDLab()
        guard case .login(let info, let uid, nil) = await lab.session(.login) else { return #expect(Bool(false)) }
        #expect(info["name"] == "小明" && info["phone"] == "138****0000" && info["regioncode"] == "86")
        #expect(info["app_uid"] == uid && uid?.count == 22 && info["openId"] == "open-0000")
        #expect(lab.run { $0.isAppAuth() })
        #expect(await lab.heard { $0.updateAppUid("SuperID_7") } == .uid(.updateAppUidSucceed))
        await lab.service.take(uid: "taken")
        #expect(await lab.heard { $0.updateAppUid("taken") } == .uid(.uidHasExist))
        #expect(await lab.heard { $0.updateAppUid("") } == .uid(.updateAppUidFail))
        #expect(await lab.heard { $0.updateAppUid(nil) } == .uid(.updateAppUidFail))
        #expect(await lab.heard { $0.queryCurrentUserAuthorizationState(withUid: "SuperID_7") } == .state(.userHasAuth))
        #expect(await lab.heard { $0.queryCurrentUserAuthorizationState(withUid: "other") } == .state(.userNoAuth))
        #expect(
            await lab.heard { $0.queryCurrentUserAuthorizationState(withUid: nil) }
                == .state(.queryUserAuthorizationFail))
    }

    @Test("A binding ties the app's own uid, with name, email, avatar and whatever else the app says")
    func binding() async {
        let lab = SuperIDLab()
        let info: [AnyHashable: Any] = ["name": "x", "email": "x@example.com", "avatar": "http://x", "level": 3]
        let heard = await lab.session(.binding(uid: "user-9", phone: "+86 138 0000 0000", userInfo: info))
        guard case .binding(let told, "user-9", nil) = heard else { return #expect(Bool(false), "\(heard)") }
        #expect(told["email"] == "x@example.com")
        #expect(await lab.service.account?.uid == "user-9")
        #expect(await lab.service.account?.other?["level"] == 3)
    }

    @Test("What the app says of its user is updated, and what JSON cannot hold is a failure and no trap")
    func userInfo() async {
        let lab = SuperIDLab(account: SuperIDLab.known)
        _ = await lab.session(.login)
        #expect(
            await lab.heard { $0.updateAppUserInfo(["email": "new@example.com"]) } == .userInfo(.updateUserInfoSucceed))
        #expect(await lab.service.account?.email == "new@example.com")
        for wrong: [AnyHashable: Any] in [
            ["email": 3], [7: "seven"], ["picture": Data()], ["x": String(repeating: "x", count: 5000)],
            ["deep": Double.nan],
        ] {
            #expect(await lab.heard { $0.updateAppUserInfo(wrong) } == .userInfo(.updateAppUserInfoFail))
        }
        #expect(await lab.heard { $0.updateAppUserInfo(nil) } == .userInfo(.updateUserInfoSucceed))
    }

    @Test("Attributes come as documented, numbers as numbers, and fields that nothing measures are absent")
    func attributes() async {
        let lab = SuperIDLab(account: SuperIDLab.known)
        #expect(await lab.session(.attributes) == .refused(-1012))
        _ = await lab.session(.login)
        let heard = await lab.session(.attributes)
        #expect(heard.info["age"] == "Double: 26.85" && heard.code == nil)
        #expect(heard.info["smiling"]?.contains("0.81") == true)
        #expect(heard.info["eyeglasses"] == nil && heard.info["attractive"] == nil)
    }

    @Test("Logging out keeps the binding; cancelling ends it, and says when there is none")
    func leaving() async {
        let lab = SuperIDLab(account: SuperIDLab.known)
        _ = await lab.session(.login)
        lab.run { $0.appUserLogoutCurrentAccount() }
        await eventually("the account is logged out") { !lab.run { $0.isAppAuth() } }
        #expect(await lab.heard { $0.userCancelAuthorization() } == .cancelled(code: -1009))
        #expect(await lab.heard { $0.updateAppUid("x") } == .uid(.userNoAuthToSuperID))
        #expect(await lab.heard { $0.updateAppUserInfo([:]) } == .userInfo(.userNoAuthToSuperID))
        _ = await lab.session(.login)
        #expect(await lab.carrier.tokens.count == 1)
        #expect(await lab.heard { $0.userCancelAuthorization() } == .cancelled(code: nil))
        #expect(await lab.service.account == nil)
    }

    @Test("An authorisation that has expired has a state of its own")
    func expiry() async {
        let lab = SuperIDLab(account: SuperIDLab.known)
        _ = await lab.session(.login)
        await lab.service.refuse(.updateUID, .refreshTokenInvalid)
        #expect(await lab.heard { $0.updateAppUid("x") } == .uid(.userAccessExpired))
        await lab.service.refuse(.updateUserInfo, .refreshTokenInvalid)
        #expect(await lab.heard { $0.updateAppUserInfo([:]) } == .userInfo(.userAccessExpired))
    }

    @Test("Registering fetches the app token ahead; after a start without a network it can be tried again")
    func starting() async {
        let lab = SuperIDLab()
        await eventually("the app token is asked for") { await !lab.service.requests.isEmpty }
        #expect(await lab.service.requests == [.appToken])
        await lab.service.forgetAppTokens()
        lab.run { $0.retryInitialSuperIDSDK() }
        lab.run { $0.uploadUserBehaviourEventData(withActionTag: "x", attributes: [:], actions: nil) }
        #expect(await lab.session(.login).code == nil)
    }

    @Test("The language that is set is the screens', and automatic is the person's own")
    func language() {
        let lab = SuperIDLab()
        for (mode, language) in [
            (SIDLanguageMode.traditionChinese, "zh-Hant"), (.simplifiedChinese, "zh-Hans"), (.english, "en"),
        ] {
            lab.run { _ in SuperID.setLanguageMode(mode) }
            #expect(lab.shell.language?.rawValue == language)
        }
        lab.run { _ in SuperID.setLanguageMode(.auto) }
        #expect(lab.shell.language == nil)
        lab.run { _ in SuperID.setDebugMode(true) }
        lab.run { _ in SuperID.setDebugMode(false) }
    }

    @Test("The delegate is held weakly and hears every call once")
    func delegate() async {
        let lab = SuperIDLab(account: SuperIDLab.known)
        _ = await lab.session(.login)
        _ = await lab.heard { $0.updateAppUid("user-2") }
        #expect(lab.hearer.all.count == 2)
        do {
            let other = Hearer()
            lab.run { $0.delegate = other }
            #expect(lab.run { $0.delegate } === other)
            #expect(lab.run { $0 === SuperID.sharedInstance() })
        }
        #expect(lab.run { $0.delegate } == nil)
        lab.run { $0.queryCurrentUserAuthorizationState(withUid: "x") }
    }

    @Test("Numbers of mainland China are taken in every form that people write, and no others")
    func numbers() {
        for text in ["13800000000", "+8613800000000", "0086 138-0000-0000", "8613800000000"] {
            #expect(ChineseNumber.read(text) == "13800000000")
        }
        for text in [
            nil, "", "12800000000", "1380000000", "138000000000", "+85291234567", "１３８００００００００", "13800000o00",
        ] {
            #expect(ChineseNumber.read(text) == nil)
        }
    }

    @Test("Enumerations have the values of the vendor's header")
    func values() {
        #expect(
            [SIDLanguageMode.auto, .simplifiedChinese, .english, .traditionChinese].map(\.rawValue) == [0, 1, 2, 3])
        #expect(
            [
                SIDUserUpdateResponseState.updateUserInfoSucceed, .updateAppUserInfoFail, .updateAppUidSucceed,
                .uidHasExist, .updateAppUidFail, .userNoAuthToSuperID, .userAccessExpired,
            ].map(\.rawValue) == Array(0...6))
        #expect(
            [SIDUserAuthorizationState.userHasAuth, .userNoAuth, .queryUserAuthorizationFail].map(\.rawValue)
                == [0, 1, 2])
    }
}
