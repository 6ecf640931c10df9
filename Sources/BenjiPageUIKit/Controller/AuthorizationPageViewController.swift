#if canImport(UIKit)
public import BenjiPage
public import UIKit

/// Shows an authorization page that Benji draws from a description.
///
/// It draws what a ``BenjiPage/PageScene`` says and hands every tap to a ``BenjiPage/PageFlow``; it decides nothing.
/// Make one for each login, keep it as long as the login runs, and show it with ``show(from:completion:)``:
///
/// ```swift
/// var callbacks = PageCallbacks()
/// callbacks.decided = { decision in … }
/// let page = try AuthorizationPageViewController(description, facts: facts, callbacks: callbacks)
/// try page.show(from: self)
/// ```
///
/// After ``BenjiPage/PageDecision/consented(_:)`` the page stays and shows that it waits, until
/// ``close(animated:completion:)``, or until ``stopLoading()`` lets the person try again.
@MainActor public final class AuthorizationPageViewController: UIViewController {
    /// The app's callbacks of the page. Changes count from the next event on.
    public var callbacks: PageCallbacks
    /// An object that is kept as long as the page: its end shows that the page is gone.
    public var attachment: AnyObject?

    /// Takes the page off the screen in place of UIKit, where something else has brought it.
    var closeHandler: (@MainActor () -> Void)?
    let supplies: PageSupplies
    let clock: PageClock
    private let language: Language
    let fonts: PageFonts
    var flow: PageFlow<FontMeasure>

    // The views on the screen.
    let panel = UIView(frame: .zero)
    let agreement = AgreementView(frame: .zero)
    let dialogLayer = PassthroughView(frame: .zero)
    let customArea = PassthroughView(frame: .zero)
    var boxViews: [BoxKey: PageBoxView] = [:]
    var drawn: PageScene?
    var hasCustomArea = false

    let visit = PageVisit()

    /// - Parameters:
    ///   - page: what the app decides.
    ///   - facts: what the prefetch brought.
    ///   - supplies: pictures and views that the description names.
    ///   - callbacks: what the app wants to hear.
    ///   - profile: the rules to hold the page against.
    ///   - strictness: which broken rules keep it from being used; see ``BenjiPage/PageStrictness/automatic``.
    ///   - language: the page's language; without one, the first of the person's languages that pages have.
    ///   - clock: the time.
    /// - Throws: the first thing in page or facts that cannot be laid out.
    public init(
        _ page: PageDescription, facts: PageFacts, supplies: PageSupplies = PageSupplies(),
        callbacks: PageCallbacks = PageCallbacks(), profile: PageProfile = .current,
        strictness: PageStrictness = .automatic, language: Language? = nil, clock: PageClock = .system
    ) throws(PageError) {
        let language = language ?? .preferred()
        let measure = FontMeasure(typeface: supplies.font)
        fonts = measure.fonts
        // A screen to begin with; the real one is known when the page has a place.
        let screen = PageScreen(393, 852, safeArea: PageInsets(top: 59, bottom: 34), language: language)
        flow = try PageFlow(
            page, facts: facts, screen: screen, profile: profile, strictness: strictness, measuredBy: measure)
        self.language = language
        self.supplies = supplies
        self.callbacks = callbacks
        self.clock = clock
        super.init(nibName: nil, bundle: nil)
        configurePresentation()
    }

    @available(*, unavailable) public required init?(coder: NSCoder) { fatalError("a page is made in code") }

    // MARK: - For the app

    /// Whether the tick is set.
    public var isTicked: Bool { flow.state.isTicked }

    /// The page's content, in words.
    public var content: PageContent { flow.content }

    /// The boxes that are on the screen.
    public var scene: PageScene { flow.scene }

    /// The boxes that were on the screen when the person agreed.
    public var agreedScene: PageScene? { flow.agreedScene }

    /// The facts from the prefetch.
    public var facts: PageFacts { flow.facts }

    /// Why the page may not be used as it stands on this screen.
    public var refusal: PageRefusal? { flow.refusal }

    /// Whether the page may still be used: not closed, and not refused.
    public var isOpen: Bool { flow.phase == .open || flow.phase == .submitted }

    /// Ends the waiting after a login that has failed: the person may try again.
    public func stopLoading() { send(.loadingStopped) }

    /// Sets or clears the tick. The app answers for that: the person has not agreed by it.
    public func setTick(_ isTicked: Bool) { send(.tickSet(isTicked)) }

    /// Switches the login button on or off.
    public func setLoginEnabled(_ isEnabled: Bool) { send(.loginEnabled(isEnabled)) }

    /// Gives the login button another text; a text that does not speak of logging in keeps the page from being used.
    public func setLoginTitle(_ title: StyledText) { send(.loginTitled(title)) }

    /// Taps the login button in place of the person, for `startRequestToken`.
    public func tapLogin() { send(.loginTapped) }

    // MARK: - The life of a controller

    public override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .clear
        panel.accessibilityIdentifier = "benji.panel"
        view.addSubview(panel)
        panel.addSubview(agreement)
        dialogLayer.accessibilityViewIsModal = true
        view.addSubview(dialogLayer)
        if callbacks.customArea != nil { panel.addSubview(customArea) }
        callbacks.lifeCycle?(.viewDidLoad, false)
    }

    public override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        visit.willAppear(self, animated) { [weak self] in self?.maySwipeBack ?? true }
        callbacks.lifeCycle?(.viewWillAppear, animated)
    }

    public override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        measureScreen()
        send(.appeared)
        callbacks.lifeCycle?(.viewDidAppear, animated)
        visit.didAppear()
    }

    public override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        visit.willDisappear(self, animated)
        callbacks.lifeCycle?(.viewWillDisappear, animated)
    }

    public override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        callbacks.lifeCycle?(.viewDidDisappear, animated)
        if isLeaving { leave() }
    }

    public override func didMove(toParent parent: UIViewController?) {
        super.didMove(toParent: parent)
        // Taken off the stack from under its terms it does not disappear again.
        if parent == nil { leave() }
    }

    /// The terms over the page have gone. When the page goes with them, UIKit does not report that again.
    func termsWentAway() {
        if isLeaving { return leave() }
        Task { @MainActor [weak self] in
            if let self, isLeaving { leave() }
        }
    }

    public override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        measureScreen()
    }

    public override func viewSafeAreaInsetsDidChange() {
        super.viewSafeAreaInsetsDidChange()
        measureScreen()
    }

    public override func viewWillTransition(
        to size: CGSize, with coordinator: any UIViewControllerTransitionCoordinator
    ) {
        super.viewWillTransition(to: size, with: coordinator)
        callbacks.transition?(size, coordinator, customArea)
    }

    public override func traitCollectionDidChange(_ previous: UITraitCollection?) {
        super.traitCollectionDidChange(previous)
        measureScreen()
    }

    public override func accessibilityPerformEscape() -> Bool {
        guard let way = wayOut else { return false }
        send(way == .back ? .backTapped : .closeTapped)
        return true
    }

    /// The button with which the person can leave an open page.
    private var wayOut: PageRole? {
        flow.phase == .open ? [PageRole.back, .close].first { flow.scene[$0] != nil } : nil
    }

    private var maySwipeBack: Bool { wayOut != nil || navigationController?.topViewController !== self }

    // MARK: - What the system asks

    public override var preferredStatusBarStyle: UIStatusBarStyle {
        flow.scene.hasLightStatusBar ? .lightContent : .darkContent
    }

    public override var supportedInterfaceOrientations: UIInterfaceOrientationMask {
        UIInterfaceOrientationMask(flow.page.presentation.orientations).within(self)
    }

    // MARK: - Events and actions

    /// Hands an event to the flow and does what it says.
    func send(_ event: PageEvent) {
        for action in flow.handle(event, at: clock.now()) { perform(action) }
    }

    /// Draws for the screen as it is now, when that is a size a page can have.
    func measureScreen() {
        guard isViewLoaded, view.window != nil else { return }
        send(.screenChanged(PageScreen(of: view, language: language)))
        if drawn == nil { apply(flow.scene) }
    }

    private func perform(_ action: PageAction) {
        switch action {
        case .draw(let scene): if isViewLoaded { apply(scene) }
        case .askLogin:
            readPlacements()
            send(.loginAnswered(callbacks.shouldLogIn?() ?? true))
        case .askHint: send(.hintAnswered(callbacks.tickMissing?() ?? true))
        case .announce(let text): UIAccessibility.post(notification: .announcement, argument: text)
        case .shakeTerms(let shake): agreement.shake(shake)
        case .endHintLater: clock.after(2) { [weak self] in self?.send(.hintEnded) }
        case .openTerms(let link): open(link)
        case .report(let report): self.report(report)
        case .decide(let decision): callbacks.decided?(decision)
        case .close: close(animated: flow.page.presentation.isAnimated)
        }
    }

    private func report(_ report: PageReport) {
        switch report {
        case .loginTapped(let isTicked): callbacks.loginTapped?(isTicked)
        case .tickChanged(let isTicked): callbacks.tickChanged?(isTicked)
        // The app is asked for it, by ``PageCallbacks/tickMissing``.
        case .tickMissing: break
        case .switchTapped: callbacks.switchTapped?()
        case .backTapped: callbacks.backTapped?()
        case .closeTapped: callbacks.closeTapped?()
        case .outsideTapped: callbacks.outsideTapped?()
        case .dialogShown:
            UIAccessibility.post(notification: .screenChanged, argument: nil)
            callbacks.dialogShown?()
        case .dialogAnswered(let agreed): callbacks.dialogAnswered?(agreed)
        case .loadingStarted:
            UIAccessibility.post(notification: .announcement, argument: flow.scene[.loading]?.label)
            if let container = boxView(.loadingMask) { callbacks.loadingStarted?(container) }
        case .loadingStopped: if let container = boxView(.loadingMask) { callbacks.loadingStopped?(container) }
        case .findings(let findings): callbacks.findings?(findings)
        }
    }

    /// The page has left the screen for good. What the app's closures hold is let go, since they often hold the page.
    func leave() {
        visit.didLeave()
        send(.gone)
        callbacks = PageCallbacks()
        closeHandler = nil
        attachment = nil
    }
}

extension PageStrictness {
    /// Every error while an app is developed; in an app that people use, what would make their consent void.
    public static var automatic: PageStrictness {
        #if DEBUG
        .everyError
        #else
        .voidConsent
        #endif
    }
}
#endif
