import BenjiProtocol

/// GeYan's server call gy_get_pn, as far as its codes are public.
enum GeYanServerTable {
    static func entries() -> [CatalogueEntry] {
        var table = TableWriter(.geyanServer, version: "server")
        table.explain(
            "20000",
            zh: Explanation(
                meaning: "换号成功",
                cause: "token 有效且属于这次登录，号码在 data.data.pn 里。",
                remedy: "读取号码后立即按自己的规则保护它；token 不能再次使用。"),
            en: Explanation(
                meaning: "The number was given",
                cause: "The token is valid and of this login; the number is in data.data.pn.",
                remedy: "Protect the number as your rules ask; the token cannot be used again."))
        table.explain(
            "40004",
            zh: Explanation(
                meaning: "应用不存在或编号错误",
                cause: "appId 没有登记。",
                remedy: "核对服务器配置中的 appId 与环境。"),
            en: Explanation(
                meaning: "The app does not exist or its id is wrong",
                cause: "The appId is not registered.",
                remedy: "Compare the appId in the server's configuration, and the environment."))
        table.explain(
            "40005",
            zh: Explanation(
                meaning: "没有提供应用编号（换号）",
                cause: "请求里的 appId 为空。",
                remedy: "发送前检查配置项是否读到。"),
            en: Explanation(
                meaning: "No app id was given in the exchange",
                cause: "The request's appId is empty.",
                remedy: "Check before sending that the setting was read."))
        table.explain(
            "40009",
            zh: Explanation(
                meaning: "厂商列出但没有公开说明的编号",
                cause: "属于厂商服务端的返回码，公开资料没有写明它对应的情形。",
                remedy: "Benji 不会返回此码；若厂商的服务器返回它，请带上流水号询问厂商。"),
            en: Explanation(
                meaning: "A code that the vendor lists without an explanation",
                cause: "It belonged to the vendor's server; public material does not say when it is sent.",
                remedy: "Benji does not return it; if the vendor's server does, ask the vendor with the process id."))
        table.explain(
            "40031",
            zh: Explanation(
                meaning: "服务器地址不被允许",
                cause: "调用方的 IP 不在应用登记的名单里。",
                remedy: "登记实际的出口地址；注意 NAT 与云主机换址。"),
            en: Explanation(
                meaning: "The server's address is not allowed",
                cause: "The caller's address is not on the app's list.",
                remedy: "Register the address that requests really leave from; mind NAT and hosts that move."))
        table.explain(
            "40032",
            zh: Explanation(
                meaning: "换号请求的参数不对",
                cause: "缺少 token、processId 等字段，格式不对，或请求体不是 JSON。",
                remedy: "按示例的四个字段组装 JSON，保持原值与大小写。"),
            en: Explanation(
                meaning: "The exchange's parameters are not right",
                cause: "token, processId or another member is missing or malformed, or the body is not JSON.",
                remedy: "Build the JSON of the four members as in the example, values and case untouched."))
        table.explain(
            "50000",
            zh: Explanation(
                meaning: "换号服务内部错误",
                cause: "处理时发生意外，没有给出号码。",
                remedy: "稍后让用户重新登录；运营方按流水号查日志。"),
            en: Explanation(
                meaning: "An internal error of the exchange",
                cause: "Something unexpected happened, and no number was given.",
                remedy: "Let the person log in again later; the operator looks under the process id."))
        table.explain(
            "50001",
            zh: Explanation(
                meaning: "换号服务暂时不可用",
                cause: "存储不可用或过载；厂商没有说明它与 50000 的区别。",
                remedy: "退避后重试；若随后提示流水号无效，就让用户重新登录。"),
            en: Explanation(
                meaning: "The exchange is not available just now",
                cause: """
                    The store cannot be used or the load is too high; the vendor does not say how it differs from 50000.
                    """,
                remedy: "Back off and retry; if the business id is then not valid let the person log in again."))
        table.explain(
            "60001",
            zh: Explanation(
                meaning: "业务流水号无效",
                cause: "流水号不存在、已使用，与 token 不是同一次登录，或 token 本身已失效。",
                remedy: "不要重试同一对值；重新登录得到新的一对。"),
            en: Explanation(
                meaning: "The business id is not valid",
                cause: "It is unknown or used, of another login than the token, or the token itself has ended.",
                remedy: "Do not retry the pair; a new login gives a new one."))
        table.explain(
            "60002",
            zh: Explanation(
                meaning: "请求过于频繁（换号）",
                cause: "超过了频率限制，或应用的额度用完。",
                remedy: "降低并发；检查是否对同一 token 反复请求。"),
            en: Explanation(
                meaning: "The exchange is asked for too often",
                cause: "The rate limit was hit, or the app's quota is used up.",
                remedy: "Lower the number at once, and look for repeated requests with one token."))
        table.explain(
            "60004",
            zh: Explanation(
                meaning: "应用没有换号的权限",
                cause: "应用停用、没有登录能力，或达不到要求的保证等级。",
                remedy: "在后台开通一键登录能力，确认应用处于启用状态。"),
            en: Explanation(
                meaning: "The app may not exchange tokens",
                cause: "It is suspended, lacks the capability to log in, or a login is weaker than it asks for.",
                remedy: "Give it the capability in the console, and see that it is active."))
        table.explain(
            "60008",
            zh: Explanation(
                meaning: "换号请求的签名不对",
                cause: "签名缺失、算法不符、内容不一致，或签名时间太久。",
                remedy: "按参数名排序后拼接，加上主密钥，做 SHA-256；核对是否用了正确的密钥。"),
            en: Explanation(
                meaning: "The sign of the exchange is wrong",
                cause: "It is missing, of another algorithm or content, or too old.",
                remedy: """
                    Sort by name, join, append the master secret and take SHA-256; see that it is the right secret.
                    """))
        return table.entries
    }
}
