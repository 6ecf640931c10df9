import BenjiPage
import BenjiProtocol
import Sandbox

/// The codes that a fault can answer with, by what they are about.
struct FaultGroups {
    let title: LocalizedText
    let codes: [Situation]

    /// Codes of a number's login stand in the order of ``Situation/ofNumberLogin``, where those of one matter are
    /// neighbours; this says with which each matter begins.
    private static let beginnings: [(first: Situation, title: LocalizedText)] = [
        (.notConfigured, LocalizedText("手机自己看到的", "What the phone itself sees")),
        (.addressUnknown, LocalizedText("网络与地址", "Network and address")),
        (.appUnknown, LocalizedText("应用与限额", "App and limits")),
        (.attestationInvalid, LocalizedText("设备证明与登录页", "Device proof and page")),
        (.malformedRequest, LocalizedText("请求与签名", "Request and signature")),
        (.tokenMissing, LocalizedText("令牌", "Token")),
        (.numberMissing, LocalizedText("号码", "Number")),
        (.codeUnknown, LocalizedText("短信验证码", "Code by SMS")),
        (.storeUnavailable, LocalizedText("服务自身", "The service itself")),
    ]

    static let all: [FaultGroups] = {
        var groups: [(title: LocalizedText, codes: [Situation])] = []
        for code in Situation.ofNumberLogin where SandboxFault.codes.contains(code) {
            if let beginning = beginnings.first(where: { $0.first == code }) { groups.append((beginning.title, [])) }
            if !groups.isEmpty { groups[groups.count - 1].codes.append(code) }
        }
        let others = SandboxFault.codes.filter { !Situation.ofNumberLogin.contains($0) }
        if !others.isEmpty { groups.append((LocalizedText("刷脸登录", "Face login"), others)) }
        return groups.map { FaultGroups(title: $0.title, codes: $0.codes) }
    }()
}
