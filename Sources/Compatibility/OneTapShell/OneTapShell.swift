// The common part of the facades of one-tap SDKs: one engine behind static calls that Objective-C makes from any
// thread. It names no vendor and draws no page. Begin with `Facade.swift`, which has the differences between facades.
import Benji
import BenjiClient

/// The engine of a facade. It keeps the rules of all facades. A block is called exactly once, on the main thread, and
/// never before the call that it was given to has returned. ``Admission`` decides who may call while another call is
/// under way. A wrong argument ends in a code. Start with ``start(_:allowing:deliver:)``.
package final class OneTapShell: Sendable {
    package let facade: Facade
    let state: Locked<State>

    /// - Parameter surroundings: `nil` where the system has none; every call then reports that.
    package init(_ facade: Facade, surroundings: Surroundings? = .system) {
        self.facade = facade
        state = Locked(State(surroundings))
    }

    /// Keeps the app's registration. The first call checks it, because registering returns nothing.
    package func register(appID: String?, appKey: String?) {
        let key = appKey?.isEmpty == false ? appKey : nil
        state.withLock { $0.registration = Registration(appID: appID ?? "", appKey: key) }
    }

    package var isRegistered: Bool { state.withLock { $0.registration != nil } }

    /// As the app registered it.
    package var appID: String? { state.withLock { $0.registration?.appID } }

    /// The time-out of calls that are started with ``TimeAllowed/standard``.
    package func setTimeout(_ allowed: TimeAllowed) { state.withLock { $0.timeout = allowed } }

    /// The time-out of prefetches alone, which counts in place of the one for all calls.
    package func setPrefetchTimeout(_ allowed: TimeAllowed) { state.withLock { $0.prefetchTimeout = allowed } }

    /// Replaces everything around the decisions, and forgets the facts from the old. Calls that are under way end as
    /// they began.
    package func surround(with surroundings: Surroundings?) {
        state.withLock {
            var fresh = State(surroundings)
            fresh.registration = $0.registration
            fresh.delegate = $0.delegate
            fresh.page = $0.page
            fresh.observer = $0.observer
            $0.keeping.task?.cancel()
            $0 = fresh
        }
    }

    /// Whom the app wants to be told, held weakly.
    package var delegate: AnyObject? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    /// The profile that the app wants its pages to be held to, as it wrote it.
    package var pageProfile: String? { state.withLock { $0.surroundings }?.pageProfile() }

    /// Whether the app wants a prefetch to be kept from its start on.
    package var keepsPrefetchFromStart: Bool { state.withLock { $0.surroundings }?.keepsPrefetchFromStart() ?? false }

    /// Whether a login has not ended yet.
    package var isLoginUnderWay: Bool { state.withLock { $0.admission.isUnderWay(.login) } }

    /// The presenter of the facade's page, until the next one replaces it.
    package var page: AnyObject? {
        get { state.withLock { $0.page } }
        set { state.withLock { $0.page = newValue } }
    }
}

extension OneTapShell {
    struct Registration: Hashable {
        var appID: String
        var appKey: String?
    }

    /// An engine, and what it was made from.
    struct Engine {
        var engine: LoginEngine
        var registration: Registration
        var server: String
        /// For logins by SMS, where there is a network besides mobile data.
        var fallback: SMSFallback?
        var isFollowed = false
    }

    struct State {
        let surroundings: Surroundings?
        let timer: Timer
        var registration: Registration?
        var timeout = TimeAllowed.standard
        var prefetchTimeout: TimeAllowed?
        var engine: Engine?
        var admission = Admission()
        var tasks: [Int: Task<Void, Never>] = [:]
        /// The call that was admitted last. The next one waits for it.
        var last: Task<Void, Never>?
        /// Keeps a prefetch valid, if anybody asked for that.
        var keeping = Keeping()
        var facts = Facts()
        /// Why there is no prefetch.
        var prefetchProblem: BenjiError?
        /// Whether the page of a login by SMS may be open.
        var isLoginBySMS = false
        weak var delegate: AnyObject?
        var page: AnyObject?
        var observer: (@Sendable (Observation) -> Void)?

        /// The time for a call that names none of its own.
        func timeout(of kind: Call.Kind) -> TimeAllowed {
            kind == .prefetch ? prefetchTimeout ?? timeout : timeout
        }

        init(_ surroundings: Surroundings?) {
            self.surroundings = surroundings
            let clock: any Clock<Duration> = surroundings?.clock ?? ContinuousClock()
            timer = Timer(clock)
        }
    }
}
