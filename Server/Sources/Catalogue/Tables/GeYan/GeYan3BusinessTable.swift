import BenjiProtocol

/// GeYan's SDK since 3.0: `errorCode`.
enum GeYan3BusinessTable {
    static func entries() -> [CatalogueEntry] {
        var table = TableWriter(.geyan3Business, version: "3.0")
        table.explain(
            "0",
            zh: Explanation(
                meaning: "没有错误",
                cause: "这一步成功，具体是哪一步看 code 所在的回调。",
                remedy: "使用回调里的字段即可。"),
            en: Explanation(
                meaning: "No error",
                cause: "The step succeeded; which one is told by the callback that it came with.",
                remedy: "Use the members of the callback."))
        table.explain(
            "-10000",
            zh: Explanation(
                meaning: "SDK 还没有启动",
                cause: "没有调用启动接口就使用了其他接口。",
                remedy: "先启动 SDK，再预登录或登录。"),
            en: Explanation(
                meaning: "The SDK has not been started",
                cause: "Another call was made before the start.",
                remedy: "Start the SDK first, then pre-login or log in."))
        table.explain(
            "-10001",
            zh: Explanation(
                meaning: "SDK 启动失败",
                cause: "属于厂商 SDK 的启动请求：向其服务器登记设备没有成功。",
                remedy: "Benji 启动时不发网络请求，不会返回此码；旧 SDK 中查看 msg。"),
            en: Explanation(
                meaning: "Starting the SDK failed",
                cause: """
                    It belonged to the vendor SDK's request at its start, which registers the device with its server.
                    """,
                remedy: "Benji sends nothing at the start and does not return it; in the old SDK read msg."))
        table.explain(
            "-10003",
            zh: Explanation(
                meaning: "请求在限定时间内没有完成",
                cause: "蜂窝网络慢，或设置的超时过短。",
                remedy: "检查信号后重试；预登录与登录的超时分开设置。"),
            en: Explanation(
                meaning: "The request did not end in the time allowed",
                cause: "Mobile data is slow or the time-out is too short.",
                remedy: "Check the signal and retry; pre-login and login have a time-out each."))
        table.explain(
            "-10006",
            zh: Explanation(
                meaning: "上一个请求还在进行",
                cause: "同类调用在回调之前被再次发起。",
                remedy: "等回调再调用；不需要为这个错误提示用户。"),
            en: Explanation(
                meaning: "The request before is still running",
                cause: "The same kind of call was made again before its callback.",
                remedy: "Wait for the callback; the person need not hear of this."))
        table.explain(
            "-10009",
            zh: Explanation(
                meaning: "3.0 没有单独编号的其他错误",
                cause: "网络中断、证书不受信任，或设备密钥不可用。",
                remedy: "看 msg 与 metadata 里的细节，恢复网络后重试一次。"),
            en: Explanation(
                meaning: "Another error that 3.0 has no number for",
                cause: "The line broke, a certificate was not trusted, or the device key cannot be used.",
                remedy: "See the details in msg and metadata, and retry once when the network is back."))
        table.explain(
            "-10010",
            zh: Explanation(
                meaning: "操作过于频繁",
                cause: "该应用或该号码的请求超过频率限制；厂商只在号码校验时用它。",
                remedy: "放慢节奏，在一次回调之前不再发起新的请求。"),
            en: Explanation(
                meaning: "Asked too often",
                cause: """
                    The app's or the number's requests are over the rate limit; the vendor uses it for verification \
                    only.
                    """,
                remedy: "Slow down and start nothing new before a callback."))
        table.explain(
            "-10011",
            zh: Explanation(
                meaning: "今天的次数已经用完",
                cause: "应用的每日额度用尽；厂商只在号码校验时用它。",
                remedy: "提高额度，或等到第二天；先给出其他登录方式。"),
            en: Explanation(
                meaning: "Today's number of calls is used up",
                cause: "The app's quota of the day is gone; the vendor uses it for verification only.",
                remedy: "Raise the quota or wait for the next day, and offer another login meanwhile."))
        table.explain(
            "-20100",
            zh: Explanation(
                meaning: "传入的参数不对",
                cause: "控制器为空、视图不在列表里，或超时等参数超出范围。",
                remedy: "对照接口说明检查每个参数，尤其是控制器与子视图列表。"),
            en: Explanation(
                meaning: "An argument is not right",
                cause: """
                    The controller is nil, a view is not on the list, or a time-out or another value is out of range.
                    """,
                remedy: "Check each argument against the documentation, controller and list of views first."))
        table.explain(
            "-20101",
            zh: Explanation(
                meaning: "应用编号为空",
                cause: "启动时没有给出编号；这张表与 3.0 之前含义相同，与 OneLogin 2.4.1 略有差别。",
                remedy: "填写后台的应用编号。"),
            en: Explanation(
                meaning: "The app id is empty",
                cause: "None was given at the start; it meant the same before 3.0 and nearly so in OneLogin 2.4.1.",
                remedy: "Fill in the app id from the console."))
        table.explain(
            "-20102",
            zh: Explanation(
                meaning: "应用编号无效，或密钥、标识不符",
                cause: "服务器没有登记这个编号，或登记的密钥、Bundle ID 与应用的不同；3.0 之前这个码表示重复预登录。",
                remedy: "核对编号、密钥、Bundle ID 与环境。"),
            en: Explanation(
                meaning: "The app id is not valid, or key or identity differ",
                cause: """
                    The server does not know the id, or key or bundle ID are not those registered; before 3.0 the code \
                    was a second pre-login.
                    """,
                remedy: "Compare id, key, bundle ID and environment."))
        table.explain(
            "-20104",
            zh: Explanation(
                meaning: "没有有效的预登录结果",
                cause: "没有预登录、结果过期或已用过，或期间换了 SIM 卡。",
                remedy: "先预登录成功，再打开自己绘制的授权页。"),
            en: Explanation(
                meaning: "There is no valid pre-login",
                cause: "There was none, it is too old or used, or the SIM was changed meanwhile.",
                remedy: "Pre-login with success before you open the page that you draw."))
        table.explain(
            "-20200",
            zh: Explanation(
                meaning: "没有网络可用",
                cause: "手机离线。",
                remedy: "恢复网络后再试，期间不要循环重试。"),
            en: Explanation(
                meaning: "No network is available",
                cause: "The phone is offline.",
                remedy: "Try again once it is online, and do not loop meanwhile."))
        table.explain(
            "-20201",
            zh: Explanation(
                meaning: "没有插电话卡",
                cause: "没有可用的 SIM 或 eSIM。",
                remedy: "不显示一键登录入口。"),
            en: Explanation(
                meaning: "There is no SIM in the phone",
                cause: "No usable SIM or eSIM was found.",
                remedy: "Do not show the one-tap login."))
        table.explain(
            "-20202",
            zh: Explanation(
                meaning: "没有打开蜂窝数据（3.0）",
                cause: "数据开关关闭，或应用没有蜂窝权限。",
                remedy: "提示打开数据与权限；Wi-Fi 不影响。"),
            en: Explanation(
                meaning: "Mobile data is not on, as 3.0 says",
                cause: "Its switch is off, or the app has no permission for it.",
                remedy: "Suggest turning data and permission on; Wi-Fi does no harm."))
        table.explain(
            "-20203",
            zh: Explanation(
                meaning: "运营商不受支持（3.0）",
                cause: "网关认出的运营商没有开放。",
                remedy: "换其他方式；运营方检查策略里的运营商开关。"),
            en: Explanation(
                meaning: "The carrier is not supported, as 3.0 says",
                cause: "The carrier that the gateway found is not open.",
                remedy: "Use another way; the operator looks at the carrier's switch in the policy."))
        table.explain(
            "-20301",
            zh: Explanation(
                meaning: "离开了授权页",
                cause: "用户返回，或应用自己收起了授权页；3.0 之前为 -20302。",
                remedy: "当作取消处理，清理自己绘制的视图。"),
            en: Explanation(
                meaning: "The page was left",
                cause: "The person went back, or the app took the page away; before 3.0 it was -20302.",
                remedy: "Treat it as cancelled and clean the views that you drew up."))
        table.explain(
            "-20303",
            zh: Explanation(
                meaning: "点击了切换登录方式",
                cause: "用户在授权页选择其他方式；自绘页面由应用自己处理这个按钮。",
                remedy: "收起授权页并打开其他登录界面。"),
            en: Explanation(
                meaning: "Another way to log in was tapped",
                cause: "The person chose so on the page; on a page that the app draws the button is the app's own.",
                remedy: "Take the page away and open your other login."))
        table.explain(
            "-20304",
            zh: Explanation(
                meaning: "授权页没有通过检查或打不开",
                cause: "自绘页面缺少号码、标语、登录按钮、勾选框或条款，或它们被遮挡、改写；也包括无法弹出。",
                remedy: "按 msg 指出的视图修正布局，五个必需的视图都要可见。"),
            en: Explanation(
                meaning: "The page did not pass its checks or cannot be opened",
                cause: """
                    The drawn page lacks number, slogan, button, checkbox or terms, or hides or alters them; or it \
                    could not be shown.
                    """,
                remedy: "Correct the view that msg names; all five must be visible."))
        table.explain(
            "-20305",
            zh: Explanation(
                meaning: "没有同意协议就要登录",
                cause: "勾选框没有勾选，或同意的记录不完整。",
                remedy: "提示用户先阅读并勾选，再点登录。"),
            en: Explanation(
                meaning: "A login without the agreement",
                cause: "The box was not ticked, or the record of the consent is incomplete.",
                remedy: "Ask the person to read and tick first, then to tap."))
        table.explain(
            "-20500",
            zh: Explanation(
                meaning: "取不到运营商的应用编号",
                cause: "属于厂商的下发配置：三家运营商各自的编号没有拿到。",
                remedy: "Benji 只有一个应用编号，不会返回此码；旧 SDK 请重启应用。"),
            en: Explanation(
                meaning: "The carriers' app ids could not be fetched",
                cause: """
                    It belonged to the vendor's configuration from its server: an id for each of the three carriers.
                    """,
                remedy: "Benji has one app id for all and does not return it; with the old SDK restart the app."))
        table.explain(
            "-30001",
            zh: Explanation(
                meaning: "服务端返回的其他错误",
                cause: "服务端拒绝了请求而没有更具体的编号，例如应用停用、内部故障。",
                remedy: "看 msg，并凭流水号在服务端查明原因。"),
            en: Explanation(
                meaning: "Another error from the server",
                cause: """
                    The server refused for something without its own number, such as a suspended app or an inner fault.
                    """,
                remedy: "Read msg, and find the reason on the server under the process id."))
        table.explain(
            "-40001",
            zh: Explanation(
                meaning: "运营商侧的错误",
                cause: "网关认不出号码或号码受限；3.0 之前按运营商分为 -40101、-40201、-40301。",
                remedy: "关闭代理、重新联网再试；metadata 里有运营商自己的编号。"),
            en: Explanation(
                meaning: "An error on the carrier's side",
                cause: """
                    The gateway cannot tell the number, or it is restricted; before 3.0 there was a code per carrier: \
                    -40101, -40201, -40301.
                    """,
                remedy: "Turn proxies off, reconnect and retry; metadata holds the carrier's own code."))
        return table.entries
    }
}
