#if canImport(UIKit)
public import UIKit

/// The app's own objects: the pictures, fonts, views, animations and films that a description names.
///
/// Each is asked for by its name when it comes to be drawn. Views and animations are asked for once for each page.
@MainActor public struct PageSupplies {
    /// A picture (`PageImage`); from the app's assets unless said otherwise.
    public var image: @MainActor (_ name: String) -> UIImage? = { UIImage(named: $0) }
    /// A typeface (`PageFont`), in any size; the font of that name unless said otherwise. Without one, the system's.
    public var font: @MainActor (_ name: String) -> UIFont? = { UIFont(name: $0, size: 17) }
    /// A view (`PageSlot`): of the navigation bar, of the page, of a popup's mask, shown while loading.
    public var view: @MainActor (_ name: String) -> UIView? = { _ in nil }
    /// An animation for coming, going, or a popup's panel (`PageSlot`).
    public var animation: @MainActor (_ name: String) -> CAAnimation? = { _ in nil }
    /// Where a GIF or a video is (`PageSlot`); in the app's bundle unless said otherwise.
    public var file: @MainActor (_ name: String) -> URL? = { Bundle.main.url(forResource: $0, withExtension: nil) }

    public init() {}
}
#endif
