import FacadeScenarios
import OneTapShell

/// The dictionaries of OneLogin's document with the values of the scenarios, and what OneLoginPro adds to them.
struct OneLoginDictionaries {
    var isPro = false

    static let successMessage: ResultValue = "获取accessCode成功"

    /// - Parameter masked: the number, which only OneLoginPro returns.
    func found(_ masked: ResultValue = "138****0000", _ carrier: ResultValue = "CM") -> ResultFields {
        [
            "status": 200, "appID": "300000000001", "processID": "TRACE", "operatorType": carrier,
            "msg": Self.successMessage, "number": isPro ? masked : nil,
        ]
    }

    /// - Parameter seconds: the token's life, which only OneLoginPro returns.
    func token(
        _ masked: ResultValue = "138****0000", _ carrier: ResultValue = "CM", seconds: ResultValue = 120
    ) -> ResultFields {
        var fields = found(masked, carrier)
        fields["token"] = "TOKEN"
        guard isPro else { return fields }
        (fields["errorCode"], fields["authcode"], fields["expire_time"]) = ("0", "0000", seconds)
        return fields
    }

    /// - Parameters:
    ///   - cocoa: Cocoa's code for it.
    ///   - carrier: the one that a gateway has named before.
    ///   - traced: whether a server has named the login.
    func failed(
        _ code: ResultValue, _ situation: ResultValue, _ message: ResultValue = "操作失败", cocoa: ResultValue? = nil,
        carrier: ResultValue = "CM", traced: Bool = true, appID: ResultValue = "300000000001"
    ) -> ResultFields {
        [
            "status": 500, "appID": appID, "processID": traced ? "TRACE" : "", "operatorType": carrier,
            "errorCode": code, "msg": message,
            "metaData": .fields(["situation": situation, "description": "SENTENCE", "code": cocoa]),
        ]
    }

    /// The prefetch, with which an app begins, has failed. OneLoginPro has asked before by itself, in vain.
    func first(
        _ code: ResultValue, _ situation: ResultValue, _ message: ResultValue = "操作失败", cocoa: ResultValue? = nil,
        traced: Bool = false, appID: ResultValue = "300000000001"
    ) -> Expected {
        let fields = failed(code, situation, message, cocoa: cocoa, carrier: "", traced: traced, appID: appID)
        return .answers([fields], requests: isPro ? 2 : 1)
    }

    /// The answer when no request could be sent.
    func unasked(
        _ code: ResultValue, _ situation: ResultValue, _ message: ResultValue, appID: ResultValue = "300000000001"
    ) -> Expected {
        .answers([failed(code, situation, message, carrier: "", traced: false, appID: appID)], requests: 0)
    }

    func notConfigured(_ appID: ResultValue) -> Expected {
        unasked("-20101", "not_configured", "未配置 AppID", appID: appID)
    }

    func wrongArgument(_ appID: ResultValue = "300000000001") -> Expected {
        unasked("-50101", "invalid_argument", "参数不正确", appID: appID)
    }

    func running(_ code: ResultValue, carrier: ResultValue) -> ResultFields {
        failed(code, "already_running", "上一次调用尚未结束", carrier: carrier, traced: false)
    }

    /// A prefetch that went well, and the login that failed.
    func then(_ failure: ResultFields, _ masked: ResultValue = "138****0000", requests: Int) -> Expected {
        .answers([found(masked), failure], requests: requests)
    }
}
