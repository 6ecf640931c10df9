import FacadeScenarios
import OneTapShell

extension GeYanColumn {
    var answers: [Scenario.Name: Expected] { Self.table(GeYanDictionaries()) }

    /// The answers that GeYanSdk and GyOneLoginPro have in common. Pro's column has the differences.
    static func table(_ sdk: GeYanDictionaries) -> [Scenario.Name: Expected] {
        [
            .success: .answers([sdk.found(), sdk.token("138****0000")], requests: 2),
            .verification: .answers([sdk.found(), sdk.verification()], requests: 2),
            .remembered: .answers([sdk.found(), sdk.found()], requests: 1),
            .slowButInTime: .answers([sdk.found()], requests: 1),
            .otherCarrier: .answers([sdk.found("3"), sdk.token("189****0000", "3", seconds: 600)], requests: 2),

            .personCancels: sdk.then(sdk.failed(30003, "-20302", "user_cancelled", own: "200020"), requests: 1),
            .switchAccount: sdk.then(sdk.failed(30002, "-20303", "switch_account", own: "200060"), requests: 1),
            .pageNotShown: sdk.then(sdk.failed(30006, "-40199", "page_failed", own: "200061"), requests: 1),
            .splitView: sdk.then(sdk.failed(30006, "-40199", "split_view_unsupported"), requests: 1),
            .pageDismissedByApp: sdk.then(sdk.failed(30003, "-20302", "user_cancelled", own: "200020"), requests: 1),

            .noNetwork: sdk.first(30001, "-20202", "no_network"),
            .wifiOnly: sdk.first(30001, "-20202", "cellular_data_off"),
            .noSIM: sdk.first(30001, "-20202", "no_sim"),
            .networkLostBetweenPhases: sdk.then(sdk.failed(30001, "-20202", "no_network", own: "200022"), requests: 2),
            .serverDown: sdk.first(30005, "-50102", "connection_refused"),
            .tlsFailure: sdk.first(30005, "-50102", "tls_failure"),
            .malformedAnswer: sdk.first(30005, "-50100", "malformed_response"),
            .otherCarrierRedirect: sdk.first(30005, "-50100", "malformed_response"),

            .timeOutInPrefetch: sdk.first(30005, "-50102", "timed_out"),
            .timeOutInAuthorize: sdk.then(sdk.failed(30006, "-40199", "timed_out", own: "102507"), requests: 2),

            .unknownAddress: sdk.first(30001, "-20202", "address_unknown", traced: true),
            .unsupportedCarrier: sdk.first(30001, "-20203", "carrier_unsupported", traced: true),
            .unsupportedCard: sdk.first(30001, "-50101", "subscriber_unsupported", traced: true),

            .appUnknown: sdk.first(30005, "-50101", "app_unknown", traced: true),
            .appNotAllowed: sdk.first(30005, "-50101", "app_not_allowed", traced: true),
            .bundleWrong: sdk.first(30005, "-50101", "bundle_mismatch", traced: true),
            .capabilityMissing: sdk.then(sdk.failed(30006, "-50101", "capability_missing", own: "105302"), requests: 2),
            .tooManyUnusedTokens: sdk.then(
                sdk.failed(30006, "-50101", "too_many_unused_tokens", own: "103911"), requests: 2),

            .enterWithoutPrefetch: sdk.first(30005, "-20204", "prefetch_missing", requests: 0),
            .prefetchExpired: sdk.then(
                sdk.failed(30005, "-20204", "prefetch_expired", own: "103203", traced: false), requests: 1),
            // The second request notifies the server that the prefetch was given up.
            .prefetchGivenUp: sdk.then(
                sdk.failed(30005, "-20204", "prefetch_missing", own: "103203", traced: false), requests: 2),
            .scripRefused: sdk.then(sdk.failed(40047, "-20204", "scrip_invalid", own: "103902"), requests: 2),
            .simChanged: sdk.then(sdk.failed(40047, "-40102", "subscription_changed", own: "103902"), requests: 2),

            .serverOverloaded: sdk.first(30005, "-50100", "overloaded", traced: true),
            .storeUnavailable: sdk.then(sdk.failed(30006, "-50100", "store_unavailable", own: "102102"), requests: 2),

            .doublePrefetch: .answers([sdk.found(), sdk.running("-20102", carrier: "0")], requests: 1),
            .doubleEnter: .answers(
                [sdk.found(), sdk.token("138****2107"), sdk.running("-20103", carrier: "1")], requests: 2),
            .prefetchBehindPage: .answers(
                [sdk.found(), sdk.failed(30003, "-20302", "cancelled_by_app"), sdk.running("-20102", carrier: "1")],
                requests: 1),
            .cancelledByApp: .cannotHappen(lacking: .cancelling),

            .unregistered: sdk.notConfigured,
            .appIDEmpty: sdk.notConfigured,
            .appIDMalformed: sdk.wrongArgument,
            .appKeyMissing: .cannotHappen(lacking: .appKey),
            .timeOutNegative: sdk.wrongArgument,
            .serverMissing: sdk.notConfigured,
            .serverMalformed: sdk.wrongArgument,
        ]
    }
}
