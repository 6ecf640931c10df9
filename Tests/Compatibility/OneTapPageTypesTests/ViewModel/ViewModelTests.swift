#if canImport(UIKit)
import BenjiPage
import OneTapCTypes
import Testing
import UIKit

@testable import OneTapPageTypes

@MainActor @Suite struct ViewModelTests {
    private static let text = NSAttributedString(
        string: "新文字", attributes: [.font: UIFont.boldSystemFont(ofSize: 21), .foregroundColor: UIColor.sample])
    private static let styled = StyledText(LocalizedText("新文字"), PageFont(21, isBold: true), .sample)
    private static let image = UIImage(standIn: "mine", width: 31, height: 17)
    private static let placement = PagePlacement(.sample)
    private static func named(_ name: String) -> PageImage { PageImage(name, width: 31, height: 17) }

    private static var presentation: [PropertyCheck] {
        [
            .init("statusBarStyle", { $0.statusBar.style }, .light, set: { $0.statusBarStyle = .lightContent }),
            .init(
                "supportedInterfaceOrientations", { $0.presentation.orientations }, [.landscapeLeft],
                set: { $0.supportedInterfaceOrientations = .landscapeLeft }),
            .init("pullAuthVCStyle", { $0.presentation.style }, .push, set: { $0.pullAuthVCStyle = .push }),
            .init("pullAnimate", { $0.presentation.isAnimated }, false, set: { $0.pullAnimate = false }),
            .init(
                "userInterfaceStyle", \.userInterfaceStyle, 2, { $0.presentation.appearance }, .dark),
            .init(
                "modalPresentationStyle", { $0.presentation.coverage }, .pageSheet,
                set: { $0.modalPresentationStyle = .pageSheet }),
            .init(
                "modalPresentationAnimation", \.modalPresentationAnimation, CAAnimation(),
                { $0.presentation.arrival?.name }, "modalPresentationAnimation"),
            .init(
                "modalDismissAnimation", \.modalDismissAnimation, CAAnimation(), { $0.presentation.departure?.name },
                "modalDismissAnimation"),
        ]
    }

    private static var navigation: [PropertyCheck] {
        [
            .init("naviTitle", \.naviTitle, text, { $0.navigationBar.title?.style }, styled),
            .init("naviBgColor", \.naviBgColor, .sample, { $0.navigationBar.color }, .sample),
            .init(
                "naviBackImage", \.naviBackImage, image, { $0.navigationBar.back.image }, named("naviBackImage")),
            .init("naviHidden", { $0.navigationBar.isHidden }, true, set: { $0.naviHidden = true }),
            .init(
                "backButtonRect", { $0.navigationBar.back.placement }, placement, set: { $0.backButtonRect = .sample }),
            .init("backButtonHidden", { $0.navigationBar.back.isHidden }, true, set: { $0.backButtonHidden = true }),
            .init("webBackBtnHidden", { $0.webPage.back.isHidden }, true, set: { $0.webBackBtnHidden = true }),
            .init("webBackBtnImg", \.webBackBtnImg, image, { $0.webPage.back.image }, named("webBackBtnImg")),
            .init("webBackBtnRect", { $0.webPage.back.placement }, placement, set: { $0.webBackBtnRect = .sample }),
            .init("webNaviHidden", { $0.webPage.isBarHidden }, true, set: { $0.webNaviHidden = true }),
            .init("webNaviTitle", \.webNaviTitle, text, { $0.webPage.title?.style }, styled),
            .init("webNaviBgColor", \.webNaviBgColor, .sample, { $0.webPage.color }, .sample),
        ]
    }

    private static var identity: [PropertyCheck] {
        [
            .init("appLogo", \.appLogo, image, { $0.logo.image }, named("appLogo")),
            .init("logoRect", { $0.logo.placement }, placement, set: { $0.logoRect = .sample }),
            .init("logoHidden", { $0.logo.isHidden }, true, set: { $0.logoHidden = true }),
            .init("logoCornerRadius", { $0.logo.cornerRadius }, 9.5, set: { $0.logoCornerRadius = 9.5 }),
            .init("phoneNumColor", \.phoneNumColor, .sample, { $0.number.color }, .sample),
            .init("phoneNumFont", \.phoneNumFont, .systemFont(ofSize: 30), { $0.number.font }, PageFont(30)),
            .init("phoneNumRect", { $0.number.placement }, placement.withoutSize, set: { $0.phoneNumRect = .sample }),
            .init("sloganRect", { $0.slogan.placement }, placement, set: { $0.sloganRect = .sample }),
            .init("sloganTextColor", \.sloganTextColor, .sample, { $0.slogan.color }, .sample),
            .init("sloganTextFont", \.sloganTextFont, .systemFont(ofSize: 14), { $0.slogan.font }, PageFont(14)),
        ]
    }

    private static var buttons: [PropertyCheck] {
        [
            .init("switchButtonText", \.switchButtonText, "其他方式", { $0.switchButton.title.text[.english] }, "其他方式"),
            .init("switchButtonColor", \.switchButtonColor, .sample, { $0.switchButton.title.color }, .sample),
            .init(
                "switchButtonBackgroundColor", \.switchButtonBackgroundColor, .sample, { $0.switchButton.fill },
                .sample),
            .init(
                "switchButtonFont", \.switchButtonFont, .boldSystemFont(ofSize: 13), { $0.switchButton.title.font },
                PageFont(13, isBold: true)),
            .init("switchButtonRect", { $0.switchButton.placement }, placement, set: { $0.switchButtonRect = .sample }),
            .init("switchButtonHidden", { $0.switchButton.isHidden }, true, set: { $0.switchButtonHidden = true }),
            .init("authButtonTitle", \.authButtonTitle, text, { $0.loginButton.title }, styled),
            .init("authButtonRect", { $0.loginButton.placement }, placement, set: { $0.authButtonRect = .sample }),
            .init("authButtonCornerRadius", { $0.loginButton.cornerRadius }, 8, set: { $0.authButtonCornerRadius = 8 }),
            .init(
                "disableAuthButtonWhenUnchecked", { $0.loginButton.needsTick }, true,
                set: { $0.disableAuthButtonWhenUnchecked = true }),
            .init(
                "authButtonImages[0]", \.authButtonImages, [image], { $0.loginButton.images.normal },
                named("authButtonImages.normal")),
            .init(
                "authButtonImages[1]", \.authButtonImages, [image, image], { $0.loginButton.images.disabled },
                named("authButtonImages.disabled")),
            .init(
                "authButtonImages[2]", \.authButtonImages, [image, image, image, image],
                { $0.loginButton.images.highlighted }, named("authButtonImages.highlighted")),
        ]
    }

    private static var terms: [PropertyCheck] {
        [
            .init(
                "defaultCheckBoxState", { $0.terms.tick.isInitiallySet }, false,
                set: { $0.defaultCheckBoxState = false }),
            .init("checkedImage", \.checkedImage, image, { $0.terms.tick.setImage }, named("checkedImage")),
            .init("uncheckedImage", \.uncheckedImage, image, { $0.terms.tick.unsetImage }, named("uncheckedImage")),
            .init("checkBoxSize", { $0.terms.tick.size }, 18, set: { $0.checkBoxSize = CGSize(width: 16, height: 18) }),
            .init(
                "spaceBetweenCheckboxAndTermsText", { $0.terms.tick.gap }, 7,
                set: { $0.spaceBetweenCheckboxAndTermsText = 7 }),
            .init(
                "privacyTermsAttributes (colour)", \.privacyTermsAttributes, [.foregroundColor: UIColor.sample],
                { $0.terms.linkColor }, .sample),
            .init(
                "privacyTermsAttributes (font)", \.privacyTermsAttributes, [.font: UIFont.systemFont(ofSize: 14)],
                { $0.terms.font }, PageFont(14)),
            .init(
                "privacyTermsAttributes (underline)", \.privacyTermsAttributes, [.underlineStyle: NSNumber(value: 1)],
                { $0.terms.isUnderlined }, true),
            .init(
                "activeLinkAttributes", \.activeLinkAttributes,
                [NSAttributedString.Key.foregroundColor: UIColor.sample], { $0.terms.pressedLinkColor }, .sample),
            .init("termTextColor", \.termTextColor, .sample, { $0.terms.color }, .sample),
            .init("termsRect", { $0.terms.placement }, placement, set: { $0.termsRect = .sample }),
            .init(
                "auxiliaryPrivacyWords", \.auxiliaryPrivacyWords, ["阅读", "与", "及", "。"],
                { $0.terms.words.map { $0[.simplifiedChinese] } }, ["阅读", "与", "及", "。"]),
            .init("termsAlignment", { $0.terms.alignment }, .center, set: { $0.termsAlignment = .center }),
            .init(
                "hasQuotationMarkOnCarrierProtocol", { $0.terms.quotesCarrierTerms }, true,
                set: { $0.hasQuotationMarkOnCarrierProtocol = true }),
            .init(
                "showNotCheckProtocolHint", { $0.terms.hint.isShown }, false,
                set: { $0.showNotCheckProtocolHint = false }),
            .init(
                "notCheckProtocolHint", \.notCheckProtocolHint, "请先勾选", { $0.terms.hint.text[.english] }, "请先勾选"),
            .init("protocolHintOffsetY", { $0.terms.hint.offset }, -40, set: { $0.protocolHintOffsetY = -40 }),
        ]
    }

    private static var background: [PropertyCheck] {
        [
            .init("backgroundColor", \.backgroundColor, .sample, { $0.background.color }, .sample),
            .init(
                "backgroundImage", \.backgroundImage, image, { $0.background.image }, named("backgroundImage")),
            .init(
                "landscapeBackgroundImage", \.landscapeBackgroundImage, image, { $0.background.landscapeImage },
                named("landscapeBackgroundImage")),
            .init(
                "backgroundGifPath", \.backgroundGifPath, "/a.gif", { $0.background.gif?.name }, "backgroundGifPath"),
            .init(
                "backgroundVideoPath", \.backgroundVideoPath, "/a.mp4", { $0.background.video?.name },
                "backgroundVideoPath"),
            .init(
                "allowGifOrVideoPlayRepeat", { $0.background.repeats }, false,
                set: { $0.allowGifOrVideoPlayRepeat = false }),
            .init(
                "loadingViewBlock", \.loadingViewBlock, { _ in }, { $0.loading.view?.name }, "loadingViewBlock"),
        ]
    }

    private static var popup: [PropertyCheck] {
        [
            .init("isPopup", { $0.popup != nil }, true, set: { $0.isPopup = true }),
            .init("popupRect", { $0.popup?.placement }, placement, set: { $0.popupRect = .sample }),
            .init("popupCornerRadius", { $0.popup?.cornerRadius }, 12, set: { $0.popupCornerRadius = 12 }),
            .init(
                "popupRectCorners", \.popupRectCorners, [1, 2], { $0.popup?.corners }, [.topLeft, .topRight]),
            .init(
                "popupAnimationStyle", { $0.popup?.animation }, .flipHorizontal,
                set: { $0.popupAnimationStyle = .flipHorizontal }),
            .init(
                "popupTransitionAnimation", \.popupTransitionAnimation, CAAnimation(),
                { $0.popup?.animationSlot?.name }, "popupTransitionAnimation"),
            .init("closePopupImage", \.closePopupImage, image, { $0.popup?.close.image }, named("closePopupImage")),
            .init("closePopupTopOffset", \.closePopupTopOffset, 3, { $0.popup?.close.top }, 3),
            .init("closePopupRightOffset", \.closePopupRightOffset, 4, { $0.popup?.close.right }, 4),
            .init(
                "closePopupSize", { $0.popup?.close.height }, 30,
                set: { $0.closePopupSize = CGSize(width: 20, height: 30) }),
            .init(
                "canClosePopupFromTapGesture", { $0.popup?.closesOnOutsideTap }, true,
                set: { $0.canClosePopupFromTapGesture = true }),
        ]
    }

    private static var all: [PropertyCheck] {
        presentation + navigation + identity + buttons + terms + background + popup
    }

    @Test("Every property that is data is seen in the page, and nil is the documented default again")
    func properties() {
        for check in Self.all {
            check.run(.geYan)
            check.run(.oneLogin)
        }
        #expect(Set(Self.all.map(\.name)).count == Self.all.count)
    }

    @Test("Every property reads back what was written, and its documented default before")
    func readingBack() {
        let model = OneTapViewModel(.geYan)
        #expect(model.statusBarStyle == .default && model.defaultCheckBoxState && model.termsAlignment == .left)
        #expect(model.popupCornerRadius == 6 && model.pullAuthVCStyle == .modal && !model.isPopup)
        #expect(model.closePopupSize == CGSize(width: 11, height: 22) && model.checkBoxSize.width == 12)
        #expect(model.showNotCheckProtocolHint && model.allowGifOrVideoPlayRepeat && !model.webNaviHidden)
        #expect(!model.hasQuotationMarkOnCarrierProtocol && model.protocolHintOffsetY == 0)
        #expect(model.naviTitle == nil && model.authButtonImages == nil && model.logoRect.portraitTopYOffset == 0)
        model.naviTitle = Self.text
        model.authButtonImages = [Self.image]
        model.logoRect = .sample
        model.popupAnimationStyle = .styleCustom
        model.clickCheckboxBlock = { _ in }
        #expect(model.naviTitle === Self.text && model.authButtonImages?.first === Self.image)
        #expect(model.logoRect.size.width == 70 && model.popupAnimationStyle == .custom)
        #expect(model.clickCheckboxBlock != nil && model.protocolHintBlock == nil)
    }

    @Test("Pictures are found under the names that the page has for them")
    func pictures() {
        let model = OneTapViewModel(.oneLogin)
        model.appLogo = Self.image
        model.authButtonImages = [Self.image, UIImage(standIn: "grey")]
        #expect(model.givenImages["appLogo"] === Self.image)
        #expect(model.givenImages["authButtonImages.disabled"]?.standInName == "grey")
        #expect(model.givenImages.count == 3)
    }

    @Test("A colour keeps both appearances, and its opacity")
    func colors() {
        let model = OneTapViewModel(.geYan)
        model.backgroundColor = UIColor { $0.userInterfaceStyle == .dark ? .black : UIColor(white: 1, alpha: 0.5) }
        #expect(
            model.vendor.page.background.color
                == AdaptiveColor(light: PageColor(0xffffff, alpha: 128), dark: PageColor(0)))
    }

    @Test("An attributed text without font and colour has those of the default; an empty one is the default")
    func plainText() {
        let model = OneTapViewModel(.geYan)
        let usual = model.vendor.page.loginButton.title
        model.authButtonTitle = NSAttributedString(string: "登录")
        #expect(model.vendor.page.loginButton.title == StyledText(LocalizedText("登录"), usual.font, usual.color))
        model.authButtonTitle = NSAttributedString(string: "")
        #expect(model.vendor.page.loginButton.title == usual)
        model.naviTitle = NSAttributedString(string: "")
        #expect(model.vendor.page.navigationBar.title == nil)
    }

    @Test("Of more than four corners the first four count, and words other than four or more are the default")
    func limits() {
        let model = OneTapViewModel(.geYan)
        model.popupRectCorners = [1, 1, 1, 1, 8]
        #expect(model.vendor.popup.corners == [.topLeft])
        let words = model.vendor.page.terms.words
        model.auxiliaryPrivacyWords = ["一", "二", "三"]
        #expect(model.vendor.page.terms.words == words)
    }
}
#endif
