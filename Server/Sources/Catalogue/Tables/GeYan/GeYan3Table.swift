import BenjiProtocol

/// GeYan's SDK since 3.0: `code`.
enum GeYan3Table {
    static func entries() -> [CatalogueEntry] {
        var table = TableWriter(.geyan3, version: "3.0")
        table.explain(
            "30000",
            zh: Explanation(
                meaning: "3.0 的业务步骤成功",
                cause: "初始化、预登录、一键登录或取得校验 token 完成了，errorCode 为 0。",
                remedy: "按回调所属的步骤继续；登录成功后把 token 与流水号交给服务器。"),
            en: Explanation(
                meaning: "The step succeeded, in 3.0's terms",
                cause: "Start, pre-login, one-tap login or the token for a verification is done, and errorCode is 0.",
                remedy: """
                    Go on from the step that the callback belongs to; after a login hand token and process id to your \
                    server.
                    """))
        table.explain(
            "30004",
            zh: Explanation(
                meaning: "3.0 的初始化没有成功",
                cause: "SDK 还没有开始任何一步就失败：没有启动，或启动时的参数不可用。",
                remedy: "看 errorCode；修正启动参数并等启动回调之后再调用其他接口。"),
            en: Explanation(
                meaning: "The start of 3.0 failed",
                cause: "The SDK failed before any step had begun: not started, or started with something unusable.",
                remedy: """
                    Read errorCode, correct what it is started with, and call the rest after the start's callback.
                    """))
        table.explain(
            "30005",
            zh: Explanation(
                meaning: "3.0 的预登录没有成功",
                cause: "取脱敏号码这一步失败，原因在 errorCode 里。",
                remedy: "网络原因重试一次；其余不要拉起授权页，改用其他登录方式。"),
            en: Explanation(
                meaning: "The pre-login of 3.0 failed",
                cause: "The step that asks for the masked number failed; errorCode holds the reason.",
                remedy: "Retry once for the network; otherwise leave the page closed and use another login."))
        table.explain(
            "30006",
            zh: Explanation(
                meaning: "3.0 的一键登录没有成功",
                cause: "打开授权页或换取 token 失败，也包括用户离开或切换账号。",
                remedy: "按 errorCode 区分用户的选择与故障，只对故障给出提示。"),
            en: Explanation(
                meaning: "The one-tap login of 3.0 failed",
                cause: "Opening the page or fetching the token failed; the person's leaving or switching counts too.",
                remedy: "Tell the person's choice from a fault by errorCode, and show a message for faults only."))
        table.explain(
            "30007",
            zh: Explanation(
                meaning: "没有取得本机号码校验的 token",
                cause: "校验用的 token 没有签发，登录流程不受影响。",
                remedy: "按 errorCode 处理；校验不可用时改用短信验证码。"),
            en: Explanation(
                meaning: "No token for a number verification",
                cause: "The token was not issued; logins are a matter of their own.",
                remedy: "Act on errorCode, and use an SMS code where verification is not possible."))
        table.explain(
            "30008",
            zh: Explanation(
                meaning: "本机号码校验没有成功",
                cause: "属于厂商 SDK 在手机上直接比对号码的接口。",
                remedy: "Benji 只让服务器比对号码，不会返回此码；把 token 交给服务器去比对。"),
            en: Explanation(
                meaning: "The number verification failed",
                cause: "It belonged to the vendor SDK's call that compares the number on the phone itself.",
                remedy: """
                    With Benji only servers compare numbers and it does not return this; hand the token to your server.
                    """))
        return table.entries
    }
}
