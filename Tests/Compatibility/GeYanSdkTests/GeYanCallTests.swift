import BenjiClient
import BenjiProtocol
import BenjiTesting
import FacadeScenarios
import Foundation
import OneTapTesting
import Testing

@testable import GeYanSdk
@testable import OneTapShell

@Suite struct GeYanCallTests {
    @Test(
        "A prefetch that goes well answers the documented members and no other",
        arguments: zip(["13800000000", "13000000000", "13300000000"], ["1", "2", "3"]))
    func prefetch(_ number: String, _ carrier: String) async {
        let lab = GeYanLab(number)
        let expected: ResultFields = [
            "code": 30000, "processID": .text(lab.carrier.trace.rawValue), "operatorType": .text(carrier),
            "msg": "获取accessCode成功",
        ]
        #expect(await lab.prefetch() == expected)
    }

    @Test("A login that goes well answers token, its life in seconds and the masked number")
    func login() async throws {
        let lab = GeYanLab("13300000000")
        _ = await lab.prefetch()
        let result = await lab.logIn()
        let expected: ResultFields = [
            "code": 30000, "processID": .text(lab.carrier.trace.rawValue), "operatorType": "3",
            "msg": "获取accessCode成功", "token": .text(try #require(await lab.carrier.tokens.first)),
            "expiredTime": 600, "pn": "133****0000",
        ]
        #expect(result == expected)
    }

    struct Failure: CustomTestStringConvertible {
        var number: String
        var code: Int
        var errorCode: String
        var carrierCode: String?
        var testDescription: String { "\(number.suffix(4)) → \(code) \(errorCode)" }
    }

    @Test(
        "A call that fails answers code, errorCode and the carrier's own code",
        arguments: [
            Failure(number: "13800001001", code: 30001, errorCode: "-20202"),
            Failure(number: "13800001004", code: 30005, errorCode: "-50102"),
            Failure(number: "13800001014", code: 30001, errorCode: "-20203"),
            Failure(number: "13800001020", code: 30005, errorCode: "-50101"),
            Failure(number: "13800002004", code: 30006, errorCode: "-40199", carrierCode: "200028"),
            Failure(number: "13000002004", code: 30006, errorCode: "-40299", carrierCode: "3007"),
            Failure(number: "13300002004", code: 30006, errorCode: "-40399", carrierCode: "-8001"),
            // The one code in which GeYan's and OneLogin's documents differ.
            Failure(number: "13000002013", code: 30001, errorCode: "-40204", carrierCode: "2004"),
        ])
    func failures(_ failure: Failure) async {
        let lab = GeYanLab(failure.number)
        var result = await lab.prefetch()
        if result?["code"] == 30000 { result = await lab.logIn() }
        #expect(result?["code"] == .number(failure.code) && result?["errorCode"] == .text(failure.errorCode))
        guard case .fields(let metadata)? = result?["metadata"] else {
            Issue.record("a failure has metadata")
            return
        }
        #expect(metadata["resultCode"] == failure.carrierCode.map { .text($0) })
        #expect(
            Set(result?.values.keys.map { $0 } ?? [])
                == ["code", "processID", "operatorType", "errorCode", "msg", "metadata"])
    }

    @Test("A prefetch serves one login and ends after ten minutes")
    func validity() async {
        let lab = GeYanLab()
        #expect(await lab.logIn()?["code"] == 30005)
        _ = await lab.prefetch()
        #expect(await lab.logIn()?["code"] == 30000)
        #expect(await lab.logIn()?["errorCode"] == "-20204")
        _ = await lab.prefetch()
        lab.clock.advance(by: .seconds(601))
        #expect(await lab.run { !GeYanSdk.isPreGettedTokenValidate() })
        #expect(await lab.logIn()?["errorCode"] == "-20204")
    }

    @Test("Back ends with 30003, the button for another account with 30002")
    func person() async {
        let lab = GeYanLab()
        _ = await lab.prefetch()
        let back = await lab.logIn(.cancels)
        #expect(back?["code"] == 30003 && back?["errorCode"] == "-20302")
        let other = await lab.logIn(.switchesAccount)
        #expect(other?["code"] == 30002 && other?["errorCode"] == "-20303")
    }

    @Test("Starting tells whether calls can be made, and the same name of the install each time")
    func starting() async {
        func start(_ id: String?, _ lab: GeYanLab) async -> (Bool, String?) {
            await lab.run {
                await withCheckedContinuation { continuation in
                    GeYanSdk.start(withAppId: id) { ok, error, install in
                        #expect(ok == (error == nil))
                        continuation.resume(returning: (ok, install))
                    }
                }
            }
        }
        let lab = GeYanLab(registers: false)
        let first = await start(GeYanLab.appID, lab)
        #expect(first.0 && first.1?.isEmpty == false)
        #expect(await start(GeYanLab.appID, lab) == first)
        for id in [nil, "", "short", "with a space in it"] {
            #expect(await start(id, GeYanLab(registers: false)) == (false, nil))
        }
    }

    @Test("Wrong arguments end in a code and never in a trap")
    func wrongArguments() async {
        #expect(await GeYanLab(registers: false).prefetch()?["errorCode"] == "-20101")
        for timeout in [-1, .nan, .infinity] {
            let lab = GeYanLab()
            lab.shell.setTimeout(.seconds(timeout))
            #expect(await lab.prefetch()?["code"] != 30000)
        }
        await GeYanLab().run {
            GeYanSdk.preGetToken(nil)
            GeYanSdk.start(withAppId: nil, withCallback: nil)
        }
    }

    @Test("GyOneLoginPro keeps a prefetch valid, and lets go of it after a token")
    func pro() async {
        let lab = GeYanLab(facade: .geYanPro)
        await lab.run { GyOneLoginPro.renewPreGetToken() }
        #expect(lab.shell.isKeeping)
        let found = await lab.heard { answer in GyOneLoginPro.getPreGetTokenResult { answer($0 ?? [:]) } }
        #expect(found?["code"] == 30000)
        await lab.run { #expect(GyOneLoginPro.isPreGetTokenResultValidate()) }
        #expect(await lab.logIn()?["code"] == 30000)
        #expect(!lab.shell.isKeeping)
    }

    @Test("Every SIM that a network serves is counted, and one at least while mobile data is up")
    func countsSIMs() async {
        let lab = GeYanLab()
        for (services, expected) in [(2, 2), (1, 1), (0, 1)] {
            var surroundings = lab.carrier.surroundings(page: nil)
            surroundings.mobileServices = { MobileServices(count: services, generation: nil) }
            lab.shell.surround(with: surroundings)
            await lab.run { #expect(GeYanSdk.getCurrentCarrierCount() == expected) }
        }
    }

    @Test(
        "GyOneLoginPro keeps a prefetch from the start of the SDK, where Info.plist says so, and asks nothing otherwise"
    )
    func keepsFromStart() async {
        for keeps in [true, false] {
            let lab = GeYanLab(facade: .geYanPro, registers: false)
            var surroundings = lab.carrier.surroundings(page: nil)
            surroundings.keepsPrefetchFromStart = { keeps }
            lab.shell.surround(with: surroundings)
            await lab.run {
                await withCheckedContinuation { continuation in
                    GeYanSdk.start(withAppId: GeYanLab.appID) { _, _, _ in continuation.resume() }
                }
            }
            #expect(lab.shell.isKeeping == keeps)
            guard keeps else { continue }
            // Waits for a request that is under way.
            let found = await lab.heard { answer in GyOneLoginPro.getPreGetTokenResult { answer($0 ?? [:]) } }
            #expect(found?["code"] == 30000)
            #expect(await lab.carrier.requests.count == 1)
        }
    }

    @Test("The network and the number of SIMs are told at once, the carrier when a gateway has named it")
    func network() async {
        let lab = GeYanLab("13000000000")
        lab.carrier.hasWiFi = true
        await lab.run {
            #expect(GeYanSdk.currentNetworkInfo()["network"] as? Int == 3)
            #expect(GeYanSdk.currentNetworkInfo()["carrier"] as? Int == 0)
            #expect(GeYanSdk.getCurrentCarrierCount() == 1)
        }
        _ = await lab.prefetch()
        await lab.run { #expect(GeYanSdk.currentNetworkInfo()["carrier"] as? Int == 2) }
    }
}
