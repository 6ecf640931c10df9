import BenjiProtocol

/// The codes of CAMARA's number-verification and sim-swap.
enum CAMARATable {
    static func entries() -> [CatalogueEntry] {
        var table = TableWriter(.camara, version: "2.1")
        table.explain(
            "INVALID_ARGUMENT",
            zh: Explanation(
                meaning: "请求参数不合规",
                cause: "缺字段、写法不对、多了没有定义的字段，或 x-correlator 不合格式。",
                remedy: "按 message 指出的位置改正；号码要带加号和国家码。"),
            en: Explanation(
                meaning: "An argument is invalid",
                cause: "Something is missing, malformed or undefined, or x-correlator breaks its pattern.",
                remedy: "Correct the place that message names; numbers begin with a plus sign and the country code."))
        table.explain(
            "OUT_OF_RANGE",
            zh: Explanation(
                meaning: "参数超出范围",
                cause: "maxAge 不在 1 到 2400 小时之间。",
                remedy: "缩小查询时段。"),
            en: Explanation(
                meaning: "An argument is out of range",
                cause: "maxAge is not between 1 and 2400 hours.",
                remedy: "Ask about a period within that range."))
        table.explain(
            "UNAUTHENTICATED",
            zh: Explanation(
                meaning: "访问令牌无效",
                cause: "没有令牌、已用过、超过 300 秒，或换卡换主后作废。",
                remedy: "重新走一遍授权，每个令牌只调用一次。"),
            en: Explanation(
                meaning: "The access token is no good",
                cause:
                    "There is none, it was used before, is older than 300 seconds, or died with the SIM or the owner.",
                remedy: "Get a new one; each is good for one call."))
        table.explain(
            "PERMISSION_DENIED",
            zh: Explanation(
                meaning: "没有权限调用该接口",
                cause: "令牌的 scope 不含该接口，或应用已被停用、收回授权。",
                remedy: "检查换取令牌时的 scope 和应用登记。"),
            en: Explanation(
                meaning: "This call is not permitted",
                cause: "The scope of the token does not cover it, or the app was suspended or lost the right.",
                remedy: "Check the scope that was asked for and the registration of the app."))
        table.explain(
            "NUMBER_VERIFICATION.USER_NOT_AUTHENTICATED_BY_MOBILE_NETWORK",
            zh: Explanation(
                meaning: "令牌并非由移动网络认证取得",
                cause: "该接口只接受网络认证（nba）得来的三方令牌。",
                remedy: "用移动数据打开授权地址，不要用其他认证方式。"),
            en: Explanation(
                meaning: "The person was not authenticated by the mobile network",
                cause: "Only a three-legged token that network-based authentication earned counts here.",
                remedy: "Open the authorization address over mobile data, by no other method."))
        table.explain(
            "IDENTIFIER_NOT_FOUND",
            zh: Explanation(
                meaning: "查无此号",
                cause: "运营方的登记册没有请求里的号码。",
                remedy: "确认号码属于本运营方的用户。"),
            en: Explanation(
                meaning: "The identifier is not known",
                cause: "The number in the request is not in the register of the operator.",
                remedy: "Make sure that the number is one of its subscribers."))
        table.explain(
            "MISSING_IDENTIFIER",
            zh: Explanation(
                meaning: "缺少号码",
                cause: "两方令牌不含用户，请求里也没写 phoneNumber。",
                remedy: "在请求体里给出 phoneNumber。"),
            en: Explanation(
                meaning: "The identifier is missing",
                cause: "A two-legged token names nobody, and phoneNumber is not in the request.",
                remedy: "Put phoneNumber into the body."))
        table.explain(
            "UNNECESSARY_IDENTIFIER",
            zh: Explanation(
                meaning: "号码多余",
                cause: "三方令牌已指明用户，请求里又写了 phoneNumber。",
                remedy: "用三方令牌时请求体写空对象。"),
            en: Explanation(
                meaning: "The identifier is unnecessary",
                cause: "A three-legged token already names the subscriber, and phoneNumber is in the request.",
                remedy: "Send an object without it."))
        table.explain(
            "SERVICE_NOT_APPLICABLE",
            zh: Explanation(
                meaning: "该号码不提供此服务",
                cause: "号码所属的运营商在这里已关闭。",
                remedy: "不要重试，改用其他判断依据。"),
            en: Explanation(
                meaning: "The service does not apply to this identifier",
                cause: "The carrier of the number is switched off here.",
                remedy: "Do not retry; decide by something else."))
        table.explain(
            "QUOTA_EXCEEDED",
            zh: Explanation(
                meaning: "今日额度用完",
                cause: "应用的计费次数达到了每日上限。",
                remedy: "次日再试，或请运营方提高额度。"),
            en: Explanation(
                meaning: "The quota is used up",
                cause: "Billed answers of the app have reached their limit for the day.",
                remedy: "Try tomorrow, or ask the operator for more."))
        table.explain(
            "TOO_MANY_REQUESTS",
            zh: Explanation(
                meaning: "请求过于频繁",
                cause: "同一应用对同一号码十分钟内查询过多。",
                remedy: "缓存结果，放慢频率。"),
            en: Explanation(
                meaning: "There were too many requests",
                cause: "The app asked about one number too often within ten minutes.",
                remedy: "Keep the answer and ask less often."))
        table.explain(
            "INTERNAL",
            zh: Explanation(
                meaning: "平台内部故障",
                cause: "发生了没有预料到的错误。",
                remedy: "把 x-correlator 和时间交给运营方查找。"),
            en: Explanation(
                meaning: "The platform has a fault",
                cause: "Something failed that nobody foresaw.",
                remedy: "Give x-correlator and the time to the operator."))
        table.explain(
            "UNAVAILABLE",
            zh: Explanation(
                meaning: "平台暂不可用",
                cause: "数据无法读写，或请求排队已满；什么也没有用掉。",
                remedy: "稍等后用同一令牌重试。"),
            en: Explanation(
                meaning: "The platform is not available",
                cause: "Data cannot be read or written, or the queue is full; nothing was used up.",
                remedy: "Wait a little and retry with the same token."))
        return table.entries
    }
}
