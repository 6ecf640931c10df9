import BenjiTesting
import FacadeScenarios
import OneTapShell
import OneTapTesting
import TYRZLogin
import Testing

@Suite struct TYRZLoginCodeTests {
    @Test("Whatever a carrier does ends in one of these codes of TYRZLogin's document, and each of them can be met")
    func carriers() async {
        let met = await TYRZLoginColumn().codesMet(at: "resultCode")
        #expect(
            met == [
                "102101": [.noNetwork],
                "102102": [
                    .networkFailure, .tlsFailure, .malformedResponse, .redirect, .serverDown, .nameNotResolved,
                    .appUnknown,
                    .appSuspended,
                    .appNotAllowed, .capabilityMissing, .appKeyWrong, .assuranceTooLow, .tooManyUnusedTokens,
                    .tooManyRequests, .scripInvalid, .scripExpired, .scripReused, .subscriptionMismatch,
                    .subscriptionChanged, .consentInvalid, .storeUnavailable, .overloaded, .internalError,
                ],
                // Without the SIM between the two requests there is no interface to send over.
                "102103": [.cellularDataOff, .noSIM],
                "102109": [
                    .addressUnknown, .addressStale, .addressAmbiguous, .subscriberUnsupported, .carrierUnsupported,
                ],
                "102507": [.silence], "103000": [.success], "200002": [.noSIM], "200009": [.bundleMismatch],
            ])
    }

    @Test(
        "A call that names everything but the app id, the key or the capabilities ends in 102203",
        arguments: [[nil, "key", "200"], ["300000000001", "", "200"], ["300000000001", "key", nil]] as [[String?]])
    func incomplete(given: [String?]) async {
        let carrier = ScriptedCarrier(clock: ManualClock())
        let shell = OneTapShell(.tyrzLogin, surroundings: carrier.surroundings(page: nil))
        let code = await OneTapShell.$scoped.withValue(shell) {
            await withCheckedContinuation { continuation in
                TYRZLogin.loginImplicitly(
                    withAppId: given[0], appkey: given[1], capaId: given[2], capaIdTime: nil, scene: nil
                ) { continuation.resume(returning: ($0 as? [AnyHashable: Any])?["resultCode"] as? String) }
            }
        }
        #expect(code == "102203")
        #expect(await carrier.requests.isEmpty)
    }
}
