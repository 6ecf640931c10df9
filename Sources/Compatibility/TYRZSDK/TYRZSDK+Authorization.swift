#if !canImport(UIKit)
public import BenjiClient
import OneTapShell

extension TYRZSDK {
    /// Gets a token, where there is no UIKit: with a page one that releases the number, without a page one that only
    /// answers "is it this number?".
    public static func getAuthorization(
        with page: (any AuthorizationPresenter)?, completion: (@MainActor ([AnyHashable: Any]) -> Void)?
    ) {
        start(page.map { .login($0) } ?? .verification, completion)
    }
}
#endif
