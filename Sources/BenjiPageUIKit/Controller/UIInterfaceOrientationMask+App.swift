#if canImport(UIKit)
package import UIKit

extension UIInterfaceOrientationMask {
    /// These orientations as far as the app has them too, and the app's own when it has none of them.
    ///
    /// UIKit ends an app that presents something which shares no orientation with it: a portrait page in a game that is
    /// landscape only. There the page stands as the app does.
    @MainActor package func within(_ controller: UIViewController) -> UIInterfaceOrientationMask {
        let app = UIApplication.shared.supportedInterfaceOrientations(for: controller.viewIfLoaded?.window)
        let shared = intersection(app)
        return shared.isEmpty ? app : shared
    }
}
#endif
