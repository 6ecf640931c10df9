package import Benji
import BenjiClient
import BenjiProtocol

/// Which page of a login by SMS the app has chosen for the calls of its vendor's SDK.
package enum SMSPageChoice {
    private static let chosen = Locked<(any SMSPresenter)?>(nil)
    private static let isForFaces = Locked(false)

    package static var page: (any SMSPresenter)? { chosen.withLock { $0 } }
    /// The same, if the app shows it for face accounts too.
    package static var pageForFaces: (any SMSPresenter)? { isForFaces.withLock { $0 } ? page : nil }

    package static func use(_ page: (any SMSPresenter)?) { chosen.withLock { $0 = page } }
    package static func useForFaces(_ uses: Bool) { isForFaces.withLock { $0 = uses } }
}

extension OneTapShell {
    /// A login by SMS in place of a call that this phone's connection does not allow. The vendor's document must have
    /// such logins. The app must have chosen a page, and its workflow at the server must have codes.
    ///
    /// - Parameter error: how the call ended. It stays the end of all others.
    func bySMS(_ kind: Call.Kind, after error: BenjiError, _ engine: LoginEngine) async -> CallResult.Value {
        let (page, fallback, earlier) = state.withLock { state in
            (state.surroundings?.smsPage(), state.engine?.fallback, state.prefetchProblem)
        }
        guard facade.callBySMS == kind, let page, let fallback else { return .failed(error) }
        // Without a valid prefetch, what ended the last one is what this phone's connection does not allow.
        let isPrefetchMissing = error.situation == .prefetchMissing || error.situation == .prefetchExpired
        guard let cause = isPrefetchMissing ? earlier : error else { return .failed(error) }
        state.withLock { $0.isLoginBySMS = true }
        defer { state.withLock { $0.isLoginBySMS = false } }
        switch await fallback.logIn(after: cause, with: page) {
        case .success(let token): return .token(token)
        // A call that leads nowhere ends as it did without SMS.
        case .failure(let end): return .failed(isPrefetchMissing && end == cause ? error : end)
        }
    }

    /// Takes the page of a login by SMS down, if there is one, and comes back when it is gone: the call ends with
    /// ``BenjiProtocol/Situation/cancelledByApp``.
    package func endLoginBySMS() async {
        let tasks = state.withLock { $0.isLoginBySMS ? Array($0.tasks.values) : [] }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    /// Whether the page of a login by SMS may be open.
    package var isLoginBySMS: Bool { state.withLock { $0.isLoginBySMS } }
}
