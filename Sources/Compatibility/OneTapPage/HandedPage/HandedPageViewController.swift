#if canImport(UIKit)
import BenjiPage
import BenjiPageUIKit
import OneTapPageTypes
import UIKit

/// The screen on which an app's own views are shown. It draws nothing but the sign that the token is on its way.
@MainActor final class HandedPageViewController: AppDrawnPageViewController {
    /// The login button was tapped.
    var loginTapped: (() -> Void)?
    /// The page has come and was laid out.
    var appeared: (() -> Void)?
    /// The page has left the screen for good.
    var left: (() -> Void)?
    /// An object that is kept as long as the page: its end shows that the page is gone.
    var attachment: AnyObject?

    private let views: HandedViews
    private let model: OneTapViewModel
    private let presentation: PageDescription.Presentation
    private let visit = PageVisit()
    private let loadingMask = UIView(frame: .zero)
    /// Where the tick stood when a finger came down on it.
    private var tickBefore: Bool?
    private var actions: [(UIControl, UIAction, UIControl.Event)] = []

    init(_ views: HandedViews, _ model: OneTapViewModel, facts: PageFacts) {
        self.views = views
        self.model = model
        presentation = model.vendor.page.presentation
        super.init(nibName: nil, bundle: nil)
        self.facts = facts
        profile = .handedViews
        modalPresentationStyle = model.modalPresentationStyle
        modalPresentationCapturesStatusBarAppearance = true
        switch presentation.appearance {
        case .automatic: break
        case .light: overrideUserInterfaceStyle = .light
        case .dark: overrideUserInterfaceStyle = .dark
        }
    }

    @available(*, unavailable) required init?(coder: NSCoder) { fatalError("a page is made in code") }

    /// Whether the tick is set.
    var isTicked: Bool { views.tick.isSelected }

    // MARK: coming and going

    func show(from host: UIViewController) throws(PagePresentationError) {
        let (top, _) = try host.topForPage()
        guard presentation.style == .push else { return top.present(self, animated: presentation.isAnimated) }
        try top.push(page: self, animated: presentation.isAnimated)
    }

    func close(animated: Bool, completion: @escaping () -> Void) {
        visit.close(self, animated: animated, completion: completion)
    }

    // MARK: the life of a controller

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .white
        views.content.frame = view.bounds
        views.content.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view.addSubview(views.content)
        for (view, role) in views.roles { declare(view, as: role) }
        listen()
        tell(.viewDidLoad, false)
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        visit.willAppear(self, animated)
        tell(.viewWillAppear, animated)
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        appeared?()
        tell(.viewDidAppear, animated)
        visit.didAppear()
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        visit.willDisappear(self, animated)
        tell(.viewWillDisappear, animated)
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        tell(.viewDidDisappear, animated)
        if isLeaving { leave() }
    }

    override func didMove(toParent parent: UIViewController?) {
        super.didMove(toParent: parent)
        // Taken off the stack from under something of the app's it does not disappear again.
        if parent == nil { leave() }
    }

    private func leave() {
        visit.didLeave()
        left?()
        // The app's blocks often hold the page.
        (loginTapped, appeared, left, attachment) = (nil, nil, nil, nil)
        // A second login may bring the same views.
        for (control, action, event) in actions { control.removeAction(action, for: event) }
        actions = []
    }

    private func tell(_ event: PageLifeCycle, _ isAnimated: Bool) {
        model.viewLifeCycleBlock?(event.rawValue, isAnimated)
    }

    override var preferredStatusBarStyle: UIStatusBarStyle { model.statusBarStyle }

    override var supportedInterfaceOrientations: UIInterfaceOrientationMask {
        model.supportedInterfaceOrientations.within(self)
    }

    // MARK: the finger

    private func listen() {
        on(views.login, .touchUpInside) { $0.loginTapped?() }
        on(views.tick, .touchDown) { $0.tickBefore = $0.views.tick.isSelected }
        on(views.tick, .touchUpInside) { $0.tickTapped() }
    }

    private func on(
        _ control: UIControl, _ event: UIControl.Event, _ act: @escaping @MainActor (HandedPageViewController) -> Void
    ) {
        let action = UIAction { [weak self] _ in if let self { act(self) } }
        control.addAction(action, for: event)
        actions.append((control, action, event))
    }

    /// The document does not define who sets the tick, app or SDK. By the next turn of the run loop the app's own
    /// action has been called, wherever it is in the queue. If the tick is then unchanged, it is changed here.
    private func tickTapped() {
        guard let before = tickBefore else { return }
        tickBefore = nil
        Task { @MainActor [weak self] in
            guard let tick = self?.views.tick, tick.isSelected == before else { return }
            tick.isSelected = !before
        }
    }

    // MARK: the sign that the token is on its way

    func startLoading() {
        guard loadingMask.superview == nil else { return }
        loadingMask.frame = view.bounds
        loadingMask.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view.addSubview(loadingMask)
        if let block = model.loadingViewBlock { return block(loadingMask) }
        let sign = UIActivityIndicatorView(style: .large)
        sign.frame.origin = CGPoint(
            x: loadingMask.bounds.midX - sign.bounds.width / 2, y: loadingMask.bounds.midY - sign.bounds.height / 2)
        sign.startAnimating()
        loadingMask.addSubview(sign)
    }

    func stopLoading() {
        guard loadingMask.superview != nil else { return }
        model.stopLoadingViewBlock?(loadingMask)
        for view in loadingMask.subviews { view.removeFromSuperview() }
        loadingMask.removeFromSuperview()
    }
}
#endif
