import BenjiProtocol
import GeYanCodes
public import OneTapShell

extension Facade {
    /// GeYan's document, GeYanSdk. It says that the page is not shown in split view.
    package static let geYan = Facade(
        name: "GeYanSdk", dialect: .geyan, codes: .geyan, timeout: .seconds(10), needsPrefetch: true,
        needsAppKey: false, allowsInitialTick: true, showsInSplitView: false, callBySMS: .login)

    /// GeYan's document, GyOneLoginPro.
    package static let geYanPro = Facade(
        name: "GyOneLoginPro", dialect: .geyan, codes: .geyan, timeout: .seconds(10), needsPrefetch: false,
        needsAppKey: false, allowsInitialTick: true, showsInSplitView: false, callBySMS: .login)
}

extension OneTapSDK {
    /// For tests: GeYanSdk and GyOneLoginPro.
    public static let geYan = OneTapSDK([.geYan, .geYanPro])
}
