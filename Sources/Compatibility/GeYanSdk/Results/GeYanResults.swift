import BenjiClient
import BenjiProtocol
import GeYanCodes
import OneTapShell

/// How GeYan's document and release 3.0 spell a result: `code` and `expiredTime` are numbers, everything else is text.
///
/// An unknown value is an empty text and not left out. Apps put these values into dictionaries of their own, where a
/// missing one is a crash.
enum GeYanResults {
    /// Which codes a call answers: the two releases numbered the same failures differently.
    enum Release {
        case document
        case three

        var codes: CodeColumn { self == .document ? .geyan : .geyan3 }
        var errorCodes: CodeColumn { self == .document ? .geyanBusiness : .geyan3Business }
    }

    static func spell(_ result: CallResult, _ release: Release = .document) -> ResultFields {
        let code = result.code(in: release.codes)
        var fields: ResultFields = [
            "code": .number(Int(code) ?? 0), "processID": .text(result.trace?.rawValue ?? ""),
            "operatorType": .text(String(VendorNumber.carrier(result.facts.carrier))),
        ]
        switch result.value {
        case .prefetched: fields["msg"] = .text(success)
        case .token(let token):
            fields["msg"] = .text(success)
            fields["token"] = .text(token.token)
            if release == .three { fields["errorCode"] = .text(result.code(in: release.errorCodes)) }
            // A token that only verifies has neither in the header's example, and an app that shows no page needs no
            // number.
            guard token.purpose == .login else { break }
            fields["expiredTime"] = .number(Int(token.lifetime.components.seconds))
            fields["pn"] = .text(token.maskedNumber)
            // So in the header's example of the later call.
            if release == .three { fields["number"] = .text(token.maskedNumber) }
        case .failed(let error):
            fields["errorCode"] = .text(result.code(in: release.errorCodes))
            fields["msg"] = .text(release == .document ? messages[code] ?? "其他错误" : message(code, error))
            fields["metadata"] = .fields(metadata(error, result))
        }
        return fields
    }

    /// The situation in Benji's words, and the code of the carrier's own list in the document where it has one.
    private static func metadata(_ error: BenjiError, _ result: CallResult) -> ResultFields {
        let column: CodeColumn? =
            switch result.facts.carrier {
            case .mobile: .geyanMobile
            case .unicom: .geyanUnicom
            case .telecom: .geyanTelecom
            default: nil
            }
        return [
            "situation": .text(error.situation.rawValue), "description": .text(error.detail),
            "resultCode": column.flatMap { result.codeIfAny(in: $0) }.map { .text($0) },
        ]
    }

    /// Names the view that is wrong, where one is.
    private static func message(_ code: String, _ error: BenjiError) -> String {
        let words = messages[code] ?? "其他错误"
        switch error.situation {
        case .pageFailed, .consentMissing, .invalidArgument, .controllerMissing: return "\(words)：\(error.detail)"
        default: return words
        }
    }

    /// The document's own example has it for both steps.
    private static let success = "获取accessCode成功"

    /// For people who read a log. What a code means and what to do about it is in the catalogue (`benji explain`).
    private static let messages = [
        "30001": "当前环境不适合免密登录", "30002": "用户点击了其他登录方式", "30003": "用户关闭验证界面", "30005": "预登录失败",
        "30006": "一键认证失败", "30007": "获取本机号码校验凭证失败", "40047": "一键认证取号失败",
    ]
}
