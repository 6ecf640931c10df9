#if canImport(ObjectiveC)
public import Foundation

/// Is told what the person does with the page, on the main thread. Both methods are optional.
@objc(OneLoginDelegate)
@MainActor
public protocol OneLoginDelegate: NSObjectProtocol {
    /// The person closed the page.
    @objc optional func userDidDismissAuthViewController()
    /// The person wants to log in another way. The page stays.
    @objc optional func userDidSwitchAccount()
}
#else
/// Is told what the person does with the page, on the main thread. Both methods are optional.
@MainActor
public protocol OneLoginDelegate: AnyObject {
    /// The person closed the page.
    func userDidDismissAuthViewController()
    /// The person wants to log in another way. The page stays.
    func userDidSwitchAccount()
}

extension OneLoginDelegate {
    public func userDidDismissAuthViewController() {}
    public func userDidSwitchAccount() {}
}
#endif
