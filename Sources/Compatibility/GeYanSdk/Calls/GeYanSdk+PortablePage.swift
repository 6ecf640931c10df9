#if !canImport(UIKit)
public import BenjiClient

extension GeYanSdk {
    /// Logs in where there is no UIKit, on a page of the caller's.
    public static func oneTapLogin(_ page: any AuthorizationPresenter, andCallback callback: GyVerifyCallback?) {
        logIn(on: page, shell, callback)
    }
}
#endif
