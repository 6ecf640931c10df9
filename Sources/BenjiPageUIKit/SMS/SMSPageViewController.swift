#if canImport(UIKit)
public import BenjiPage
public import UIKit

/// Shows the page of a login by SMS, which looks like the app's authorization page.
///
/// It draws what a ``BenjiPage/PageScene`` says and hands everything that happens to an ``BenjiPage/SMSPageFlow``; it
/// decides nothing. Make one for each login.
@MainActor public final class SMSPageViewController: UIViewController {
    /// The page's requests.
    public var callbacks: SMSPageCallbacks
    /// An object that is kept as long as the page: its end shows that the page is gone.
    public var attachment: AnyObject?

    let supplies: PageSupplies
    let clock: PageClock
    private let language: Language
    let fonts: PageFonts
    private(set) var flow: SMSPageFlow<FontMeasure>

    // The views on the screen.
    let panel = PassthroughView(frame: .zero)
    let agreement = AgreementView(frame: .zero)
    let numberField = UITextField(frame: .zero)
    let codeField = UITextField(frame: .zero)
    private(set) var boxViews: [PageRole: PageBoxView] = [:]
    private var isStatusBarLight: Bool?
    private var keyboardTop: CGFloat?
    private var keyboardWatch: (any NSObjectProtocol)?
    private let visit = PageVisit()

    /// - Parameters:
    ///   - page: what the app decided about its authorization page.
    ///   - supplies: pictures that the description names.
    ///   - callbacks: what the page asks for.
    ///   - strictness: which broken rules keep it from being used; see ``BenjiPage/PageStrictness/automatic``.
    ///   - language: the page's language; without one, the first of the person's languages that pages have.
    ///   - clock: the time.
    /// - Throws: the first thing in the page that cannot be laid out.
    public init(
        _ page: PageDescription, supplies: PageSupplies = PageSupplies(), callbacks: SMSPageCallbacks,
        strictness: PageStrictness = .automatic, language: Language? = nil, clock: PageClock = .system
    ) throws(PageError) {
        let language = language ?? .preferred()
        let measure = FontMeasure(typeface: supplies.font)
        fonts = measure.fonts
        // A screen to begin with; the real one is known when the page has a place.
        let screen = PageScreen(393, 852, safeArea: PageInsets(top: 59, bottom: 34), language: language)
        flow = try SMSPageFlow(page, screen: screen, strictness: strictness, measuredBy: measure)
        self.language = language
        self.supplies = supplies
        self.callbacks = callbacks
        self.clock = clock
        super.init(nibName: nil, bundle: nil)
        let presentation = page.presentation
        modalPresentationStyle = UIModalPresentationStyle(presentation.coverage)
        modalPresentationCapturesStatusBarAppearance = true
        if UIAccessibility.isReduceMotionEnabled { modalTransitionStyle = .crossDissolve }
        switch presentation.appearance {
        case .automatic: break
        case .light: overrideUserInterfaceStyle = .light
        case .dark: overrideUserInterfaceStyle = .dark
        }
    }

    @available(*, unavailable) public required init?(coder: NSCoder) { fatalError("a page is made in code") }

    // MARK: - For the presenter

    /// The boxes that are on the screen.
    public var scene: PageScene { flow.scene }

    /// The boxes that were on the screen when the person agreed.
    public var agreedScene: PageScene? { flow.agreedScene }

    /// The page's content, in words.
    ///
    /// - Parameter policyVersion: as it came with the code.
    public func content(policyVersion: String) -> PageContent { flow.content(policyVersion: policyVersion) }

    /// A code is out.
    ///
    /// - Parameters:
    ///   - digits: how many it has.
    ///   - tries: how many wrong ones are forgiven, where that is known.
    public func codeSent(digits: Int, tries: Int?) { send(.codeSent(digits: digits, tries: tries)) }

    /// No code was sent, or no token given: the person is told why and may try again.
    public func refused(_ refusal: SMSPageRefusal) { send(.refused(refusal)) }

    /// Shows the page over a controller that is on screen, or pushes it onto its navigation stack, as the description
    /// says.
    ///
    /// - Throws: why it was not shown. Nothing has changed then.
    public func show(from host: UIViewController) throws(PagePresentationError) {
        guard flow.phase == .waiting, presentingViewController == nil, parent == nil else { throw .alreadyShown }
        let (top, window) = try host.topForPage()
        send(.screenChanged(PageScreen(of: window, language: language)))
        if let refusal = flow.refusal { throw .refused(refusal) }
        let presentation = flow.page.presentation
        if presentation.style == .push {
            try top.push(page: self, animated: presentation.isAnimated)
        } else {
            top.present(self, animated: presentation.isAnimated)
        }
    }

    /// Takes the page down, with whatever it has put over itself. Calling it again, or for a page that is gone, does no
    /// harm.
    public func close(animated: Bool, completion: (() -> Void)? = nil) {
        visit.close(self, animated: animated, completion: completion)
    }

    // MARK: - The life of a controller

    public override func loadView() {
        // A tap beside everything ends the typing.
        let ground = UIControl(frame: UIWindow.startBounds)
        ground.addAction(UIAction { [weak self] _ in self?.view.endEditing(true) }, for: .touchUpInside)
        view = ground
    }

    public override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .clear
        panel.accessibilityIdentifier = "benji.panel"
        view.addSubview(panel)
        panel.addSubview(agreement)
        configure(numberField, .phonePad, .telephoneNumber) { .numberTyped($0) }
        configure(codeField, .numberPad, .oneTimeCode) { .codeTyped($0) }
        keyboardWatch = NotificationCenter.default.addObserver(
            forName: UIResponder.keyboardWillChangeFrameNotification, object: nil, queue: nil
        ) { [weak self] note in
            let frame = note.userInfo?[UIResponder.keyboardFrameEndUserInfoKey] as? CGRect
            MainActor.assumeIsolated { self?.keyboardMoved(to: frame) }
        }
    }

    private func configure(
        _ field: UITextField, _ keyboard: UIKeyboardType, _ content: UITextContentType,
        _ event: @escaping @MainActor (String) -> SMSPageEvent
    ) {
        field.keyboardType = keyboard
        field.textContentType = content
        field.addAction(
            UIAction { [weak self, weak field] _ in self?.send(event(field?.text ?? "")) }, for: .editingChanged)
    }

    public override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        visit.willAppear(self, animated)
    }

    public override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        measureScreen()
        send(.appeared)
        visit.didAppear()
    }

    public override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        visit.willDisappear(self, animated)
    }

    public override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        if isLeaving { leave() }
    }

    public override func didMove(toParent parent: UIViewController?) {
        super.didMove(toParent: parent)
        if parent == nil { leave() }
    }

    public override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        measureScreen()
    }

    public override func viewSafeAreaInsetsDidChange() {
        super.viewSafeAreaInsetsDidChange()
        measureScreen()
    }

    public override func traitCollectionDidChange(_ previous: UITraitCollection?) {
        super.traitCollectionDidChange(previous)
        measureScreen()
    }

    public override func accessibilityPerformEscape() -> Bool {
        guard flow.phase != .closed, flow.phase != .waiting else { return false }
        send(.backTapped)
        return true
    }

    public override var preferredStatusBarStyle: UIStatusBarStyle {
        flow.scene.hasLightStatusBar ? .lightContent : .darkContent
    }

    public override var supportedInterfaceOrientations: UIInterfaceOrientationMask {
        UIInterfaceOrientationMask(flow.page.presentation.orientations).within(self)
    }

    // MARK: - Events and actions

    /// Hands an event to the flow and does what it says.
    func send(_ event: SMSPageEvent) {
        for action in flow.handle(event, at: clock.now()) { perform(action) }
    }

    private func measureScreen() {
        guard isViewLoaded, view.window != nil else { return }
        send(.screenChanged(PageScreen(of: view, language: language)))
        if boxViews.isEmpty { apply(flow.scene) }
    }

    private func perform(_ action: SMSPageAction) {
        switch action {
        case .draw(let scene): if isViewLoaded { apply(scene) }
        case .showCode(let text): codeField.text = text
        case .focus(let role): if isViewLoaded { (role == .codeField ? codeField : numberField).becomeFirstResponder() }
        case .announce(let text): UIAccessibility.post(notification: .announcement, argument: text)
        case .shakeTerms(let shake): agreement.shake(shake)
        case .endSecondLater: clock.after(1) { [weak self] in self?.send(.secondPassed) }
        case .openTerms(let link): open(link)
        case .sendCode(let number): callbacks.sendCode?(number)
        case .logIn(let digits, let times):
            view.endEditing(true)
            callbacks.logIn?(digits, times)
        case .decide(let decision): callbacks.decided?(decision)
        case .close: close(animated: flow.page.presentation.isAnimated)
        }
    }

    private func open(_ link: PageTermsLink) {
        guard let url = URL(string: link.url) else { return }
        view.endEditing(true)
        let terms = TermsViewController(
            url, title: link.title, page: flow.page.webPage, scene: flow.scene, supplies, fonts)
        terms.overrideUserInterfaceStyle = overrideUserInterfaceStyle
        terms.gone = { [weak self] in
            if let self, isLeaving { leave() }
        }
        if let stack = parent as? UINavigationController {
            stack.pushViewController(terms, animated: flow.page.presentation.isAnimated)
        } else if presentedViewController == nil {
            terms.modalPresentationStyle = flow.page.webPage.back.isHidden ? .pageSheet : .fullScreen
            present(terms, animated: flow.page.presentation.isAnimated)
        }
    }

    /// The page has left the screen for good.
    private func leave() {
        visit.didLeave()
        if let keyboardWatch { NotificationCenter.default.removeObserver(keyboardWatch) }
        keyboardWatch = nil
        send(.gone)
        callbacks = SMSPageCallbacks()
        attachment = nil
    }

    // MARK: - Drawing

    private func apply(_ scene: PageScene) {
        let area = agreementArea(scene)
        var order: [PageBoxView] = []
        var shown: [PageRole: PageBoxView] = [:]
        for box in scene.boxes {
            let view = boxViews[box.role] ?? makeBoxView(box.role)
            let isAgreement = box.role == .tick || box.role == .terms
            view.apply(
                box, fonts, frame: CGRect(box.frame, in: isAgreement ? area : PageRect(0, 0, 0, 0)),
                pressedLinkColor: flow.page.terms.pressedLinkColor[scene.appearance], keepsFrame: false)
            fill(view, box, scene)
            shown[box.role] = view
            order.append(view)
        }
        for (role, view) in boxViews where shown[role] == nil { view.removeFromSuperview() }
        boxViews = shown
        agreement.frame = CGRect(area)
        placePanel(scene)
        arrange(order)
        if isStatusBarLight != scene.hasLightStatusBar { setNeedsStatusBarAppearanceUpdate() }
        isStatusBarLight = scene.hasLightStatusBar
    }

    private func agreementArea(_ scene: PageScene) -> PageRect {
        guard let tick = scene[.tick]?.frame, let terms = scene[.terms]?.frame else { return PageRect(0, 0, 0, 0) }
        let (left, top) = (min(tick.x, terms.x), min(tick.y, terms.y))
        return PageRect(left, top, max(tick.maxX, terms.maxX) - left, max(tick.maxY, terms.maxY) - top)
    }

    /// In the order of the scene, in which VoiceOver goes through the page as well.
    private func arrange(_ order: [PageBoxView]) {
        var views: [UIView] = []
        for view in order {
            guard view.role == .tick || view.role == .terms else {
                views.append(view)
                continue
            }
            if view.superview !== agreement { agreement.addSubview(view) }
            if !views.contains(where: { $0 === agreement }) { views.append(agreement) }
        }
        if !panel.subviews.elementsEqual(views, by: ===) {
            for (index, child) in views.enumerated() { panel.insertSubview(child, at: index) }
        }
        panel.accessibilityElements = order
    }

    private func makeBoxView(_ role: PageRole) -> PageBoxView {
        let view = PageBoxView(role)
        if let event = Self.events[role] {
            view.addAction(UIAction { [weak self] _ in self?.send(event) }, for: .touchUpInside)
        }
        if role == .login { view.pressed = { [weak self] in self?.send(.loginPressed($0)) } }
        if role == .terms { view.linkTapped = { [weak self] in self?.send(.linkTapped($0)) } }
        return view
    }

    private static let events: [PageRole: SMSPageEvent] = [
        .back: .backTapped, .sendCode: .sendTapped, .login: .loginTapped, .switchAccount: .switchTapped,
        .tick: .tickTapped,
    ]

    private func fill(_ view: PageBoxView, _ box: PageBox, _ scene: PageScene) {
        view.showPicture(of: box, scene, supplies, tickColor: flow.page.terms.linkColor[scene.appearance])
        switch box.role {
        case .numberField: place(numberField, in: view, box, scene)
        case .codeField: place(codeField, in: view, box, scene)
        case .backgroundGIF, .backgroundVideo:
            view.showFilm(of: box, supplies, repeats: flow.page.background.repeats)
        case .loading:
            view.fill("") {
                let spinner = UIActivityIndicatorView(style: .large)
                spinner.startAnimating()
                return spinner
            }
        default: break
        }
    }

    /// The system's own field stands where the scene has its words, and shows them until the person types.
    private func place(_ field: UITextField, in view: PageBoxView, _ box: PageBox, _ scene: PageScene) {
        guard let words = box.text else { return }
        view.drawnText.isHidden = true
        view.fill("field") {
            let holder = UIView(frame: view.bounds)
            holder.addSubview(field)
            return holder
        }
        field.frame = CGRect(
            x: box.textOrigin.width, y: 0, width: box.frame.width - 2 * box.textOrigin.width, height: box.frame.height)
        field.font = fonts.font(words.font)
        field.textColor = UIColor(PageColor(scene.appearance == .dark ? 0xffffff : 0x000000))
        field.attributedPlaceholder = NSAttributedString(
            string: words.text,
            attributes: [.font: fonts.font(words.font), .foregroundColor: UIColor(words.color)])
        // Input is disabled while the server gets the content to which the person agreed.
        field.isUserInteractionEnabled = scene[.loadingMask] == nil
        field.accessibilityLabel = box.label
        field.accessibilityIdentifier = "benji." + box.role.rawValue + ".text"
    }

    // MARK: - The keyboard

    private func keyboardMoved(to frame: CGRect?) {
        guard let frame, isViewLoaded, let window = view.window else { return }
        let top = view.convert(frame, from: window).minY
        keyboardTop = top < view.bounds.height ? top : nil
        placePanel(flow.scene)
    }

    private func placePanel(_ scene: PageScene) {
        var rise = 0.0
        if let keyboardTop {
            let role: PageRole = codeField.isFirstResponder ? .codeField : .numberField
            rise = scene.rise(aboveKeyboardAt: CGFloat.points(keyboardTop), typingIn: role)
        }
        panel.frame = CGRect(x: 0, y: -rise, width: scene.screen.size.width, height: scene.screen.size.height)
    }
}

extension UIWindow {
    /// A size for views before they have a place.
    fileprivate static var startBounds: CGRect { CGRect(x: 0, y: 0, width: 393, height: 852) }
}
#endif
