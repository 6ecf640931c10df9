import BenjiClient
import BenjiFace
import BenjiFaceProtocol
import BenjiFaceTesting
import BenjiProtocol
import BenjiTesting
import Testing
import Waiting

@testable import SuperIDSDK

/// Every code of SuperID's document, reached by a call.
@MainActor @Suite struct SuperIDCodeTests {
    private func text(_ heard: Heard) -> String { heard.code.map { "\($0)" } ?? "none" }

    @Test("A login that the person gives up, that fails or that nobody else has a code for is -1000, a binding -1006")
    func login() async {
        var person = ScriptedFaceStage.Person()
        person.consents = false
        let code = await text(SuperIDLab().session(.login, person))
        #expect(code == "-1000")
        let binding = await text(SuperIDLab().session(.binding(uid: "x", phone: nil, userInfo: nil), person))
        #expect(binding == "-1006")
        let lab = SuperIDLab(account: SuperIDLab.known)
        let play = ScriptedFaceService.Play.fails(.faceDiffers, sentence: "other_person")
        await lab.service.play(play, play, play)
        let stranger = await text(lab.session(.login))
        #expect(stranger == "-1000")
        await lab.service.take(uid: "taken")
        let taken = await text(lab.session(.binding(uid: "taken", phone: nil, userInfo: nil)))
        #expect(taken == "-1006")
    }

    @Test("No network is -1001, also when only mobile data is missing that one tap needs")
    func network() async {
        let lab = SuperIDLab()
        await eventually("the app token is asked for") { await !lab.service.requests.isEmpty }
        lab.carrier.set(.prefetch, .init(.cellularDataOff))
        let one = await text(lab.session(.login))
        #expect(one == "-1001")
        lab.carrier.set(.prefetch, nil)
        await lab.service.fail(.noNetwork)
        let two = await text(lab.session(.login))
        #expect(two == "-1001")
    }

    @Test("A first login off mobile data goes on by a code by SMS")
    func bySMS() async {
        let lab = SuperIDLab()
        lab.carrier.hasSMSLogin = true
        lab.carrier.hasWiFi = true
        lab.carrier.set(.prefetch, .init(.cellularDataOff))
        let page = FakeSMSPresenter()
        let heard = await lab.session(.login, smsPage: page)
        #expect(heard.code == nil)
        #expect(await page.shownCount == 1)
        #expect(await lab.carrier.tokens.count == 1)
    }

    @Test(
        "A number that got too many codes is -1002, one to which none was sent or none logs in -1003",
        arguments: [
            (Situation.tooManyCodes, ScriptedCarrier.Step.smsCode, "-1002"), (.messageNotSent, .smsCode, "-1003"),
            (.numberBlocked, .smsCode, "-1003"), (.quotaExceeded, .smsCode, "-1003"),
            (.numberNotServed, .smsLogin, "-1003"),
        ])
    func codesBySMS(situation: Situation, step: ScriptedCarrier.Step, code: String) async {
        let lab = SuperIDLab()
        lab.carrier.hasSMSLogin = true
        lab.carrier.hasWiFi = true
        lab.carrier.set(.prefetch, .init(.addressUnknown))
        lab.carrier.refuse(step, with: situation)
        let heard = await text(lab.session(.login, smsPage: FakeSMSPresenter()))
        #expect(heard == code)
    }

    @Test("A refused camera is -1004")
    func camera() async {
        var person = ScriptedFaceStage.Person()
        person.camera = .cameraDenied
        let code = await text(SuperIDLab(account: SuperIDLab.known).session(.login, person))
        #expect(code == "-1004")
    }

    @Test("An account with another uid is -1005, a missing uid -1008 at once")
    func uids() async {
        let lab = SuperIDLab(account: SuperIDLab.known)
        let other = await text(lab.session(.binding(uid: "another", phone: nil, userInfo: nil)))
        #expect(other == "-1005")
        for uid in [nil, ""] {
            let heard = await lab.session(.binding(uid: uid, phone: nil, userInfo: nil))
            guard case .refused = heard else { return #expect(Bool(false), "\(heard)") }
            let missing = text(heard)
            #expect(missing == "-1008")
        }
    }

    @Test("An expired authorisation is -1007, none -1009, a frozen account -1015")
    func authorisation() async {
        let lab = SuperIDLab(account: SuperIDLab.known)
        let none = await text(lab.heard { $0.userCancelAuthorization() })
        #expect(none == "-1009")
        _ = await lab.session(.login)
        await lab.service.refuse(.cancel, .refreshTokenInvalid)
        let expired = await text(lab.heard { $0.userCancelAuthorization() })
        #expect(expired == "-1007")
        await lab.service.change { $0?.isFrozen = true }
        let frozen = await text(lab.session(.login))
        #expect(frozen == "-1015")
    }

    @Test("An SDK that was not registered, has no server, or is refused an app token is -1011; one too old is -1010")
    func starting() async {
        let unregistered = await text(SuperIDLab(registers: false).session(.login))
        #expect(unregistered == "-1011")
        let homeless = await text(SuperIDLab(server: nil).session(.login))
        #expect(homeless == "-1011")
        for (situation, expected) in [(Situation.appKeyWrong, "-1011"), (.versionUnsupported, "-1010")] {
            let lab = SuperIDLab()
            for _ in 0..<2 { await lab.service.refuse(.appToken, situation) }
            await lab.service.forgetAppTokens()
            await lab.service.refuse(.begin, .appTokenInvalid)
            let refused = await text(lab.session(.login))
            #expect(refused == expected)
        }
        for (id, secret) in [("", "secret"), ("300000000001", ""), ("wrong id", "secret")] {
            let lab = SuperIDLab(registers: false)
            lab.run { $0.registerApp(withAppID: id, withAppSecret: secret) }
            let refused = await text(lab.session(.login))
            #expect(refused == "-1011")
        }
    }

    @Test("Attributes without an account are -1012, a face that does not come -1016")
    func attributes() async {
        let lab = SuperIDLab(account: SuperIDLab.known)
        let unbound = await text(lab.session(.attributes))
        #expect(unbound == "-1012")
        _ = await lab.session(.login)
        let play = ScriptedFaceService.Play.fails(.faceNotFound, sentence: "no_face")
        await lab.service.play(play, play, play)
        let nobody = await text(lab.session(.attributes))
        #expect(nobody == "-1016")
    }

    @Test("An app token that does not live is -1013 after it was renewed once")
    func appToken() async {
        let lab = SuperIDLab(account: SuperIDLab.known)
        for _ in 0..<2 { await lab.service.refuse(.begin, .appTokenInvalid) }
        let code = await text(lab.session(.login))
        #expect(code == "-1013")
    }

    @Test("A number that is not of China is -1014 at once")
    func numbers() async {
        for number in ["+85291234567", "", nil] {
            let foreign = await text(SuperIDLab().session(.loginWithNumber(number)))
            #expect(foreign == "-1014")
        }
        let binding = await text(SuperIDLab().session(.binding(uid: "x", phone: "+15551234567", userInfo: nil)))
        #expect(binding == "-1014")
    }

    @Test("Errors are of one domain and carry neither number nor token")
    func errors() async {
        let lab = SuperIDLab(account: SuperIDLab.known)
        _ = await lab.session(.loginWithNumber("13900000000"))
        _ = await lab.heard { $0.userCancelAuthorization() }
        #expect(lab.hearer.domains == ["SuperID"])
    }
}
