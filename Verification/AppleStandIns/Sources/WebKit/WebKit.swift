@_exported import Foundation
@_exported import FoundationNetworking
public import UIKit

@MainActor public final class WKWebsiteDataStore: NSObject {
    public let isPersistent: Bool

    private init(_ isPersistent: Bool) { self.isPersistent = isPersistent }

    public static func `default`() -> WKWebsiteDataStore { WKWebsiteDataStore(true) }
    public static func nonPersistent() -> WKWebsiteDataStore { WKWebsiteDataStore(false) }
}

@MainActor public final class WKWebpagePreferences: NSObject { public var allowsContentJavaScript = true }

@MainActor public final class WKWebViewConfiguration: NSObject {
    public var websiteDataStore = WKWebsiteDataStore.default()
    public var defaultWebpagePreferences: WKWebpagePreferences! = WKWebpagePreferences()
}

public final class WKNavigation: NSObject {}

@MainActor open class WKNavigationAction: NSObject {
    open private(set) var request: URLRequest

    init(_ request: URLRequest) { self.request = request }
}

public enum WKNavigationActionPolicy: Int, Sendable { case cancel, allow }

@MainActor public protocol WKNavigationDelegate: NSObjectProtocol {
    func webView(
        _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy) -> Void)
    func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!)
}

extension WKNavigationDelegate {
    public func webView(
        _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy) -> Void
    ) { decisionHandler(.allow) }

    public func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!) {}
}

/// Asks its delegate about every address, and remembers those that it may go to.
@MainActor open class WKWebView: UIView {
    open weak var navigationDelegate: (any WKNavigationDelegate)?
    public let configuration: WKWebViewConfiguration
    open var allowsLinkPreview = true
    open var allowsBackForwardNavigationGestures = false
    open private(set) var isLoading = false
    /// Test hook: the loaded requests, in order.
    public private(set) var standInLoaded: [URLRequest] = []

    public init(frame: CGRect, configuration: WKWebViewConfiguration) {
        self.configuration = configuration
        super.init(frame: frame)
    }

    public required init?(coder: NSCoder) { fatalError("the stand-in has no archives") }

    @discardableResult
    open func load(_ request: URLRequest) -> WKNavigation? {
        standInGo(to: request)
        return WKNavigation()
    }

    open func stopLoading() { isLoading = false }

    /// Test hook: a page that is shown wants to go somewhere.
    public func standInGo(to request: URLRequest) {
        guard let delegate = navigationDelegate else { return standInLoaded.append(request) }
        delegate.webView(self, decidePolicyFor: WKNavigationAction(request)) { policy in
            guard policy == .allow else { return }
            self.standInLoaded.append(request)
            delegate.webView(self, didFinish: nil)
        }
    }
}
