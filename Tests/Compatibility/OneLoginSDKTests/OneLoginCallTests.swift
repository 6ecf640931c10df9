import BenjiClient
import BenjiProtocol
import BenjiTesting
import FacadeScenarios
import Foundation
import Testing

@testable import OneLoginSDK
@testable import OneTapShell

@Suite struct OneLoginCallTests {
    @Test(
        "A prefetch that goes well answers the documented members and no other",
        arguments: zip(["13800000000", "13000000000", "13300000000"], ["CM", "CU", "CT"]))
    func prefetch(_ number: String, _ carrier: String) async {
        let lab = OneLoginLab(number)
        let expected: ResultFields = [
            "status": 200, "processID": .text(lab.carrier.trace.rawValue), "appID": .text(OneLoginLab.appID),
            "operatorType": .text(carrier), "msg": "获取accessCode成功",
        ]
        #expect(await lab.prefetch() == expected)
    }

    @Test("A login that goes well answers the documented members and no other")
    func login() async throws {
        let lab = OneLoginLab()
        _ = await lab.prefetch()
        let result = await lab.logIn()
        let expected: ResultFields = [
            "status": 200, "processID": .text(lab.carrier.trace.rawValue), "appID": .text(OneLoginLab.appID),
            "token": .text(try #require(await lab.carrier.tokens.first)), "operatorType": "CM",
            "msg": "获取accessCode成功",
        ]
        #expect(result == expected)
    }

    @Test("Values have the documented types: status is a number, errorCode a text")
    func types() async {
        let lab = OneLoginLab(registers: false)
        let answer = await lab.run {
            await withCheckedContinuation { continuation in
                OneLogin.preGetToken { answer in
                    continuation.resume(returning: (answer["status"] as? Int, answer["errorCode"] as? String))
                }
            }
        }
        #expect(answer == (500, "-20101"))
    }

    @Test("A login without a prefetch fails, and a prefetch serves one login")
    func once() async {
        let lab = OneLoginLab()
        #expect(await lab.logIn()?["errorCode"] == "-20204")
        _ = await lab.prefetch()
        #expect(await lab.logIn()?["status"] == 200)
        #expect(await lab.logIn()?["errorCode"] == "-20204")
    }

    @Test(
        "A prefetch is valid for an hour with China Mobile and for ten minutes with the others",
        arguments: zip(["13800000000", "13000000000", "13300000000"], [3600, 600, 600]))
    func validity(_ number: String, _ seconds: Int) async {
        let lab = OneLoginLab(number)
        _ = await lab.prefetch()
        #expect(await lab.run { OneLogin.isPreGettedTokenValidate() })
        lab.clock.advance(by: .seconds(seconds - 10))
        #expect(await lab.run { OneLogin.isPreGettedTokenValidate() })
        lab.clock.advance(by: .seconds(11))
        #expect(await lab.run { !OneLogin.isPreGettedTokenValidate() })
        #expect(await lab.logIn()?["errorCode"] == "-20204")
    }

    @Test("A second prefetch while one runs is refused with -20102, a second login with -20103")
    func reentry() async {
        let lab = OneLoginLab("13800001007")
        await lab.run {
            let codes = Locked<[ResultValue?]>([])
            let both = AsyncStream<Void>.makeStream()
            for _ in 0..<2 {
                OneLogin.preGetToken { answer in
                    let count = codes.withLock {
                        $0.append(ResultFields(answer)?["errorCode"])
                        return $0.count
                    }
                    if count == 1 { lab.shell.cancel() } else { both.continuation.finish() }
                }
            }
            for await _ in both.stream {}
            #expect(codes.withLock { $0.first } == .text("-20102"))
        }
        let open = OneLoginLab()
        _ = await open.prefetch()
        let page = FakePresenter(.waits)
        async let first = open.heard { OneLogin.logIn(on: page, $0) }
        await page.shown()
        #expect(await open.logIn()?["errorCode"] == "-20103")
        open.shell.cancel()
        #expect(await first?["status"] == 500)
    }

    @Test("Back ends with -20302, the button for another account with -20303")
    func person() async {
        let lab = OneLoginLab()
        _ = await lab.prefetch()
        #expect(await lab.logIn(.cancels)?["errorCode"] == "-20302")
        #expect(await lab.logIn(.switchesAccount)?["errorCode"] == "-20303")
    }

    struct Failure: CustomTestStringConvertible {
        var number: String
        var code: String
        var situation: Situation
        var cocoa: Int?
        var testDescription: String { "\(situation) → \(code)" }
    }

    @Test(
        "A prefetch that fails answers the documented code, in the documented members",
        arguments: [
            Failure(number: "13800001001", code: "-20202", situation: .noNetwork, cocoa: -1009),
            Failure(number: "13800001002", code: "-20202", situation: .cellularDataOff, cocoa: -1009),
            Failure(number: "13800001003", code: "-20202", situation: .noSIM),
            Failure(number: "13800001004", code: "-50102", situation: .networkFailure, cocoa: -1005),
            Failure(number: "13800001005", code: "-50102", situation: .tlsFailure, cocoa: -1200),
            Failure(number: "13800001006", code: "-50100", situation: .malformedResponse, cocoa: -1017),
            Failure(number: "13800001014", code: "-20203", situation: .carrierUnsupported),
            Failure(number: "13800001020", code: "-50101", situation: .appUnknown),
            Failure(number: "13800001024", code: "-50101", situation: .bundleMismatch),
        ])
    func prefetchFailures(_ failure: Failure) async {
        let lab = OneLoginLab(failure.number)
        let result = await lab.prefetch()?.withoutDescription
        #expect(result?["status"] == 500 && result?["errorCode"] == .text(failure.code))
        #expect(
            result?["metaData"]
                == .fields(["situation": .text(failure.situation.rawValue), "code": failure.cocoa.map { .number($0) }]))
        #expect(
            Set(result?.values.keys.map { $0 } ?? [])
                == ["status", "processID", "appID", "operatorType", "errorCode", "msg", "metaData"])
        #expect(result?["appID"] == .text(OneLoginLab.appID))
    }

    @Test(
        "A login that fails after the tap answers the code of its carrier and step",
        arguments: [
            Failure(number: "13800002004", code: "-40199", situation: .networkFailure),
            Failure(number: "13000002004", code: "-40299", situation: .networkFailure),
            Failure(number: "13300002004", code: "-40399", situation: .networkFailure),
            Failure(number: "13800002013", code: "-40102", situation: .subscriberUnsupported),
            Failure(number: "13000002013", code: "-40202", situation: .subscriberUnsupported),
            Failure(number: "13300002013", code: "-40302", situation: .subscriberUnsupported),
            Failure(number: "13800002031", code: "-20204", situation: .scripExpired),
        ])
    func loginFailures(_ failure: Failure) async {
        let lab = OneLoginLab(failure.number)
        #expect(await lab.prefetch()?["status"] == 200)
        let result = await lab.logIn()
        #expect(result?["errorCode"] == .text(failure.code))
    }

    @Test("A time-out is in seconds, and ends both steps")
    func timeout() async {
        for (number, code) in [("13800001007", "-50102"), ("13800002007", "-40199")] {
            let lab = OneLoginLab(number)
            await lab.run { OneLogin.setRequestTimeout(3) }
            let silences = await lab.carrier.silences
            let time = Task { for await _ in silences { lab.clock.advance(by: .seconds(3)) } }
            var result = await lab.prefetch()
            if result?["status"] == 200 { result = await lab.logIn() }
            time.cancel()
            #expect(result?["errorCode"] == .text(code))
        }
    }

    @Test("Wrong arguments end in a code and never in a trap")
    func wrongArguments() async {
        #expect(await OneLoginLab(registers: false).prefetch()?["errorCode"] == "-20101")
        for id in ["", "short", "with a space in it", String(repeating: "0", count: 100)] {
            let lab = OneLoginLab(registers: false)
            await lab.run { OneLogin.register(withAppID: id) }
            #expect(await lab.prefetch()?["status"] == 500, "\(id)")
        }
        for timeout in [-1, .nan, .infinity] {
            let lab = OneLoginLab()
            await lab.run { OneLogin.setRequestTimeout(timeout) }
            #expect(await lab.prefetch()?["status"] == 500)
        }
        await OneLoginLab().run {
            OneLogin.preGetToken(completion: nil)
            OneLogin.setDelegate(nil)
            OneLogin.setOperatorParams(nil)
        }
    }

    @Test("The network is told at once, the carrier when a gateway has named it, and a foreign one is nil")
    func network() async {
        let lab = OneLoginLab()
        lab.carrier.hasWiFi = true
        await lab.run {
            #expect(OneLogin.currentNetworkInfo()?.networkType == .cellularAndWIFI)
            #expect(OneLogin.currentNetworkInfo()?.carrierName == nil)
        }
        _ = await lab.prefetch()
        await lab.run { #expect(OneLogin.currentNetworkInfo()?.carrierName == "CM") }
        let foreign = OneLoginLab("13800001014")
        _ = await foreign.prefetch()
        await foreign.run { #expect(OneLogin.currentNetworkInfo() == nil) }
    }

    @Test("What was prefetched is gone when the app gives it up")
    func forgetting() async {
        let lab = OneLoginLab()
        _ = await lab.prefetch()
        await lab.run { OneLogin.deletePreResultCache() }
        #expect(await lab.logIn()?["errorCode"] == "-20204")
    }
}
