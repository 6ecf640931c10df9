import BenjiProtocol

/// Document 002: China Mobile's own code, in `metadata`.
enum GeYanMobileTable {
    static func entries() -> [CatalogueEntry] {
        var table = TableWriter(.geyanMobile, version: "002")
        table.explain(
            "102102",
            zh: Explanation(
                meaning: "移动侧服务暂时异常",
                cause: "网关过载或存储不可用，请求没有被处理。",
                remedy: "隔几秒再试一次；持续出现时由运营方查看服务状态。"),
            en: Explanation(
                meaning: "China Mobile's side is in trouble",
                cause: "The gateway has too much load or cannot use its store; the request was not served.",
                remedy: "Retry once after some seconds; if it goes on the operator looks at the service."))
        table.explain(
            "102507",
            zh: Explanation(
                meaning: "点击登录之后超时",
                cause: "用户在授权页点了登录，换取 token 的请求在限定时间内没有完成。",
                remedy: "提示网络较慢并允许再点一次；认证超时不要设得比预登录短。"),
            en: Explanation(
                meaning: "The login took too long after the tap",
                cause: "The person tapped and the request for the token did not end within the time allowed.",
                remedy: """
                    Say that the network is slow and let the person tap again; do not allow it less time than the \
                    pre-login.
                    """))
        table.explain(
            "103101",
            zh: Explanation(
                meaning: "应用密钥不对，或请求的签名无效",
                cause: "SDK 里的 appkey 与登记的不同，或设备对请求的签名没有通过检查。",
                remedy: "比对后台的 appkey，注意空格和环境；手机时间严重不准时先校时。"),
            en: Explanation(
                meaning: "The app key is wrong or the request's sign is not valid",
                cause: """
                    The appkey in the SDK is not the one registered, or the device's proof of the request failed its \
                    check.
                    """,
                remedy: """
                    Compare the appkey with the console's, blanks and environment included; set a phone's clock that \
                    is far off.
                    """))
        table.explain(
            "103102",
            zh: Explanation(
                meaning: "应用标识与登记不符",
                cause: "运行中的包名或 Bundle ID 不在该应用的登记名单里。",
                remedy: "补登当前构建的 Bundle ID，测试与正式各一个。"),
            en: Explanation(
                meaning: "The app's identity is not the one registered",
                cause: "The package name or bundle ID of the running app is not on the app's list.",
                remedy: "Register the bundle ID of this build, one each for test and release."))
        table.explain(
            "103108",
            zh: Explanation(
                meaning: "短信验证码填写有误",
                cause: "属于移动 SDK 的短信验证备用页：用户输入的验证码不正确。",
                remedy: "Benji 的登录不经过短信页，不会返回此码；旧 SDK 中请用户重新输入。"),
            en: Explanation(
                meaning: "The SMS code was wrong",
                cause: """
                    It belonged to the SMS page that China Mobile's SDK fell back to: the code entered was not the one \
                    sent.
                    """,
                remedy: """
                    A login with Benji has no SMS page and does not return it; in the old SDK let the person enter it \
                    again.
                    """))
        table.explain(
            "103109",
            zh: Explanation(
                meaning: "短信验证码校验超时",
                cause: "属于同一备用页：验证码超过了有效时间才提交。",
                remedy: "Benji 不会返回此码；旧流程里重新获取一条验证码。"),
            en: Explanation(
                meaning: "The SMS code came too late",
                cause: "It belonged to the same fallback page: the code was submitted after its time.",
                remedy: "Benji does not return it; in the old flow ask for a fresh code."))
        table.explain(
            "103111",
            zh: Explanation(
                meaning: "来源地址不属于移动网关",
                cause: "请求从 Wi-Fi、VPN 或别家网络发出，或地址没有唯一的主人，运营商因此判断有误。",
                remedy: "关闭代理，确认流量卡是移动卡，重新联网后再试。"),
            en: Explanation(
                meaning: "The address is not one of China Mobile's gateway",
                cause: """
                    The request came over Wi-Fi, a VPN or another network, or its address has no single holder, so the \
                    carrier was misjudged.
                    """,
                remedy: "Turn proxies off, make sure that the data SIM is China Mobile's, reconnect and retry."))
        table.explain(
            "103119",
            zh: Explanation(
                meaning: "应用编号不存在",
                cause: "发给移动侧的 appid 没有登记，或拿错了环境。",
                remedy: "核对 appid 与服务器地址是否属于同一环境。"),
            en: Explanation(
                meaning: "The app id does not exist",
                cause: """
                    The appid that went to China Mobile's side is not registered, or belongs to another environment.
                    """,
                remedy: "See whether appid and server address are of the same environment."))
        table.explain(
            "103125",
            zh: Explanation(
                meaning: "号码格式不合要求",
                cause: "属于短信验证备用页：输入的不是 11 位手机号。",
                remedy: "Benji 的手机端从不提交号码，不会返回此码；旧页面中检查输入框。"),
            en: Explanation(
                meaning: "The number is badly formed",
                cause: "It belonged to the SMS fallback page: what was entered is no eleven-digit number.",
                remedy: """
                    With Benji a phone never submits a number, so it does not return this; on the old page check the \
                    input.
                    """))
        table.explain(
            "103203",
            zh: Explanation(
                meaning: "没有可用的取号缓存",
                cause: "登录时手机上没有取号结果，或它已经超过有效期。",
                remedy: "先预登录；应用进入后台较久之后也应重新取号。"),
            en: Explanation(
                meaning: "There is no cached prefetch to use",
                cause: "At login the phone held no result, or one that is past its time.",
                remedy: "Pre-login first, and again after the app was in the background for long."))
        table.explain(
            "103211",
            zh: Explanation(
                meaning: "移动侧的其他错误",
                cause: "服务内部故障，没有更具体的编号。",
                remedy: "稍后重试；把 processID 提供给运营方查询。"),
            en: Explanation(
                meaning: "Another error on China Mobile's side",
                cause: "A fault inside the service, with no code of its own.",
                remedy: "Retry later and give the processID to the operator."))
        table.explain(
            "103901",
            zh: Explanation(
                meaning: "验证短信发得太多",
                cause: "属于短信验证备用页：每分钟五条、每天十条的上限已到。",
                remedy: "Benji 的一键登录不发短信，不会返回此码；旧流程里请用户改日再试。"),
            en: Explanation(
                meaning: "Too many SMS were sent",
                cause: "It belonged to the SMS fallback page, with its limits of five a minute and ten a day.",
                remedy: """
                    Benji's one-tap login sends no SMS and does not return it; in the old flow let the person try \
                    another day.
                    """))
        table.explain(
            "103902",
            zh: Explanation(
                meaning: "取号凭证 scrip 失效",
                cause: "凭证过期、被撤销、已用过，或手机换了卡、换了设备密钥。",
                remedy: "重新预登录得到新的凭证；不要在多处并发使用同一个结果。"),
            en: Explanation(
                meaning: "The scrip is no longer valid",
                cause: "It ended, was revoked or used, or the phone has another SIM or another device key.",
                remedy: "Pre-login for a new one, and do not use one result from several places at once."))
        table.explain(
            "103911",
            zh: Explanation(
                meaning: "申请 token 过于频繁",
                cause: "十分钟内该号码在本应用下有三十个未使用的 token，或请求超过了频率限制。",
                remedy: "拿到 token 就提交给服务器；不要提前批量获取。"),
            en: Explanation(
                meaning: "Tokens are asked for too often",
                cause: "Thirty tokens of this number and app are unused within ten minutes, or the rate limit was hit.",
                remedy: "Submit each token to your server at once, and fetch none in advance."))
        table.explain(
            "105001",
            zh: Explanation(
                meaning: "用移动 SDK 取联通号码失败",
                cause: "属于厂商把联通卡也交给移动 SDK 的做法：联通侧没有给出号码。",
                remedy: "Benji 按网关认出的运营商处理，移动列表里不会返回此码；旧 SDK 中换其他登录方式。"),
            en: Explanation(
                meaning: "A Unicom number could not be taken by China Mobile's SDK",
                cause: """
                    It belonged to a vendor's way of handing Unicom SIMs to China Mobile's SDK: Unicom gave no number.
                    """,
                remedy: """
                    Benji goes by the carrier that the gateway found and does not return it in this list; in the old \
                    SDK log in another way.
                    """))
        table.explain(
            "105002",
            zh: Explanation(
                meaning: "移动网关取号失败",
                cause: "号码所在的号段不能取号（如物联网卡），或移动取号在此关闭。",
                remedy: "这类号码请直接使用其他登录方式；运营方检查策略。"),
            en: Explanation(
                meaning: "China Mobile's gateway could not take the number",
                cause: "The number's range is excluded, as for IoT cards, or China Mobile is switched off here.",
                remedy: "Use another login for such numbers at once; the operator looks at the policy."))
        table.explain(
            "105003",
            zh: Explanation(
                meaning: "用移动 SDK 取电信号码失败",
                cause: "属于厂商把电信卡交给移动 SDK 的做法：电信侧没有给出号码。",
                remedy: "Benji 对电信卡使用电信列表，这里不会返回此码；旧 SDK 中改走短信。"),
            en: Explanation(
                meaning: "A Telecom number could not be taken by China Mobile's SDK",
                cause: """
                    It belonged to a vendor's way of handing Telecom SIMs to China Mobile's SDK: Telecom gave no number.
                    """,
                remedy: """
                    Benji uses Telecom's list for Telecom SIMs and does not return it here; in the old SDK go on by SMS.
                    """))
        table.explain(
            "105021",
            zh: Explanation(
                meaning: "当天取号次数已满",
                cause: "属于厂商按号码计的每日取号上限。",
                remedy: "Benji 没有按号码的每日上限，不会返回此码；旧平台次日恢复。"),
            en: Explanation(
                meaning: "The day's number of requests is used up",
                cause: "It belonged to the vendor's daily limit per number.",
                remedy: """
                    Benji has no daily limit per number and does not return it; the old platform opens again the next \
                    day.
                    """))
        table.explain(
            "105302",
            zh: Explanation(
                meaning: "应用不在白名单",
                cause: "运营方只对名单内的应用开放，或该应用被停用、缺少能力。",
                remedy: "请运营方把应用加入名单并勾选所需能力。"),
            en: Explanation(
                meaning: "The app is not on the allow-list",
                cause: "The operator serves listed apps only, or the app is suspended or lacks the capability.",
                remedy: "Ask the operator to list the app and give it the capability it needs."))
        table.explain(
            "200005",
            zh: Explanation(
                meaning: "没有读取电话状态的权限",
                cause: "属于安卓版 SDK：用户拒绝了 READ_PHONE_STATE。",
                remedy: "Benji 不读取电话状态，任何系统上都不会返回此码；可以删掉这项权限申请。"),
            en: Explanation(
                meaning: "The permission to read the phone's state is missing",
                cause: "It belonged to the SDK for Android: the person refused READ_PHONE_STATE.",
                remedy: """
                    Benji reads no phone state and does not return it on any system; the request for the permission \
                    can go.
                    """))
        table.explain(
            "200010",
            zh: Explanation(
                meaning: "取号时读不到 IMSI",
                cause: "属于旧 SDK：它向系统索要 SIM 的身份；文档 000 的同一编号含义不同。",
                remedy: "Benji 从不读取 IMSI，不会返回此码；旧 SDK 中检查卡槽与权限。"),
            en: Explanation(
                meaning: "The IMSI could not be read",
                cause: """
                    It belonged to an old SDK that asked the system for the SIM's identity; document 000 uses the \
                    number otherwise.
                    """,
                remedy: """
                    Benji never reads an IMSI and does not return it; in the old SDK check SIM slot and permission.
                    """))
        table.explain(
            "200014",
            zh: Explanation(
                meaning: "号码不存在",
                cause: "属于厂商平台：网关给出的号码在其用户库里查不到。",
                remedy: "Benji 的号码来自号码登记簿，查不到时用 103111，不会返回此码；旧平台请联系厂商。"),
            en: Explanation(
                meaning: "The number does not exist",
                cause: "It belonged to the vendor's platform: the number that the gateway gave is not among its users.",
                remedy: """
                    Benji answers 103111 when nobody is known at an address and does not return this; in the old \
                    platform ask the vendor.
                    """))
        table.explain(
            "200020",
            zh: Explanation(
                meaning: "用户没有完成登录",
                cause: "用户在授权页点了返回或关闭。",
                remedy: "尊重选择，不要自动重弹授权页。"),
            en: Explanation(
                meaning: "The person did not finish the login",
                cause: "Back or close was tapped on the page.",
                remedy: "Respect the choice and do not open the page again by yourself."))
        table.explain(
            "200021",
            zh: Explanation(
                meaning: "应答内容解析不了",
                cause: "应答被中间设备改写，或两端版本不相容。",
                remedy: "更换网络排除代理与门户页，再核对 SDK 版本。"),
            en: Explanation(
                meaning: "The answer cannot be read",
                cause: "Something in between rewrote it, or the two sides' versions do not fit.",
                remedy: "Change the network to rule out proxies and portals, then compare versions."))
        table.explain(
            "200022",
            zh: Explanation(
                meaning: "手机没有网络",
                cause: "Wi-Fi 与蜂窝都不可用。",
                remedy: "提示用户联网后再登录。"),
            en: Explanation(
                meaning: "The phone has no network",
                cause: "Neither Wi-Fi nor mobile data is available.",
                remedy: "Ask the person to go online and then log in."))
        table.explain(
            "200023",
            zh: Explanation(
                meaning: "预登录超时",
                cause: "在限定时间内没有拿到脱敏号码。",
                remedy: "提早发起预登录；弱网时适当加长超时。"),
            en: Explanation(
                meaning: "The pre-login took too long",
                cause: "The masked number did not come within the time allowed.",
                remedy: "Start the pre-login earlier, and allow more time in weak networks."))
        table.explain(
            "200024",
            zh: Explanation(
                meaning: "切换到蜂窝网络失败",
                cause: "属于旧 SDK：它在有 Wi-Fi 时要求系统临时切到蜂窝。",
                remedy: "Benji 直接在蜂窝接口上建立连接，没有切换动作，不会返回此码；蜂窝不可用时为 200027。"),
            en: Explanation(
                meaning: "Switching to the mobile network failed",
                cause: "It belonged to old SDKs that asked the system to switch over while Wi-Fi was on.",
                remedy: """
                    Benji opens its connection on the cellular interface, switches nothing and does not return it; \
                    without mobile data there is 200027.
                    """))
        table.explain(
            "200025",
            zh: Explanation(
                meaning: "系统层面的其他错误",
                cause: "属于厂商 SDK 的兜底编号：socket 异常，或系统不许应用用蜂窝数据。",
                remedy: "Benji 把这两种情况分别报为 200028 与 200027，不会返回此码；旧 SDK 中先查蜂窝权限。"),
            en: Explanation(
                meaning: "Another error of the system",
                cause: """
                    It was the vendor SDK's code for the rest: sockets, or a system that denies the app mobile data.
                    """,
                remedy: """
                    Benji tells the two apart as 200028 and 200027 and does not return this; in the old SDK check the \
                    permission first.
                    """))
        table.explain(
            "200026",
            zh: Explanation(
                meaning: "传入的参数有误",
                cause: "某个参数为空或超出范围。",
                remedy: "对照接口注释逐项检查；原样重试没有用。"),
            en: Explanation(
                meaning: "An argument is wrong",
                cause: "One of them is empty or out of range.",
                remedy: "Check each against its documentation; the same call again is of no use."))
        table.explain(
            "200027",
            zh: Explanation(
                meaning: "没有打开蜂窝数据",
                cause: "开关关闭，或系统禁止本应用使用蜂窝数据。",
                remedy: "请用户在设置中打开；仅有 Wi-Fi 时无法认证。"),
            en: Explanation(
                meaning: "Mobile data is not on",
                cause: "It is switched off, or the system denies it to this app.",
                remedy: "Ask the person to turn it on in Settings; Wi-Fi alone proves no number."))
        table.explain(
            "200028",
            zh: Explanation(
                meaning: "网络请求失败",
                cause: "连接建立不了、中途断开，或证书不受信任。",
                remedy: "恢复网络后重试一次；证书问题应修复服务器而不是跳过校验。"),
            en: Explanation(
                meaning: "The request failed in the network",
                cause: "The connection could not be made, broke, or met an untrusted certificate.",
                remedy: """
                    Retry once when the network is back; mend a certificate on the server rather than skip the check.
                    """))
        table.explain(
            "200030",
            zh: Explanation(
                meaning: "SDK 没有初始化",
                cause: "没有传入应用编号就开始了调用。",
                remedy: "先完成初始化再登录。"),
            en: Explanation(
                meaning: "The SDK was not started",
                cause: "A call began before an app id was given.",
                remedy: "Start the SDK before the login."))
        table.explain(
            "200038",
            zh: Explanation(
                meaning: "跳转到电信取号失败",
                cause: "属于厂商的异网流程：移动 SDK 让手机转去电信网关，未能成功。",
                remedy: "Benji 的手机端不跟随跳转，不会返回此码；旧 SDK 中换网络或改用短信。"),
            en: Explanation(
                meaning: "The redirect to Telecom failed",
                cause: """
                    It belonged to the vendor's way across networks: China Mobile's SDK sent the phone on to Telecom's \
                    gateway in vain.
                    """,
                remedy: """
                    Benji's phones follow no redirects and it does not return this; in the old SDK change the network \
                    or use SMS.
                    """))
        table.explain(
            "200039",
            zh: Explanation(
                meaning: "电信取号接口返回失败",
                cause: "属于同一异网流程：电信网关应答了失败。",
                remedy: "Benji 按电信列表返回电信侧的结果，这里不会返回此码；旧 SDK 中请用其他方式登录。"),
            en: Explanation(
                meaning: "Telecom's interface answered with a failure",
                cause: "It belonged to the same way across networks: Telecom's gateway said no.",
                remedy: """
                    Benji reports Telecom's side in Telecom's list and does not return it here; in the old SDK log in \
                    another way.
                    """))
        table.explain(
            "200040",
            zh: Explanation(
                meaning: "授权页资源加载不了",
                cause: "属于移动 SDK 自带的授权页：资源包缺失或损坏。",
                remedy: "Benji 的授权页不依赖这个资源包，不会返回此码；旧 SDK 中把 TYRZResource.bundle 加进工程。"),
            en: Explanation(
                meaning: "The page's resources could not be loaded",
                cause: "It belonged to the page that China Mobile's SDK drew: its bundle was missing or damaged.",
                remedy: """
                    Benji draws its page without that bundle and does not return it; in the old SDK add \
                    TYRZResource.bundle to the project.
                    """))
        table.explain(
            "200048",
            zh: Explanation(
                meaning: "没有插 SIM 卡",
                cause: "设备里没有可用的 SIM 或 eSIM。",
                remedy: "对这类设备直接显示其他登录方式。"),
            en: Explanation(
                meaning: "No SIM is inserted",
                cause: "The device has no usable SIM or eSIM.",
                remedy: "Show another way to log in on such devices."))
        table.explain(
            "200050",
            zh: Explanation(
                meaning: "连接提前结束",
                cause: "属于旧 SDK 自己的 socket 实现：读到一半遇到 EOF。",
                remedy: "Benji 把断开的连接报为 200028，不会返回此码；旧 SDK 中重试即可。"),
            en: Explanation(
                meaning: "The connection ended too early",
                cause: "It belonged to an old SDK's own sockets: end of file in the middle of an answer.",
                remedy: "Benji reports broken connections as 200028 and does not return this; in the old SDK retry."))
        table.explain(
            "200060",
            zh: Explanation(
                meaning: "用户选择切换账号",
                cause: "用户点了授权页上的切换按钮，且没有使用 SDK 的短信页。",
                remedy: "打开自己的登录界面；文档 000 用这一编号段表示电信取号错误。"),
            en: Explanation(
                meaning: "The person chose another account",
                cause: "The switch button was tapped and the SDK's SMS page is not used.",
                remedy: "Open your own login; document 000 uses this range for Telecom's errors instead."))
        table.explain(
            "200061",
            zh: Explanation(
                meaning: "授权页异常",
                cause: "授权页没有显示出来，或显示条件不满足。",
                remedy: "检查传入的控制器是否在屏幕上，再试一次。"),
            en: Explanation(
                meaning: "The page went wrong",
                cause: "It did not appear, or what it needs was not there.",
                remedy: "See whether the controller is on the screen, and try again."))
        table.explain(
            "200062",
            zh: Explanation(
                meaning: "预登录不支持联通",
                cause: "属于厂商配置：该应用没有开通联通取号。",
                remedy: "Benji 用 errorCode -20203 表示运营商未开放，不会返回此码；旧平台请开通联通。"),
            en: Explanation(
                meaning: "Pre-login does not support Unicom",
                cause: "It belonged to a vendor's set-up without China Unicom for the app.",
                remedy: """
                    Benji says by errorCode -20203 that a carrier is closed and does not return this; in the old \
                    platform order Unicom.
                    """))
        table.explain(
            "200063",
            zh: Explanation(
                meaning: "预登录不支持电信",
                cause: "属于厂商配置：该应用没有开通电信取号。",
                remedy: "Benji 同样用 errorCode -20203 表示，不会返回此码；旧平台请开通电信。"),
            en: Explanation(
                meaning: "Pre-login does not support Telecom",
                cause: "It belonged to a vendor's set-up without China Telecom for the app.",
                remedy: """
                    Benji uses errorCode -20203 for that too and does not return this; in the old platform order \
                    Telecom.
                    """))
        return table.entries
    }
}
