#if canImport(UIKit)
import BenjiPage
import UIKit

/// Which box a view draws: there may be several of one role.
struct BoxKey: Hashable {
    var role: PageRole
    var number: Int
}

extension AuthorizationPageViewController {
    func boxView(_ role: PageRole) -> PageBoxView? { boxViews[BoxKey(role: role, number: 0)] }

    /// Draws a scene. Views live as long as their box is on the page, so that a GIF goes on playing and VoiceOver keeps
    /// its place.
    func apply(_ scene: PageScene) {
        let isNewScreen = drawn?.screen != scene.screen
        let wasLight = drawn?.hasLightStatusBar
        drawn = scene
        panel.frame = CGRect(scene.viewport)
        dialogLayer.frame = view.bounds
        let keepsFrames = callbacks.layout != nil && !isNewScreen
        placeAgreement(scene, keepsFrames)

        var counts: [PageRole: Int] = [:]
        var shown: [BoxKey: PageBoxView] = [:]
        var order: [PageBoxView] = []
        for box in scene.boxes {
            let key = BoxKey(role: box.role, number: counts[box.role, default: 0])
            counts[box.role, default: 0] += 1
            let view = boxViews[key] ?? makeBoxView(box.role)
            let origin = origin(of: box.role, scene)
            view.apply(
                box, fonts, frame: CGRect(box.frame, in: PageRect(origin.x, origin.y, 0, 0)),
                pressedLinkColor: flow.page.terms.pressedLinkColor[scene.appearance],
                // Views that appear only for a while are always placed by Benji.
                keepsFrame: keepsFrames && boxViews[key] != nil)
            fill(view, box, scene)
            shown[key] = view
            order.append(view)
        }
        for (key, view) in boxViews where shown[key] == nil { view.removeFromSuperview() }
        boxViews = shown
        arrange(order, scene)
        if isNewScreen { callbacks.layout?(views) }
        if wasLight != scene.hasLightStatusBar { setNeedsStatusBarAppearanceUpdate() }
    }

    /// The views by name, for apps that lay them out.
    public var views: PageViews {
        PageViews(
            page: view, content: panel, backgroundImage: boxView(.backgroundImage),
            navigationBar: boxView(.navigationBar), back: boxView(.back), title: boxView(.title), logo: boxView(.logo),
            number: boxView(.number), switchAccount: boxView(.switchAccount), login: boxView(.login),
            slogan: boxView(.slogan), agreement: agreement, tick: boxView(.tick), terms: boxView(.terms),
            close: boxView(.close))
    }

    // MARK: - Where a view lies

    private func parent(of role: PageRole) -> UIView {
        switch role {
        case .mask: view
        case .tick, .terms: agreement
        case .dialogMask, .dialog, .dialogTitle, .dialogTerms, .dialogAgree, .dialogDisagree: dialogLayer
        default: panel
        }
    }

    /// Where the parent's top left corner is on the screen.
    private func origin(of role: PageRole, _ scene: PageScene) -> (x: Double, y: Double) {
        let parent = parent(of: role)
        if parent === panel { return (scene.viewport.x, scene.viewport.y) }
        guard parent === agreement else { return (0, 0) }
        let area = agreementArea(scene)
        return (area.x, area.y)
    }

    /// Around tick and terms, so that they move together.
    private func agreementArea(_ scene: PageScene) -> PageRect {
        let frames = [scene[.tick]?.frame, scene[.terms]?.frame].compactMap { $0 }
        guard var area = frames.first else { return PageRect(0, 0, 0, 0) }
        for frame in frames {
            let left = min(area.x, frame.x)
            let top = min(area.y, frame.y)
            area = PageRect(left, top, max(area.maxX, frame.maxX) - left, max(area.maxY, frame.maxY) - top)
        }
        return area
    }

    private func placeAgreement(_ scene: PageScene, _ keepsFrame: Bool) {
        if !keepsFrame { agreement.frame = CGRect(agreementArea(scene), in: scene.viewport) }
        guard callbacks.customArea != nil else { return }
        var area = CGRect(scene.viewport, in: scene.viewport)
        if !scene.isPopup {
            let top = scene[.navigationBar]?.frame.maxY ?? scene.screen.safeArea.top
            area = CGRect(x: 0, y: top, width: area.width, height: area.height - top)
        }
        customArea.frame = area
        if !hasCustomArea {
            hasCustomArea = true
            callbacks.customArea?(customArea)
        }
    }

    /// Puts the views into their parents in the order of the scene; views that the app added itself stay in front.
    private func arrange(_ order: [PageBoxView], _ scene: PageScene) {
        var wanted: [ObjectIdentifier: (parent: UIView, views: [UIView])] = [:]
        func add(_ child: UIView, to parent: UIView) {
            let known = wanted[ObjectIdentifier(parent)]?.views ?? []
            if !known.contains(where: { $0 === child }) {
                wanted[ObjectIdentifier(parent)] = (parent, known + [child])
            }
        }
        for child in order {
            let parent = parent(of: child.role)
            if parent === agreement { add(agreement, to: panel) }
            let isOverlay = [.hint, .loadingMask, .loading].contains(child.role)
            if isOverlay, callbacks.customArea != nil { add(customArea, to: panel) }
            add(child, to: parent)
        }
        if callbacks.customArea != nil { add(customArea, to: panel) }
        if scene[.mask] != nil { add(panel, to: view) }
        for (parent, views) in wanted.values {
            let present = parent.subviews.filter { child in views.contains { $0 === child } }
            if present.elementsEqual(views, by: ===) { continue }
            for (index, child) in views.enumerated() { parent.insertSubview(child, at: index) }
        }
        // VoiceOver goes through the page in the order in which it is drawn.
        panel.accessibilityElements =
            order.filter { parent(of: $0.role) !== view && $0.superview !== dialogLayer }
            + (callbacks.customArea == nil ? [] : [customArea])
        dialogLayer.isHidden = scene[.dialog] == nil
    }

    // MARK: - Contents of a box

    private func makeBoxView(_ role: PageRole) -> PageBoxView {
        let view = PageBoxView(role)
        if let event = Self.events[role] {
            view.addAction(UIAction { [weak self] _ in self?.send(event) }, for: .touchUpInside)
        }
        if role == .login { view.pressed = { [weak self] in self?.send(.loginPressed($0)) } }
        if role == .terms || role == .dialogTerms {
            view.linkTapped = { [weak self] in self?.send(.linkTapped($0)) }
        }
        return view
    }

    private static let events: [PageRole: PageEvent] = [
        .mask: .outsideTapped, .back: .backTapped, .close: .closeTapped, .login: .loginTapped,
        .switchAccount: .switchTapped, .tick: .tickTapped, .dialogMask: .dialogOutsideTapped,
        .dialogAgree: .dialogAgreed, .dialogDisagree: .dialogDisagreed,
    ]

    private func fill(_ view: PageBoxView, _ box: PageBox, _ scene: PageScene) {
        view.showPicture(of: box, scene, supplies, tickColor: flow.page.terms.linkColor[scene.appearance])
        switch box.role {
        case .backgroundGIF, .backgroundVideo:
            view.showFilm(of: box, supplies, repeats: flow.page.background.repeats)
        case .loading:
            view.isHidden = callbacks.loadingStarted != nil
            view.fill(box.slot ?? "") { box.slot.flatMap { supplies.view($0) } ?? spinner() }
        default: if let name = box.slot { view.fill(name) { supplies.view(name) } }
        }
        // The app's own view in a mask or a bar must not take the mask's taps.
        if box.role == .mask { view.content?.isUserInteractionEnabled = false }
    }

    private func spinner() -> UIView {
        let spinner = UIActivityIndicatorView(style: .large)
        spinner.startAnimating()
        return spinner
    }
}

/// Lets taps through where nothing in it takes them.
class PassthroughView: UIView {
    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        let hit = super.hitTest(point, with: event)
        return hit === self ? nil : hit
    }
}

/// Holds tick and terms. The tick may be tapped a little beside its box, and so beside this view.
final class AgreementView: PassthroughView {
    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        subviews.contains { $0.point(inside: $0.convert(point, from: self), with: event) }
    }

    /// Moves the terms to and fro, but not for people who asked for less motion.
    func shake(_ shake: PageDescription.Terms.Shake) {
        guard shake != .none, !UIAccessibility.isReduceMotionEnabled else { return }
        let axis = shake == .horizontal ? "x" : "y"
        let animation = CAKeyframeAnimation(keyPath: "transform.translation." + axis)
        animation.values = [0, -8, 8, -6, 6, -3, 3, 0].map { NSNumber(value: $0) }
        animation.duration = 0.4
        layer.add(animation, forKey: "benji.shake")
    }
}
#endif
