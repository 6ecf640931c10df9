import FacadeScenarios
import OneTapShell

extension TYRZSDKColumn {
    /// The result of a prefetch, for a number that shows as `masked`.
    private func found(_ masked: String = "138XXXX0000") -> ResultFields {
        ["resultCode": "103000", "desc": "success", "securityphone": .text(masked), "traceId": "TRACE"]
    }

    /// - Parameter traced: whether a server has named the login.
    private func failed(_ code: String, _ desc: String, traced: Bool = true) -> ResultFields {
        ["resultCode": .text(code), "desc": .text(desc), "traceId": traced ? "TRACE" : nil]
    }

    private var token: ResultFields {
        ["resultCode": "103000", "desc": "", "token": "TOKEN", "openId": "OPENID", "traceId": "TRACE"]
    }

    private var running: ResultFields { failed("200025", "未知错误", traced: false) }
    private var wrongArgument: ResultFields { failed("200026", "参数不正确", traced: false) }
    private var notInitialized: ResultFields { failed("200030", "SDK 尚未初始化", traced: false) }

    var answers: [Scenario.Name: Expected] {
        [
            .success: .answers([found(), token], requests: 2),
            .verification: .answers(
                [found(), ["resultCode": "103000", "desc": "", "token": "TOKEN", "traceId": "TRACE"]], requests: 2),
            .remembered: .answers([found(), found()], requests: 1),
            .slowButInTime: .answers([found("138XXXX1107")], requests: 1),
            .otherCarrier: .answers([found("189XXXX0000"), token], requests: 2),

            .personCancels: .answers([found(), failed("200020", "用户取消了登录")], requests: 1),
            .switchAccount: .answers([found(), failed("200020", "用户取消了登录")], requests: 1),
            .pageNotShown: .answers([found(), failed("200042", "授权页异常")], requests: 1),
            .splitView: .cannotHappen(lacking: .wholeScreen),
            .pageDismissedByApp: .cannotHappen(lacking: .pageOfTheSDK),

            .noNetwork: .answers([failed("200022", "没有网络", traced: false)], requests: 1),
            .wifiOnly: .answers([failed("200027", "移动数据未打开", traced: false)], requests: 1),
            .noSIM: .answers([failed("200048", "没有 SIM 卡", traced: false)], requests: 1),
            .networkLostBetweenPhases: .answers([found("138XXXX2001"), failed("200022", "没有网络")], requests: 2),
            .serverDown: .answers([failed("200028", "网络请求失败", traced: false)], requests: 1),
            .tlsFailure: .answers([failed("200028", "网络请求失败", traced: false)], requests: 1),
            .malformedAnswer: .answers([failed("200021", "无法解析服务器的应答", traced: false)], requests: 1),
            .otherCarrierRedirect: .answers([failed("200021", "无法解析服务器的应答", traced: false)], requests: 1),

            .timeOutInPrefetch: .answers([failed("200023", "请求超时", traced: false)], requests: 1),
            .timeOutInAuthorize: .answers([found("138XXXX2007"), failed("200023", "请求超时")], requests: 2),

            .unknownAddress: .answers([failed("200010", "当前网络无法识别本机号码")], requests: 1),
            .unsupportedCarrier: .answers([failed("200010", "当前网络无法识别本机号码")], requests: 1),
            .unsupportedCard: .answers([failed("200010", "当前网络无法识别本机号码")], requests: 1),

            .appUnknown: .answers([failed("200041", "应用未获授权")], requests: 1),
            .appNotAllowed: .answers([failed("105302", "应用不在白名单")], requests: 1),
            .bundleWrong: .answers([failed("200009", "Bundle ID 与登记的不一致")], requests: 1),
            .capabilityMissing: .answers([found("138XXXX2023"), failed("200041", "应用未获授权")], requests: 2),
            .tooManyUnusedTokens: .answers([found("138XXXX2027"), failed("200025", "未知错误")], requests: 2),

            .enterWithoutPrefetch: .answers([wrongArgument], requests: 0),
            .prefetchExpired: .answers([found(), wrongArgument], requests: 1),
            .prefetchGivenUp: .answers([found(), wrongArgument], requests: 2),
            .scripRefused: .answers([found("138XXXX2030"), failed("200010", "当前网络无法识别本机号码")], requests: 2),
            .simChanged: .answers([found("138XXXX2034"), failed("200010", "当前网络无法识别本机号码")], requests: 2),

            .serverOverloaded: .answers([failed("200047", "服务暂时不可用")], requests: 1),
            .storeUnavailable: .answers([found("138XXXX2040"), failed("200047", "服务暂时不可用")], requests: 2),

            .doublePrefetch: .answers([found("138XXXX1107"), running], requests: 1),
            .doubleEnter: .answers([found("138XXXX2107"), token, running], requests: 2),
            .prefetchBehindPage: .cannotHappen(lacking: .pageOfTheSDK),
            .cancelledByApp: .cannotHappen(lacking: .cancelling),

            .unregistered: .answers([notInitialized], requests: 0),
            .appIDEmpty: .answers([notInitialized], requests: 0),
            .appIDMalformed: .answers([wrongArgument], requests: 0),
            .appKeyMissing: .answers([notInitialized], requests: 0),
            .timeOutNegative: .answers([wrongArgument], requests: 0),
            .serverMissing: .answers([notInitialized], requests: 0),
            .serverMalformed: .answers([wrongArgument], requests: 0),
        ]
    }
}
