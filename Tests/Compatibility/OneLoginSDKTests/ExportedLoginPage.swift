// swift-format-ignore-file
#if canImport(UIKit)
import Foundation
import OneLoginSDK
import UIKit

/// The app's authorization page.
@MainActor
func loginPage() -> OLAuthViewModel {
    let page = OLAuthViewModel()
    page.pullAuthVCStyle = .push
    page.modalPresentationStyle = .pageSheet
    page.pullAnimate = false
    page.userInterfaceStyle = NSNumber(value: UIUserInterfaceStyle.dark.rawValue)
    page.supportedInterfaceOrientations = [.portrait, .portraitUpsideDown]
    page.statusBarStyle = .lightContent
    page.naviHidden = true
    page.naviTitle = NSAttributedString(string: words("我的", "我的", "Mine"), attributes: [.font: font(17, bold: true), .foregroundColor: color(0x000000ff, 0xffffffff)])
    page.naviBgColor = color(0x112233ff, 0x332211ff)
    page.backButtonHidden = true
    page.naviBackImage = UIImage(named: "back")
    page.backButtonRect.portraitTopYOffset = 11
    page.backButtonRect.portraitCenterXOffset = -2.5
    page.backButtonRect.portraitLeftXOffset = 13
    page.backButtonRect.landscapeTopYOffset = 21
    page.backButtonRect.landscapeCenterXOffset = 2.25
    page.backButtonRect.landscapeLeftXOffset = 23
    page.backButtonRect.size.width = 100
    page.backButtonRect.size.height = 30.125
    page.backgroundColor = color(0xfefefeff, 0x010101ff)
    page.backgroundImage = UIImage(named: "city.jpg")
    page.landscapeBackgroundImage = UIImage(named: "city-wide.jpg")
    page.backgroundGifPath = Bundle.main.path(forResource: "rain.gif", ofType: nil)
    page.backgroundVideoPath = Bundle.main.path(forResource: "rain.mp4", ofType: nil)
    page.allowGifOrVideoPlayRepeat = false
    page.logoHidden = true
    page.logoCornerRadius = 12.5
    page.logoRect.portraitTopYOffset = 11
    page.logoRect.portraitCenterXOffset = -2.5
    page.logoRect.portraitLeftXOffset = 13
    page.logoRect.landscapeTopYOffset = 21
    page.logoRect.landscapeCenterXOffset = 2.25
    page.logoRect.landscapeLeftXOffset = 23
    page.logoRect.size.width = 100
    page.logoRect.size.height = 30.125
    page.phoneNumColor = color(0x111111ff, 0xeeeeeeff)
    page.phoneNumFont = font(20, bold: false)
    page.phoneNumRect.portraitTopYOffset = 11
    page.phoneNumRect.portraitCenterXOffset = -2.5
    page.phoneNumRect.portraitLeftXOffset = 13
    page.phoneNumRect.landscapeTopYOffset = 21
    page.phoneNumRect.landscapeCenterXOffset = 2.25
    page.phoneNumRect.landscapeLeftXOffset = 23
    page.phoneNumRect.size.width = 100
    page.phoneNumRect.size.height = 30.125
    page.sloganTextColor = color(0x555555c8, 0x555555c8)
    page.sloganTextFont = font(11, bold: true)
    page.sloganRect.portraitTopYOffset = 11
    page.sloganRect.portraitCenterXOffset = -2.5
    page.sloganRect.portraitLeftXOffset = 13
    page.sloganRect.landscapeTopYOffset = 21
    page.sloganRect.landscapeCenterXOffset = 2.25
    page.sloganRect.landscapeLeftXOffset = 23
    page.sloganRect.size.width = 100
    page.sloganRect.size.height = 30.125
    page.authButtonTitle = NSAttributedString(string: "登录", attributes: [.font: font(18, bold: true), .foregroundColor: color(0xfffffeff, 0xfffffdff)])
    page.authButtonCornerRadius = 22
    page.disableAuthButtonWhenUnchecked = true
    page.authButtonRect.portraitTopYOffset = 11
    page.authButtonRect.portraitCenterXOffset = -2.5
    page.authButtonRect.portraitLeftXOffset = 13
    page.authButtonRect.landscapeTopYOffset = 21
    page.authButtonRect.landscapeCenterXOffset = 2.25
    page.authButtonRect.landscapeLeftXOffset = 23
    page.authButtonRect.size.width = 100
    page.authButtonRect.size.height = 30.125
    page.authButtonImages = [UIImage(named: "go"), UIImage(named: "go-off"), UIImage(named: "go-on")].compactMap { $0 }
    page.switchButtonHidden = true
    page.switchButtonText = words("换号", "換號", "Switch")
    page.switchButtonColor = color(0x000000ff, 0xffffffff)
    page.switchButtonFont = font(13, bold: true)
    page.switchButtonBackgroundColor = color(0xeeeeeeff, 0x222222ff)
    page.switchButtonRect.portraitTopYOffset = 11
    page.switchButtonRect.portraitCenterXOffset = -2.5
    page.switchButtonRect.portraitLeftXOffset = 13
    page.switchButtonRect.landscapeTopYOffset = 21
    page.switchButtonRect.landscapeCenterXOffset = 2.25
    page.switchButtonRect.landscapeLeftXOffset = 23
    page.switchButtonRect.size.width = 100
    page.switchButtonRect.size.height = 30.125
    page.additionalPrivacyTerms = [
        OLPrivacyTermItem(title: words("《用户协议》", "《使用者協議》", "User Agreement"), linkURL: URL(string: "https://app.example/agreement"), index: -1),
        OLPrivacyTermItem(title: words("《隐私政策》", "《隱私政策》", "Privacy Policy"), linkURL: URL(string: "https://app.example/privacy"), index: 1),
    ]
    page.auxiliaryPrivacyWords = ["同意", "", "、", "和", ""]
    page.termsAlignment = .center
    page.privacyTermsAttributes = [.font: font(13, bold: true), .foregroundColor: color(0x0000eeff, 0x9999ffff), .underlineStyle: NSNumber(value: 1)]
    page.termTextColor = color(0x000000ff, 0xffffffff)
    page.activeLinkAttributes = [NSAttributedString.Key.foregroundColor: color(0xee0000ff, 0xff9999ff)]
    page.termsRect.portraitTopYOffset = 11
    page.termsRect.portraitCenterXOffset = -2.5
    page.termsRect.portraitLeftXOffset = 13
    page.termsRect.landscapeTopYOffset = 21
    page.termsRect.landscapeCenterXOffset = 2.25
    page.termsRect.landscapeLeftXOffset = 23
    page.termsRect.size.width = 100
    page.termsRect.size.height = 30.125
    page.defaultCheckBoxState = true
    page.checkBoxSize = CGSize(width: 14, height: 14)
    page.spaceBetweenCheckboxAndTermsText = 2
    page.checkedImage = UIImage(named: "on")
    page.uncheckedImage = UIImage(named: "off")
    page.showNotCheckProtocolHint = false
    page.notCheckProtocolHint = words("请勾选", "請勾選", "Please tick")
    page.protocolHintOffsetY = -40
    page.webNaviHidden = true
    page.webNaviTitle = NSAttributedString(string: words("条款", "條款", "Terms"), attributes: [.font: font(17, bold: true), .foregroundColor: color(0x000000ff, 0xffffffff)])
    page.webNaviBgColor = color(0xabcdefff, 0x012345ff)
    page.webBackBtnHidden = true
    page.webBackBtnRect.portraitTopYOffset = 11
    page.webBackBtnRect.portraitCenterXOffset = -2.5
    page.webBackBtnRect.portraitLeftXOffset = 13
    page.webBackBtnRect.landscapeTopYOffset = 21
    page.webBackBtnRect.landscapeCenterXOffset = 2.25
    page.webBackBtnRect.landscapeLeftXOffset = 23
    page.webBackBtnRect.size.width = 100
    page.webBackBtnRect.size.height = 30.125
    page.isPopup = true
    page.popupRect.portraitTopYOffset = 11
    page.popupRect.portraitCenterXOffset = -2.5
    page.popupRect.portraitLeftXOffset = 13
    page.popupRect.landscapeTopYOffset = 21
    page.popupRect.landscapeCenterXOffset = 2.25
    page.popupRect.landscapeLeftXOffset = 23
    page.popupRect.size.width = 100
    page.popupRect.size.height = 30.125
    page.popupCornerRadius = 16
    page.popupRectCorners = [NSNumber(value: UIRectCorner.topLeft.rawValue), NSNumber(value: UIRectCorner.topRight.rawValue)]
    page.popupAnimationStyle = .custom
    page.closePopupImage = UIImage(named: "close")
    page.closePopupTopOffset = NSNumber(value: 4)
    page.closePopupRightOffset = NSNumber(value: 6)
    page.closePopupSize = CGSize(width: 20, height: 21)
    page.canClosePopupFromTapGesture = true
    return page
}

/// A text in the language of the app.
private func words(_ simplified: String, _ traditional: String, _ english: String) -> String {
    let language = Bundle.main.preferredLocalizations.first ?? "zh-Hans"
    guard language.hasPrefix("zh") else { return english }
    return ["zh-Hant", "zh-TW", "zh-HK", "zh-MO"].contains { language.hasPrefix($0) } ? traditional : simplified
}

/// `0xrrggbbaa`, for light and dark.
private func color(_ light: UInt32, _ dark: UInt32) -> UIColor {
    UIColor { traits in
        let value = traits.userInterfaceStyle == .dark ? dark : light
        func part(_ shift: UInt32) -> CGFloat { CGFloat(value >> shift & 255) / 255 }
        return UIColor(red: part(24), green: part(16), blue: part(8), alpha: part(0))
    }
}

private func font(_ size: CGFloat, bold: Bool) -> UIFont {
    bold ? UIFont.boldSystemFont(ofSize: size) : UIFont.systemFont(ofSize: size)
}
#endif
