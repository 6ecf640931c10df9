public import BenjiClient
public import BenjiProtocol

/// A page without a screen: does at once what its person is told to do.
public actor FakePresenter: AuthorizationPresenter {
    /// The behaviour of the person in front of the page.
    public enum Person: Sendable {
        /// Ticks, then taps.
        case consents
        case cancels
        case switchesAccount
        /// Nothing, until the page is taken away.
        case waits
        /// Nothing: the page cannot be shown.
        case seesNoPage
        /// Whatever the test wants, wrong orders included.
        case does(@Sendable (PageOffer) async -> PresentationOutcome)
    }

    private let person: Person
    private let clock: any WallClock
    /// The offers for which pages were shown, in order.
    public private(set) var offers: [PageOffer] = []
    private var watchers: [AsyncStream<Void>.Continuation] = []
    private var waiting: [AsyncStream<Never>.Continuation] = []

    /// - Parameter clock: the phone's; gives the times of showing, ticking and tapping, a millisecond apart.
    public init(_ person: Person = .consents, clock: any WallClock = SystemWallClock()) {
        self.person = person
        self.clock = clock
    }

    public func present(_ offer: PageOffer) async -> PresentationOutcome {
        offers.append(offer)
        for watcher in watchers { watcher.finish() }
        watchers = []
        switch person {
        case .consents: return .consented(Self.consent(to: offer, at: clock.now))
        case .cancels: return .cancelled
        case .switchesAccount: return .switchAccount
        case .seesNoPage: return .failed("this presenter shows nothing")
        case .does(let act): return await act(offer)
        case .waits:
            await waitUntilTakenAway()
            return .cancelled
        }
    }

    /// Returns once a page has been shown.
    public func shown() async {
        guard offers.isEmpty else { return }
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        watchers.append(continuation)
        for await _ in stream {}
    }

    /// Takes the page away, as an app does that closes it: a person who waits has cancelled.
    public func close() {
        for person in waiting { person.finish() }
        waiting = []
    }

    /// A correct yes to `offer`, as a page in Chinese with the carrier's terms gives it.
    public static func consent(to offer: PageOffer, at shown: Timestamp) -> PageConsent {
        PageConsent(
            content: ConsentContent(
                drawnBy: .benji, language: "zh-Hans", policyVersion: offer.policyVersion,
                texts: [
                    .init(.number, ConsentContent.numberPlaceholder), .init(.slogan, offer.page.slogan),
                    .init(.loginButton, "本机号码一键登录"), .init(.terms, "我已阅读并同意《\(offer.page.termsTitle)》"),
                ], links: [.init(title: offer.page.termsTitle, url: offer.page.termsURL)], initiallyTicked: false),
            sceneDigest: nil, shownAt: shown, tickedAt: shown + .milliseconds(1), tappedAt: shown + .milliseconds(2))
    }

    private func waitUntilTakenAway() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        waiting.append(continuation)
        for await _ in stream {}
    }
}
