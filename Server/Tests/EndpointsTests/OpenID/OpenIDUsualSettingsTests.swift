import Testing

@testable import OpenIDProvider

/// The constants without a setting, which docs/openid.md names.
struct OpenIDUsualSettingsTests {
    @Test("each credential of the provider lives as long as the documents say")
    func lives() {
        #expect(OpenIDLifetime.pushedRequest == 60 && OpenIDLifetime.page == 300 && OpenIDLifetime.smsPage == 1800)
        #expect(OpenIDLifetime.code == 60 && OpenIDLifetime.accessToken == 300 && OpenIDLifetime.idToken == 300)
        #expect(RememberedConsentStrings.days == 30 && OpenIDLifetime.remembered == 2_592_000)
        #expect(DPoPProof.maximumAge == .seconds(60) && DPoPProof.nonceLife == .seconds(300))
        #expect(SignedClaims.leeway == .seconds(10) && SignedClaims.maximumLife == .seconds(300))
        #expect(SignedClaims.maximumAssertionLife == .seconds(3600) && IDTokenKeys.afterlife == .seconds(3600))
        #expect(LastCodes.pause == .seconds(60))
    }

    @Test("people are asked, and clients told, as often as the documents say")
    func limits() {
        #expect(BackchannelLimits.perAppAndNumber == 3 && BackchannelLimits.perNumber == 10)
        #expect(BackchannelLimits.window == .seconds(600) && BackchannelLimits.messagesPerDay == 10)
        #expect(BackchannelRequest.usualLifetime == 300 && BackchannelRequest.lifetimes == 30...600)
        #expect(BackchannelRequest.longestMessage == 60 && PollingPace.interval == 5)
        #expect(SIMSwap.unknownNumbers == 600 && LoginEndpoint.rememberedPerDay == 10)
        #expect(PageMedia.maximumSize == 524_288 && PageMedia.maximumCount == 16)
        #expect(ClientKeySet.maximumSize == 16_384 && ClientKeySet.maximumCount == 16)
        #expect(OpenIDParameters.maximumLength == 16_384)
    }
}
