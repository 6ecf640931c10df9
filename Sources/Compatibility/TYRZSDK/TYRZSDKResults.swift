import BenjiClient
import BenjiProtocol
import OneTapShell

/// How TYRZSDK's document spells a result (§4.2.2, §4.3.2, §4.4.2).
enum TYRZSDKResults {
    static func spell(_ result: CallResult) -> ResultFields {
        let trace = result.trace.map { ResultValue.text($0.rawValue) }
        switch result.value {
        case .prefetched(let summary):
            return [
                "resultCode": .text(result.code), "desc": "success",
                "securityphone": .text(mask(summary.maskedNumber)), "traceId": trace,
            ]
        case .token(let token):
            return [
                "resultCode": .text(result.code), "desc": "", "token": .text(token.token),
                // An implicit login returns none, as documented.
                "openId": token.purpose == .login ? token.openID.map { .text($0) } : nil, "traceId": trace,
            ]
        case .failed:
            return [
                "resultCode": .text(result.code), "desc": .text(descriptions[result.code] ?? "请求失败"), "traceId": trace,
            ]
        }
    }

    static func spell(_ status: NetworkStatus?, carrier: Carrier?) -> ResultFields {
        [
            "networkType": .number(VendorNumber.networks(status)), "carrier": .number(VendorNumber.carrier(carrier)),
        ]
    }

    /// `138XXXX0000`
    static func mask(_ number: String) -> String { String(number.map { $0 == "*" ? "X" : $0 }) }

    /// For people who read a log. What a code means and what to do about it is in the catalogue (`benji explain`).
    private static let descriptions = [
        "103106": "该号码不能用短信登录", "103108": "短信验证码错误", "103109": "短信验证码超时", "103125": "手机号码格式错误",
        "103202": "短信验证码已失效", "103207": "发送短信失败", "103901": "短信验证码下发次数已达上限",
        "104202": "短信验证失败过多", "105302": "应用不在白名单", "200009": "Bundle ID 与登记的不一致", "200010": "当前网络无法识别本机号码",
        "200020": "用户取消了登录",
        "200021": "无法解析服务器的应答", "200022": "没有网络", "200023": "请求超时", "200025": "未知错误", "200026": "参数不正确",
        "200027": "移动数据未打开", "200028": "网络请求失败", "200030": "SDK 尚未初始化", "200039": "电信网关取号失败",
        "200041": "应用未获授权", "200042": "授权页异常", "200047": "服务暂时不可用", "200048": "没有 SIM 卡",
    ]
}
