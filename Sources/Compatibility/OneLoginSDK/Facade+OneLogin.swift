import BenjiProtocol
import OneLoginCodes
public import OneTapShell

extension Facade {
    /// OneLogin's document: a login wants a prefetch of the app's own before it.
    package static let oneLogin = Facade(
        name: "OneLogin", dialect: .onelogin, codes: .oneLogin, timeout: .seconds(8), needsPrefetch: true,
        needsAppKey: false,
        allowsInitialTick: true, showsInSplitView: true)

    /// OneLoginPro: keeps its prefetch valid by itself.
    package static let oneLoginPro = Facade(
        name: "OneLoginPro", dialect: .onelogin, codes: .oneLogin, timeout: .seconds(8), needsPrefetch: false,
        needsAppKey: false,
        allowsInitialTick: true, showsInSplitView: true)
}

extension OneTapSDK {
    /// For tests: OneLogin and OneLoginPro.
    public static let oneLogin = OneTapSDK([.oneLogin, .oneLoginPro])
}
