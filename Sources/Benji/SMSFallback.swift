public import BenjiClient
import BenjiProtocol

/// Shows a page on which a person logs in by a code by SMS.
///
/// With UIKit it is `SMSPagePresenter`. Apps that want a page of their own write one, or use ``SMSLogin`` without a
/// presenter.
public protocol SMSPresenter: Sendable {
    /// Shows the page, and goes on until there is a token or the person leaves.
    ///
    /// When the calling task is cancelled, take the page down and return at once; the value returned then is ignored.
    func logIn(by login: SMSLogin) async -> Result<LoginToken, BenjiError>
}

/// A login by SMS in the place of one by one tap.
package struct SMSFallback: Sendable {
    private let engine: LoginEngine
    private let login: SMSLogin

    package init(engine: LoginEngine, login: SMSLogin) {
        self.engine = engine
        self.login = login
    }

    /// - Parameter error: how one tap ended. It is the end of this login too, unless it may lead on and the workflow
    ///   has codes.
    package func logIn(after error: BenjiError, with page: any SMSPresenter) async -> Result<LoginToken, BenjiError> {
        guard await follows(error), !Task.isCancelled else { return .failure(Task.isCancelled ? cancelled : error) }
        let result = await page.logIn(by: login)
        return Task.isCancelled ? .failure(cancelled) : result
    }

    private func follows(_ error: BenjiError) async -> Bool {
        // A page that was shown was one of one tap; another one in its place would not be what the person agreed to.
        guard error.situation.mayLeadToSMS, await !engine.hasShownPage else { return false }
        // A gateway that replied has already answered this. Otherwise the question goes by another network.
        if let isOffered = await engine.offersSMSLogin { return isOffered }
        return (try? await login.isOffered()) ?? false
    }

    private var cancelled: BenjiError { BenjiError(.cancelledByApp, "the app cancelled this call") }
}
