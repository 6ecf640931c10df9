import BenjiTesting
import FacadeScenarios
import OneTapShell
import Testing
import Waiting

@testable import TYRZSDK

@Suite struct TYRZSDKCallTests {
    /// Runs `body` in an app that has registered.
    private func alone(_ carrier: ScriptedCarrier, _ body: () async -> Void) async {
        await carrier.alone(with: .tyrzSDK) {
            TYRZSDK.registerAppId("300000000001", appKey: "key")
            await body()
        }
    }

    private func number(within milliseconds: Double = 8000) async -> ResultFields? {
        await withCheckedContinuation { continuation in
            TYRZSDK.getPhoneNumber(withTimeout: milliseconds) { continuation.resume(returning: ResultFields($0)) }
        }
    }

    @Test(
        "The networks are numbered 0 to 3",
        arguments: [
            ("13800001001", false, 0), ("13800000000", false, 1), ("13800001002", false, 2), ("13800000000", true, 3),
        ])
    func networks(number: String, hasWiFi: Bool, expected: Int) async {
        await alone(ScriptedCarrier(number: number, hasWiFi: hasWiFi, clock: ManualClock())) {
            #expect(ResultFields(TYRZSDK.getNetworkType()) == ["networkType": .number(expected), "carrier": 0])
        }
    }

    @Test(
        "The carriers are numbered as the document has it: mobile, unicom, telecom",
        arguments: [("13800000000", 1), ("18600000000", 2), ("18900000000", 3)])
    func carriers(digits: String, expected: Int) async {
        await alone(ScriptedCarrier(number: digits, clock: ManualClock())) {
            #expect(ResultFields(TYRZSDK.getNetworkType())?["carrier"] == 0, "no gateway has said anything yet")
            _ = await number()
            #expect(ResultFields(TYRZSDK.getNetworkType())?["carrier"] == .number(expected))
        }
    }

    @Test("The time-out is in milliseconds, and nothing means eight seconds", arguments: [(1500, 1500), (0, 8000)])
    func timeOut(given: Double, milliseconds: Int) async {
        let clock = ManualClock()
        let carrier = ScriptedCarrier(number: "13800001007", clock: clock)
        await alone(carrier) {
            var sleeps = clock.sleeps.makeAsyncIterator()
            async let answer = number(within: given)
            // The silent carrier and the call's own limit, in either order.
            let sleepers = [await sleeps.next(), await sleeps.next()]
            #expect(sleepers.contains(.milliseconds(milliseconds)), "\(sleepers)")
            clock.advance(by: .milliseconds(milliseconds - 1))
            #expect(await carrier.requests.count == 1)
            clock.advance(by: .milliseconds(1))
            #expect(await answer?["resultCode"] == "200023")
            #expect(clock.now.offset == .milliseconds(milliseconds))
        }
    }

    @Test("A time-out that is no number ends in 200026", arguments: [-1, .nan, .infinity] as [Double])
    func wrongTimeOut(given: Double) async {
        await alone(ScriptedCarrier(clock: ManualClock())) {
            #expect(await number(within: given)?["resultCode"] == "200026")
        }
    }

    @Test("Both spellings give the scrip up, and neither while a call may still need it")
    func givingUp() async {
        let carrier = ScriptedCarrier(clock: ManualClock())
        await alone(carrier) {
            #expect(TYRZSDK.delectScrip())
            #expect(await number()?["resultCode"] == "103000")
            #expect(TYRZSDK.deleteScrip())
            #expect(await number()?["resultCode"] == "103000")
            #expect(await carrier.requests.count == 3)
            carrier.set(.authorize, .init(.silence))
            async let answer = withCheckedContinuation { continuation in
                TYRZSDK.authorize(on: FakePresenter()) { continuation.resume(returning: ResultFields($0)) }
            }
            await eventually("the request for a token is sent") { await carrier.requests.count >= 4 }
            #expect(!TYRZSDK.delectScrip())
            TYRZSDK.shell.cancel()
            #expect(await answer?["resultCode"] == "200020")
        }
    }
}
