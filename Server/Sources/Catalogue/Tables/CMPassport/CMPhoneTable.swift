import BenjiProtocol

/// Document 000 §6.2: `loginTokenValidate`.
enum CMPhoneTable {
    static func entries() -> [CatalogueEntry] {
        var table = TableWriter(.cmPhone, version: "000")
        table.explain(
            "103000",
            zh: Explanation(
                meaning: "手机号码已成功返回",
                cause: "token 有效，签名和来源地址都通过，号码在 msisdn 字段里。token 在这一刻已被用掉。",
                remedy: "按 inresponseto 核对是自己的请求；登记了公钥的应用先用私钥解密 msisdn，再建立登录会话。"),
            en: Explanation(
                meaning: "The number was returned",
                cause: """
                    The token was valid, sign and source address passed, and msisdn holds the number. The token is \
                    spent from this moment.
                    """,
                remedy: """
                    Match inresponseto with your msgid, decrypt msisdn with your private key if a public key is \
                    registered, then create the session.
                    """))
        table.explain(
            "103101",
            zh: Explanation(
                meaning: "请求签名验证不通过",
                cause: "MD5 拼接的字段次序或 appkey 不对，或应用登记的是 RSA 而请求用了 MD5（反之亦然）。",
                remedy: """
                    MD5 依次拼接 appid、version、msgid、systemtime、strictcheck、token、appkey；\
                    RSA 对 appid+token 签名，并与登记的公钥对应。
                    """),
            en: Explanation(
                meaning: "The sign of the request did not verify",
                cause: """
                    The order of the MD5 fields or the appkey is wrong, or the app is registered for RSA and the \
                    request used MD5, or the reverse.
                    """,
                remedy: """
                    MD5 joins appid, version, msgid, systemtime, strictcheck, token, appkey; RSA signs appid+token \
                    with the key whose public half is registered.
                    """))
        table.explain(
            "103102",
            zh: Explanation(
                meaning: "包名、包签名或 Bundle ID 不符",
                cause: "token 是由另一个安装包取得的，其标识与该 appid 登记的不一致。",
                remedy: "核对取 token 的应用和登记内容；若不是自己的包，可能有人冒用 appid，请按 processID 调查。"),
            en: Explanation(
                meaning: "Package name, package signature or bundle ID does not match",
                cause: "The token was obtained by a package whose identity differs from what this appid registered.",
                remedy: """
                    Compare the app with the registration; if the package is not yours somebody may be using your \
                    appid, so trace the processID.
                    """))
        table.explain(
            "103106",
            zh: Explanation(
                meaning: "填写的手机号不能用于短信验证",
                cause: "属于厂商的短信备用流程：提交的号码不是可接收验证码的手机号。",
                remedy: "Benji 的这个接口不发送短信，不会返回此码；短信登录请在提交前校验号码。"),
            en: Explanation(
                meaning: "The number entered cannot be used for the SMS check",
                cause: "It belonged to the vendor's SMS fallback: the number given cannot receive a code.",
                remedy: """
                    Benji does not return it from this interface; check the number in your form before asking for SMS \
                    login.
                    """))
        table.explain(
            "103107",
            zh: Explanation(
                meaning: "短信流程里的随机数重复",
                cause: "属于厂商的短信备用流程：同一随机数被提交了两次，视为重复请求。",
                remedy: "Benji 用 103505 报告重复的 msgid，不会返回此码；每次请求都生成新的随机数。"),
            en: Explanation(
                meaning: "A random number was repeated in the SMS flow",
                cause: "It belonged to the vendor's SMS fallback: the same random number was submitted twice.",
                remedy: """
                    Benji reports a repeated msgid as 103505 and does not return this here; generate a new random \
                    number for every request.
                    """))
        table.explain(
            "103108",
            zh: Explanation(
                meaning: "短信验证码填错",
                cause: "属于厂商的短信备用流程：用户输入的验证码与下发的不一致。",
                remedy: "本接口只兑换 token，不会返回此码；在短信登录页让用户重新输入，并限制次数。"),
            en: Explanation(
                meaning: "The SMS code is wrong",
                cause: "It belonged to the vendor's SMS fallback: the code typed differs from the one sent.",
                remedy: """
                    This interface only redeems tokens and does not return it; on your SMS page let the person \
                    retype, a limited number of times.
                    """))
        table.explain(
            "103109",
            zh: Explanation(
                meaning: "短信验证码已过时",
                cause: "属于厂商的短信备用流程：验证码超过了有效时间才提交。",
                remedy: "本接口不会返回此码；短信登录时请用户重新获取验证码，旧验证码随即失效。"),
            en: Explanation(
                meaning: "The SMS code came too late",
                cause: "It belonged to the vendor's SMS fallback: the code was submitted after its lifetime.",
                remedy: """
                    Benji does not return it here; in SMS login let the person request a new code, which ends the old \
                    one.
                    """))
        table.explain(
            "103111",
            zh: Explanation(
                meaning: "来源地址不属于认可的蜂窝网关",
                cause: "请求不是从运营商的蜂窝地址池来的：Wi-Fi、VPN、代理、漫游出口，或地址已不在任何会话里。",
                remedy: """
                    让用户用蜂窝数据并关闭 VPN 重试；运营方检查计费报文是否到达，地址池配置可用 benji doctor 检查。
                    """),
            en: Explanation(
                meaning: "The source address is not one of a recognised cellular gateway",
                cause: """
                    The request did not come from the carrier's cellular pools: Wi-Fi, a VPN, a proxy, a roaming \
                    exit, or an address in no session.
                    """,
                remedy: """
                    Retry on mobile data without a VPN; operators see whether accounting arrives and check the pools \
                    with benji doctor.
                    """))
        table.explain(
            "103112",
            zh: Explanation(
                meaning: "请求有误，无法处理",
                cause: "方法、路径、Content-Type 或 JSON 结构不对，服务端没能读到一个完整的请求。",
                remedy: "用 POST 发送 application/json，字段名与文档一致，先用 curl 发一次文档样例对照。"),
            en: Explanation(
                meaning: "The request is wrong and cannot be handled",
                cause: "The method, path, Content-Type or JSON shape is off, and no complete request could be read.",
                remedy: """
                    POST application/json with the documented field names; send the documented sample with curl and \
                    compare.
                    """))
        table.explain(
            "103113",
            zh: Explanation(
                meaning: "token 内容校验不通过",
                cause: "token 不是本平台签发的，或被截断、改写、转义，也可能属于别的 appid。",
                remedy: "原样传递 token，不要 URL 编码两次或截断；确认客户端与服务器使用同一个 appid。"),
            en: Explanation(
                meaning: "The token's content did not verify",
                cause: "It was not issued here, was cut, changed or escaped, or belongs to another appid.",
                remedy: "Pass it on unchanged, without double URL encoding, and use the same appid in app and server."))
        table.explain(
            "103119",
            zh: Explanation(
                meaning: "appid 不被认可",
                cause: "请求里的 appid 不存在、格式不对，或应用已停用。",
                remedy: "从应用登记中复制 appid，不要把其他环境（沙箱、正式）的值混用；停用的应用需管理员恢复。"),
            en: Explanation(
                meaning: "The appid is not accepted",
                cause: "The appid of the request does not exist, is malformed, or its app is suspended.",
                remedy: """
                    Copy it from the app's registration, do not mix sandbox and production, and have an administrator \
                    reactivate a suspended app.
                    """))
        table.explain(
            "103122",
            zh: Explanation(
                meaning: "没有对应的 btid",
                cause: "btid 是厂商旧的 GBA 引导流程里的会话标识，服务器上已没有这一条。",
                remedy: "Benji 不使用 GBA，不会返回此码；旧客户端遇到时重新取号即可。"),
            en: Explanation(
                meaning: "There is no such btid",
                cause: """
                    A btid named a bootstrapping session of the vendor's old GBA flow, which the server no longer \
                    held.
                    """,
                remedy: "Benji does not use GBA and does not return it; an old client simply prefetches again."))
        table.explain(
            "103125",
            zh: Explanation(
                meaning: "短信流程的手机号格式不对",
                cause: "属于厂商的短信备用流程：号码不是 11 位数字，或带了空格、国家码。",
                remedy: "本接口不接收号码，不会返回此码；短信登录时先去掉空格和 +86 再提交。"),
            en: Explanation(
                meaning: "The number of the SMS flow is malformed",
                cause: """
                    It belonged to the vendor's SMS fallback: not eleven digits, or with spaces or a country code.
                    """,
                remedy: """
                    This interface takes no number and does not return it; in SMS login strip spaces and +86 first.
                    """))
        table.explain(
            "103127",
            zh: Explanation(
                meaning: "证书的版本已过期",
                cause: "旧 SDK 随包携带的证书版本被平台淘汰，校验证书这一步失败。",
                remedy: "Benji 的客户端不内置该类证书，不会返回此码；使用旧 SDK 的应用需要升级。"),
            en: Explanation(
                meaning: "The certificate's version is out of date",
                cause: """
                    The platform had retired the certificate shipped inside an old SDK, so the certificate check \
                    failed.
                    """,
                remedy: """
                    Benji's client ships no such certificate and does not return it; apps with the old SDK must \
                    upgrade.
                    """))
        table.explain(
            "103133",
            zh: Explanation(
                meaning: "sourceid 不被认可",
                cause: "sourceid 没有登记，或不是平台分配的那种编号，例如含有字母、长度不对或为空。",
                remedy: "使用登记该 appid 时得到的 sourceid；不做单点登录就不要传这个字段。"),
            en: Explanation(
                meaning: "The sourceid is not accepted",
                cause: """
                    It is not registered, or not the kind of number the platform assigns: letters, the wrong length \
                    or empty.
                    """,
                remedy: """
                    Use the sourceid that was assigned with the appid, or leave the field out if you do not use \
                    single sign-on.
                    """))
        table.explain(
            "103138",
            zh: Explanation(
                meaning: "该 appid 已经登记过",
                cause: "旧平台登记应用时由开发者提交 appid，与已有的重复；属于开户环节而不是取号环节。",
                remedy: "Benji 自己分配 appid，不会返回此码；旧平台上改用已有的登记或申请新的 appid。"),
            en: Explanation(
                meaning: "This appid is registered already",
                cause: """
                    On the old platform an app was registered under an appid that existed; this belongs to \
                    registration.
                    """,
                remedy: """
                    Benji assigns appids itself and does not return it; on the old platform use the existing \
                    registration or another appid.
                    """))
        table.explain(
            "103139",
            zh: Explanation(
                meaning: "该 sourceid 已经登记过",
                cause: "同一个 sourceid 被第二次登记。",
                remedy: "沿用原来的登记，或为新业务申请新的 sourceid；只在登记时出现。"),
            en: Explanation(
                meaning: "This sourceid is registered already",
                cause: "The same sourceid was registered a second time.",
                remedy: "Keep the first registration or apply for another sourceid; it occurs at registration only."))
        table.explain(
            "103202",
            zh: Explanation(
                meaning: "验证缓存里没有该用户，或短信验证失败太多",
                cause: "属于厂商的短信备用流程：验证会话已不存在，或连续输错后被清除。",
                remedy: "本接口不会返回此码；让用户从头获取验证码，并提示剩余次数。"),
            en: Explanation(
                meaning: "No such user in the verification cache, or too many failed SMS codes",
                cause: """
                    It belonged to the vendor's SMS fallback: the session was gone, or was removed after repeated \
                    wrong codes.
                    """,
                remedy: "Benji does not return it here; start the SMS login over and show how many tries remain."))
        table.explain(
            "103203",
            zh: Explanation(
                meaning: "短信上行的缓存里没有该用户",
                cause: "属于厂商的短信上行流程：平台等不到与请求对应的上行短信。",
                remedy: "Benji 没有短信上行，不会返回此码；改用一键登录或短信验证码。"),
            en: Explanation(
                meaning: "No such user in the SMS-upstream cache",
                cause: "It belonged to the vendor's SMS-upstream flow: no upstream SMS matched the request.",
                remedy: "Benji has no SMS upstream and does not return it; use one-tap login or an SMS code."))
        table.explain(
            "103204",
            zh: Explanation(
                meaning: "平台找不到先前下发的随机数",
                cause: "旧流程先下发随机数、再要求带回，该随机数已过期或从未存在。",
                remedy: "Benji 没有这一步，不会返回此码；旧客户端从取号开始重来。"),
            en: Explanation(
                meaning: "The platform no longer knows the random number it had given",
                cause: "The old flow handed out a random number to be sent back; it had expired or never existed.",
                remedy: "Benji has no such step and does not return it; an old client starts over with the prefetch."))
        table.explain(
            "103205",
            zh: Explanation(
                meaning: "服务端发生异常",
                cause: "平台处理请求时出错，与参数无关；号码没有释放，也没有计费。",
                remedy: "稍后重新走客户端流程再试；自建时用 processID 在日志和追踪里定位出错的那一步。"),
            en: Explanation(
                meaning: "The server failed",
                cause: """
                    An error inside the platform that has nothing to do with the parameters; no number was released \
                    or billed.
                    """,
                remedy: """
                    Run the client flow again later; when you host Benji find the failing step by processID in log \
                    and trace.
                    """))
        table.explain(
            "103207",
            zh: Explanation(
                meaning: "短信没有发出去",
                cause: "属于厂商的短信备用流程：短信通道拒绝或超时。",
                remedy: "本接口不发送短信，不会返回此码；短信登录失败时检查短信通道的配置和余额。"),
            en: Explanation(
                meaning: "The SMS could not be sent",
                cause: "It belonged to the vendor's SMS fallback: the SMS channel refused or timed out.",
                remedy: """
                    This interface sends no SMS and does not return it; if SMS login fails check the channel's \
                    settings and balance.
                    """))
        table.explain(
            "103211",
            zh: Explanation(
                meaning: "表中没有列出的其他错误",
                cause: "发生了这张表没有专门编号的情况，通常属于手机一侧，说明在 desc 字段里。",
                remedy: "记录 desc、msgid 和 processID 后让客户端重新走一次流程；可复现时向运营方反馈。"),
            en: Explanation(
                meaning: "Some other error that the table does not list",
                cause: "A case without a number of its own, usually on the phone's side; the desc field describes it.",
                remedy: """
                    Record desc, msgid and processID and let the client run the flow again; report it if it can be \
                    reproduced.
                    """))
        table.explain(
            "103214",
            zh: Explanation(
                meaning: "读写缓存或数据库失败",
                cause: "存储不可用或写入没有落盘；Benji 在这种情况下拒绝放行，不会凭猜测返回号码。",
                remedy: "稍后重试；自建时检查磁盘空间，并用 benji doctor 检查数据库和文件权限。"),
            en: Explanation(
                meaning: "Reading or writing the cache or the database failed",
                cause: """
                    The store is unavailable or a write was not durable; Benji then refuses rather than guess at a \
                    number.
                    """,
                remedy: """
                    Retry later; when you host Benji check the disk's space, and database and file rights with benji \
                    doctor.
                    """))
        table.explain(
            "103401",
            zh: Explanation(
                meaning: "没有携带消息签名",
                cause: "sign 字段缺失或为空。Benji 要求每个应用都签名，没有密钥的应用也不例外。",
                remedy: "按接口说明计算 sign 并放进请求；检查代理或序列化库是否丢掉了空字段。"),
            en: Explanation(
                meaning: "The message carries no sign",
                cause: "The sign field is missing or empty. Benji requires a sign of every app.",
                remedy: """
                    Compute sign as the interface describes and send it; check that no proxy or serialiser drops the \
                    field.
                    """))
        table.explain(
            "103404",
            zh: Explanation(
                meaning: "加密手机号失败",
                cause: "应用要求 RSA 加密返回，但登记的公钥无法使用：格式错误、长度太短或已损坏。",
                remedy: "为应用重新登记 2048 位以上的 RSA 公钥（PEM），再用新 token 请求。"),
            en: Explanation(
                meaning: "Encrypting the number failed",
                cause: """
                    The app asked for RSA, but its registered public key cannot be used: malformed, too short or \
                    damaged.
                    """,
                remedy: "Register an RSA public key of at least 2048 bits (PEM) again and ask with a new token."))
        table.explain(
            "103408",
            zh: Explanation(
                meaning: "该 sourceId 的登记次数已到上限 99",
                cause: "同一 sourceId 下登记的应用达到 99 个，不能再增加。",
                remedy: "清理不再使用的登记，或为新的业务线申请另一个 sourceId。"),
            en: Explanation(
                meaning: "The sourceId has reached its limit of 99 registrations",
                cause: "Ninety-nine apps are registered under the same sourceId and no more are accepted.",
                remedy: """
                    Remove registrations that are no longer used, or apply for another sourceId for the new line of \
                    business.
                    """))
        table.explain(
            "103409",
            zh: Explanation(
                meaning: "query 参数没有内容",
                cause: "旧接口要求的 query 参数为空。",
                remedy: "Benji 的接口只读取 JSON 请求体，不会返回此码；旧网关的调用方需补上查询参数。"),
            en: Explanation(
                meaning: "The query parameter is empty",
                cause: "A query parameter required by an older interface had no value.",
                remedy: """
                    Benji reads the JSON body only and does not return it; callers of the old gateway must supply the \
                    query.
                    """))
        table.explain(
            "103412",
            zh: Explanation(
                meaning: "请求已经失去时效",
                cause: "systemtime 与服务器时间相差超出该应用允许的范围；有些程序在启动时取一次时间，之后一直沿用。",
                remedy: "每次请求都取当前时间并按东八区填写，服务器启用对时；确实做不到时可在应用登记中放宽时效设置。"),
            en: Explanation(
                meaning: "The request is no longer current",
                cause: """
                    systemtime is further from the server's time than the app is allowed; some programs read the time \
                    once at start.
                    """,
                remedy: """
                    Read the time for every request, write it at UTC+8 and keep the clock in sync; the app's \
                    registration can widen the limit.
                    """))
        table.explain(
            "103414",
            zh: Explanation(
                meaning: "参数检查没有通过",
                cause: """
                    某个字段缺失、超长或格式不对，例如 msgid 超过 36 位、systemtime 不是 17 位、version 不是 2.0。
                    """,
                remedy: "按接口表核对每个字段的长度和格式；时间用东八区 yyyyMMddHHmmssSSS。"),
            en: Explanation(
                meaning: "A parameter failed its check",
                cause: """
                    A field is missing, too long or malformed: a msgid over 36 characters, a systemtime without 17 \
                    digits, a version other than 2.0.
                    """,
                remedy: """
                    Check length and form of each field against the interface; the time is yyyyMMddHHmmssSSS at UTC+8.
                    """))
        table.explain(
            "103505",
            zh: Explanation(
                meaning: "识别为重放的请求",
                cause: "同一应用的 msgid 在有效窗口内已经出现过，多半是把失败的请求原样重发。",
                remedy: "每次请求（包括重试）都生成新的 msgid；出现不明来源的重放时检查 appkey 是否泄露。"),
            en: Explanation(
                meaning: "The request was recognised as a replay",
                cause: """
                    The app has used this msgid within the window, most likely by resending a failed request \
                    unchanged.
                    """,
                remedy: """
                    Make a new msgid for every request, retries included; if you did not send it twice, see whether \
                    the appkey leaked.
                    """))
        table.explain(
            "103511",
            zh: Explanation(
                meaning: "调用服务器的来源 IP 未登记",
                cause: "请求的出口公网地址不在应用登记的服务器地址里；经过 NAT、云函数或 IPv6 出口时常见。",
                remedy: "查明对外可见的地址为应用登记，并固定出口；X-Forwarded-For 不被采信。"),
            en: Explanation(
                meaning: "The calling server's address is not registered",
                cause: """
                    The public address is not among the app's server addresses; common behind NAT, cloud functions or \
                    an IPv6 exit.
                    """,
                remedy: """
                    Find the address seen from outside, register it and keep it fixed; X-Forwarded-For is not trusted.
                    """))
        table.explain(
            "103810",
            zh: Explanation(
                meaning: "这个 token 不能用在此接口",
                cause: """
                    token 与接口不配：不弹授权页取得的 token 只能校验号码，不能取号；\
                    旧平台还用它表示两代接口的版本不一致。
                    """,
                remedy: "一键登录走授权页再取号码；只需比对时改调本机号码校验接口，并使用同一代的 SDK 与接口。"),
            en: Explanation(
                meaning: "This token does not fit this interface",
                cause: """
                    A token earned without the page only verifies and releases no number; the vendor also used it for \
                    two generations of versions.
                    """,
                remedy: """
                    Show the page for a login, or call the verification interface to compare; use SDK and interface \
                    of one generation.
                    """))
        table.explain(
            "103811",
            zh: Explanation(
                meaning: "请求里没有 token",
                cause: "token 字段缺失或为空串，多为客户端授权失败后仍继续调用。",
                remedy: "只有客户端拿到 103000 且 token 非空时才请求服务器，并在服务器入口做空值检查。"),
            en: Explanation(
                meaning: "The request has no token",
                cause: "The token field is missing or empty; usually the app went on after a failed authorization.",
                remedy: """
                    Call the server only after a 103000 with a token, and check for an empty value where your server \
                    receives it.
                    """))
        table.explain(
            "103901",
            zh: Explanation(
                meaning: "短信验证码的下发次数用完",
                cause: "属于厂商的短信备用流程：同一号码一分钟最多 5 次、一天最多 10 次。",
                remedy: "本接口不会返回此码；在短信登录界面做倒计时，并提示用户稍后再试。"),
            en: Explanation(
                meaning: "The number of SMS codes is used up",
                cause: "It belonged to the vendor's SMS fallback: at most 5 a minute and 10 a day to one number.",
                remedy: """
                    Benji does not return it from this interface; show a countdown on the SMS page and ask the person \
                    to wait.
                    """))
        table.explain(
            "103902",
            zh: Explanation(
                meaning: "取号临时凭证 scrip 没有通过校验",
                cause: "scrip 过期、已轮换、属于另一台设备或另一张卡，或手机地址已换成别的用户。",
                remedy: "删除本地 scrip 后重新取号，再授权；频繁出现时检查是否在 Wi-Fi 与蜂窝之间切换。"),
            en: Explanation(
                meaning: "The prefetch credential (scrip) did not verify",
                cause: """
                    It has expired, was rotated, belongs to another device or SIM, or the phone's address now belongs \
                    to someone else.
                    """,
                remedy: """
                    Delete the local scrip, prefetch again, then authorize; if it is frequent, look for switching \
                    between Wi-Fi and cellular.
                    """))
        table.explain(
            "103911",
            zh: Explanation(
                meaning: "请求过于频繁，或额度用完",
                cause: """
                    同一应用和号码十分钟内未使用的 token 超过 30 个、调用超过频率限制，或应用配额耗尽。\
                    文档只提到短信校验。
                    """,
                remedy: "停止循环取 token，先用掉已有的；隔十分钟再试，并在应用登记中查看配额。"),
            en: Explanation(
                meaning: "Too many requests, or the quota is used up",
                cause: """
                    Over 30 unused tokens of one app and number in ten minutes, calls above the rate, or an empty \
                    quota. The document speaks of SMS checks only.
                    """,
                remedy: """
                    Stop fetching tokens in a loop, use those you have, wait ten minutes and look at the app's quota.
                    """))
        table.explain(
            "103922",
            zh: Explanation(
                meaning: "找不到自动升级文件",
                cause: "旧 SDK 会向平台查询升级文件，平台上没有对应版本。",
                remedy: "Benji 没有 SDK 自升级机制，不会返回此码；通过应用的依赖管理升级 SDK。"),
            en: Explanation(
                meaning: "The automatic upgrade file was not found",
                cause: "Old SDKs asked the platform for an upgrade file and it had none for that version.",
                remedy: """
                    Benji has no self-upgrading SDK and does not return it; upgrade through your package manager.
                    """))
        table.explain(
            "104201",
            zh: Explanation(
                meaning: "token 已被使用、已失效或查不到",
                cause: "token 只能用一次、两分钟内有效；重复提交、网络重试、排队过久、期间换卡或换机主都会如此。",
                remedy: "不要对同一 token 做重试；结果未知时让客户端重新授权，换取新 token。"),
            en: Explanation(
                meaning: "The token was used, has ended or is unknown",
                cause: """
                    A token works once, within two minutes; a double submit, a network retry, a long queue or a \
                    changed SIM or owner ends like this.
                    """,
                remedy: """
                    Never retry with the same token; when an outcome is unknown have the client authorize again for a \
                    new one.
                    """))
        table.explain(
            "104202",
            zh: Explanation(
                meaning: "短信验证失败次数超限",
                cause: "属于厂商的短信备用流程：连续输错验证码，本次验证被锁定。",
                remedy: "本接口不会返回此码；让用户过一会儿重新获取验证码。"),
            en: Explanation(
                meaning: "The SMS check failed too often",
                cause: "It belonged to the vendor's SMS fallback: repeated wrong codes locked the attempt.",
                remedy: "Benji does not return it here; let the person request a new code after a while."))
        table.explain(
            "105001",
            zh: Explanation(
                meaning: "中国联通用户的号码取不到",
                cause: "请求走了联通网络，但该卡或该号段不支持取号，或联通网关未能识别。",
                remedy: "确认用的是联通蜂窝数据，重试一次；物联网卡等受限号码请改用其他登录方式。"),
            en: Explanation(
                meaning: "A China Unicom number cannot be obtained",
                cause: """
                    The request came over Unicom, but this SIM or range cannot log in or Unicom's gateway did not \
                    recognise it.
                    """,
                remedy: """
                    Make sure Unicom's mobile data is in use and retry once; for IoT and other restricted SIMs use \
                    another way.
                    """))
        table.explain(
            "105002",
            zh: Explanation(
                meaning: "中国移动用户的号码取不到",
                cause: "请求走了移动网络，但该卡或该号段不支持取号，或运营方的策略关闭了移动。",
                remedy: "确认用的是移动蜂窝数据，重试一次；运营方检查策略和号码是否受限。"),
            en: Explanation(
                meaning: "A China Mobile number cannot be obtained",
                cause: """
                    The request came over China Mobile, but this SIM or range cannot log in, or the policy turns the \
                    carrier off.
                    """,
                remedy: """
                    Make sure China Mobile's data is in use and retry once; operators check the policy and whether \
                    the number is barred.
                    """))
        table.explain(
            "105003",
            zh: Explanation(
                meaning: "中国电信用户的号码取不到",
                cause: "请求走了电信网络，但该卡或该号段不支持取号，旧平台上非 4G 网络也会如此。",
                remedy: "切换到 4G 或 5G 后重试；持续失败时由运营方检查该号码的状态。"),
            en: Explanation(
                meaning: "A China Telecom number cannot be obtained",
                cause: """
                    The request came over Telecom, but this SIM or range cannot log in; on the old platform also \
                    outside 4G.
                    """,
                remedy: "Retry on 4G or 5G; if it persists the operator looks at the state of the number."))
        table.explain(
            "105005",
            zh: Explanation(
                meaning: "上行短信没有内容",
                cause: "属于厂商的短信上行流程：平台收到的上行消息体为空。",
                remedy: "Benji 没有短信上行，不会返回此码；无需在客户端处理。"),
            en: Explanation(
                meaning: "The upstream SMS message is empty",
                cause: "It belonged to the vendor's SMS-upstream flow: the message that arrived had no body.",
                remedy: "Benji has no SMS upstream and does not return it; no handling in the app is needed."))
        table.explain(
            "105007",
            zh: Explanation(
                meaning: "上行短信的号码格式不对",
                cause: "属于厂商的短信上行流程：短信来源不是规范的手机号。",
                remedy: "Benji 没有短信上行，不会返回此码；遇到旧平台返回时改用其他方式登录。"),
            en: Explanation(
                meaning: "The upstream SMS came from a malformed number",
                cause: "It belonged to the vendor's SMS-upstream flow: the sender was not a regular mobile number.",
                remedy: """
                    Benji has no SMS upstream and does not return it; if an old platform does, log in another way.
                    """))
        table.explain(
            "105008",
            zh: Explanation(
                meaning: "上行短信的文本是空的",
                cause: "属于厂商的短信上行流程：短信到达但没有用于匹配的文字。",
                remedy: "Benji 没有短信上行，不会返回此码；旧客户端应检查系统是否清空了预填的文字。"),
            en: Explanation(
                meaning: "The upstream SMS has no text",
                cause: """
                    It belonged to the vendor's SMS-upstream flow: the SMS arrived without the text used for matching.
                    """,
                remedy: """
                    Benji has no SMS upstream and does not return it; an old client checks whether the prefilled text \
                    was removed.
                    """))
        table.explain(
            "105010",
            zh: Explanation(
                meaning: "取号凭证失效或不是合法的凭证",
                cause: "文档写作 script，所指即 scrip：内容被改动、格式不对，或已经失效。",
                remedy: "Benji 对无效的 scrip 一律用 103902，不会返回此码；丢弃该凭证，重新取号后再授权。"),
            en: Explanation(
                meaning: "The prefetch credential has ended or is not a real one",
                cause: "The document spells it script and means the scrip: altered, malformed or expired.",
                remedy: """
                    Benji uses 103902 for any refused scrip and does not return this; discard it, prefetch again and \
                    then authorize.
                    """))
        table.explain(
            "105011",
            zh: Explanation(
                meaning: "没有可用于加密号码的公钥",
                cause: "请求要求 RSA，但应用没有登记公钥；旧平台用它表示参数加密的密钥失效。",
                remedy: "为应用登记 2048 位以上的 RSA 公钥（PEM），或去掉 encryptionalgorithm 并改用登记的签名方式。"),
            en: Explanation(
                meaning: "There is no key to encrypt the number with",
                cause: """
                    The request asks for RSA but the app registered no public key; the vendor used it for expired \
                    parameter keys.
                    """,
                remedy: """
                    Register an RSA public key of at least 2048 bits (PEM), or drop encryptionalgorithm and sign as \
                    registered.
                    """))
        table.explain(
            "105012",
            zh: Explanation(
                meaning: "没有开放中国电信取号",
                cause: "运营方没有启用电信，或该应用的策略关闭了电信用户。",
                remedy: "在策略里启用电信，或为电信用户提供其他登录方式；Benji 默认三家都开放。"),
            en: Explanation(
                meaning: "China Telecom numbers are not served",
                cause: "The operator has not enabled Telecom, or the app's policy turns its subscribers off.",
                remedy: """
                    Enable Telecom in the policy or offer its subscribers another way; Benji enables all three \
                    carriers by default.
                    """))
        table.explain(
            "105013",
            zh: Explanation(
                meaning: "没有开放中国联通取号",
                cause: "文档发布时联通尚未接入；现在表示运营方或该应用的策略关闭了联通。",
                remedy: "在策略里启用联通；未启用时提前判断运营商，直接显示其他登录方式。"),
            en: Explanation(
                meaning: "China Unicom numbers are not served",
                cause: """
                    Unicom was not connected when the document appeared; now it means operator or app policy turned \
                    it off.
                    """,
                remedy: """
                    Enable Unicom in the policy; until then look at the carrier first and show another way to log in.
                    """))
        table.explain(
            "105018",
            zh: Explanation(
                meaning: "权限不足，不能释放结果",
                cause: "应用已被停用，或这个 token 的可信强度低于应用要求的下限；旧平台用它表示号码的签约不允许。",
                remedy: "在应用登记中查看应用状态和最低强度设置；强度不足时让客户端升级 SDK、开启应用证明后重新登录。"),
            en: Explanation(
                meaning: "Not entitled to the result",
                cause: """
                    The app is suspended, or the token is weaker than the least the app accepts; the vendor used it \
                    for restricted contracts.
                    """,
                remedy: """
                    Look at the app's state and least assurance; if too weak, update the SDK, turn on app attestation \
                    and log in again.
                    """))
        table.explain(
            "105019",
            zh: Explanation(
                meaning: "应用没有勾选所需能力",
                cause: "服务端收到了该 appid 的请求，但它没有开通取号码的能力。",
                remedy: "为应用开通一键登录；若只需要比对号码，请改用本机号码校验接口。"),
            en: Explanation(
                meaning: "The app was not granted the capability it needs",
                cause: "The server got a request of this appid, but fetching numbers is not ticked for it.",
                remedy: """
                    Grant the app one-tap login, or use the verification interface if comparing a number is enough.
                    """))
        table.explain(
            "105302",
            zh: Explanation(
                meaning: "服务端的允许名单里没有该 AppId",
                cause: "应用尚未放行，或放行后因违规、欠费等被移出。",
                remedy: "联系运营方了解状态；自建时由管理员放行。"),
            en: Explanation(
                meaning: "The server's allow-list does not have the AppId",
                cause: "The app has not been admitted yet, or was removed for a breach or unpaid bills.",
                remedy: "Ask the operator about its state; on your own Benji an administrator admits it."))
        table.explain(
            "105312", version: "platform",
            zh: Explanation(
                meaning: "套餐包次数用完",
                cause: "属于后来的移动平台：按套餐包计的次数已经耗尽。",
                remedy: "Benji 以 103911 表示额度用尽，不会返回此码；旧平台请续购套餐。"),
            en: Explanation(
                meaning: "The package of calls is used up",
                cause: "It belonged to the later platform, which sells calls in packages: none was left.",
                remedy: """
                    Benji says 103911 for a used-up quota and does not return this; buy another package on the old \
                    platform.
                    """))
        table.explain(
            "105313", version: "platform",
            zh: Explanation(
                meaning: "请求被平台判为非法",
                cause: "属于后来的移动平台：调用来源或内容被判为异常。",
                remedy: "Benji 拒绝时都给出具体编号，不会返回此码；旧平台请联系其支持人员。"),
            en: Explanation(
                meaning: "The platform judged the request illegal",
                cause: "It belonged to the later platform: origin or content of the call looked abnormal.",
                remedy: """
                    Benji refuses with a code for the reason and does not return this; ask the old platform's support.
                    """))
        return table.entries
    }
}
