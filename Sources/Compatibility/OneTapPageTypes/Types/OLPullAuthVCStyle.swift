/// How the page is put before the person, and the text of terms before the page.
#if canImport(ObjectiveC)
@objc
#endif
public enum OLPullAuthVCStyle: Int, Sendable {
    /// Presented over the current screen.
    case modal
    /// Pushed onto the navigation stack. There is no popup this way.
    case push
}
