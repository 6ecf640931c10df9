#if canImport(UIKit)
import BenjiClient
import BenjiFace
import OneTapShell
public import Foundation
public import UIKit

extension SuperID {
    /// The screens of a login. Present them; they take themselves down, and the delegate receives the result.
    ///
    /// - Throws: an `NSError` of the documented codes, such as -1011 before the app has registered.
    #if canImport(ObjectiveC)
    @objc(obtainLoginViewControllerWithError:)
    #endif
    @MainActor public func obtainLoginViewController() throws -> UIViewController { try Self.controller(.login) }

    /// The same, for a person whose number the app knows already. The account must have it.
    #if canImport(ObjectiveC)
    @objc(obtainLoginViewControllerWithPhoneNumber:error:)
    #endif
    @MainActor public func obtainLoginViewController(withPhoneNumber phoneNumber: String?) throws -> UIViewController {
        try Self.controller(.loginWithNumber(phoneNumber))
    }

    /// The screens that tie a user of the app's own to an account.
    ///
    /// - Parameters:
    ///   - uid: must not be empty (-1008).
    ///   - phoneNumber: of mainland China (-1014), or nil.
    ///   - userInfo: `name`, `email`, `avatar` and others, or nil.
    #if canImport(ObjectiveC)
    @objc(obtainAuthViewControllerWithUid:phoneNumber:appUserInfo:error:)
    #endif
    @MainActor public func obtainAuthViewController(
        withUid uid: String?, phoneNumber: String?, appUserInfo userInfo: [AnyHashable: Any]?
    ) throws -> UIViewController {
        try Self.controller(.binding(uid: uid, phone: phoneNumber, userInfo: userInfo), binding: true)
    }

    /// The screen that reads the attributes of the face in front of the camera. Needs somebody who is logged in
    /// (-1012).
    #if canImport(ObjectiveC)
    @objc(obtainFaceFeatureViewControllerWithError:)
    #endif
    @MainActor public func obtainFaceFeatureViewController() throws -> UIViewController {
        try Self.controller(.attributes)
    }

    // MARK: later releases

    /// The screens of a login, for an app that knows something of its user. With an `appUid` the login ties it to the
    /// account.
    #if canImport(ObjectiveC)
    @objc(obtainLoginViewControllerWithAppUserInfoModel:error:)
    #endif
    @MainActor public static func obtainLoginViewController(
        with userInfoModel: SIDAppUserInfoModel?
    ) throws -> UINavigationController {
        try navigation(.loginWithModel(userInfoModel))
    }

    /// The screens that compare the face once more with the account's (1.5.1). Needs somebody who is logged in (-1009).
    ///
    /// - Parameter count: how often the person may try; once if it is nil. The server allows no more than three.
    #if canImport(ObjectiveC)
    @objc(obtainFaceVerifyViewControllerWithRetryCount:error:)
    #endif
    @MainActor public static func obtainFaceVerifyViewController(
        withRetryCount count: NSNumber?
    ) throws -> UINavigationController {
        try navigation(.verification(attempts: count?.intValue))
    }

    #if canImport(ObjectiveC)
    @objc(obtainFaceFeatureViewControllerWithError:)
    #endif
    @MainActor public static func obtainFaceFeatureViewController() throws -> UINavigationController {
        try navigation(.attributes)
    }

    /// A partner's login, which is not there: always -1011.
    #if canImport(ObjectiveC)
    @objc(obtainLELoginViewControllerWithError:)
    #endif
    @MainActor public static func obtainLELoginViewController() throws -> UINavigationController {
        throw SuperIDResults.error(partnerMissing)
    }

    /// The colour of the ring and of the buttons that go on, from the next screen on. Their text stays readable, and a
    /// no keeps its own colour.
    #if canImport(ObjectiveC)
    @objc(setThemeColor:)
    #endif
    @MainActor public static func setThemeColor(_ color: UIColor?) { shell.state.withLock { $0.themeColor = color } }

    #if canImport(ObjectiveC)
    @objc(removeThemeColor)
    #endif
    @MainActor public static func removeThemeColor() { setThemeColor(nil) }

    /// Does nothing: the screens stand upright and follow their size by themselves.
    #if canImport(ObjectiveC)
    @objc(SIDViewControllerWillTransitionToSize:withTransitionCoordinator:fromSourceViewController:)
    #endif
    @MainActor public static func sidViewControllerWillTransition(
        to size: CGSize, with coordinator: (any UIViewControllerTransitionCoordinator)?,
        fromSourceViewController sourceViewController: UIViewController?
    ) {}

    // MARK: making them

    @MainActor private static func controller(
        _ kind: SuperIDSession.Kind, binding: Bool = false
    ) throws -> UIViewController {
        let session = try session(kind, binding: binding)
        return session.controller { session.shell.tell($0) }
    }

    @MainActor private static func navigation(_ kind: SuperIDSession.Kind) throws -> UINavigationController {
        FaceNavigationController(try controller(kind))
    }

    private static func session(_ kind: SuperIDSession.Kind, binding: Bool) throws -> SuperIDSession {
        do throws(BenjiError) { return try SuperIDSession(kind) } catch {
            shell.log("no view controller: \(error)")
            throw SuperIDResults.error(error, binding: binding)
        }
    }
}

extension SuperIDSession {
    /// The screens that run it.
    @MainActor func controller(_ told: @escaping @MainActor (SuperIDAnswer) -> Void) -> FaceViewController {
        var options = FaceViewController.Options()
        options.language = shell.language
        options.themeColor = shell.themeColor
        options.attempts = attempts
        options.smsPage = SMSPageChoice.pageForFaces
        return FaceViewController(FaceLogin(engine: engine), goal, options: options) { told(answer($0)) }
    }
}

/// Later releases hand out a navigation controller. It shows no bar and has the orientations of its top controller.
@MainActor final class FaceNavigationController: UINavigationController {
    convenience init(_ root: UIViewController) {
        self.init(rootViewController: root)
        setNavigationBarHidden(true, animated: false)
        modalPresentationStyle = root.modalPresentationStyle
        isModalInPresentation = root.isModalInPresentation
    }

    override var supportedInterfaceOrientations: UIInterfaceOrientationMask {
        topViewController?.supportedInterfaceOrientations ?? .portrait
    }
}
#endif
