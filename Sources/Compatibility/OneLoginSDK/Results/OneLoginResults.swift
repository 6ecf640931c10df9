import BenjiClient
import BenjiProtocol
import OneLoginCodes
import OneTapShell

/// How OneLogin's document spells a result: `status` is a number, everything else is text.
///
/// An unknown value is an empty text and not left out. Apps put these values into dictionaries of their own, where a
/// missing one is a crash.
enum OneLoginResults {
    /// - Parameters:
    ///   - appID: as the app registered it.
    ///   - isPro: with the members that only OneLoginPro has.
    static func spell(_ result: CallResult, appID: String, isPro: Bool = false) -> ResultFields {
        var fields: ResultFields = [
            "status": .number(result.situation == .success ? 200 : 500), "appID": .text(appID),
            "processID": .text(result.trace?.rawValue ?? ""), "operatorType": .text(spell(result.facts.carrier)),
        ]
        switch result.value {
        case .prefetched(let summary):
            fields["msg"] = .text(success)
            if isPro { fields["number"] = .text(summary.maskedNumber) }
        case .token(let token):
            fields["msg"] = .text(success)
            fields["token"] = .text(token.token)
            guard isPro else { break }
            fields["errorCode"] = "0"
            fields["number"] = .text(token.maskedNumber)
            // China Telecom's second key, which its server call asks for and Benji's does not.
            fields["authcode"] = "0000"
            fields["expire_time"] = .number(Int(token.lifetime.components.seconds))
        case .failed(let error):
            fields["errorCode"] = .text(result.code)
            fields["msg"] = .text(messages[error.situation] ?? "操作失败")
            fields["metaData"] = .fields(metadata(error, result))
        }
        return fields
    }

    /// CM, CU, CT, or nothing: for another carrier, and before a gateway has named one.
    static func spell(_ carrier: Carrier?) -> String {
        switch carrier {
        case .mobile: "CM"
        case .unicom: "CU"
        case .telecom: "CT"
        default: ""
        }
    }

    /// The situation in Benji's words, and Cocoa's code where the document lists one.
    private static func metadata(_ error: BenjiError, _ result: CallResult) -> ResultFields {
        [
            "situation": .text(error.situation.rawValue), "description": .text(error.detail),
            "code": result.codeIfAny(in: .oneLoginCocoa).flatMap { Int($0) }.map { .number($0) },
        ]
    }

    /// The document's own example has it for both steps.
    private static let success = "获取accessCode成功"

    /// For people who read a log. What a code means and what to do about it is in the catalogue (`benji explain`).
    private static let messages: [Situation: String] = [
        .notConfigured: "未配置 AppID", .prefetchRunning: "预取号尚未结束，请勿重复调用", .loginRunning: "授权页面已调起，请勿重复调用",
        .alreadyRunning: "上一次调用尚未结束", .noNetwork: "没有网络", .cellularDataOff: "未开启蜂窝网络", .noSIM: "没有 SIM 卡",
        .carrierUnsupported: "不支持的运营商", .prefetchMissing: "请先成功预取号", .prefetchExpired: "预取号已过期",
        .userCancelled: "用户点击返回", .switchAccount: "用户切换账号", .timedOut: "请求超时", .networkFailure: "网络请求失败",
        .nameNotResolved: "找不到服务器", .connectionRefused: "连不上服务器",
        .invalidArgument: "参数不正确", .controllerMissing: "没有可用的视图控制器", .pageFailed: "授权页面无法展示",
    ]
}
