import BenjiPage

/// Writes a description as the Swift that sets a vendor's view model, as far as the view model can say it.
struct ViewModelWriter {
    private let page: PageDescription
    private let json: PageJSON
    private let isGeYan: Bool
    private var lines: [String] = []
    private(set) var unsaid: [PageExport.Unsaid] = []

    init(_ page: PageDescription, _ json: PageJSON, isGeYan: Bool) {
        self.page = page
        self.json = json
        self.isGeYan = isGeYan
    }

    private var module: String { isGeYan ? "GeYanSdk" : "OneLoginSDK" }
    private var model: String { isGeYan ? "GyAuthViewModel" : "OLAuthViewModel" }
    private var item: String { isGeYan ? "GyAuthPrivacyItem" : "OLPrivacyTermItem" }

    var text: String {
        var text = """
            import Foundation
            import \(module)
            import UIKit

            /// The app's authorization page.
            @MainActor
            func loginPage() -> \(model) {
                let page = \(model)()

            """
        for line in lines { text += "    " + line + "\n" }
        text += """
                return page
            }

            /// A text in the language of the app.
            private func words(_ simplified: String, _ traditional: String, _ english: String) -> String {
                let language = Bundle.main.preferredLocalizations.first ?? "zh-Hans"
                guard language.hasPrefix("zh") else { return english }
                return ["zh-Hant", "zh-TW", "zh-HK", "zh-MO"].contains { language.hasPrefix($0) } ? traditional : \
            simplified
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

            """
        return text
    }

    mutating func write() throws(PageError) {
        var usualPage = PageDescription()
        if page.popup != nil { usualPage.popup = PageDescription.Popup() }
        let usual = try usualPage.json()
        writePresentation()
        writeControls()
        writeTerms()
        writeRest()
        for (path, reason) in reasons {
            guard let value = json.at(path), value.text != (usual.at(path)?.text ?? "") else { continue }
            unsaid.append(PageExport.Unsaid(path: path, reason: reason))
        }
    }

    // MARK: - What it can say

    private mutating func set(_ property: String, _ value: String) { lines.append("page.\(property) = \(value)") }

    private mutating func writePresentation() {
        let (presentation, usual) = (page.presentation, PageDescription().presentation)
        if presentation.style != usual.style { set("pullAuthVCStyle", ".push") }
        if presentation.coverage != usual.coverage {
            set("modalPresentationStyle", "." + presentation.coverage.rawValue)
        }
        if !presentation.isAnimated { set("pullAnimate", "false") }
        switch presentation.appearance {
        case .automatic: set("userInterfaceStyle", "NSNumber(value: UIUserInterfaceStyle.unspecified.rawValue)")
        case .light: break
        case .dark: set("userInterfaceStyle", "NSNumber(value: UIUserInterfaceStyle.dark.rawValue)")
        }
        if presentation.orientations != usual.orientations {
            set(
                "supportedInterfaceOrientations",
                "[" + presentation.orientations.map { "." + $0.rawValue }.joined(separator: ", ") + "]")
        }
        switch page.statusBar.style {
        case .automatic: break
        case .dark: set("statusBarStyle", ".darkContent")
        case .light: set("statusBarStyle", ".lightContent")
        }
    }

    private mutating func writeControls() {
        let usual = PageDescription()
        let bar = page.navigationBar
        if bar.isHidden { set("naviHidden", "true") }
        if let title = bar.title { set("naviTitle", styled(title.style)) }
        set("naviBgColor", bar.color, usual.navigationBar.color)
        if bar.back.isHidden { set("backButtonHidden", "true") }
        if let image = bar.back.image { set("naviBackImage", picture(image)) }
        set("backButtonRect", bar.back.placement)
        set("backgroundColor", page.background.color, usual.background.color)
        if let image = page.background.image { set("backgroundImage", picture(image)) }
        if let image = page.background.landscapeImage { set("landscapeBackgroundImage", picture(image)) }
        if let gif = page.background.gif { set("backgroundGifPath", path(gif)) }
        if let video = page.background.video { set("backgroundVideoPath", path(video)) }
        if !page.background.repeats { set("allowGifOrVideoPlayRepeat", "false") }
        if page.logo.isHidden { set("logoHidden", "true") } else { set("appLogo", picture(page.logo.image)) }
        if page.logo.cornerRadius > 0 { set("logoCornerRadius", SwiftLiteral.number(page.logo.cornerRadius)) }
        set("logoRect", page.logo.placement)
        set("phoneNumColor", page.number.color, usual.number.color)
        if page.number.font != usual.number.font { set("phoneNumFont", font(page.number.font)) }
        set("phoneNumRect", page.number.placement)
        set("sloganTextColor", page.slogan.color, usual.slogan.color)
        if page.slogan.font != usual.slogan.font { set("sloganTextFont", font(page.slogan.font)) }
        set("sloganRect", page.slogan.placement)
        let login = page.loginButton
        if login.title != usual.loginButton.title { set("authButtonTitle", styled(login.title)) }
        if login.cornerRadius > 0 { set("authButtonCornerRadius", SwiftLiteral.number(login.cornerRadius)) }
        if login.needsTick { set("disableAuthButtonWhenUnchecked", "true") }
        set("authButtonRect", login.placement)
        if let normal = login.images.normal {
            let images = [normal, login.images.disabled ?? normal, login.images.highlighted ?? normal]
            var list: [String] = []
            for image in images { list.append(picture(image)) }
            set("authButtonImages", "[" + list.joined(separator: ", ") + "].compactMap { $0 }")
        }
        let other = page.switchButton
        if other.isHidden { set("switchButtonHidden", "true") }
        if other.title.text != usual.switchButton.title.text { set("switchButtonText", words(other.title.text)) }
        set("switchButtonColor", other.title.color, usual.switchButton.title.color)
        if other.title.font != usual.switchButton.title.font { set("switchButtonFont", font(other.title.font)) }
        set("switchButtonBackgroundColor", other.fill, usual.switchButton.fill)
        set("switchButtonRect", other.placement)
    }

    private mutating func writeTerms() {
        let (terms, usual) = (page.terms, PageDescription().terms)
        if !terms.items.isEmpty {
            lines.append("page.additionalPrivacyTerms = [")
            for term in terms.items {
                lines.append(
                    "    \(item)(title: \(words(term.title)), linkURL: URL(string: \(SwiftLiteral.string(term.url))), "
                        + "index: \(term.index)),"
                )
            }
            lines.append("]")
        }
        if terms.words != usual.words {
            set("auxiliaryPrivacyWords", "[" + terms.words.map { words($0) }.joined(separator: ", ") + "]")
        }
        if terms.quotesCarrierTerms { set("hasQuotationMarkOnCarrierProtocol", "true") }
        if terms.alignment != usual.alignment { set("termsAlignment", "." + terms.alignment.rawValue) }
        if terms.font != usual.font || terms.linkColor != usual.linkColor || terms.isUnderlined {
            var attributes = [
                ".font: \(font(terms.font))", ".foregroundColor: \(color(terms.linkColor))",
            ]
            if terms.isUnderlined { attributes.append(".underlineStyle: NSNumber(value: 1)") }
            set("privacyTermsAttributes", "[" + attributes.joined(separator: ", ") + "]")
        }
        set("termTextColor", terms.color, usual.color)
        if terms.pressedLinkColor != usual.pressedLinkColor {
            set(
                "activeLinkAttributes",
                "[NSAttributedString.Key.foregroundColor: \(color(terms.pressedLinkColor))]")
        }
        set("termsRect", terms.placement)
        set("defaultCheckBoxState", terms.tick.isInitiallySet ? "true" : "false")
        let side = SwiftLiteral.number(terms.tick.size)
        set("checkBoxSize", "CGSize(width: \(side), height: \(side))")
        set("spaceBetweenCheckboxAndTermsText", SwiftLiteral.number(terms.tick.gap))
        if let image = terms.tick.setImage { set("checkedImage", picture(image)) }
        if let image = terms.tick.unsetImage { set("uncheckedImage", picture(image)) }
        if !terms.hint.isShown { set("showNotCheckProtocolHint", "false") }
        if terms.hint.text != usual.hint.text { set("notCheckProtocolHint", words(terms.hint.text)) }
        if terms.hint.offset != 0 { set("protocolHintOffsetY", SwiftLiteral.number(terms.hint.offset)) }
    }

    private mutating func writeRest() {
        let usual = PageDescription()
        let web = page.webPage
        if web.isBarHidden { set("webNaviHidden", "true") }
        if let title = web.title { set("webNaviTitle", styled(title.style)) }
        set("webNaviBgColor", web.color, usual.webPage.color)
        if web.back.isHidden { set("webBackBtnHidden", "true") }
        if let image = web.back.image { set("webBackBtnImg", picture(image)) }
        set("webBackBtnRect", web.back.placement)
        guard let popup = page.popup else { return }
        set("isPopup", "true")
        set("popupRect", popup.placement)
        set("popupCornerRadius", SwiftLiteral.number(popup.cornerRadius))
        if popup.corners != PageDescription.Popup().corners {
            let corners = popup.corners.map { "NSNumber(value: UIRectCorner.\($0.rawValue).rawValue)" }
            set("popupRectCorners", "[" + corners.joined(separator: ", ") + "]")
        }
        if popup.animation != .coverVertical { set("popupAnimationStyle", "." + popup.animation.rawValue) }
        if let image = popup.close.image { set("closePopupImage", picture(image)) }
        set("closePopupTopOffset", "NSNumber(value: \(SwiftLiteral.number(popup.close.top)))")
        set("closePopupRightOffset", "NSNumber(value: \(SwiftLiteral.number(popup.close.right)))")
        if let width = popup.close.width, let height = popup.close.height {
            set(
                "closePopupSize", "CGSize(width: \(SwiftLiteral.number(width)), height: \(SwiftLiteral.number(height)))"
            )
        }
        if popup.closesOnOutsideTap { set("canClosePopupFromTapGesture", "true") }
    }

    private mutating func set(_ property: String, _ color: AdaptiveColor, _ usual: AdaptiveColor) {
        if color != usual { set(property, self.color(color)) }
    }

    private mutating func set(_ property: String, _ placement: PagePlacement) {
        guard placement != PagePlacement() else { return }
        func number(_ value: Double?) -> String { SwiftLiteral.number(value ?? 0) }
        let (portrait, landscape) = (placement.portrait, placement.landscape)
        lines.append("page.\(property).portraitTopYOffset = \(number(portrait.top))")
        lines.append("page.\(property).portraitCenterXOffset = \(number(portrait.center))")
        lines.append("page.\(property).portraitLeftXOffset = \(number(portrait.left))")
        lines.append("page.\(property).landscapeTopYOffset = \(number(landscape.top))")
        lines.append("page.\(property).landscapeCenterXOffset = \(number(landscape.center))")
        lines.append("page.\(property).landscapeLeftXOffset = \(number(landscape.left))")
        if let size = placement.size {
            lines.append("page.\(property).size.width = \(number(size.width))")
            lines.append("page.\(property).size.height = \(number(size.height))")
        }
    }

    private func color(_ color: AdaptiveColor) -> String {
        func digits(_ color: PageColor) -> String {
            let text = String(color.text.dropFirst())
            return "0x" + text + (color.alpha == 255 ? "ff" : "")
        }
        return "color(\(digits(color.light)), \(digits(color.dark)))"
    }

    private func font(_ font: PageFont) -> String {
        let own = "font(\(SwiftLiteral.number(font.size)), bold: \(font.isBold ? "true" : "false"))"
        guard let typeface = font.typeface else { return own }
        return "UIFont(name: \(SwiftLiteral.string(typeface)), size: \(SwiftLiteral.number(font.size))) ?? " + own
    }

    private func words(_ text: LocalizedText) -> String {
        let (simplified, traditional, english) = (text.simplifiedChinese, text.traditionalChinese, text.english)
        if simplified.sameBytes(as: traditional), simplified.sameBytes(as: english) {
            return SwiftLiteral.string(simplified)
        }
        return
            "words(\(SwiftLiteral.string(simplified)), \(SwiftLiteral.string(traditional)), "
            + "\(SwiftLiteral.string(english)))"
    }

    private func styled(_ text: StyledText) -> String {
        "NSAttributedString(string: \(words(text.text)), attributes: [.font: \(font(text.font)), .foregroundColor: "
            + "\(color(text.color))])"
    }

    private func picture(_ image: PageImage) -> String { "UIImage(named: \(SwiftLiteral.string(image.name)))" }

    private func path(_ slot: PageSlot) -> String {
        "Bundle.main.path(forResource: \(SwiftLiteral.string(slot.name)), ofType: nil)"
    }

    // MARK: - What it cannot

    private var reasons: [(path: String, reason: LocalizedText)] {
        let absent = LocalizedText("该厂商的视图模型没有此项。", "This vendor's view model has no such property.")
        let code = LocalizedText("由应用的代码提供，请在导出的代码中自行设置。", "The app's code makes it; set it yourself beside this code.")
        let buttons = LocalizedText(
            "登录按钮的底色只能用三张图片（authButtonImages）设置。",
            "The button's colours can only be set as three pictures (authButtonImages).")
        let numberSize = LocalizedText("号码框的大小由文字决定。", "The number is as large as its text.")
        return [
            ("presentation.arrival", code), ("presentation.departure", code), ("navigationBar.right", code),
            ("number.placement.width", numberSize), ("number.placement.height", numberSize),
            ("loginButton.fills", buttons),
            ("terms.lineHeight", absent), ("terms.shake", absent), ("loading.view", code), ("loading.mask", absent),
            ("popup.position", absent), ("popup.animationSlot", code), ("popup.mask", absent), ("popup.maskSlot", code),
            ("consentDialog", absent), ("custom", code),
        ]
    }
}
