import BenjiProtocol

/// Document 004: `errorCode` of OneLogin 1.6.1.
enum OneLoginTable {
    static func entries() -> [CatalogueEntry] {
        var table = TableWriter(.oneLogin, version: "004")
        table.explain(
            "-20101",
            zh: Explanation(
                meaning: "还没有注册应用编号",
                cause: "没有调用 registerWithAppID:，或传入的编号为空。",
                remedy: "在应用启动时用后台申请的编号注册一次，其余调用都放在它之后。"),
            en: Explanation(
                meaning: "No app id has been registered",
                cause: "registerWithAppID: was not called, or was given an empty id.",
                remedy: "Register once at launch with the id from the console, and put every other call after it."))
        table.explain(
            "-20102",
            zh: Explanation(
                meaning: "有一次预取号还没有完成",
                cause: "preGetTokenWithCompletion: 在回调之前被再次调用；注意 2.4.1 起同一个码另有含义。",
                remedy: "等待第一次回调；若多处需要结果，统一由一处预取并共享。"),
            en: Explanation(
                meaning: "A prefetch has not finished yet",
                cause: """
                    preGetTokenWithCompletion: was called again before its callback; since 2.4.1 the code means \
                    something else.
                    """,
                remedy: """
                    Wait for the first callback; where several screens need the result fetch in one place and share it.
                    """))
        table.explain(
            "-20103",
            zh: Explanation(
                meaning: "授权页已经弹出，又请求取号",
                cause: "在授权页关闭之前再次调用了 requestTokenWithViewController:viewModel:completion:。",
                remedy: "用按钮状态挡住连点；需要重来时先 dismissAuthViewController:。"),
            en: Explanation(
                meaning: "The page is up and a token was asked for again",
                cause: "requestTokenWithViewController:viewModel:completion: was called before the page had closed.",
                remedy: """
                    Block double taps with the button's state; to start over call dismissAuthViewController: first.
                    """))
        table.explain(
            "-20202",
            zh: Explanation(
                meaning: "访问不到蜂窝数据网络",
                cause: "蜂窝数据关闭、应用无权使用、没插卡，或请求不是从受支持的移动网络到达网关。",
                remedy: "提示检查蜂窝数据开关、应用权限与欠费；保留其他登录方式。"),
            en: Explanation(
                meaning: "No mobile data network can be reached",
                cause: """
                    Mobile data is off or not allowed, there is no SIM, or the request did not reach the gateway over \
                    a network it serves.
                    """,
                remedy: """
                    Suggest checking the switch, the app's permission and an unpaid bill; keep another login at hand.
                    """))
        table.explain(
            "-20203",
            zh: Explanation(
                meaning: "运营商不在支持之列",
                cause: "网关认出的运营商没有开放，或对这个应用关闭了。",
                remedy: "直接切换到其他登录方式；运营方可在策略中逐个开关运营商。"),
            en: Explanation(
                meaning: "The carrier is not among those supported",
                cause: "The carrier that the gateway found is not open, or is switched off for this app.",
                remedy: """
                    Switch to another login at once; the operator can turn each carrier on and off in the policy.
                    """))
        table.explain(
            "-20204",
            zh: Explanation(
                meaning: "取号凭证无效",
                cause: "没有预取号、结果过期（移动一小时，联通和电信十分钟），或取号之后换了卡。",
                remedy: "调用 preGetTokenWithCompletion: 成功之后立即取号，不要长时间缓存。"),
            en: Explanation(
                meaning: "The prefetch result is not valid",
                cause: """
                    There is none, it ended (one hour with China Mobile, ten minutes with Unicom and Telecom), or the \
                    SIM changed since.
                    """,
                remedy: """
                    Ask for the token soon after preGetTokenWithCompletion: succeeded; do not hold the result for long.
                    """))
        table.explain(
            "-20302",
            zh: Explanation(
                meaning: "用户点返回退出了授权页",
                cause: "授权页左上角的返回或弹窗关闭被点击，页面自动收起；应用取消时也返回它。",
                remedy: "不弹错误提示，回到上一个界面。"),
            en: Explanation(
                meaning: "The person left the page with the back button",
                cause: """
                    Back or the popup's close was tapped and the page took itself away; a cancel by the app returns it \
                    too.
                    """,
                remedy: "Show no alert and return to the screen before."))
        table.explain(
            "-20303",
            zh: Explanation(
                meaning: "用户点了切换账号",
                cause: "用户想换一个账号登录；授权页保持打开，等应用处理。",
                remedy: "打开自己的登录界面，再调用 dismissAuthViewController: 收起授权页。"),
            en: Explanation(
                meaning: "The switch-account button was tapped",
                cause: "The person wants another account; the page stays open for the app to act.",
                remedy: "Open your own login, then take the page away with dismissAuthViewController:."))
        table.explain(
            "-40101",
            zh: Explanation(
                meaning: "移动网关没有给出号码",
                cause: "预取号到达了移动网关，但它不能确定是哪个号码。",
                remedy: "请用户重新联网（例如飞行模式开关一次）后再预取号。"),
            en: Explanation(
                meaning: "China Mobile's gateway gave no number",
                cause: "The prefetch arrived there, but which number it is could not be settled.",
                remedy: "Ask the person to reconnect, with airplane mode on and off for example, and prefetch again."))
        table.explain(
            "-40102",
            zh: Explanation(
                meaning: "移动网关没有签发 token",
                cause: "同意授权之后，移动侧的核对没有通过，例如地址已换了主人。",
                remedy: "收起授权页，重新预取号并再次征得同意。"),
            en: Explanation(
                meaning: "China Mobile's gateway issued no token",
                cause: "After the consent a check failed on its side, such as an address with a new holder.",
                remedy: "Take the page away, prefetch again and ask for consent again."))
        table.explain(
            "-40198",
            zh: Explanation(
                meaning: "移动预取号过程异常",
                cause: "请求没有得到可用的应答：断网、超时、证书或格式不对。",
                remedy: "查看 metaData 里的 Cocoa 错误码，网络恢复后重试一次。"),
            en: Explanation(
                meaning: "The prefetch with China Mobile went wrong",
                cause: "No usable answer came: no network, too slow, a bad certificate or a bad format.",
                remedy: "See the Cocoa code in metaData, and retry once when the network is back."))
        table.explain(
            "-40199",
            zh: Explanation(
                meaning: "移动取号过程异常",
                cause: "换 token 的请求在途中失败，或授权页没有能显示出来。",
                remedy: "重新预取号后再试；若是页面问题，检查传入的控制器与视图模型。"),
            en: Explanation(
                meaning: "Asking China Mobile for the token went wrong",
                cause: "The request failed on its way, or the page could not be shown.",
                remedy: """
                    Prefetch again and retry; if it is the page, check the controller and the view model that were \
                    given.
                    """))
        table.explain(
            "-40201",
            zh: Explanation(
                meaning: "联通网关没有给出号码",
                cause: "联通侧收到了预取号，却没有与之对应的有效号码。",
                remedy: "确认数据流量走联通卡并关闭 VPN，然后重试。"),
            en: Explanation(
                meaning: "China Unicom's gateway gave no number",
                cause: "The prefetch arrived, but no valid number goes with it.",
                remedy: "Make sure that the Unicom SIM carries the data without a VPN, and retry."))
        table.explain(
            "-40202",
            zh: Explanation(
                meaning: "联通网关没有签发 token",
                cause: "联通侧在最后一步拒绝；文档 002 把同一情形记作 -40204。",
                remedy: "从预取号重新走一遍；连续出现时凭 processID 查原因。"),
            en: Explanation(
                meaning: "China Unicom's gateway issued no token",
                cause: "It refused in the last step; document 002 numbers the same -40204.",
                remedy: "Start over with a prefetch; if it repeats look for the reason under the processID."))
        table.explain(
            "-40298",
            zh: Explanation(
                meaning: "联通预取号过程异常",
                cause: "联通网络上的连接失败或应答不完整。",
                remedy: "弱网时延长 setRequestTimeout: 的秒数，再试一次。"),
            en: Explanation(
                meaning: "The prefetch with China Unicom went wrong",
                cause: "The connection over Unicom's network failed or its answer was incomplete.",
                remedy: "Allow more seconds with setRequestTimeout: where the network is weak, and try once more."))
        table.explain(
            "-40299",
            zh: Explanation(
                meaning: "联通取号过程异常",
                cause: "点击登录后连接中断，无法确定 token 是否已经签发。",
                remedy: "这次的预取号不再使用；请用户重新登录。"),
            en: Explanation(
                meaning: "Asking China Unicom for the token went wrong",
                cause: "The connection broke after the tap, and whether a token was issued is not known.",
                remedy: "This prefetch is given up; let the person log in again."))
        table.explain(
            "-40301",
            zh: Explanation(
                meaning: "电信网关没有给出号码",
                cause: "电信侧不能从来源地址认出号码，或号码受限。",
                remedy: "关闭代理、切换网络后重试；失败则提供短信登录。"),
            en: Explanation(
                meaning: "China Telecom's gateway gave no number",
                cause: "It could not tell the number from the address, or the number is restricted.",
                remedy: "Turn proxies off, reconnect and retry; then offer a login by SMS."))
        table.explain(
            "-40302",
            zh: Explanation(
                meaning: "电信网关没有签发 token",
                cause: "同意之后电信侧的检查失败：号码换了主人、SIM 卡变了，或授权记录无效。",
                remedy: "重新走完整流程；检查授权页是否按要求展示了电信的条款。"),
            en: Explanation(
                meaning: "China Telecom's gateway issued no token",
                cause: """
                    A check failed after the consent: another holder of the number, another SIM, or a consent that \
                    does not count.
                    """,
                remedy: "Go through the whole login again, and see that the page shows Telecom's terms as it must."))
        table.explain(
            "-40398",
            zh: Explanation(
                meaning: "电信预取号过程异常",
                cause: "电信链路上没有收到有效应答。",
                remedy: "稍后重试；集中出现时检查网关与防火墙。"),
            en: Explanation(
                meaning: "The prefetch with China Telecom went wrong",
                cause: "No valid answer came over Telecom's link.",
                remedy: "Retry later; if many are hit check gateway and firewall."))
        table.explain(
            "-40399",
            zh: Explanation(
                meaning: "电信取号过程异常",
                cause: "换取 token 时链路出错或超时。",
                remedy: "提示用户网络不稳，重新登录即可。"),
            en: Explanation(
                meaning: "Asking China Telecom for the token went wrong",
                cause: "The link failed or was too slow while the token was fetched.",
                remedy: "Tell the person that the network is unstable; a new login is enough."))
        table.explain(
            "-50100",
            zh: Explanation(
                meaning: "OneLogin 服务返回了异常内容",
                cause: "服务内部故障、过载，或在运营商确定之前应答不合协议。",
                remedy: "稍后再试；自建时先看服务的就绪状态与存储。"),
            en: Explanation(
                meaning: "The OneLogin service returned something abnormal",
                cause: """
                    It has a fault or too much load, or its answer broke the protocol before the carrier was known.
                    """,
                remedy: "Try later; when you host Benji look at readiness and store first."))
        table.explain(
            "-50101",
            zh: Explanation(
                meaning: "OneLogin 服务拒绝了业务请求",
                cause: "应用登记有问题、超出限额，或参数、页面等没有专门编号的原因。",
                remedy: "先核对 AppID 与 Bundle ID；msg 与 processID 指向具体原因。"),
            en: Explanation(
                meaning: "The OneLogin service refused the business",
                cause: "The app's registration or its limits, or an argument or a page that the table has no code for.",
                remedy: "Compare app id and bundle id first; msg and processID lead to the reason."))
        table.explain(
            "-50102",
            zh: Explanation(
                meaning: "到 OneLogin 服务的网络异常",
                cause: "第一次请求没有到达服务，或没有带着应答回来。",
                remedy: "确认手机能上网、系统时间正确；网络恢复后重试。"),
            en: Explanation(
                meaning: "The network to the OneLogin service failed",
                cause: "The first request did not arrive, or came back without an answer.",
                remedy: "Make sure that the phone is online with the right time, and retry once it is."))
        return table.entries
    }
}
