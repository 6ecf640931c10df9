import FacadeScenarios
import OneTapShell

extension TYRZLoginColumn {
    private var token: ResultFields {
        [
            "resultCode": "103000", "token": "TOKEN", "openId": "OPENID", "openid": "OPENID", "authType": "2",
            "authTypeDes": "网关鉴权", "traceId": "TRACE",
        ]
    }

    /// - Parameter traced: whether a server has named the login.
    private func failed(_ code: String, _ desc: String, traced: Bool = true) -> ResultFields {
        ["resultCode": .text(code), "desc": .text(desc), "traceId": traced ? "TRACE" : nil]
    }

    private func timedOut(traced: Bool) -> ResultFields {
        [
            "resultCode": "102507", "desc": "请求超时", "authType": "0", "authTypeDes": "其他",
            "traceId": traced ? "TRACE" : nil,
        ]
    }

    private func lost(traced: Bool) -> ResultFields { failed("102102", "网络请求失败", traced: traced) }

    private var notInitialized: ResultFields { failed("102302", "SDK 尚未初始化", traced: false) }
    private var wrongArgument: ResultFields { failed("102208", "参数不正确", traced: false) }

    var answers: [Scenario.Name: Expected] {
        let noPage = Expected.cannotHappen(lacking: .page)
        var overWiFi = token
        overWiFi["authType"] = "1"
        overWiFi["authTypeDes"] = "WIFI下网关鉴权"
        return [
            .success: .answers([token, token], requests: 3),
            .verification: .answers([overWiFi, overWiFi], requests: 3),
            .remembered: .answers([token, token], requests: 3),
            .slowButInTime: .answers([token], requests: 2),
            .otherCarrier: .answers([token, token], requests: 3),

            .personCancels: noPage,
            .switchAccount: noPage,
            .pageNotShown: noPage,
            .splitView: noPage,
            .pageDismissedByApp: noPage,

            .noNetwork: .answers([failed("102101", "没有网络", traced: false)], requests: 1),
            .wifiOnly: .answers([failed("102103", "移动数据未打开", traced: false)], requests: 1),
            .noSIM: .answers([failed("200002", "没有 SIM 卡", traced: false)], requests: 1),
            .networkLostBetweenPhases: .answers(
                [failed("102101", "没有网络"), failed("102101", "没有网络")], requests: 3),
            .serverDown: .answers([lost(traced: false)], requests: 1),
            .tlsFailure: .answers([lost(traced: false)], requests: 1),
            .malformedAnswer: .answers([lost(traced: false)], requests: 1),
            .otherCarrierRedirect: .answers([lost(traced: false)], requests: 1),

            .timeOutInPrefetch: .answers([timedOut(traced: false)], requests: 1),
            // The scrip may be spent, so that the second call asks for the number again.
            .timeOutInAuthorize: .answers([timedOut(traced: true), timedOut(traced: true)], requests: 4),

            .unknownAddress: .answers([failed("102109", "网络无法识别本机号码")], requests: 1),
            .unsupportedCarrier: .answers([failed("102109", "网络无法识别本机号码")], requests: 1),
            .unsupportedCard: .answers([failed("102109", "网络无法识别本机号码")], requests: 1),

            .appUnknown: .answers([lost(traced: true)], requests: 1),
            .appNotAllowed: .answers([lost(traced: true)], requests: 1),
            .bundleWrong: .answers([failed("200009", "Bundle ID 与登记的不一致")], requests: 1),
            .capabilityMissing: .answers([lost(traced: true), lost(traced: true)], requests: 3),
            .tooManyUnusedTokens: .answers([lost(traced: true), lost(traced: true)], requests: 3),

            .enterWithoutPrefetch: .answers([token], requests: 2),
            .prefetchExpired: .answers([token, token], requests: 4),
            .prefetchGivenUp: .answers([token, token], requests: 3),
            // A refused scrip is replaced once in each call, without a word to the app.
            .scripRefused: .answers([lost(traced: true), lost(traced: true)], requests: 8),
            .simChanged: .answers([lost(traced: true), lost(traced: true)], requests: 4),

            .serverOverloaded: .answers([lost(traced: true)], requests: 1),
            .storeUnavailable: .answers([lost(traced: true), lost(traced: true)], requests: 4),

            .doublePrefetch: .answers([token, lost(traced: false)], requests: 2),
            .doubleEnter: .answers([token, token, lost(traced: false)], requests: 3),
            .prefetchBehindPage: noPage,
            .cancelledByApp: .answers([failed("102301", "登录已取消", traced: false)], requests: 1),

            .unregistered: .answers([notInitialized], requests: 0),
            .appIDEmpty: .answers([notInitialized], requests: 0),
            .appIDMalformed: .answers([wrongArgument], requests: 0),
            .appKeyMissing: .answers([notInitialized], requests: 0),
            .timeOutNegative: .cannotHappen(lacking: .timeout),
            .serverMissing: .answers([notInitialized], requests: 0),
            .serverMalformed: .answers([wrongArgument], requests: 0),
        ]
    }
}
