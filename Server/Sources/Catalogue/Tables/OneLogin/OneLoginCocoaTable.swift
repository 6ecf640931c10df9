import BenjiProtocol

/// Document 004: Cocoa's network errors, in `metaData`.
enum OneLoginCocoaTable {
    static func entries() -> [CatalogueEntry] {
        var table = TableWriter(.oneLoginCocoa, version: "004")
        table.explain(
            "-999",
            zh: Explanation(
                meaning: "请求被取消",
                cause: "属于系统网络库：请求在应答到来之前被取消。",
                remedy: "Benji 把取消报为 errorCode -20302，不附带 Cocoa 编号，不会返回此码；旧 SDK 中检查关闭页面的代码。"),
            en: Explanation(
                meaning: "The request was cancelled",
                cause: "It belonged to the system's network library: the request was cancelled before an answer came.",
                remedy: """
                    Benji reports a cancel as errorCode -20302 without Cocoa's code and does not return this; in the \
                    old SDK see what closes the page.
                    """))
        table.explain(
            "-1000",
            zh: Explanation(
                meaning: "地址格式不对",
                cause: "属于系统网络库：请求的 URL 无法解析。",
                remedy: "Benji 在发送前检查服务器地址，不会返回此码；旧 SDK 中检查配置的域名。"),
            en: Explanation(
                meaning: "The address is malformed",
                cause: "It belonged to the system's network library: the request's URL cannot be parsed.",
                remedy: """
                    Benji checks the server's address before anything is sent and does not return it; in the old SDK \
                    check the domain.
                    """))
        table.explain(
            "-1001",
            zh: Explanation(
                meaning: "请求超时",
                cause: "限定时间内没有应答。",
                remedy: "改善信号或加长超时后重试。"),
            en: Explanation(
                meaning: "The request timed out",
                cause: "No answer came within the time allowed.",
                remedy: "Retry with a better signal or more time."))
        table.explain(
            "-1002",
            zh: Explanation(
                meaning: "地址的协议不受支持",
                cause: "属于系统网络库：URL 不是 http 或 https。",
                remedy: "Benji 的地址只接受 https（本机测试除外），不会返回此码；旧 SDK 中检查前缀。"),
            en: Explanation(
                meaning: "The address has a scheme that is not supported",
                cause: "It belonged to the system's network library: the URL is neither http nor https.",
                remedy: """
                    Benji refuses such addresses when it is configured and does not return this; in the old SDK check \
                    the prefix.
                    """))
        table.explain(
            "-1003",
            zh: Explanation(
                meaning: "找不到主机",
                cause: "属于系统网络库：域名没有对应的地址。",
                remedy: "Benji 把连接失败统一报为 -1005，不会返回此码；旧 SDK 中检查 DNS。"),
            en: Explanation(
                meaning: "The host cannot be found",
                cause: "It belonged to the system's network library: the name has no address.",
                remedy: """
                    Benji reports every failed connection as -1005 and does not return this; in the old SDK check DNS.
                    """))
        table.explain(
            "-1004",
            zh: Explanation(
                meaning: "连不上主机",
                cause: "属于系统网络库：主机拒绝连接或不可达。",
                remedy: "Benji 同样报为 -1005，不会返回此码；旧 SDK 中检查端口与防火墙。"),
            en: Explanation(
                meaning: "The host cannot be connected to",
                cause: "It belonged to the system's network library: the host refuses or is out of reach.",
                remedy: """
                    Benji reports this as -1005 as well and does not return it; in the old SDK check port and firewall.
                    """))
        table.explain(
            "-1005",
            zh: Explanation(
                meaning: "网络连接失败或中断",
                cause: "弱网、切换网络，或服务器不可达；Benji 不再细分。",
                remedy: "恢复网络后重试一次；所有人都失败时检查服务器。"),
            en: Explanation(
                meaning: "The network connection failed or was lost",
                cause: "A weak or changing network, or a server out of reach; Benji does not divide it further.",
                remedy: "Retry once when the network is back; look at the server when it hits everyone."))
        table.explain(
            "-1006",
            zh: Explanation(
                meaning: "DNS 查询失败",
                cause: "属于系统网络库：解析服务没有应答。",
                remedy: "Benji 归入 -1005，不会返回此码；旧 SDK 中更换 DNS。"),
            en: Explanation(
                meaning: "The DNS query failed",
                cause: "It belonged to the system's network library: the resolver did not answer.",
                remedy: "Benji counts it under -1005 and does not return this; in the old SDK use another resolver."))
        table.explain(
            "-1007",
            zh: Explanation(
                meaning: "重定向过多",
                cause: "属于系统网络库：服务器一再返回 302。",
                remedy: "Benji 的手机端不跟随重定向，不会返回此码；旧 SDK 中排除门户网页。"),
            en: Explanation(
                meaning: "Too many redirects",
                cause: "It belonged to the system's network library: the server answered 302 again and again.",
                remedy: """
                    Benji's phones follow no redirect and it does not return this; in the old SDK rule out a captive \
                    portal.
                    """))
        table.explain(
            "-1008",
            zh: Explanation(
                meaning: "资源不可用",
                cause: "属于系统网络库：请求的资源拿不到。",
                remedy: "Benji 的应答总带有自己的编号，不会返回此码；旧 SDK 中稍后再试。"),
            en: Explanation(
                meaning: "The resource is not available",
                cause: "It belonged to the system's network library: what was asked for cannot be had.",
                remedy: """
                    Benji's answers carry codes of their own and it does not return this; in the old SDK try later.
                    """))
        table.explain(
            "-1009",
            zh: Explanation(
                meaning: "没有联网",
                cause: "手机离线，或没有可用的蜂窝数据。",
                remedy: "联网并打开蜂窝数据后再试。"),
            en: Explanation(
                meaning: "Not connected to the internet",
                cause: "The phone is offline, or has no usable mobile data.",
                remedy: "Go online with mobile data on, and try again."))
        table.explain(
            "-1010",
            zh: Explanation(
                meaning: "重定向到不存在的地址",
                cause: "属于系统网络库：跳转目标无效。",
                remedy: "Benji 的网关不发重定向，不会返回此码；旧 SDK 中检查代理。"),
            en: Explanation(
                meaning: "A redirect led nowhere",
                cause: "It belonged to the system's network library: the target of a redirect is not valid.",
                remedy: """
                    Benji's gateway sends no redirects and it does not return this; in the old SDK look for a proxy.
                    """))
        table.explain(
            "-1011",
            zh: Explanation(
                meaning: "服务器应答异常",
                cause: "属于系统网络库：得到的不是有效的 HTTP 应答。",
                remedy: "Benji 把读不懂的应答报为 -1017，不会返回此码；旧 SDK 中稍后重试。"),
            en: Explanation(
                meaning: "The server's answer is bad",
                cause: "It belonged to the system's network library: what came is no valid HTTP.",
                remedy: """
                    Benji reports what cannot be read as -1017 and does not return this; in the old SDK retry later.
                    """))
        table.explain(
            "-1012",
            zh: Explanation(
                meaning: "认证被取消",
                cause: "属于系统网络库：证书校验被客户端中止，或两端没有共同的 TLS 版本。",
                remedy: "Benji 把证书问题统一报为 -1200，不会返回此码；旧 SDK 中检查证书。"),
            en: Explanation(
                meaning: "The authentication was cancelled",
                cause: """
                    It belonged to the system's network library: the client stopped at the certificate, or no TLS \
                    version is shared.
                    """,
                remedy: """
                    Benji reports certificates as -1200 and does not return this; in the old SDK check the certificate.
                    """))
        table.explain(
            "-1013",
            zh: Explanation(
                meaning: "需要认证",
                cause: "属于系统网络库：服务器要求登录或证书。",
                remedy: "Benji 的网关不要求 HTTP 认证，不会返回此码；旧 SDK 中检查代理是否要求登录。"),
            en: Explanation(
                meaning: "Authentication is required",
                cause: "It belonged to the system's network library: the server asks for a login or a certificate.",
                remedy: """
                    Benji's gateway asks for no HTTP authentication and it does not return this; in the old SDK see \
                    whether a proxy does.
                    """))
        table.explain(
            "-1014",
            zh: Explanation(
                meaning: "应答为空",
                cause: "属于系统网络库：声明有内容却没有数据。",
                remedy: "Benji 以 -1017 表示，不会返回此码；旧 SDK 中重试一次。"),
            en: Explanation(
                meaning: "The answer is empty",
                cause: "It belonged to the system's network library: content was announced and none came.",
                remedy: "Benji says -1017 for that and does not return this; in the old SDK retry once."))
        table.explain(
            "-1015",
            zh: Explanation(
                meaning: "原始数据解码失败",
                cause: "属于系统网络库：传输编码无法还原。",
                remedy: "Benji 的应答不压缩，不会返回此码；旧 SDK 中排除代理。"),
            en: Explanation(
                meaning: "The raw data cannot be decoded",
                cause: "It belonged to the system's network library: the transfer encoding cannot be undone.",
                remedy: """
                    Benji does not compress its answers and does not return this; in the old SDK rule out a proxy.
                    """))
        table.explain(
            "-1016",
            zh: Explanation(
                meaning: "内容解码失败",
                cause: "属于系统网络库：内容编码不受支持。",
                remedy: "Benji 不使用内容编码，不会返回此码；旧 SDK 中检查中间设备。"),
            en: Explanation(
                meaning: "The content cannot be decoded",
                cause: "It belonged to the system's network library: the content encoding is not supported.",
                remedy: """
                    Benji uses no content encoding and does not return this; in the old SDK look at what is in between.
                    """))
        table.explain(
            "-1017",
            zh: Explanation(
                meaning: "应答无法解析",
                cause: "应答不是协议规定的内容，多为代理或门户网页所写。",
                remedy: "换网络确认；核对 SDK 与服务端版本。"),
            en: Explanation(
                meaning: "The answer cannot be parsed",
                cause: "It is not what the protocol prescribes; mostly a proxy or a portal wrote it.",
                remedy: "Make sure on another network, and compare the versions of SDK and server."))
        table.explain(
            "-1102",
            zh: Explanation(
                meaning: "没有读取权限",
                cause: "属于厂商服务：challenge 等参数有误或已经用过。",
                remedy: "Benji 没有 challenge 参数，不会返回此码；旧 SDK 中每次请求使用新的参数。"),
            en: Explanation(
                meaning: "No permission to read",
                cause: "It belonged to the vendor's service: a parameter such as challenge was wrong or used before.",
                remedy: """
                    Benji has no challenge parameter and does not return it; in the old SDK use a fresh one for each \
                    request.
                    """))
        table.explain(
            "-1200",
            zh: Explanation(
                meaning: "建立安全连接失败",
                cause: "证书过期、域名不符、不受信任，或有代理在中间解密。",
                remedy: "修复证书链；不要关闭校验。"),
            en: Explanation(
                meaning: "No secure connection could be made",
                cause: "The certificate is expired, for another name or not trusted, or a proxy decrypts in between.",
                remedy: "Mend the chain, and leave the check on."))
        table.explain(
            "-1201",
            zh: Explanation(
                meaning: "证书日期无效",
                cause: "属于系统网络库：证书过期或尚未生效。",
                remedy: "Benji 归入 -1200，不会返回此码；旧 SDK 中检查手机日期。"),
            en: Explanation(
                meaning: "The certificate's date is not valid",
                cause: "It belonged to the system's network library: expired, or not valid yet.",
                remedy: "Benji counts it under -1200 and does not return this; in the old SDK check the phone's date."))
        table.explain(
            "-1202",
            zh: Explanation(
                meaning: "证书不受信任",
                cause: "属于系统网络库：签发者不在信任列表。",
                remedy: "Benji 同样归入 -1200，不会返回此码；旧 SDK 中补全证书链。"),
            en: Explanation(
                meaning: "The certificate is not trusted",
                cause: "It belonged to the system's network library: who issued it is not trusted.",
                remedy: "Benji counts this under -1200 too and does not return it; in the old SDK complete the chain."))
        table.explain(
            "-1203",
            zh: Explanation(
                meaning: "证书的根未知",
                cause: "属于系统网络库：根证书不认识，多见于自签或企业代理。",
                remedy: "Benji 以 -1200 表示根不受信任，不会返回此码；旧 SDK 中移除抓包证书。"),
            en: Explanation(
                meaning: "The certificate's root is not known",
                cause: """
                    It belonged to the system's network library: a root nobody knows, as of a self-signed or a \
                    company's proxy.
                    """,
                remedy: """
                    Benji says -1200 when a root is not trusted and does not return this; in the old SDK remove a \
                    debugging root.
                    """))
        return table.entries
    }
}
