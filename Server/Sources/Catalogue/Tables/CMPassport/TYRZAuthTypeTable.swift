import BenjiProtocol

/// Document 001, appendix 1: kinds of authentication.
enum TYRZAuthTypeTable {
    static func entries() -> [CatalogueEntry] {
        var table = TableWriter(.tyrzAuthType, version: "001")
        table.explain(
            "0",
            zh: Explanation(
                meaning: "认证方式不明",
                cause: "过程超时或信息不足，平台无法确定用户是怎样被认证的。",
                remedy: "按最低可信度处理；需要明确强度的业务应要求重新登录，Benji 请看 token 的 assurance。"),
            en: Explanation(
                meaning: "The way of authentication is unknown",
                cause: "The process timed out or too little is known to say how the person was authenticated.",
                remedy: """
                    Give it the lowest trust; ask for a new login where strength matters. In Benji read the token's \
                    assurance.
                    """))
        table.explain(
            "1",
            zh: Explanation(
                meaning: "Wi-Fi 打开时，经蜂窝网关认证",
                cause: "手机连着 Wi-Fi，SDK 把请求切到蜂窝网络，由网关按地址识别号码。",
                remedy: "与网关认证同等看待；注意这会消耗用户少量流量。"),
            en: Explanation(
                meaning: "Gateway authentication while Wi-Fi was on",
                cause: """
                    The phone was on Wi-Fi; the SDK sent the request over cellular and the gateway recognised the \
                    address.
                    """,
                remedy: "Trust it like gateway authentication; it costs the person a little mobile data."))
        table.explain(
            "2",
            zh: Explanation(
                meaning: "经蜂窝网关认证",
                cause: "请求本来就走蜂窝网络，网关按地址识别出号码。接口示例里写作 WAPGW 的就是它。",
                remedy: "这是常规结果；Benji 输出数字 2，并在读入时兼容 WAPGW。"),
            en: Explanation(
                meaning: "Gateway authentication over cellular",
                cause: """
                    The request was on cellular anyway and the gateway recognised the address. The document's example \
                    spells it WAPGW.
                    """,
                remedy: "This is the usual result; Benji writes the digit 2 and also understands WAPGW on input."))
        table.explain(
            "3",
            zh: Explanation(
                meaning: "用户手机发出短信完成认证",
                cause: "旧流程由手机上行一条短信，平台从短信的来源得知号码。",
                remedy: "属于厂商的短信上行备用流程，Benji 不使用；历史数据中见到时按短信强度对待。"),
            en: Explanation(
                meaning: "Authentication by an SMS sent from the phone",
                cause: """
                    In the old flow the phone sent an SMS upstream and the platform learned the number from its \
                    sender.
                    """,
                remedy: """
                    It belonged to the vendor's SMS-upstream fallback, which Benji does not use; in old data trust it \
                    as much as SMS.
                    """))
        table.explain(
            "4",
            zh: Explanation(
                meaning: "Wi-Fi 下的网关认证，沿用已有的登录",
                cause: "同一开发者的其他应用先前已认证，本次由中间件复用那次结果（类型 1）。",
                remedy: "Benji 不做静默复用，不会产生此值；处理旧数据时查看 authtime，判断原认证距今多久。"),
            en: Explanation(
                meaning: "Gateway authentication on Wi-Fi, reused from an earlier login",
                cause: """
                    Another app of the same owner had authenticated before and the middleware reused that result \
                    (type 1).
                    """,
                remedy: """
                    Benji does not reuse logins silently and never produces it; in old data check authtime to see how \
                    long ago it was.
                    """))
        table.explain(
            "5",
            zh: Explanation(
                meaning: "网关认证，沿用已有的登录",
                cause: "本次没有重新取号，中间件沿用了此前蜂窝网关认证（类型 2）的结果。",
                remedy: "Benji 不会产生此值；对敏感操作应要求一次新的认证。"),
            en: Explanation(
                meaning: "Gateway authentication, reused from an earlier login",
                cause: """
                    No new look-up was made; the middleware reused an earlier cellular gateway authentication (type \
                    2).
                    """,
                remedy: "Benji never produces it; ask for a fresh authentication before anything sensitive."))
        table.explain(
            "6",
            zh: Explanation(
                meaning: "短信上行认证，沿用已有的登录",
                cause: "中间件沿用了此前短信上行认证（类型 3）的结果。",
                remedy: "Benji 没有短信上行也不复用登录，不会产生此值；旧数据中建议视为较弱的认证。"),
            en: Explanation(
                meaning: "SMS-upstream authentication, reused from an earlier login",
                cause: "The middleware reused an earlier authentication by upstream SMS (type 3).",
                remedy: """
                    Benji has neither SMS upstream nor reuse and never produces it; treat it as weak in old data.
                    """))
        table.explain(
            "7",
            zh: Explanation(
                meaning: "用户输入短信验证码完成认证",
                cause: "用户收到验证码并填写，证明能读到该号码的短信，但不经过蜂窝网关。",
                remedy: "Benji 的短信验证码登录用此值；强度低于网关认证，也不能当作网络证明使用。"),
            en: Explanation(
                meaning: "Authentication by a code received by SMS",
                cause: """
                    The person typed a code, which proves reading the number's SMS but involves no cellular gateway.
                    """,
                remedy: """
                    Benji uses it for login by SMS code; it is weaker than the gateway and never counts as network \
                    proof.
                    """))
        return table.entries
    }
}
