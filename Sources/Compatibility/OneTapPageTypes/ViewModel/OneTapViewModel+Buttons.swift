#if canImport(UIKit)
import BenjiPage
public import Foundation
public import OneTapCTypes
public import UIKit

/// The pictures of the login button in the order of `authButtonImages`; the values name them on the page.
enum LoginImage: String, CaseIterable {
    case normal = "authButtonImages.normal"
    case disabled = "authButtonImages.disabled"
    case highlighted = "authButtonImages.highlighted"
}

extension OneTapViewModel {
    // MARK: login

    /// The pictures of the login button: when it can be tapped, when it cannot, while a finger is on it. Default: blue,
    /// grey and grey-blue.
    public final var authButtonImages: [UIImage]? {
        get { kept() }
        set {
            keep(newValue, at: \.page.loginButton.images) { given in
                var images = PageDescription.LoginButton.Images()
                let named = zip(LoginImage.allCases, given).map { PageImage($0.rawValue, $1) }
                if named.count > 0 { images.normal = named[0] }
                if named.count > 1 { images.disabled = named[1] }
                if named.count > 2 { images.highlighted = named[2] }
                return images
            }
        }
    }

    /// The text of the login button. Default: 一键登录, white.
    public final var authButtonTitle: NSAttributedString? {
        get { kept() }
        set {
            keep(newValue, at: \.page.loginButton.title) { [title = defaults.page.loginButton.title] in
                StyledText($0, named: "authButtonTitle", else: title)
            }
        }
    }

    /// Where the login button stands.
    public final var authButtonRect: OLRect {
        get { kept() ?? OLRect() }
        set { keep(newValue, at: \.page.loginButton.placement) { .init($0) } }
    }

    /// Points. Default: 0.
    public final var authButtonCornerRadius: CGFloat {
        get { kept() ?? 0 }
        set { keep(newValue, at: \.page.loginButton.cornerRadius) { Measure.zeroOrMore(Double($0)) } }
    }

    /// The login button cannot be tapped until the tick is set. Default: it can, and a hint asks for the tick.
    public final var disableAuthButtonWhenUnchecked: Bool {
        get { vendor.page.loginButton.needsTick }
        set { vendor.page.loginButton.needsTick = newValue }
    }

    /// Is called when the login button is tapped, with the tick or without.
    public final var clickAuthButtonBlock: OLClickAuthButtonBlock? {
        get { kept() }
        set { keep(newValue) }
    }

    // MARK: another account

    /// The text of the button for another account. Default: 切换账号.
    public final var switchButtonText: String? {
        get { kept() }
        set { keep(newValue, at: \.page.switchButton.title.text) { PageText.localized($0) } }
    }

    /// The colour of its text. Default: blue.
    public final var switchButtonColor: UIColor? {
        get { kept() }
        set { keep(newValue, at: \.page.switchButton.title.color) { .init($0) } }
    }

    /// The colour behind its text. Default: none.
    public final var switchButtonBackgroundColor: UIColor? {
        get { kept() }
        set { keep(newValue, at: \.page.switchButton.fill) { .init($0) } }
    }

    /// The font of its text. Default: 15 points.
    public final var switchButtonFont: UIFont? {
        get { kept() }
        set { keep(newValue, at: \.page.switchButton.title.font) { .init($0, named: "switchButtonFont") } }
    }

    /// Where it stands.
    public final var switchButtonRect: OLRect {
        get { kept() ?? OLRect() }
        set { keep(newValue, at: \.page.switchButton.placement) { .init($0) } }
    }

    /// No button for another account. Default: there is one.
    public final var switchButtonHidden: Bool {
        get { vendor.page.switchButton.isHidden }
        set { vendor.page.switchButton.isHidden = newValue }
    }

    /// Is called when the button for another account is tapped.
    public final var clickSwitchButtonBlock: OLClickSwitchButtonBlock? {
        get { kept() }
        set { keep(newValue) }
    }
}
#endif
