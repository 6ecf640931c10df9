import BenjiProtocol

/// Document 002: China Unicom's own code, in `metadata`.
enum GeYanUnicomTable {
    static func entries() -> [CatalogueEntry] {
        var table = TableWriter(.geyanUnicom, version: "002")
        table.explain(
            "100",
            zh: Explanation(
                meaning: "应用没有被授权",
                cause: "应用被停用，或不在运营方的名单上。",
                remedy: "联系运营方恢复或加入名单。"),
            en: Explanation(
                meaning: "The app is not authorised",
                cause: "It is suspended, or not on the operator's list.",
                remedy: "Ask the operator to restore it or to put it on the list."))
        table.explain(
            "101",
            zh: Explanation(
                meaning: "应用密钥错误",
                cause: "SDK 中的密钥与登记的不一致。",
                remedy: "重新复制后台的密钥，注意测试与正式环境。"),
            en: Explanation(
                meaning: "The app's key is wrong",
                cause: "The one in the SDK is not the one registered.",
                remedy: "Copy the key from the console again, of the right environment."))
        table.explain(
            "102",
            zh: Explanation(
                meaning: "应用无效",
                cause: "没有这个应用编号。",
                remedy: "核对编号是否完整、是否属于这个服务器。"),
            en: Explanation(
                meaning: "The app is not valid",
                cause: "There is no such app id.",
                remedy: "See whether the id is complete and belongs to this server."))
        table.explain(
            "103",
            zh: Explanation(
                meaning: "应用不许从该 IP 访问",
                cause: "属于联通的服务端接口：调用方地址不在应用的名单里。",
                remedy: "手机端列表里 Benji 不会返回此码；服务器地址受限时换号接口另有编号。"),
            en: Explanation(
                meaning: "The app may not call from this address",
                cause: "It belonged to Unicom's interface for servers: the caller's address is not on the app's list.",
                remedy: """
                    Benji does not return it in this list for phones; the calls that exchange tokens have a code of \
                    their own for it.
                    """))
        table.explain(
            "104",
            zh: Explanation(
                meaning: "应用的访问次数不足",
                cause: "属于联通的预付次数：余量用完。",
                remedy: "Benji 在换号时检查额度，手机端不会返回此码；旧平台请续购。"),
            en: Explanation(
                meaning: "The app has no calls left",
                cause: "It belonged to Unicom's prepaid calls: none was left.",
                remedy: """
                    Benji looks at the quota when a token is redeemed and does not return this to phones; buy more in \
                    the old platform.
                    """))
        table.explain(
            "105",
            zh: Explanation(
                meaning: "应用包名不正确",
                cause: "Bundle ID 或包名与登记不符。",
                remedy: "在登记中加入当前构建的标识。"),
            en: Explanation(
                meaning: "The app's package name is not right",
                cause: "Bundle ID or package name is not the one registered.",
                remedy: "Add the identity of this build to the registration."))
        table.explain(
            "200",
            zh: Explanation(
                meaning: "tokenId 无效",
                cause: "属于联通的服务端接口：换号用的 token 不认识。",
                remedy: "这份列表供手机端使用，Benji 在这里不会返回此码；换号结果看服务端接口的编号。"),
            en: Explanation(
                meaning: "The tokenId is not valid",
                cause: "It belonged to Unicom's interface for servers: the token to exchange is not known.",
                remedy: """
                    This list is for phones and Benji does not return it here; see the code of the call that exchanges \
                    tokens.
                    """))
        table.explain(
            "201",
            zh: Explanation(
                meaning: "token 已失效",
                cause: "属于联通的服务端接口：换号时 token 已过期或用过。",
                remedy: "Benji 在手机端不会返回此码；token 拿到后应立即提交给服务器。"),
            en: Explanation(
                meaning: "The token has ended",
                cause: "It belonged to Unicom's interface for servers: the token was too old or used when exchanged.",
                remedy: "Benji does not return it to phones; hand tokens to your server at once."))
        table.explain(
            "202",
            zh: Explanation(
                meaning: "token 不属于这个应用",
                cause: "属于联通的服务端接口：用甲应用的 token 以乙应用的身份换号。",
                remedy: "Benji 在手机端不会返回此码；服务器与客户端应使用同一个应用编号。"),
            en: Explanation(
                meaning: "The token is not this app's",
                cause: "It belonged to Unicom's interface for servers: a token of one app was exchanged by another.",
                remedy: "Benji does not return it to phones; use one app id in app and server."))
        table.explain(
            "203",
            zh: Explanation(
                meaning: "认证强度不够",
                cause: "这次登录的保证等级低于应用要求的最低等级。",
                remedy: "换成更强的接入方式，例如应用证明；或由应用调整最低等级。"),
            en: Explanation(
                meaning: "The login is not strong enough",
                cause: "Its assurance is below the least that the app accepts.",
                remedy: "Use a stronger set-up, such as app attestation, or let the app lower what it asks for."))
        table.explain(
            "300",
            zh: Explanation(
                meaning: "接口没有开放",
                cause: "联通在这里或对这个应用是关闭的。",
                remedy: "由运营方在策略中打开联通。"),
            en: Explanation(
                meaning: "The interface is not open",
                cause: "China Unicom is switched off here or for this app.",
                remedy: "The operator switches Unicom on in the policy."))
        table.explain(
            "301",
            zh: Explanation(
                meaning: "应用没有使用该接口的能力",
                cause: "登记里没有勾选所用的能力。",
                remedy: "在后台为应用勾选一键登录或号码校验。"),
            en: Explanation(
                meaning: "The app lacks the capability for this interface",
                cause: "Its registration does not include what was asked for.",
                remedy: "Give the app the capability to log in or to verify in the console."))
        table.explain(
            "302",
            zh: Explanation(
                meaning: "该 IP 不许访问这个接口",
                cause: "属于联通的服务端接口；文档 000 的号码校验里 302 表示签名错误。",
                remedy: "Benji 在手机端列表里不会返回此码；旧平台请登记服务器地址。"),
            en: Explanation(
                meaning: "This address may not use the interface",
                cause: """
                    It belonged to Unicom's interface for servers; in document 000's verification 302 is a wrong sign.
                    """,
                remedy: """
                    Benji does not return it in the list for phones; register the server's address in the old platform.
                    """))
        table.explain(
            "303",
            zh: Explanation(
                meaning: "访问次数超过限制",
                cause: "短时间内请求太多，或未使用的 token 太多。",
                remedy: "降低频率，用完一个再取下一个。"),
            en: Explanation(
                meaning: "Too many calls",
                cause: "Too many requests came in a short time, or too many tokens are unused.",
                remedy: "Ask less often, and use one token before the next."))
        table.explain(
            "400",
            zh: Explanation(
                meaning: "必需的参数为空",
                cause: "没有应用编号。",
                remedy: "初始化时传入应用编号。"),
            en: Explanation(
                meaning: "A needed parameter is empty",
                cause: "There is no app id.",
                remedy: "Give the app id when the SDK is started."))
        table.explain(
            "401",
            zh: Explanation(
                meaning: "参数不完整",
                cause: "请求缺少一个必需的字段。",
                remedy: "更新 SDK，确认没有被中间设备删改。"),
            en: Explanation(
                meaning: "Parameters are missing",
                cause: "The request lacks a member that is needed.",
                remedy: "Bring the SDK up to date, and make sure that nothing in between cuts requests."))
        table.explain(
            "402",
            zh: Explanation(
                meaning: "参数不合法",
                cause: "某个值的格式或范围不对。",
                remedy: "按说明修正参数，原样重试无效。"),
            en: Explanation(
                meaning: "A parameter is not valid",
                cause: "The format or range of a value is wrong.",
                remedy: "Correct it as documented; the same request again fails again."))
        table.explain(
            "600",
            zh: Explanation(
                meaning: "请求不合法",
                cause: "属于联通网关：请求不是由其 SDK 发出的。",
                remedy: "Benji 对读不懂的请求用 1000，不会返回此码；旧 SDK 中检查版本。"),
            en: Explanation(
                meaning: "The request is not legitimate",
                cause: "It belonged to Unicom's gateway: the request did not come from its SDK.",
                remedy: """
                    Benji says 1000 for what it cannot read and does not return this; in the old SDK check the version.
                    """))
        table.explain(
            "1000",
            zh: Explanation(
                meaning: "请求解析失败",
                cause: "请求体不是合法的格式，或超出限制。",
                remedy: "排除代理改写；不要自行拼装 SDK 的请求。"),
            en: Explanation(
                meaning: "The request cannot be parsed",
                cause: "Its body is not in the right format or is too large.",
                remedy: "Rule out a proxy that rewrites, and do not build the SDK's requests yourself."))
        table.explain(
            "1001",
            zh: Explanation(
                meaning: "请求已失效",
                cause: "请求时间与服务器相差过大，或同一请求被发送了两次。",
                remedy: "校准手机时间；不要重放请求。"),
            en: Explanation(
                meaning: "The request is no longer valid",
                cause: "Its time is too far from the server's, or it was sent twice.",
                remedy: "Set the phone's time, and do not replay requests."))
        table.explain(
            "1002",
            zh: Explanation(
                meaning: "验签失败",
                cause: "设备对请求的签名不正确或缺失。",
                remedy: "不要改动 SDK 发出的请求；反复出现时检查是否有中间设备改写。"),
            en: Explanation(
                meaning: "The sign is not right",
                cause: "The device's proof of the request is wrong or absent.",
                remedy: """
                    Leave the SDK's requests as they are; if it repeats look for something in between that rewrites.
                    """))
        table.explain(
            "1003",
            zh: Explanation(
                meaning: "授权码已过期",
                cause: "预登录得到的凭证超过了有效期。",
                remedy: "重新预登录。"),
            en: Explanation(
                meaning: "The authorisation code has expired",
                cause: "What the pre-login gave is past its time.",
                remedy: "Pre-login again."))
        table.explain(
            "1004",
            zh: Explanation(
                meaning: "加密方式不支持",
                cause: "属于联通 SDK 与网关之间的加密协商。",
                remedy: "Benji 只用 TLS，没有可选的加密方式，不会返回此码；旧 SDK 请升级。"),
            en: Explanation(
                meaning: "The encryption is not supported",
                cause: "It belonged to what Unicom's SDK and gateway agreed on for encryption.",
                remedy: """
                    Benji uses TLS alone, has nothing to choose and does not return it; bring the old SDK up to date.
                    """))
        table.explain(
            "1005",
            zh: Explanation(
                meaning: "RSA 加密错误",
                cause: "属于联通 SDK 自己的参数加密。",
                remedy: "Benji 不加密单个参数，不会返回此码；旧 SDK 中核对公钥。"),
            en: Explanation(
                meaning: "RSA encryption failed",
                cause: "It belonged to Unicom's SDK and its own encryption of parameters.",
                remedy: """
                    Benji encrypts no single parameters and does not return it; in the old SDK compare the public key.
                    """))
        table.explain(
            "1010",
            zh: Explanation(
                meaning: "服务之间无法访问",
                cause: "网关暂时连不上后端服务，或后端过载。",
                remedy: "稍后重试；运营方检查各节点之间的连接。"),
            en: Explanation(
                meaning: "One service cannot reach another",
                cause: "The gateway cannot reach what is behind it just now, or that has too much load.",
                remedy: "Retry later; the operator checks the links between the nodes."))
        table.explain(
            "1011",
            zh: Explanation(
                meaning: "后端服务出错",
                cause: "后端在处理请求时出现内部故障。",
                remedy: "稍后重试，并把 processID 交给运营方。"),
            en: Explanation(
                meaning: "A service behind the gateway failed",
                cause: "It had an internal fault while it served the request.",
                remedy: "Retry later, and give the processID to the operator."))
        table.explain(
            "2004",
            zh: Explanation(
                meaning: "用户不存在",
                cause: "这个号码不在可登录的范围内。",
                remedy: "对这类号码提供其他登录方式。"),
            en: Explanation(
                meaning: "The user does not exist",
                cause: "The number is not among those that may log in.",
                remedy: "Offer such numbers another way to log in."))
        table.explain(
            "3001",
            zh: Explanation(
                meaning: "取号凭证 unikey 无效",
                cause: "没有预登录结果、凭证被撤销或用过，或换了 SIM 卡。",
                remedy: "从预登录重新开始。"),
            en: Explanation(
                meaning: "The key of the pre-login is not valid",
                cause: "There is no result, it was revoked or used, or the SIM was changed.",
                remedy: "Begin again with a pre-login."))
        table.explain(
            "3002",
            zh: Explanation(
                meaning: "跳转到其他运营商取号",
                cause: "属于联通的异网流程：提示 SDK 去别家网关。",
                remedy: "Benji 的手机端不跳转，不会返回此码；旧 SDK 会自动处理。"),
            en: Explanation(
                meaning: "The number is to be taken at another carrier",
                cause: "It belonged to Unicom's way across networks, and told its SDK to go elsewhere.",
                remedy: """
                    Benji's phones are not sent elsewhere and it does not return this; the old SDK handles it by itself.
                    """))
        table.explain(
            "3003",
            zh: Explanation(
                meaning: "本网取号失败且不必跳转",
                cause: "属于联通的异网流程：确是联通用户但取不到号。",
                remedy: "Benji 用 3012 表示网关取号失败，不会返回此码；旧 SDK 中换方式登录。"),
            en: Explanation(
                meaning: "Unicom failed and no redirect is needed",
                cause: "It belonged to Unicom's way across networks: the person is Unicom's, yet no number came.",
                remedy: """
                    Benji says 3012 when the gateway fails and does not return this; in the old SDK log in another way.
                    """))
        table.explain(
            "3004",
            zh: Explanation(
                meaning: "NET 取号失败",
                cause: "属于联通的 3GNET 接入点取号。",
                remedy: "Benji 不区分接入点，不会返回此码；旧 SDK 中检查 APN 设置。"),
            en: Explanation(
                meaning: "Taking the number over NET failed",
                cause: "It belonged to Unicom's way over the access point 3GNET.",
                remedy: """
                    Benji does not tell access points apart and does not return it; in the old SDK check the APN.
                    """))
        table.explain(
            "3005",
            zh: Explanation(
                meaning: "当前走的是 Wi-Fi，无法取号",
                cause: "没有可用的蜂窝数据。",
                remedy: "请用户打开蜂窝数据；Wi-Fi 可以保持连接。"),
            en: Explanation(
                meaning: "The phone is on Wi-Fi and no number can be taken",
                cause: "There is no usable mobile data.",
                remedy: "Ask the person to turn mobile data on; Wi-Fi may stay connected."))
        table.explain(
            "3006",
            zh: Explanation(
                meaning: "URL 编码失败",
                cause: "属于联通 SDK 拼接请求地址的过程。",
                remedy: "Benji 的请求体是 JSON，不会返回此码；旧 SDK 中检查特殊字符。"),
            en: Explanation(
                meaning: "URL encoding failed",
                cause: "It belonged to how Unicom's SDK puts its addresses together.",
                remedy: "Benji sends JSON and does not return it; in the old SDK look for special characters."))
        table.explain(
            "3007",
            zh: Explanation(
                meaning: "请求认证接口异常",
                cause: "网络中断、超时、证书问题，或应答读不懂。",
                remedy: "网络恢复后重试一次；集中出现时检查网关地址。"),
            en: Explanation(
                meaning: "The request to the interface went wrong",
                cause: "The network broke or was too slow, a certificate was refused, or the answer cannot be read.",
                remedy: "Retry once when the network is back; if many are hit check the gateway's address."))
        table.explain(
            "3008",
            zh: Explanation(
                meaning: "按 IMSI 取号失败",
                cause: "属于联通以 SIM 身份取号的方式。",
                remedy: "Benji 从不读取 IMSI，不会返回此码；旧 SDK 中检查 SIM 卡。"),
            en: Explanation(
                meaning: "Taking the number by IMSI failed",
                cause: "It belonged to Unicom's way of going by the SIM's identity.",
                remedy: "Benji never reads an IMSI and does not return it; in the old SDK check the SIM."))
        table.explain(
            "3009",
            zh: Explanation(
                meaning: "不是联通的号码",
                cause: "属于联通网关：来源是别家用户。",
                remedy: "Benji 按认出的运营商选用列表，不会返回此码；旧 SDK 中确认流量卡。"),
            en: Explanation(
                meaning: "The number is not Unicom's",
                cause: "It belonged to Unicom's gateway: the caller is another carrier's.",
                remedy: """
                    Benji picks the list by the carrier found and does not return it; in the old SDK check which SIM \
                    carries the data.
                    """))
        table.explain(
            "3010",
            zh: Explanation(
                meaning: "网关取号错误",
                cause: "属于联通网关的内部错误；3012 才是取号被拒。",
                remedy: "Benji 用 1011 表示内部故障，不会返回此码；旧平台请稍后再试。"),
            en: Explanation(
                meaning: "The gateway made an error",
                cause: "It belonged to Unicom's gateway and its inner errors; a refusal is 3012.",
                remedy: "Benji says 1011 for inner faults and does not return this; in the old platform try later."))
        table.explain(
            "3011",
            zh: Explanation(
                meaning: "来源 IP 没有通过鉴权",
                cause: "请求地址不属于任何在线的联通用户。",
                remedy: "关闭代理，确认请求走联通蜂窝网络。"),
            en: Explanation(
                meaning: "The source address was not accepted",
                cause: "It belongs to no subscriber of Unicom who is online.",
                remedy: "Turn proxies off, and make sure that the request goes over Unicom's mobile network."))
        table.explain(
            "3012",
            zh: Explanation(
                meaning: "联通网关取不到号码",
                cause: "地址后面可能有多个用户，或会话过久没有更新。",
                remedy: "重新联网建立新会话后再试。"),
            en: Explanation(
                meaning: "Unicom's gateway could not take the number",
                cause: "Several subscribers may be behind the address, or its session was not heard of for too long.",
                remedy: "Reconnect for a new session and retry."))
        table.explain(
            "3013",
            zh: Explanation(
                meaning: "电信网关取号失败",
                cause: "属于联通 SDK 的异网流程：电信侧拒绝。",
                remedy: "Benji 用电信列表表示电信的结果，这里不会返回此码；旧 SDK 中改用短信登录。"),
            en: Explanation(
                meaning: "Telecom's gateway could not take the number",
                cause: "It belonged to the way across networks in Unicom's SDK: Telecom said no.",
                remedy: """
                    Benji shows Telecom's results in Telecom's list and does not return it here; in the old SDK log in \
                    by SMS.
                    """))
        table.explain(
            "3014",
            zh: Explanation(
                meaning: "电信网关取号出错",
                cause: "属于同一异网流程：电信侧内部错误。",
                remedy: "Benji 在联通列表里不会返回此码；旧 SDK 中稍后重试。"),
            en: Explanation(
                meaning: "Telecom's gateway made an error",
                cause: "It belonged to the same way across networks: an inner error at Telecom.",
                remedy: "Benji does not return it in Unicom's list; in the old SDK retry later."))
        table.explain(
            "3015",
            zh: Explanation(
                meaning: "读取 accessCode 的请求参数失败",
                cause: "属于联通 SDK 内部步骤：组装换取凭证的参数时出错。",
                remedy: "Benji 没有这个内部步骤，不会返回此码；旧 SDK 请升级。"),
            en: Explanation(
                meaning: "The parameters for an accessCode could not be read",
                cause: "It belonged to an inner step of Unicom's SDK, on its way to a credential.",
                remedy: "Benji has no such step and does not return it; bring the old SDK up to a newer release."))
        table.explain(
            "3016",
            zh: Explanation(
                meaning: "移动网关取号失败",
                cause: "属于联通 SDK 的异网流程：移动侧拒绝。",
                remedy: "Benji 用移动列表表示移动的结果，这里不会返回此码；旧 SDK 中换一种登录方式。"),
            en: Explanation(
                meaning: "China Mobile's gateway could not take the number",
                cause: "It belonged to the way across networks in Unicom's SDK: China Mobile said no.",
                remedy: """
                    Benji shows China Mobile's results in its own list and does not return it here; in the old SDK log \
                    in another way.
                    """))
        table.explain(
            "3017",
            zh: Explanation(
                meaning: "移动网关取号出错",
                cause: "属于同一异网流程：移动侧内部错误。",
                remedy: "Benji 不会返回此码；旧 SDK 中等一会儿再试。"),
            en: Explanation(
                meaning: "China Mobile's gateway made an error",
                cause: "It belonged to the same way across networks: an inner error at China Mobile.",
                remedy: "Benji does not return this one either; in the old SDK wait a while."))
        return table.entries
    }
}
