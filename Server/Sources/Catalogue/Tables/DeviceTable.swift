import BenjiProtocol

/// Benji's own codes: one for each `Situation`.
enum DeviceTable {
    static func entries() -> [CatalogueEntry] {
        var table = TableWriter(.device, version: "benji")
        table.explain(
            "success",
            zh: Explanation(
                meaning: "请求成功",
                cause: "这一步完成，应答里的凭证或结果有效。",
                remedy: "按流程进行下一步；凭证只用一次，尽快使用。"),
            en: Explanation(
                meaning: "The request succeeded",
                cause: "This step is complete and the credential or result in the answer is valid.",
                remedy: "Go on with the next step; use a credential once and soon."))
        table.explain(
            "not_configured",
            zh: Explanation(
                meaning: "SDK 尚未配置",
                cause: "在提供网关地址和应用编号之前就开始了登录。",
                remedy: "在应用启动时完成配置，再允许触发登录。"),
            en: Explanation(
                meaning: "The SDK has not been configured",
                cause: "A login began before the gateway's address and the app id were given.",
                remedy: "Configure at launch and allow a login only afterwards."))
        table.explain(
            "invalid_argument",
            zh: Explanation(
                meaning: "传给 SDK 的参数无效",
                cause: "参数缺失、为空或超出允许范围，例如超时不大于零。",
                remedy: "按文档注释修正参数；重试同样的调用没有意义。"),
            en: Explanation(
                meaning: "A parameter given to the SDK is invalid",
                cause: "It is missing, empty or out of range, such as a timeout that is not above zero.",
                remedy: "Correct it as its documentation says; repeating the call is of no use."))
        table.explain(
            "no_network",
            zh: Explanation(
                meaning: "手机没有网络连接",
                cause: "飞行模式、无信号，或系统禁止本应用联网。",
                remedy: "提示用户恢复网络后重试，并保留其他登录入口。"),
            en: Explanation(
                meaning: "The phone has no network",
                cause: "Airplane mode, no signal, or the system keeps this app off the network.",
                remedy: "Ask the person to restore the connection and retry, and keep another way to log in visible."))
        table.explain(
            "cellular_data_off",
            zh: Explanation(
                meaning: "蜂窝数据没有开启",
                cause: "手机有网络，但没有可用的蜂窝接口：开关关闭，或本应用被禁止使用蜂窝数据。",
                remedy: "请用户打开蜂窝数据并允许本应用使用；不必关闭 Wi-Fi。"),
            en: Explanation(
                meaning: "Mobile data is off",
                cause: """
                    There is a network but no usable cellular interface: switched off, or not allowed for this app.
                    """,
                remedy: """
                    Ask the person to turn mobile data on and allow it for the app; Wi-Fi need not be turned off.
                    """))
        table.explain(
            "no_sim",
            zh: Explanation(
                meaning: "没有检测到 SIM 卡",
                cause: "未插卡、卡失效，或 eSIM 未激活。",
                remedy: "为这类设备直接提供其他登录方式。"),
            en: Explanation(
                meaning: "No SIM was found",
                cause: "None is inserted, it is dead, or the eSIM is not active.",
                remedy: "Offer another way to log in on such devices straight away."))
        table.explain(
            "timed_out",
            zh: Explanation(
                meaning: "超过了调用方给定的时间",
                cause: "弱网、切换接口慢，或给定的时间太短。",
                remedy: "提前预取号，超时设为 3 到 8 秒；超时后提供备用方式。"),
            en: Explanation(
                meaning: "The time the caller allowed has passed",
                cause: "A weak network, a slow change of interface, or too short a time.",
                remedy: "Prefetch ahead and allow 3 to 8 seconds; offer the fallback afterwards."))
        table.explain(
            "network_failure",
            zh: Explanation(
                meaning: "连接失败或中断",
                cause: "网关不可达、域名无法解析，或传输途中断开。",
                remedy: "退避后重试一次；所有用户都失败时检查网关地址与防火墙。"),
            en: Explanation(
                meaning: "The connection failed or broke",
                cause: "The gateway is out of reach, its name does not resolve, or the line dropped.",
                remedy: "Retry once after a pause; if every user fails check the gateway's address and the firewall."))
        table.explain(
            "tls_failure",
            zh: Explanation(
                meaning: "服务器证书没有通过验证",
                cause: "证书过期、域名不符、证书链不受信任，或有代理在中间解密。",
                remedy: "不要关闭验证：更换或补全证书链；开发机上关闭抓包代理。"),
            en: Explanation(
                meaning: "The server's certificate was refused",
                cause: "It is expired, for another name, not trusted, or a proxy decrypts in between.",
                remedy: """
                    Never turn the check off: renew or complete the chain, and stop the debugging proxy on a \
                    development machine.
                    """))
        table.explain(
            "malformed_response",
            zh: Explanation(
                meaning: "应答不符合协议",
                cause: "中间设备改写了内容，或服务端版本与 SDK 不相容。",
                remedy: "换网络验证；核对两端版本，用 processID 查看服务端实际发出的内容。"),
            en: Explanation(
                meaning: "The answer does not follow the protocol",
                cause: "Something in between rewrote it, or the server's version does not fit the SDK.",
                remedy: """
                    Try another network, compare the versions and see under the trace id what the server really sent.
                    """))
        table.explain(
            "user_cancelled",
            zh: Explanation(
                meaning: "用户关闭了授权页",
                cause: "用户按了返回、关闭或拒绝。",
                remedy: "回到先前界面；不要自动再次弹页，也不要记为故障。"),
            en: Explanation(
                meaning: "The person closed the page",
                cause: "Back, close or decline was chosen.",
                remedy: """
                    Return to the previous screen; do not reopen the page by itself and do not count it as a fault.
                    """))
        table.explain(
            "switch_account",
            zh: Explanation(
                meaning: "用户要换其他方式登录",
                cause: "用户在授权页点了“其他方式登录”。",
                remedy: "打开自己的登录界面；是否关闭授权页由配置决定。"),
            en: Explanation(
                meaning: "The person wants another way to log in",
                cause: "The button for another way was tapped on the page.",
                remedy: "Open your own login screen; whether the page closes is a setting."))
        table.explain(
            "cancelled_by_app",
            zh: Explanation(
                meaning: "应用主动取消了登录",
                cause: "代码调用了 cancel()，或等待中的任务被取消。",
                remedy: "若非本意，检查视图消失时是否顺带取消了任务。"),
            en: Explanation(
                meaning: "The app cancelled the login",
                cause: "The code called cancel() or the awaiting task was cancelled.",
                remedy: "If that was not intended, see whether a disappearing view cancels the task."))
        table.explain(
            "already_running",
            zh: Explanation(
                meaning: "同样的调用还在进行",
                cause: "前一次预取或登录尚未结束就再次调用。",
                remedy: "点击后禁用按钮，等前一次返回；不要并发调用。"),
            en: Explanation(
                meaning: "The same call is still running",
                cause: "A prefetch or login was started before the previous one had ended.",
                remedy: "Disable the button after a tap and await the first call; do not run two at once."))
        table.explain(
            "prefetch_running",
            zh: Explanation(
                meaning: "预取号正在进行中",
                cause: "上一次预取号还没有回调，应用又发起了一次，多见于多个页面各自预取。",
                remedy: "等第一次的结果；预取号集中放在一处，结果在有效期内可直接复用。"),
            en: Explanation(
                meaning: "A prefetch is already running",
                cause: "The one before has not called back yet; often several screens each prefetch for themselves.",
                remedy: "Wait for the first result; prefetch in one place and use its result while it is valid."))
        table.explain(
            "login_running",
            zh: Explanation(
                meaning: "登录流程已经打开",
                cause: "授权页正在显示，或上一次登录还没有回调，应用又要求登录，例如按钮被连点。",
                remedy: "忽略这次调用；在回调之前禁用登录按钮。"),
            en: Explanation(
                meaning: "A login is already under way",
                cause: """
                    Its page is up, or it has not called back yet, and the app asked again; a double tap, for example.
                    """,
                remedy: "Ignore this call and disable the button until the callback."))
        table.explain(
            "page_failed",
            zh: Explanation(
                meaning: "授权页无法显示",
                cause: "没有可用的窗口场景、正在转场，或页面描述不符合规则。",
                remedy: "在界面可见时从最上层控制器调用，并查看随附的规则说明。"),
            en: Explanation(
                meaning: "The page could not be shown",
                cause: "There is no window scene, a transition is running, or the page description breaks a rule.",
                remedy: """
                    Call from the topmost controller of a visible screen and read the rule named beside the code.
                    """))
        table.explain(
            "controller_missing",
            zh: Explanation(
                meaning: "没有可用来弹出授权页的控制器",
                cause: "传入的控制器为空，或它已不在窗口里。",
                remedy: "传入当前正在显示的控制器；在界面出现之后再登录。"),
            en: Explanation(
                meaning: "There is no view controller to show the page from",
                cause: "The one given is nil, or is in no window any more.",
                remedy: "Give the one that is on the screen, and log in only after it has appeared."))
        table.explain(
            "split_view_unsupported",
            zh: Explanation(
                meaning: "分屏状态下不显示授权页",
                cause: "应用与另一个应用并排显示，而文档 002（个验）的授权页不支持分屏。",
                remedy: "请用户切回全屏后重试，或提供其他登录方式。"),
            en: Explanation(
                meaning: "The page is not shown in split view",
                cause: """
                    The app shares the screen with another one, where document 002 (GeYan) does not show its page.
                    """,
                remedy: "Ask the person to give the app the whole screen and retry, or offer another way to log in."))
        table.explain(
            "page_dismissed_by_app",
            zh: Explanation(
                meaning: "应用自己关闭了授权页",
                cause: "用户还没有决定，应用就调用了关闭授权页的接口，或移走了承载它的界面。",
                remedy: "若不是有意为之，检查转场、推送跳转和超时代码里的关闭调用。"),
            en: Explanation(
                meaning: "The app took the page down",
                cause: "It called the closer, or removed what carried the page, before the person had decided.",
                remedy: "If that was not meant, look for closers in transitions, push handling and time-out code."))
        table.explain(
            "prefetch_missing",
            zh: Explanation(
                meaning: "没有可用的预取结果",
                cause: "还没有预取，或预取结果已过期、已被删除。",
                remedy: "先调用预取并等待成功，再发起登录。"),
            en: Explanation(
                meaning: "There is no prefetch to log in with",
                cause: "None was made, or it has expired or was deleted.",
                remedy: "Prefetch first, wait for its success, then log in."))
        table.explain(
            "prefetch_expired",
            zh: Explanation(
                meaning: "预取号结果已过期",
                cause: "取号之后超过了有效期才去登录；各运营商、各接口风格的时长不同。",
                remedy: "重新预取号再登录；离登录更近的时刻再取号。"),
            en: Explanation(
                meaning: "The prefetch result has expired",
                cause: "The login came later than its lifetime allows, which differs by carrier and dialect.",
                remedy: "Prefetch again and log in; prefetch closer to the login."))
        table.explain(
            "device_key_unavailable",
            zh: Explanation(
                meaning: "设备密钥不可用",
                cause: "钥匙串或安全区拒绝了创建、读取或签名，例如设备锁定或存储受损。",
                remedy: "解锁后重试；持续出现时删除旧密钥重新生成，此前的凭证随之作废。"),
            en: Explanation(
                meaning: "The device key cannot be used",
                cause: """
                    Keychain or Secure Enclave refused to make, read or sign with it, as on a locked device or \
                    damaged storage.
                    """,
                remedy: """
                    Retry after unlocking; if it persists delete the key and make a new one, which ends earlier \
                    credentials.
                    """))
        explainCamera(in: &table)
        table.explain(
            "address_unknown",
            zh: Explanation(
                meaning: "来源地址不在任何活动会话里",
                cause: "请求没有走蜂窝网络（Wi-Fi、VPN、代理），或网关没有收到该会话的计费开始报文。",
                remedy: "让用户用蜂窝数据、关闭 VPN；运营方检查计费报文是否到达，并用 benji doctor 检查配置。"),
            en: Explanation(
                meaning: "No live session holds the source address",
                cause: """
                    The request did not use cellular (Wi-Fi, VPN, proxy), or the gateway never heard that session's \
                    accounting start.
                    """,
                remedy: """
                    Use mobile data without a VPN; operators see whether accounting arrives and check the settings \
                    with benji doctor.
                    """))
        table.explain(
            "address_stale",
            zh: Explanation(
                meaning: "地址存疑：会话太久没有消息，或可能漏收了它的消息",
                cause: "超过租约时间没有收到该会话的更新，或网关刚启动、计费报文有丢失；地址可能已换了主人，因此拒绝。",
                remedy: "过几分钟再试，或重连蜂窝数据；运营方检查中间更新报文的间隔与丢失。"),
            en: Explanation(
                meaning:
                    "The address is in doubt: its session has been silent for too long, or news of it may have been missed",
                cause: """
                    Nothing was heard of it for longer than its lease, the gateway has just started, or accounting was lost: \
                    the address may have a new owner.
                    """,
                remedy: """
                    Try again in a few minutes, or reconnect mobile data; operators check the interval of interim \
                    updates and their loss.
                    """))
        table.explain(
            "address_ambiguous",
            zh: Explanation(
                meaning: "地址背后可能不止一个用户",
                cause: "多个用户共用一个公网地址，而没有端口段信息可以区分。",
                remedy: "运营方把网关放到地址转换之前，或让计费报文带上端口段。"),
            en: Explanation(
                meaning: "More than one subscription may be behind the address",
                cause: "Several share one public address and no port block tells them apart.",
                remedy: """
                    Operators place the gateway in front of the translation or send port blocks with the accounting.
                    """))
        table.explain(
            "subscriber_unsupported",
            zh: Explanation(
                meaning: "该号码所在号段不能登录",
                cause: "物联网卡、数据卡或运营方排除的号段。",
                remedy: "为这些用户提供其他方式；运营方可在策略里调整号段。"),
            en: Explanation(
                meaning: "Numbers of this range cannot log in",
                cause: "An IoT or data-only SIM, or a range the operator leaves out.",
                remedy: "Offer another way; operators can change the ranges in the policy."))
        table.explain(
            "carrier_unsupported",
            zh: Explanation(
                meaning: "该运营商没有开放",
                cause: "策略对整个服务或这个应用关闭了该运营商。",
                remedy: "在策略中开放该运营商，或为其用户展示其他登录方式。"),
            en: Explanation(
                meaning: "The carrier is switched off",
                cause: "The policy turns it off, here or for this app.",
                remedy: "Turn it on in the policy or show its subscribers another way."))
        table.explain(
            "gateway_not_trusted",
            zh: Explanation(
                meaning: "网关无权代表所报的运营商",
                cause: "网关的凭据未登记，或它声明了不属于自己的运营商。",
                remedy: "运营方在认证服务器登记该网关及其运营商；意外出现时按入侵排查。"),
            en: Explanation(
                meaning: "The gateway may not speak for the carrier it names",
                cause: "Its credential is not registered, or it claims a carrier that is not its own.",
                remedy: """
                    Operators register the gateway and its carriers at the authority; if unexpected, treat it as an \
                    intrusion.
                    """))
        table.explain(
            "app_unknown",
            zh: Explanation(
                meaning: "没有这个应用",
                cause: "应用编号不存在，或用了另一套环境的编号。",
                remedy: "从所连环境的应用登记中复制编号。"),
            en: Explanation(
                meaning: "There is no such app",
                cause: "The id does not exist or comes from another environment.",
                remedy: "Copy it from the registration in the environment you connect to."))
        table.explain(
            "app_suspended",
            zh: Explanation(
                meaning: "应用已被停用",
                cause: "运营方因审核、违规或欠费暂停了该应用。",
                remedy: "联系运营方了解原因；恢复后无需换编号。"),
            en: Explanation(
                meaning: "The app is suspended",
                cause: "The operator paused it: a review, a breach or unpaid bills.",
                remedy: "Ask the operator for the reason; the id stays the same afterwards."))
        table.explain(
            "app_not_allowed",
            zh: Explanation(
                meaning: "应用不在允许名单内",
                cause: "应用已登记，但尚未被放行。",
                remedy: "请管理员放行后重试。"),
            en: Explanation(
                meaning: "The app is not on the allow-list",
                cause: "It is registered but has not been admitted yet.",
                remedy: "Have an administrator admit it, then retry."))
        table.explain(
            "capability_missing",
            zh: Explanation(
                meaning: "应用没有所需的能力",
                cause: "登记中没有开通这次调用所属的能力。",
                remedy: "为应用开通一键登录、号码校验等对应能力。"),
            en: Explanation(
                meaning: "The app lacks the capability",
                cause: "Its registration does not include what this call needs.",
                remedy: "Grant it to the app: one-tap login, number verification or another."))
        table.explain(
            "bundle_mismatch",
            zh: Explanation(
                meaning: "应用包标识不在登记范围内",
                cause: "手机上报的 Bundle ID 与登记的都不相同。",
                remedy: "登记每个构建使用的标识，并注意大小写。"),
            en: Explanation(
                meaning: "The bundle identifier is not registered",
                cause: "What the phone reports equals none of those registered.",
                remedy: "Register the identifier of every build and mind the case."))
        table.explain(
            "app_key_wrong",
            zh: Explanation(
                meaning: "SDK 中的应用密钥不对",
                cause: "客户端证明用的密钥与登记的不一致，多为密钥轮换后没有更新。",
                remedy: "把登记的密钥放进应用并发布；密钥一经轮换，旧的立即失效。"),
            en: Explanation(
                meaning: "The app's key in the SDK is wrong",
                cause: "The proof was made with another key than the registered one, often after a rotation.",
                remedy: "Put the registered key into the app and publish it; a rotated key stops working at once."))
        table.explain(
            "server_address_not_allowed",
            zh: Explanation(
                meaning: "应用服务器的地址没有登记",
                cause: "请求来自名单之外的公网地址。",
                remedy: "登记对外可见的固定出口地址，包括 IPv6。"),
            en: Explanation(
                meaning: "The server's address is not registered",
                cause: "The request came from a public address outside the list.",
                remedy: "Register the fixed address seen from outside, IPv6 included."))
        table.explain(
            "quota_exceeded",
            zh: Explanation(
                meaning: "应用的配额已用完",
                cause: "当日或当期的计费调用达到上限。",
                remedy: "提高配额或等待下一周期，并为用量设置告警。"),
            en: Explanation(
                meaning: "The app's quota is used up",
                cause: "The billed calls of the day or period reached their limit.",
                remedy: "Raise it or wait for the next period, and alert on usage."))
        table.explain(
            "too_many_requests",
            zh: Explanation(
                meaning: "请求过于频繁",
                cause: "超过了按应用、设备或号码计算的速率。",
                remedy: "按应答给出的时间退避后再试，不要固定间隔轮询。"),
            en: Explanation(
                meaning: "Requests come too often",
                cause: "The rate per app, device or number was exceeded.",
                remedy: "Back off for the time the answer names and do not poll at fixed intervals."))
        table.explain(
            "too_many_unused_tokens",
            zh: Explanation(
                meaning: "未使用的 token 太多",
                cause: "同一应用和号码在十分钟内取得的 token 超过上限而没有兑换。",
                remedy: "每次点击只取一个 token 并立即兑换；检查是否有循环调用。"),
            en: Explanation(
                meaning: "Too many tokens are unused",
                cause: """
                    For one app and number more tokens than allowed were issued within ten minutes and not redeemed.
                    """,
                remedy: "Fetch one token a tap and redeem it at once; look for a loop."))
        table.explain(
            "assurance_too_low",
            zh: Explanation(
                meaning: "可信强度低于应用的要求",
                cause: "token 取得的方式弱于应用设定的下限，例如缺少应用证明。",
                remedy: "开启应用证明或附加验证；确认风险后才考虑降低下限。"),
            en: Explanation(
                meaning: "Weaker than what the app accepts",
                cause: """
                    The token was earned in a weaker way than the app's least, for instance without app attestation.
                    """,
                remedy: "Turn attestation or a second step on; lower the least only after weighing the risk."))
        table.explain(
            "attestation_invalid",
            zh: Explanation(
                meaning: "应用证明没有通过",
                cause: "证明的签名链、挑战值或应用标识不符，或来自测试环境。",
                remedy: "重新生成证明；确认团队编号、Bundle ID 与生产环境设置一致。"),
            en: Explanation(
                meaning: "The app attestation did not verify",
                cause: "Its chain, challenge or app identity does not match, or it is from the test environment.",
                remedy: "Attest again and make sure team id, bundle id and environment agree with the registration."))
        table.explain(
            "proof_missing",
            zh: Explanation(
                meaning: "请求没有设备证明",
                cause: "缺少用设备密钥签名的证明，多为自行拼接的请求。",
                remedy: "使用 SDK 发起请求；代理不得去掉证明头。"),
            en: Explanation(
                meaning: "The request carries no device proof",
                cause: "The proof signed by the device key is missing; mostly a hand-made request.",
                remedy: "Use the SDK and make sure no proxy drops the header."))
        table.explain(
            "proof_invalid",
            zh: Explanation(
                meaning: "设备证明无效",
                cause: "签名不符、格式错误，或证明的方法、地址与请求不同。",
                remedy: "升级 SDK；检查反向代理是否改写了路径或主机名。"),
            en: Explanation(
                meaning: "The device proof is invalid",
                cause: """
                    Its signature is wrong, it is malformed, or it names another method or address than the request.
                    """,
                remedy: "Update the SDK and see whether a reverse proxy rewrites path or host."))
        table.explain(
            "proof_replayed",
            zh: Explanation(
                meaning: "设备证明被重复使用",
                cause: "同一证明的编号此前已出现。",
                remedy: "每个请求都重新签名；出现陌生来源时按攻击处理。"),
            en: Explanation(
                meaning: "The device proof was used before",
                cause: "Its identifier has been seen already.",
                remedy: "Sign every request anew; from an unknown source treat it as an attack."))
        table.explain(
            "clock_skew",
            zh: Explanation(
                meaning: "手机时间与服务器相差太大",
                cause: "证明里的时间超出允许范围，通常是手动改了时间。",
                remedy: "SDK 会按应答中的服务器时间校正并重试一次；仍失败时请用户打开自动设置时间。"),
            en: Explanation(
                meaning: "The phone's clock is too far off",
                cause: "The proof's time is outside what is allowed, usually after setting the clock by hand.",
                remedy: """
                    The SDK corrects by the server's time and retries once; otherwise ask for automatic date and time.
                    """))
        table.explain(
            "scrip_invalid",
            zh: Explanation(
                meaning: "取号凭证无效",
                cause: "凭证不是本服务签发，或内容被改动。",
                remedy: "删除凭证后重新预取。"),
            en: Explanation(
                meaning: "The scrip is not valid",
                cause: "It was not issued here or was altered.",
                remedy: "Delete it and prefetch again."))
        table.explain(
            "scrip_expired",
            zh: Explanation(
                meaning: "取号凭证过期",
                cause: "预取后停留过久，超过了该运营商的有效时间。",
                remedy: "重新预取；在临近显示授权页时再预取可以减少这种情况。"),
            en: Explanation(
                meaning: "The scrip has expired",
                cause: "Too long passed since the prefetch for this carrier's lifetime.",
                remedy: "Prefetch again, and closer to showing the page."))
        table.explain(
            "scrip_reused",
            zh: Explanation(
                meaning: "出现了已被替换的旧凭证",
                cause: "凭证每次使用都会轮换，旧的一代再次出现，说明可能被复制，整族作废。",
                remedy: "重新预取即可恢复；频繁出现时检查是否从备份恢复了凭证。"),
            en: Explanation(
                meaning: "An older scrip was presented again",
                cause: "Scrips rotate at each use; an old generation suggests a copy, so the whole family is ended.",
                remedy: """
                    Prefetching again repairs it; if it is frequent see whether scrips are restored from a backup.
                    """))
        table.explain(
            "scrip_wrong_device",
            zh: Explanation(
                meaning: "凭证属于另一台设备",
                cause: "凭证绑定的设备密钥与证明所用的不同。",
                remedy: "在本机重新预取；意外大量出现时按凭证被盗排查。"),
            en: Explanation(
                meaning: "The scrip belongs to another device",
                cause: "It is bound to another device key than the proof's.",
                remedy: "Prefetch on this device; if many appear investigate a theft of credentials."))
        table.explain(
            "subscription_mismatch",
            zh: Explanation(
                meaning: "当前地址属于另一个用户",
                cause: "预取之后换了 SIM 卡、切换了数据卡，或地址已分配给别人。",
                remedy: "用当前的数据卡重新预取。"),
            en: Explanation(
                meaning: "The address belongs to another subscription",
                cause: "After the prefetch the SIM or the data line was changed, or the address went to someone else.",
                remedy: "Prefetch again with the line in use."))
        table.explain(
            "consent_missing",
            zh: Explanation(
                meaning: "请求没有同意记录",
                cause: "没有经过授权页就请求登录 token。",
                remedy: "显示授权页，让用户勾选并点击；只需校验号码时改用校验流程。"),
            en: Explanation(
                meaning: "The request has no consent record",
                cause: "A login token was asked for without the page.",
                remedy: "Show the page and let the person tick and tap, or use verification if comparing is enough."))
        table.explain(
            "consent_invalid",
            zh: Explanation(
                meaning: "同意记录没有通过检查",
                cause: "签名、内容摘要或先勾选后点击的次序不符，或页面未经审核。",
                remedy: "使用与已审核版本一致的页面，勾选框初始为空，并升级 SDK。"),
            en: Explanation(
                meaning: "The consent record did not pass",
                cause: """
                    Its signature, content digest or the order of tick and tap is wrong, or the page was not approved.
                    """,
                remedy: "Use the page that was approved, with the box empty at first, and update the SDK."))
        explainFace(in: &table)
        table.explain(
            "malformed_request",
            zh: Explanation(
                meaning: "请求无法解析",
                cause: "JSON 不合法、字段重复或层级错误。",
                remedy: "检查实际发出的字节和 Content-Type。"),
            en: Explanation(
                meaning: "The request cannot be parsed",
                cause: "The JSON is broken, a field is repeated or the nesting is wrong.",
                remedy: "Look at the bytes you send and at the Content-Type."))
        table.explain(
            "parameter_missing",
            zh: Explanation(
                meaning: "缺少必需的参数",
                cause: "应答的说明里给出了缺少的字段名。",
                remedy: "补上该字段再发送。"),
            en: Explanation(
                meaning: "A required parameter is missing",
                cause: "The description in the answer names the field.",
                remedy: "Add it and send again."))
        table.explain(
            "parameter_invalid",
            zh: Explanation(
                meaning: "参数的值不被接受",
                cause: "长度、格式或取值超出允许范围，说明里给出了字段名。",
                remedy: "按接口文档改正该字段。"),
            en: Explanation(
                meaning: "A parameter's value is not accepted",
                cause: "Its length, form or value is outside what is allowed; the description names it.",
                remedy: "Correct that field as the interface documents it."))
        table.explain(
            "app_id_missing",
            zh: Explanation(
                meaning: "请求缺少应用编号",
                cause: "appId 一类的字段缺失或为空，常见于配置没有读到。",
                remedy: "检查服务器的配置与环境变量，发送前断言编号不为空。"),
            en: Explanation(
                meaning: "The request names no app",
                cause: "The member for the app id is absent or empty; often a setting that was not read.",
                remedy: "Check the server's configuration and environment, and assert that the id is not empty."))
        table.explain(
            "version_unsupported",
            zh: Explanation(
                meaning: "协议或接口版本不受支持",
                cause: "请求声明的版本过旧或过新。",
                remedy: "升级 SDK 或服务端，使两端版本相容。"),
            en: Explanation(
                meaning: "The version is not supported",
                cause: "The request declares one that is too old or too new.",
                remedy: "Update SDK or server so that they fit."))
        table.explain(
            "sign_missing",
            zh: Explanation(
                meaning: "请求没有签名",
                cause: "签名字段缺失或为空；每个应用都必须签名。",
                remedy: "用应用密钥计算签名后再发送。"),
            en: Explanation(
                meaning: "The request is not signed",
                cause: "The sign is missing or empty, and every app must sign.",
                remedy: "Compute it with the app's key and send again."))
        table.explain(
            "sign_wrong",
            zh: Explanation(
                meaning: "签名不正确",
                cause: "字段次序、密钥或字符编码不一致，或签名后内容被改动。",
                remedy: "打印参与签名的原文逐字对比，注意 UTF-8 和空字段。"),
            en: Explanation(
                meaning: "The sign is wrong",
                cause: "Field order, key or text encoding differs, or something changed after signing.",
                remedy: "Print the text you sign and compare it character by character; mind UTF-8 and empty fields."))
        table.explain(
            "sign_algorithm_mismatch",
            zh: Explanation(
                meaning: "签名算法与登记的不同",
                cause: "应用登记了一种算法，请求却用了另一种。",
                remedy: "改用登记的算法，或先更改登记。"),
            en: Explanation(
                meaning: "Another algorithm than the registered one",
                cause: "The app is registered for one way of signing and the request used another.",
                remedy: "Use the registered one, or change the registration first."))
        table.explain(
            "public_key_missing",
            zh: Explanation(
                meaning: "应用没有登记公钥",
                cause: "请求需要用应用的公钥验签或加密，而登记里没有。",
                remedy: "为应用登记 PEM 格式的公钥。"),
            en: Explanation(
                meaning: "The app has no public key registered",
                cause: "The request needs one to verify or encrypt.",
                remedy: "Register it for the app in PEM form."))
        table.explain(
            "encryption_failed",
            zh: Explanation(
                meaning: "无法用应用的公钥加密",
                cause: "登记的公钥损坏、太短或类型不支持。",
                remedy: "重新生成 2048 位以上的 RSA 密钥并登记。"),
            en: Explanation(
                meaning: "Encrypting to the app's key failed",
                cause: "The registered key is damaged, too short or of an unsupported kind.",
                remedy: "Make a new RSA key of at least 2048 bits and register it."))
        table.explain(
            "message_replayed",
            zh: Explanation(
                meaning: "消息编号重复",
                cause: "同一应用用过的消息编号再次出现。",
                remedy: "每次请求使用新的编号，重试也要更换。"),
            en: Explanation(
                meaning: "The message id was used before",
                cause: "The app sent the same id again.",
                remedy: "Use a new one for every request, retries included."))
        table.explain(
            "message_stale",
            zh: Explanation(
                meaning: "消息时间超出允许范围",
                cause: "请求里的时间与服务器相差太远。",
                remedy: "校准服务器时钟，并在发送时读取时间。"),
            en: Explanation(
                meaning: "The message's time is outside what is allowed",
                cause: "It differs too much from the server's clock.",
                remedy: "Set your server's clock and read the time when sending."))
        table.explain(
            "timestamp_invalid",
            zh: Explanation(
                meaning: "请求时间不合法",
                cause: "时间缺失、不是数字，或单位不对，例如该用毫秒却用了秒。",
                remedy: "按接口文档的单位与位数生成时间，每次请求都取当前时刻。"),
            en: Explanation(
                meaning: "The request's time is not valid",
                cause: """
                    It is missing, not a number, or in another unit, such as seconds where milliseconds are asked for.
                    """,
                remedy: """
                    Use the unit and number of digits that the interface asks for, and take the time anew for every \
                    request.
                    """))
        table.explain(
            "source_id_unknown",
            zh: Explanation(
                meaning: "没有登记该来源编号",
                cause: "单点登录用的来源编号查不到。",
                remedy: "登记该业务，或更正编号。"),
            en: Explanation(
                meaning: "The source id is not registered",
                cause: "The one used for single sign-on is unknown.",
                remedy: "Register the service or correct the id."))
        table.explain(
            "source_id_malformed",
            zh: Explanation(
                meaning: "来源编号格式不对",
                cause: "不是本服务分配的数字编号。",
                remedy: "使用登记时分配的编号，不用单点登录就省略。"),
            en: Explanation(
                meaning: "The source id is malformed",
                cause: "It is not one of the numbers this service assigns.",
                remedy: "Use the assigned one, or leave it out without single sign-on."))
        table.explain(
            "source_id_taken",
            zh: Explanation(
                meaning: "来源编号已被占用",
                cause: "另一业务已登记了同一编号。",
                remedy: "为新业务申请别的编号。"),
            en: Explanation(
                meaning: "The source id is taken",
                cause: "Another service registered it already.",
                remedy: "Apply for a different one."))
        table.explain(
            "source_id_limit",
            zh: Explanation(
                meaning: "来源编号下的应用已满",
                cause: "同一编号下已登记 99 个应用。",
                remedy: "删除停用的登记，或申请新的编号。"),
            en: Explanation(
                meaning: "The source id is full",
                cause: "Ninety-nine apps are registered under it.",
                remedy: "Remove unused registrations or apply for a new id."))
        table.explain(
            "process_id_missing",
            zh: Explanation(
                meaning: "请求缺少流水号",
                cause: "process_id 没有随 token 一起从客户端传到服务器。",
                remedy: "客户端回调里的流水号与 token 要一起上传，一起提交。"),
            en: Explanation(
                meaning: "The request has no process id",
                cause: "It was not passed on from the app together with the token.",
                remedy: "Send the process id of the app's callback along with the token, and submit both."))
        table.explain(
            "process_id_malformed",
            zh: Explanation(
                meaning: "流水号格式不对",
                cause: "长度或字符与 SDK 返回的不同，例如被截断、改了大小写或自己生成了一个。",
                remedy: "原样使用客户端回调给出的流水号，不要自行生成。"),
            en: Explanation(
                meaning: "The process id is malformed",
                cause: "Its length or characters are not those that the SDK gives: cut, changed in case, or made up.",
                remedy: "Use the one from the app's callback untouched; do not make one."))
        table.explain(
            "process_id_unknown",
            zh: Explanation(
                meaning: "找不到这个流水号",
                cause: "它不是这里发出的，已超过保存时间，或属于另一个环境。",
                remedy: "确认客户端和服务器连的是同一套环境；过期的流水号只能重新登录。"),
            en: Explanation(
                meaning: "No login has this process id",
                cause: "It was not issued here, is older than it is kept, or belongs to another environment.",
                remedy: "Make sure app and server use the same environment; after its time only a new login helps."))
        table.explain(
            "process_id_spent",
            zh: Explanation(
                meaning: "流水号已经使用过",
                cause: "同一个流水号只能换取一次结果，重试或并发请求用掉了它。",
                remedy: "不要重试已成功送达的请求；让用户重新登录以得到新的流水号。"),
            en: Explanation(
                meaning: "The process id has been used",
                cause: "It can be redeemed once; a retry or a parallel request used it up.",
                remedy: "Do not repeat a request that arrived; a new login gives a new process id."))
        table.explain(
            "token_missing",
            zh: Explanation(
                meaning: "请求里没有凭证",
                cause: "token 字段缺失或为空。",
                remedy: "只在登录成功后请求，并传递完整的 token。"),
            en: Explanation(
                meaning: "The request has no token",
                cause: "The field is missing or empty.",
                remedy: "Call only after a successful login and pass the whole token."))
        table.explain(
            "token_malformed",
            zh: Explanation(
                meaning: "凭证格式不对",
                cause: "长度或字符不符合规定，多为截断或重复编码。",
                remedy: "原样传递 token，不要做任何转换。"),
            en: Explanation(
                meaning: "The token is malformed",
                cause: "Its length or characters are wrong, mostly cut or encoded twice.",
                remedy: "Pass it on without any change."))
        table.explain(
            "token_unknown",
            zh: Explanation(
                meaning: "查不到这个凭证",
                cause: "格式正确，但本服务没有签发过，或早已清理。",
                remedy: "核对两端是否连接同一环境，再重新登录。"),
            en: Explanation(
                meaning: "The token is unknown",
                cause: "It is well formed but was not issued here or was cleared long ago.",
                remedy: "See that both ends use one environment, then log in again."))
        table.explain(
            "token_expired",
            zh: Explanation(
                meaning: "凭证已经过期",
                cause: "从签发到兑换超过了有效时间。",
                remedy: "拿到后立即兑换；过期就重新登录。"),
            en: Explanation(
                meaning: "The token has expired",
                cause: "More than its lifetime passed before it was redeemed.",
                remedy: "Redeem at once, or log in again."))
        table.explain(
            "token_spent",
            zh: Explanation(
                meaning: "凭证已被兑换",
                cause: "一次性凭证此前已成功使用。",
                remedy: "不要重发；结果未知时重新登录取得新凭证。"),
            en: Explanation(
                meaning: "The token has been redeemed",
                cause: "A single-use credential was used before.",
                remedy: "Do not resend it; if the outcome is unknown log in again for a new one."))
        table.explain(
            "token_wrong_app",
            zh: Explanation(
                meaning: "凭证属于另一个应用",
                cause: "兑换方的应用编号与签发时不同。",
                remedy: "用签发时的应用兑换；意外出现时检查 token 是否外泄。"),
            en: Explanation(
                meaning: "The token belongs to another app",
                cause: "Whoever redeems has another app id than it was issued to.",
                remedy: "Redeem with the app that got it; if unexpected see whether tokens leak."))
        table.explain(
            "token_wrong_process",
            zh: Explanation(
                meaning: "token 与流水号不是同一次登录的",
                cause: "服务器把两次登录的数据拼在了一起，或有人替换了其中之一。",
                remedy: "按登录成对保存两者；若客户端无误，应视为可疑请求并记录。"),
            en: Explanation(
                meaning: "The token belongs to another login than the process id",
                cause: "The server mixed two logins up, or one of the two was exchanged.",
                remedy: """
                    Keep both together per login; if the app is right treat the request as suspicious and record it.
                    """))
        table.explain(
            "token_wrong_purpose",
            zh: Explanation(
                meaning: "凭证的用途不对",
                cause: "用校验凭证取号码，或用登录凭证做校验。",
                remedy: "取号码要经过授权页登录；两种凭证不能互换。"),
            en: Explanation(
                meaning: "The token has another purpose",
                cause: "A verification token was asked for a number, or a login token to verify one.",
                remedy: "A number needs a login with the page; the two are not interchangeable."))
        table.explain(
            "subscription_changed",
            zh: Explanation(
                meaning: "签发之后换了卡或机主",
                cause: "号码的 SIM 卡或归属在签发凭证后发生变化，凭证随之终止。",
                remedy: "让用户重新登录；敏感业务应再做一次验证。"),
            en: Explanation(
                meaning: "The SIM or the owner has changed",
                cause: "It happened after the token was issued, which ends the token.",
                remedy: "Have the person log in again and add a check before anything sensitive."))
        table.explain(
            "number_missing",
            zh: Explanation(
                meaning: "请求缺少手机号码",
                cause: "要比对的号码没有填写，或字段名不对。",
                remedy: "核对字段名；用户没有输入号码时不要调用比对接口。"),
            en: Explanation(
                meaning: "The request names no phone number",
                cause: "The number to compare was left out, or its member has another name.",
                remedy: """
                    Check the member's name, and do not ask for a comparison before the person has entered a number.
                    """))
        table.explain(
            "number_malformed",
            zh: Explanation(
                meaning: "手机号码格式不对",
                cause: "号码含有空格、国家码或掩码，或位数不对。",
                remedy: "提交 11 位大陆手机号，去掉空格、连字符和 +86。"),
            en: Explanation(
                meaning: "The phone number is malformed",
                cause: "It has blanks, a country code or a mask in it, or another number of digits.",
                remedy: "Submit the eleven digits of a mainland number, without blanks, hyphens and +86."))
        table.explain(
            "number_hash_malformed",
            zh: Explanation(
                meaning: "号码摘要格式不对",
                cause: "不是规定长度的十六进制摘要。",
                remedy: "按接口规定的拼接方式重新计算摘要。"),
            en: Explanation(
                meaning: "The number's digest is malformed",
                cause: "It is not a hexadecimal digest of the required length.",
                remedy: "Compute it again from the text the interface prescribes."))
        table.explain(
            "number_encoding_invalid",
            zh: Explanation(
                meaning: "号码加密选项不合法",
                cause: "该选项只能是真或假，请求里写了别的值或类型。",
                remedy: "用 JSON 布尔值 true 或 false，不需要加密时省略它。"),
            en: Explanation(
                meaning: "The choice of an encrypted number is not valid",
                cause: "It is either true or false; the request has another value or type.",
                remedy: "Write the JSON value true or false, or leave it out when no encryption is wanted."))
        table.explain(
            "number_differs",
            zh: Explanation(
                meaning: "号码不是本机号码",
                cause: "比对完成，提交的号码与手机的号码不同。",
                remedy: "请用户核对号码或数据卡；凭证已用掉，再查需重新取得。"),
            en: Explanation(
                meaning: "The number is another one",
                cause: "The comparison was made and the phone's number differs.",
                remedy: """
                    Let the person check number and data SIM; the token is spent, so obtain another to ask again.
                    """))
        table.explain(
            "number_unnecessary",
            zh: Explanation(
                meaning: "不应再附带号码",
                cause: "令牌已经说明是谁的号码，请求里又写了一个。",
                remedy: "用三方令牌调用时去掉号码字段。"),
            en: Explanation(
                meaning: "A number was sent that is not needed",
                cause: "The token already says whose number it is, and the request names one besides.",
                remedy: "Leave the number out when calling with a token of a person."))
        table.explain(
            "number_unknown",
            zh: Explanation(
                meaning: "登记册里没有这个号码",
                cause: "号码写法正确，但运营方从未见过它：外网号码、未激活，或打错了。",
                remedy: "核对号码；换用别的核验方式。"),
            en: Explanation(
                meaning: "The register does not know the number",
                cause:
                    "It is well formed, but the operator has never seen it: another network, never used, or mistyped.",
                remedy: "Check the number, or use another way to verify."))
        table.explain(
            "scope_missing",
            zh: Explanation(
                meaning: "令牌没有这项授权范围",
                cause: "换取令牌时请求的 scope 不含正在调用的接口。",
                remedy: "换取令牌时带上接口要求的 scope。"),
            en: Explanation(
                meaning: "The token was not issued for this",
                cause: "The scope that it was asked for does not name the interface that is called.",
                remedy: "Ask for the scope that the interface wants when getting the token."))
        table.explain(
            "not_by_network",
            zh: Explanation(
                meaning: "令牌不是凭移动网络取得的",
                cause: "号码核验只认由运营商网络识别的登录。",
                remedy: "让手机走移动数据重新发起授权。"),
            en: Explanation(
                meaning: "The token was not earned over the mobile network",
                cause: "Number verification counts only logins that the carrier recognised by its network.",
                remedy: "Let the phone ask again over mobile data."))
        table.explain(
            "out_of_range",
            zh: Explanation(
                meaning: "数值超出可答范围",
                cause: "例如 maxAge 小于 1 小时或大于 2400 小时。",
                remedy: "把数值改到接口写明的范围内。"),
            en: Explanation(
                meaning: "A quantity is out of range",
                cause: "maxAge, for example, is below 1 hour or above 2400.",
                remedy: "Keep it within the range that the interface states."))
        table.explain(
            "store_unavailable",
            zh: Explanation(
                meaning: "存储不可用",
                cause: "数据无法读写，为避免误判，什么都没有放行。",
                remedy: "稍后重试；运营方检查数据库和磁盘。"),
            en: Explanation(
                meaning: "The store is not available",
                cause: "Data cannot be read or written, and nothing is released on a guess.",
                remedy: "Retry later; operators check database and disk."))
        table.explain(
            "overloaded",
            zh: Explanation(
                meaning: "服务繁忙",
                cause: "排队超过上限，为保护其他请求而拒绝。",
                remedy: "退避后重试；运营方扩容或查找突发来源。"),
            en: Explanation(
                meaning: "The service is overloaded",
                cause: "Its queue is full and it refuses in order to serve the rest.",
                remedy: "Back off and retry; operators add capacity or find the burst."))
        table.explain(
            "internal_error",
            zh: Explanation(
                meaning: "服务内部错误",
                cause: "发生了未预料的故障。",
                remedy: "带上 processID 反馈；运营方据此在追踪中定位。"),
            en: Explanation(
                meaning: "An internal error",
                cause: "Something unexpected failed.",
                remedy: "Report it with the trace id, under which operators find the step."))
        table.explain(
            "not_found",
            zh: Explanation(
                meaning: "没有这个地址",
                cause: "请求的路径不存在，或功能没有启用。",
                remedy: "核对基础地址与路径。"),
            en: Explanation(
                meaning: "There is nothing at this address",
                cause: "The path does not exist or its feature is not enabled.",
                remedy: "Check base address and path."))
        table.explain(
            "method_not_allowed",
            zh: Explanation(
                meaning: "请求方法不对",
                cause: "该路径不接受所用的 HTTP 方法。",
                remedy: "改用文档规定的方法，多数接口为 POST。"),
            en: Explanation(
                meaning: "The method is not allowed",
                cause: "This path does not take the HTTP method used.",
                remedy: "Use the documented one, POST for most."))
        table.explain(
            "body_too_large",
            zh: Explanation(
                meaning: "请求体过大",
                cause: "超过了该接口的大小上限，正常请求远小于它。",
                remedy: "检查是否误传了文件或重复内容。"),
            en: Explanation(
                meaning: "The body is too large",
                cause: "It exceeds the limit of this interface, which a normal request stays far below.",
                remedy: "See whether a file or repeated content was sent by mistake."))
        return table.entries
    }
}
