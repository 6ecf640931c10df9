#if canImport(UIKit)
public import BenjiPage
public import UIKit

/// A base class for apps that draw the authorization page themselves (China Mobile's document, 2.4.3).
///
/// Lay the page out as you like: masked number or the words 本机号码, a login button with its wording, and the carrier's
/// terms. Before a token is requested, ``review()`` reads the views from the screen. It holds them against rules 1 to 7
/// of China Mobile's document. A view that is hidden, transparent, covered, cut off, too small or off the screen does
/// not count as shown.
///
/// Views are recognised by what they say. Where that is not enough, say what they are with ``declare(_:as:links:)``.
@MainActor open class AppDrawnPageViewController: UIViewController {
    /// The facts from the prefetch; set them before the page is shown.
    public var facts: PageFacts?
    /// The time.
    public var clock = PageClock.system

    /// The rules that the page must keep.
    package var profile = PageProfile.documentsOwnPage

    private var declared: [ObjectIdentifier: ViewSnapshot.Declaration] = [:]
    private var shownAt: Int64?
    private var tickedAt: Int64?
    /// Whether the declared tick was set when the page appeared.
    package private(set) var isTickedAtFirst = false
    private weak var tick: UIControl?

    public override init(nibName: String?, bundle: Bundle?) { super.init(nibName: nibName, bundle: bundle) }

    public required init?(coder: NSCoder) { super.init(coder: coder) }

    /// Declares the role of a view whose words do not show it: an image for a button, or terms without an address in
    /// their text.
    ///
    /// - Parameters:
    ///   - role: `number`, `slogan`, `login`, `terms` or `tick`; no other view has that role any more. The tick is a
    ///     control that is `isSelected` when it is set.
    ///   - links: the titles in it and where they lead.
    public func declare(_ view: UIView, as role: PageRole, links: [TextBlock.Link] = []) {
        declared[ObjectIdentifier(view)] = ViewSnapshot.Declaration(role: role, links: links)
        guard role == .tick, let control = view as? UIControl else { return }
        tick = control
        control.addAction(
            UIAction { [weak self] _ in
                // The app's own action may come after this one: what the tick is then is asked at the review.
                self?.tickedAt = self?.clock.now()
            }, for: [.touchUpInside, .valueChanged])
    }

    open override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        guard shownAt == nil else { return }
        shownAt = clock.now()
        isTickedAtFirst = tick?.isSelected == true
    }

    /// Reads the page as it is on the screen, at the moment when the person has tapped.
    ///
    /// - Throws: why the page may not be used, in all builds alike. A person does not agree to unseen content.
    public func review() throws(PageRefusal) -> AppDrawnPage {
        let now = clock.now()
        let snapshot = try ViewSnapshot(reviewing: self, facts: facts, declared: declared, profile: profile)
        let shown = shownAt ?? now
        let ticked = tick?.isSelected == true ? min(now, max(shown, tickedAt ?? shown)) : now
        return AppDrawnPage(
            scene: snapshot.scene, texts: snapshot.texts, links: snapshot.links,
            isInitiallyTicked: isTickedAtFirst,
            times: PageTimes(shown: shown, ticked: ticked, tapped: now))
    }
}

/// The content of an app's own page, as read from its views.
public struct AppDrawnPage: Hashable, Sendable {
    /// Its boxes: evidence.
    public var scene: PageScene
    /// Its texts from top to bottom, the number as ``BenjiPage/PageContent/numberPlaceholder``.
    public var texts: [PageContent.Text]
    /// The linked terms.
    public var links: [TextBlock.Link]
    /// Whether the declared tick was set before anybody touched it.
    public var isInitiallyTicked: Bool
    /// When it was shown, ticked and tapped. A page without a declared tick counts as ticked by the tap.
    public var times: PageTimes
}

extension AppDrawnPage {
    /// The same for a page whose view controller has another base class, at the moment when the person has tapped.
    ///
    /// - Parameters:
    ///   - shownAt: when the page appeared; `nil` when that was not recorded.
    ///   - clock: the time.
    @MainActor package init(
        of controller: UIViewController, facts: PageFacts, shownAt: Int64?, clock: PageClock = .system
    ) throws(PageRefusal) {
        let now = clock.now()
        let snapshot = try ViewSnapshot(reviewing: controller, facts: facts, declared: [:])
        self.init(
            scene: snapshot.scene, texts: snapshot.texts, links: snapshot.links, isInitiallyTicked: false,
            times: PageTimes(shown: min(shownAt ?? now, now), ticked: now, tapped: now))
    }
}
#endif
