#if canImport(UIKit)
import BenjiPage
import Foundation
import UIKit
import WebKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Shows the text of terms: a bar with a way back, and the page at their address.
///
/// Nothing but `https` is loaded, nothing is kept on the device, and no script of the page reaches the app.
final class TermsViewController: UIViewController, WKNavigationDelegate {
    /// They have left the screen.
    var gone: (() -> Void)?
    private let url: URL
    private let page: PageDescription.WebPage
    private let appearance: PageAppearance
    private let bar = UIView(frame: .zero)
    private let titleLabel = UILabel(frame: .zero)
    private let back = UIControl(frame: .zero)
    private let picture = UIImageView(frame: .zero)
    private let web: WKWebView

    init(
        _ url: URL, title: String, page: PageDescription.WebPage, scene: PageScene, _ supplies: PageSupplies,
        _ fonts: PageFonts
    ) {
        self.url = url
        self.page = page
        appearance = scene.appearance
        let configuration = WKWebViewConfiguration()
        configuration.websiteDataStore = .nonPersistent()
        web = WKWebView(frame: .zero, configuration: configuration)
        super.init(nibName: nil, bundle: nil)
        let style = page.title?.style
        let text = style?.text[scene.screen.language] ?? title
        self.title = text
        let font = style?.font ?? PageFont(17, isBold: true)
        var attributes = fonts.attributes(font)
        let ink = PageColor(appearance == .dark ? 0xffffff : 0x000000)
        attributes[.foregroundColor] = UIColor(style?.color[appearance] ?? ink)
        titleLabel.attributedText = NSAttributedString(string: text, attributes: attributes)
        picture.image =
            page.back.image.map { supplies.image($0.name) } ?? UIImage(systemName: "chevron.backward")
        picture.tintColor = UIColor(ink)
        back.accessibilityLabel = PageDescription.BackButton.label[scene.screen.language]
    }

    @available(*, unavailable) required init?(coder: NSCoder) { fatalError("made by the page") }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = UIColor(page.color[appearance])
        bar.backgroundColor = UIColor(page.color[appearance])
        bar.isHidden = page.isBarHidden
        titleLabel.textAlignment = .center
        titleLabel.accessibilityTraits = .header
        back.isHidden = page.back.isHidden
        back.isAccessibilityElement = true
        back.accessibilityIdentifier = "benji.terms.back"
        back.accessibilityTraits = .button
        back.addAction(UIAction { [weak self] _ in self?.leave() }, for: .touchUpInside)
        back.addSubview(picture)
        web.navigationDelegate = self
        web.allowsLinkPreview = false
        view.addSubview(web)
        view.addSubview(bar)
        bar.addSubview(titleLabel)
        // Not in the bar: without the bar there must still be a way back.
        view.addSubview(back)
        web.load(URLRequest(url: url))
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        gone?()
    }

    /// The bar of a page, at the same places (`webNaviHidden`, `webBackBtnRect`).
    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        let safe = view.safeAreaInsets
        let size = view.bounds.size
        let height: CGFloat = page.isBarHidden ? 0 : 44
        bar.frame = CGRect(x: 0, y: 0, width: size.width, height: safe.top + height)
        titleLabel.frame = CGRect(
            x: safe.left + 60, y: safe.top, width: size.width - 2 * (safe.left + 60), height: height)
        back.frame = CGRect(
            page.back.frame(
                top: Double(safe.top), left: Double(safe.left), size: PageSize(Double(size.width), Double(height)),
                isLandscape: size.width > size.height))
        picture.frame = back.bounds
        web.frame = CGRect(x: 0, y: bar.frame.maxY, width: size.width, height: size.height - bar.frame.maxY)
    }

    override func accessibilityPerformEscape() -> Bool {
        leave()
        return true
    }

    private func leave() {
        if let stack = navigationController {
            stack.popViewController(animated: true)
        } else {
            presentingViewController?.dismiss(animated: true)
        }
    }

    func webView(
        _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy) -> Void
    ) { decisionHandler(navigationAction.request.url?.scheme == "https" ? .allow : .cancel) }
}
#endif
