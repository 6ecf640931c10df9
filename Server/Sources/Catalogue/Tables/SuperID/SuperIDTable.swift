import BenjiProtocol

/// Document 003 §9: the code of SuperID's errors.
enum SuperIDTable {
    static func entries() -> [CatalogueEntry] {
        var table = TableWriter(.superID, version: "003")
        table.explain(
            "-1000",
            zh: Explanation(
                meaning: "一登用户登录没有完成",
                cause: "用户放弃、人脸不符、活体动作未通过，或表中没有单独编号的其他原因。",
                remedy: "看调试日志里的情形名，再用 benji explain 查它；始终保留一键登录入口。"),
            en: Explanation(
                meaning: "The SuperID login did not finish",
                cause: "Given up, another face, steps not shown, or a reason that the table does not tell apart.",
                remedy: """
                    Look for the situation's name in the debug log and explain that; always keep one tap at hand.
                    """))
        table.explain(
            "-1001",
            zh: Explanation(
                meaning: "当前网络环境有问题",
                cause: "没有网络、连接失败或超时；第一次识别号码时还需要蜂窝数据。",
                remedy: "提示用户检查网络；首次使用请打开蜂窝数据。"),
            en: Explanation(
                meaning: "The network is in trouble",
                cause: """
                    No network, no connection or no answer in time; the first time mobile data is needed as well.
                    """,
                remedy: "Ask the person to look at the connection; for a first use turn mobile data on."))
        table.explain(
            "-1002",
            zh: Explanation(
                meaning: "当天申请验证码次数已满",
                cause: "属于一登绑定手机号时的短信：超过当天限制。",
                remedy: "Benji 还没有短信通道，不会返回此码；旧流程次日再试。"),
            en: Explanation(
                meaning: "The day's limit of SMS codes is reached",
                cause: "It belonged to the SMS that SuperID sent to bind a number: too many on one day.",
                remedy: "Benji has no SMS sender yet and does not return it; in the old flow try the next day."))
        table.explain(
            "-1003",
            zh: Explanation(
                meaning: "申请验证码失败",
                cause: "属于一登绑定手机号时的短信：没有发出。",
                remedy: "Benji 以本机网络证明号码而不用短信，不会返回此码；旧流程稍后重试。"),
            en: Explanation(
                meaning: "The SMS code could not be requested",
                cause: "It belonged to the SMS that SuperID sent to bind a number: it did not go out.",
                remedy: """
                    Benji proves numbers by the network and not by SMS, and does not return it; in the old flow \
                    retry later.
                    """))
        table.explain(
            "-1004",
            zh: Explanation(
                meaning: "用户不允许访问摄像头",
                cause: "系统的相机权限被拒绝；SDK 随后给出指引。",
                remedy: "弹出说明，引导到“设置-隐私-相机”打开；同时提供其他登录方式。"),
            en: Explanation(
                meaning: "The person does not allow the camera to be used",
                cause: "The system's permission was refused; the SDK shows how to give it.",
                remedy: "Explain and lead to Settings, Privacy, Camera; offer another login besides."))
        table.explain(
            "-1005",
            zh: Explanation(
                meaning: "账号已经绑定另一个 uid",
                cause: "绑定时发现该账号在本应用里对应别的用户；在 Cocoa 列表里同一编号是连接中断。",
                remedy: "用更新 uid 的接口换掉，或先解除绑定。"),
            en: Explanation(
                meaning: "The account is bound to another uid",
                cause: """
                    Binding found that it stands for another user of the app; in Cocoa's list the number is a lost \
                    connection.
                    """,
                remedy: "Replace the uid with the call that updates it, or cancel the binding first."))
        table.explain(
            "-1006",
            zh: Explanation(
                meaning: "一登用户绑定没有完成",
                cause: "uid 已属于别的账号；绑定页面上其余没有单独编号的失败也用它。",
                remedy: "核对 uid；其余原因看调试日志里的情形名。"),
            en: Explanation(
                meaning: "The SuperID binding did not finish",
                cause: """
                    The uid is another account's; a binding also ends in it for every reason without a code of its \
                    own.
                    """,
                remedy: "Check the uid; for other reasons look at the situation in the debug log."))
        table.explain(
            "-1007",
            zh: Explanation(
                meaning: "用户的授权已过期",
                cause: "访问令牌到期且续期凭证也不可用，通常因为用户长时间没有使用。",
                remedy: "请用户重新刷脸登录。"),
            en: Explanation(
                meaning: "The authorisation has expired",
                cause: """
                    The access token is over and its refresh token is too, mostly because the person stayed away for \
                    long.
                    """,
                remedy: "Let the person log in by face again."))
        table.explain(
            "-1008",
            zh: Explanation(
                meaning: "缺少 UID 参数",
                cause: "绑定、查询或更新时没有传入应用用户编号。",
                remedy: "传入非空的 uid 后再调用。"),
            en: Explanation(
                meaning: "The UID is missing",
                cause: "Binding, querying or updating was asked for without the app's user id.",
                remedy: "Call again with a uid that is not empty."))
        table.explain(
            "-1009",
            zh: Explanation(
                meaning: "用户没有授权当前应用",
                cause: "从未授权、已解除，或访问令牌已作废；在 Cocoa 列表里同一编号是没有联网。",
                remedy: "先走登录或绑定流程取得授权。"),
            en: Explanation(
                meaning: "The person has not authorised the present app",
                cause: "Never, no longer, or its access was ended; in Cocoa's list the number means offline.",
                remedy: "Go through login or binding first."))
        table.explain(
            "-1010",
            zh: Explanation(
                meaning: "SDK 版本太旧",
                cause: "服务器不再接受这个版本的接口。",
                remedy: "升级 SDK 后重新发布应用。"),
            en: Explanation(
                meaning: "The SDK is too old",
                cause: "The server no longer takes this version of the wire.",
                remedy: "Bring the SDK up to date and publish the app anew."))
        table.explain(
            "-1011",
            zh: Explanation(
                meaning: "SDK 初始化失败",
                cause: "App ID、App Secret 或 Bundle ID 不符，应用未获准，或服务器没有开启刷脸登录。",
                remedy: "核对三项配置与应用的 face 权限，再调用 retryInitialSuperIDSDK。"),
            en: Explanation(
                meaning: "The SDK could not be initialised",
                cause: """
                    App id, secret or bundle id do not fit, the app is not admitted, or the server has no face login.
                    """,
                remedy: "Compare the three and the app's capability face, then call retryInitialSuperIDSDK."))
        table.explain(
            "-1012",
            zh: Explanation(
                meaning: "没有绑定账号，不能使用人脸属性",
                cause: "人脸属性只对已授权本应用的用户开放。",
                remedy: "先完成登录或绑定，再打开属性页面。"),
            en: Explanation(
                meaning: "Face attributes need a bound account",
                cause: "They are for people who have authorised the app.",
                remedy: "Finish a login or a binding, then open the attributes."))
        table.explain(
            "-1013",
            zh: Explanation(
                meaning: "AppToken 过期，SDK 正在续期",
                cause: "SDK 的通讯凭证到期，已经在自动换取。",
                remedy: "应用无需处理，稍等后再次调用。"),
            en: Explanation(
                meaning: "The app token expired and is being renewed",
                cause: "The SDK's own credential is over and the next one is on its way.",
                remedy: "The app has nothing to do; call again in a moment."))
        table.explain(
            "-1014",
            zh: Explanation(
                meaning: "传入的号码不属于中国地区",
                cause: "登录或绑定时传入的手机号不是中国大陆号码。",
                remedy: "传入 11 位大陆手机号，或传 nil。"),
            en: Explanation(
                meaning: "The number is not of China",
                cause: "What was passed to login or binding is no mobile number of the mainland.",
                remedy: "Pass eleven digits, or nil."))
        table.explain(
            "-1015",
            zh: Explanation(
                meaning: "一登账号已冻结",
                cause: "账号主人或运营方冻结了它，所有操作都会被拒绝。",
                remedy: "由运营方解冻；应用提供其他登录方式。"),
            en: Explanation(
                meaning: "The SuperID account is frozen",
                cause: "Its holder or the operator did that, and everything is refused.",
                remedy: "The operator thaws it; the app offers another login."))
        table.explain(
            "-1016", version: "demo",
            zh: Explanation(
                meaning: "限定时间内没有找到人脸",
                cause: "画面中没有人脸；文档没有此码，来自后来的示例程序。在 Cocoa 列表里同一编号是内容解码失败。",
                remedy: "提示光线与距离后重试。"),
            en: Explanation(
                meaning: "No face was found in time",
                cause: """
                    No frame showed one; the code is in no document but in a later demo. In Cocoa's list the number \
                    is about decoding.
                    """,
                remedy: "Hint at light and distance and retry."))
        return table.entries
    }
}
