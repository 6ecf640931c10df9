import BenjiClient
import BenjiProtocol
import BenjiTesting
import FacadeScenarios
import Testing

@testable import OneLoginSDK
@testable import OneTapShell

@Suite struct OneLoginProTests {
    private func lab(_ number: String = "13800000000") -> OneLoginLab {
        OneLoginLab(number, facade: .oneLoginPro, registers: false)
    }

    @Test("A valid prefetch is there after registering, and again when the first has ended")
    func keeping() async {
        let lab = lab("13000000000")
        // Time-outs are shorter: who sleeps for minutes waits for the end of a prefetch.
        let pauses = lab.clock.sleeps.filter { $0 > .seconds(60) }
        await lab.run { OneLoginPro.register(withAppID: OneLoginLab.appID) }
        for await _ in pauses { break }
        await lab.run { #expect(OneLoginPro.isPreGetTokenResultValidate()) }
        lab.clock.advance(by: .seconds(601))
        for await _ in pauses { break }
        #expect(await lab.carrier.requests.count == 2)
        await lab.run { #expect(OneLoginPro.isPreGetTokenResultValidate()) }
        lab.shell.stopKeeping()
    }

    @Test("After a token nothing is kept, until renewPreGetToken")
    func renewing() async {
        let lab = lab()
        await lab.run { OneLoginPro.register(withAppID: OneLoginLab.appID) }
        let token = await lab.heard { OneLoginPro.logIn(on: FakePresenter(), $0) }
        #expect(token?["status"] == 200 && token?["errorCode"] == "0" && token?["authcode"] == "0000")
        #expect(!lab.shell.isKeeping && !lab.shell.isPrefetchValid)
        await lab.run { OneLoginPro.renewPreGetToken() }
        #expect(lab.shell.isKeeping)
        let result = await lab.heard { OneLoginPro.getPreGetTokenResult($0) }
        #expect(result?["status"] == 200 && result?["number"] == "138****0000")
        lab.shell.stopKeeping()
    }

    @Test("A login needs no prefetch of the app's own")
    func withoutPrefetch() async {
        let lab = OneLoginLab(facade: .oneLoginPro)
        #expect(await lab.heard { OneLoginPro.logIn(on: FakePresenter(), $0) }?["status"] == 200)
    }

    @Test("The two have nothing in common: what one registers, the other does not know")
    func apart() async {
        let lab = lab()
        await lab.run {
            OneLogin.register(withAppID: OneLoginLab.appID)
            #expect(!OneLoginPro.hasRegistered())
        }
    }
}
