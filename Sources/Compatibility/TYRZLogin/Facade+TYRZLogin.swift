import BenjiProtocol
import CMPassportCodes
public import OneTapShell

extension Facade {
    /// TYRZLogin's document.
    package static let tyrzLogin = Facade(
        name: "TYRZLogin", dialect: .cmpassport, codes: .tyrzSDKWithSMS, timeout: .seconds(8),
        needsPrefetch: false, needsAppKey: true, allowsInitialTick: false, showsInSplitView: true,
        callBySMS: .verification)
}

extension OneTapSDK {
    /// For tests.
    public static let tyrzLogin = OneTapSDK([.tyrzLogin])
}
