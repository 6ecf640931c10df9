/// Decides what an open page does: an event in, actions out. It knows no screen and no clock, so every walk through a
/// page is tested without them, and every renderer behaves the same.
///
/// ```
/// waiting ── appeared ──> open ── login ──> submitted ── loadingStopped ──> open
///    └─ refused ─┐          └──── back, close, tap outside, gone ────> closed
///                └──> closed
/// ```
public struct PageFlow<Measure: TextMeasuring> {
    /// How far the page is.
    public enum Phase: Hashable, Sendable {
        /// Not on screen yet.
        case waiting
        /// The person may do something.
        case open
        /// The person has agreed; the app is at work.
        case submitted
        /// Nothing happens any more.
        case closed
    }

    /// The app's description, with the app's changes since.
    public private(set) var page: PageDescription
    /// The facts from the prefetch.
    public let facts: PageFacts
    /// Where it is shown.
    public private(set) var screen: PageScreen
    /// Tick, hint, dialog and so on.
    public private(set) var state: PageState
    public private(set) var phase = Phase.waiting
    /// The boxes that are on the screen now.
    public private(set) var scene: PageScene
    /// Rules that the page breaks on this screen as it first appears.
    public private(set) var findings: [PageFinding] = []
    /// The boxes that were on the screen when the person agreed: evidence, digested outside.
    public private(set) var agreedScene: PageScene?
    /// The state of the page on the screen: boxes whose place or look differs from the layout, because the app has
    /// moved or hidden them. Read before the login button's tap is answered, and judged with the page.
    public var placements: [PagePlaced] = []
    /// Views that the app has put on the page beside what the description knows, likewise.
    public var appBoxes: [PageBox] = []

    private let profile: PageProfile
    private let strictness: PageStrictness
    private let measure: Measure
    private var shown: Int64 = 0
    private var ticked: Int64?
    private var latest: Int64 = 0
    /// Whether the app was asked and has not answered.
    private var isAsking = false

    /// - Throws: the first thing in page, facts or screen that reading would refuse.
    public init(
        _ page: PageDescription, facts: PageFacts, screen: PageScreen, profile: PageProfile = .current,
        strictness: PageStrictness, measuredBy measure: Measure
    ) throws(PageError) {
        self.page = page
        self.facts = facts
        self.screen = screen
        self.profile = profile
        self.strictness = strictness
        self.measure = measure
        state = PageState(of: page)
        scene = try PageScene(page, facts: facts, state: state, screen: screen, measuredBy: measure)
        findings = judge()
    }

    /// Why the page may not be used as it stands; ask before showing it.
    public var refusal: PageRefusal? { strictness.refusal(findings) }

    /// The page's content, in words.
    public var content: PageContent { PageContent(page, duties: facts.duties, language: screen.language) }

    /// Takes an event.
    ///
    /// - Parameter time: milliseconds since 1970 by the device's clock. A clock that was put back stands still here.
    public mutating func handle(_ event: PageEvent, at time: Int64) -> [PageAction] {
        latest = max(latest, time)
        guard phase != .closed else { return [] }
        switch event {
        case .appeared: return appear()
        case .screenChanged(let screen): return change(screen)
        case .gone: return leave()
        case .loadingStopped: return stopLoading()
        case .hintEnded: return hideHint()
        case .loginEnabled(let isEnabled):
            state.isLoginDisabled = !isEnabled
            return redraw()
        case .loginTitled(let title):
            page.loginButton.title = title
            let drawing = redraw()
            findings = judge()
            return drawing + reportFindings()
        case .tickSet(let isTicked):
            setTick(isTicked)
            return redraw()
        default: return phase == .open ? use(event) : []
        }
    }

    /// Answers the events of an open page.
    private mutating func use(_ event: PageEvent) -> [PageAction] {
        if state.isDialogShown { return answerDialog(event) }
        switch event {
        case .tickTapped: return tapTick()
        case .loginPressed(let isPressed):
            state.isLoginPressed = isPressed
            return redraw()
        case .loginTapped: return tapLogin()
        case .loginAnswered(let goesOn): return isAsking && goesOn ? submit() : forgetQuestion()
        case .hintAnswered(let shows): return shows ? showHint() : forgetQuestion()
        case .switchTapped: return [.decide(.switchAccount), .report(.switchTapped)]
        case .backTapped: return cancel(.backTapped)
        case .closeTapped: return cancel(.closeTapped)
        case .outsideTapped: return scene.closesOnOutsideTap ? cancel(.outsideTapped) : [.report(.outsideTapped)]
        case .linkTapped(let index): return open(index)
        default: return []
        }
    }

    // MARK: - Coming, turning and going

    private mutating func appear() -> [PageAction] {
        // Coming back from the terms is no second showing.
        guard phase == .waiting else { return [] }
        if let refusal {
            phase = .closed
            return reportFindings() + [.decide(.refused(refusal)), .close]
        }
        phase = .open
        shown = latest
        if state.isTicked { ticked = latest }
        return [.draw(scene)] + reportFindings()
    }

    private mutating func change(_ screen: PageScreen) -> [PageAction] {
        // A screen that no page fits on is one in the middle of a change.
        guard screen != self.screen, (try? screen.json()) != nil else { return [] }
        self.screen = screen
        let drawing = redraw()
        let before = findings
        findings = judge()
        return drawing + (findings == before ? [] : reportFindings())
    }

    private mutating func leave() -> [PageAction] {
        // A person who has agreed has decided already.
        let isUndecided = phase == .open || phase == .waiting
        phase = .closed
        return isUndecided ? [.decide(.cancelled)] : []
    }

    /// The decision comes first: an app that takes the page down when it is told has not cancelled anything by that.
    private mutating func cancel(_ report: PageReport) -> [PageAction] {
        phase = .closed
        return [.decide(.cancelled), .report(report), .close]
    }

    // MARK: - Tick, login and hint

    private mutating func setTick(_ isTicked: Bool) {
        guard isTicked != state.isTicked else { return }
        state.isTicked = isTicked
        ticked = isTicked ? latest : nil
    }

    private mutating func tapTick() -> [PageAction] {
        setTick(!state.isTicked)
        state.isHintShown = false
        return redraw() + [.report(.tickChanged(state.isTicked))]
    }

    private mutating func tapLogin() -> [PageAction] {
        guard scene[.login]?.isEnabled == true, !isAsking else { return [] }
        state.isLoginPressed = false
        let report = PageAction.report(.loginTapped(isTicked: state.isTicked))
        guard !state.isTicked else { return redraw() + [report] + ask(.askLogin) }
        if page.consentDialog != nil {
            state.isDialogShown = true
            state.isHintShown = false
            return redraw() + [report, .report(.tickMissing), .report(.dialogShown)]
        }
        var actions = redraw() + [report, .report(.tickMissing)]
        if page.terms.shake != .none { actions.append(.shakeTerms(page.terms.shake)) }
        return actions + ask(.askHint)
    }

    private mutating func ask(_ question: PageAction) -> [PageAction] {
        isAsking = true
        return [question]
    }

    private mutating func forgetQuestion() -> [PageAction] {
        isAsking = false
        return []
    }

    private mutating func submit() -> [PageAction] {
        isAsking = false
        // The views that the app has put on the page since are judged now, before the token is requested.
        findings = judge()
        if let refusal { return reportFindings() + [.decide(.refused(refusal))] }
        guard state.isTicked, let ticked else { return [] }
        phase = .submitted
        agreedScene = scene
        state.isLoading = true
        let times = PageTimes(shown: shown, ticked: ticked, tapped: latest)
        return redraw() + [.report(.loadingStarted), .decide(.consented(times))]
    }

    private mutating func showHint() -> [PageAction] {
        guard isAsking else { return [] }
        isAsking = false
        guard page.terms.hint.isShown, !state.isTicked else { return [] }
        state.isHintShown = true
        return redraw() + [.announce(page.terms.hint.text[screen.language]), .endHintLater]
    }

    private mutating func hideHint() -> [PageAction] {
        guard state.isHintShown else { return [] }
        state.isHintShown = false
        return redraw()
    }

    private mutating func stopLoading() -> [PageAction] {
        guard phase == .submitted else { return [] }
        phase = .open
        state.isLoading = false
        // The app first clears away what it put up.
        return [.report(.loadingStopped)] + redraw()
    }

    // MARK: - Dialog and terms

    private mutating func answerDialog(_ event: PageEvent) -> [PageAction] {
        switch event {
        case .dialogAgreed:
            state.isDialogShown = false
            setTick(true)
            return redraw() + [.report(.tickChanged(true)), .report(.dialogAnswered(true))] + ask(.askLogin)
        case .dialogOutsideTapped where page.consentDialog?.closesOnOutsideTap == true, .dialogDisagreed:
            state.isDialogShown = false
            return redraw() + [.report(.dialogAnswered(false))]
        case .linkTapped(let index): return open(index)
        default: return []
        }
    }

    private func open(_ index: Int) -> [PageAction] {
        var links: [PageTermsLink] = []
        for piece in page.terms.pieces(facts.duties, screen.language) {
            if let url = piece.url { links.append(PageTermsLink(title: piece.text, url: url, item: piece.item)) }
        }
        return links.indices.contains(index) ? [.openTerms(links[index])] : []
    }

    // MARK: - Drawing and judging

    private mutating func redraw() -> [PageAction] {
        scene = PageScene(valid: page, facts: facts, state: state, screen: screen, measuredBy: measure)
        return [.draw(scene)]
    }

    private func reportFindings() -> [PageAction] { findings.isEmpty ? [] : [.report(.findings(findings))] }

    /// Judges the page as it first appears, as the rules require. ``scene`` must be up to date.
    private func judge() -> [PageFinding] {
        let first = PageState(of: page)
        var untouched =
            state == first
            ? scene : PageScene(valid: page, facts: facts, state: first, screen: screen, measuredBy: measure)
        for placed in placements {
            for index in untouched.boxes.indices where untouched.boxes[index].role == placed.role {
                placed.apply(to: &untouched.boxes[index])
            }
        }
        untouched.boxes += appBoxes
        return PageJudge(profile).findings(untouched, facts: facts, missingTick: PageJudge.MissingTick(of: page))
    }
}
