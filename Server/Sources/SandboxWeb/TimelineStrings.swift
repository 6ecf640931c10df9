import BenjiPage
import BenjiProtocol
import Sandbox

/// The text of a line of the timeline for people.
extension TimelineEntry {
    func words(_ language: Language) -> String {
        switch kind {
        case .message: message[language]
        case .decision: Self.decisions[subject]?[language] ?? subject
        case .change: change[language]
        case .fault: fault[language]
        }
    }

    private var path: String { String(subject.drop { $0 != " " }.dropFirst()) }

    private var message: LocalizedText {
        switch subject {
        case "Accounting-Start": return LocalizedText("这个地址归这张卡了", "this address belongs to the card now")
        case "Accounting-Stop": return LocalizedText("这个地址没有人了", "this address belongs to nobody now")
        case "SDK": return LocalizedText("登录没有完成", "the login ended")
        case "SMS":
            return to == .smsc
                ? LocalizedText("交出一条短信", "hands in a text message") : LocalizedText("短信到了", "a text message has come")
        default: break
        }
        if path == "/device/v1/challenge" { return LocalizedText("问证明要用的质询", "asks what to attest") }
        if path == DevicePath.smsCode.rawValue { return LocalizedText("请求短信验证码", "asks for a code by SMS") }
        if path == DevicePath.smsLogin.rawValue { return LocalizedText("用验证码取令牌", "shows the code") }
        if path.hasPrefix("/openid/media/") { return LocalizedText("取页面的图片", "loads a picture of the page") }
        if to == .shop, path == "/login/token" { return LocalizedText("把令牌交给商店", "hands the token to the shop") }
        if to == .shop { return LocalizedText("打开 \(path)", "opens \(path)") }
        switch SandboxStep.of(String(subject.prefix { $0 != " " }), path) {
        case .page: return LocalizedText("打开登录页", "opens the login page")
        case .tap: return LocalizedText("交回登录页", "sends the page's form")
        case .code: return LocalizedText("用授权码换令牌", "exchanges the code")
        case .number: return LocalizedText("凭令牌取号码", "asks for the number")
        case .prefetch: return LocalizedText("预取号", "asks who it is")
        case .authorize: return LocalizedText("取令牌", "asks for a token")
        case .redeem: return LocalizedText("兑换令牌", "redeems the token")
        case .connection, .attach, nil: return LocalizedText(subject, subject)
        }
    }

    private var change: LocalizedText {
        switch subject {
        case "sim":
            let words = detail.split(separator: ",")
            let name = words.first.flatMap { SIMTray(rawValue: String($0)) }.map { SandboxStrings.name($0).0 }
            let slot = words.dropFirst().first.map { $0.contains("2") ? 2 : 1 }
            return LocalizedText(
                "换成\(name?.simplifiedChinese ?? detail)\(slot.map { "，卡\($0 == 2 ? "二" : "一")上网" } ?? "")",
                "now \(name?.english ?? detail)\(slot.map { ", data from slot \($0)" } ?? "")")
        case "network":
            let name = PhoneNetwork(rawValue: detail).map { SandboxStrings.name($0).0 }
            return LocalizedText(
                "网络换成\(name?.simplifiedChinese ?? detail)", "network is now \(name?.english ?? detail)")
        default:
            return detail == "none"
                ? LocalizedText("故障取消了", "the fault was taken away") : LocalizedText("加入了故障", "a fault was put in")
        }
    }

    private var fault: LocalizedText {
        switch subject {
        case "no way out": return LocalizedText("手机没有网络，发不出去", "the phone has no way out")
        case "lost on a weak network": return LocalizedText("弱网：丢失了", "weak network: it was lost")
        default: break
        }
        let name = SandboxStep(rawValue: subject).map { SandboxStrings.name($0) }
        let place = LocalizedText(name?.simplifiedChinese ?? subject, name?.english ?? subject)
        if !code.isEmpty {
            return LocalizedText("故障：\(place.simplifiedChinese)，按要求返回", "fault: \(place.english), answered as asked")
        }
        if detail.contains("ms") {
            let time = detail.split(separator: " ").first { Int($0) != nil } ?? ""
            return LocalizedText(
                "故障：\(place.simplifiedChinese)，晚 \(time) 毫秒", "fault: \(place.english), \(time) ms late")
        }
        return LocalizedText("故障：\(place.simplifiedChinese)，丢失", "fault: \(place.english), lost")
    }

    private static let decisions: [String: LocalizedText] = [
        "sighting": LocalizedText("认出了来源地址", "recognised the address"),
        "prefetch": LocalizedText("给出临时凭证和掩码", "issued a scrip and the mask"),
        "authorize": LocalizedText("给出令牌", "issued a token"),
        "consent": LocalizedText("用户勾选并点了登录", "the person ticked and tapped"),
        "forget": LocalizedText("结束临时凭证", "ended the scrip"),
        "openid.page": LocalizedText("给出登录页", "issued the login page"),
        "openid.answer": LocalizedText("没有接受登录页的回答", "did not take the page's answer"),
        "openid.code": LocalizedText("给出授权码", "issued a code"),
        "sms.send": LocalizedText("发出验证码", "sent a code"),
        "sms.compare": LocalizedText("核对验证码", "compared the code"),
        "sms.login": LocalizedText("凭验证码给出令牌", "issued a token for the code"),
        "openid.token": LocalizedText("用授权码换到了令牌", "the code became a token"),
        "openid.userinfo": LocalizedText("号码交给了商店", "the number was released to the shop"),
        "openid.backchannel": LocalizedText("请人在手机上确认", "asked the person on their phone"),
        "openid.backchannel-answer": LocalizedText("在手机上作了决定", "decided on the phone"),
        "openid.backchannel-message": LocalizedText("发出提醒短信", "sent a message about it"),
        "openid.revoke": LocalizedText("撤销了令牌", "the token was revoked"),
        "/v1/tokens/redeem": LocalizedText("令牌兑换成号码", "the token was redeemed for the number"),
        "loginTokenValidate": LocalizedText("令牌兑换成号码", "the token was redeemed for the number"),
    ]
}
