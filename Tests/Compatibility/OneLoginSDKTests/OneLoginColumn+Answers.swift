import FacadeScenarios
import OneTapShell

extension OneLoginColumn {
    var answers: [Scenario.Name: Expected] { Self.table(OneLoginDictionaries()) }

    /// The answers that OneLogin and OneLoginPro have in common. Pro's column has the differences.
    static func table(_ sdk: OneLoginDictionaries) -> [Scenario.Name: Expected] {
        [
            .success: .answers([sdk.found(), sdk.token()], requests: 2),
            .verification: .cannotHappen(lacking: .tokenWithoutPage),
            .remembered: .answers([sdk.found(), sdk.found()], requests: 1),
            .slowButInTime: .answers([sdk.found("138****1107")], requests: 1),
            .otherCarrier: .answers(
                [sdk.found("189****0000", "CT"), sdk.token("189****0000", "CT", seconds: 600)], requests: 2),

            .personCancels: sdk.then(sdk.failed("-20302", "user_cancelled", "用户点击返回"), requests: 1),
            .switchAccount: sdk.then(sdk.failed("-20303", "switch_account", "用户切换账号"), requests: 1),
            .pageNotShown: sdk.then(sdk.failed("-40199", "page_failed", "授权页面无法展示"), requests: 1),
            .splitView: .cannotHappen(lacking: .wholeScreen),
            .pageDismissedByApp: sdk.then(sdk.failed("-20302", "user_cancelled", "用户点击返回"), requests: 1),

            .noNetwork: sdk.first("-20202", "no_network", "没有网络", cocoa: -1009),
            .wifiOnly: sdk.first("-20202", "cellular_data_off", "未开启蜂窝网络", cocoa: -1009),
            .noSIM: sdk.first("-20202", "no_sim", "没有 SIM 卡"),
            .networkLostBetweenPhases: sdk.then(
                sdk.failed("-20202", "no_network", "没有网络", cocoa: -1009), "138****2001", requests: 2),
            .serverDown: sdk.first("-50102", "connection_refused", "连不上服务器", cocoa: -1004),
            .tlsFailure: sdk.first("-50102", "tls_failure", cocoa: -1200),
            .malformedAnswer: sdk.first("-50100", "malformed_response", cocoa: -1017),
            .otherCarrierRedirect: sdk.first("-50100", "malformed_response", cocoa: -1017),

            .timeOutInPrefetch: sdk.first("-50102", "timed_out", "请求超时", cocoa: -1001),
            .timeOutInAuthorize: sdk.then(
                sdk.failed("-40199", "timed_out", "请求超时", cocoa: -1001), "138****2007", requests: 2),

            .unknownAddress: sdk.first("-20202", "address_unknown", traced: true),
            .unsupportedCarrier: sdk.first("-20203", "carrier_unsupported", "不支持的运营商", traced: true),
            .unsupportedCard: sdk.first("-50101", "subscriber_unsupported", traced: true),

            .appUnknown: sdk.first("-50101", "app_unknown", traced: true),
            .appNotAllowed: sdk.first("-50101", "app_not_allowed", traced: true),
            .bundleWrong: sdk.first("-50101", "bundle_mismatch", traced: true),
            .capabilityMissing: sdk.then(
                sdk.failed("-50101", "capability_missing"), "138****2023", requests: 2),
            .tooManyUnusedTokens: sdk.then(
                sdk.failed("-50101", "too_many_unused_tokens"), "138****2027", requests: 2),

            .enterWithoutPrefetch: sdk.unasked("-20204", "prefetch_missing", "请先成功预取号"),
            .prefetchExpired: sdk.then(sdk.failed("-20204", "prefetch_expired", "预取号已过期", traced: false), requests: 1),
            // The second request notifies the server that the prefetch was given up.
            .prefetchGivenUp: sdk.then(sdk.failed("-20204", "prefetch_missing", "请先成功预取号", traced: false), requests: 2),
            .scripRefused: sdk.then(
                sdk.failed("-20204", "scrip_invalid"), "138****2030", requests: 2),
            .simChanged: sdk.then(
                sdk.failed("-40102", "subscription_changed"), "138****2034", requests: 2),

            .serverOverloaded: sdk.first("-50100", "overloaded", traced: true),
            .storeUnavailable: sdk.then(
                sdk.failed("-50100", "store_unavailable"), "138****2040", requests: 2),

            .doublePrefetch: .answers([sdk.found("138****1107"), sdk.running("-20102", carrier: "")], requests: 1),
            .doubleEnter: .answers(
                [sdk.found("138****2107"), sdk.token("138****2107"), sdk.running("-20103", carrier: "CM")],
                requests: 2),
            .prefetchBehindPage: .answers(
                [sdk.found(), sdk.failed("-20302", "cancelled_by_app"), sdk.running("-20102", carrier: "CM")],
                requests: 1),
            .cancelledByApp: .cannotHappen(lacking: .cancelling),

            .unregistered: sdk.notConfigured(""),
            .appIDEmpty: sdk.notConfigured(""),
            .appIDMalformed: sdk.wrongArgument("app id"),
            .appKeyMissing: .cannotHappen(lacking: .appKey),
            .timeOutNegative: sdk.wrongArgument(),
            .serverMissing: sdk.notConfigured("300000000001"),
            .serverMalformed: sdk.wrongArgument(),
        ]
    }
}
