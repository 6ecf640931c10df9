import BenjiTesting
import FacadeScenarios
import Testing

@Suite struct TYRZSDKCodeTests {
    @Test("Whatever a carrier does ends in one of these codes of TYRZSDK's document, and each of them can be met")
    func carriers() async {
        let met = await TYRZSDKColumn().codesMet(at: "resultCode")
        #expect(
            met == [
                "103000": [.success], "105302": [.appNotAllowed], "200009": [.bundleMismatch],
                "200010": [
                    .addressUnknown, .addressStale, .addressAmbiguous, .subscriberUnsupported, .carrierUnsupported,
                    .scripInvalid, .scripExpired, .scripReused, .subscriptionMismatch, .subscriptionChanged,
                ],
                "200021": [.malformedResponse, .redirect], "200022": [.noNetwork], "200023": [.silence],
                "200025": [.assuranceTooLow, .tooManyUnusedTokens, .tooManyRequests],
                // Without the SIM between the two requests there is no interface to send over.
                "200027": [.cellularDataOff, .noSIM],
                "200028": [.networkFailure, .tlsFailure, .serverDown, .nameNotResolved],
                "200039": [.subscriberUnsupported],
                "200041": [.appUnknown, .appSuspended, .appKeyWrong, .capabilityMissing],
                "200042": [.consentInvalid], "200047": [.storeUnavailable, .overloaded, .internalError],
                "200048": [.noSIM],
            ])
    }
}
