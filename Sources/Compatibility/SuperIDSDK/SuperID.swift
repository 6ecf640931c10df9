import BenjiClient
import BenjiFace
import BenjiFaceProtocol
import BenjiPage
import BenjiProtocol
public import Foundation
@_exported public import OneTapShell

/// SuperID 一登 (1.2.8, and the releases to 1.9.9): login by face, on an account that a phone number opened.
///
/// An app that calls it changes its import and names the server (`BenjiServer`). `docs/migration/superid.md` lists the
/// other differences. The delegate is notified of every call once, on the main thread.
#if canImport(ObjectiveC)
@objc(SuperID)
#endif
public final class SuperID: NSObject, Sendable {
    static var shell: SuperIDShell { .current }
    private static let shared = SuperID(())

    private init(_: Void) {
        super.init()
        Self.prepareControllers()
    }

    /// The one instance that there is.
    #if canImport(ObjectiveC)
    @objc(sharedInstance)
    #endif
    public static func sharedInstance() -> SuperID { shared }

    /// The delegate that receives the results of calls. Held weakly; set it in `viewWillAppear`, as in the document.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public var delegate: (any SuperIDDelegate)? {
        get { Self.shell.delegate }
        set { Self.shell.delegate = newValue }
    }

    // MARK: starting

    /// Once, when the app starts. The next call reports wrong arguments (-1011).
    #if canImport(ObjectiveC)
    @objc(registerAppWithAppID:withAppSecret:)
    #endif
    public func registerApp(withAppID appID: String?, withAppSecret appSecret: String?) {
        Self.shell.register(appID: appID, secret: appSecret)
    }

    /// The language of every screen from the next one on.
    #if canImport(ObjectiveC)
    @objc(setLanguageMode:)
    #endif
    public static func setLanguageMode(_ type: SIDLanguageMode) {
        shell.language =
            switch type {
            case .auto: nil
            case .simplifiedChinese: .simplifiedChinese
            case .english: .english
            case .traditionChinese: .traditionalChinese
            }
    }

    /// Whether every step is written to the console, marked `[SuperID]`. No number and no credential is.
    #if canImport(ObjectiveC)
    @objc(setDebugMode:)
    #endif
    public static func setDebugMode(_ flag: Bool) { shell.setDebugging(flag) }

    /// Starts again after a start without a network. Later calls do so by themselves.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public func retryInitialSuperIDSDK() { Self.shell.initialise() }

    // MARK: the user

    /// Whether somebody is logged in, as far as this phone knows.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public func isAppAuth() -> Bool { Self.shell.isAuthorized }

    /// Asks whether a user of the app's own is tied to an account.
    #if canImport(ObjectiveC)
    @objc(queryCurrentUserAuthorizationStateWithUid:)
    #endif
    public func queryCurrentUserAuthorizationState(withUid uid: String?) {
        query("query") { engine throws(BenjiError) in
            guard let uid, !uid.isEmpty else { throw BenjiError(.uidMissing, "uid: missing") }
            return try await engine.isAuthorized(uid: uid)
        }
    }

    /// Asks whether a person is tied to an account, and notifies the delegate.
    func query(_ name: String, _ isTied: @escaping @Sendable (FaceEngine) async throws(BenjiError) -> Bool) {
        let shell = Self.shell
        Task {
            do throws(BenjiError) {
                shell.tell(.state(try await isTied(shell.engine()) ? .userHasAuth : .userNoAuth))
            } catch {
                shell.log("\(name): \(error)")
                shell.tell(.state(.queryUserAuthorizationFail))
            }
        }
    }

    /// Gives the account the app's own uid in the place of the random one.
    #if canImport(ObjectiveC)
    @objc(updateAppUid:)
    #endif
    public func updateAppUid(_ uid: String?) {
        let shell = Self.shell
        Task {
            let situation = await shell.situation("update uid") { engine throws(BenjiError) in
                guard let uid, FaceUID.length.contains(uid.utf8.count) else {
                    throw BenjiError(.uidMissing, "uid: must be \(FaceUID.length) bytes long")
                }
                try await engine.updateUID(uid)
            }
            shell.tell(.uid(SuperIDResults.uidState(situation)))
        }
    }

    /// Replaces what the app keeps with its user.
    ///
    /// - Parameter userInfo: `name`, `email`, `avatar` as texts, and what else fits into JSON of 4 KiB.
    #if canImport(ObjectiveC)
    @objc(updateAppUserInfo:)
    #endif
    public func updateAppUserInfo(_ userInfo: [AnyHashable: Any]?) {
        let (shell, info) = (Self.shell, AppUserInfo.read(userInfo))
        Task {
            let situation = await shell.situation("update user info") { engine throws(BenjiError) in
                guard let info else {
                    throw BenjiError(.invalidArgument, "userInfo: holds something that JSON does not, or too much")
                }
                try await engine.updateUserInfo(info)
            }
            shell.tell(.userInfo(SuperIDResults.userInfoState(situation)))
        }
    }

    /// Takes back what the person has allowed the app. The face is erased with it when no other app of theirs uses it.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public func userCancelAuthorization() {
        let shell = Self.shell
        Task {
            do throws(BenjiError) {
                _ = try await shell.engine().cancelAuthorization()
                shell.keep(nil)
                shell.tell(.cancelled(nil))
            } catch {
                shell.log("cancel: \(error)")
                shell.tell(.cancelled(SuperIDResults.error(error)))
            }
        }
    }

    /// Logs out. The account stays tied, and remembered on this phone.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public func appUserLogoutCurrentAccount() {
        let shell = Self.shell
        shell.keep(nil)
        Task { try? await shell.engine().logOut() }
    }

    /// Does nothing: a person's behaviour in an app is not collected.
    #if canImport(ObjectiveC)
    @objc(uploadUserBehaviourEventDataWithActionTag:attributes:actions:)
    #endif
    public func uploadUserBehaviourEventData(
        withActionTag aTag: String?, attributes: [AnyHashable: Any]?, actions: [AnyHashable: Any]?
    ) {
        Self.shell.log("behaviour is not collected")
    }
}

extension SuperIDShell {
    func situation(
        _ name: String, _ call: @Sendable (FaceEngine) async throws(BenjiError) -> Void
    ) async -> Situation {
        do throws(BenjiError) {
            try await call(engine())
            return .success
        } catch {
            log("\(name): \(error)")
            return error.situation
        }
    }
}
