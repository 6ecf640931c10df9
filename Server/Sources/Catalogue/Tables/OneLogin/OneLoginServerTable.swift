import BenjiProtocol

/// OneLogin's server call check_phone.
enum OneLoginServerTable {
    static func entries() -> [CatalogueEntry] {
        var table = TableWriter(.oneLoginServer, version: "server")
        table.explain(
            "200",
            zh: Explanation(
                meaning: "换取号码成功",
                cause: "token 与流水号有效，result 里是号码；要求加密时为密文。",
                remedy: "使用 result 里的号码，并按自己的规则保护它；token 不能再用。"),
            en: Explanation(
                meaning: "The number was given for the token",
                cause: "Token and process id are valid and result holds the number, encrypted if that was asked for.",
                remedy: "Use the number and protect it as your rules ask; the token is spent."))
        table.explain(
            "500",
            zh: Explanation(
                meaning: "没能从运营商侧取得号码",
                cause: "登录未取得号码、服务内部故障，或其他没有编号的拒绝。",
                remedy: "看 error_msg，凭 process_id 查询；让用户重新登录。"),
            en: Explanation(
                meaning: "The carrier's side gave no number",
                cause: """
                    The login has no number, the service has a fault, or it refused for something without a number.
                    """,
                remedy: "Read error_msg, look the process_id up, and let the person log in again."))
        table.explain(
            "12000",
            zh: Explanation(
                meaning: "没有 process_id",
                cause: "字段缺失或为空，或请求体不是可读的 JSON。",
                remedy: "从客户端回调取得流水号一并上传；检查 Content-Type 与 JSON。"),
            en: Explanation(
                meaning: "There is no process_id",
                cause: "The member is missing or empty, or the body is not readable JSON.",
                remedy: "Pass the one from the app's callback on; check Content-Type and JSON."))
        table.explain(
            "12001",
            zh: Explanation(
                meaning: "没有 token",
                cause: "字段缺失或为空。",
                remedy: "确认客户端在成功时才上报，且字段名为 token。"),
            en: Explanation(
                meaning: "There is no token",
                cause: "The member is missing or empty.",
                remedy: "See that the app reports on success only, and that the member is called token."))
        table.explain(
            "12002",
            zh: Explanation(
                meaning: "没有 sign",
                cause: "请求未签名。",
                remedy: "用 app_key 对 app_id&&timestamp 做 HMAC-SHA256。"),
            en: Explanation(
                meaning: "There is no sign",
                cause: "The request is not signed.",
                remedy: "Make HMAC-SHA256 over app_id&&timestamp with the app_key."))
        table.explain(
            "12003",
            zh: Explanation(
                meaning: "process_id 不是 32 位",
                cause: "被截断、带了空白，或不是 SDK 给出的那个值。",
                remedy: "原样使用 SDK 回调里的值。"),
            en: Explanation(
                meaning: "The process_id has not 32 characters",
                cause: "It was cut, has blanks, or is not what the SDK gave.",
                remedy: "Use the value of the SDK's callback as it is."))
        table.explain(
            "12004",
            zh: Explanation(
                meaning: "is_phone_encode 不是布尔值",
                cause: "它的值既不是真也不是假。",
                remedy: "使用 true、false，或省略。"),
            en: Explanation(
                meaning: "is_phone_encode is no boolean",
                cause: "Its value is neither true nor false.",
                remedy: "Write true or false, or leave it out."))
        table.explain(
            "12005",
            zh: Explanation(
                meaning: "时间戳不正确",
                cause: "不是 13 位毫秒，或与服务器相差超过允许的范围。",
                remedy: "同步服务器时间，每次请求取当前毫秒数。"),
            en: Explanation(
                meaning: "The timestamp is not right",
                cause: """
                    It has not the thirteen digits of milliseconds, or is further from the server's time than allowed.
                    """,
                remedy: "Keep the server's clock in step and take the current milliseconds for each request."))
        table.explain(
            "12006", version: "page",
            zh: Explanation(
                meaning: "运营商配置错误",
                cause: "属于厂商的后台：该应用的运营商配置不完整。",
                remedy: "Benji 的运营商由运营方的策略设定，不会返回此码；旧平台请联系客服。"),
            en: Explanation(
                meaning: "The carrier's set-up is wrong",
                cause: "It belonged to the vendor's console: the app's set-up for a carrier was incomplete.",
                remedy: """
                    Benji has its carriers in the operator's policy and does not return it; ask the vendor in the old \
                    platform.
                    """))
        table.explain(
            "12007", version: "page",
            zh: Explanation(
                meaning: "来源 IP 不在名单里",
                cause: "调用方地址不在应用登记的服务器地址中。",
                remedy: "登记真实的出口 IP。"),
            en: Explanation(
                meaning: "The source address is not on the list",
                cause: "The caller is none of the app's registered servers.",
                remedy: "Register the address that requests leave from."))
        table.explain(
            "12008", version: "page",
            zh: Explanation(
                meaning: "运营商配置错误（第二个编号）",
                cause: "属于厂商的后台；与 12006 写的是同一句话。",
                remedy: "Benji 不会返回此码；旧平台按文档核对传参。"),
            en: Explanation(
                meaning: "The carrier's set-up is wrong, second number",
                cause: "It belonged to the vendor's console, in the same words as 12006.",
                remedy: "Benji does not return it; in the old platform compare the parameters with the documentation."))
        table.explain(
            "12100",
            zh: Explanation(
                meaning: "没有这个 process_id",
                cause: "从未签发、已过保存期，或属于另一环境。",
                remedy: "让用户重新登录；确认 SDK 与服务器是同一环境。"),
            en: Explanation(
                meaning: "There is no such process_id",
                cause: "It was never issued, is past its time, or of another environment.",
                remedy: "Let the person log in again, and use one environment for SDK and server."))
        table.explain(
            "12101",
            zh: Explanation(
                meaning: "process_id 已使用",
                cause: "同一流水号已经换过一次结果，常见于重试或并发请求。",
                remedy: "不要重试；新的登录才有新的流水号。"),
            en: Explanation(
                meaning: "The process_id was used",
                cause: "It has been exchanged once before; often a retry or a parallel request.",
                remedy: "Do not retry; only a new login gives a new one."))
        table.explain(
            "12102",
            zh: Explanation(
                meaning: "找不到对应的应用",
                cause: "流水号或请求没有指向任何已登记的应用。",
                remedy: "核对服务器使用的 app_id。"),
            en: Explanation(
                meaning: "There is no such app",
                cause: "Neither process id nor request leads to a registered app.",
                remedy: "Compare the app_id that your server uses."))
        table.explain(
            "12103",
            zh: Explanation(
                meaning: "应用不对",
                cause: "token 属于另一个应用，或该应用不能使用这个接口。",
                remedy: "客户端与服务器用同一个 app_id，并开通登录能力。"),
            en: Explanation(
                meaning: "It is the wrong app",
                cause: "The token belongs to another app, or the app may not use this interface.",
                remedy: "Use one app_id in app and server, with the capability to log in."))
        table.explain(
            "12104",
            zh: Explanation(
                meaning: "余额或频率用尽",
                cause: "应用的额度已用完，或短时间请求过多。",
                remedy: "查看额度设置；被限频时退避重试。"),
            en: Explanation(
                meaning: "The balance or the rate is used up",
                cause: "The app's quota is gone, or too many requests came in a short time.",
                remedy: "Look at the quota; back off when it was the rate."))
        table.explain(
            "12105", version: "page",
            zh: Explanation(
                meaning: "签名错误（旧签名方式）",
                cause: "属于厂商较早的签名方式。",
                remedy: "Benji 只用 12109 表示签名不符，不会返回此码；旧平台检查时间戳与算法。"),
            en: Explanation(
                meaning: "The sign is wrong, older kind",
                cause: "It belonged to an earlier way of signing at the vendor's.",
                remedy: """
                    Benji says 12109 for signs that do not match and does not return this; in the old platform check \
                    timestamp and algorithm.
                    """))
        table.explain(
            "12106", version: "page",
            zh: Explanation(
                meaning: "签名中的编号不匹配",
                cause: "属于厂商较早的签名方式：签名里的 id 与应用不同。",
                remedy: "Benji 的签名里 id 不单独比对，不会返回此码；旧平台核对 id。"),
            en: Explanation(
                meaning: "The id in the sign does not match",
                cause: "It belonged to an earlier way of signing at the vendor's: the id in it was not the app's.",
                remedy: """
                    Benji compares no id inside the sign and does not return it; in the old platform compare the id.
                    """))
        table.explain(
            "12107", version: "page",
            zh: Explanation(
                meaning: "签名密钥不匹配",
                cause: "属于厂商较早的签名方式：用了别的密钥。",
                remedy: "Benji 把密钥不对也归为 12109，不会返回此码；旧平台核对密钥。"),
            en: Explanation(
                meaning: "The key of the sign does not match",
                cause: "It belonged to an earlier way of signing at the vendor's: another key was used.",
                remedy: """
                    Benji counts a wrong key under 12109 and does not return this; in the old platform compare the key.
                    """))
        table.explain(
            "12108", version: "page",
            zh: Explanation(
                meaning: "token 失效（旧编号）",
                cause: "属于厂商较早的编号：取到 token 之后过了太久。",
                remedy: "Benji 用 12200，不会返回此码；旧平台缩短间隔。"),
            en: Explanation(
                meaning: "The token has ended, older number",
                cause: "It belonged to the vendor's earlier numbers: too long between issue and use.",
                remedy: "Benji uses 12200 and does not return this; in the old platform use tokens sooner."))
        table.explain(
            "12109",
            zh: Explanation(
                meaning: "签名不对",
                cause: "算法、密钥或参与签名的时间戳不一致。",
                remedy: "核对 app_key、13 位毫秒时间戳与 HMAC-SHA256 的十六进制输出。"),
            en: Explanation(
                meaning: "The sign is not right",
                cause: "Algorithm, key or the timestamp in it differ.",
                remedy: "Compare app_key, the thirteen digits of the timestamp, and the hexadecimal HMAC-SHA256."))
        table.explain(
            "12200",
            zh: Explanation(
                meaning: "token 失效",
                cause: "过期、格式不对、不是这次登录的，或号码在此期间换了 SIM 或主人。",
                remedy: "拿到就用；失败后请用户重新登录。"),
            en: Explanation(
                meaning: "The token is not valid any more",
                cause: "It is too old, malformed, of another login, or the number changed its SIM or owner since.",
                remedy: "Use tokens at once; after this let the person log in again."))
        table.explain(
            "11300", version: "page",
            zh: Explanation(
                meaning: "传入的参数不对",
                cause: "属于厂商接口的笼统编号。",
                remedy: "Benji 指出具体的字段，不会返回此码；旧平台对照接口文档。"),
            en: Explanation(
                meaning: "The parameters are not right",
                cause: "It belonged to the vendor's interface as a code for all of them.",
                remedy: """
                    Benji names the member and does not return it; in the old platform go through the documentation.
                    """))
        return table.entries
    }
}
