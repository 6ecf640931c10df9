import Authority
import BenjiPage
import BenjiProtocol

/// The words of the pages about logins.
extension ConsoleStrings {
    static func span(_ span: LoginSpan) -> LocalizedText {
        switch span {
        case .day: LocalizedText("24 小时", "24 hours")
        case .week: LocalizedText("7 天", "7 days")
        case .month: LocalizedText("30 天", "30 days")
        case .year: LocalizedText("一年", "a year")
        }
    }

    static func stage(_ stage: String) -> LocalizedText {
        switch stage {
        case "asked": LocalizedText("请求", "asked")
        case "recognised": LocalizedText("识别", "recognised")
        case "agreed": LocalizedText("同意", "agreed")
        case "redeemed": LocalizedText("兑换", "redeemed")
        default: LocalizedText(stage)
        }
    }

    static func stageNote(_ stage: String) -> LocalizedText {
        switch stage {
        case "asked": LocalizedText("手机或浏览器请求预取号", "a phone or a browser asked who it is")
        case "recognised": LocalizedText("认出了号码，可以显示登录页", "the number is known, a page can be shown")
        case "agreed": LocalizedText("用户点了登录，发出了令牌", "the person tapped, and a token was issued")
        case "redeemed": LocalizedText("应用服务器得到了答复", "the app's server got its answer")
        default: LocalizedText("")
        }
    }

    static func carrier(_ carrier: String) -> LocalizedText {
        switch carrier {
        case "mobile": LocalizedText("中国移动", "China Mobile")
        case "unicom": LocalizedText("中国联通", "China Unicom")
        case "telecom": LocalizedText("中国电信", "China Telecom")
        case "": LocalizedText("没有识别", "not recognised")
        default: LocalizedText(carrier)
        }
    }

    static func bar(_ agreed: Int64, _ refused: Int64) -> LocalizedText {
        LocalizedText("同意 \(agreed)，拒绝 \(refused)", "\(agreed) agreed, \(refused) refused")
    }

    /// When somebody tapped, as the other times of the page.
    static func tapped(_ detail: ConsentDetail) -> LocalizedText {
        let time = Console.time(.integer(detail.tappedAt.milliseconds))
        return LocalizedText(
            "手机时钟 \(time)（UTC+8），\(detail.assurance.rawValue)",
            "at \(time) UTC+8 by the phone's clock, \(detail.assurance.rawValue)")
    }

    /// The label of a login's step, by the trace's word for it.
    static func step(_ step: String) -> LocalizedText { steps[step] ?? LocalizedText(step) }

    private static let steps: [String: LocalizedText] = [
        "sighting": LocalizedText("按来源地址找号码", "looked up who has the address"),
        "prefetch": LocalizedText("预取号", "asked who it is"),
        "consent": LocalizedText("勾选并点登录", "ticked and tapped"),
        "authorize": LocalizedText("取令牌", "asked for a token"),
        "forget": LocalizedText("结束临时凭证", "ended the scrip"),
        "h5.getMobile": LocalizedText("网页取令牌", "a web page asked for a token"),
        "openid.page": LocalizedText("打开登录页", "opened the login page"),
        "openid.answer": LocalizedText("交回登录页", "answered the page"),
        "openid.code": LocalizedText("取授权码", "asked for a code"),
        "openid.token": LocalizedText("用授权码换令牌", "exchanged the code"),
        "openid.userinfo": LocalizedText("凭令牌取号码", "asked for the number"),
        "openid.backchannel": LocalizedText("请人在手机上确认", "asked the person on their phone"),
        "openid.backchannel-answer": LocalizedText("在手机上决定", "decided on the phone"),
        "openid.backchannel-message": LocalizedText("发提醒短信", "sent a message about it"),
        "openid.revoke": LocalizedText("撤销令牌", "revoked the token"),
        "sms.send": LocalizedText("请求短信验证码", "asked for a code by SMS"),
        "sms.compare": LocalizedText("核对验证码", "compared the code"),
        "sms.login": LocalizedText("用验证码取令牌", "asked for a token by the code"),
        "/v1/tokens/redeem": LocalizedText("兑换令牌", "redeemed the token"),
        "/v1/tokens/verify": LocalizedText("本机号码校验", "asked whether it is this number"),
        "loginTokenValidate": LocalizedText("兑换令牌", "redeemed the token"),
        "tokenValidate": LocalizedText("本机号码校验", "asked whether it is this number"),
    ]

    static let logins: [String: LocalizedText] = [
        "logins": LocalizedText("登录", "Logins"),
        "login": LocalizedText("一次登录", "One login"),
        "findLogin": LocalizedText("跟踪号，或结果码", "Trace, or result code"),
        "findLoginNote": LocalizedText(
            "跟踪号（processID、traceId）直接打开那次登录。结果码可以用任何一种接口的，例如 103404。",
            "A trace (processID, traceId) opens that login. A code may be of any interface, such as 103404."),
        "howFar": LocalizedText("走到哪一步", "How far they came"),
        "agreedWord": LocalizedText("同意", "agreed"),
        "refusedWord": LocalizedText("拒绝", "refused"),
        "figures": LocalizedText("数字", "Figures"),
        "time": LocalizedText("时间", "Time"),
        "byCarrier": LocalizedText("运营商", "By carrier"),
        "carrierWord": LocalizedText("运营商", "Carrier"),
        "findLogins": LocalizedText("查找", "Find"),
        "allLogins": LocalizedText("所有应用", "All apps"),
        "mostLogins": LocalizedText("登录最多的应用", "Apps with most logins"),
        "mostLoginsNote": LocalizedText(
            "按请求数排列，百分比与请求相比。", "By how many asked. Percentages are of those."),
        "leastSuccess": LocalizedText("成功最少的应用", "Apps with least success"),
        "leastSuccessNote": LocalizedText(
            "请求中同意的比例最低的，至少 10 次请求。",
            "The smallest share of requests that were agreed to, of apps with 10 requests or more."),
        "whyNot": LocalizedText("为什么被拒绝", "Why they were refused"),
        "whyNotNote": LocalizedText(
            "数的是步骤，一次登录可以被拒绝多次。", "Steps are counted, and one login can be refused more than once."),
        "noCounts": LocalizedText("这段时间没有登录。", "No logins in this time."),
        "latest": LocalizedText("最近的登录", "Latest logins"),
        "latestNote": LocalizedText(
            "只保留认出了手机的登录。认不出的只计数。", "Only logins of phones that were recognised are kept. Others are counted alone."),
        "noLogins": LocalizedText("没有找到登录。", "No login was found."),
        "began": LocalizedText("开始", "Began"),
        "endedWell": LocalizedText("最后一步成功了。", "Its last step went well."),
        "answeredThen": LocalizedText(
            "应用服务器已得到答复。之后被拒绝的步骤", "The app's server got its answer. A later step was refused:"),
        "then": LocalizedText("之后", "then:"),
        "cause": LocalizedText("原因", "Cause"),
        "remedy": LocalizedText("怎么办", "What to do"),
        "steps": LocalizedText("步骤", "Steps"),
        "backToLogins": LocalizedText("回到登录", "Back to the logins"),
    ]
}
