import BenjiClient
import BenjiFace
import BenjiFaceProtocol
import BenjiProtocol
import Foundation
import SuperIDCodes

/// How SuperID's document spells results: dictionaries, states and error codes.
enum SuperIDResults {
    /// The domain of every error.
    static let domain = "SuperID"

    // MARK: errors

    static func error(_ error: BenjiError, binding: Bool = false) -> NSError {
        let code = code(error.situation, binding: binding)
        return NSError(
            domain: domain, code: code,
            userInfo: [NSLocalizedDescriptionKey: "\(sentences[code] ?? "操作失败") (\(error.situation.rawValue))"])
    }

    static func code(_ situation: Situation, binding: Bool = false) -> Int {
        let column = binding ? CodeColumn.superIDBinding : .superID
        return column.code(for: situation).flatMap { Int($0.code) } ?? -1000
    }

    /// For people who read a log. What a code means and what to do about it is in the catalogue (`benji explain`).
    private static let sentences = [
        -1000: "登录没有完成", -1001: "网络有问题", -1004: "用户不允许访问摄像头", -1005: "账号已绑定其他 uid", -1006: "绑定没有完成",
        -1007: "授权已过期", -1008: "缺少 uid", -1009: "用户未授权当前应用", -1010: "SDK 版本过期", -1011: "SDK 初始化失败",
        -1012: "需要先绑定账号", -1013: "app token 已过期", -1014: "不是中国地区的手机号码", -1015: "账号已冻结", -1016: "没有找到人脸",
    ]

    // MARK: states

    static func uidState(_ situation: Situation) -> SIDUserUpdateResponseState {
        switch situation {
        case .success: .updateAppUidSucceed
        case .uidTaken: .uidHasExist
        default: refused(situation) ?? .updateAppUidFail
        }
    }

    static func userInfoState(_ situation: Situation) -> SIDUserUpdateResponseState {
        situation == .success ? .updateUserInfoSucceed : refused(situation) ?? .updateAppUserInfoFail
    }

    private static func refused(_ situation: Situation) -> SIDUserUpdateResponseState? {
        switch situation {
        case .notAuthorized, .accessTokenInvalid: .userNoAuthToSuperID
        case .accountErased: .userNoAuthToSuperID
        case .accessTokenExpired, .refreshTokenInvalid, .confirmationNeeded: .userAccessExpired
        default: nil
        }
    }

    // MARK: dictionaries

    /// The documented `userInfo`. Every value is a text, but for what the app itself has put into `other`.
    static func userInfo(_ user: FaceUser) -> [AnyHashable: Any] {
        var info: [AnyHashable: Any] = ["app_uid": user.uid, "openId": user.openID, "regioncode": "86"]
        info["name"] = user.userInfo.name
        // Masked: the number is for the app's server.
        info["phone"] = user.userInfo.phone
        info["avatar"] = user.userInfo.avatar
        info["email"] = user.userInfo.email
        info["other"] = user.userInfo.other.flatMap(foundation)
        // For the app's server, which the document's own flow did not have.
        info["authorizationCode"] = user.authorizationCode
        return info
    }

    /// The same, as far as the phone still knows it: who it is, and what the last login said of the account.
    static func userInfo(_ memory: FaceMemory, _ holder: FaceUserInfo?) -> [AnyHashable: Any] {
        var info: [AnyHashable: Any] = ["regioncode": "86"]
        info["app_uid"] = memory.uid
        info["openId"] = memory.openID
        info["name"] = holder?.name
        info["phone"] = holder?.phone
        info["avatar"] = holder?.avatar
        return info
    }

    static func featureInfo(_ values: FaceAttributeValues) -> [AnyHashable: Any] {
        foundation(values.json) as? [AnyHashable: Any] ?? [:]
    }

    /// A member without a value is left out.
    private static func foundation(_ json: JSON) -> Any? {
        switch json {
        case .null: return nil
        case .bool(let value): return value
        case .number(let text):
            if let integer = Int(text) { return integer }
            return Double(text) ?? 0
        case .string(let text): return text
        case .array(let values): return values.compactMap(foundation)
        case .object(let members):
            var dictionary: [AnyHashable: Any] = [:]
            for member in members { dictionary[member.name] = foundation(member.value) }
            return dictionary
        }
    }
}
