import Benji
import BenjiClient
package import BenjiPage
import BenjiProtocol
import Synchronization

/// The screen of the shop's app on a phone of the sandbox, and the actions of the person who looks at it.
///
/// The authorization page on it is the SDK's: its flow decides what a tap does, and its scenes are drawn as they are.
package final class PhoneScreen: Sendable {
    /// The screen's content.
    package enum Shown: Sendable {
        /// The app, with how its last login ended, if there was one.
        case app(AppLogin?)
        /// A login has begun, and no page is there yet.
        case waiting
        case page(ShownPage)
    }

    /// The authorization page as it stands.
    package struct ShownPage: Hashable, Sendable {
        package var description: PageDescription
        package var facts: PageFacts
        package var state: PageState
        package var language: Language
    }

    /// Of the page that is laid out for the drawn phone, in points.
    package static let size = (width: 360.0, height: 640.0)

    private struct State {
        /// Counts the logins; what belongs to an earlier one changes nothing any more.
        var number = 0
        var isRunning = false
        var flow: PageFlow<AdvanceTable>?
        var decided: CheckedContinuation<PresentationOutcome, Never>?
        var last: AppLogin?
    }

    private let clock: any WallClock
    private let state = Mutex(State())

    init(clock: some WallClock = SystemWallClock()) { self.clock = clock }

    package var shown: Shown {
        state.withLock { state in
            guard state.isRunning else { return .app(state.last) }
            return state.flow.map { .page(ShownPage($0)) } ?? .waiting
        }
    }

    /// Whether the person is to do something now.
    package var isAtRest: Bool {
        switch shown {
        case .app: true
        case .waiting: false
        case .page(let page): !page.state.isLoading
        }
    }

    // MARK: - The login

    /// Begins a login, and cancels one that is under way. This phone's person acts on the page given to `presenter`.
    func begin(_ page: PageDescription, _ language: Language) -> (number: Int, presenter: any AuthorizationPresenter) {
        let (number, left) = state.withLock { state in
            let left = state.decided
            let number = state.number + 1
            state = State(number: number, isRunning: true)
            return (number, left)
        }
        left?.resume(returning: .cancelled)
        return (number, ScreenPresenter(screen: self, number: number, page: page, language: language))
    }

    func end(_ number: Int, with login: AppLogin) {
        state.withLock { state in
            guard state.number == number else { return }
            state = State(number: number, last: login)
        }
    }

    /// Back to the app, as before any login. A login that is under way is left.
    package func leave() {
        let left = state.withLock { state in
            let left = state.decided
            state = State(number: state.number + 1)
            return left
        }
        left?.resume(returning: .cancelled)
    }

    // MARK: - The page

    /// Shows the page of `presenter` until the person has decided.
    fileprivate func present(
        _ presenter: ScreenPresenter, _ facts: PageFacts, _ decided: CheckedContinuation<PresentationOutcome, Never>
    ) {
        let number = presenter.number
        let now = clock.now.milliseconds
        let shown: Result<[PageAction], PageError>? = state.withLock { state in
            guard state.number == number, state.isRunning else { return nil }
            do throws(PageError) {
                var flow = try PageFlow(
                    presenter.page, facts: facts,
                    screen: PageScreen(Self.size.width, Self.size.height, language: presenter.language),
                    strictness: .everyError, measuredBy: AdvanceTable())
                let actions = flow.handle(.appeared, at: now)
                (state.flow, state.decided) = (flow, decided)
                return .success(actions)
            } catch { return .failure(error) }
        }
        switch shown {
        case nil: decided.resume(returning: .cancelled)
        case .failure(let error): decided.resume(returning: .failed("\(error)"))
        case .success(let actions): act(on: actions, number)
        }
    }

    /// The login is over for its caller: takes the page down.
    fileprivate func takeDown(_ number: Int) {
        let left = state.withLock { state in
            guard state.number == number else { return nil as CheckedContinuation<PresentationOutcome, Never>? }
            defer { (state.flow, state.decided) = (nil, nil) }
            return state.decided
        }
        left?.resume(returning: .cancelled)
    }

    /// Performs the person's action on the shown page. An action that the page lacks does nothing.
    ///
    /// - Parameters:
    ///   - action: the button, as the page's form calls it.
    ///   - isTicked: whether the tick was set when it was used.
    package func tap(_ action: String, isTicked: Bool) {
        let (number, isTickedNow) = state.withLock { ($0.number, $0.flow?.state.isTicked) }
        guard let isTickedNow else { return }
        switch action {
        case "login":
            if isTicked != isTickedNow { handle(.tickTapped, number) }
            handle(.loginTapped, number)
        case "agree": handle(.dialogAgreed, number)
        case "disagree": handle(.dialogDisagreed, number)
        case "switch": handle(.switchTapped, number)
        case "close": handle(.backTapped, number)
        default: return
        }
    }

    private func handle(_ event: PageEvent, _ number: Int) {
        let actions = state.withLock { state in
            state.number == number ? state.flow?.handle(event, at: clock.now.milliseconds) ?? [] : []
        }
        act(on: actions, number)
    }

    private func act(on actions: [PageAction], _ number: Int) {
        for action in actions {
            switch action {
            // The app has nothing of its own to do or to say.
            case .askLogin: handle(.loginAnswered(true), number)
            case .askHint: handle(.hintAnswered(true), number)
            case .decide(let decision): decide(decision, number)
            default: continue
            }
        }
    }

    private func decide(_ decision: PageDecision, _ number: Int) {
        let (decided, agreed) = state.withLock { state in
            guard state.number == number else {
                return (nil as CheckedContinuation<PresentationOutcome, Never>?, nil as (PageContent, PageScene?)?)
            }
            defer { state.decided = nil }
            return (state.decided, state.flow.map { ($0.content, $0.agreedScene) })
        }
        guard let decided, let (content, scene) = agreed else { return }
        let outcome: PresentationOutcome =
            switch decision {
            case .consented(let times): .consented(PageConsent(content, scene: scene, times: times))
            case .cancelled: .cancelled
            case .switchAccount: .switchAccount
            case .refused(let refusal): .failed(refusal.description)
            }
        decided.resume(returning: outcome)
    }
}

extension PhoneScreen.ShownPage {
    init(_ flow: PageFlow<AdvanceTable>) {
        self.init(description: flow.page, facts: flow.facts, state: flow.state, language: flow.screen.language)
    }
}

/// Puts the SDK's page on a phone's screen.
private struct ScreenPresenter: AuthorizationPresenter {
    let screen: PhoneScreen
    let number: Int
    let page: PageDescription
    let language: Language

    func present(_ offer: PageOffer) async -> PresentationOutcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { screen.present(self, PageFacts(offer), $0) }
        } onCancel: {
            screen.takeDown(number)
        }
    }
}
