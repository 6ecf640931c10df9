import BenjiClient
import BenjiProtocol
import OneTapShell

/// How TYRZLogin's document spells a result (§2.1.2). Every value is a text, `resultCode` too, whatever the table says.
enum TYRZLoginResults {
    static func spell(_ result: CallResult) -> ResultFields {
        let trace = result.trace.map { ResultValue.text($0.rawValue) }
        switch result.value {
        case .token(let token):
            let overWiFi = result.facts.network?.wifi == true
            let (type, words) =
                token.assurance == .sms
                ? ("7", "短信验证码登录") : overWiFi ? ("1", "WIFI下网关鉴权") : ("2", "网关鉴权")
            return [
                "resultCode": .text(result.code), "token": .text(token.token),
                // The table spells it openid, the example openId.
                "openId": token.openID.map { .text($0) }, "openid": token.openID.map { .text($0) },
                "authType": .text(type), "authTypeDes": .text(words), "traceId": trace,
            ]
        case .failed(let error):
            // It is unknown how a login that was not answered would have been authenticated.
            let isUnknown = error.situation == .timedOut
            return [
                "resultCode": .text(result.code), "desc": .text(description(of: result.code)),
                "authType": isUnknown ? "0" : nil, "authTypeDes": isUnknown ? "其他" : nil, "traceId": trace,
            ]
        case .prefetched: return ["resultCode": .text(result.code)]
        }
    }

    static func code(_ situation: Situation) -> String {
        Facade.tyrzLogin.codes.code(for: situation)?.code ?? ""
    }

    static func description(of code: String) -> String { descriptions[code] ?? "登录失败" }

    /// For people who read a log. What a code means and what to do about it is in the catalogue (`benji explain`).
    private static let descriptions = [
        "102101": "没有网络", "102102": "网络请求失败", "102103": "移动数据未打开", "102109": "网络无法识别本机号码",
        "102203": "缺少 appid、appkey 或 capaId", "102208": "参数不正确", "102301": "登录已取消", "102302": "SDK 尚未初始化",
        "103104": "该号码不支持短信登录", "103108": "短信验证码错误", "103109": "短信验证码超时", "103125": "手机号码格式错误",
        "103207": "发送短信失败", "103901": "短信验证码下发次数已达上限",
        "102507": "请求超时", "200002": "没有 SIM 卡", "200009": "Bundle ID 与登记的不一致",
    ]
}
