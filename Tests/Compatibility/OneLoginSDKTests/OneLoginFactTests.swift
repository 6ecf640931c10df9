import BenjiClient
import BenjiTesting
import FacadeScenarios
import OneTapTesting
import Testing

@testable import OneLoginSDK
@testable import OneTapShell

@Suite(.serialized) struct OneLoginFactTests {
    @Test("Nothing is written to the console until the app asks for it, and nothing after it has enough")
    func log() async {
        let lab = OneLoginLab()
        await lab.run {
            #expect(!OneLogin.isLogEnabled())
            OneLogin.setLogEnabled(true)
            #expect(OneLogin.isLogEnabled() && lab.shell.state.withLock { $0.observer != nil })
            OneLogin.setLogEnabled(false)
            #expect(!OneLogin.isLogEnabled() && lab.shell.state.withLock { $0.observer == nil })
        }
    }

    @Test("The version names the release whose document it follows")
    func version() {
        #expect(OneLogin.sdkVersion().hasPrefix("1.6.1 "))
    }

    @Test("The kind of network is spelt WIFI whenever Wi-Fi is up", arguments: [(true, "WIFI"), (false, "Cellular")])
    func network(hasWiFi: Bool, expected: String) async {
        let lab = OneLoginLab()
        lab.carrier.hasWiFi = hasWiFi
        await lab.run { #expect(OneLogin.currentNetworkInfo()?.detailNetworkType == expected) }
    }

    @Test(
        "Mobile data is spelt by its generation where the system tells one",
        arguments: [
            (MobileServices(count: 1, generation: .fourth), "4G"), (MobileServices(count: 2, generation: .fifth), "5G"),
            (MobileServices(count: 2, generation: nil), "Cellular"),
        ])
    func generation(services: MobileServices, expected: String) async {
        let lab = OneLoginLab()
        var surroundings = lab.carrier.surroundings(page: nil)
        surroundings.mobileServices = { services }
        lab.shell.surround(with: surroundings)
        await lab.run { #expect(OneLogin.currentNetworkInfo()?.detailNetworkType == expected) }
        lab.carrier.hasWiFi = true
        await lab.run { #expect(OneLogin.currentNetworkInfo()?.detailNetworkType == "WIFI") }
    }
}
