import BenjiProtocol

/// China Mobile's SDK 5.8 and 5.9.
enum CMSDKLaterTable {
    static func entries() -> [CatalogueEntry] {
        var table = TableWriter(.cmSDKLater, version: "5.9")
        table.explain(
            "103000",
            zh: Explanation(
                meaning: "5.8 起：成功",
                cause: "属于后来版本的移动 SDK：取号或授权成功。",
                remedy: "Benji 的兼容层以文档 000 的列表作答，这张列表里不会返回此码；两张列表的含义一致。"),
            en: Explanation(
                meaning: "Since 5.8: success",
                cause: "It belonged to later releases of China Mobile's SDK: prefetch or authorisation succeeded.",
                remedy: """
                    Benji's facade answers by document 000 and does not return codes from this list; the meaning is \
                    the same.
                    """))
        table.explain(
            "103101",
            zh: Explanation(
                meaning: "5.8 起：签名错误",
                cause: "属于后来版本的移动 SDK：平台拒绝了请求的签名，多为 appkey 填错。",
                remedy: "Benji 在文档 000 的 SDK 列表里用 200041 表示密钥不对，这里不会返回此码；旧 SDK 中核对 appkey。"),
            en: Explanation(
                meaning: "Since 5.8: the sign is wrong",
                cause: """
                    It belonged to later releases of China Mobile's SDK: the platform refused the request's sign, \
                    mostly for a wrong appkey.
                    """,
                remedy: """
                    Benji says 200041 for a wrong key in document 000's list for SDKs and does not return this; in the \
                    old SDK compare the appkey.
                    """))
        table.explain(
            "103102",
            zh: Explanation(
                meaning: "5.8 起：Bundle ID 错误",
                cause: "属于后来版本的移动 SDK：包标识与登记不符。",
                remedy: "Benji 用 200009 表示，不会返回此码；旧 SDK 中补登标识。"),
            en: Explanation(
                meaning: "Since 5.8: the bundle ID is wrong",
                cause: "It belonged to later releases of China Mobile's SDK: the identity is not the one registered.",
                remedy: "Benji says 200009 and does not return this; in the old SDK register the identity."))
        table.explain(
            "103111",
            zh: Explanation(
                meaning: "5.8 起：网关 IP 错误",
                cause: "属于后来版本的移动 SDK：开着 VPN、身在境外，或双卡时流量卡与所选不同。",
                remedy: "Benji 用 200010 表示地址认不出，不会返回此码；旧 SDK 中关闭 VPN 并确认流量卡。"),
            en: Explanation(
                meaning: "Since 5.8: the gateway's address is wrong",
                cause: """
                    It belonged to later releases of China Mobile's SDK: a VPN, abroad, or another data SIM than \
                    expected.
                    """,
                remedy: """
                    Benji says 200010 for an address nobody is known at and does not return this; in the old SDK stop \
                    VPNs and check the data SIM.
                    """))
        table.explain(
            "103119",
            zh: Explanation(
                meaning: "5.8 起：appid 不存在",
                cause: "属于后来版本的移动 SDK：应用编号没有登记。",
                remedy: "Benji 在 SDK 列表里用 200041，不会返回此码；旧 SDK 中核对编号。"),
            en: Explanation(
                meaning: "Since 5.8: the appid does not exist",
                cause: "It belonged to later releases of China Mobile's SDK: no such app.",
                remedy: """
                    Benji says 200041 in its list for SDKs and does not return this; in the old SDK compare the id.
                    """))
        table.explain(
            "103211",
            zh: Explanation(
                meaning: "5.8 起：其他错误",
                cause: "属于后来版本的移动 SDK：平台没有细分的错误。",
                remedy: "Benji 用 200047 表示服务故障，不会返回此码；旧 SDK 中联系平台。"),
            en: Explanation(
                meaning: "Since 5.8: another error",
                cause: "It belonged to later releases of China Mobile's SDK: the platform did not tell it further.",
                remedy: """
                    Benji says 200047 for faults of the service and does not return this; in the old SDK ask the \
                    platform.
                    """))
        table.explain(
            "103273",
            zh: Explanation(
                meaning: "5.8 起：预取号时联通跳转",
                cause: "属于后来版本的移动 SDK：联通卡在预取号时需要跳转。",
                remedy: "Benji 的手机端没有跳转，不会返回此码；旧 SDK 中改用短信登录。"),
            en: Explanation(
                meaning: "Since 5.8: redirected to Unicom while prefetching",
                cause: "It belonged to later releases of China Mobile's SDK: a Unicom SIM needed a redirect.",
                remedy: """
                    Benji's phones are sent nowhere else and it does not return this; in the old SDK log in by SMS.
                    """))
        table.explain(
            "103902",
            zh: Explanation(
                meaning: "5.8 起：scrip 失效",
                cause: "属于后来版本的移动 SDK：取号凭证过期或被拒绝。",
                remedy: "Benji 的 SDK 列表用 200010 表示，不会返回此码；旧 SDK 中删除缓存后重新取号。"),
            en: Explanation(
                meaning: "Since 5.8: the scrip is no longer valid",
                cause: """
                    It belonged to later releases of China Mobile's SDK: the prefetch's credential ended or was refused.
                    """,
                remedy: """
                    Benji says 200010 in its list for SDKs and does not return this; in the old SDK delete the cache \
                    and prefetch again.
                    """))
        table.explain(
            "103911",
            zh: Explanation(
                meaning: "5.8 起：token 请求过于频繁",
                cause: "属于后来版本的移动 SDK：十分钟内有三十个未使用的 token。",
                remedy: "Benji 的 SDK 列表没有这一项，手机端不会返回此码；旧 SDK 中不要提前取 token。"),
            en: Explanation(
                meaning: "Since 5.8: too many tokens asked for",
                cause: "It belonged to later releases of China Mobile's SDK: thirty unused ones within ten minutes.",
                remedy: """
                    Benji's list for SDKs has no such code and it does not return this to phones; in the old SDK fetch \
                    no tokens in advance.
                    """))
        table.explain(
            "105002",
            zh: Explanation(
                meaning: "5.8 起：移动取号失败",
                cause: "属于后来版本的移动 SDK：例如物联网卡。",
                remedy: "Benji 的 SDK 列表用 200010，不会返回此码；这类卡换其他登录方式。"),
            en: Explanation(
                meaning: "Since 5.8: China Mobile gave no number",
                cause: "It belonged to later releases of China Mobile's SDK: IoT cards, for example.",
                remedy: """
                    Benji says 200010 in its list for SDKs and does not return this; such cards need another login.
                    """))
        table.explain(
            "105003",
            zh: Explanation(
                meaning: "5.8 起：电信取号失败",
                cause: "属于后来版本的移动 SDK：电信侧没有给出号码。",
                remedy: "Benji 用 200039 表示，不会返回此码；旧 SDK 中稍后再试。"),
            en: Explanation(
                meaning: "Since 5.8: Telecom gave no number",
                cause: "It belonged to later releases of China Mobile's SDK: Telecom's side said no.",
                remedy: "Benji says 200039 and does not return this; in the old SDK try later."))
        table.explain(
            "105021",
            zh: Explanation(
                meaning: "5.8 起：号码当天取号达到上限",
                cause: "属于后来版本的移动平台对单个号码的每日限制。",
                remedy: "Benji 没有这种每日限制，不会返回此码；旧平台次日恢复正常。"),
            en: Explanation(
                meaning: "Since 5.8: the number's daily limit is reached",
                cause: "It belonged to a daily limit per number on the later platform.",
                remedy: "Benji has no such limit and does not return it; on the old platform the next day is fine."))
        table.explain(
            "105302",
            zh: Explanation(
                meaning: "5.8 起：appid 不在白名单",
                cause: "属于后来版本的移动 SDK；含义与文档 000 相同。",
                remedy: "Benji 在文档 000 的列表里使用同一编号，这张列表里不会返回此码；请运营方加入名单。"),
            en: Explanation(
                meaning: "Since 5.8: the appid is not on the allow-list",
                cause: "It belonged to later releases of China Mobile's SDK; document 000 means the same by it.",
                remedy: """
                    Benji uses the number in document 000's list and does not return it in this one; ask the operator \
                    to list the app.
                    """))
        table.explain(
            "105313",
            zh: Explanation(
                meaning: "5.8 起：非法请求",
                cause: "属于后来版本的移动平台：请求被判定为异常来源。",
                remedy: "Benji 对不合法的请求各有编号，不会返回此码；旧平台请联系客服。"),
            en: Explanation(
                meaning: "Since 5.8: an illegal request",
                cause: "It belonged to the later platform, which judged the request's origin as abnormal.",
                remedy: """
                    Benji has codes of its own for what it refuses and does not return this; ask the old platform.
                    """))
        table.explain(
            "200020",
            zh: Explanation(
                meaning: "5.8 起：用户取消",
                cause: "属于后来版本的移动 SDK：用户关闭了授权页。",
                remedy: "Benji 在文档 000 的列表里用同一编号，这张列表里不会返回此码；按用户的选择处理。"),
            en: Explanation(
                meaning: "Since 5.8: the person cancelled",
                cause: "It belonged to later releases of China Mobile's SDK: the page was closed.",
                remedy: """
                    Benji uses the number in document 000's list and does not return it in this one; act on the \
                    person's choice.
                    """))
        table.explain(
            "200021",
            zh: Explanation(
                meaning: "5.8 起：数据解析异常",
                cause: "属于后来版本的移动 SDK；平台说明多为卡欠费。",
                remedy: "Benji 按文档 000 返回解析错误，这张列表里不会返回此码；旧 SDK 中先确认卡没有欠费。"),
            en: Explanation(
                meaning: "Since 5.8: the data cannot be parsed",
                cause: """
                    It belonged to later releases of China Mobile's SDK; the vendor says that an unpaid SIM is the \
                    usual reason.
                    """,
                remedy: """
                    Benji reports parsing by document 000 and does not return it from this list; with the old SDK see \
                    that the bill is paid.
                    """))
        table.explain(
            "200022",
            zh: Explanation(
                meaning: "5.8 起：无网络",
                cause: "属于后来版本的移动 SDK：手机离线。",
                remedy: "Benji 按文档 000 返回离线，这张列表里不会返回此码；联网后重试。"),
            en: Explanation(
                meaning: "Since 5.8: no network",
                cause: "It belonged to later releases of China Mobile's SDK: the phone is offline.",
                remedy: """
                    Benji reports being offline by document 000 and does not return it from this list; retry once \
                    online.
                    """))
        table.explain(
            "200023",
            zh: Explanation(
                meaning: "5.8 起：请求超时",
                cause: "属于后来版本的移动 SDK：默认 8000 毫秒内没有结果。",
                remedy: "Benji 按文档 000 返回超时，这张列表里不会返回此码；检查超时的单位是毫秒。"),
            en: Explanation(
                meaning: "Since 5.8: the request timed out",
                cause: """
                    It belonged to later releases of China Mobile's SDK: no result within 8000 milliseconds by default.
                    """,
                remedy: """
                    Benji reports time-outs by document 000 and does not return it from this list; mind that the unit \
                    is milliseconds.
                    """))
        table.explain(
            "200025",
            zh: Explanation(
                meaning: "5.8 起：手机端的其他错误",
                cause: "属于后来版本的移动 SDK：常见为应用没有蜂窝数据权限。",
                remedy: "Benji 按文档 000 的含义使用它，这张列表里不会返回此码；旧 SDK 中检查蜂窝权限。"),
            en: Explanation(
                meaning: "Since 5.8: another error on the phone",
                cause: "It belonged to later releases of China Mobile's SDK: often the app may not use mobile data.",
                remedy: """
                    Benji uses it as document 000 does and does not return it from this list; in the old SDK check the \
                    permission.
                    """))
        table.explain(
            "200027",
            zh: Explanation(
                meaning: "5.8 起：蜂窝数据未开启",
                cause: "属于后来版本的移动 SDK：数据开关关闭。",
                remedy: "Benji 按文档 000 返回，这张列表里不会返回此码；提示用户打开数据。"),
            en: Explanation(
                meaning: "Since 5.8: mobile data is off",
                cause: "It belonged to later releases of China Mobile's SDK: the switch is off.",
                remedy: "Benji reports it by document 000 and does not return it from this list; ask for mobile data."))
        table.explain(
            "200028",
            zh: Explanation(
                meaning: "5.8 起：网络请求出错",
                cause: "属于后来版本的移动 SDK：连接失败。",
                remedy: "Benji 按文档 000 返回连接失败，这张列表里不会返回此码；网络恢复后再来。"),
            en: Explanation(
                meaning: "Since 5.8: the request failed",
                cause: "It belonged to later releases of China Mobile's SDK: the connection failed.",
                remedy: """
                    Benji reports failed connections by document 000 and does not return it from this list; come back \
                    with a network.
                    """))
        table.explain(
            "200038",
            zh: Explanation(
                meaning: "5.8 起：异网重定向失败",
                cause: "属于后来版本的移动 SDK：转往联通或电信网关没有成功。",
                remedy: "Benji 的网关自己认出运营商，没有重定向，不会返回此码；旧 SDK 中更换网络。"),
            en: Explanation(
                meaning: "Since 5.8: the redirect to another carrier failed",
                cause: """
                    It belonged to later releases of China Mobile's SDK: sending the phone on to Unicom or Telecom did \
                    not work.
                    """,
                remedy: """
                    Benji's gateway knows the carrier itself, without redirects, and it does not return this; change \
                    the network in the old SDK.
                    """))
        table.explain(
            "200048",
            zh: Explanation(
                meaning: "5.8 起：没有 SIM 卡",
                cause: "属于后来版本的移动 SDK：未插卡。",
                remedy: "Benji 按文档 000 返回无卡，这张列表里不会返回此码；不显示一键登录。"),
            en: Explanation(
                meaning: "Since 5.8: no SIM",
                cause: "It belonged to later releases of China Mobile's SDK: none is inserted.",
                remedy: """
                    Benji reports a missing SIM by document 000 and does not return it from this list; hide the \
                    one-tap login.
                    """))
        table.explain(
            "200050",
            zh: Explanation(
                meaning: "5.8 起：连接遇到 EOF",
                cause: "属于后来版本的移动 SDK 自己的 socket。",
                remedy: "Benji 用 200028 表示断开，不会返回此码；旧 SDK 中再试一次。"),
            en: Explanation(
                meaning: "Since 5.8: end of file on a socket",
                cause: "It belonged to the sockets of later releases of China Mobile's SDK.",
                remedy: """
                    Benji says 200028 when a connection breaks and does not return this; try again in the old SDK.
                    """))
        table.explain(
            "200060",
            zh: Explanation(
                meaning: "5.8 起：用户切换账号",
                cause: "属于后来版本的移动 SDK；文档 000 里 200060 到 200068 是电信取号错误。",
                remedy: "Benji 在文档 000 的列表里把切换账号报为 200020，不会返回此码；打开自己的其他登录界面。"),
            en: Explanation(
                meaning: "Since 5.8: the person switches accounts",
                cause: """
                    It belonged to later releases of China Mobile's SDK; in document 000 this range is for Telecom's \
                    errors.
                    """,
                remedy: """
                    Benji reports switching as 200020 by document 000 and does not return this; show your other login.
                    """))
        table.explain(
            "200061",
            zh: Explanation(
                meaning: "5.8 起：授权页异常",
                cause: "属于后来版本的移动 SDK：页面被其他代码改动或拦截。",
                remedy: "Benji 用 200042 表示页面问题，不会返回此码；旧 SDK 中检查是否有库替换了控制器方法。"),
            en: Explanation(
                meaning: "Since 5.8: the page was tampered with",
                cause: "It belonged to later releases of China Mobile's SDK: other code hooked the page.",
                remedy: """
                    Benji says 200042 for pages and does not return this; in the old SDK look for a library that swaps \
                    methods.
                    """))
        table.explain(
            "200064",
            zh: Explanation(
                meaning: "5.8 起：服务端数据异常",
                cause: "属于后来版本的移动 SDK：平台返回的数据不可用。",
                remedy: "Benji 用 200021 表示，不会返回此码；旧 SDK 中联系平台排查。"),
            en: Explanation(
                meaning: "Since 5.8: bad data from the server",
                cause: """
                    It belonged to later releases of China Mobile's SDK: what the platform returned cannot be used.
                    """,
                remedy: "Benji says 200021 and does not return this; in the old SDK let the platform look."))
        table.explain(
            "200072",
            zh: Explanation(
                meaning: "5.8 起：CA 校验失败",
                cause: "属于后来版本的移动 SDK：服务器证书不被接受。",
                remedy: "Benji 用 200028 表示证书问题，不会返回此码；旧 SDK 中关闭抓包工具。"),
            en: Explanation(
                meaning: "Since 5.8: the CA check failed",
                cause: """
                    It belonged to later releases of China Mobile's SDK: the server's certificate was not accepted.
                    """,
                remedy: """
                    Benji says 200028 for certificates and does not return this; in the old SDK stop debugging proxies.
                    """))
        table.explain(
            "200080",
            zh: Explanation(
                meaning: "5.8 起：号码校验只支持移动",
                cause: "属于后来版本的移动 SDK：非移动卡不能做本机号码校验。",
                remedy: "Benji 的号码校验不限运营商，不会返回此码；旧 SDK 中对其他卡改用短信。"),
            en: Explanation(
                meaning: "Since 5.8: number verification for China Mobile only",
                cause: "It belonged to later releases of China Mobile's SDK: other SIMs cannot be verified.",
                remedy: """
                    Benji verifies numbers of every carrier that is open and does not return this; use SMS for other \
                    SIMs in the old SDK.
                    """))
        table.explain(
            "200082",
            zh: Explanation(
                meaning: "5.8 起：服务器繁忙",
                cause: "属于后来版本的移动平台：过载。",
                remedy: "Benji 用 200047 表示过载，不会返回此码；退避后重试。"),
            en: Explanation(
                meaning: "Since 5.8: the server is busy",
                cause: "It belonged to the later platform under load.",
                remedy: "Benji says 200047 under load and does not return this; back off and retry."))
        table.explain(
            "200086",
            zh: Explanation(
                meaning: "5.8 起：ppLocation 为空",
                cause: "属于后来版本的移动 SDK 的内部参数。",
                remedy: "Benji 没有名为 ppLocation 的参数，不会返回此码；旧 SDK 请升级。"),
            en: Explanation(
                meaning: "Since 5.8: ppLocation is empty",
                cause: "It belonged to an inner parameter of later releases of China Mobile's SDK.",
                remedy: "Benji has no parameter of that name and does not return this; update the old SDK."))
        table.explain(
            "200087",
            zh: Explanation(
                meaning: "5.8 起：授权页已弹出",
                cause: "属于后来版本的移动 SDK 的监听回调，不是错误。",
                remedy: "Benji 的页面出现时没有结果码，不会返回此码；旧代码中它只用于统计。"),
            en: Explanation(
                meaning: "Since 5.8: the page has come up",
                cause: "It belonged to a listener of later releases of China Mobile's SDK and is no error.",
                remedy: """
                    Benji sends no code when its page appears and does not return this; in old code it is for counting \
                    only.
                    """))
        table.explain(
            "200089",
            zh: Explanation(
                meaning: "5.8 起：正在处理",
                cause: "属于后来版本的移动 SDK：上一次调用未结束；厂商已停用。",
                remedy: "Benji 用 200025 表示重复调用，不会返回此码；等待第一次回调。"),
            en: Explanation(
                meaning: "Since 5.8: in progress",
                cause: """
                    It belonged to later releases of China Mobile's SDK: a call had not ended; the vendor has retired \
                    it.
                    """,
                remedy: "Benji says 200025 for a second call and does not return this; wait for the first callback."))
        table.explain(
            "200096",
            zh: Explanation(
                meaning: "5.8 起：当前网络不支持",
                cause: "属于后来版本的移动 SDK：Wi-Fi 只有 IPv6 而蜂窝只有 IPv4 时不能取号。",
                remedy: "Benji 的请求只走蜂窝，与 Wi-Fi 的地址类型无关，不会返回此码；旧 SDK 中关闭 Wi-Fi。"),
            en: Explanation(
                meaning: "Since 5.8: this network is not supported",
                cause: """
                    It belonged to later releases of China Mobile's SDK: Wi-Fi with IPv6 alone beside mobile data with \
                    IPv4 alone.
                    """,
                remedy: """
                    Benji asks over mobile data only, whatever the Wi-Fi has, and does not return this; turn Wi-Fi off \
                    in the old SDK.
                    """))
        return table.entries
    }
}
