import BenjiProtocol

/// Document 002: what GeYan's SDK returns to the app as `code`.
enum GeYanTable {
    static func entries() -> [CatalogueEntry] {
        var table = TableWriter(.geyan, version: "002")
        table.explain(
            "30000",
            zh: Explanation(
                meaning: "这一步成功，结果可用",
                cause: "预登录或一键认证按预期完成；成功的认证还带有 token 与脱敏号码。",
                remedy: "预登录成功后再打开授权页；拿到 token 后连同 processID 交给自己的服务器换号。"),
            en: Explanation(
                meaning: "The step succeeded and its result can be used",
                cause: """
                    The pre-login or the one-tap login ran to its end; a login also carries a token and the masked \
                    number.
                    """,
                remedy: """
                    Open the page after a pre-login; hand token and processID to your server, which asks for the number.
                    """))
        table.explain(
            "30001",
            zh: Explanation(
                meaning: "手机当前的环境无法免密登录",
                cause: "没有网络、没有可用的蜂窝数据或 SIM 卡，或网关认不出这个连接：走了 Wi-Fi、VPN，或运营商未开放。",
                remedy: "看 errorCode 知道是哪一种；提示打开蜂窝数据、关闭代理，同时给出其他登录方式。"),
            en: Explanation(
                meaning: "The phone's surroundings allow no login without a password",
                cause: """
                    No network, no mobile data or SIM, or the gateway does not know the connection: Wi-Fi, a VPN, a \
                    carrier switched off.
                    """,
                remedy: """
                    Read errorCode for which it is; suggest mobile data without a proxy and offer another way at the \
                    same time.
                    """))
        table.explain(
            "30002",
            zh: Explanation(
                meaning: "用户要用别的方式登录",
                cause: "用户在授权页点了切换账号按钮；此时授权页仍然打开。",
                remedy: "先调用 closeAuthVC 关闭授权页，再进入自己的其他登录界面。"),
            en: Explanation(
                meaning: "The person wants to log in another way",
                cause: "The button for another account was tapped on the page, which stays open.",
                remedy: "Close the page with closeAuthVC, then show your other login."))
        table.explain(
            "30003",
            zh: Explanation(
                meaning: "用户离开了授权页",
                cause: "用户点了返回或弹窗的关闭按钮，页面随即自动关闭；应用自己关闭时也归到这里。",
                remedy: "当作用户的选择，停留在原页面；不要自动重新拉起。"),
            en: Explanation(
                meaning: "The person left the authorization page",
                cause: """
                    Back or the popup's close button was tapped and the page closed itself; closing by the app ends \
                    here too.
                    """,
                remedy: "Take it as a choice and stay where the person was; do not reopen by yourself."))
        table.explain(
            "30004",
            zh: Explanation(
                meaning: "应用的调用有误，细节另见 errorCode",
                cause: "SDK 没有初始化、参数不可用，或上一次调用还没有结束就再次调用。",
                remedy: "按 errorCode 修正调用顺序：先初始化，等回调，再发起下一次。"),
            en: Explanation(
                meaning: "The app's call was wrong; errorCode says how",
                cause: "The SDK was not started, an argument cannot be used, or the call before had not ended.",
                remedy: "Put the calls in order as errorCode says: start, wait for the callback, then call again."))
        table.explain(
            "30005",
            zh: Explanation(
                meaning: "预登录没有得到结果",
                cause: "取脱敏号码这一步被运营商或服务端拒绝、中途断网，或登录时没有可用的预登录结果。",
                remedy: "按 errorCode 区分原因；网络类原因重试一次，其余改用其他登录方式。"),
            en: Explanation(
                meaning: "The pre-login gave no result",
                cause: """
                    The carrier or the service refused the masked number, the line broke, or a login found no \
                    pre-login to use.
                    """,
                remedy: """
                    Tell the reasons apart by errorCode; retry once for the network, else use another way to log in.
                    """))
        table.explain(
            "30006",
            zh: Explanation(
                meaning: "打开授权页之后的认证没有完成",
                cause: "用户同意之后换取 token 的请求没有成功，多为网络中断、超时或应用被拒绝。",
                remedy: "关闭授权页并提示重试；反复出现时凭 processID 查服务端的记录。"),
            en: Explanation(
                meaning: "The login failed after the page had opened",
                cause: """
                    The request for the token did not succeed after the person agreed: a broken line, a time-out, or a \
                    refused app.
                    """,
                remedy: "Close the page and offer a retry; if it repeats look the processID up on the server."))
        table.explain(
            "40047",
            zh: Explanation(
                meaning: "换取 token 时运营商取不到号",
                cause: "预登录之后手机换了卡、地址改属他人，或网关不再能确认这个地址背后的号码。",
                remedy: "重新预登录再认证一次；连续失败时检查是否双卡切换了流量卡。"),
            en: Explanation(
                meaning: "The carrier could not tell the number when the token was asked for",
                cause: """
                    After the pre-login the SIM changed, the address went to someone else, or the gateway is no longer \
                    sure who holds it.
                    """,
                remedy: "Pre-login again and retry once; if it goes on, see whether the data SIM of two was switched."))
        return table.entries
    }
}
