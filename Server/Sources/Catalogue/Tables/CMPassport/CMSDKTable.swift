import BenjiProtocol

/// Document 000 §6.1: what the TYRZSDK returns to the app.
enum CMSDKTable {
    static func entries() -> [CatalogueEntry] {
        var table = TableWriter(.cmSDK, version: "000")
        table.explain(
            "103000",
            zh: Explanation(
                meaning: "调用完成，结果有效",
                cause: "SDK 的取号或授权这一步按预期走完，返回的字段可以使用。",
                remedy: """
                    取号成功后展示掩码和授权页；授权成功后把 token 立即交给自己的服务器换取结果，\
                    不要在手机上长期保存。
                    """),
            en: Explanation(
                meaning: "The call finished and its result can be used",
                cause: "The prefetch or the authorization ran to its end and the fields of the answer are valid.",
                remedy: """
                    After a prefetch show the mask and the page; after an authorization hand the token to your server \
                    at once, and do not keep it on the phone.
                    """))
        table.explain(
            "200009",
            zh: Explanation(
                meaning: "应用的 Bundle ID 与登记的对不上",
                cause: """
                    运行中的应用所报的 Bundle ID 不在该 appid 登记的名单里，常见于测试包、企业签名包或改名后的包。
                    """,
                remedy: "为该 appid 补登实际的 Bundle ID，测试包与正式包分别登记，并核对大小写。"),
            en: Explanation(
                meaning: "The app's bundle ID is not the one registered",
                cause: """
                    The running app reports a bundle ID that is not on the list of this appid; often a test build, an \
                    enterprise build or a renamed app.
                    """,
                remedy: """
                    Register the real bundle ID for the appid, one for each build flavour, and compare upper and \
                    lower case.
                    """))
        table.explain(
            "200010",
            zh: Explanation(
                meaning: "当前网络或凭证状态下无法认证本机号码",
                cause: """
                    手机所处的网络不能证明号码（只有 Wi-Fi、走了 VPN、漫游、运营商未开放），或缓存的取号凭证已失效，\
                    文档没有为后者另设编号。
                    """,
                remedy: "提示用户打开蜂窝数据并关闭 VPN，重新取号后再试；仍不行就改走短信等其他登录方式。"),
            en: Explanation(
                meaning: "The number cannot be proven on this network or with this prefetch",
                cause: """
                    The network cannot prove a number (Wi-Fi only, a VPN, roaming, a carrier switched off), or the \
                    cached scrip ended, for which the document has no code.
                    """,
                remedy: """
                    Ask for mobile data without a VPN, prefetch again and retry; otherwise offer another way to log \
                    in.
                    """))
        table.explain(
            "200011",
            zh: Explanation(
                meaning: "系统拦截了明文 HTTP 请求",
                cause: "应用传输安全（ATS）不允许访问网关的明文地址，属于老版本 SDK 的做法。",
                remedy: """
                    Benji 的 SDK 只用 HTTPS，不会返回此码；若迁移前的旧 SDK 报出，请升级到 Benji 的兼容层，\
                    并删除 ATS 例外。
                    """),
            en: Explanation(
                meaning: "The system blocked a plain HTTP request",
                cause: """
                    App Transport Security refused the gateway's clear-text address, which old releases of the \
                    vendor's SDK used.
                    """,
                remedy: """
                    Benji speaks HTTPS only and does not return this code; if an old SDK reports it, move to the \
                    compatible facade and remove the ATS exception.
                    """))
        table.explain(
            "200020",
            zh: Explanation(
                meaning: "用户没有同意授权",
                cause: "用户在授权页点了返回或关闭，没有点登录按钮。",
                remedy: "这是用户的选择，不是故障：回到原来的页面，或给出其他登录方式，不要立刻再次弹页。"),
            en: Explanation(
                meaning: "The person did not agree",
                cause: """
                    The authorization page was closed or left with the back button and the login button was not \
                    tapped.
                    """,
                remedy: """
                    Treat it as a choice, not as a fault: go back to where the person was or offer another way, and \
                    do not reopen the page at once.
                    """))
        table.explain(
            "200021",
            zh: Explanation(
                meaning: "应答内容无法解析",
                cause: "收到的应答不是协议规定的格式，常见于中间代理、门户网页或验证页改写了内容。",
                remedy: """
                    检查手机是否连着需要网页认证的网络或抓包代理；换网络重试，\
                    反复出现时带上 processID 查询服务端日志。
                    """),
            en: Explanation(
                meaning: "The answer could not be parsed",
                cause: """
                    What came back is not in the format of the protocol; usually a proxy, a captive portal or a block \
                    page rewrote it.
                    """,
                remedy: """
                    Check for a network with a login page or for a debugging proxy, retry elsewhere, and if it \
                    repeats look the processID up in the server's trace.
                    """))
        table.explain(
            "200022",
            zh: Explanation(
                meaning: "手机没有任何网络",
                cause: "飞行模式、没有信号，或系统对该应用关闭了全部网络权限。",
                remedy: "请用户恢复网络或在系统设置中允许本应用联网，然后重试。"),
            en: Explanation(
                meaning: "The phone has no network at all",
                cause: "Airplane mode, no signal, or the system denies this app all use of the network.",
                remedy: """
                    Ask the person to restore the connection or to allow the app to use the network in Settings, then \
                    retry.
                    """))
        table.explain(
            "200023",
            zh: Explanation(
                meaning: "在限定时间内没有得到结果",
                cause: "弱网、切换到蜂窝网络过慢，或传入的超时过短（文档的默认值为 8000 毫秒）。",
                remedy: "核对超时的单位是毫秒，建议不低于 3000；可在进入登录页之前先预取号，失败后退到其他登录方式。"),
            en: Explanation(
                meaning: "No result within the time allowed",
                cause: """
                    A weak network, a slow switch to cellular, or a timeout that is too short (the document's default \
                    is 8000 milliseconds).
                    """,
                remedy: """
                    Check that the timeout is in milliseconds and at least 3000, prefetch before the login page \
                    opens, and fall back if it still fails.
                    """))
        table.explain(
            "200025",
            zh: Explanation(
                meaning: "没有专门编号的异常",
                cause: """
                    发生了文档没有编号的情况：上一次调用还没结束又再次调用、设备密钥不可用，或比文档更新的拒绝原因。
                    """,
                remedy: "看 desc 和调试日志里的 Benji 原因词；避免并发调用，能稳定复现时带上 processID 上报。"),
            en: Explanation(
                meaning: "An exception that the document gives no code",
                cause: """
                    Something without a number of its own: a second call while one runs, a device key that cannot be \
                    used, or a refusal newer than the document.
                    """,
                remedy: """
                    Read desc and Benji's own word for the reason in the debug log; avoid overlapping calls and \
                    report with the processID if it repeats.
                    """))
        table.explain(
            "200026",
            zh: Explanation(
                meaning: "参数不合要求，或调用顺序不对",
                cause: "有参数为空、类型不对或超出范围；没有先取号就直接授权也用此码。",
                remedy: "对照方法声明检查实参，并保证授权前取号已成功；原样再调用一次不会成功。"),
            en: Explanation(
                meaning: "An argument is not acceptable, or the calls are in the wrong order",
                cause: """
                    A parameter is empty, of the wrong type or out of range; authorizing without a prefetch ends here \
                    too.
                    """,
                remedy: """
                    Compare the arguments with the declared method and let a prefetch succeed first; repeating the \
                    same call cannot work.
                    """))
        table.explain(
            "200027",
            zh: Explanation(
                meaning: "蜂窝数据开关没有打开",
                cause: "手机只连着 Wi-Fi，或用户关闭了蜂窝数据，或不允许本应用使用蜂窝数据。",
                remedy: "请用户打开蜂窝数据，并在系统设置中允许本应用使用；Wi-Fi 可以保持打开。"),
            en: Explanation(
                meaning: "Mobile data is switched off",
                cause: "The phone is on Wi-Fi alone, or mobile data is off, or this app may not use mobile data.",
                remedy: """
                    Ask the person to turn mobile data on and to allow it for this app in Settings; Wi-Fi may stay on.
                    """))
        table.explain(
            "200028",
            zh: Explanation(
                meaning: "向网关发出的请求失败",
                cause: "连接被拒绝、中断或域名无法解析，请求没有得到应答。",
                remedy: "稍候重试一次；若所有用户都失败，检查网关地址配置和证书，并用 benji doctor 检查服务。"),
            en: Explanation(
                meaning: "The request to the gateway failed",
                cause: "The connection was refused or broke, or the name did not resolve, so no answer came.",
                remedy: """
                    Retry once after a moment; if every user fails, check the configured gateway address and \
                    certificate and run benji doctor.
                    """))
        table.explain(
            "200029",
            zh: Explanation(
                meaning: "应答缺少必需的字段",
                cause: "旧 SDK 用它表示应答能解析，但没有 token、掩码等内容，多为两端版本不一致。",
                remedy: "Benji 把不完整的应答一律报为 200021，不会返回此码；升级 SDK 和服务端到相容的版本。"),
            en: Explanation(
                meaning: "The answer lacks a required field",
                cause: """
                    The old SDK used it for an answer that parsed but had no token or mask, usually because the two \
                    ends differ in version.
                    """,
                remedy: """
                    Benji reports any incomplete answer as 200021 and does not return this; bring SDK and server to \
                    matching versions.
                    """))
        table.explain(
            "200030",
            zh: Explanation(
                meaning: "SDK 还没有用 appid 和 appkey 初始化",
                cause: "在调用 registerAppId:appKey: 之前就取号或授权，或传入了空值。",
                remedy: "在应用启动时先完成初始化，并确认配置文件里的两个值在每个编译配置中都存在。"),
            en: Explanation(
                meaning: "The SDK was used before it got its appid and appkey",
                cause: """
                    A prefetch or an authorization was called before registerAppId:appKey:, or the values were empty.
                    """,
                remedy: """
                    Initialise at launch, before any other call, and make sure both values exist in every build \
                    configuration.
                    """))
        table.explain(
            "200037",
            zh: Explanation(
                meaning: "成功的授权里没有 openId",
                cause: "旧 SDK 没能从应答得到该应用下的用户标识；不弹页的校验流程本来就没有 openId。",
                remedy: "Benji 的弹页登录总会带回 openId，不会返回此码；校验流程不要读取 openId。"),
            en: Explanation(
                meaning: "An otherwise good authorization has no openId",
                cause: """
                    The old SDK could not get the person's identifier from the answer; the flow without a page never \
                    has one.
                    """,
                remedy: """
                    A login with the page always carries openId in Benji, which does not return this; do not read \
                    openId in the verification flow.
                    """))
        table.explain(
            "200038",
            zh: Explanation(
                meaning: "中国电信取号的跳转没有走通",
                cause: "旧 SDK 取电信号码时要跟随重定向，跳转次数过多、目标不可达或途中离开蜂窝网络都会失败。",
                remedy: "Benji 的网关不使用跳转，不会返回此码；旧 SDK 上请保持蜂窝数据稳定后重试。"),
            en: Explanation(
                meaning: "A redirect needed by China Telecom's gateway failed",
                cause: """
                    The old SDK followed redirects for Telecom numbers: too many hops, a target out of reach, or a \
                    hop that left cellular.
                    """,
                remedy: """
                    Benji's gateway does not redirect and does not return this; with the old SDK retry on steady \
                    mobile data.
                    """))
        table.explain(
            "200039",
            zh: Explanation(
                meaning: "中国电信的号码取不到",
                cause: "请求已到达电信一侧，但该卡或该号段不支持取号，或运营方没有开放电信。",
                remedy: "为这部分用户提供其他登录方式；运营方检查策略中电信是否开放、号码是否受限。"),
            en: Explanation(
                meaning: "A China Telecom number cannot be obtained",
                cause: """
                    The request reached Telecom's side, but this SIM or range cannot log in, or the operator has not \
                    enabled Telecom.
                    """,
                remedy: """
                    Offer these people another way; operators check that the policy enables Telecom and whether the \
                    number is barred.
                    """))
        table.explain(
            "200040",
            zh: Explanation(
                meaning: "授权页的图片或界面文件加载失败",
                cause: "旧 SDK 找不到资源包：没有随应用打包，或被改名、被精简工具删除。",
                remedy: "Benji 的页面缺图时用内置样式绘制，不会返回此码；自定义图片仍应随应用打包。"),
            en: Explanation(
                meaning: "An image or interface file of the page did not load",
                cause: """
                    The old SDK did not find its resource bundle: not packed with the app, renamed or stripped by a \
                    build tool.
                    """,
                remedy: """
                    Benji draws its own shapes where an image is missing and does not return this; still pack your \
                    custom images with the app.
                    """))
        table.explain(
            "200041",
            zh: Explanation(
                meaning: "应用被拒绝，或没有开通所用的能力",
                cause: "appid 没有勾选相应能力；appid 不存在、被停用或 appkey 不对时，SDK 也用此码。",
                remedy: "在应用登记中核对 appid、appkey 和应用状态，并分别开通一键登录与本机号码校验。"),
            en: Explanation(
                meaning: "The app is refused or lacks the capability",
                cause: """
                    The capability is not ticked for the appid; an unknown or suspended appid and a wrong appkey end \
                    here too.
                    """,
                remedy: """
                    Check appid, appkey and the app's state in its registration; login and verification are granted \
                    separately.
                    """))
        table.explain(
            "200042",
            zh: Explanation(
                meaning: "授权页没能显示，或没有得到有效的同意",
                cause: "控制器为空、不在窗口里或正在转场；服务端没有收到用户勾选并点击的有效记录时也是此码。",
                remedy: "在 viewDidAppear 之后从最上层控制器弹出，授权时页面须在内存中，勾选框初始为未勾选。"),
            en: Explanation(
                meaning: "The page could not be shown, or there is no valid consent",
                cause: """
                    The controller is nil, not in a window or in transition; a missing or invalid record of tick and \
                    tap ends here too.
                    """,
                remedy: """
                    Present from the topmost controller after viewDidAppear, keep the page alive while authorizing \
                    and start with the box unticked.
                    """))
        table.explain(
            "200047",
            zh: Explanation(
                meaning: "服务端暂时不可用",
                cause: "手机与网关之间是通的，但认证服务过载、存储不可用或内部出错，无法给出结果。",
                remedy: "稍后重试一次再退到其他方式；自建时运行 benji doctor，并按 processID 查出错的那一步。"),
            en: Explanation(
                meaning: "The service is not available at the moment",
                cause: """
                    The phone reached the gateway, but the authority is overloaded, its store is down or it failed \
                    inside.
                    """,
                remedy: """
                    Retry once later, then fall back; when you host Benji run benji doctor and look the processID up.
                    """))
        table.explain(
            "200048",
            zh: Explanation(
                meaning: "手机里没有 SIM 卡",
                cause: "没有插卡、卡未被识别，或 eSIM 没有启用。",
                remedy: "请用户插入或启用 SIM 卡；平板或无卡设备直接给出其他登录方式。"),
            en: Explanation(
                meaning: "There is no SIM in the phone",
                cause: "No card is inserted, it is not recognised, or the eSIM is not enabled.",
                remedy: """
                    Ask the person to insert or enable a SIM; on tablets and phones without one offer another way \
                    straight away.
                    """))
        table.explain(
            "200051",
            zh: Explanation(
                meaning: "底层套接字出错（编号 200051）",
                cause: """
                    建立或读写蜂窝网络上的连接时失败。文档只给出 200051 至 200059 这一段，没有公开 200051 的单独含义。
                    """,
                remedy: """
                    按网络失败处理：重试一次后改用其他登录方式；Benji 的 SDK 用 200028 或 200047 报告同类情况，\
                    不会返回 200051。
                    """),
            en: Explanation(
                meaning: "A socket error, number 200051",
                cause: """
                    Opening, writing or reading the cellular connection failed. The document names only the range \
                    200051 to 200059, not what 200051 alone means.
                    """,
                remedy: """
                    Treat it as a network failure: retry once, then fall back. Benji's facade reports such cases as \
                    200028 or 200047 and does not return 200051.
                    """))
        table.explain(
            "200052",
            zh: Explanation(
                meaning: "底层套接字出错（编号 200052）",
                cause: """
                    建立或读写蜂窝网络上的连接时失败。文档只给出 200051 至 200059 这一段，没有公开 200052 的单独含义。
                    """,
                remedy: """
                    按网络失败处理：重试一次后改用其他登录方式；Benji 的 SDK 用 200028 或 200047 报告同类情况，\
                    不会返回 200052。
                    """),
            en: Explanation(
                meaning: "A socket error, number 200052",
                cause: """
                    Opening, writing or reading the cellular connection failed. The document names only the range \
                    200051 to 200059, not what 200052 alone means.
                    """,
                remedy: """
                    Treat it as a network failure: retry once, then fall back. Benji's facade reports such cases as \
                    200028 or 200047 and does not return 200052.
                    """))
        table.explain(
            "200053",
            zh: Explanation(
                meaning: "底层套接字出错（编号 200053）",
                cause: """
                    建立或读写蜂窝网络上的连接时失败。文档只给出 200051 至 200059 这一段，没有公开 200053 的单独含义。
                    """,
                remedy: """
                    按网络失败处理：重试一次后改用其他登录方式；Benji 的 SDK 用 200028 或 200047 报告同类情况，\
                    不会返回 200053。
                    """),
            en: Explanation(
                meaning: "A socket error, number 200053",
                cause: """
                    Opening, writing or reading the cellular connection failed. The document names only the range \
                    200051 to 200059, not what 200053 alone means.
                    """,
                remedy: """
                    Treat it as a network failure: retry once, then fall back. Benji's facade reports such cases as \
                    200028 or 200047 and does not return 200053.
                    """))
        table.explain(
            "200054",
            zh: Explanation(
                meaning: "底层套接字出错（编号 200054）",
                cause: """
                    建立或读写蜂窝网络上的连接时失败。文档只给出 200051 至 200059 这一段，没有公开 200054 的单独含义。
                    """,
                remedy: """
                    按网络失败处理：重试一次后改用其他登录方式；Benji 的 SDK 用 200028 或 200047 报告同类情况，\
                    不会返回 200054。
                    """),
            en: Explanation(
                meaning: "A socket error, number 200054",
                cause: """
                    Opening, writing or reading the cellular connection failed. The document names only the range \
                    200051 to 200059, not what 200054 alone means.
                    """,
                remedy: """
                    Treat it as a network failure: retry once, then fall back. Benji's facade reports such cases as \
                    200028 or 200047 and does not return 200054.
                    """))
        table.explain(
            "200055",
            zh: Explanation(
                meaning: "底层套接字出错（编号 200055）",
                cause: """
                    建立或读写蜂窝网络上的连接时失败。文档只给出 200051 至 200059 这一段，没有公开 200055 的单独含义。
                    """,
                remedy: """
                    按网络失败处理：重试一次后改用其他登录方式；Benji 的 SDK 用 200028 或 200047 报告同类情况，\
                    不会返回 200055。
                    """),
            en: Explanation(
                meaning: "A socket error, number 200055",
                cause: """
                    Opening, writing or reading the cellular connection failed. The document names only the range \
                    200051 to 200059, not what 200055 alone means.
                    """,
                remedy: """
                    Treat it as a network failure: retry once, then fall back. Benji's facade reports such cases as \
                    200028 or 200047 and does not return 200055.
                    """))
        table.explain(
            "200056",
            zh: Explanation(
                meaning: "底层套接字出错（编号 200056）",
                cause: """
                    建立或读写蜂窝网络上的连接时失败。文档只给出 200051 至 200059 这一段，没有公开 200056 的单独含义。
                    """,
                remedy: """
                    按网络失败处理：重试一次后改用其他登录方式；Benji 的 SDK 用 200028 或 200047 报告同类情况，\
                    不会返回 200056。
                    """),
            en: Explanation(
                meaning: "A socket error, number 200056",
                cause: """
                    Opening, writing or reading the cellular connection failed. The document names only the range \
                    200051 to 200059, not what 200056 alone means.
                    """,
                remedy: """
                    Treat it as a network failure: retry once, then fall back. Benji's facade reports such cases as \
                    200028 or 200047 and does not return 200056.
                    """))
        table.explain(
            "200057",
            zh: Explanation(
                meaning: "底层套接字出错（编号 200057）",
                cause: """
                    建立或读写蜂窝网络上的连接时失败。文档只给出 200051 至 200059 这一段，没有公开 200057 的单独含义。
                    """,
                remedy: """
                    按网络失败处理：重试一次后改用其他登录方式；Benji 的 SDK 用 200028 或 200047 报告同类情况，\
                    不会返回 200057。
                    """),
            en: Explanation(
                meaning: "A socket error, number 200057",
                cause: """
                    Opening, writing or reading the cellular connection failed. The document names only the range \
                    200051 to 200059, not what 200057 alone means.
                    """,
                remedy: """
                    Treat it as a network failure: retry once, then fall back. Benji's facade reports such cases as \
                    200028 or 200047 and does not return 200057.
                    """))
        table.explain(
            "200058",
            zh: Explanation(
                meaning: "底层套接字出错（编号 200058）",
                cause: """
                    建立或读写蜂窝网络上的连接时失败。文档只给出 200051 至 200059 这一段，没有公开 200058 的单独含义。
                    """,
                remedy: """
                    按网络失败处理：重试一次后改用其他登录方式；Benji 的 SDK 用 200028 或 200047 报告同类情况，\
                    不会返回 200058。
                    """),
            en: Explanation(
                meaning: "A socket error, number 200058",
                cause: """
                    Opening, writing or reading the cellular connection failed. The document names only the range \
                    200051 to 200059, not what 200058 alone means.
                    """,
                remedy: """
                    Treat it as a network failure: retry once, then fall back. Benji's facade reports such cases as \
                    200028 or 200047 and does not return 200058.
                    """))
        table.explain(
            "200059",
            zh: Explanation(
                meaning: "底层套接字出错（编号 200059）",
                cause: """
                    建立或读写蜂窝网络上的连接时失败。文档只给出 200051 至 200059 这一段，没有公开 200059 的单独含义。
                    """,
                remedy: """
                    按网络失败处理：重试一次后改用其他登录方式；Benji 的 SDK 用 200028 或 200047 报告同类情况，\
                    不会返回 200059。
                    """),
            en: Explanation(
                meaning: "A socket error, number 200059",
                cause: """
                    Opening, writing or reading the cellular connection failed. The document names only the range \
                    200051 to 200059, not what 200059 alone means.
                    """,
                remedy: """
                    Treat it as a network failure: retry once, then fall back. Benji's facade reports such cases as \
                    200028 or 200047 and does not return 200059.
                    """))
        table.explain(
            "200060",
            zh: Explanation(
                meaning: "中国电信取号过程出错（编号 200060）",
                cause: """
                    旧 SDK 内嵌的电信取号组件失败。文档只给出 200060 至 200068 这一段，没有公开 200060 的单独含义；\
                    其他厂商的表里同一编号另有所指。
                    """,
                remedy: """
                    确认使用电信蜂窝数据后重试，再不行改用其他方式；Benji 对三家运营商走同一流程，不会返回 200060。
                    """),
            en: Explanation(
                meaning: "An error while asking China Telecom for the number, number 200060",
                cause: """
                    The Telecom component inside the old SDK failed. The document names only the range 200060 to \
                    200068; in other vendors' tables 200060 has another meaning.
                    """,
                remedy: """
                    Check that Telecom's mobile data is in use and retry, then fall back. Benji takes one path for \
                    all three carriers and does not return 200060.
                    """))
        table.explain(
            "200061",
            zh: Explanation(
                meaning: "中国电信取号过程出错（编号 200061）",
                cause: """
                    旧 SDK 内嵌的电信取号组件失败。文档只给出 200060 至 200068 这一段，没有公开 200061 的单独含义；\
                    其他厂商的表里同一编号另有所指。
                    """,
                remedy: """
                    确认使用电信蜂窝数据后重试，再不行改用其他方式；Benji 对三家运营商走同一流程，不会返回 200061。
                    """),
            en: Explanation(
                meaning: "An error while asking China Telecom for the number, number 200061",
                cause: """
                    The Telecom component inside the old SDK failed. The document names only the range 200060 to \
                    200068; in other vendors' tables 200061 has another meaning.
                    """,
                remedy: """
                    Check that Telecom's mobile data is in use and retry, then fall back. Benji takes one path for \
                    all three carriers and does not return 200061.
                    """))
        table.explain(
            "200062",
            zh: Explanation(
                meaning: "中国电信取号过程出错（编号 200062）",
                cause: """
                    旧 SDK 内嵌的电信取号组件失败。文档只给出 200060 至 200068 这一段，没有公开 200062 的单独含义；\
                    其他厂商的表里同一编号另有所指。
                    """,
                remedy: """
                    确认使用电信蜂窝数据后重试，再不行改用其他方式；Benji 对三家运营商走同一流程，不会返回 200062。
                    """),
            en: Explanation(
                meaning: "An error while asking China Telecom for the number, number 200062",
                cause: """
                    The Telecom component inside the old SDK failed. The document names only the range 200060 to \
                    200068; in other vendors' tables 200062 has another meaning.
                    """,
                remedy: """
                    Check that Telecom's mobile data is in use and retry, then fall back. Benji takes one path for \
                    all three carriers and does not return 200062.
                    """))
        table.explain(
            "200063",
            zh: Explanation(
                meaning: "中国电信取号过程出错（编号 200063）",
                cause: """
                    旧 SDK 内嵌的电信取号组件失败。文档只给出 200060 至 200068 这一段，没有公开 200063 的单独含义；\
                    其他厂商的表里同一编号另有所指。
                    """,
                remedy: """
                    确认使用电信蜂窝数据后重试，再不行改用其他方式；Benji 对三家运营商走同一流程，不会返回 200063。
                    """),
            en: Explanation(
                meaning: "An error while asking China Telecom for the number, number 200063",
                cause: """
                    The Telecom component inside the old SDK failed. The document names only the range 200060 to \
                    200068; in other vendors' tables 200063 has another meaning.
                    """,
                remedy: """
                    Check that Telecom's mobile data is in use and retry, then fall back. Benji takes one path for \
                    all three carriers and does not return 200063.
                    """))
        table.explain(
            "200064",
            zh: Explanation(
                meaning: "中国电信取号过程出错（编号 200064）",
                cause: """
                    旧 SDK 内嵌的电信取号组件失败。文档只给出 200060 至 200068 这一段，没有公开 200064 的单独含义；\
                    其他厂商的表里同一编号另有所指。
                    """,
                remedy: """
                    确认使用电信蜂窝数据后重试，再不行改用其他方式；Benji 对三家运营商走同一流程，不会返回 200064。
                    """),
            en: Explanation(
                meaning: "An error while asking China Telecom for the number, number 200064",
                cause: """
                    The Telecom component inside the old SDK failed. The document names only the range 200060 to \
                    200068; in other vendors' tables 200064 has another meaning.
                    """,
                remedy: """
                    Check that Telecom's mobile data is in use and retry, then fall back. Benji takes one path for \
                    all three carriers and does not return 200064.
                    """))
        table.explain(
            "200065",
            zh: Explanation(
                meaning: "中国电信取号过程出错（编号 200065）",
                cause: """
                    旧 SDK 内嵌的电信取号组件失败。文档只给出 200060 至 200068 这一段，没有公开 200065 的单独含义；\
                    其他厂商的表里同一编号另有所指。
                    """,
                remedy: """
                    确认使用电信蜂窝数据后重试，再不行改用其他方式；Benji 对三家运营商走同一流程，不会返回 200065。
                    """),
            en: Explanation(
                meaning: "An error while asking China Telecom for the number, number 200065",
                cause: """
                    The Telecom component inside the old SDK failed. The document names only the range 200060 to \
                    200068; in other vendors' tables 200065 has another meaning.
                    """,
                remedy: """
                    Check that Telecom's mobile data is in use and retry, then fall back. Benji takes one path for \
                    all three carriers and does not return 200065.
                    """))
        table.explain(
            "200066",
            zh: Explanation(
                meaning: "中国电信取号过程出错（编号 200066）",
                cause: """
                    旧 SDK 内嵌的电信取号组件失败。文档只给出 200060 至 200068 这一段，没有公开 200066 的单独含义；\
                    其他厂商的表里同一编号另有所指。
                    """,
                remedy: """
                    确认使用电信蜂窝数据后重试，再不行改用其他方式；Benji 对三家运营商走同一流程，不会返回 200066。
                    """),
            en: Explanation(
                meaning: "An error while asking China Telecom for the number, number 200066",
                cause: """
                    The Telecom component inside the old SDK failed. The document names only the range 200060 to \
                    200068; in other vendors' tables 200066 has another meaning.
                    """,
                remedy: """
                    Check that Telecom's mobile data is in use and retry, then fall back. Benji takes one path for \
                    all three carriers and does not return 200066.
                    """))
        table.explain(
            "200067",
            zh: Explanation(
                meaning: "中国电信取号过程出错（编号 200067）",
                cause: """
                    旧 SDK 内嵌的电信取号组件失败。文档只给出 200060 至 200068 这一段，没有公开 200067 的单独含义；\
                    其他厂商的表里同一编号另有所指。
                    """,
                remedy: """
                    确认使用电信蜂窝数据后重试，再不行改用其他方式；Benji 对三家运营商走同一流程，不会返回 200067。
                    """),
            en: Explanation(
                meaning: "An error while asking China Telecom for the number, number 200067",
                cause: """
                    The Telecom component inside the old SDK failed. The document names only the range 200060 to \
                    200068; in other vendors' tables 200067 has another meaning.
                    """,
                remedy: """
                    Check that Telecom's mobile data is in use and retry, then fall back. Benji takes one path for \
                    all three carriers and does not return 200067.
                    """))
        table.explain(
            "200068",
            zh: Explanation(
                meaning: "中国电信取号过程出错（编号 200068）",
                cause: """
                    旧 SDK 内嵌的电信取号组件失败。文档只给出 200060 至 200068 这一段，没有公开 200068 的单独含义；\
                    其他厂商的表里同一编号另有所指。
                    """,
                remedy: """
                    确认使用电信蜂窝数据后重试，再不行改用其他方式；Benji 对三家运营商走同一流程，不会返回 200068。
                    """),
            en: Explanation(
                meaning: "An error while asking China Telecom for the number, number 200068",
                cause: """
                    The Telecom component inside the old SDK failed. The document names only the range 200060 to \
                    200068; in other vendors' tables 200068 has another meaning.
                    """,
                remedy: """
                    Check that Telecom's mobile data is in use and retry, then fall back. Benji takes one path for \
                    all three carriers and does not return 200068.
                    """))
        table.explain(
            "105302",
            zh: Explanation(
                meaning: "这个 appid 还没有被列入允许名单",
                cause: "应用已创建，但运营方尚未放行该 appid，或放行后又被撤下。",
                remedy: "请运营方把 appid 加入名单（原流程约两个工作日）；用 Benji 自建时由管理员放行。"),
            en: Explanation(
                meaning: "The appid is not on the allow-list yet",
                cause: "The app exists but the operator has not admitted the appid, or has withdrawn it again.",
                remedy: """
                    Ask the operator to admit it (the vendor's process took two working days); on your own Benji an \
                    administrator does so.
                    """))
        return table.entries
    }
}
