import BenjiClient
import BenjiFace
import BenjiProtocol
import Foundation

// Releases 1.3 to 1.9.9: what 1.2.8 has as instance methods they have as class methods, and some more. Both are there.
extension SuperID {
    /// The delegate that receives the results of calls. Held weakly.
    #if canImport(ObjectiveC)
    @objc(setupSuperIDDelegate:)
    #endif
    public static func setupSuperIDDelegate(_ delegate: (any SuperIDDelegate)?) { sharedInstance().delegate = delegate }

    #if canImport(ObjectiveC)
    @objc(registerAppWithAppID:withAppSecret:)
    #endif
    public static func registerApp(withAppID appID: String?, withAppSecret appSecret: String?) {
        sharedInstance().registerApp(withAppID: appID, withAppSecret: appSecret)
    }

    /// `version`: the release whose calls these are; `name`.
    #if canImport(ObjectiveC)
    @objc(getSDKVersion)
    #endif
    public static func getSDKVersion() -> [AnyHashable: Any] { ["name": "SuperIDSDK", "version": "1.9.9.1"] }

    #if canImport(ObjectiveC)
    @objc(retryInitialSuperIDSDK)
    #endif
    public static func retryInitialSuperIDSDK() { sharedInstance().retryInitialSuperIDSDK() }

    /// Whether somebody is logged in, as far as this phone knows.
    #if canImport(ObjectiveC)
    @objc(isAppAuth)
    #endif
    public static func isAppAuth() -> Bool { sharedInstance().isAppAuth() }

    /// Asks whether a person is tied to their account. The answer exists only for the openId of the person who has
    /// logged in on this phone. For others it ends in `SIDQueryUserAuthorizationFail`, and the app's server knows.
    #if canImport(ObjectiveC)
    @objc(queryCurrentUserAuthorizationStateWithOpenId:)
    #endif
    public static func queryCurrentUserAuthorizationState(withOpenId openId: String?) {
        sharedInstance().query("query by openId") { engine throws(BenjiError) in
            try await engine.isAuthorized(openID: openId ?? "")
        }
    }

    #if canImport(ObjectiveC)
    @objc(updateAppUserInfo:)
    #endif
    public static func updateAppUserInfo(_ userInfo: [AnyHashable: Any]?) {
        sharedInstance().updateAppUserInfo(userInfo)
    }

    #if canImport(ObjectiveC)
    @objc(userCancelAuthorization)
    #endif
    public static func userCancelAuthorization() { sharedInstance().userCancelAuthorization() }

    #if canImport(ObjectiveC)
    @objc(appUserLogoutCurrentAccount)
    #endif
    public static func appUserLogoutCurrentAccount() { sharedInstance().appUserLogoutCurrentAccount() }

    /// The logged-in user: `openId`, `app_uid`, `regioncode`, and `name`, `phone`, `avatar` if they logged in since the
    /// app started; empty when there is none. The vendor's persona is not made.
    #if canImport(ObjectiveC)
    @objc(getSIDUserInfoData)
    #endif
    public static func getSIDUserInfoData() -> [AnyHashable: Any] { shell.userInfo }

    /// Empty: a number is proven by one tap, and none waits for a code.
    #if canImport(ObjectiveC)
    @objc(getPreSignUpUserPhoneInfo)
    #endif
    public static func getPreSignUpUserPhoneInfo() -> [AnyHashable: Any] { [:] }

    /// Does nothing: a person's behaviour in an app is not collected.
    #if canImport(ObjectiveC)
    @objc(uploadUserBehaviourEventDataWithActionTag:attributes:actions:)
    #endif
    public static func uploadUserBehaviourEventData(
        withActionTag aTag: String?, attributes: [AnyHashable: Any]?, actions: [AnyHashable: Any]?
    ) {
        sharedInstance().uploadUserBehaviourEventData(withActionTag: aTag, attributes: attributes, actions: actions)
    }

    /// A partner's single sign-on, which is not there: ends in `superID:SIDDidFinishCreatUserWithInfo:openId:error:`
    /// with -1011.
    #if canImport(ObjectiveC)
    @objc(SIDCreatUserWithLESSOToken:)
    #endif
    public static func sidCreatUser(withLESSOToken ssoToken: String?) {
        shell.tell(.created(SuperIDResults.error(Self.partnerMissing)))
    }

    static var partnerMissing: BenjiError { BenjiError(.appNotAllowed, "the partner's single sign-on is not there") }
}
