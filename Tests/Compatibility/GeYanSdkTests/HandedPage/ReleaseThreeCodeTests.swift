import BenjiClient
import BenjiProtocol
import BenjiTesting
import FacadeScenarios
import OneTapShell
import Testing

@testable import GeYanSdk

/// The codes as release 3.0 numbers them, which the call with the app's own views answers.
@Suite struct ReleaseThreeCodeTests {
    private typealias Ending = MagicNumber.Ending
    private typealias Met = [String: Set<Ending>]

    private func logIn(_ lab: GeYanLab, on page: FakePresenter = FakePresenter()) async -> ResultFields? {
        await lab.heard { GeYanSdk.logIn(on: page, lab.shell, as: .three, $0) }
    }

    @Test("Every way in which a carrier can end the request for a token has its code")
    func token() async {
        var met: Met = [:]
        for ending in Ending.allCases {
            let lab = GeYanLab()
            let silences = await lab.carrier.silences
            let time = Task { [clock = lab.clock] in
                for await silence in silences { clock.advance(by: silence ?? Facade.geYan.timeout) }
            }
            defer { time.cancel() }
            _ = await lab.prefetch()
            lab.carrier.set(.authorize, MagicNumber.Step(ending))
            let result = await logIn(lab)
            #expect(result?["code"] == .number(ending == .success ? 30000 : 30006))
            if case .text(let code)? = result?["errorCode"] { met[code, default: []].insert(ending) }
        }
        let expected: Met = [
            "0": [.success], "-10003": [.silence],
            "-10009": [.networkFailure, .tlsFailure, .serverDown, .nameNotResolved],
            "-10010": [.tooManyRequests, .tooManyUnusedTokens], "-20102": [.appUnknown, .appKeyWrong, .bundleMismatch],
            "-20104": [.scripInvalid, .scripExpired, .scripReused, .subscriptionMismatch], "-20200": [.noNetwork],
            // With a prefetch the SIM was there: mobile data has gone since.
            "-20202": [.cellularDataOff, .noSIM], "-20203": [.carrierUnsupported],
            "-20305": [.consentInvalid],
            "-30001": [
                .malformedResponse, .redirect, .appSuspended, .appNotAllowed, .capabilityMissing, .assuranceTooLow,
                .storeUnavailable, .overloaded, .internalError,
            ],
            "-40001": [
                .addressUnknown, .addressStale, .addressAmbiguous, .subscriberUnsupported, .subscriptionChanged,
            ],
        ]
        #expect(met == expected)
    }

    @Test("The person's own choices have codes of their own")
    func person() async {
        let lab = GeYanLab()
        _ = await lab.prefetch()
        #expect(await logIn(lab, on: FakePresenter(.cancels))?["errorCode"] == "-20301")
        #expect(await logIn(lab, on: FakePresenter(.switchesAccount))?["errorCode"] == "-20303")
        #expect(await logIn(lab, on: FakePresenter(.seesNoPage))?["errorCode"] == "-20304")
        let untick = FakePresenter(.does { _ in .notAgreed("no tick") })
        #expect(await logIn(lab, on: untick)?["errorCode"] == "-20305")
    }

    @Test("A call that cannot be made says why", arguments: [("-10000", true), ("-20104", false)])
    func unasked(_ code: String, _ isFirst: Bool) async {
        #expect(await logIn(GeYanLab(registers: !isFirst))?["errorCode"] == .text(code))
    }

    @Test("A second login while one is open is refused with -10006")
    func reentry() async {
        let lab = GeYanLab()
        _ = await lab.prefetch()
        let page = FakePresenter(.waits)
        async let first = logIn(lab, on: page)
        await page.shown()
        #expect(await logIn(lab)?["errorCode"] == "-10006")
        await page.close()
        #expect(await first?["errorCode"] == "-20301")
    }

    @Test(
        "What a scripted carrier never answers is spelled by the same lists",
        arguments: [
            (Situation.invalidArgument, "-20100"), (.appIDMissing, "-20101"), (.quotaExceeded, "-10011"),
            (.controllerMissing, "-20100"), (.noSIM, "-20201"),
        ])
    func spelled(_ situation: Situation, _ code: String) {
        let result = CallResult(
            facade: .geYan, call: .login, value: .failed(BenjiError(situation, "why")), facts: Facts())
        let fields = GeYanResults.spell(result, .three)
        #expect(fields["code"] == 30006 && fields["errorCode"] == .text(code))
    }

    @Test(
        "The code says at which step it failed",
        arguments: [
            (Call.Kind.login, Situation.success, "30000"), (.forget, .timedOut, "30004"),
            (.prefetch, .timedOut, "30005"), (.login, .timedOut, "30006"), (.verification, .timedOut, "30007"),
        ])
    func steps(_ kind: Call.Kind, _ situation: Situation, _ code: String) {
        #expect(GeYanResults.Release.three.codes.code(for: situation, step: kind.step)?.code == code)
        guard situation != .success else { return }
        let result = CallResult(
            facade: .geYan, call: kind, value: .failed(BenjiError(situation, "why")), facts: Facts())
        #expect(GeYanResults.spell(result, .three)["code"] == Int(code).map { .number($0) })
    }

    @Test("A token without a page only verifies a number, and a failure has the code of that step")
    func withoutPage() async {
        let lab = GeYanLab(facade: .geYanPro)
        let token = await lab.heard { GyOneLoginPro.requestToken(completion: $0) }
        #expect(token?["code"] == 30000 && token?["token"] != nil)
        let refused = GeYanLab("13800002020", facade: .geYanPro)
        let failure = await refused.heard { GyOneLoginPro.requestToken(completion: $0) }
        #expect(failure?["code"] == 30007 && failure?["errorCode"] == "-20102")
        let nobody = await GeYanLab(facade: .geYanPro, registers: false).heard {
            GyOneLoginPro.requestToken(completion: $0)
        }
        #expect(nobody?["errorCode"] == "-10000")
    }
}
