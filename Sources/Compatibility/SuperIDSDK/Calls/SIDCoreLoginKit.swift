#if canImport(UIKit)
import BenjiClient
import BenjiFace
import BenjiProtocol
public import Foundation
import UIKit

/// Sessions that present themselves, and tell a block in the place of the delegate (1.9). The block is called once, on
/// the main thread, after the screens are gone; at once when there is nothing to show.
#if canImport(ObjectiveC)
@objc(SIDCoreLoginKit)
#endif
@MainActor public final class SIDCoreLoginKit: NSObject {
    /// A login. With an `appUid` it ties it to the account.
    #if canImport(ObjectiveC)
    @objc(showLoginViewControllerWithAppUserInfoModel:responseBlock:)
    #endif
    public static func showLoginViewController(
        with userInfoModel: SIDAppUserInfoModel?,
        responseBlock: ((_ result: [AnyHashable: Any]?, _ error: (any Error)?) -> Void)?
    ) {
        show(.loginWithModel(userInfoModel)) { answer in
            guard case .openLogin(let info, _, let error) = answer else { return }
            responseBlock?(info, error)
        }
    }

    /// Compares the face once more with the account's. Needs somebody who is logged in (-1009).
    ///
    /// - Parameter count: how often the person may try; once if it is nil.
    #if canImport(ObjectiveC)
    @objc(showFaceVerifyViewControllerWithRetryCount:responseBlock:)
    #endif
    public static func showFaceVerifyViewController(
        withRetryCount count: NSNumber?,
        responseBlock: ((_ result: SIDFACEVerifyState, _ error: (any Error)?) -> Void)?
    ) {
        show(.verification(attempts: count?.intValue)) { answer in
            guard case .verified(let state, let error) = answer else { return }
            responseBlock?(state, error)
        }
    }

    /// Reads the attributes of the face in front of the camera. Needs somebody who is logged in (-1012).
    #if canImport(ObjectiveC)
    @objc(showFaceFeatureViewControllerWithResponseBlock:)
    #endif
    public static func showFaceFeatureViewController(
        responseBlock: ((_ result: [AnyHashable: Any]?, _ error: (any Error)?) -> Void)?
    ) {
        show(.attributes) { answer in
            guard case .feature(let info, let error) = answer else { return }
            responseBlock?(info, error)
        }
    }

    private static func show(_ kind: SuperIDSession.Kind, _ told: @escaping @MainActor (SuperIDAnswer) -> Void) {
        let shell = SuperIDShell.current
        do throws(BenjiError) {
            let session = try SuperIDSession(kind, shell)
            guard let host = topmost else {
                return end(session.answer(.failure(BenjiError(.controllerMissing, "the app shows no screen"))), told)
            }
            host.present(FaceNavigationController(session.controller(told)), animated: true, completion: nil)
        } catch {
            shell.log("no view controller: \(error)")
            end(SuperIDAnswer(refusing: kind, SuperIDResults.error(error)), told)
        }
    }

    /// After the call has returned, like every other end.
    private static func end(_ answer: SuperIDAnswer, _ told: @escaping @MainActor (SuperIDAnswer) -> Void) {
        nonisolated(unsafe) let answer = answer
        Task { @MainActor in told(answer) }
    }

    /// Whatever the person sees of the app.
    private static var topmost: UIViewController? {
        let scenes = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
        let scene = scenes.first { $0.activationState == .foregroundActive } ?? scenes.first
        let window = scene?.windows.first { $0.isKeyWindow } ?? scene?.windows.first
        guard var top = window?.rootViewController else { return nil }
        while let next = top.presentedViewController, !next.isBeingDismissed { top = next }
        return top.viewIfLoaded?.window == nil ? nil : top
    }
}
#endif
