import BenjiClient
import BenjiTesting

extension Scenario {
    /// Every scenario, once. A row here is a row in every column.
    package static let all: [Scenario] = [
        Scenario(name: .success, acts: [.prefetch, .enter]),
        Scenario(name: .verification, hasWiFi: true, acts: [.prefetch, .verify]),
        Scenario(name: .remembered, acts: [.prefetch, .prefetch]),
        Scenario(name: .slowButInTime, number: "13800001107"),
        Scenario(name: .otherCarrier, number: "18900000000", acts: [.prefetch, .enter]),

        Scenario(name: .personCancels, person: .cancels, acts: [.prefetch, .enter]),
        Scenario(name: .switchAccount, person: .switchesAccount, acts: [.prefetch, .enter]),
        Scenario(name: .pageNotShown, person: .seesNoPage, acts: [.prefetch, .enter]),
        Scenario(name: .splitView, person: .does { _ in .sharesScreen }, acts: [.prefetch, .enter]),
        Scenario(name: .pageDismissedByApp, person: .waits, acts: [.prefetch, .dismissed(.enter)]),

        Scenario(name: .noNetwork, number: "13800001001"),
        Scenario(name: .wifiOnly, number: "13800001002"),
        Scenario(name: .noSIM, number: "13800001003", hasWiFi: true),
        Scenario(name: .networkLostBetweenPhases, number: "13800002001", acts: [.prefetch, .enter]),
        Scenario(name: .serverDown, number: "13800001009"),
        Scenario(name: .tlsFailure, number: "13800001005"),
        Scenario(name: .malformedAnswer, number: "13800001006"),
        Scenario(name: .otherCarrierRedirect, number: "18900001008"),

        Scenario(name: .timeOutInPrefetch, number: "13800001007"),
        Scenario(name: .timeOutInAuthorize, number: "13800002007", acts: [.prefetch, .enter]),

        Scenario(name: .unknownAddress, number: "13800001010"),
        Scenario(name: .unsupportedCarrier, number: "13800001014"),
        Scenario(name: .unsupportedCard, number: "13800001013"),

        Scenario(name: .appUnknown, number: "13800001020"),
        Scenario(name: .appNotAllowed, number: "13800001022"),
        Scenario(name: .bundleWrong, number: "13800001024"),
        Scenario(name: .capabilityMissing, number: "13800002023", acts: [.prefetch, .enter]),
        Scenario(name: .tooManyUnusedTokens, number: "13800002027", acts: [.prefetch, .enter]),

        Scenario(name: .enterWithoutPrefetch, acts: [.enter]),
        // Longer than the longest scrip of any carrier and dialect lives.
        Scenario(name: .prefetchExpired, acts: [.prefetch, .pass(.seconds(3601)), .enter]),
        Scenario(name: .prefetchGivenUp, acts: [.prefetch, .forget, .enter]),
        Scenario(name: .scripRefused, number: "13800002030", acts: [.prefetch, .enter]),
        Scenario(name: .simChanged, number: "13800002034", acts: [.prefetch, .enter]),

        Scenario(name: .serverOverloaded, number: "13800001041"),
        Scenario(name: .storeUnavailable, number: "13800002040", acts: [.prefetch, .enter]),

        // Slow answers, so that the second call is made before the first has ended.
        Scenario(name: .doublePrefetch, number: "13800001107", acts: [.twice(.prefetch)]),
        Scenario(name: .doubleEnter, number: "13800002107", acts: [.prefetch, .twice(.enter)]),
        Scenario(name: .prefetchBehindPage, person: .waits, acts: [.prefetch, .behindPage(.enter, .prefetch)]),
        Scenario(name: .cancelledByApp, number: "13800001007", acts: [.cancelled(.prefetch)]),

        Scenario(name: .unregistered, registers: false),
        Scenario(name: .appIDEmpty, appID: ""),
        Scenario(name: .appIDMalformed, appID: "app id"),
        Scenario(name: .appKeyMissing, appKey: nil),
        Scenario(name: .timeOutNegative, acts: [.prefetchWithin(seconds: -1)]),
        Scenario(name: .serverMissing, server: nil),
        Scenario(name: .serverMalformed, server: "http://gateway.example"),
    ]
}
