import BenjiProtocol
import CMPassportCodes
public import OneTapShell

extension Facade {
    /// TYRZSDK's document.
    package static let tyrzSDK = Facade(
        name: "TYRZSDK", dialect: .cmpassport, codes: .cmSDKWithSMS, timeout: .seconds(8), needsPrefetch: true,
        needsAppKey: true, allowsInitialTick: false, showsInSplitView: true, callBySMS: .login)
}

extension OneTapSDK {
    /// For tests.
    public static let tyrzSDK = OneTapSDK([.tyrzSDK])
}
