// The page of a login by SMS for apps that call a vendor's SDK. A product of its own: apps without such logins do not
// ship a page.
public import Benji
import BenjiClient
import BenjiPage
import BenjiProtocol
public import Foundation
import OneTapShell

#if canImport(UIKit)
import BenjiPageUIKit
public import UIKit
#endif

/// The page of a login by SMS, where one tap cannot work and the app's workflow at the server has codes.
///
/// The vendors' calls name no such page, so an app chooses it once, when it starts. The calls whose document knows
/// logins by SMS show it from then on; their result is spelled as that of one tap. `docs/migration` says which calls
/// these are.
#if canImport(ObjectiveC)
@objc(BenjiSMSPage)
#endif
public final class BenjiSMSPage: NSObject {
    #if canImport(UIKit)
    /// Chooses the page.
    ///
    /// - Parameters:
    ///   - description: the app's terms and the look of the page, as `benji page new` writes them. The login that would
    ///     show it reports its problems.
    ///   - host: asked on the main thread for the view controller that is on screen, whenever the page is to be shown.
    #if canImport(ObjectiveC)
    @objc(useDescription:host:)
    #endif
    public static func use(_ description: String, over host: @escaping @MainActor () -> UIViewController?) {
        SMSPageChoice.use(WrittenSMSPage(description: description, host: host))
    }
    #endif

    /// Without a page there are no logins by SMS.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public static func useNone() { SMSPageChoice.use(nil) }

    /// Whether the SDK of face login shows the page too, for the first login of a face; by default it does not. The
    /// face server takes such a number only where its operator has set `face.least-assurance: sms`. Otherwise it
    /// refuses the number after the code was typed.
    #if canImport(ObjectiveC)
    @objc(useForFaces:)
    #endif
    public static func useForFaces(_ uses: Bool) { SMSPageChoice.useForFaces(uses) }

    /// Chooses a page of the app's own.
    public static func use(_ page: any SMSPresenter) { SMSPageChoice.use(page) }
}

#if canImport(UIKit)
/// A page that is described in JSON.
private struct WrittenSMSPage: SMSPresenter {
    let description: String
    let host: @MainActor @Sendable () -> UIViewController?

    func logIn(by login: SMSLogin) async -> Result<LoginToken, BenjiError> {
        let page: PageDescription
        do throws(PageError) { page = try PageDescription(parsing: Array(description.utf8)) } catch {
            return .failure(BenjiError(.pageFailed, "BenjiSMSPage: \(error)"))
        }
        guard let presenter = await presenter(page) else {
            return .failure(
                BenjiError(.controllerMissing, "BenjiSMSPage: name the view controller over which the page is shown"))
        }
        return await presenter.logIn(by: login)
    }

    @MainActor private func presenter(_ page: PageDescription) -> SMSPagePresenter? {
        host().map { SMSPagePresenter(from: $0, page: page) }
    }
}
#endif
