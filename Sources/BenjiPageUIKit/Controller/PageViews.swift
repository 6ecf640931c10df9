#if canImport(UIKit)
public import UIKit

/// The views of a page, for apps that lay them out themselves (`autolayoutBlock`). What the page does not have is
/// `nil`.
@MainActor public struct PageViews {
    /// The whole screen.
    public let page: UIView
    /// All of the page but the mask of a popup: the panel.
    public let content: UIView
    public let backgroundImage: UIView?
    public let navigationBar: UIView?
    public let back: UIView?
    public let title: UIView?
    public let logo: UIView?
    public let number: UIView?
    public let switchAccount: UIView?
    public let login: UIView?
    public let slogan: UIView?
    /// Holds ``tick`` and ``terms``.
    public let agreement: UIView
    public let tick: UIView?
    public let terms: UIView?
    /// The close button of a popup.
    public let close: UIView?
}
#endif
