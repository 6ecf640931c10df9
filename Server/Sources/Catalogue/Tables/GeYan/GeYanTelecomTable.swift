import BenjiProtocol

/// Document 002: China Telecom's own code, in `metadata`.
enum GeYanTelecomTable {
    static func entries() -> [CatalogueEntry] {
        var table = TableWriter(.geyanTelecom, version: "002")
        table.explain(
            "-64",
            zh: Explanation(
                meaning: "应用无权使用电信取号",
                cause: "应用被停用、不在名单内、缺少能力，或电信在此关闭。",
                remedy: "请运营方检查应用的状态、能力与运营商开关。"),
            en: Explanation(
                meaning: "The app may not use Telecom's service",
                cause: "It is suspended, not listed or without the capability, or China Telecom is switched off here.",
                remedy: "Ask the operator to look at the app's state, its capabilities and the carrier's switch."))
        table.explain(
            "-65",
            zh: Explanation(
                meaning: "调用频率超出限制",
                cause: "短时间内的请求多于允许的数量。",
                remedy: "放慢节奏并退避重试；预登录结果有效期内不要重复请求。"),
            en: Explanation(
                meaning: "The rate of calls is over the limit",
                cause: "More requests came in a short time than are allowed.",
                remedy: "Slow down and back off; do not repeat a pre-login whose result is still valid."))
        table.explain(
            "-10001",
            zh: Explanation(
                meaning: "电信侧取不到号码",
                cause: "号码不能取号，或预登录的凭证已结束、换过 SIM 卡。",
                remedy: "重新预登录一次；仍失败则用短信登录。"),
            en: Explanation(
                meaning: "Telecom could not take the number",
                cause: "The number may not log in, the pre-login has ended, or the SIM was changed.",
                remedy: "Pre-login once more; if it still fails log in by SMS."))
        table.explain(
            "-10002",
            zh: Explanation(
                meaning: "请求参数不正确",
                cause: "服务端不接受请求里的某个值。",
                remedy: "更新到相配的 SDK 版本；自己改过请求时恢复原样。"),
            en: Explanation(
                meaning: "The request's parameters are not right",
                cause: "The server does not accept one of the values.",
                remedy: "Use the SDK's version that fits, and undo any change made to the request."))
        table.explain(
            "-10003",
            zh: Explanation(
                meaning: "解密失败",
                cause: "属于电信接口自己的参数加密：服务端解不开请求。",
                remedy: "Benji 只用 TLS，不另设加密参数，不会返回此码；旧 SDK 中检查密钥。"),
            en: Explanation(
                meaning: "Decryption failed",
                cause: "It belonged to Telecom's own encryption of parameters: the server could not open them.",
                remedy: """
                    Benji relies on TLS, has no such parameters and does not return it; in the old SDK check the key.
                    """))
        table.explain(
            "-10004",
            zh: Explanation(
                meaning: "来源 IP 不被接受",
                cause: "请求地址不属于任何在线的电信用户，多为 Wi-Fi 或代理出口。",
                remedy: "关闭 VPN 与加速器，让请求走电信蜂窝网络。"),
            en: Explanation(
                meaning: "The source address is not accepted",
                cause: "It belongs to no subscriber of Telecom who is online; mostly Wi-Fi or a proxy's exit.",
                remedy: "Turn VPNs and accelerators off so that the request goes over Telecom's mobile network."))
        table.explain(
            "-10005",
            zh: Explanation(
                meaning: "异网回调参数异常",
                cause: "属于电信的异网取号流程：跳转回来时参数不对。",
                remedy: "Benji 的手机端没有异网跳转，不会返回此码；旧 SDK 中重试或换方式。"),
            en: Explanation(
                meaning: "The callback from another network is wrong",
                cause: "It belonged to Telecom's way across networks: what came back from the redirect did not fit.",
                remedy: """
                    Benji's phones are not redirected and it does not return this; in the old SDK retry or log in \
                    another way.
                    """))
        table.explain(
            "-10006",
            zh: Explanation(
                meaning: "属于电信网络但取号失败",
                cause: "地址是电信的，但一址对应多个用户，或会话太久没有消息。",
                remedy: "开关一次飞行模式以建立新会话，然后重试。"),
            en: Explanation(
                meaning: "The address is Telecom's, yet the number was not found",
                cause: "Several subscribers may be behind it, or nothing was heard of its session for too long.",
                remedy: "Switch airplane mode on and off for a new session, then retry."))
        table.explain(
            "-10007",
            zh: Explanation(
                meaning: "请求被转往其他运营商",
                cause: "属于电信的异网流程：电信网关认为这是别家用户。",
                remedy: "Benji 由网关直接认出运营商，不会返回此码；旧 SDK 会自己继续跳转。"),
            en: Explanation(
                meaning: "The request was sent on to another carrier",
                cause: """
                    It belonged to Telecom's way across networks: its gateway took the person for another carrier's.
                    """,
                remedy: """
                    In Benji the gateway knows the carrier itself and does not return this; the old SDK follows on its \
                    own.
                    """))
        table.explain(
            "-10008",
            zh: Explanation(
                meaning: "取号次数超过阈值",
                cause: "该号码在本应用下有太多没有使用的 token。",
                remedy: "拿到就用；检查是否有循环或预取过多。"),
            en: Explanation(
                meaning: "The number was asked for too often",
                cause: "Too many tokens of this number and app are unused.",
                remedy: "Use each as it comes, and look for a loop or too much prefetching."))
        table.explain(
            "-10009",
            zh: Explanation(
                meaning: "时间戳过期",
                cause: "手机时间与服务器相差过大；SDK 已用服务器时间校正一次仍不成功。",
                remedy: "请用户打开系统的自动校时。"),
            en: Explanation(
                meaning: "The time stamp is too old",
                cause: "The phone's clock is far from the server's, and one correction by the SDK did not help.",
                remedy: "Ask the person to let the system set the time by itself."))
        table.explain(
            "-20005",
            zh: Explanation(
                meaning: "签名无效",
                cause: "应用密钥不符，或设备对请求的证明没有通过、被重复使用。",
                remedy: "核对密钥；不要缓存或重放 SDK 的请求。"),
            en: Explanation(
                meaning: "The sign is invalid",
                cause: "The app key does not match, or the device's proof failed or was used before.",
                remedy: "Compare the key, and neither cache nor replay the SDK's requests."))
        table.explain(
            "-20006",
            zh: Explanation(
                meaning: "应用不存在",
                cause: "应用编号未登记，或 Bundle ID 不在登记里。",
                remedy: "核对编号、环境与 Bundle ID 三项。"),
            en: Explanation(
                meaning: "The app does not exist",
                cause: "The app id is not registered, or the bundle ID is not part of the registration.",
                remedy: "Compare the three: id, environment and bundle ID."))
        table.explain(
            "-20007",
            zh: Explanation(
                meaning: "找不到公钥",
                cause: "属于电信接口的参数加密：该应用没有登记公钥。",
                remedy: "Benji 登记应用时不需要这把公钥，不会返回此码；旧平台请补登。"),
            en: Explanation(
                meaning: "There is no public key",
                cause: "It belonged to Telecom's encryption of parameters: the app had no key on record.",
                remedy: """
                    Benji registers apps without that key and does not return it; in the old platform register one.
                    """))
        table.explain(
            "-20100",
            zh: Explanation(
                meaning: "服务内部错误",
                cause: "处理请求时内部出错、过载或存储不可用。",
                remedy: "稍后重试；运营方查看日志与健康检查。"),
            en: Explanation(
                meaning: "An error inside the service",
                cause: "A fault, too much load, or a store that cannot be used.",
                remedy: "Retry later; the operator looks at log and health checks."))
        table.explain(
            "-20102",
            zh: Explanation(
                meaning: "加密参数解析失败",
                cause: "属于电信接口的参数加密；OneLogin 与个验的同一编号另有含义。",
                remedy: "Benji 在电信列表里不会返回此码；旧 SDK 中核对加密方式。"),
            en: Explanation(
                meaning: "The encrypted parameters cannot be read",
                cause: """
                    It belonged to Telecom's encryption of parameters; OneLogin and GeYan use the number otherwise.
                    """,
                remedy: """
                    Benji does not return it in Telecom's list; in the old SDK compare how the parameters are encrypted.
                    """))
        table.explain(
            "-30001",
            zh: Explanation(
                meaning: "时间戳不合法",
                cause: "属于电信接口：时间的格式或范围不对；文档 002 和 004 的示例里出现的是相邻编号。",
                remedy: "Benji 把时钟问题报为 -10009，不会返回此码；旧 SDK 中校准手机时间。"),
            en: Explanation(
                meaning: "The time stamp is not valid",
                cause: "It belonged to Telecom's interface: format or range of the time is wrong.",
                remedy: """
                    Benji reports clocks as -10009 and does not return this; in the old SDK set the phone's time.
                    """))
        table.explain(
            "-30003",
            zh: Explanation(
                meaning: "topClass 失效",
                cause: "属于电信 SDK 内部的页面参数，文档 002 让读者查常见问题。",
                remedy: "Benji 没有这个参数，不会返回此码；旧 SDK 请升级后再试。"),
            en: Explanation(
                meaning: "topClass is not valid any more",
                cause: """
                    It belonged to an inner parameter of Telecom's SDK; document 002 sends its reader to the questions.
                    """,
                remedy: "Benji has no such parameter and does not return it; bring the old SDK up to date."))
        table.explain(
            "51002",
            zh: Explanation(
                meaning: "参数为空",
                cause: "必需的参数没有填写，例如应用编号。",
                remedy: "补齐初始化时传入的值。"),
            en: Explanation(
                meaning: "A parameter is empty",
                cause: "One that is needed was not given, such as the app id.",
                remedy: "Fill in what the SDK is started with."))
        table.explain(
            "51114",
            zh: Explanation(
                meaning: "取号没有成功",
                cause: "属于电信旧接口的笼统编号。",
                remedy: "Benji 以 -10001 与 -10006 区分原因，不会返回此码；旧接口中换方式登录。"),
            en: Explanation(
                meaning: "The number was not obtained",
                cause: "It was a sweeping code of an older interface of Telecom's.",
                remedy: """
                    Benji tells the reasons apart by -10001 and -10006 and does not return this; with the old \
                    interface log in another way.
                    """))
        table.explain(
            "-8001",
            zh: Explanation(
                meaning: "网络请求异常",
                cause: "连接失败、中断，或证书未通过验证。",
                remedy: "网络恢复后重试；不要关闭证书验证。"),
            en: Explanation(
                meaning: "The request failed in the network",
                cause: "The connection failed or broke, or the certificate was refused.",
                remedy: "Retry when the network is back, and leave the certificate check on."))
        table.explain(
            "-8002",
            zh: Explanation(
                meaning: "传给 SDK 的参数异常",
                cause: "参数不合法，请求没有发出。",
                remedy: "按接口说明修正后再调用。"),
            en: Explanation(
                meaning: "An argument given to the SDK is wrong",
                cause: "It is not valid and nothing was sent.",
                remedy: "Correct it as the documentation says and call again."))
        table.explain(
            "-8003",
            zh: Explanation(
                meaning: "请求超时",
                cause: "限定时间内没有收到应答。",
                remedy: "提前预登录，超时不少于三秒。"),
            en: Explanation(
                meaning: "The request took too long",
                cause: "No answer came within the time allowed.",
                remedy: "Pre-login ahead of time and allow three seconds at least."))
        table.explain(
            "-8004",
            zh: Explanation(
                meaning: "蜂窝网络没有打开",
                cause: "蜂窝数据关闭或应用无权使用。",
                remedy: "引导用户打开蜂窝数据。"),
            en: Explanation(
                meaning: "The mobile network is not on",
                cause: "Mobile data is off, or the app may not use it.",
                remedy: "Guide the person to turn mobile data on."))
        table.explain(
            "-8005",
            zh: Explanation(
                meaning: "SDK 尚未初始化",
                cause: "初始化之前就发起了请求。",
                remedy: "把初始化移到应用启动处。"),
            en: Explanation(
                meaning: "The SDK has not been started",
                cause: "A request came before the start.",
                remedy: "Move the start to the app's launch."))
        table.explain(
            "-8100",
            zh: Explanation(
                meaning: "没有网络连接",
                cause: "手机处于离线状态。",
                remedy: "提示联网后再试。"),
            en: Explanation(
                meaning: "There is no connection",
                cause: "The phone is offline.",
                remedy: "Ask the person to go online and try again."))
        table.explain(
            "-8101",
            zh: Explanation(
                meaning: "响应码不对（网络层）",
                cause: "属于电信 SDK 的网络层：HTTP 状态不是 200。",
                remedy: "Benji 看应答体里的编号而不是状态，不会返回此码；旧 SDK 中检查代理。"),
            en: Explanation(
                meaning: "The status of the answer is wrong, in the network layer",
                cause: "It belonged to the network layer of Telecom's SDK: an HTTP status other than 200.",
                remedy: "Benji goes by the code in the body and does not return it; in the old SDK look for a proxy."))
        table.explain(
            "-8102",
            zh: Explanation(
                meaning: "socket 超时",
                cause: "属于电信 SDK 的网络层：连接或读取超时。",
                remedy: "Benji 用 -8003 表示超时，不会返回此码；旧 SDK 中重试。"),
            en: Explanation(
                meaning: "A socket took too long",
                cause: "It belonged to the network layer of Telecom's SDK: connecting or reading ran out of time.",
                remedy: "Benji says -8003 for time-outs and does not return this; in the old SDK retry."))
        table.explain(
            "-8103",
            zh: Explanation(
                meaning: "域名解析失败",
                cause: "属于电信 SDK 的网络层：DNS 没有结果。",
                remedy: "Benji 把它归入 -8001，不会返回此码；旧 SDK 中检查 DNS 与网络。"),
            en: Explanation(
                meaning: "The name could not be resolved",
                cause: "It belonged to the network layer of Telecom's SDK: DNS had no answer.",
                remedy: "Benji counts it under -8001 and does not return this; in the old SDK check DNS and network."))
        table.explain(
            "-8104",
            zh: Explanation(
                meaning: "读写异常",
                cause: "属于电信 SDK 的网络层：收发数据时出现 IO 错误。",
                remedy: "Benji 同样归入 -8001，不会返回此码；旧 SDK 中换网络重试。"),
            en: Explanation(
                meaning: "Reading or writing failed",
                cause: "It belonged to the network layer of Telecom's SDK: an I/O error while sending or receiving.",
                remedy: """
                    Benji counts that under -8001 too and does not return this; in the old SDK retry on another network.
                    """))
        table.explain(
            "-8201",
            zh: Explanation(
                meaning: "应答不符合协议",
                cause: "收到的内容不是接口应有的格式。",
                remedy: "排除代理改写，核对 SDK 与服务端的版本。"),
            en: Explanation(
                meaning: "The answer does not follow the protocol",
                cause: "What came is not in the interface's format.",
                remedy: "Rule out a proxy that rewrites, and compare the versions of SDK and server."))
        table.explain(
            "-720001",
            zh: Explanation(
                meaning: "切换网络异常",
                cause: "属于旧 SDK 从 Wi-Fi 切到蜂窝的过程。",
                remedy: "Benji 直接使用蜂窝接口，不会返回此码；旧 SDK 中关闭 Wi-Fi 再试。"),
            en: Explanation(
                meaning: "Switching the network went wrong",
                cause: "It belonged to old SDKs that moved from Wi-Fi to mobile data.",
                remedy: """
                    Benji uses the cellular interface directly and does not return it; in the old SDK turn Wi-Fi off \
                    and retry.
                    """))
        table.explain(
            "-720002",
            zh: Explanation(
                meaning: "切换网络超时",
                cause: "属于同一切换过程：蜂窝迟迟没有就绪。",
                remedy: "Benji 没有这个步骤，不会返回此码；旧 SDK 中等信号稳定后再试。"),
            en: Explanation(
                meaning: "Switching the network took too long",
                cause: "It belonged to the same move: mobile data did not become ready in time.",
                remedy: "Benji has no such step and does not return it; in the old SDK wait for a steady signal."))
        return table.entries
    }
}
