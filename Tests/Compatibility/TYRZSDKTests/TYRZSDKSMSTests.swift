import BenjiProtocol
import BenjiTesting
import FacadeScenarios
import OneTapShell
import OneTapTesting
import Testing

@testable import TYRZSDK

@Suite("TYRZSDK's login by SMS") struct TYRZSDKSMSTests {
    /// Asks for the number, as the document has it, and then for a token, whatever came of it.
    private func logIn(
        _ carrier: ScriptedCarrier, _ page: FakeSMSPresenter?, onPage: Bool = true
    ) async -> ResultFields? {
        let shell = OneTapShell(
            .tyrzSDK, surroundings: carrier.surroundings(page: FakePresenter(), smsPage: page))
        return await OneTapShell.$scoped.withValue(shell) {
            TYRZSDK.registerAppId("300000000001", appKey: "key")
            _ = await withCheckedContinuation { continuation in
                TYRZSDK.getPhoneNumber(withTimeout: 0) { continuation.resume(returning: ResultFields($0)) }
            }
            return await withCheckedContinuation { continuation in
                TYRZSDK.authorize(on: onPage ? FakePresenter() : nil) {
                    continuation.resume(returning: ResultFields($0))
                }
            }
        }
    }

    private func wifi(_ number: String = "13800001010") -> ScriptedCarrier {
        let carrier = ScriptedCarrier(number: number, hasWiFi: true, clock: ManualClock())
        carrier.hasSMSLogin = true
        return carrier
    }

    @Test("A login whose prefetch found no number goes on by a code, and answers as one by one tap")
    func token() async throws {
        for number in ["13800001010", "13800001002"] {
            let carrier = wifi(number)
            let result = await logIn(carrier, FakeSMSPresenter())
            let token = try #require(await carrier.tokens.first)
            #expect(
                result == [
                    "resultCode": "103000", "desc": "", "token": .text(token), "openId": .text(carrier.openID),
                    "traceId": .text(carrier.trace.rawValue),
                ])
        }
    }

    @Test("A token that only verifies is never earned by a code, and neither is one after a refusal of the app")
    func notForThese() async {
        let page = FakeSMSPresenter()
        #expect(await logIn(wifi(), page, onPage: false)?["resultCode"] == "200026")
        #expect(await logIn(wifi("13800001021"), page)?["resultCode"] == "200026")
        #expect(await page.shownCount == 0)
    }

    @Test(
        """
        Without a page that the app has chosen, or a workflow with codes, a login without a prefetch ends as documented
        """
    )
    func without() async {
        #expect(await logIn(wifi(), nil)?["resultCode"] == "200026")
        let carrier = wifi()
        carrier.hasSMSLogin = false
        #expect(await logIn(carrier, FakeSMSPresenter())?["resultCode"] == "200026")
    }

    @Test(
        "Each code of the document for a login by SMS can be met",
        arguments: [
            ("103108", FakeSMSPresenter.Person.types(number: "13800000000", codes: ["000000"])),
            ("104202", .types(number: "13800000000", codes: Array(repeating: "000000", count: 6))),
            ("103125", .types(number: "123", codes: [])), ("200020", .cancels),
        ])
    func byPerson(code: String, person: FakeSMSPresenter.Person) async {
        #expect(await logIn(wifi(), FakeSMSPresenter(person))?["resultCode"] == .text(code))
    }

    @Test(
        "and so can each that the server decides",
        arguments: [
            ("103109", ScriptedCarrier.Step.smsLogin, Situation.codeExpired), ("103202", .smsLogin, .codeUnknown),
            ("103106", .smsLogin, .numberNotServed), ("103106", .smsCode, .numberBlocked),
            ("103207", .smsCode, .messageNotSent), ("103901", .smsCode, .tooManyCodes),
        ])
    func byServer(code: String, step: ScriptedCarrier.Step, situation: Situation) async {
        let carrier = wifi()
        carrier.refuse(step, with: situation)
        let result = await logIn(carrier, FakeSMSPresenter())
        #expect(result?["resultCode"] == .text(code))
        #expect(result?["desc"] != "请求失败")
    }
}
