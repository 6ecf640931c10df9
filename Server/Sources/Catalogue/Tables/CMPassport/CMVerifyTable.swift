import BenjiProtocol

/// Document 000 §6.3: `tokenValidate` of the number verification.
enum CMVerifyTable {
    static func entries() -> [CatalogueEntry] {
        var table = TableWriter(.cmVerify, version: "000")
        table.explain(
            "000",
            zh: Explanation(
                meaning: "提交的号码就是本机号码",
                cause: "比对一致；这次调用计费，token 随之作废。",
                remedy: "按验证通过处理，并在业务侧记录 msgId 作为对账依据；同一个 token 不能再查第二次。"),
            en: Explanation(
                meaning: "The number submitted is the phone's own number",
                cause: "The comparison matched; the call is billed and the token is spent.",
                remedy: """
                    Accept the verification and keep the msgId for reconciliation; the same token cannot be asked a \
                    second time.
                    """))
        table.explain(
            "001",
            zh: Explanation(
                meaning: "提交的号码不是本机号码",
                cause: """
                    比对完成但不一致：用户填错、填了别人的号码，或双卡手机走了另一张卡的数据。这次调用同样计费，\
                    token 同样作废。
                    """,
                remedy: "请用户核对号码或切换默认数据卡，再重新取一个 token；不要用多次提交去猜号码，次数有上限。"),
            en: Explanation(
                meaning: "The number submitted is not the phone's own",
                cause: """
                    The comparison was made and did not match: a typing error, someone else's number, or a dual-SIM \
                    phone whose other SIM carries data. Billed and spent as well.
                    """,
                remedy: """
                    Let the person check the number or the data SIM, then obtain a new token; do not try several \
                    numbers, the attempts are limited.
                    """))
        table.explain(
            "002",
            zh: Explanation(
                meaning: "没能取得手机的真实号码，无法比对",
                cause: """
                    token 有效，但它背后的地址当前不再对应原来的号码，或运营商一侧没有给出号码。没有比对，不计费。
                    """,
                remedy: "让客户端在蜂窝网络下重新取号和授权，用新的 token 再查一次。"),
            en: Explanation(
                meaning: "The real number could not be obtained, so nothing was compared",
                cause: """
                    The token is valid but its address no longer belongs to the same number, or the carrier gave \
                    none. Nothing was compared or billed.
                    """,
                remedy: """
                    Have the client prefetch and authorize again on mobile data, then ask once more with the new \
                    token.
                    """))
        table.explain(
            "003",
            zh: Explanation(
                meaning: "内部的 token 校验没有得出结论",
                cause: "校验 token 的那一步遇到了这张表没有列出的情况，与请求的格式无关。",
                remedy: "让客户端重新取号并授权，用新 token 再试；自建时按 processID 查看真正的原因。"),
            en: Explanation(
                meaning: "The internal token check reached no conclusion",
                cause: """
                    The step that checks the token met a case this table does not list; the form of the request is \
                    not at fault.
                    """,
                remedy: """
                    Have the client prefetch and authorize again and use the new token; when you host Benji the \
                    processID shows the real reason.
                    """))
        table.explain(
            "004",
            zh: Explanation(
                meaning: "phoneNum 的密文不合格式",
                cause: "手机号摘要不是 64 位十六进制，或拼接顺序、appKey、timestamp 与请求头不一致。",
                remedy: """
                    按“号码 + appKey + timestamp”拼接做 SHA-256，输出 64 位大写十六进制，\
                    timestamp 必须与 header 中的完全相同。
                    """),
            en: Explanation(
                meaning: "The protected phoneNum is malformed",
                cause: """
                    The digest is not 64 hexadecimal digits, or its order, appKey or timestamp differs from the \
                    header's.
                    """,
                remedy: """
                    Compute SHA-256 over number, appKey and timestamp in this order, as 64 upper-case digits, with \
                    exactly the header's timestamp.
                    """))
        table.explain(
            "102",
            zh: Explanation(
                meaning: "请求里有无效的参数",
                cause: "必填字段为空、长度不对或取值不允许；timestamp 与服务器时间相差过大、version 不是 1.0 也算。",
                remedy: """
                    核对 msgId、17 位 timestamp（东八区）、requesterType、APP 场景下的 openType，并校准服务器时钟。
                    """),
            en: Explanation(
                meaning: "A parameter of the request is invalid",
                cause: """
                    A required field is empty, too long or not allowed; a timestamp far from the server's time or a \
                    version other than 1.0 counts too.
                    """,
                remedy: """
                    Check msgId, the 17-digit timestamp (UTC+8), requesterType, openType for apps, and set the \
                    server's clock.
                    """))
        table.explain(
            "124",
            zh: Explanation(
                meaning: "调用方或应用不在允许范围内",
                cause: "服务器出口地址没有登记，appId 不存在、被停用，或没有开通校验能力。",
                remedy: "为应用登记实际的出口公网地址（注意 NAT 和 IPv6），并确认应用可用且已开通本机号码校验。"),
            en: Explanation(
                meaning: "The caller or its app is not allowed",
                cause: """
                    The server's outgoing address is not registered, or the appId is unknown, suspended or lacks the \
                    capability.
                    """,
                remedy: """
                    Register the address seen from outside (mind NAT and IPv6) and check that the app is active and \
                    has number verification.
                    """))
        table.explain(
            "302",
            zh: Explanation(
                meaning: "请求签名不正确",
                cause: "HMAC-SHA256 的拼接次序、密钥或大小写不对，或签名后又改动了字段。",
                remedy: """
                    按 appId、msgId、phoneNum、timestamp、token、version 的次序直接拼接值，以 appKey 为密钥，\
                    输出 64 位十六进制。
                    """),
            en: Explanation(
                meaning: "The request's sign is wrong",
                cause: "The HMAC-SHA256 used another order, another key or a field that was changed after signing.",
                remedy: """
                    Join the values of appId, msgId, phoneNum, timestamp, token and version in this order, key it \
                    with the appKey and send 64 hexadecimal digits.
                    """))
        table.explain(
            "303",
            zh: Explanation(
                meaning: "请求体无法读成规定的结构",
                cause: "JSON 不合法、缺少 header 或 body 对象，或同一字段出现两次。",
                remedy: "打印实际发出的字节核对，Content-Type 用 application/json，字段放在正确的层级。"),
            en: Explanation(
                meaning: "The request body does not have the expected shape",
                cause: "The JSON is broken, the header or body object is missing, or a field occurs twice.",
                remedy: """
                    Print the bytes that you send, use Content-Type application/json and put each field at its own \
                    level.
                    """))
        table.explain(
            "606",
            zh: Explanation(
                meaning: "token 没有通过校验",
                cause: """
                    token 过期（两分钟）、已用过、属于别的应用、不是为校验签发的，期间换了卡或机主，\
                    或强度低于应用的要求。
                    """,
                remedy: "拿到 token 后马上使用且只用一次；重新走一次客户端流程再请求，不要重发旧 token。"),
            en: Explanation(
                meaning: "The token did not pass",
                cause: """
                    It expired (two minutes), was used, is another app's, was not made for verifying, its SIM or \
                    owner changed, or it is too weak for the app.
                    """,
                remedy: "Use a token at once and only once; run the client flow again and do not resend the old one."))
        table.explain(
            "999",
            zh: Explanation(
                meaning: "服务端内部故障",
                cause: "平台在处理时出现意外，没有给出比对结果，也不计费。",
                remedy: "稍后用新的 token 重试；自建时按 msgId 和 processID 查日志，先看存储和磁盘。"),
            en: Explanation(
                meaning: "Something failed inside the server",
                cause: "An unexpected fault during processing: no comparison was given and nothing is billed.",
                remedy: """
                    Retry later with a new token; when you host Benji look msgId and processID up in the log, store \
                    and disk first.
                    """))
        table.explain(
            "102315",
            zh: Explanation(
                meaning: "可用的调用次数已经用尽",
                cause: "该应用的配额为零，或短时间内的调用超过了频率限制，这张表对两者只有一个编号。",
                remedy: "在应用登记中查看配额与频率；配额不足就提高或等次日，频率过高就放慢并间隔重试。"),
            en: Explanation(
                meaning: "The calls allowed are used up",
                cause: """
                    The app's quota is at zero, or calls came faster than the limits allow; this table has one code \
                    for both.
                    """,
                remedy: """
                    Look at the app's quota and rate: raise the quota or wait for the next day, or slow down and \
                    retry with pauses.
                    """))
        table.explain(
            "103505", version: "benji",
            zh: Explanation(
                meaning: "这个 msgId 已经提交过",
                cause: "同一应用的 msgId 在有效窗口内重复。本接口的文档没有重放的编号，Benji 借用取号接口的 103505。",
                remedy: "每次请求都生成新的 UUID 作 msgId，网络重试也一样；结果未知时换新 token 再查。"),
            en: Explanation(
                meaning: "This msgId was submitted before",
                cause: """
                    The app repeated a msgId within the window. This interface's table has no code for it, so Benji \
                    borrows 103505 from the number interface.
                    """,
                remedy: """
                    Make a new UUID for every request, network retries included; if an outcome is unknown ask again \
                    with a new token.
                    """))
        table.explain(
            "103420", version: "platform",
            zh: Explanation(
                meaning: "没有使用权限",
                cause: "属于后来的移动平台：该应用没有开通号码校验。",
                remedy: "Benji 在这个接口用 124 表示应用不被允许，不会返回此码；旧平台请开通校验能力。"),
            en: Explanation(
                meaning: "No right to use this",
                cause: "It belonged to the later platform: number verification was not opened for the app.",
                remedy: """
                    Benji says 124 on this interface for an app that may not, and does not return this; open \
                    verification on the old platform.
                    """))
        return table.entries
    }
}
