package import BenjiPage

/// An app's settings on GeYan's or OneLogin's view model: a page, and a popup that counts only on request.
///
/// A facade's view model writes into this value as its properties are set, so that a page has one description and one
/// set of defaults.
package struct VendorPage: Hashable, Sendable {
    /// Everything but the popup.
    package var page = PageDescription()
    /// The popup, also while there is none.
    package var popup = PageDescription.Popup()
    /// Whether there is one (`isPopup`).
    package var isPopup = false
    /// The names and sizes of the images that stand where the app sets none.
    package let images: VendorImages

    /// The page to show.
    package var description: PageDescription {
        var page = page
        page.popup = isPopup ? popup : nil
        return page
    }

    /// A page on which the app has set nothing, as GeYan's and OneLogin's documents both say.
    ///
    /// Where they name a colour without its shade, "blue" or "grey", it is the shade that Benji's rules on contrast ask
    /// for.
    private init(_ images: VendorImages, close: (width: Double, height: Double)) {
        self.images = images
        page.presentation.appearance = .light
        page.navigationBar.back.image = images.back
        page.logo.image = images.logo
        page.loginButton.cornerRadius = 0
        page.terms.quotesCarrierTerms = false
        page.terms.tick.isInitiallySet = true
        page.terms.tick.size = 12
        page.terms.tick.gap = 2
        page.terms.tick.setImage = images.check
        page.terms.tick.unsetImage = images.uncheck
        page.webPage.title = PageDescription.NavigationTitle(LocalizedText("服务条款", "服務條款", "Terms of service"))
        popup.close.image = images.close
        (popup.close.width, popup.close.height) = close
    }

    /// GeYan's document, `GyAuthViewModel`.
    package static let geYan = VendorPage(.geYan, close: (11, 22))
    /// OneLogin's document, `OLAuthViewModel`: the close button is as large as its picture.
    package static let oneLogin = VendorPage(.oneLogin, close: (11, 10))
}
