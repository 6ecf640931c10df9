package import BenjiTesting

/// A story that is told to every facade.
///
/// Each facade's answers are in its column (``FacadeColumn/answers``).
package struct Scenario: Sendable {
    package enum Name: String, Sendable, CaseIterable {
        case success, verification, remembered, slowButInTime, otherCarrier
        case personCancels, switchAccount, pageNotShown, splitView, pageDismissedByApp
        case noNetwork, wifiOnly, noSIM, networkLostBetweenPhases, serverDown, tlsFailure, malformedAnswer
        case otherCarrierRedirect
        case timeOutInPrefetch, timeOutInAuthorize
        case unknownAddress, unsupportedCarrier, unsupportedCard
        case appUnknown, appNotAllowed, bundleWrong, capabilityMissing, tooManyUnusedTokens
        case enterWithoutPrefetch, prefetchExpired, prefetchGivenUp, scripRefused, simChanged
        case serverOverloaded, storeUnavailable
        case doublePrefetch, doubleEnter, prefetchBehindPage, cancelledByApp
        case unregistered, appIDEmpty, appIDMalformed, appKeyMissing, timeOutNegative, serverMissing, serverMalformed
    }

    package enum Act: Sendable {
        /// Asks for the number. An SDK that has no such call makes its only one.
        case prefetch
        /// The same with a time-out in seconds, which the SDK may count in another unit.
        case prefetchWithin(seconds: Double)
        /// The SDK's own way to a token, with a page if it has one.
        case enter
        /// A token without a page.
        case verify
        /// Time goes by.
        case pass(Duration)
        /// The app discards the prefetched number.
        case forget
        /// The same call twice, the second before the first has been answered.
        indirect case twice(Act)
        /// Starts the first act; once its page is open the second; ends the first by cancelling.
        indirect case behindPage(Act, Act)
        /// The app takes the page down that the act has opened.
        indirect case dismissed(Act)
        /// The app cancels the act when its request has been sent.
        indirect case cancelled(Act)
    }

    package var name: Name
    /// A magic number: how the carrier plays its part.
    package var number = "13800000000"
    package var hasWiFi = false
    package var person = FakePresenter.Person.consents
    package var appID: String? = "300000000001"
    package var appKey: String? = "an app key"
    package var registers = true
    package var server: String? = "https://gateway.example"
    package var acts: [Act] = [.prefetch]
}
