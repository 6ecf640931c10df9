package import BenjiPage

/// The images of a resource bundle: the names and sizes under which the documents let an app replace them.
package struct VendorImages: Hashable, Sendable {
    /// The bundle's file name.
    package let bundle: String
    /// On the button that closes the page.
    package let back: PageImage
    /// On the button that closes a popup.
    package let close: PageImage
    /// The app's emblem.
    package let logo: PageImage
    /// The tick when set.
    package let check: PageImage
    /// The tick when not set.
    package let uncheck: PageImage

    /// GeYan's document: a black arrow.
    package static let geYan = VendorImages(bundle: "TYRZResource.bundle", back: (13, 21))
    /// OneLogin's document names the bundle and, of its images, only the arrow: white, 22 × 22.
    package static let oneLogin = VendorImages(bundle: "OneLoginResource.bundle", back: (22, 22))

    private init(bundle: String, back: (Double, Double)) {
        func image(_ name: String, _ width: Double, _ height: Double) -> PageImage {
            // The names carry the sizes, as `logo_80x80_` does.
            PageImage("\(bundle)/\(name)_\(Int(width))x\(Int(height))_", width: width, height: height)
        }
        self.bundle = bundle
        self.back = image("back", back.0, back.1)
        close = image("close_icon", 11, 10)
        logo = image("logo", 80, 80)
        check = image("check", 12, 12)
        uncheck = image("uncheck", 12, 12)
    }

    /// All of them.
    package var all: [PageImage] { [back, close, logo, check, uncheck] }
}
