import BenjiProtocol

/// OnePass's server call check_gateway.
enum OnePassServerTable {
    static func entries() -> [CatalogueEntry] {
        var table = TableWriter(.onePassServer, version: "server")
        table.explain(
            "200",
            zh: Explanation(
                meaning: "比对完成",
                cause: "result 为 0 表示是本机号码，1 表示不是；两者都用掉 token。",
                remedy: "按 result 判断，不要把 200 当作一致。"),
            en: Explanation(
                meaning: "The comparison was made",
                cause: "result 0 says that it is this phone's number, 1 that it is not; either spends the token.",
                remedy: "Go by result; 200 alone is not a yes."))
        table.explain(
            "500",
            zh: Explanation(
                meaning: "没有得到比对结果",
                cause: "这次登录没有号码可比，服务内部故障，或其他没有编号的拒绝。",
                remedy: "看 error_msg；让用户重新发起校验。"),
            en: Explanation(
                meaning: "There is no result of a comparison",
                cause: """
                    The login has no number to compare, the service has a fault, or it refused for something without a \
                    number.
                    """,
                remedy: "Read error_msg, and let the person start a new verification."))
        table.explain(
            "2000",
            zh: Explanation(
                meaning: "缺少 process_id",
                cause: "字段为空，或请求体读不懂。",
                remedy: "把 SDK 给出的流水号随号码一起提交。"),
            en: Explanation(
                meaning: "process_id is missing",
                cause: "The member is empty, or the body cannot be read.",
                remedy: "Submit the SDK's process id along with the number."))
        table.explain(
            "2001",
            zh: Explanation(
                meaning: "缺少 sign",
                cause: "没有签名。",
                remedy: "以 app_key 为密钥，对 app_id&&timestamp 做 HMAC-SHA256 并转十六进制。"),
            en: Explanation(
                meaning: "sign is missing",
                cause: "The request carries none.",
                remedy: "HMAC-SHA256 of app_id&&timestamp under the app_key, in hexadecimal."))
        table.explain(
            "2002",
            zh: Explanation(
                meaning: "缺少 accesscode",
                cause: "没有提交 SDK 返回的标记。",
                remedy: "在客户端成功回调后把 accesscode 传给服务器。"),
            en: Explanation(
                meaning: "accesscode is missing",
                cause: "The mark that the SDK returned was not submitted.",
                remedy: "Pass it to your server after the app's callback of success."))
        table.explain(
            "2003",
            zh: Explanation(
                meaning: "缺少 phone，或号码格式不对",
                cause: "没有要比对的号码，或不是 11 位手机号。",
                remedy: "提交用户输入的 11 位号码，不带国家码。"),
            en: Explanation(
                meaning: "phone is missing or no number",
                cause: "There is nothing to compare, or it has not eleven digits.",
                remedy: "Submit the eleven digits that the person entered, without a country code."))
        table.explain(
            "2004",
            zh: Explanation(
                meaning: "process_id 长度不对",
                cause: "应为 32 个字符。",
                remedy: "检查存储字段是否截断了它。"),
            en: Explanation(
                meaning: "process_id has the wrong length",
                cause: "It must have 32 characters.",
                remedy: "See whether a column or field cuts it."))
        table.explain(
            "2005",
            zh: Explanation(
                meaning: "timestamp 错误",
                cause: "不是毫秒，或与服务器时间相差太大。",
                remedy: "用毫秒，并保持服务器时间同步。"),
            en: Explanation(
                meaning: "timestamp is wrong",
                cause: "It is not in milliseconds, or too far from the server's time.",
                remedy: "Use milliseconds, and keep your server's clock in step."))
        table.explain(
            "2104",
            zh: Explanation(
                meaning: "sign 错误",
                cause: "密钥、算法或拼接顺序不对。",
                remedy: "用文档的示例值先验证自己的实现，再换成真实密钥。"),
            en: Explanation(
                meaning: "sign is wrong",
                cause: "Key, algorithm or order of the parts differ.",
                remedy: "Try your code on the documentation's example first, then with the real key."))
        table.explain(
            "3101",
            zh: Explanation(
                meaning: "找不到应用，或它不能使用这个接口",
                cause: "app_id 未登记、被停用、缺少校验能力，或从未登记的地址调用。",
                remedy: "检查应用状态、能力与服务器地址名单。"),
            en: Explanation(
                meaning: "There is no such app, or it may not do this",
                cause: """
                    The app_id is unknown, suspended, without the capability to verify, or called from an unregistered \
                    address.
                    """,
                remedy: "Look at the app's state, its capabilities and its list of servers."))
        table.explain(
            "3102",
            zh: Explanation(
                meaning: "找不到 process_id",
                cause: "从未签发，或已超过保存期。",
                remedy: "重新在手机上取得 accesscode 与流水号。"),
            en: Explanation(
                meaning: "There is no process_id like this",
                cause: "It was never issued, or is past its time.",
                remedy: "Fetch accesscode and process id anew on the phone."))
        table.explain(
            "3105",
            zh: Explanation(
                meaning: "流水号已经用过",
                cause: "同一流水号只能比对一次，防止逐个号码试探。",
                remedy: "需要再比对时重新发起一次校验。"),
            en: Explanation(
                meaning: "The process id has been compared before",
                cause: "It is good for one comparison, so that nobody can try numbers one by one.",
                remedy: "For another comparison start a new verification."))
        table.explain(
            "3200",
            zh: Explanation(
                meaning: "token 已失效",
                cause: "accesscode 过期、被篡改，或不是这次校验的。",
                remedy: "收到后尽快提交；失败则重新获取。"),
            en: Explanation(
                meaning: "The token has ended",
                cause: "The accesscode is too old, altered, or of another verification.",
                remedy: "Submit it soon after it came; after this fetch a new one."))
        return table.entries
    }
}
