/// A rule for a page, as far as its boxes show it.
///
/// The rules come from the carriers' norms, from the vendors' documents and from the law. Rules that a page cannot
/// show, such as no request for a token before the tap, are enforced elsewhere.
public enum PageRule: String, Hashable, Sendable, CaseIterable {
    case numberVisible = "number-visible"
    case numberMasked = "number-masked"
    case loginUsable = "login-usable"
    case loginWording = "login-wording"
    case carrierTerms = "carrier-terms"
    case carrierTermsExact = "carrier-terms-exact"
    case otherCarrier = "other-carrier"
    case slogan
    case termsVisible = "terms-visible"
    case untickedAtFirst = "unticked-at-first"
    case missingTick = "missing-tick"
    case ownTerms = "own-terms"
    case quotationMarks = "quotation-marks"
    case numberSize = "number-size"
    case loginSize = "login-size"
    case termsSize = "terms-size"
    case touchArea = "touch-area"
    case contrast
    case customOverlap = "custom-overlap"
    case otherLogin = "other-login"
    case closable
    case opaquePage = "opaque-page"
    case oneConsent = "one-consent"
    case languages
}

/// How bad it is that a page breaks a rule.
public enum PageSeverity: String, Hashable, Sendable, CaseIterable {
    /// The page may not be shown.
    case error
    /// It may, but should be mended.
    case warning
}

/// A rule that a page breaks, and where.
public struct PageFinding: Hashable, Sendable {
    /// The rule.
    public var rule: PageRule
    /// How bad that is in the profile that was asked.
    public var severity: PageSeverity
    /// The kind of box that breaks it.
    public var role: PageRole

    public init(_ rule: PageRule, _ severity: PageSeverity, _ role: PageRole) {
        self.rule = rule
        self.severity = severity
        self.role = role
    }
}

/// Which rules hold, and how strictly: the norms change, and apps were reviewed under older ones.
public enum PageProfile: String, Hashable, Sendable, CaseIterable {
    /// The requirements of two vendors' documents for a page that the SDK draws (2019 to 2021).
    case documents
    /// Rules 1 to 7 of China Mobile's document, section 2.4.2, for a page that the app draws itself.
    case documentsOwnPage = "documents-own-page"
    /// The requirements for an app's own page of which the app hands over five views, as the vendor's release 3.0 does.
    /// They are number, slogan, login button, tick and terms. The vendor names no sizes: those are the norms'.
    case handedViews = "handed-views"
    /// Today's carrier norms and law (2026-11). Benji's own interface knows only this one.
    case current

    /// How bad it is to break a rule; `nil` when the profile does not have it.
    public func severity(of rule: PageRule, _ carrier: PageCarrier) -> PageSeverity? {
        switch self {
        case .documents: documentsSeverity(rule)
        case .documentsOwnPage: ownPageSeverity(rule)
        case .handedViews: handedViewsSeverity(rule)
        case .current: currentSeverity(rule, carrier)
        }
    }

    private func documentsSeverity(_ rule: PageRule) -> PageSeverity? {
        switch rule {
        case .numberVisible, .numberMasked, .loginUsable, .loginWording, .carrierTerms, .carrierTermsExact,
            .otherCarrier,
            .slogan, .termsVisible, .customOverlap:
            .error
        // Both documents set the tick by default.
        case .untickedAtFirst: .warning
        default: nil
        }
    }

    private func ownPageSeverity(_ rule: PageRule) -> PageSeverity? {
        switch rule {
        // Rule 4 asks for the terms on the page; what cannot be seen is not on it.
        case .numberVisible, .loginUsable, .loginWording, .carrierTerms, .carrierTermsExact, .termsVisible: .error
        default: nil
        }
    }

    private func handedViewsSeverity(_ rule: PageRule) -> PageSeverity? {
        switch rule {
        case .numberVisible, .numberMasked, .numberSize, .loginUsable, .loginWording, .carrierTerms, .carrierTermsExact,
            .otherCarrier, .slogan, .termsVisible, .termsSize, .untickedAtFirst:
            .error
        case .loginSize, .touchArea, .contrast: .warning
        default: nil
        }
    }

    /// Whether the words 本机号码 stand in for the masked number (rule 3 of China Mobile's document).
    var takesWordsForNumber: Bool { self == .documents || self == .documentsOwnPage }

    private func currentSeverity(_ rule: PageRule, _ carrier: PageCarrier) -> PageSeverity? {
        switch rule {
        case .quotationMarks, .touchArea, .contrast, .otherLogin, .languages: .warning
        // China Mobile's norm 5.7 no longer lists the slogan, but still forbids hiding the brand.
        case .slogan: carrier == .mobile ? .warning : .error
        default: .error
        }
    }
}
