import BenjiClient
import FacadeScenarios
import Testing

@testable import GeYanSdk
@testable import OneTapShell

@Suite struct GeYanFactTests {
    @Test("The time-out that the app sets is the one that counts", arguments: [(-1.0, false), (10, true)])
    func timeout(seconds: Double, goesWell: Bool) async {
        let lab = GeYanLab()
        await lab.run { GeYanSdk.setEloginTimeout(seconds) }
        #expect((await lab.prefetch()?["code"] == 30000) == goesWell)
    }

    @Test("A time-out for prefetches alone wins for them, and says nothing about a login")
    func prefetchTimeout() async {
        let lab = GeYanLab()
        await lab.run {
            GeYanSdk.setPreLoginTimeout(5)
            GeYanSdk.setEloginTimeout(-1)
        }
        #expect(await lab.prefetch()?["code"] == 30000)
        #expect(await lab.logIn()?["errorCode"] == "-50101")
        await lab.run { GeYanSdk.setPreLoginTimeout(.nan) }
        #expect(await lab.prefetch()?["errorCode"] == "-50101")
    }

    @Test("Steps are written to the console while the app debugs, and only then")
    func debugging() async {
        let lab = GeYanLab()
        await lab.run {
            GeYanSdk.setDebug(true)
            #expect(lab.shell.state.withLock { $0.observer != nil })
            GeYanSdk.setDebug(false)
            #expect(lab.shell.state.withLock { $0.observer == nil })
        }
    }

    @Test("What GyOneLoginPro has prefetched is gone when the app deletes it")
    func deleting() async {
        let lab = GeYanLab(facade: .geYanPro)
        await lab.run { GyOneLoginPro.renewPreGetToken() }
        let found = await lab.heard { answer in GyOneLoginPro.getPreGetTokenResult { answer($0 ?? [:]) } }
        #expect(found?["code"] == 30000)
        await lab.run {
            #expect(GyOneLoginPro.isPreGetTokenResultValidate())
            GyOneLoginPro.deletePreResultCache()
            #expect(!GyOneLoginPro.isPreGetTokenResultValidate())
        }
    }
}
