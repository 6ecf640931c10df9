import BenjiProtocol

/// Document 002: `errorCode` when GeYan itself, and not a carrier, says what failed.
enum GeYanBusinessTable {
    static func entries() -> [CatalogueEntry] {
        var table = TableWriter(.geyanBusiness, version: "002")
        table.explain(
            "-20101",
            zh: Explanation(
                meaning: "调用之前没有设置应用编号",
                cause: "SDK 启动时没有传入 AppID，或传入的是空字符串。",
                remedy: "在应用启动处调用初始化并核对传入的值，之后再允许登录。"),
            en: Explanation(
                meaning: "No app id was set before the call",
                cause: "The SDK was started without an AppID, or with an empty string.",
                remedy: "Start the SDK at launch, check the value that goes in, and allow logins only afterwards."))
        table.explain(
            "-20102",
            zh: Explanation(
                meaning: "上一次预登录还没有返回",
                cause: "前一次 preGetToken 尚未回调，应用又调用了一次。",
                remedy: "不必重试：等第一次的回调即可；用一个标志位避免并发调用。"),
            en: Explanation(
                meaning: "The pre-login before has not returned yet",
                cause: "preGetToken was called again before its callback.",
                remedy: "No retry is needed: wait for the first callback, and guard the call with a flag."))
        table.explain(
            "-20103",
            zh: Explanation(
                meaning: "授权页已经打开，又一次请求认证",
                cause: "登录按钮被连点，或两处代码同时拉起授权页。",
                remedy: "忽略第二次；在回调之前禁用按钮，失败后用 closeAuthVC 收起页面再重来。"),
            en: Explanation(
                meaning: "A login was asked for while the page is open",
                cause: "The button was tapped twice, or two places open the page at once.",
                remedy: """
                    Ignore the second one; disable the button until the callback, and close with closeAuthVC before a \
                    new try.
                    """))
        table.explain(
            "-20202",
            zh: Explanation(
                meaning: "没有可用的蜂窝数据",
                cause: "数据开关关闭、应用被禁止使用蜂窝数据、没有 SIM 卡，或请求没有从运营商网络发出。",
                remedy: "引导用户在系统设置里打开蜂窝数据并允许本应用；不需要关闭 Wi-Fi。"),
            en: Explanation(
                meaning: "There is no usable mobile data",
                cause: """
                    It is off or not allowed for the app, there is no SIM, or the request did not leave over the \
                    carrier's network.
                    """,
                remedy: "Guide the person to Settings to turn mobile data on for the app; Wi-Fi may stay on."))
        table.explain(
            "-20203",
            zh: Explanation(
                meaning: "这张卡所属的运营商不受支持",
                cause: "号码不属于已开放的运营商，或运营商在服务端对本应用关闭。",
                remedy: "对这类用户直接给出其他登录方式；自建时检查策略里该运营商是否开启。"),
            en: Explanation(
                meaning: "The SIM's carrier is not supported",
                cause: """
                    The number belongs to no carrier that is open here, or the server has this carrier switched off \
                    for the app.
                    """,
                remedy: """
                    Show such people another login at once; when you host Benji see whether the policy has the carrier \
                    on.
                    """))
        table.explain(
            "-20204",
            zh: Explanation(
                meaning: "没有可用的预登录结果就请求认证",
                cause: "没有先预登录、结果已超过十分钟、已经用过一次，或换了 SIM 卡。",
                remedy: "先调用 preGetToken 并等它成功；每次认证前都要有新的结果。"),
            en: Explanation(
                meaning: "A login was asked for without a usable pre-login",
                cause: "There was none, it is older than its ten minutes, it was used before, or the SIM changed.",
                remedy: "Call preGetToken and wait for success; every login needs a new result."))
        table.explain(
            "-20302",
            zh: Explanation(
                meaning: "用户按返回键离开了授权页",
                cause: "用户点了返回或关闭，页面已自动关闭；应用主动取消也用这个码。",
                remedy: "不要提示错误；保留登录入口，由用户自己决定是否再来。"),
            en: Explanation(
                meaning: "The person went back from the page",
                cause: """
                    Back or close was tapped and the page has closed itself; a cancel by the app has this code too.
                    """,
                remedy: "Show no error; leave the login where it is and let the person decide."))
        table.explain(
            "-20303",
            zh: Explanation(
                meaning: "用户在授权页选择切换账号",
                cause: "用户不想用本机号码登录，点了切换按钮；页面不会自己关闭。",
                remedy: "跳转到其他登录界面，之后由应用关闭授权页。"),
            en: Explanation(
                meaning: "The person chose to switch accounts on the page",
                cause: "Not this number: the switch button was tapped, and the page does not close by itself.",
                remedy: "Go to your other login and close the page from the app."))
        table.explain(
            "-40101",
            zh: Explanation(
                meaning: "中国移动拒绝给出脱敏号码",
                cause: "网关收到了预登录请求，但无法确认移动号码：地址过期、一址多人，或号码段不支持。",
                remedy: "切换一次飞行模式后再预登录；物联网卡等号码请改用其他方式。"),
            en: Explanation(
                meaning: "China Mobile refused the masked number",
                cause: """
                    The gateway got the pre-login and could not be sure of the number: a stale or shared address, or a \
                    range that is excluded.
                    """,
                remedy: """
                    Switch airplane mode on and off and pre-login again; for IoT cards and the like use another login.
                    """))
        table.explain(
            "-40102",
            zh: Explanation(
                meaning: "中国移动拒绝签发 token",
                cause: "用户同意之后，网关发现移动号码与预登录时不符，或授权记录没有通过检查。",
                remedy: "关闭页面，从预登录重新开始；不要拿旧结果再试。"),
            en: Explanation(
                meaning: "China Mobile refused the token",
                cause: """
                    After the consent the gateway found another subscription than before, or the consent did not pass \
                    its checks.
                    """,
                remedy: "Close the page and start again with a pre-login; do not retry with the old result."))
        table.explain(
            "-40198",
            zh: Explanation(
                meaning: "向中国移动预登录时没有得到有效应答",
                cause: "蜂窝网络中断、超时，或应答被改写，请求可能没有到达移动网关。",
                remedy: "检查信号后重试一次；把预登录提前到进入登录页之前。"),
            en: Explanation(
                meaning: "No valid answer came from China Mobile during the pre-login",
                cause: """
                    The mobile line broke or was too slow, or the answer was rewritten; the request may not have \
                    arrived.
                    """,
                remedy: "Check the signal and retry once; move the pre-login ahead of your login page."))
        table.explain(
            "-40199",
            zh: Explanation(
                meaning: "向中国移动换取 token 时没有得到有效应答",
                cause: "点下登录按钮之后断网或超时，结果不明，这次预登录不再使用。",
                remedy: "提示网络不稳，重新预登录后再点一次登录。"),
            en: Explanation(
                meaning: "No valid answer came from China Mobile for the token",
                cause: """
                    The line broke or was too slow after the tap; the outcome is not known and this pre-login is given \
                    up.
                    """,
                remedy: "Say that the network is unstable; pre-login again and let the person tap once more."))
        table.explain(
            "-40201",
            zh: Explanation(
                meaning: "中国联通拒绝给出脱敏号码",
                cause: "联通网关无法确认这个地址背后的号码，或该号码不允许取号。",
                remedy: "确认流量走的是联通卡，关闭代理后重试；否则换一种登录方式。"),
            en: Explanation(
                meaning: "China Unicom refused the masked number",
                cause: "Its gateway is not sure whose address this is, or the number may not log in.",
                remedy: """
                    Make sure that the data goes over the Unicom SIM without a proxy and retry, or use another login.
                    """))
        table.explain(
            "-40204",
            zh: Explanation(
                meaning: "中国联通拒绝签发 token",
                cause: "文档 002 的编号；文档 004 对同一情形用 -40202。预登录之后号码归属变了，或授权记录不被接受。",
                remedy: "重新预登录一次；若刚换过卡，等几分钟再试。"),
            en: Explanation(
                meaning: "China Unicom refused the token",
                cause: """
                    This number is document 002's; 004 uses -40202 for the same. The subscription changed, or the \
                    consent was not accepted.
                    """,
                remedy: "Pre-login once more; if the SIM was just changed wait a few minutes."))
        table.explain(
            "-40298",
            zh: Explanation(
                meaning: "向中国联通预登录时没有得到有效应答",
                cause: "联通网络上的请求超时、断开，或返回了无法识别的内容。",
                remedy: "换个信号更好的位置重试；超时设置不要低于三秒。"),
            en: Explanation(
                meaning: "No valid answer came from China Unicom during the pre-login",
                cause: "The request over Unicom's network was too slow, broke, or brought something unreadable.",
                remedy: "Retry where the signal is better, and allow at least three seconds."))
        table.explain(
            "-40299",
            zh: Explanation(
                meaning: "向中国联通换取 token 时没有得到有效应答",
                cause: "用户同意之后与联通网关的连接出了问题，服务端是否已处理无从得知。",
                remedy: "放弃这次结果，从预登录开始新的一次。"),
            en: Explanation(
                meaning: "No valid answer came from China Unicom for the token",
                cause: """
                    The connection to Unicom's gateway failed after the consent, and whether it was served cannot be \
                    known.
                    """,
                remedy: "Drop this attempt and begin a new one with a pre-login."))
        table.explain(
            "-40301",
            zh: Explanation(
                meaning: "中国电信拒绝给出脱敏号码",
                cause: "电信网关收到请求，但地址对应不到唯一的号码，或号码不在可登录范围。",
                remedy: "关闭 VPN 和加速器后重试；仍失败就让用户用短信登录。"),
            en: Explanation(
                meaning: "China Telecom refused the masked number",
                cause: """
                    Its gateway got the request, yet the address leads to no single number, or the number may not log \
                    in.
                    """,
                remedy: "Turn VPNs and accelerators off and retry; if it still fails let the person log in by SMS."))
        table.explain(
            "-40302",
            zh: Explanation(
                meaning: "中国电信拒绝签发 token",
                cause: "换取 token 时电信侧的检查没有通过：换过卡、结果已用过，或授权页内容不符。",
                remedy: "核对授权页没有被遮挡或改写，再完整地走一遍流程。"),
            en: Explanation(
                meaning: "China Telecom refused the token",
                cause: "A check failed on Telecom's side: another SIM, a used result, or a page that does not fit.",
                remedy: "Make sure that the page is not covered or altered, and go through the whole login again."))
        table.explain(
            "-40398",
            zh: Explanation(
                meaning: "向中国电信预登录时没有得到有效应答",
                cause: "电信蜂窝链路不可用或过慢，手机没有收到完整的应答。",
                remedy: "稍后再试；若所有电信用户都失败，检查网关地址是否可达。"),
            en: Explanation(
                meaning: "No valid answer came from China Telecom during the pre-login",
                cause: "Telecom's mobile link is down or too slow, and no complete answer reached the phone.",
                remedy: "Try later; if all of Telecom's users fail, see whether the gateway can be reached."))
        table.explain(
            "-40399",
            zh: Explanation(
                meaning: "向中国电信换取 token 时没有得到有效应答",
                cause: "点登录后链路中断，SDK 不会重复提交同一份授权。",
                remedy: "让用户再登录一次；SDK 会重新取号并重新征得同意。"),
            en: Explanation(
                meaning: "No valid answer came from China Telecom for the token",
                cause: "The link broke after the tap, and the SDK does not submit the same consent twice.",
                remedy: "Let the person log in once more; the number is fetched and the consent asked for again."))
        table.explain(
            "-50100",
            zh: Explanation(
                meaning: "一键登录服务的应答异常",
                cause: "还不知道运营商时收到了不合协议的应答，或服务端内部故障、过载。",
                remedy: "稍后重试；自建时查看服务日志和健康检查。"),
            en: Explanation(
                meaning: "The login service answered abnormally",
                cause: """
                    Before the carrier was known an answer broke the protocol, or the service has a fault or too much \
                    load.
                    """,
                remedy: "Retry later; when you host Benji look at its log and health checks."))
        table.explain(
            "-50101",
            zh: Explanation(
                meaning: "一键登录服务拒绝了这个请求",
                cause: "应用未登记、被停用、密钥或包名不符、超出限额，或没有更具体编号的其他拒绝。",
                remedy: "核对应用编号、密钥与 Bundle ID 的登记；按 processID 查看具体原因。"),
            en: Explanation(
                meaning: "The login service refused the request",
                cause: """
                    The app is unknown, suspended, over its limits, has another key or bundle id, or was refused for \
                    what has no code of its own.
                    """,
                remedy: """
                    Compare app id, key and bundle id with the registration, and see the reason under the processID.
                    """))
        table.explain(
            "-50102",
            zh: Explanation(
                meaning: "连不上一键登录服务",
                cause: "第一次取号时网络中断、超时或证书不可信，运营商尚未确定。",
                remedy: "检查网络与系统时间；用抓包代理调试时应关闭代理，不要关闭证书校验。"),
            en: Explanation(
                meaning: "The login service could not be reached",
                cause: """
                    The line broke, was too slow or had an untrusted certificate during the first request, before the \
                    carrier was known.
                    """,
                remedy: "Check network and clock; stop a debugging proxy instead of turning certificate checks off."))
        return table.entries
    }
}
