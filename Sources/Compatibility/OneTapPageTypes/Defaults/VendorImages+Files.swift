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

#if canImport(UIKit)
package import UIKit

extension VendorImages {
    /// An image of the resource bundle by its name on the page.
    package func image(_ name: String) -> UIImage? {
        guard let image = all.first(where: { $0.name == name }) else { return nil }
        for folder in folders {
            guard let bundle = Bundle(url: folder) else { continue }
            if let found = UIImage(named: file(of: image), in: bundle, compatibleWith: nil) { return found }
        }
        return nil
    }
}
#endif
