package import BenjiClient
import OneTapShell

extension TYRZSDK {
    /// Gets a token: with a page one that releases the number, without a page one that only answers "is it this
    /// number?".
    package static func authorize(
        on page: (any AuthorizationPresenter)?, completion: (@MainActor ([AnyHashable: Any]) -> Void)?
    ) {
        start(page.map { .login($0) } ?? .verification, completion)
    }
}
