/// Which broken rules keep a page from being used.
public enum PageStrictness: Hashable, Sendable {
    /// Every `error` of the profile: for everybody who develops an app.
    case everyError
    /// Only those that make the consent void. For released apps: a page that became a little too small on some new
    /// device is reported and still logs people in. A page that hides what the person agrees to is refused.
    case voidConsent
}

/// Why a page is not used, for the developer.
public struct PageRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The rules that it breaks.
    public var findings: [PageFinding]

    public init(findings: [PageFinding]) { self.findings = findings }

    /// Each rule and where it is broken. Why a rule matters and what to do, `benji page lint` says: an app does not
    /// ship that.
    public var description: String {
        var text = "the authorization page may not be used:"
        for finding in findings { text += " [" + finding.rule.rawValue + " at " + finding.role.rawValue + "]" }
        return text + "; benji page lint explains each rule"
    }
}

extension PageFinding {
    /// Whether a page voids the consent given on it. On such a page the person could not see whose number goes where,
    /// what they agree to, or that they agree.
    public var voidsConsent: Bool {
        switch rule {
        case .numberVisible, .loginUsable, .loginWording, .carrierTerms, .carrierTermsExact, .otherCarrier,
            .termsVisible:
            true
        case .customOverlap: role == .number || role == .login || role == .terms
        default: false
        }
    }
}

extension PageStrictness {
    /// Why these findings keep a page from being used; `nil` when they do not.
    public func refusal(_ findings: [PageFinding]) -> PageRefusal? {
        var reasons: [PageFinding] = []
        for finding in findings where finding.severity == .error {
            if self == .everyError || finding.voidsConsent { reasons.append(finding) }
        }
        return reasons.isEmpty ? nil : PageRefusal(findings: reasons)
    }
}
