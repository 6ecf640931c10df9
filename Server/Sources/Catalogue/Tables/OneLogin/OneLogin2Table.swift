import BenjiProtocol

/// OneLogin 2.4.1: `errorCode`, renumbered since document 004.
enum OneLogin2Table {
    static func entries() -> [CatalogueEntry] {
        var table = TableWriter(.oneLogin2, version: "2.4.1")
        table.explain(
            "-20101",
            zh: Explanation(
                meaning: "应用编号无效（2.4.1）",
                cause: "没有注册编号，或服务器不认识它。",
                remedy: "核对注册时传入的编号；Benji 以 1.6.1 的列表作答，不会返回此码。"),
            en: Explanation(
                meaning: "The app id is not valid, as 2.4.1 says",
                cause: "None was registered, or the server does not know it.",
                remedy: "Compare the id given at registration. Benji answers by 1.6.1's list and does not return it."))
        table.explain(
            "-20102",
            zh: Explanation(
                meaning: "没有有效的预取号结果就取号",
                cause: "没有预取号、结果过期或已失效；1.6.1 里同一个码表示重复预取号。",
                remedy: "先完成预取号；使用 OneLoginPro 时等它自己准备好；Benji 以 1.6.1 的列表作答，不会返回此码。"),
            en: Explanation(
                meaning: "A token was asked for without a valid prefetch",
                cause: "There is none, or it has ended; in 1.6.1 the same code was a second prefetch.",
                remedy: """
                    Prefetch first; with OneLoginPro wait until it is ready by itself. Benji answers by 1.6.1's list \
                    and does not return it.
                    """))
        table.explain(
            "-20105",
            zh: Explanation(
                meaning: "弹出授权页失败或超时",
                cause: "界面没有准备好，或处在分屏中。",
                remedy: "在控制器出现之后、全屏状态下再调用；Benji 以 1.6.1 的列表作答，不会返回此码。"),
            en: Explanation(
                meaning: "The page did not come up in time",
                cause: "The screen was not ready, or the app is in split view.",
                remedy: """
                    Call after the controller has appeared, with the whole screen. Benji answers by 1.6.1's list and \
                    does not return it.
                    """))
        table.explain(
            "-20106",
            zh: Explanation(
                meaning: "预取号之后换了卡",
                cause: "发起取号时的号码与预取号时不是同一个。",
                remedy: "重新预取号，让用户确认新的脱敏号码；Benji 以 1.6.1 的列表作答，不会返回此码。"),
            en: Explanation(
                meaning: "The SIM changed after the prefetch",
                cause: "The number behind the token request is not that of the prefetch.",
                remedy: """
                    Prefetch again and let the person see the new masked number. Benji answers by 1.6.1's list and \
                    does not return it.
                    """))
        table.explain(
            "-20200",
            zh: Explanation(
                meaning: "没有可用的网络",
                cause: "手机离线。",
                remedy: "联网后再登录；Benji 以 1.6.1 的列表作答，不会返回此码。"),
            en: Explanation(
                meaning: "There is no usable network",
                cause: "The phone is offline.",
                remedy: "Go online and log in then. Benji answers by 1.6.1's list and does not return it."))
        table.explain(
            "-20202",
            zh: Explanation(
                meaning: "没有蜂窝网络",
                cause: "蜂窝数据不可用、没有 SIM 卡，或请求没有走运营商网络。",
                remedy: "打开蜂窝数据，关闭代理，再试一次；Benji 以 1.6.1 的列表作答，不会返回此码。"),
            en: Explanation(
                meaning: "There is no mobile network",
                cause: """
                    Mobile data cannot be used, there is no SIM, or the request did not go over the carrier's network.
                    """,
                remedy: """
                    Turn mobile data on and proxies off, and try once more. Benji answers by 1.6.1's list and does not \
                    return it.
                    """))
        table.explain(
            "-20203",
            zh: Explanation(
                meaning: "认不出或不支持的运营商",
                cause: "网关返回的运营商没有开放。",
                remedy: "给出其他登录方式；不要在客户端按运营商判断；Benji 以 1.6.1 的列表作答，不会返回此码。"),
            en: Explanation(
                meaning: "The carrier is unknown or not supported",
                cause: "The carrier that the gateway named is not open.",
                remedy: """
                    Offer another login, and do not decide by carrier in the app. Benji answers by 1.6.1's list and \
                    does not return it.
                    """))
        table.explain(
            "-20302",
            zh: Explanation(
                meaning: "点了返回",
                cause: "用户离开授权页，或应用取消、收起了它。",
                remedy: "回到原界面即可；Benji 以 1.6.1 的列表作答，不会返回此码。"),
            en: Explanation(
                meaning: "Back was tapped",
                cause: "The person left the page, or the app cancelled or took it away.",
                remedy: "Just go back to where the person was. Benji answers by 1.6.1's list and does not return it."))
        table.explain(
            "-20303",
            zh: Explanation(
                meaning: "点了切换账号",
                cause: "用户要用其他账号；页面由应用关闭。",
                remedy: "打开其他登录方式，随后收起授权页；Benji 以 1.6.1 的列表作答，不会返回此码。"),
            en: Explanation(
                meaning: "Switch account was tapped",
                cause: "The person wants another account; the app closes the page.",
                remedy: """
                    Open the other login and then take the page away. Benji answers by 1.6.1's list and does not \
                    return it.
                    """))
        table.explain(
            "-20402",
            zh: Explanation(
                meaning: "授权页正在弹出",
                cause: "属于 2.x 对弹出过程的细分：动画还没有结束又请求一次。",
                remedy: "Benji 把重复取号统一为 -20405，不会返回此码；等上一次回调。"),
            en: Explanation(
                meaning: "The page is being presented",
                cause: """
                    It belonged to 2.x, which told the steps of presenting apart: asked again before the animation \
                    ended.
                    """,
                remedy: """
                    Benji says -20405 for every second login and does not return this; wait for the first callback.
                    """))
        table.explain(
            "-20403",
            zh: Explanation(
                meaning: "授权页已经弹出",
                cause: "属于 2.x 对弹出过程的细分：页面还开着又请求一次。",
                remedy: "Benji 同样用 -20405，不会返回此码；先收起页面。"),
            en: Explanation(
                meaning: "The page is already presented",
                cause: """
                    It belonged to 2.x, which told the steps of presenting apart: asked again while the page was open.
                    """,
                remedy: "Benji uses -20405 here as well and does not return this; take the page away first."))
        table.explain(
            "-20404",
            zh: Explanation(
                meaning: "预取号正在进行（2.4.1）",
                cause: "上一次预取号尚未回调；1.6.1 用 -20102。",
                remedy: "等待回调；Benji 以 1.6.1 的列表作答，不会返回此码。"),
            en: Explanation(
                meaning: "A prefetch is running, as 2.4.1 says",
                cause: "The one before has not called back; 1.6.1 said -20102.",
                remedy: "Wait for its callback. Benji answers by 1.6.1's list and does not return it."))
        table.explain(
            "-20405",
            zh: Explanation(
                meaning: "取号正在进行",
                cause: "上一次取号尚未回调，或授权页还开着；1.6.1 用 -20103。",
                remedy: "在回调之前不再调用；Benji 以 1.6.1 的列表作答，不会返回此码。"),
            en: Explanation(
                meaning: "A token is being fetched",
                cause: "The call before has not called back, or its page is open; 1.6.1 said -20103.",
                remedy: "Do not call again before the callback. Benji answers by 1.6.1's list and does not return it."))
        table.explain(
            "-20406",
            zh: Explanation(
                meaning: "预取号超时",
                cause: "限定时间内没有拿到号码。",
                remedy: "延长超时或提早预取号；Benji 以 1.6.1 的列表作答，不会返回此码。"),
            en: Explanation(
                meaning: "The prefetch took too long",
                cause: "No number came within the time allowed.",
                remedy: "Allow more time or prefetch earlier. Benji answers by 1.6.1's list and does not return it."))
        table.explain(
            "-20407",
            zh: Explanation(
                meaning: "移动框架缺失或损坏",
                cause: "属于厂商的打包方式：内嵌的移动 SDK 没有链接进来。",
                remedy: "Benji 不内嵌运营商的框架，不会返回此码；旧工程检查 Link Binary 列表。"),
            en: Explanation(
                meaning: "China Mobile's framework is missing or broken",
                cause: "It belonged to how the vendor's SDK is put together: China Mobile's was not linked.",
                remedy: """
                    Benji carries no carrier's framework and does not return it; in an old project see what is linked.
                    """))
        table.explain(
            "-20408",
            zh: Explanation(
                meaning: "联通框架缺失或损坏",
                cause: "属于厂商的打包方式：内嵌的联通 SDK 没有链接进来。",
                remedy: "Benji 没有联通框架这一层，不会返回此码；旧工程重新导入它。"),
            en: Explanation(
                meaning: "China Unicom's framework is missing or broken",
                cause: "It belonged to how the vendor's SDK is put together: Unicom's was not linked.",
                remedy: "Benji has no layer of Unicom's and does not return it; in an old project import it again."))
        table.explain(
            "-20409",
            zh: Explanation(
                meaning: "电信框架缺失或损坏",
                cause: "属于厂商的打包方式：内嵌的电信 SDK 没有链接进来。",
                remedy: "Benji 没有电信框架这一层，不会返回此码；旧工程检查 -ObjC 选项。"),
            en: Explanation(
                meaning: "China Telecom's framework is missing or broken",
                cause: "It belonged to how the vendor's SDK is put together: Telecom's was not linked.",
                remedy: """
                    Benji has no layer of Telecom's and does not return it; in an old project look at the -ObjC flag.
                    """))
        table.explain(
            "-20410",
            zh: Explanation(
                meaning: "没有可用来弹出页面的窗口",
                cause: "没有 key window，或传入的控制器为空。",
                remedy: "在窗口出现之后调用，并传入屏幕上的控制器；Benji 以 1.6.1 的列表作答，不会返回此码。"),
            en: Explanation(
                meaning: "There is no window to show the page in",
                cause: "No key window, or the controller given is nil.",
                remedy: """
                    Call once there is a window, with the controller on the screen. Benji answers by 1.6.1's list and \
                    does not return it.
                    """))
        table.explain(
            "-20411",
            zh: Explanation(
                meaning: "RSA 加密失败，第一处",
                cause: "属于 2.x 对请求参数的加密：第一个加密步骤没有成功，厂商没有逐一说明。",
                remedy: "Benji 不逐项加密参数，不会返回此码（1/7）；旧 SDK 请升级或联系厂商。"),
            en: Explanation(
                meaning: "RSA encryption failed at the first place",
                cause: """
                    It belonged to 2.x and its encryption of parameters: the first such step, which the vendor does \
                    not describe further.
                    """,
                remedy: """
                    Benji encrypts no parameters and does not return this, the first of seven; update the old SDK or \
                    ask the vendor.
                    """))
        table.explain(
            "-20412",
            zh: Explanation(
                meaning: "RSA 加密失败，第二处",
                cause: "属于 2.x 对请求参数的加密：第二个加密步骤没有成功，厂商没有逐一说明。",
                remedy: "Benji 不逐项加密参数，不会返回此码（2/7）；旧 SDK 请升级或联系厂商。"),
            en: Explanation(
                meaning: "RSA encryption failed at the second place",
                cause: """
                    It belonged to 2.x and its encryption of parameters: the second such step, which the vendor does \
                    not describe further.
                    """,
                remedy: """
                    Benji encrypts no parameters and does not return this, the second of seven; update the old SDK or \
                    ask the vendor.
                    """))
        table.explain(
            "-20413",
            zh: Explanation(
                meaning: "RSA 加密失败，第三处",
                cause: "属于 2.x 对请求参数的加密：第三个加密步骤没有成功，厂商没有逐一说明。",
                remedy: "Benji 不逐项加密参数，不会返回此码（3/7）；旧 SDK 请升级或联系厂商。"),
            en: Explanation(
                meaning: "RSA encryption failed at the third place",
                cause: """
                    It belonged to 2.x and its encryption of parameters: the third such step, which the vendor does \
                    not describe further.
                    """,
                remedy: """
                    Benji encrypts no parameters and does not return this, the third of seven; update the old SDK or \
                    ask the vendor.
                    """))
        table.explain(
            "-20414",
            zh: Explanation(
                meaning: "RSA 加密失败，第四处",
                cause: "属于 2.x 对请求参数的加密：第四个加密步骤没有成功，厂商没有逐一说明。",
                remedy: "Benji 不逐项加密参数，不会返回此码（4/7）；旧 SDK 请升级或联系厂商。"),
            en: Explanation(
                meaning: "RSA encryption failed at the fourth place",
                cause: """
                    It belonged to 2.x and its encryption of parameters: the fourth such step, which the vendor does \
                    not describe further.
                    """,
                remedy: """
                    Benji encrypts no parameters and does not return this, the fourth of seven; update the old SDK or \
                    ask the vendor.
                    """))
        table.explain(
            "-20415",
            zh: Explanation(
                meaning: "RSA 加密失败，第五处",
                cause: "属于 2.x 对请求参数的加密：第五个加密步骤没有成功，厂商没有逐一说明。",
                remedy: "Benji 不逐项加密参数，不会返回此码（5/7）；旧 SDK 请升级或联系厂商。"),
            en: Explanation(
                meaning: "RSA encryption failed at the fifth place",
                cause: """
                    It belonged to 2.x and its encryption of parameters: the fifth such step, which the vendor does \
                    not describe further.
                    """,
                remedy: """
                    Benji encrypts no parameters and does not return this, the fifth of seven; update the old SDK or \
                    ask the vendor.
                    """))
        table.explain(
            "-20416",
            zh: Explanation(
                meaning: "RSA 加密失败，第六处",
                cause: "属于 2.x 对请求参数的加密：第六个加密步骤没有成功，厂商没有逐一说明。",
                remedy: "Benji 不逐项加密参数，不会返回此码（6/7）；旧 SDK 请升级或联系厂商。"),
            en: Explanation(
                meaning: "RSA encryption failed at the sixth place",
                cause: """
                    It belonged to 2.x and its encryption of parameters: the sixth such step, which the vendor does \
                    not describe further.
                    """,
                remedy: """
                    Benji encrypts no parameters and does not return this, the sixth of seven; update the old SDK or \
                    ask the vendor.
                    """))
        table.explain(
            "-20417",
            zh: Explanation(
                meaning: "RSA 加密失败，第七处",
                cause: "属于 2.x 对请求参数的加密：第七个加密步骤没有成功，厂商没有逐一说明。",
                remedy: "Benji 不逐项加密参数，不会返回此码（7/7）；旧 SDK 请升级或联系厂商。"),
            en: Explanation(
                meaning: "RSA encryption failed at the seventh place",
                cause: """
                    It belonged to 2.x and its encryption of parameters: the seventh such step, which the vendor does \
                    not describe further.
                    """,
                remedy: """
                    Benji encrypts no parameters and does not return this, the seventh of seven; update the old SDK or \
                    ask the vendor.
                    """))
        table.explain(
            "-20600",
            zh: Explanation(
                meaning: "行为验证没有通过",
                cause: "属于 2.1.1 起的行为验证码：取 token 前要先过一道验证。",
                remedy: "Benji 没有接入验证码，不会返回此码；旧 SDK 中让用户重做验证。"),
            en: Explanation(
                meaning: "The captcha was not passed",
                cause: "It belonged to the captcha that since 2.1.1 could stand before the token.",
                remedy: "Benji has no captcha and does not return it; in the old SDK let the person do it again."))
        table.explain(
            "-40101",
            zh: Explanation(
                meaning: "移动预取号失败（2.4.1）",
                cause: "移动侧没有返回有效数据。",
                remedy: "重新联网后再预取号；Benji 以 1.6.1 的列表作答，不会返回此码。"),
            en: Explanation(
                meaning: "The prefetch with China Mobile failed, as 2.4.1 says",
                cause: "China Mobile's side returned nothing valid.",
                remedy: "Reconnect and prefetch again. Benji answers by 1.6.1's list and does not return it."))
        table.explain(
            "-40102",
            zh: Explanation(
                meaning: "移动取号失败（2.4.1）",
                cause: "移动侧没有签发 token，或请求没有完成。",
                remedy: "从预取号重新开始；Benji 以 1.6.1 的列表作答，不会返回此码。"),
            en: Explanation(
                meaning: "China Mobile gave no token, as 2.4.1 says",
                cause: "Its side issued none, or the request did not end.",
                remedy: "Begin with a prefetch again. Benji answers by 1.6.1's list and does not return it."))
        table.explain(
            "-40201",
            zh: Explanation(
                meaning: "联通预取号失败（2.4.1）",
                cause: "联通侧没有返回有效数据。",
                remedy: "确认流量卡后再预取号；Benji 以 1.6.1 的列表作答，不会返回此码。"),
            en: Explanation(
                meaning: "The prefetch with China Unicom failed, as 2.4.1 says",
                cause: "Unicom's side returned nothing valid.",
                remedy: """
                    See which SIM carries the data and prefetch again. Benji answers by 1.6.1's list and does not \
                    return it.
                    """))
        table.explain(
            "-40202",
            zh: Explanation(
                meaning: "联通取号失败（2.4.1）",
                cause: "联通侧没有签发 token，或请求没有完成。",
                remedy: "重新预取号并再次登录；Benji 以 1.6.1 的列表作答，不会返回此码。"),
            en: Explanation(
                meaning: "China Unicom gave no token, as 2.4.1 says",
                cause: "Unicom's side issued none, or the request did not end.",
                remedy: "Prefetch and log in anew. Benji answers by 1.6.1's list and does not return it."))
        table.explain(
            "-40301",
            zh: Explanation(
                meaning: "电信预取号或取号失败（2.4.1）",
                cause: "2.4.1 对电信只有这一个码，两步共用。",
                remedy: "看是否已弹出授权页来区分两步，再从头重试；Benji 以 1.6.1 的列表作答，不会返回此码。"),
            en: Explanation(
                meaning: "China Telecom failed, at the prefetch or the token, as 2.4.1 says",
                cause: "2.4.1 has this one code for Telecom's two steps.",
                remedy: """
                    Tell the steps apart by whether the page was up, and start over. Benji answers by 1.6.1's list and \
                    does not return it.
                    """))
        table.explain(
            "-50100",
            zh: Explanation(
                meaning: "预取号服务返回异常（2.4.1）",
                cause: "运营商确定之前服务拒绝或出错。",
                remedy: "核对应用登记，稍后再试；Benji 以 1.6.1 的列表作答，不会返回此码。"),
            en: Explanation(
                meaning: "The prefetch service returned something wrong, as 2.4.1 says",
                cause: "It refused or failed before the carrier was known.",
                remedy: """
                    Compare the app's registration, and try later. Benji answers by 1.6.1's list and does not return it.
                    """))
        table.explain(
            "-50101",
            zh: Explanation(
                meaning: "预取号服务的应答解不开",
                cause: "属于 2.x 对应答的加密：解密失败。",
                remedy: "Benji 的应答由 TLS 保护，不再另行加密，2.4.1 的列表里不会返回此码；旧 SDK 请升级。"),
            en: Explanation(
                meaning: "The prefetch service's answer cannot be decrypted",
                cause: "It belonged to 2.x, which encrypted answers: decryption failed.",
                remedy: "Benji leaves that to TLS and does not return it in 2.4.1's list; update the old SDK."))
        return table.entries
    }
}
