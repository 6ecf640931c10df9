public import Foundation

/// The names of system notifications, which tests post, and of addresses that apps open.
open class UIApplication: UIResponder {
    /// Posted when an app that was in the background is about to be seen again.
    public nonisolated static let willEnterForegroundNotification = Notification.Name(
        "UIApplicationWillEnterForegroundNotification")

    public struct OpenExternalURLOptionsKey: Hashable, Sendable {}
    public nonisolated static let openSettingsURLString = "app-settings:"

    public static let shared = UIApplication()

    /// Test hook: where the app is shown, if it is.
    public weak var standInScene: UIScene?
    open var connectedScenes: Set<UIScene> { standInScene.map { [$0] } ?? [] }

    /// Test hook: the orientations that the app's property list names.
    public var standInOrientations = UIInterfaceOrientationMask.all
    open func supportedInterfaceOrientations(for window: UIWindow?) -> UIInterfaceOrientationMask {
        standInOrientations
    }

    /// Test hook: the opened addresses.
    public var standInOpened: [URL] = []

    open func open(
        _ url: URL, options: [OpenExternalURLOptionsKey: Any], completionHandler: ((Bool) -> Void)?
    ) {
        standInOpened.append(url)
        completionHandler?(true)
    }
}
