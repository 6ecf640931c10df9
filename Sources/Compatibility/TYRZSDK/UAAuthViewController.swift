#if canImport(UIKit) && !canImport(ObjectiveC)
import Foundation
public import UIKit

/// The block that an authorization calls once, on the main thread, with its result.
public typealias UAAuthorizationBlock = @MainActor (_ sender: [AnyHashable: Any]) -> Void

/// The base class of an app's own authorization page, where there is no Objective-C: the same as in TYRZSDKTypes.
@MainActor open class UAAuthViewController: UIViewController {
    /// Override to lay the page out. Called once, when the view has been loaded.
    open func setupUI() {}

    /// Seconds since 1970 when the page first appeared; zero while it has not.
    public private(set) var firstAppearance: Double = 0

    open override func viewDidLoad() {
        super.viewDidLoad()
        setupUI()
    }

    open override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        if firstAppearance == 0 { firstAppearance = Date().timeIntervalSince1970 }
    }
}
#endif
