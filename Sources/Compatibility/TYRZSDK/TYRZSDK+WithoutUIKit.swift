#if !canImport(UIKit)
public import BenjiClient

extension TYRZSDK {
    /// Gets a token: with a page one that releases the number, without a page one that only answers "is it this
    /// number?".
    ///
    /// - Parameter completion: gets `resultCode`, `desc`, and after success `token`, with a page also `openId`.
    public static func getAuthorization(
        with page: (any AuthorizationPresenter)?, completion: (@MainActor ([AnyHashable: Any]) -> Void)?
    ) {
        authorize(on: page, completion: completion)
    }
}
#endif
