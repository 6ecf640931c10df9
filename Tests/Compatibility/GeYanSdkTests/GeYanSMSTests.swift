import BenjiProtocol
import BenjiTesting
import FacadeScenarios
import OneTapTesting
import Testing

@testable import GeYanSdk
@testable import OneTapShell

@Suite("GeYan's login by SMS") struct GeYanSMSTests {
    /// A phone of China Mobile whose prefetch went well, and which is on Wi-Fi alone when the login begins.
    private func logIn(
        _ page: FakeSMSPresenter, refusing step: ScriptedCarrier.Step? = nil, with situation: Situation? = nil
    ) async -> (ResultFields?, ScriptedCarrier) {
        let lab = GeYanLab("13800000000", smsPage: page)
        lab.carrier.hasSMSLogin = true
        lab.carrier.hasWiFi = true
        _ = await lab.prefetch()
        lab.clock.advance(by: .seconds(86_400))
        lab.carrier.set(.prefetch, .init(.cellularDataOff))
        _ = await lab.prefetch()
        if let step { lab.carrier.refuse(step, with: situation) }
        return (await lab.logIn(), lab.carrier)
    }

    @Test("A login whose prefetch found no number goes on by a code, and answers as one by one tap")
    func token() async throws {
        let (result, carrier) = await logIn(FakeSMSPresenter())
        #expect(result?["code"] == 30000)
        #expect(result?["token"] == .text(try #require(await carrier.tokens.first)))
        #expect(result?["pn"] == "138****0000")
    }

    private func carrierCode(_ result: ResultFields?) -> ResultValue? {
        guard case .fields(let metadata)? = result?["metadata"] else { return nil }
        return metadata["resultCode"]
    }

    @Test(
        "Each code of China Mobile's list for a login by SMS can be met",
        arguments: [
            ("103108", FakeSMSPresenter.Person.types(number: "13800000000", codes: ["000000"])),
            ("103108", .types(number: "13800000000", codes: Array(repeating: "000000", count: 6))),
            ("103125", .types(number: "123", codes: [])), ("200020", .cancels),
        ])
    func byPerson(code: String, person: FakeSMSPresenter.Person) async {
        let (result, _) = await logIn(FakeSMSPresenter(person))
        #expect(carrierCode(result) == .text(code))
    }

    @Test(
        "and so can each that the server decides",
        arguments: [
            ("103109", ScriptedCarrier.Step.smsLogin, Situation.codeExpired), ("103109", .smsLogin, .codeUnknown),
            ("103901", .smsCode, .tooManyCodes), ("103911", .smsCode, .tooManyRequests),
        ])
    func byServer(code: String, step: ScriptedCarrier.Step, situation: Situation) async {
        let (result, _) = await logIn(FakeSMSPresenter(), refusing: step, with: situation)
        #expect(carrierCode(result) == .text(code))
        #expect(result?["code"] == 30006)
    }
}
