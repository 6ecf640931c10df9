public import BenjiProtocol

/// The facts that a page needs before it can be shown.
public struct PageOffer: Hashable, Sendable {
    /// `138****0000`: the only form of the number that a phone ever learns.
    public var maskedNumber: String
    public var carrier: Carrier
    /// Terms and slogan that the carrier asks for.
    public var page: CarrierPage
    /// To be repeated in ``BenjiProtocol/ConsentContent/policyVersion``.
    public var policyVersion: String
    public var trace: TraceID
    /// Whether the operator lets the app's pages begin with the tick set, by the capability `ticked-page`. From any
    /// other page that does, no token can be earned.
    public var allowsInitialTick: Bool

    public init(
        maskedNumber: String, carrier: Carrier, page: CarrierPage, policyVersion: String, trace: TraceID,
        allowsInitialTick: Bool = false
    ) {
        self.maskedNumber = maskedNumber
        self.carrier = carrier
        self.page = page
        self.policyVersion = policyVersion
        self.trace = trace
        self.allowsInitialTick = allowsInitialTick
    }

    /// The error text for a page that begins with the tick set in an app that may not do that.
    package static let initialTickRefusal =
        "the page begins with the tick set, and this app is not registered for that: begin it unticked, or have the "
        + "operator grant "
        + "the capability ticked-page (benji app set ID --add-capability ticked-page)"
}

/// The person's consent: the page's content, and when it was shown, ticked and tapped, by the phone's clock.
public struct PageConsent: Hashable, Sendable {
    /// Every text and link that was on the page, in reading order.
    public var content: ConsentContent
    /// The page digest of the description that the page was drawn from; `nil` for a page that has none.
    public var pageDigest: String?
    /// base64url of the SHA-256 of the placed boxes; `nil` for a page that has none.
    public var sceneDigest: String?
    public var shownAt: Timestamp
    public var tickedAt: Timestamp
    public var tappedAt: Timestamp

    public init(
        content: ConsentContent, pageDigest: String? = nil, sceneDigest: String?, shownAt: Timestamp,
        tickedAt: Timestamp,
        tappedAt: Timestamp
    ) {
        self.content = content
        self.pageDigest = pageDigest
        self.sceneDigest = sceneDigest
        self.shownAt = shownAt
        self.tickedAt = tickedAt
        self.tappedAt = tappedAt
    }
}

/// How a page ended.
public enum PresentationOutcome: Hashable, Sendable {
    /// The person ticked the agreement, then tapped the button.
    case consented(PageConsent)
    /// The person closed the page.
    case cancelled
    /// The person wants to log in another way.
    case switchAccount
    /// The app shares the screen with another one, and this page is not shown so.
    case sharesScreen
    /// The person tapped the button without ticking the agreement, on a page that the app draws; said to the developer,
    /// in English. A page that Benji draws asks for the tick and goes on.
    case notAgreed(String)
    /// The page could not be shown, and why: for the developer, in English.
    case failed(String)
}

/// Shows the authorization page.
public protocol AuthorizationPresenter: Sendable {
    /// Shows a page for `offer` and waits for what the person does.
    ///
    /// When the calling task is cancelled, take the page down and return at once; the value returned then is ignored.
    func present(_ offer: PageOffer) async -> PresentationOutcome
}
