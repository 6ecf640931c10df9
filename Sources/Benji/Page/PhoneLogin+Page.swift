#if canImport(UIKit)
public import BenjiClient
public import BenjiPage
public import BenjiPageUIKit
import BenjiProtocol
public import UIKit

extension PhoneLogin {
    /// Shows the page, logs in, and takes the page down again, whatever came of it.
    ///
    /// One tap cannot work when mobile data is off or the gateway does not know the phone's address. If the app's
    /// workflow has codes by SMS, a page for those is shown instead that looks like `page`.
    ///
    /// ```swift
    /// var page = PageDescription(terms: [
    ///     PageTerm("《用户协议》", url: "https://app.example/agreement"),
    ///     PageTerm("《隐私政策》", url: "https://app.example/privacy"),
    /// ])
    /// page.logo.image = PageImage("logo", width: 72, height: 72)
    /// let token = try await benji.logIn(from: self, page: page).token
    /// ```
    ///
    /// - Parameters:
    ///   - host: the view controller that is on screen.
    ///   - page: what the app decides about the page.
    ///   - supplies: pictures and views that the description names; pictures come from the app's assets by themselves.
    ///   - callbacks: what the app wants to hear of the page.
    ///   - offersSMS: whether a page for a code by SMS replaces one tap where this phone's connection does not allow
    ///     one tap. The app's workflow at the server must have codes.
    @MainActor public func logIn(
        from host: UIViewController, page: PageDescription, supplies: PageSupplies = PageSupplies(),
        callbacks: PageCallbacks = PageCallbacks(), offersSMS: Bool = true
    ) async throws(BenjiError) -> LoginToken {
        let presenter = PagePresenter(from: host, page: page, supplies: supplies, callbacks: callbacks)
        let sms = offersSMS ? SMSPagePresenter(from: host, page: page, supplies: supplies) : nil
        do {
            let token = try await logIn(presenting: presenter, orBySMS: sms)
            await presenter.close()
            return token
        } catch {
            await presenter.close()
            throw error
        }
    }

    /// As ``diagnose()``, and checks whether the page may be shown. It is not put on the screen.
    ///
    /// - Parameters:
    ///   - page: the page of your logins.
    ///   - supplies: its pictures, views and typeface.
    @MainActor public func diagnose(
        page: PageDescription, supplies: PageSupplies = PageSupplies()
    ) async throws(BenjiError) -> LoginDiagnosis {
        let (diagnosis, offer) = try await diagnosed()
        guard let offer else { return diagnosis }
        do {
            let page = try AuthorizationPageViewController(page, facts: PageFacts(offer), supplies: supplies)
            guard let refusal = page.refusal else { return .goodWithPage }
            return LoginDiagnosis(BenjiError(.pageFailed, refusal.description))
        } catch {
            return LoginDiagnosis(BenjiError(.pageFailed, PagePresentationError.invalid(error).description))
        }
    }
}
#endif
