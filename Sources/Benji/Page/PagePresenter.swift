#if canImport(UIKit)
public import BenjiClient
public import BenjiPage
public import BenjiPageUIKit
public import UIKit

/// Shows an authorization page from a view controller, and turns what the person does into what a login attempt asks
/// for.
///
/// ``PhoneLogin/logIn(from:page:supplies:callbacks:offersSMS:)`` makes one for each login. Make one yourself to decide
/// when the page closes. It stays open after the person has agreed, and a second login with the same presenter uses the
/// open page again. A person whose login failed can then try again.
@MainActor public final class PagePresenter: AuthorizationPresenter {
    /// How the page is drawn, judged and shown.
    public struct Options {
        /// The rules to hold the page against.
        public var profile = PageProfile.current
        /// Which broken rules keep it from being used.
        public var strictness = PageStrictness.automatic
        /// Whether it is shown while the app shares an iPad's screen with another one. A page is laid out and judged
        /// for any width; without this the login ends in ``BenjiProtocol/Situation/splitViewUnsupported``.
        public var showsInSplitView = true
        /// The page's language; without one, the first of the person's languages that pages have.
        public var language: Language?
        /// The time.
        public var clock: PageClock

        @MainActor public init() { clock = .system }
    }

    private weak var host: UIViewController?
    private let description: PageDescription
    private let supplies: PageSupplies
    private let callbacks: PageCallbacks
    private let options: Options

    /// The page, while it is on the screen.
    public private(set) weak var page: AuthorizationPageViewController?
    private let wait = PresentationWait()
    /// Number of the current page; callbacks of earlier ones are ignored.
    private var generation = 0

    /// - Parameters:
    ///   - host: the view controller that shows the page; kept weakly.
    ///   - description: what the app decides about the page.
    ///   - supplies: pictures and views that the description names.
    ///   - callbacks: what the app wants to hear. Its `decided` is called as well.
    public init(
        from host: UIViewController, page description: PageDescription, supplies: PageSupplies = PageSupplies(),
        callbacks: PageCallbacks = PageCallbacks(), options: Options = Options()
    ) {
        self.host = host
        self.description = description
        self.supplies = supplies
        self.callbacks = callbacks
        self.options = options
    }

    /// See ``BenjiClient/AuthorizationPresenter/present(_:)``.
    public func present(_ offer: PageOffer) async -> PresentationOutcome {
        let outcome = await wait.outcome { open(PageFacts(offer)) }
        if Task.isCancelled { page?.close(animated: false) }
        return outcome
    }

    /// Takes the page down and comes back when it is gone. A page that is gone already is no error.
    public func close(animated: Bool = true) async {
        guard let page else { return }
        await withCheckedContinuation { continuation in
            page.close(animated: animated) { continuation.resume() }
        }
    }

    /// Lets the person try again after a login that has failed.
    public func stopLoading() { page?.stopLoading() }

    /// Shows a page, or uses the one that is open. Answers how that ended if there is none.
    private func open(_ facts: PageFacts) -> PresentationOutcome? {
        if let page, page.isOpen, page.facts == facts {
            page.stopLoading()
            return nil
        }
        guard let host else { return .failed("the view controller that should show the authorization page is gone") }
        guard options.showsInSplitView || host.viewIfLoaded?.window?.sharesScreen != true else { return .sharesScreen }
        // The carrier or the number has changed, so the page on the screen is no longer true.
        generation += 1
        let number = generation
        page?.close(animated: false)
        do {
            let page = try AuthorizationPageViewController(
                description, facts: facts, supplies: supplies, callbacks: listening(number), profile: options.profile,
                strictness: options.strictness, language: options.language, clock: options.clock)
            page.attachment = PageEnding { [weak self] in self?.decide(.cancelled, number) }
            try page.show(from: host)
            self.page = page
            return nil
        } catch let error as PagePresentationError {
            return .failed(error.description)
        } catch {
            let reason = error as? PageError ?? PageError(place: "$", problem: "\(error)")
            return .failed(PagePresentationError.invalid(reason).description)
        }
    }

    private func listening(_ number: Int) -> PageCallbacks {
        var callbacks = callbacks
        let app = callbacks.decided
        callbacks.decided = { [weak self] decision in
            app?(decision)
            self?.decide(decision, number)
        }
        return callbacks
    }

    private func decide(_ decision: PageDecision, _ number: Int) {
        guard number == generation else { return }
        switch decision {
        case .consented(let times):
            guard let page else { return wait.finish(.cancelled) }
            wait.finish(.consented(PageConsent(page.content, scene: page.agreedScene, times: times)))
        case .cancelled: wait.finish(.cancelled)
        case .switchAccount: wait.finish(.switchAccount)
        case .refused(let refusal): wait.finish(.failed(refusal.description))
        }
    }
}
#endif
