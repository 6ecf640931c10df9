package import BenjiPage
package import Foundation

extension VendorImages {
    /// The folders in which an image may be, the one that wins first: the app's own bundle of the documented name, then
    /// ours.
    package var folders: [URL] {
        [Bundle.main, .module].compactMap { $0.url(forResource: bundle, withExtension: nil) }
    }

    /// The name of an image within its folder: `back_13x21_`.
    package func file(of image: PageImage) -> String { String(image.name.dropFirst(bundle.count + 1)) }
}
