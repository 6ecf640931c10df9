import BenjiClient
import BenjiProtocol
import BenjiTesting
import Testing

@testable import OneLoginSDK
@testable import OneTapShell

@Suite(.timeLimit(.minutes(1))) struct OneLoginProTests {
    private func lab(_ number: String = "13800000000") -> OneLoginLab {
        OneLoginLab(number, facade: .oneLoginPro, registers: false)
    }

    /// Lets the other tasks go on. Nobody tells when the facade has begun to wait, so tests look again and again.
    private func wait(passing time: Duration = .zero, _ lab: OneLoginLab, until isTrue: () async -> Bool) async {
        for _ in 0..<1000 {
            if await isTrue() { return }
            for _ in 0..<100 { await Task.yield() }
            if await isTrue() { return }
            lab.clock.advance(by: time)
        }
        Issue.record("it never came to that")
    }

    @Test("A valid prefetch is there after registering, and again when the first has ended")
    func keeping() async {
        let lab = lab("13000000000")
        await lab.run { OneLoginPro.register(withAppID: OneLoginLab.appID) }
        await wait(lab) { lab.shell.isPrefetchValid }
        await lab.run { #expect(OneLoginPro.isPreGetTokenResultValidate()) }
        await wait(passing: .seconds(601), lab) { await lab.carrier.requests.count > 1 }
        // Time that passed while it asked may have been too much for that; it then asks once more.
        await wait(passing: .seconds(5), lab) { lab.shell.isPrefetchValid }
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
