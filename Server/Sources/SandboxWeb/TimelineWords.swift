import BenjiProtocol
import Sandbox

/// What one line of the timeline says to a person.
extension TimelineEntry {
    func words(_ language: SandboxLanguage) -> String {
        switch kind {
        case .message: message[language]
        case .decision: Self.decisions[subject]?[language] ?? subject
        case .change: change[language]
        case .fault: fault[language]
        }
    }

    private var path: String { String(subject.drop { $0 != " " }.dropFirst()) }

    private var message: SandboxText {
        switch subject {
        case "Accounting-Start": return SandboxText("这个地址归这张卡了", "this address belongs to the card now")
        case "Accounting-Stop": return SandboxText("这个地址没有人了", "this address belongs to nobody now")
        case "SDK": return SandboxText("登录没有完成", "the login ended")
        default: break
        }
        if path == "/device/v1/challenge" { return SandboxText("问证明要用的质询", "asks what to attest") }
        if to == .shop { return SandboxText("打开 \(path)", "opens \(path)") }
        switch SandboxStep.of(String(subject.prefix { $0 != " " }), path) {
        case .page: return SandboxText("打开登录页", "opens the login page")
        case .tap: return SandboxText("交回登录页", "sends the page's form")
        case .code: return SandboxText("用授权码换令牌", "exchanges the code")
        case .number: return SandboxText("凭令牌取号码", "asks for the number")
        case .prefetch: return SandboxText("预取号", "asks who it is")
        case .authorize: return SandboxText("取令牌", "asks for a token")
        case .redeem: return SandboxText("兑换令牌", "redeems the token")
        case .connection, .attach, nil: return SandboxText(subject, subject)
        }
    }

    private var change: SandboxText {
        switch subject {
        case "sim":
            let words = detail.split(separator: ",")
            let name = words.first.flatMap { SIMTray(rawValue: String($0)) }.map { SandboxWords.name($0).0 }
            let slot = words.dropFirst().first.map { $0.contains("2") ? 2 : 1 }
            return SandboxText(
                "换成\(name?.zh ?? detail)\(slot.map { "，卡\($0 == 2 ? "二" : "一")上网" } ?? "")",
                "now \(name?.en ?? detail)\(slot.map { ", data from slot \($0)" } ?? "")")
        case "network":
            let name = PhoneNetwork(rawValue: detail).map { SandboxWords.name($0).0 }
            return SandboxText("网络换成\(name?.zh ?? detail)", "network is now \(name?.en ?? detail)")
        default:
            return detail == "none"
                ? SandboxText("故障取消了", "the fault was taken away") : SandboxText("加入了故障", "a fault was put in")
        }
    }

    private var fault: SandboxText {
        switch subject {
        case "no way out": return SandboxText("手机没有网络，发不出去", "the phone has no way out")
        case "lost on a weak network": return SandboxText("弱网：丢失了", "weak network: it was lost")
        default: break
        }
        let name = SandboxStep(rawValue: subject).map { SandboxWords.name($0) }
        let place = SandboxText(name?.zh ?? subject, name?.en ?? subject)
        if !code.isEmpty { return SandboxText("故障：\(place.zh)，按要求返回", "fault: \(place.en), answered as asked") }
        if detail.contains("ms") {
            let time = detail.split(separator: " ").first { Int($0) != nil } ?? ""
            return SandboxText("故障：\(place.zh)，晚 \(time) 毫秒", "fault: \(place.en), \(time) ms late")
        }
        return SandboxText("故障：\(place.zh)，丢失", "fault: \(place.en), lost")
    }

    private static let decisions: [String: SandboxText] = [
        "sighting": SandboxText("认出了来源地址", "recognised the address"),
        "prefetch": SandboxText("给出临时凭证和掩码", "issued a scrip and the mask"),
        "authorize": SandboxText("给出令牌", "issued a token"),
        "consent": SandboxText("用户勾选并点了登录", "the person ticked and tapped"),
        "forget": SandboxText("结束临时凭证", "ended the scrip"),
        "openid.page": SandboxText("给出登录页", "issued the login page"),
        "openid.answer": SandboxText("没有接受登录页的回答", "did not take the page's answer"),
        "openid.code": SandboxText("给出授权码", "issued a code"),
        "openid.token": SandboxText("用授权码换到了令牌", "the code became a token"),
        "openid.userinfo": SandboxText("号码交给了商店", "the number was released to the shop"),
        "openid.revoke": SandboxText("撤销了令牌", "the token was revoked"),
        "loginTokenValidate": SandboxText("令牌兑换成号码", "the token was redeemed for the number"),
    ]
}
