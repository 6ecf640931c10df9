import BenjiProtocol

/// Document 001 §4.2: what TYRZLogin returns to the app.
enum TYRZSDKTable {
    static func entries() -> [CatalogueEntry] {
        var table = TableWriter(.tyrzSDK, version: "001")
        table.explain(
            "103000",
            zh: Explanation(
                meaning: "隐式登录成功，token 可用",
                cause: "网关识别了本机号码，SDK 拿到了 token 和 openid。",
                remedy: "把 token 立即传给应用服务器调用 tokenValidate；不要在客户端解析 token。"),
            en: Explanation(
                meaning: "The implicit login succeeded and the token is usable",
                cause: "The gateway recognised the phone and the SDK received token and openid.",
                remedy: """
                    Hand the token to your server at once, which calls tokenValidate; do not try to read the token in \
                    the app.
                    """))
        table.explain(
            "102101",
            zh: Explanation(
                meaning: "手机处于断网状态",
                cause: "没有可用的 Wi-Fi，也没有蜂窝连接。",
                remedy: "提示用户检查飞行模式和信号，联网后再登录。"),
            en: Explanation(
                meaning: "The phone is offline",
                cause: "Neither Wi-Fi nor a cellular connection is available.",
                remedy: "Ask the person to check airplane mode and signal and to log in once connected."))
        table.explain(
            "102102",
            zh: Explanation(
                meaning: "网络或服务异常",
                cause: "连接中断、被重置或域名解析失败；这张表没有列出的其他错误也归到这里。",
                remedy: "重试一次；若集中出现，先查网络和代理，再按 processID 看服务端给出的原因。"),
            en: Explanation(
                meaning: "The network or the service failed",
                cause: """
                    The connection broke, was reset or did not resolve; any error that this table does not list ends \
                    here too.
                    """,
                remedy: """
                    Retry once; if it clusters look at network and proxy first, then at the server's reason under the \
                    processID.
                    """))
        table.explain(
            "102103",
            zh: Explanation(
                meaning: "数据流量没有打开",
                cause: "用户关闭了蜂窝数据，或系统设置禁止本应用使用蜂窝数据。",
                remedy: "引导用户到系统设置打开蜂窝数据；只有 Wi-Fi 时无法证明号码。"),
            en: Explanation(
                meaning: "Cellular data is not on",
                cause: "The person turned it off, or the system forbids this app to use it.",
                remedy: "Guide the person to Settings to turn it on; a number cannot be proven over Wi-Fi alone."))
        table.explain(
            "102109",
            zh: Explanation(
                meaning: "蜂窝网络连得上但取不到号",
                cause: "号码欠费停机、信号太差，请求没有走蜂窝网络，或该卡、该运营商不支持取号。",
                remedy: "请用户确认话费和流量、关闭 VPN、换个位置再试；不行则改用其他登录方式。"),
            en: Explanation(
                meaning: "Cellular is there, but the number cannot be obtained",
                cause: """
                    The line is suspended for unpaid bills, the signal is too weak, the request left another way, or \
                    SIM or carrier is not served.
                    """,
                remedy: """
                    Ask the person to check balance and data plan, turn off any VPN and try elsewhere; then fall back.
                    """))
        table.explain(
            "102203",
            zh: Explanation(
                meaning: "缺少 appid、appkey 或 capaId",
                cause: "三个必填参数中至少有一个没有传入。",
                remedy: "补全三个参数；从配置读取时要确认发布配置里也有值。"),
            en: Explanation(
                meaning: "appid, appkey or capaId is missing",
                cause: "At least one of the three required parameters was not given.",
                remedy: """
                    Supply all three; if they come from configuration, make sure the release configuration has them \
                    too.
                    """))
        table.explain(
            "102208",
            zh: Explanation(
                meaning: "参数内容有误",
                cause: "参数都在，但某个值的类型、长度或取值不被接受，例如 capaId 不是已开通的能力。",
                remedy: "对照接口说明修正取值；capaId 用应用登记里的能力编号。"),
            en: Explanation(
                meaning: "A parameter's content is wrong",
                cause: """
                    All are present, but a type, a length or a value is not accepted, such as a capaId that was never \
                    granted.
                    """,
                remedy: "Correct the value; take the capaId from the app's registration."))
        table.explain(
            "102210",
            zh: Explanation(
                meaning: "不能使用短信上行方式",
                cause: "设备或系统不允许应用发送短信，这是旧 SDK 短信上行备用流程的限制。",
                remedy: "Benji 没有短信上行，不会返回此码；需要备用方式时用短信验证码登录。"),
            en: Explanation(
                meaning: "The phone cannot send the authentication SMS",
                cause: """
                    The device or system does not let the app send SMS, a limit of the old SDK's SMS-upstream \
                    fallback.
                    """,
                remedy: "Benji has no SMS upstream and does not return this; use login by SMS code as the fallback."))
        table.explain(
            "102301",
            zh: Explanation(
                meaning: "登录被取消",
                cause: "应用调用了 cancel，或用户离开了登录流程。",
                remedy: "恢复登录前的界面即可；不要把它计入失败率。"),
            en: Explanation(
                meaning: "The login was cancelled",
                cause: "The app called cancel or the person left the flow.",
                remedy: "Restore the screen from before; do not count it as a failure."))
        table.explain(
            "102302",
            zh: Explanation(
                meaning: "SDK 没有初始化",
                cause: "在提供应用参数之前就调用了登录方法。",
                remedy: "在启动阶段完成初始化，再允许用户点击登录按钮。"),
            en: Explanation(
                meaning: "The SDK is not initialised",
                cause: "A login method was called before the app's parameters had been given.",
                remedy: "Initialise at launch and enable the login button only afterwards."))
        table.explain(
            "102507",
            zh: Explanation(
                meaning: "等待结果超时",
                cause: "网关或认证服务器在限定时间内没有回复，弱网下较多。",
                remedy: "缩短链路：提前预取号；超时后给出备用方式，不要连续自动重试。"),
            en: Explanation(
                meaning: "Waiting for the result took too long",
                cause: "Gateway or authentication server did not answer in time, mostly on weak networks.",
                remedy: "Prefetch earlier; after a timeout offer the fallback rather than retrying in a loop."))
        table.explain(
            "200002",
            zh: Explanation(
                meaning: "没有可用的 SIM 卡",
                cause: "设备未插卡、SIM 卡停用，或 eSIM 没有激活。",
                remedy: "请用户插卡或启用 eSIM；无卡设备隐藏一键登录入口。"),
            en: Explanation(
                meaning: "No usable SIM",
                cause: "No card is inserted, it is deactivated, or the eSIM is not active.",
                remedy: "Ask for a SIM or an active eSIM; hide one-tap login on devices without one."))
        table.explain(
            "200009",
            zh: Explanation(
                meaning: "包标识与平台登记不符",
                cause: "发起登录的应用 Bundle ID 和平台上为该 appid 填写的值不同。",
                remedy: "把登记改成真实的 Bundle ID；扩展、测试包若也要登录需分别登记。"),
            en: Explanation(
                meaning: "The bundle identifier differs from the registration",
                cause: "The app that logs in has another bundle ID than the platform holds for this appid.",
                remedy: "Correct the registration; register extensions and test builds separately if they log in too."))
        return table.entries
    }
}
