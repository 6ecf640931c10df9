import BenjiProtocol
import BenjiTesting
import FacadeScenarios
import OneTapShell
import OneTapTesting
import TYRZLogin
import Testing

@Suite("TYRZLogin's login by SMS") struct TYRZLoginSMSTests {
    private func logIn(
        _ carrier: ScriptedCarrier, _ page: FakeSMSPresenter?
    ) async -> ResultFields? {
        let shell = OneTapShell(.tyrzLogin, surroundings: carrier.surroundings(page: nil, smsPage: page))
        return await OneTapShell.$scoped.withValue(shell) {
            TYRZLogin.registerAppId("300000000001", appKey: "key")
            return await withCheckedContinuation { continuation in
                TYRZLogin.loginImplicitly {
                    continuation.resume(returning: ($0 as? [AnyHashable: Any]).flatMap { ResultFields($0) })
                }
            }
        }
    }

    private func wifi(_ number: String = "13800001002") -> ScriptedCarrier {
        let carrier = ScriptedCarrier(number: number, hasWiFi: true, clock: ManualClock())
        carrier.hasSMSLogin = true
        return carrier
    }

    @Test("A phone that no network tells logs in by a code, and the answer has the authType 7 with its words")
    func authType() async throws {
        let carrier = wifi()
        let result = await logIn(carrier, FakeSMSPresenter())
        let token = try #require(await carrier.tokens.first)
        #expect(
            result == [
                "resultCode": "103000", "token": .text(token), "openId": .text(carrier.openID),
                "openid": .text(carrier.openID), "authType": "7", "authTypeDes": "短信验证码登录",
                "traceId": .text(carrier.trace.rawValue),
            ])
    }

    @Test("Without a page that the app has chosen, or a workflow with codes, the answer is that of one tap")
    func without() async {
        #expect(await logIn(wifi(), nil)?["resultCode"] == "102103")
        let carrier = wifi()
        carrier.hasSMSLogin = false
        let page = FakeSMSPresenter()
        #expect(await logIn(carrier, page)?["resultCode"] == "102103")
        #expect(await page.shownCount == 0)
    }

    @Test(
        "Each code of the document for a login by SMS can be met",
        arguments: [
            ("103108", FakeSMSPresenter.Person.types(number: "13800000000", codes: ["000000"])),
            ("103108", .types(number: "13800000000", codes: Array(repeating: "000000", count: 6))),
            ("103125", .types(number: "123", codes: [])), ("102301", .cancels), ("102301", .switchesAccount),
        ])
    func byPerson(code: String, person: FakeSMSPresenter.Person) async {
        let result = await logIn(wifi(), FakeSMSPresenter(person))
        #expect(result?["resultCode"] == .text(code))
        #expect(result?["authType"] == nil && result?["token"] == nil)
    }

    @Test(
        "and so can each that the server decides",
        arguments: [
            ("103109", ScriptedCarrier.Step.smsLogin, Situation.codeExpired), ("103109", .smsLogin, .codeUnknown),
            ("103207", .smsCode, .messageNotSent), ("103901", .smsCode, .tooManyCodes),
            ("103104", .smsLogin, .numberNotServed), ("103104", .smsCode, .numberBlocked),
        ])
    func byServer(code: String, step: ScriptedCarrier.Step, situation: Situation) async {
        let carrier = wifi()
        carrier.refuse(step, with: situation)
        #expect(await logIn(carrier, FakeSMSPresenter())?["resultCode"] == .text(code))
    }
}
