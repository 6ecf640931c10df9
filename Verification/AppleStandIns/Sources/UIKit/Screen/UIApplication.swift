public import Foundation

/// Only the names of what the system tells apps; tests post them.
open class UIApplication: UIResponder {
    /// Posted when an app that was in the background is about to be seen again.
    public nonisolated static let willEnterForegroundNotification = Notification.Name(
        "UIApplicationWillEnterForegroundNotification")
}
