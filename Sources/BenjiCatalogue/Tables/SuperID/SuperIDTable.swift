import BenjiProtocol

/// Document 003 §9: the code of SuperID's errors.
enum SuperIDTable {
    static func entries() -> [CatalogueEntry] {
        var table = TableWriter(.superID, version: "003")
        table.explain(
            "-1000",
            zh: Explanation(
                meaning: "一登用户登录没有完成",
                cause: "属于一登的刷脸登录：用户放弃、比对失败或其他未细分的原因。",
                remedy: "Benji 目前没有刷脸登录，不会返回此码；迁移前的应用请保留其他登录入口。"),
            en: Explanation(
                meaning: "The SuperID login did not finish",
                cause: "It belonged to SuperID's login by face: given up, no match, or a reason not told apart.",
                remedy: "Benji has no login by face so far and does not return it; keep another login in the app."))
        table.explain(
            "-1001",
            zh: Explanation(
                meaning: "当前网络环境有问题",
                cause: "属于一登 SDK 到其服务器的网络；在 Cocoa 列表里同一编号是请求超时。",
                remedy: "Benji 不连接一登的服务器，一登列表里不会返回此码；旧 SDK 中恢复网络。"),
            en: Explanation(
                meaning: "The network is in trouble",
                cause: """
                    It belonged to the way from SuperID's SDK to its server; in Cocoa's list the number is a time-out.
                    """,
                remedy: """
                    Benji does not talk to SuperID's server and does not return it in SuperID's list; in the old SDK \
                    restore the network.
                    """))
        table.explain(
            "-1002",
            zh: Explanation(
                meaning: "当天申请验证码次数已满",
                cause: "属于一登绑定手机号时的短信：超过当天限制。",
                remedy: "Benji 目前不替一登发短信，不会返回此码；旧流程次日再试。"),
            en: Explanation(
                meaning: "The day's limit of SMS codes is reached",
                cause: "It belonged to the SMS that SuperID sent to bind a number: too many on one day.",
                remedy: "Benji sends no SMS for SuperID and does not return it; in the old flow try the next day."))
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
                    Benji proves numbers by the network and not by SMS, and does not return it; in the old flow retry \
                    later.
                    """))
        table.explain(
            "-1004",
            zh: Explanation(
                meaning: "用户不允许使用摄像头",
                cause: "属于一登的刷脸页面：系统的相机权限被拒绝。",
                remedy: "Benji 的登录不用摄像头，不会返回此码；旧应用引导用户到设置中打开相机。"),
            en: Explanation(
                meaning: "The person does not allow the camera",
                cause: "It belonged to SuperID's face page: the system's camera permission was refused.",
                remedy: """
                    A login with Benji uses no camera and does not return it; an old app leads the person to Settings.
                    """))
        table.explain(
            "-1005",
            zh: Explanation(
                meaning: "一登账号已绑定其他用户",
                cause: "属于一登的账号绑定：同一账号在本应用已对应另一个 uid。",
                remedy: "Benji 目前没有一登账号，不会返回此码；旧应用先解除原来的绑定。"),
            en: Explanation(
                meaning: "The SuperID account is bound to another uid",
                cause: "It belonged to SuperID's binding: within the app the account has another user.",
                remedy: """
                    Benji has no SuperID accounts so far and does not return it; in an old app end the other binding \
                    first.
                    """))
        table.explain(
            "-1006",
            zh: Explanation(
                meaning: "绑定操作失败",
                cause: "属于一登的账号绑定：请求没有完成。",
                remedy: "Benji 没有这项绑定，不会返回此码；旧应用重试一次。"),
            en: Explanation(
                meaning: "The binding failed",
                cause: "It belonged to SuperID's binding: the request did not end.",
                remedy: "Benji has no such binding and does not return it; an old app retries once."))
        table.explain(
            "-1007",
            zh: Explanation(
                meaning: "应用授权已过期",
                cause: "属于一登的 OAuth 授权：用户对应用的授权过了有效期。",
                remedy: "Benji 的 token 过期各有编号，一登列表里不会返回此码；旧应用请用户重新授权。"),
            en: Explanation(
                meaning: "The app's authorisation has expired",
                cause: "It belonged to SuperID's OAuth: what the person granted the app is past its time.",
                remedy: """
                    Benji has codes of its own for expiry and does not return it in SuperID's list; an old app asks \
                    the person anew.
                    """))
        table.explain(
            "-1008",
            zh: Explanation(
                meaning: "缺少 UID 参数",
                cause: "属于一登的绑定与查询接口：没有传入应用用户编号。",
                remedy: "Benji 没有这些接口，不会返回此码；旧应用传入非空的 uid。"),
            en: Explanation(
                meaning: "The UID is missing",
                cause: "It belonged to SuperID's calls that bind and query: no user id of the app was given.",
                remedy: """
                    Benji has none of those calls and does not return it; an old app gives a uid that is not empty.
                    """))
        table.explain(
            "-1009",
            zh: Explanation(
                meaning: "用户没有授权当前应用",
                cause: "属于一登的授权状态；在 Cocoa 列表里同一编号是没有联网。",
                remedy: "Benji 目前没有一登授权，一登列表里不会返回此码；旧应用先走授权流程。"),
            en: Explanation(
                meaning: "The person has not authorised the app",
                cause: "It belonged to the state of SuperID's authorisation; in Cocoa's list the number means offline.",
                remedy: """
                    Benji has no SuperID authorisation so far and does not return it in SuperID's list; an old app \
                    asks for it first.
                    """))
        table.explain(
            "-1010",
            zh: Explanation(
                meaning: "SDK 版本过期",
                cause: "属于一登服务器对旧版 SDK 的拒绝。",
                remedy: "Benji 不拒绝旧版一登 SDK，不会返回此码；旧应用请升级 SDK。"),
            en: Explanation(
                meaning: "The SDK is too old",
                cause: "It belonged to SuperID's server, which turned old releases away.",
                remedy: "Benji turns no SuperID SDK away and does not return it; bring the old app's SDK up to date."))
        table.explain(
            "-1011",
            zh: Explanation(
                meaning: "SDK 初始化失败",
                cause: "属于一登的启动过程：AppID、AppSecret 或 Bundle ID 不符，或服务器不可达。",
                remedy: "Benji 的启动不联网，一登列表里不会返回此码；旧应用核对三项配置。"),
            en: Explanation(
                meaning: "The SDK could not be initialised",
                cause: "It belonged to SuperID's start: app id, secret or bundle ID do not fit, or no server.",
                remedy: """
                    Benji starts without the network and does not return it in SuperID's list; an old app compares the \
                    three.
                    """))
        table.explain(
            "-1012",
            zh: Explanation(
                meaning: "没有绑定账号，不能使用人脸属性",
                cause: "属于一登的权限限制：人脸属性只对已绑定用户开放。",
                remedy: "Benji 目前没有人脸属性，不会返回此码；旧应用先完成绑定。"),
            en: Explanation(
                meaning: "Face attributes need a bound account",
                cause: "It belonged to SuperID's rules: attributes are for bound users only.",
                remedy: "Benji has no face attributes so far and does not return it; an old app binds first."))
        table.explain(
            "-1013",
            zh: Explanation(
                meaning: "AppToken 过期，正在自动续期",
                cause: "属于一登 SDK 内部的通讯凭证，应用无需处理。",
                remedy: "Benji 没有 AppToken，不会返回此码；旧应用稍等后再次调用。"),
            en: Explanation(
                meaning: "The app token expired and is being renewed",
                cause: "It belonged to the inner credential of SuperID's SDK; the app has nothing to do.",
                remedy: "Benji has no app token and does not return it; an old app waits a moment and calls again."))
        table.explain(
            "-1014",
            zh: Explanation(
                meaning: "号码不属于中国地区",
                cause: "属于一登的绑定接口：传入的手机号必须是中国号码。",
                remedy: "Benji 不从应用接收要登录的号码，不会返回此码；旧应用检查传入的号码。"),
            en: Explanation(
                meaning: "The number is not of China",
                cause: "It belonged to SuperID's binding, which takes Chinese numbers only.",
                remedy: """
                    Benji takes no number from the app to log in with and does not return it; an old app checks what \
                    it passes.
                    """))
        table.explain(
            "-1015",
            zh: Explanation(
                meaning: "一登账号已冻结",
                cause: "属于一登的账号安全：账号被冻结后不能操作。",
                remedy: "Benji 目前没有可冻结的一登账号，不会返回此码；旧应用请用户按一登的流程解冻。"),
            en: Explanation(
                meaning: "The SuperID account is frozen",
                cause: "It belonged to the security of SuperID accounts: a frozen one can do nothing.",
                remedy: """
                    Benji has no SuperID account to freeze and does not return it; an old app sends the person through \
                    SuperID's unfreezing.
                    """))
        table.explain(
            "-1016", version: "demo",
            zh: Explanation(
                meaning: "限定时间内没有找到人脸",
                cause: "属于一登后来的示例程序，文档没有列出；在 Cocoa 列表里同一编号是内容解码失败。",
                remedy: "Benji 目前没有人脸采集，一登列表里不会返回此码；旧应用提示光线与距离后重试。"),
            en: Explanation(
                meaning: "No face was found in time",
                cause: """
                    It belonged to SuperID's later demo and is in no document; in Cocoa's list the number is about \
                    decoding.
                    """,
                remedy: """
                    Benji captures no faces so far and does not return it in SuperID's list; an old app hints at light \
                    and distance and retries.
                    """))
        return table.entries
    }
}
