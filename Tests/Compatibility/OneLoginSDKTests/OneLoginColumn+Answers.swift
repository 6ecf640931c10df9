import FacadeScenarios
import OneTapShell

extension OneLoginColumn {
    private static let successMessage: ResultValue = "获取accessCode成功"

    private func found(_ carrier: ResultValue = "CM") -> ResultFields {
        [
            "status": 200, "appID": "300000000001", "processID": "TRACE", "operatorType": carrier,
            "msg": Self.successMessage,
        ]
    }

    private func token(_ carrier: ResultValue = "CM") -> ResultFields {
        var fields = found(carrier)
        fields["token"] = "TOKEN"
        return fields
    }

    /// - Parameters:
    ///   - cocoa: Cocoa's code for it.
    ///   - carrier: the one that a gateway has named before.
    ///   - traced: whether a server has named the login.
    private func failed(
        _ code: ResultValue, _ situation: ResultValue, _ message: ResultValue = "操作失败", cocoa: ResultValue? = nil,
        carrier: ResultValue = "CM", traced: Bool = true, appID: ResultValue = "300000000001"
    ) -> ResultFields {
        [
            "status": 500, "appID": appID, "processID": traced ? "TRACE" : "", "operatorType": carrier,
            "errorCode": code, "msg": message,
            "metaData": .fields(["situation": situation, "description": "SENTENCE", "code": cocoa]),
        ]
    }

    /// The prefetch, with which an app begins, has failed.
    private func first(
        _ code: ResultValue, _ situation: ResultValue, _ message: ResultValue = "操作失败", cocoa: ResultValue? = nil,
        traced: Bool = false, appID: ResultValue = "300000000001"
    ) -> Expected {
        let fields = failed(code, situation, message, cocoa: cocoa, carrier: "", traced: traced, appID: appID)
        return .answers([fields], requests: 1)
    }

    /// What could not even be asked.
    private func unasked(
        _ code: ResultValue, _ situation: ResultValue, _ message: ResultValue, appID: ResultValue = "300000000001"
    ) -> Expected {
        .answers([failed(code, situation, message, carrier: "", traced: false, appID: appID)], requests: 0)
    }

    private func notConfigured(_ appID: ResultValue) -> Expected {
        unasked("-20101", "not_configured", "未配置 AppID", appID: appID)
    }

    private func wrongArgument(_ appID: ResultValue = "300000000001") -> Expected {
        unasked("-50101", "invalid_argument", "参数不正确", appID: appID)
    }

    private func running(_ code: ResultValue, carrier: ResultValue) -> ResultFields {
        failed(code, "already_running", "上一次调用尚未结束", carrier: carrier, traced: false)
    }

    /// A prefetch that went well, and the login that failed.
    private func then(_ failure: ResultFields, requests: Int) -> Expected {
        .answers([found(), failure], requests: requests)
    }

    var answers: [Scenario.Name: Expected] {
        [
            .success: .answers([found(), token()], requests: 2),
            .verification: .cannotHappen("it gives no token without a page"),
            .remembered: .answers([found(), found()], requests: 1),
            .slowButInTime: .answers([found()], requests: 1),
            .otherCarrier: .answers([found("CT"), token("CT")], requests: 2),

            .personCancels: then(failed("-20302", "user_cancelled", "用户点击返回"), requests: 1),
            .switchAccount: then(failed("-20303", "switch_account", "用户切换账号"), requests: 1),
            .pageNotShown: then(failed("-40199", "page_failed", "授权页面无法展示"), requests: 1),
            .pageDismissedByApp: then(failed("-20302", "user_cancelled", "用户点击返回"), requests: 1),

            .noNetwork: first("-20202", "no_network", "没有网络", cocoa: -1009),
            .wifiOnly: first("-20202", "cellular_data_off", "未开启蜂窝网络", cocoa: -1009),
            .noSIM: first("-20202", "no_sim", "没有 SIM 卡"),
            .networkLostBetweenPhases: then(failed("-20202", "no_network", "没有网络", cocoa: -1009), requests: 2),
            .serverDown: first("-50102", "network_failure", "网络请求失败", cocoa: -1005),
            .tlsFailure: first("-50102", "tls_failure", cocoa: -1200),
            .malformedAnswer: first("-50100", "malformed_response", cocoa: -1017),
            .otherCarrierRedirect: first("-50100", "malformed_response", cocoa: -1017),

            .timeOutInPrefetch: first("-50102", "timed_out", "请求超时", cocoa: -1001),
            .timeOutInAuthorize: then(failed("-40199", "timed_out", "请求超时", cocoa: -1001), requests: 2),

            .unknownAddress: first("-20202", "address_unknown", traced: true),
            .unsupportedCarrier: first("-20203", "carrier_unsupported", "不支持的运营商", traced: true),
            .unsupportedCard: first("-50101", "subscriber_unsupported", traced: true),

            .appUnknown: first("-50101", "app_unknown", traced: true),
            .appNotAllowed: first("-50101", "app_not_allowed", traced: true),
            .bundleWrong: first("-50101", "bundle_mismatch", traced: true),
            .capabilityMissing: then(failed("-50101", "capability_missing"), requests: 2),
            .tooManyUnusedTokens: then(failed("-50101", "too_many_unused_tokens"), requests: 2),

            .enterWithoutPrefetch: unasked("-20204", "prefetch_missing", "请先成功预取号"),
            .prefetchExpired: then(failed("-20204", "prefetch_expired", "预取号已过期", traced: false), requests: 1),
            // The second request tells the server that the prefetch was given up.
            .prefetchGivenUp: then(failed("-20204", "prefetch_missing", "请先成功预取号", traced: false), requests: 2),
            .scripRefused: then(failed("-20204", "scrip_invalid"), requests: 2),
            .simChanged: then(failed("-40102", "subscription_changed"), requests: 2),

            .serverOverloaded: first("-50100", "overloaded", traced: true),
            .storeUnavailable: then(failed("-50100", "store_unavailable"), requests: 2),

            .doublePrefetch: .answers([found(), running("-20102", carrier: "")], requests: 1),
            .doubleEnter: .answers([found(), token(), running("-20103", carrier: "CM")], requests: 2),
            .prefetchBehindPage: .answers(
                [found(), failed("-20302", "cancelled_by_app"), running("-20102", carrier: "CM")], requests: 1),
            .cancelledByApp: .cannotHappen("it has no call to cancel with"),

            .unregistered: notConfigured(""),
            .appIDEmpty: notConfigured(""),
            .appIDMalformed: wrongArgument("app id"),
            .appKeyMissing: .cannotHappen("it takes no app key"),
            .timeOutNegative: wrongArgument(),
            .serverMissing: notConfigured("300000000001"),
            .serverMalformed: wrongArgument(),
        ]
    }
}
