#if canImport(SwiftUI) && canImport(UIKit)
public import SwiftUI
import UIKit

/// The page for SwiftUI. Give it to a full-screen cover or anything else that fills the screen.
///
/// ```swift
/// .fullScreenCover(item: $page) { page in
///     AuthorizationPage(page) { self.page = nil }.ignoresSafeArea()
/// }
/// ```
///
/// SwiftUI brings and takes the page here, so the description's `presentation` and a popup's animation do nothing.
@MainActor public struct AuthorizationPage: UIViewControllerRepresentable {
    private let page: AuthorizationPageViewController
    private let close: @MainActor () -> Void

    /// - Parameters:
    ///   - page: made for this login and kept by the caller as long as it lasts.
    ///   - close: takes the page off the screen, because the person left it.
    public init(_ page: AuthorizationPageViewController, close: @escaping @MainActor () -> Void) {
        self.page = page
        self.close = close
    }

    public func makeUIViewController(context: Context) -> AuthorizationPageViewController {
        page.closeHandler = close
        return page
    }

    public func updateUIViewController(_ controller: AuthorizationPageViewController, context: Context) {
        controller.closeHandler = close
    }

    /// SwiftUI has taken the page away, and need not notify the controller itself.
    public static func dismantleUIViewController(_ controller: AuthorizationPageViewController, coordinator: ()) {
        controller.leave()
    }
}
#endif
