import BenjiProtocol

/// OnePass's SDK, as OneLogin 2.4.1 carries it.
enum OnePassTable {
    static func entries() -> [CatalogueEntry] {
        var table = TableWriter(.onePass, version: "2.4.1")
        table.explain(
            "-20301",
            zh: Explanation(
                meaning: "OnePass：手机号码无效",
                cause: "属于 OnePass 的手机端校验：输入的号码不合法。",
                remedy: "Benji 的手机端不比对号码，不会返回此码；把号码交给服务器比对。"),
            en: Explanation(
                meaning: "OnePass: the number is not valid",
                cause: "It belonged to OnePass, where the phone takes the number to verify: what was entered is none.",
                remedy: """
                    In Benji phones compare no numbers, so it does not return this; leave the comparison to your server.
                    """))
        table.explain(
            "-20302",
            zh: Explanation(
                meaning: "OnePass：网络不可用",
                cause: "属于 OnePass 的手机端校验；在 OneLogin 里同一个码表示用户返回。",
                remedy: "Benji 用 OneLogin 的 -20202 与 -50102 表示网络问题，OnePass 的含义不会返回；旧 SDK 中恢复网络。"),
            en: Explanation(
                meaning: "OnePass: the network cannot be used",
                cause: """
                    It belonged to OnePass's check on the phone; in OneLogin the number means that the person went back.
                    """,
                remedy: """
                    Benji says -20202 or -50102 in OneLogin's table and does not return OnePass's meaning; in the old \
                    SDK restore the network.
                    """))
        table.explain(
            "-20303",
            zh: Explanation(
                meaning: "OnePass：认不出运营商",
                cause: "属于 OnePass 的手机端校验；在 OneLogin 里同一个码表示切换账号。",
                remedy: "Benji 用 OneLogin 的 -20203 表示运营商不支持，OnePass 的含义不会返回；旧 SDK 中检查 SIM 卡。"),
            en: Explanation(
                meaning: "OnePass: the carrier is not known",
                cause: "It belonged to OnePass's check on the phone; in OneLogin the number means switching accounts.",
                remedy: """
                    Benji says -20203 in OneLogin's table and does not return OnePass's meaning; in the old SDK check \
                    the SIM.
                    """))
        table.explain(
            "-20304",
            zh: Explanation(
                meaning: "OnePass：运营商地址为空",
                cause: "属于 OnePass 的下发配置：没有拿到运营商网关的地址。",
                remedy: "Benji 的网关地址由应用配置，不会返回此码；旧 SDK 请重试。"),
            en: Explanation(
                meaning: "OnePass: the carrier's address is empty",
                cause: "It belonged to OnePass's configuration from its server: no gateway address came.",
                remedy: "With Benji the app configures the gateway and it does not return this; in the old SDK retry."))
        table.explain(
            "-39900",
            zh: Explanation(
                meaning: "OnePass：一般错误",
                cause: "属于 OnePass 的兜底编号。",
                remedy: "Benji 的错误都有自己的情形，不会返回此码；旧 SDK 中看详细信息。"),
            en: Explanation(
                meaning: "OnePass: general error",
                cause: "It was OnePass's code for the rest.",
                remedy: """
                    Benji has a situation for each error and does not return it; in the old SDK read the details.
                    """))
        table.explain(
            "-39901",
            zh: Explanation(
                meaning: "OnePass：socket 错误",
                cause: "属于 OnePass 自带的 socket 请求方式。",
                remedy: "Benji 用系统网络库，不会返回此码；旧 SDK 中换网络重试。"),
            en: Explanation(
                meaning: "OnePass: socket error",
                cause: "It belonged to OnePass's own way of sending over sockets.",
                remedy: """
                    Benji uses the system's network library and does not return it; in the old SDK retry on another \
                    network.
                    """))
        table.explain(
            "-39902",
            zh: Explanation(
                meaning: "OnePass：应答为空",
                cause: "属于 OnePass 的请求：网关返回了空内容。",
                remedy: "Benji 把空应答当作不合协议，不会返回此码；旧 SDK 中重试一次。"),
            en: Explanation(
                meaning: "OnePass: empty data",
                cause: "It belonged to OnePass's requests: the gateway answered with nothing.",
                remedy: """
                    Benji takes an empty answer as a breach of the protocol and does not return this; in the old SDK \
                    retry once.
                    """))
        table.explain(
            "-40104",
            zh: Explanation(
                meaning: "OnePass：移动卡的网络不支持",
                cause: "属于 OnePass：移动卡当前的网络制式不能校验。",
                remedy: "Benji 以地址认人，不看网络制式，不会返回此码；旧 SDK 中切换制式。"),
            en: Explanation(
                meaning: "OnePass: the network of a China Mobile SIM is not supported",
                cause: "It belonged to OnePass: China Mobile's kind of network at that moment did not do.",
                remedy: """
                    Benji goes by the address, not by the kind of network, and does not return it; in the old SDK \
                    change the kind.
                    """))
        table.explain(
            "-40204",
            zh: Explanation(
                meaning: "OnePass：联通卡的网络不支持",
                cause: "属于 OnePass；文档 002 用同一个码表示联通取号失败。",
                remedy: "Benji 只在个验的列表里使用这个编号，OnePass 的含义不会返回；旧 SDK 中换用 4G 以上。"),
            en: Explanation(
                meaning: "OnePass: the network of a China Unicom SIM is not supported",
                cause: "It belonged to OnePass; document 002 has the number for a refused token of Unicom's.",
                remedy: """
                    Benji uses it in GeYan's table alone and does not return OnePass's meaning; in the old SDK use 4G \
                    or better.
                    """))
        table.explain(
            "-40304",
            zh: Explanation(
                meaning: "OnePass：电信卡的网络不支持",
                cause: "属于 OnePass：电信卡当前的网络制式不能校验。",
                remedy: "Benji 同样不看电信的网络制式，不会返回此码；旧 SDK 中关闭漫游再试。"),
            en: Explanation(
                meaning: "OnePass: the network of a China Telecom SIM is not supported",
                cause: "It belonged to OnePass: Telecom's kind of network at that moment did not do.",
                remedy: """
                    Benji does not look at Telecom's kind of network either and does not return it; in the old SDK \
                    turn roaming off.
                    """))
        table.explain(
            "-49900",
            zh: Explanation(
                meaning: "OnePass：运营商未知",
                cause: "属于 OnePass：三家之外的运营商。",
                remedy: "Benji 用 -20203 表示，不会返回此码；旧 SDK 中改用短信。"),
            en: Explanation(
                meaning: "OnePass: operator unknown",
                cause: "It belonged to OnePass: none of the three carriers.",
                remedy: "Benji says -20203 and does not return this; in the old SDK use SMS."))
        return table.entries
    }
}
