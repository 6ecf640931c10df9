#if canImport(UIKit)
import BenjiPage
import Foundation
public import UIKit

extension OneTapViewModel {
    /// How the status bar is coloured. Default: as the device's appearance asks.
    public final var statusBarStyle: UIStatusBarStyle {
        get { kept() ?? .default }
        set { keep(newValue, at: \.page.statusBar.style) { .init($0) } }
    }

    /// The orientations in which the page is shown. Default: all but upside down.
    public final var supportedInterfaceOrientations: UIInterfaceOrientationMask {
        get { kept() ?? .allButUpsideDown }
        set {
            keep(newValue, at: \.page.presentation.orientations) {
                PageDescription.Presentation.Orientation.all(in: $0)
            }
        }
    }

    /// Presented or pushed. Default: presented.
    public final var pullAuthVCStyle: OLPullAuthVCStyle {
        get { kept() ?? .modal }
        set { keep(newValue, at: \.page.presentation.style) { $0 == .push ? .push : .modal } }
    }

    /// Whether the page comes with an animation. Default: yes.
    public final var pullAnimate: Bool {
        get { vendor.page.presentation.isAnimated }
        set { vendor.page.presentation.isAnimated = newValue }
    }

    /// A number of `UIUserInterfaceStyle`. Default: light.
    public final var userInterfaceStyle: NSNumber? {
        get { kept() }
        set { keep(newValue, at: \.page.presentation.appearance) { .init($0) } }
    }

    /// How much of the screen a presented page covers. Default: all of it.
    public final var modalPresentationStyle: UIModalPresentationStyle {
        get { kept() ?? .fullScreen }
        set { keep(newValue, at: \.page.presentation.coverage) { .init($0) } }
    }

    /// The app's own animation for coming.
    public final var modalPresentationAnimation: CAAnimation? {
        get { kept() }
        set { keep(newValue, at: \.page.presentation.arrival) { _ in PageSlot("modalPresentationAnimation") } }
    }

    /// The app's own animation for going.
    public final var modalDismissAnimation: CAAnimation? {
        get { kept() }
        set { keep(newValue, at: \.page.presentation.departure) { _ in PageSlot("modalDismissAnimation") } }
    }

    /// Is told of `viewDidLoad`, `viewWillAppear`, `viewDidAppear`, `viewWillDisappear` and `viewDidDisappear`.
    public final var viewLifeCycleBlock: OLAuthViewLifeCycleBlock? {
        get { kept() }
        set { keep(newValue) }
    }

    /// Is called when the page turns, so that the app can lay out its own views again.
    public final var authVCTransitionBlock: OLAuthVCTransitionBlock? {
        get { kept() }
        set { keep(newValue) }
    }
}
#endif
