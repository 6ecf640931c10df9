package import BenjiProtocol
import Store

extension Situation {
    /// Whether a step that ended so was refused. "It is another number" is an answer.
    package var isRefusal: Bool { self != .success && self != .numberDiffers }
}

extension CountLogins {
    /// Whether a member of the answer's `steps` counts refusals. What a gateway refused comes back as the refusal of
    /// the same request, and is counted there.
    package static func isRefusal(_ step: JSON) -> Bool {
        step["party"]?.stringValue != TraceEvent.Party.gateway.rawValue
            && Situation(rawValue: step["situation"]?.stringValue ?? "").isRefusal
    }
}

/// How far a login has come. Each stage has at most as many logins as the one before. Exceptions are logins that began
/// before the period, and reusable scrips, which buy more than one token.
enum LoginStage: String, CaseIterable {
    /// A phone or a browser asked who it is.
    case asked
    /// The network, or a code by SMS, knew the number: a page can be shown.
    case recognised
    /// The person agreed, and a token or a code was issued.
    case agreed
    /// The app's server got its answer.
    case redeemed

    /// How CAMARA's interfaces begin.
    private static let camara = ["number-verification", "sim-swap", "one-time-password-sms"]

    /// The stages that one step stands for.
    static func reached(_ count: LoginCount) -> Set<LoginStage> {
        let isWell = count.situation == .success
        switch (count.party, count.step) {
        case (.authority, "prefetch"), (.authority, "openid.page"): return isWell ? [.asked, .recognised] : [.asked]
        // Such a page asks and gets its token in one call.
        case (.authority, "h5.getMobile"): return isWell ? [.asked, .recognised, .agreed] : [.asked]
        // It begins where one tap has failed, so it has been asked for already.
        case (.authority, "sms.login"): return isWell ? [.recognised, .agreed] : []
        case (.authority, "authorize"), (.authority, "openid.code"): return isWell ? [.agreed] : []
        // A back-end asks, and the person answers on their phone, which was recognised by its address.
        case (.appServer, "openid.backchannel"): return [.asked]
        case (.device, "openid.backchannel-answer"): return isWell ? [.recognised, .agreed] : [.recognised]
        // Its token was redeemed before.
        case (.appServer, "openid.userinfo"), (.appServer, "openid.revoke"): return []
        // The app's own tokens need no login, and CAMARA's other calls come with a token that was counted.
        case (.appServer, "openid.client-credentials"): return []
        case (.appServer, let step) where camara.contains { step.hasPrefix($0) }: return []
        case (.appServer, _): return count.situation.isRefusal ? [] : [.redeemed]
        default: return []
        }
    }
}
