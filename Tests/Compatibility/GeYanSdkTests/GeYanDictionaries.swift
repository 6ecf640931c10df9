import FacadeScenarios
import OneTapShell

/// The dictionaries of GeYan's document with the values of the scenarios.
struct GeYanDictionaries {
    var isPro = false

    /// - Parameter carrier: `GyOperatorType`, as a text.
    func found(_ carrier: ResultValue = "1") -> ResultFields {
        ["code": 30000, "processID": "TRACE", "operatorType": carrier, "msg": "获取accessCode成功"]
    }

    func token(_ masked: ResultValue, _ carrier: ResultValue = "1", seconds: ResultValue = 120) -> ResultFields {
        var fields = found(carrier)
        fields["token"] = "TOKEN"
        fields["expiredTime"] = seconds
        fields["pn"] = masked
        return fields
    }

    /// A token for verification comes without a number and without a lifetime.
    func verification(errorCode: ResultValue? = nil) -> ResultFields {
        var fields = found()
        fields["token"] = "TOKEN"
        fields["errorCode"] = errorCode
        return fields
    }

    static let messages: [ResultValue: ResultValue] = [
        30001: "当前环境不适合免密登录", 30002: "用户点击了其他登录方式", 30003: "用户关闭验证界面", 30004: "其他错误",
        30005: "预登录失败", 30006: "一键认证失败", 40047: "一键认证取号失败",
    ]

    /// - Parameters:
    ///   - own: the carrier's own code, where its list in the document has one.
    ///   - carrier: the one that a gateway has named before.
    ///   - traced: whether a server has named the login.
    func failed(
        _ code: ResultValue, _ errorCode: ResultValue, _ situation: ResultValue, own: ResultValue? = nil,
        carrier: ResultValue = "1", traced: Bool = true
    ) -> ResultFields {
        [
            "code": code, "errorCode": errorCode, "processID": traced ? "TRACE" : "", "operatorType": carrier,
            "msg": Self.messages[code],
            "metadata": .fields(["situation": situation, "description": "SENTENCE", "resultCode": own]),
        ]
    }

    /// The prefetch, with which an app begins, has failed. GyOneLoginPro has asked before by itself, in vain.
    func first(
        _ code: ResultValue, _ errorCode: ResultValue, _ situation: ResultValue, traced: Bool = false,
        requests: Int? = nil
    ) -> Expected {
        .answers(
            [failed(code, errorCode, situation, carrier: "0", traced: traced)], requests: requests ?? (isPro ? 2 : 1))
    }

    var notConfigured: Expected { first(30004, "-20101", "not_configured", requests: 0) }
    var wrongArgument: Expected { first(30004, "-50101", "invalid_argument", requests: 0) }

    func running(_ errorCode: ResultValue, carrier: ResultValue) -> ResultFields {
        failed(30004, errorCode, "already_running", carrier: carrier, traced: false)
    }

    /// A prefetch that went well, and the login that failed.
    func then(_ failure: ResultFields, requests: Int) -> Expected {
        .answers([found(), failure], requests: requests)
    }
}
