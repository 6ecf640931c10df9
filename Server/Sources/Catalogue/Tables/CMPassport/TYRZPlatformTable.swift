import BenjiProtocol

/// Document 001 §4.1: the platform.
enum TYRZPlatformTable {
    static func entries() -> [CatalogueEntry] {
        var table = TableWriter(.tyrzPlatform, version: "001")
        table.explain(
            "103101",
            zh: Explanation(
                meaning: "sign 缺失，或与平台算出的不一致",
                cause: "RSA 私钥与登记的公钥不成对，签名的内容不是 appid+token，或用了登记以外的算法。",
                remedy: "用登记的密钥对 appid 紧接 token 的文本签名，以十六进制放进 header 的 sign。"),
            en: Explanation(
                meaning: "The sign is missing or differs from what the platform expects",
                cause: """
                    The private key does not match the registered public key, the signed text is not appid+token, or \
                    the algorithm is not the registered one.
                    """,
                remedy: """
                    Sign the text of appid followed by token with the registered key and put it into the header's \
                    sign in hexadecimal.
                    """))
        table.explain(
            "103103",
            zh: Explanation(
                meaning: "平台里没有这个用户",
                cause: "旧平台的统一账号体系中查不到对应账号。",
                remedy: "Benji 以号码的签约为身份，不依赖统一账号，不会返回此码；旧系统中引导用户重新登录。"),
            en: Explanation(
                meaning: "The platform has no such user",
                cause: "The unified account system of the old platform had no matching account.",
                remedy: """
                    Benji identifies subscriptions, not unified accounts, and does not return it; in the old system \
                    log in again.
                    """))
        table.explain(
            "103104",
            zh: Explanation(
                meaning: "应用或 token 不能使用这个接口",
                cause: "应用被停用、未放行或未开通能力，token 不是为此接口签发，或可信强度低于应用的要求。",
                remedy: "在应用登记中核对应用状态、能力和最低强度；需要时让客户端重新登录取得新 token。"),
            en: Explanation(
                meaning: "App or token may not use this interface",
                cause: """
                    The app is suspended, not admitted or lacks the capability, or the token is of another kind or \
                    weaker than the app accepts.
                    """,
                remedy: """
                    Check the app's state, capabilities and least assurance, and let the client log in again if \
                    needed.
                    """))
        table.explain(
            "103105",
            zh: Explanation(
                meaning: "统一账号的密码不正确",
                cause: "属于旧平台的账号密码登录：提交的密码与保存的不一致。",
                remedy: "Benji 没有密码登录，不会返回此码；改用一键登录。"),
            en: Explanation(
                meaning: "The unified account's password is wrong",
                cause: "It belonged to the old platform's login by account and password: the password did not match.",
                remedy: "Benji has no password login and does not return it; use one-tap login instead."))
        table.explain(
            "103106",
            zh: Explanation(
                meaning: "统一账号的用户名不正确",
                cause: "属于旧平台的账号密码登录：用户名不存在或格式不对。",
                remedy: "Benji 没有用户名登录，不会返回此码；检查旧系统中的账号拼写。"),
            en: Explanation(
                meaning: "The unified account's user name is wrong",
                cause: """
                    It belonged to the old platform's login by account and password: the name is unknown or malformed.
                    """,
                remedy: """
                    Benji has no user names and does not return it; in the old system check how the account is spelt.
                    """))
        table.explain(
            "103107",
            zh: Explanation(
                meaning: "随机数已经用过",
                cause: "请求携带的随机数（msgid）在平台上已有记录。",
                remedy: "为每个请求生成新的 msgid，重试也不例外；Benji 在这套接口上用它表示重复消息。"),
            en: Explanation(
                meaning: "The random number has been used",
                cause: "The platform already has a record of the random number (msgid) in the request.",
                remedy: """
                    Generate a new msgid for every request, retries included; the newer interface calls this 103505.
                    """))
        table.explain(
            "103108",
            zh: Explanation(
                meaning: "验证码不匹配",
                cause: "属于旧平台的短信验证码登录：输入的验证码不对。",
                remedy: "tokenValidate 不会返回此码；在短信登录页让用户重新填写。"),
            en: Explanation(
                meaning: "The code does not match",
                cause: "It belonged to the old platform's login by SMS code: the code typed is wrong.",
                remedy: "Benji does not return it from tokenValidate; let the person retype it on the SMS page."))
        table.explain(
            "103109",
            zh: Explanation(
                meaning: "验证码已经过期",
                cause: "属于旧平台的短信验证码登录：用户提交得太晚。",
                remedy: "tokenValidate 不会返回此码；重新下发一条验证码。"),
            en: Explanation(
                meaning: "The code has expired",
                cause: "It belonged to the old platform's login by SMS code: the person submitted it too late.",
                remedy: "Benji does not return it from tokenValidate; send a new code."))
        table.explain(
            "103111",
            zh: Explanation(
                meaning: "来源地址不被接受",
                cause: """
                    手机不在运营商网关的地址范围内（Wi-Fi、代理或 VPN），或应用服务器的出口地址没有登记，\
                    这张表不加区分。
                    """,
                remedy: "客户端切到蜂窝数据并关闭代理；并为应用登记服务器实际的出口公网地址。"),
            en: Explanation(
                meaning: "The source address is not accepted",
                cause: """
                    The phone is outside the carrier's ranges (Wi-Fi, proxy, VPN), or the server's address is not \
                    registered; this table has one code for both.
                    """,
                remedy: """
                    Put the client on mobile data without a proxy, and register the server's public address for the \
                    app.
                    """))
        table.explain(
            "103112",
            zh: Explanation(
                meaning: "平台收到的请求有错误",
                cause: "缺少 header 或 body、必填字段为空或取值不对，或 JSON 不合法。",
                remedy: "对照请求示例检查层级与字段名，再重新发送。"),
            en: Explanation(
                meaning: "The platform received a faulty request",
                cause: "The header or body is missing, a required field is empty or wrong, or the JSON is broken.",
                remedy: "Compare nesting and field names with the sample request and send it again."))
        table.explain(
            "103113",
            zh: Explanation(
                meaning: "Token 的内容不对",
                cause: "请求里没有 token，或它被截断、编码错误，或属于别的应用。",
                remedy: "原样转发 SDK 返回的 token，并确认 appid 一致；授权失败时不要请求服务器。"),
            en: Explanation(
                meaning: "The token's content is not right",
                cause: "The request has no token, or it was cut, wrongly encoded, or belongs to another app.",
                remedy: """
                    Forward what the SDK returned unchanged, with the same appid; do not call the server after a \
                    failed login.
                    """))
        table.explain(
            "103114",
            zh: Explanation(
                meaning: "token 已过有效期",
                cause: "旧平台指 token 背后的会话密钥 KS 过期；在 Benji 表示 token 到期，或期间换了 SIM 卡或机主。",
                remedy: "让客户端重新登录，用新 token 在两分钟内请求。"),
            en: Explanation(
                meaning: "The token is past its lifetime",
                cause: """
                    The vendor meant its session key, the KS; in Benji the token has expired, or the SIM or the owner \
                    changed meanwhile.
                    """,
                remedy: "Have the client log in again and use the new token within two minutes."))
        table.explain(
            "103115",
            zh: Explanation(
                meaning: "平台查不到这个 token",
                cause: "旧平台指没有保存会话密钥 KS；在 Benji 表示格式正确但从未签发或早已清理的 token。",
                remedy: "确认客户端和服务器连的是同一套环境，重新登录后立即使用新 token。"),
            en: Explanation(
                meaning: "The platform does not know this token",
                cause: """
                    The vendor meant a missing session key, the KS; in Benji a well-formed token that was never \
                    issued or was cleared long ago.
                    """,
                remedy: """
                    Make sure client and server use the same environment, log in again and use the new token at once.
                    """))
        table.explain(
            "103116",
            zh: Explanation(
                meaning: "token 已经用过",
                cause: "旧平台用序号 sqn 防止重放；在 Benji 表示这个一次性 token 已被兑换。",
                remedy: "不要重发同一 token；上次结果未知时让客户端重新登录。"),
            en: Explanation(
                meaning: "The token has been used",
                cause: """
                    The vendor guarded against replay with a sequence number, the sqn; in Benji this single-use token \
                    was redeemed.
                    """,
                remedy: "Do not resend a token; if the earlier outcome is unknown have the client log in again."))
        table.explain(
            "103117",
            zh: Explanation(
                meaning: "消息认证码 mac 校验异常",
                cause: "旧协议里 token 所带的 mac 与内容不符，可能被改动或密钥不同步。",
                remedy: "Benji 的 token 不含 mac，不会返回此码；旧系统中丢弃该 token 并重新登录。"),
            en: Explanation(
                meaning: "The message authentication code (mac) did not verify",
                cause: "In the old protocol the token's mac did not match its content: altered, or keys out of step.",
                remedy: """
                    Benji's tokens hold no mac and it does not return this; in the old system drop the token and log \
                    in again.
                    """))
        table.explain(
            "103118",
            zh: Explanation(
                meaning: "没有登记这个 sourceid",
                cause: "请求里的 sourceid 或 ssotosourceid 在平台上查不到。",
                remedy: "核对应用登记的 sourceid；单点登录时，被登录的业务也必须先登记。"),
            en: Explanation(
                meaning: "This sourceid is not registered",
                cause: "The request's sourceid or ssotosourceid cannot be found on the platform.",
                remedy: """
                    Check the sourceid registered for the app; for single sign-on the target must be registered too.
                    """))
        table.explain(
            "103119",
            zh: Explanation(
                meaning: "没有这个 appid",
                cause: "请求里的 appid 从未登记，或已被删除。",
                remedy: "从应用登记中复制正确的 appid，注意沙箱与正式环境各有一套。"),
            en: Explanation(
                meaning: "There is no such appid",
                cause: "The appid in the request was never registered or has been deleted.",
                remedy: "Copy the right appid from the registration; sandbox and production have their own."))
        table.explain(
            "103120",
            zh: Explanation(
                meaning: "应用没有登记用于认证的公钥",
                cause: "旧平台指客户端授权记录不存在；在 Benji 表示此接口要验 RSA 签名，而应用没有公钥。",
                remedy: "为应用登记 2048 位以上的 RSA 公钥，再用对应的私钥签名。"),
            en: Explanation(
                meaning: "The app registered no public key to authenticate with",
                cause: """
                    The vendor meant a missing client authorization; in Benji this interface verifies an RSA sign and \
                    the app has no key.
                    """,
                remedy: "Register an RSA public key of at least 2048 bits for the app and sign with its private key."))
        table.explain(
            "103121",
            zh: Explanation(
                meaning: "没有对应的 passid",
                cause: "passid 是旧平台统一账号的编号，查无此号。",
                remedy: "Benji 不签发 passid，不会返回此码；用户标识请改用 openId 或 pcid。"),
            en: Explanation(
                meaning: "There is no such passid",
                cause: "A passid is the number of a unified account on the old platform, and this one is unknown.",
                remedy: "Benji issues no passid and does not return it; use openId or pcid to identify the person."))
        table.explain(
            "103122",
            zh: Explanation(
                meaning: "引导会话 btid 已不存在",
                cause: "旧平台 GBA 引导时分配的 btid 已过期或无效。",
                remedy: "Benji 不走 GBA 引导，不会返回此码；旧客户端重新引导即可。"),
            en: Explanation(
                meaning: "The bootstrapping session (btid) no longer exists",
                cause: "The btid assigned by the old platform's GBA bootstrapping has expired or is invalid.",
                remedy: "Benji does no GBA bootstrapping and does not return it; an old client bootstraps again."))
        table.explain(
            "103123",
            zh: Explanation(
                meaning: "缓存里没有该用户的会话信息",
                cause: "redisinfo 是旧平台放在 Redis 里的会话数据，已过期或被清除。",
                remedy: "Benji 不依赖这份缓存，不会返回此码；旧系统中重新登录以重建。"),
            en: Explanation(
                meaning: "The cache holds no session data of this user",
                cause: "redisinfo was the old platform's session data in Redis; it has expired or was cleared.",
                remedy: """
                    Benji does not depend on such a cache and does not return it; in the old system log in again.
                    """))
        table.explain(
            "103124",
            zh: Explanation(
                meaning: "ksnaf 比对不一致",
                cause: "ksnaf 是 GBA 由主密钥派生的业务密钥，手机与平台各自算出的不同。",
                remedy: "Benji 不使用 GBA 密钥，不会返回此码；旧客户端应重新引导。"),
            en: Explanation(
                meaning: "The ksnaf values differ",
                cause: "ksnaf is a service key that GBA derives; phone and platform arrived at different ones.",
                remedy: "Benji uses no GBA keys and does not return it; an old client must bootstrap again."))
        table.explain(
            "103125",
            zh: Explanation(
                meaning: "提交的手机号格式有误",
                cause: "号码长度或字符不对，例如含空格、字母或国家码。",
                remedy: "提交 11 位数字的大陆手机号；tokenValidate 本身不接收号码，不会返回此码。"),
            en: Explanation(
                meaning: "The number submitted is malformed",
                cause: "Its length or characters are wrong: spaces, letters or a country code.",
                remedy: """
                    Submit eleven digits of a mainland mobile number; tokenValidate takes no number and does not \
                    return it.
                    """))
        table.explain(
            "103126",
            zh: Explanation(
                meaning: "平台没有这个手机号",
                cause: "旧平台的账号库里没有该号码的记录。",
                remedy: "Benji 不会返回此码：地址查不到号码时返回网关类结果码；旧系统中先用该号码注册。"),
            en: Explanation(
                meaning: "The platform does not know this number",
                cause: "The old platform's accounts have no record of the number.",
                remedy: """
                    Benji does not return it: an address without a number gets one of the gateway codes. In the old \
                    system register first.
                    """))
        table.explain(
            "103127",
            zh: Explanation(
                meaning: "接口版本不受支持",
                cause: "旧平台指证书的版本过期；在 Benji 表示请求的 version 不是 1.0。",
                remedy: "version 填 1.0；使用新一代接口请改调 loginTokenValidate，并按其文档填写。"),
            en: Explanation(
                meaning: "The interface version is not supported",
                cause: "The vendor meant an outdated certificate; in Benji the request's version is not 1.0.",
                remedy: """
                    Send version 1.0, or call loginTokenValidate as its own document says if you want the newer \
                    interface.
                    """))
        table.explain(
            "103128",
            zh: Explanation(
                meaning: "调用 GBA 的 webservice 失败",
                cause: "旧平台向运营商 GBA 系统发出的内部调用没有成功。",
                remedy: "Benji 不连接 GBA，不会返回此码；旧系统中稍后重试。"),
            en: Explanation(
                meaning: "The call to the GBA web service failed",
                cause: "An internal call of the old platform to the carrier's GBA system did not succeed.",
                remedy: "Benji does not talk to GBA and does not return it; in the old system retry later."))
        table.explain(
            "103129",
            zh: Explanation(
                meaning: "请求短信验证码时 msgtype 不对",
                cause: "属于旧平台的短信接口：msgtype 不是它认识的业务类型。",
                remedy: "Benji 的短信接口没有 msgtype，不会返回此码；旧系统请按其接口文档填写。"),
            en: Explanation(
                meaning: "The msgtype was wrong when asking for an SMS code",
                cause: "It belonged to the old platform's SMS interface: msgtype was none of the kinds it knew.",
                remedy: """
                    Benji's SMS interface has no msgtype and does not return it; in the old system use a documented \
                    value.
                    """))
        table.explain(
            "103130",
            zh: Explanation(
                meaning: "新密码与旧密码一样",
                cause: "属于旧平台的修改密码功能：新旧密码不能相同。",
                remedy: "Benji 不保存用户密码，不会返回此码；旧系统中换一个不同的密码。"),
            en: Explanation(
                meaning: "The new password equals the old one",
                cause: "It belonged to the old platform's password change, which demanded a different one.",
                remedy: "Benji keeps no passwords and does not return it; choose another password in the old system."))
        table.explain(
            "103131",
            zh: Explanation(
                meaning: "密码强度不够",
                cause: "属于旧平台的账号功能：密码太短或过于常见。",
                remedy: "Benji 不保存用户密码，不会返回此码；旧系统中使用更长的密码。"),
            en: Explanation(
                meaning: "The password is too weak",
                cause: "It belonged to the old platform's accounts: the password is too short or too common.",
                remedy: "Benji keeps no passwords and does not return it; use a longer one in the old system."))
        table.explain(
            "103132",
            zh: Explanation(
                meaning: "注册新用户没有成功",
                cause: "属于旧平台的统一账号：创建账号的步骤失败。",
                remedy: "Benji 没有单独的注册步骤，不会返回此码；首次登录即由业务自行建立账户。"),
            en: Explanation(
                meaning: "Registering a new user failed",
                cause: "It belonged to the old platform's unified accounts: creating the account did not succeed.",
                remedy: """
                    Benji has no separate registration and does not return it; your service creates its account at \
                    first login.
                    """))
        table.explain(
            "103133",
            zh: Explanation(
                meaning: "sourceid 不符合编号规则",
                cause: "填写的 sourceid 不是平台分配的数字串。",
                remedy: "复制登记时分配的 sourceid；不用单点登录时可以不填。"),
            en: Explanation(
                meaning: "The sourceid breaks the numbering rule",
                cause: "The value is not one of the digit strings that the platform assigns.",
                remedy: "Copy the sourceid that was assigned; it may be left out without single sign-on."))
        table.explain(
            "103134",
            zh: Explanation(
                meaning: "WAP 方式下网关没有带来手机号",
                cause: "旧网关把号码写进请求头，这次请求头里没有号码，多因没有走 WAP 网关。",
                remedy: "Benji 从不读取请求头里的号码，不会返回此码；请用蜂窝数据直接连接。"),
            en: Explanation(
                meaning: "The WAP gateway delivered no number",
                cause: """
                    The old gateway wrote the number into a header and this request had none, mostly because it took \
                    another way.
                    """,
                remedy: """
                    Benji never reads a number from a header and does not return it; connect directly over mobile \
                    data.
                    """))
        table.explain(
            "103135",
            zh: Explanation(
                meaning: "昵称不符合要求",
                cause: "属于旧平台的账号资料：昵称含有不允许的字符或过长。",
                remedy: "Benji 不保存昵称，不会返回此码；在自己的业务里校验昵称。"),
            en: Explanation(
                meaning: "The nickname is not acceptable",
                cause: "It belonged to the old platform's profiles: characters that are not allowed, or too long.",
                remedy: "Benji keeps no nicknames and does not return it; check nicknames in your own service."))
        table.explain(
            "103136",
            zh: Explanation(
                meaning: "邮箱地址不符合要求",
                cause: "属于旧平台的账号资料：邮箱格式不对或不被接受。",
                remedy: "Benji 不处理邮箱，不会返回此码；在自己的业务里校验邮箱。"),
            en: Explanation(
                meaning: "The e-mail address is not acceptable",
                cause: "It belonged to the old platform's profiles: malformed or refused.",
                remedy: "Benji does not handle e-mail and does not return it; check addresses in your own service."))
        table.explain(
            "103138",
            zh: Explanation(
                meaning: "这个 appid 之前登记过",
                cause: "旧平台登记新应用时提交的 appid 与已有应用重复。",
                remedy: "Benji 自己分配 appid，不会返回此码；旧平台上查找并沿用已有登记。"),
            en: Explanation(
                meaning: "This appid was registered before",
                cause: "On the old platform the appid of a new registration equalled that of an existing app.",
                remedy: """
                    Benji assigns appids itself and does not return it; on the old platform use the existing \
                    registration.
                    """))
        table.explain(
            "103139",
            zh: Explanation(
                meaning: "这个 sourceid 之前登记过",
                cause: "登记时提交的 sourceid 已属于某个业务，或其下的应用已达 99 个。",
                remedy: "确认是否同一业务重复登记；新业务使用新的 sourceid。"),
            en: Explanation(
                meaning: "This sourceid was registered before",
                cause: "The sourceid of the registration already belongs to a service, or has reached 99 apps.",
                remedy: "See whether the same service was registered twice; a new service takes a new sourceid."))
        table.explain(
            "103200",
            zh: Explanation(
                meaning: "KS 仍然有效，不用更新",
                cause: "旧协议在客户端请求更新会话密钥时给出的提示，并非故障。",
                remedy: "Benji 没有 KS，不会返回此码；旧客户端继续使用现有密钥。"),
            en: Explanation(
                meaning: "The KS is still valid and needs no update",
                cause: "A notice of the old protocol when a client asked to renew its session key; nothing is broken.",
                remedy: "Benji has no KS and does not return it; an old client goes on with its key."))
        table.explain(
            "103204",
            zh: Explanation(
                meaning: "缓存中没有对应的随机数",
                cause: "客户端带回的随机数在平台缓存里找不到，可能停留过久。",
                remedy: "Benji 没有这种随机数往返，不会返回此码；旧客户端重新开始登录。"),
            en: Explanation(
                meaning: "The cache has no such random number",
                cause: """
                    The random number sent back by the client is not in the platform's cache, perhaps after a long \
                    pause.
                    """,
                remedy: "Benji has no such round trip and does not return it; an old client starts the login again."))
        table.explain(
            "103205",
            zh: Explanation(
                meaning: "平台内部出错",
                cause: "平台处理时发生意外，请求本身没有问题。",
                remedy: "稍后用新的 token 重试；持续出现时按 processID 查看哪一步失败。"),
            en: Explanation(
                meaning: "The platform had an internal error",
                cause: "Something unexpected happened while processing; the request itself is fine.",
                remedy: "Retry later with a new token; if it persists use the processID to see which step failed."))
        table.explain(
            "103207",
            zh: Explanation(
                meaning: "验证短信下发失败",
                cause: "属于旧平台的短信验证码登录：短信网关没有接受这条短信。",
                remedy: "tokenValidate 不发送短信，不会返回此码；短信登录请检查短信通道。"),
            en: Explanation(
                meaning: "Sending the verification SMS failed",
                cause: """
                    It belonged to the old platform's login by SMS code: the SMS gateway did not accept the message.
                    """,
                remedy: "Benji's tokenValidate sends no SMS and does not return it; for SMS login check the channel."))
        table.explain(
            "103212",
            zh: Explanation(
                meaning: "验证密码这一步失败",
                cause: "属于旧平台的账号密码登录：密码校验未能完成或不通过。",
                remedy: "Benji 没有密码，不会返回此码；旧系统中重试或找回密码。"),
            en: Explanation(
                meaning: "The password check failed",
                cause: """
                    It belonged to the old platform's login by password: the check could not be completed or did not \
                    pass.
                    """,
                remedy: """
                    Benji has no passwords and does not return it; in the old system retry or reset the password.
                    """))
        table.explain(
            "103213",
            zh: Explanation(
                meaning: "修改密码时旧密码填错",
                cause: "属于旧平台的修改密码功能：提交的旧密码不对。",
                remedy: "Benji 没有密码，不会返回此码；旧系统中使用找回密码功能。"),
            en: Explanation(
                meaning: "The old password was wrong in a password change",
                cause: "It belonged to the old platform's password change: the current password given did not match.",
                remedy: "Benji has no passwords and does not return it; use the old system's password recovery."))
        table.explain(
            "103214",
            zh: Explanation(
                meaning: "平台的缓存或数据库不可用",
                cause: "平台读写数据时失败，无法确认 token 的状态；Benji 会拒绝而不是放行。",
                remedy: "稍后重试；自建时检查数据库、磁盘与权限，可运行 benji doctor。"),
            en: Explanation(
                meaning: "The platform's cache or database is not available",
                cause: """
                    Data could not be read or written, so the token's state is unknown; Benji refuses rather than \
                    letting it pass.
                    """,
                remedy: """
                    Retry later; when you host Benji check database, disk and rights, for instance with benji doctor.
                    """))
        table.explain(
            "103226",
            zh: Explanation(
                meaning: "请求时间超出可接受的范围",
                cause: "旧平台指手机与平台的计数 sqn 相差太远；在 Benji 表示 systemtime 与服务器时间相差过大。",
                remedy: "每次请求都取当前的东八区时间，并让服务器与标准时间同步。"),
            en: Explanation(
                meaning: "The request's time is outside what is accepted",
                cause: """
                    The vendor meant counters (sqn) too far apart; in Benji systemtime is too far from the server's \
                    time.
                    """,
                remedy: "Read the current time at UTC+8 for every request and keep the server's clock in sync."))
        table.explain(
            "103265",
            zh: Explanation(
                meaning: "该用户已经注册过",
                cause: "属于旧平台的统一账号：用已存在的号码或邮箱再次注册。",
                remedy: "Benji 没有注册步骤，不会返回此码；旧系统中直接登录。"),
            en: Explanation(
                meaning: "The user is registered already",
                cause: """
                    It belonged to the old platform's unified accounts: a known number or e-mail was registered again.
                    """,
                remedy: "Benji has no registration step and does not return it; in the old system simply log in."))
        table.explain(
            "103901",
            zh: Explanation(
                meaning: "调用次数已达上限",
                cause: "文档指验证码短信下发太多；这张表没有别的限次编号，Benji 用它表示频率或配额用完。",
                remedy: "放慢调用并间隔重试；在应用登记中查看配额和频率限制。"),
            en: Explanation(
                meaning: "The limit of calls is reached",
                cause: """
                    The document means SMS codes; the table has no other code for limits, so Benji uses it for rate \
                    and quota.
                    """,
                remedy: "Slow down and retry with pauses; look at quota and rate limits of the app."))
        table.explain(
            "103902",
            zh: Explanation(
                meaning: "客户端凭证没有通过校验",
                cause: "客户端缓存的凭证过期、被替换，或与当前手机、SIM 卡不符。",
                remedy: "清除凭证后重新登录，再用新的 token 请求。"),
            en: Explanation(
                meaning: "The client's credential did not verify",
                cause: "The cached credential has expired, was replaced, or does not fit the phone and SIM in use.",
                remedy: "Clear it, log in again and use the new token."))
        table.explain(
            "104001",
            zh: Explanation(
                meaning: "APPID 和 APPKEY 这一对已被登记",
                cause: "旧平台登记应用时提交的编号和密钥都已存在。",
                remedy: "Benji 自己生成编号和密钥，不会返回此码；旧平台上沿用已有应用，密钥不要在应用间共用。"),
            en: Explanation(
                meaning: "This pair of APPID and APPKEY is registered already",
                cause: "On the old platform both the id and the key of a new registration existed.",
                remedy: """
                    Benji makes ids and keys itself and does not return it; on the old platform use the existing app \
                    and never share a key.
                    """))
        table.explain(
            "105001",
            zh: Explanation(
                meaning: "联通一侧取号不成功",
                cause: "联通用户的卡或号段不支持取号，或运营方关闭了联通。",
                remedy: "在联通蜂窝数据下重试一次，再不行使用其他方式登录；运营方检查策略。"),
            en: Explanation(
                meaning: "The look-up on Unicom's side did not succeed",
                cause: "The China Unicom SIM or range cannot log in, or the operator turned Unicom off.",
                remedy: "Retry once on Unicom's mobile data, then log in another way; operators check the policy."))
        table.explain(
            "105002",
            zh: Explanation(
                meaning: "移动一侧取号不成功",
                cause: "移动用户的卡或号段不支持取号，或运营方关闭了移动。",
                remedy: "打开移动的蜂窝数据后重试；运营方检查策略和号码的状态。"),
            en: Explanation(
                meaning: "The look-up on China Mobile's side did not succeed",
                cause: "The China Mobile SIM or range cannot log in, or the operator turned China Mobile off.",
                remedy: """
                    Turn on China Mobile's data and retry; operators check the policy and the state of the number.
                    """))
        table.explain(
            "105003",
            zh: Explanation(
                meaning: "电信一侧取号不成功",
                cause: "电信用户的卡或号段不支持取号，或运营方关闭了电信；较旧的网络制式下更常见。",
                remedy: "切换到 4G 或 5G 蜂窝数据后重试，再不行使用其他方式登录。"),
            en: Explanation(
                meaning: "The look-up on Telecom's side did not succeed",
                cause: """
                    The China Telecom SIM or range cannot log in, or the operator turned Telecom off; more often on \
                    older networks.
                    """,
                remedy: "Retry on 4G or 5G mobile data, then log in another way."))
        table.explain(
            "105004",
            zh: Explanation(
                meaning: "上行短信的来源 IP 不被接受",
                cause: "属于旧平台的短信上行流程：推送短信的网关地址不在名单内。",
                remedy: "Benji 没有短信上行，不会返回此码；旧系统由运营方登记短信网关地址。"),
            en: Explanation(
                meaning: "The source address of an upstream SMS is not accepted",
                cause: """
                    It belonged to the old platform's SMS-upstream flow: the SMS gateway's address was not on its \
                    list.
                    """,
                remedy: """
                    Benji has no SMS upstream and does not return it; in the old system the operator registers the \
                    gateway.
                    """))
        table.explain(
            "105005",
            zh: Explanation(
                meaning: "短信上行没有送来任何信息",
                cause: "属于旧平台的短信上行流程：收到的消息为空。",
                remedy: "Benji 没有短信上行，不会返回此码；旧客户端重新发送即可。"),
            en: Explanation(
                meaning: "The SMS upstream delivered nothing",
                cause: "It belonged to the old platform's SMS-upstream flow: the message received was empty.",
                remedy: "Benji has no SMS upstream and does not return it; an old client sends the message again."))
        table.explain(
            "105006",
            zh: Explanation(
                meaning: "短信上行缺少手机号",
                cause: "属于旧平台的短信上行流程：消息里没有发送方号码。",
                remedy: "Benji 没有短信上行，不会返回此码；旧系统检查短信网关的字段映射。"),
            en: Explanation(
                meaning: "The SMS upstream lacks the phone number",
                cause: "It belonged to the old platform's SMS-upstream flow: the message had no sender number.",
                remedy: """
                    Benji has no SMS upstream and does not return it; in the old system check the SMS gateway's field \
                    mapping.
                    """))
        table.explain(
            "105007",
            zh: Explanation(
                meaning: "短信上行的号码不规范",
                cause: "属于旧平台的短信上行流程：发送方号码不是标准手机号。",
                remedy: "Benji 没有短信上行，不会返回此码；旧系统中去掉号码前缀后再提交。"),
            en: Explanation(
                meaning: "The number of the SMS upstream is irregular",
                cause: """
                    It belonged to the old platform's SMS-upstream flow: the sender is not a standard mobile number.
                    """,
                remedy: """
                    Benji has no SMS upstream and does not return it; in the old system strip prefixes before \
                    submitting.
                    """))
        table.explain(
            "105008",
            zh: Explanation(
                meaning: "短信上行的正文为空",
                cause: "属于旧平台的短信上行流程：有短信但没有可匹配的正文。",
                remedy: "Benji 没有短信上行，不会返回此码；旧客户端确认预填内容没有被清空。"),
            en: Explanation(
                meaning: "The SMS upstream has an empty text",
                cause: "It belonged to the old platform's SMS-upstream flow: a message came without text to match.",
                remedy: """
                    Benji has no SMS upstream and does not return it; an old client makes sure the prefilled text \
                    stays.
                    """))
        table.explain(
            "105009",
            zh: Explanation(
                meaning: "短信上行的内容解析失败",
                cause: "属于旧平台的短信上行流程：正文不是约定的格式。",
                remedy: "Benji 没有短信上行，不会返回此码；旧客户端不要改动系统生成的正文。"),
            en: Explanation(
                meaning: "The SMS upstream could not be parsed",
                cause: "It belonged to the old platform's SMS-upstream flow: the text was not in the agreed form.",
                remedy: """
                    Benji has no SMS upstream and does not return it; an old client must not alter the generated text.
                    """))
        table.explain(
            "103000", version: "benji",
            zh: Explanation(
                meaning: "token 有效，用户信息已返回",
                cause: "这张表只列错误，文档的响应示例用 103000 表示成功。不弹页取得的 token 默认只给标识，不给号码。",
                remedy: "读取 userid、pcid 等字段；需要号码请改用带授权页的登录，或由运营方为旧应用单独授权。"),
            en: Explanation(
                meaning: "The token is valid and the person's data is returned",
                cause: """
                    The table lists errors only; the document's sample answer shows success as 103000. A token \
                    without a page releases no number by default.
                    """,
                remedy: """
                    Read userid, pcid and the rest; for a number use login with the page, or have the operator grant \
                    an audited legacy exception.
                    """))
        return table.entries
    }
}
