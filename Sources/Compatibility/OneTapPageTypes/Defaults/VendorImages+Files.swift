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
    /// Gives the images of the resource bundles by their names on the page. The bundles are looked for once.
    package var named: @MainActor (String) -> UIImage? {
        let bundles = folders.compactMap { Bundle(url: $0) }
        return { name in
            guard let image = all.first(where: { $0.name == name }) else { return nil }
            for bundle in bundles {
                if let found = UIImage(named: file(of: image), in: bundle, compatibleWith: nil) { return found }
            }
            return nil
        }
    }
}
#endif
