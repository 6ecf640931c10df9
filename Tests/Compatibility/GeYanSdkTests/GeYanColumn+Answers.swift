import FacadeScenarios
import OneTapShell

extension GeYanColumn {
    /// - Parameter carrier: `GyOperatorType`, as a text.
    private func found(_ carrier: ResultValue = "1") -> ResultFields {
        ["code": 30000, "processID": "TRACE", "operatorType": carrier, "msg": "获取accessCode成功"]
    }

    private func token(_ masked: ResultValue, _ carrier: ResultValue = "1", seconds: ResultValue = 120) -> ResultFields
    {
        var fields = found(carrier)
        fields["token"] = "TOKEN"
        fields["expiredTime"] = seconds
        fields["pn"] = masked
        return fields
    }

    private static let messages: [ResultValue: ResultValue] = [
        30001: "当前环境不适合免密登录", 30002: "用户点击了其他登录方式", 30003: "用户关闭验证界面", 30004: "其他错误",
        30005: "预登录失败", 30006: "一键认证失败", 40047: "一键认证取号失败",
    ]

    /// - Parameters:
    ///   - own: the carrier's own code, where its list in the document has one.
    ///   - carrier: the one that a gateway has named before.
    ///   - traced: whether a server has named the login.
    private func failed(
        _ code: ResultValue, _ errorCode: ResultValue, _ situation: ResultValue, own: ResultValue? = nil,
        carrier: ResultValue = "1", traced: Bool = true
    ) -> ResultFields {
        [
            "code": code, "errorCode": errorCode, "processID": traced ? "TRACE" : "", "operatorType": carrier,
            "msg": Self.messages[code],
            "metadata": .fields(["situation": situation, "description": "SENTENCE", "resultCode": own]),
        ]
    }

    /// The prefetch, with which an app begins, has failed.
    private func first(
        _ code: ResultValue, _ errorCode: ResultValue, _ situation: ResultValue, traced: Bool = false,
        requests: Int = 1
    ) -> Expected {
        .answers([failed(code, errorCode, situation, carrier: "0", traced: traced)], requests: requests)
    }

    private var notConfigured: Expected { first(30004, "-20101", "not_configured", requests: 0) }
    private var wrongArgument: Expected { first(30004, "-50101", "invalid_argument", requests: 0) }

    private func running(_ errorCode: ResultValue, carrier: ResultValue) -> ResultFields {
        failed(30004, errorCode, "already_running", carrier: carrier, traced: false)
    }

    /// A prefetch that went well, and the login that failed.
    private func then(_ failure: ResultFields, requests: Int) -> Expected {
        .answers([found(), failure], requests: requests)
    }

    var answers: [Scenario.Name: Expected] {
        [
            .success: .answers([found(), token("138****0000")], requests: 2),
            .verification: .answers([found(), token("138****0000")], requests: 2),
            .remembered: .answers([found(), found()], requests: 1),
            .slowButInTime: .answers([found()], requests: 1),
            .otherCarrier: .answers([found("3"), token("189****0000", "3", seconds: 600)], requests: 2),

            .personCancels: then(failed(30003, "-20302", "user_cancelled", own: "200020"), requests: 1),
            .switchAccount: then(failed(30002, "-20303", "switch_account", own: "200060"), requests: 1),
            .pageNotShown: then(failed(30006, "-40199", "page_failed", own: "200061"), requests: 1),
            .pageDismissedByApp: then(failed(30003, "-20302", "user_cancelled", own: "200020"), requests: 1),

            .noNetwork: first(30001, "-20202", "no_network"),
            .wifiOnly: first(30001, "-20202", "cellular_data_off"),
            .noSIM: first(30001, "-20202", "no_sim"),
            .networkLostBetweenPhases: then(failed(30001, "-20202", "no_network", own: "200022"), requests: 2),
            .serverDown: first(30005, "-50102", "network_failure"),
            .tlsFailure: first(30005, "-50102", "tls_failure"),
            .malformedAnswer: first(30005, "-50100", "malformed_response"),
            .otherCarrierRedirect: first(30005, "-50100", "malformed_response"),

            .timeOutInPrefetch: first(30005, "-50102", "timed_out"),
            .timeOutInAuthorize: then(failed(30006, "-40199", "timed_out", own: "102507"), requests: 2),

            .unknownAddress: first(30001, "-20202", "address_unknown", traced: true),
            .unsupportedCarrier: first(30001, "-20203", "carrier_unsupported", traced: true),
            .unsupportedCard: first(30001, "-50101", "subscriber_unsupported", traced: true),

            .appUnknown: first(30005, "-50101", "app_unknown", traced: true),
            .appNotAllowed: first(30005, "-50101", "app_not_allowed", traced: true),
            .bundleWrong: first(30005, "-50101", "bundle_mismatch", traced: true),
            .capabilityMissing: then(failed(30006, "-50101", "capability_missing", own: "105302"), requests: 2),
            .tooManyUnusedTokens: then(failed(30006, "-50101", "too_many_unused_tokens", own: "103911"), requests: 2),

            .enterWithoutPrefetch: first(30005, "-20204", "prefetch_missing", requests: 0),
            .prefetchExpired: then(
                failed(30005, "-20204", "prefetch_expired", own: "103203", traced: false), requests: 1),
            // The second request tells the server that the prefetch was given up.
            .prefetchGivenUp: then(
                failed(30005, "-20204", "prefetch_missing", own: "103203", traced: false), requests: 2),
            .scripRefused: then(failed(40047, "-20204", "scrip_invalid", own: "103902"), requests: 2),
            .simChanged: then(failed(40047, "-40102", "subscription_changed", own: "103902"), requests: 2),

            .serverOverloaded: first(30005, "-50100", "overloaded", traced: true),
            .storeUnavailable: then(failed(30006, "-50100", "store_unavailable", own: "102102"), requests: 2),

            .doublePrefetch: .answers([found(), running("-20102", carrier: "0")], requests: 1),
            .doubleEnter: .answers(
                [found(), token("138****2107"), running("-20103", carrier: "1")], requests: 2),
            .prefetchBehindPage: .answers(
                [found(), failed(30003, "-20302", "cancelled_by_app"), running("-20102", carrier: "1")], requests: 1),
            .cancelledByApp: .cannotHappen("it has no call to cancel with"),

            .unregistered: notConfigured,
            .appIDEmpty: notConfigured,
            .appIDMalformed: wrongArgument,
            .appKeyMissing: .cannotHappen("it takes no app key"),
            .timeOutNegative: wrongArgument,
            .serverMissing: notConfigured,
            .serverMalformed: wrongArgument,
        ]
    }
}
