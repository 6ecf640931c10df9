#if canImport(UIKit)
import BenjiClient
import BenjiFace
import Foundation
public import UIKit

extension SuperID {
    /// The screens of a login. Present them; they take themselves down, and the delegate hears how it ended.
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

    /// The screen that reads the attributes of the face in front of the camera. Needs somebody who is logged in (-1012).
    #if canImport(ObjectiveC)
    @objc(obtainFaceFeatureViewControllerWithError:)
    #endif
    @MainActor public func obtainFaceFeatureViewController() throws -> UIViewController {
        try Self.controller(.attributes)
    }

    @MainActor private static func controller(
        _ kind: SuperIDSession.Kind, binding: Bool = false
    ) throws -> UIViewController {
        let session: SuperIDSession
        do throws(BenjiError) { session = try SuperIDSession(kind) } catch {
            shell.log("no view controller: \(error)")
            throw SuperIDResults.error(error, binding: binding)
        }
        var options = FaceViewController.Options()
        options.language = shell.language
        return FaceViewController(FaceLogin(engine: session.engine), session.goal, options: options) {
            session.tell($0)
        }
    }
}
#endif
