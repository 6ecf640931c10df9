#if canImport(UIKit)
import BenjiPage
import Foundation
public import UIKit

extension OneTapViewModel {
    /// The page's colour. Default: white.
    public final var backgroundColor: UIColor? {
        get { kept() }
        set { keep(newValue, at: \.page.background.color) { .init($0) } }
    }

    /// A picture that fills the page.
    public final var backgroundImage: UIImage? {
        get { kept() }
        set { keep(newValue, at: \.page.background.image) }
    }

    /// Another one when the screen is wider than high.
    public final var landscapeBackgroundImage: UIImage? {
        get { kept() }
        set { keep(newValue, at: \.page.background.landscapeImage) }
    }

    /// The path of a GIF that fills the page.
    public final var backgroundGifPath: String? {
        get { kept() }
        set { keep(newValue, at: \.page.background.gif) { $0.isEmpty ? nil : PageSlot("backgroundGifPath") } }
    }

    /// The path of a video that fills the page, without sound.
    public final var backgroundVideoPath: String? {
        get { kept() }
        set { keep(newValue, at: \.page.background.video) { $0.isEmpty ? nil : PageSlot("backgroundVideoPath") } }
    }

    /// Whether GIF and video begin again at their end. Default: YES.
    public final var allowGifOrVideoPlayRepeat: Bool {
        get { vendor.page.background.repeats }
        set { vendor.page.background.repeats = newValue }
    }
}
#endif
