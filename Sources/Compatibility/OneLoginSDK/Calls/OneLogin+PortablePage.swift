#if !canImport(UIKit)
public import BenjiClient

extension OneLogin {
    /// Logs in where there is no UIKit, on a page of the caller's.
    public class func requestToken(
        with page: any AuthorizationPresenter, completion: (@MainActor ([AnyHashable: Any]?) -> Void)?
    ) {
        logIn(on: page, completion)
    }
}
#endif
