public import BenjiPage

/// Pages that tests on every renderer share.
public enum PageSamples {
    /// The page of an app that names its terms and leaves everything else at its default.
    public static let usual = PageDescription(terms: [
        PageTerm(
            LocalizedText("《用户协议》", "《使用者協議》", "User Agreement"), url: "https://app.example/agreement"),
        PageTerm(LocalizedText("《隐私政策》", "《隱私政策》", "Privacy Policy"), url: "https://app.example/privacy"),
    ])

    /// A page on which nothing is left at its default.
    public static var changed: PageDescription {
        var page = usual
        page.presentation.style = .push
        page.presentation.coverage = .pageSheet
        page.presentation.isAnimated = false
        page.presentation.arrival = PageSlot("rise")
        page.presentation.departure = PageSlot("sink")
        page.presentation.orientations = [.portrait, .portraitUpsideDown]
        page.presentation.appearance = .dark
        page.statusBar.style = .light
        page.navigationBar.isHidden = true
        page.navigationBar.title = PageDescription.NavigationTitle(LocalizedText("我的", "我的", "Mine"))
        page.navigationBar.color = AdaptiveColor(0x112233, dark: 0x332211)
        page.navigationBar.back.isHidden = true
        page.navigationBar.back.image = PageImage("back", width: 13, height: 21)
        page.navigationBar.back.placement = placement
        page.navigationBar.right = PageSlot("help", width: 44, height: 44)
        page.background.color = AdaptiveColor(0xfefefe, dark: 0x010101)
        page.background.image = PageImage("city.jpg", width: 375, height: 812)
        page.background.landscapeImage = PageImage("city-wide.jpg", width: 812, height: 375)
        page.background.gif = PageSlot("rain.gif")
        page.background.video = PageSlot("rain.mp4")
        page.background.repeats = false
        page.logo.isHidden = true
        page.logo.image = PageImage("brand/logo", width: 80, height: 80)
        page.logo.cornerRadius = 12.5
        page.logo.placement = placement
        page.number.font = PageFont(20)
        page.number.color = AdaptiveColor(0x111111, dark: 0xeeeeee)
        page.number.placement = placement
        page.slogan.font = PageFont(11, isBold: true)
        page.slogan.color = AdaptiveColor(PageColor(0x555555, alpha: 200))
        page.slogan.placement = placement
        page.loginButton.title = StyledText(
            LocalizedText("登录"), PageFont(18, isBold: true), AdaptiveColor(0xfffffe, dark: 0xfffffd))
        page.loginButton.fills.normal = AdaptiveColor(0x00ff00, dark: 0x008000)
        page.loginButton.fills.disabled = AdaptiveColor(0x777777, dark: 0x666666)
        page.loginButton.fills.highlighted = AdaptiveColor(0x00aa00, dark: 0x006000)
        page.loginButton.images.normal = PageImage("go", width: 300, height: 40)
        page.loginButton.images.disabled = PageImage("go-off", width: 300, height: 40)
        page.loginButton.images.highlighted = PageImage("go-on", width: 300, height: 40)
        page.loginButton.cornerRadius = 22
        page.loginButton.needsTick = true
        page.loginButton.placement = placement
        page.switchButton.isHidden = true
        page.switchButton.title = StyledText(LocalizedText("换号", "換號", "Switch"), PageFont(13, isBold: true), ink)
        page.switchButton.fill = AdaptiveColor(0xeeeeee, dark: 0x222222)
        page.switchButton.placement = placement
        page.terms.items[0].index = -1
        page.terms.words = [
            LocalizedText("同意"), LocalizedText(""), LocalizedText("、"), LocalizedText("和"), LocalizedText(""),
        ]
        page.terms.quotesCarrierTerms = false
        page.terms.alignment = .center
        page.terms.font = PageFont(13, isBold: true)
        page.terms.color = ink
        page.terms.linkColor = AdaptiveColor(0x0000ee, dark: 0x9999ff)
        page.terms.pressedLinkColor = AdaptiveColor(0xee0000, dark: 0xff9999)
        page.terms.isUnderlined = true
        page.terms.lineHeight = 21.5
        page.terms.placement = placement
        page.terms.tick.isInitiallySet = true
        page.terms.tick.size = 14
        page.terms.tick.gap = 2
        page.terms.tick.setImage = PageImage("on", width: 12, height: 12)
        page.terms.tick.unsetImage = PageImage("off", width: 12, height: 12)
        page.terms.hint.isShown = false
        page.terms.hint.text = LocalizedText("请勾选", "請勾選", "Please tick")
        page.terms.hint.offset = -40
        page.terms.shake = .vertical
        page.loading.view = PageSlot("wheel", width: 60, height: 60)
        page.loading.mask = AdaptiveColor(PageColor(0xffffff, alpha: 60))
        page.webPage.isBarHidden = true
        page.webPage.title = PageDescription.NavigationTitle(LocalizedText("条款", "條款", "Terms"))
        page.webPage.color = AdaptiveColor(0xabcdef, dark: 0x012345)
        page.webPage.back.isHidden = true
        page.webPage.back.placement = placement
        var popup = PageDescription.Popup()
        popup.position = .bottom
        popup.placement = placement
        popup.corners = [.topLeft, .topRight]
        popup.cornerRadius = 16
        popup.animation = .custom
        popup.animationSlot = PageSlot("spring")
        popup.close.image = PageImage("close", width: 11, height: 22)
        popup.close.top = 4
        popup.close.right = 6
        popup.close.width = 20
        popup.close.height = 21
        popup.closesOnOutsideTap = true
        popup.mask = AdaptiveColor(PageColor(0x222222, alpha: 99))
        popup.maskSlot = PageSlot("blur")
        page.popup = popup
        var dialog = PageDescription.ConsentDialog()
        let style = StyledText(LocalizedText("提示", "提示", "One moment"), PageFont(13, isBold: true), accent)
        dialog.title = style
        dialog.agree = style
        dialog.agreeFill = AdaptiveColor(0x00ff00, dark: 0x00ff00)
        dialog.disagree = style
        dialog.disagreeFill = AdaptiveColor(0xff0000, dark: 0xff0000)
        dialog.color = AdaptiveColor(0xeeeeee, dark: 0x222222)
        dialog.cornerRadius = 4
        dialog.isAtBottom = true
        dialog.closesOnOutsideTap = false
        dialog.placement = placement
        page.consentDialog = dialog
        page.custom = [
            PageDescription.CustomView(
                PageSlot("wechat", width: 44, height: 44), placement: placement,
                label: LocalizedText("微信登录", "微信登入", "Log in with WeChat"))
        ]
        return page
    }

    /// Every field set, each to another value.
    static let placement = PagePlacement(
        portrait: PagePlacement.Offsets(top: 11, center: -2.5, left: 13),
        landscape: PagePlacement.Offsets(top: 21, center: 2.25, left: 23),
        width: 100, height: 30.125)

    private static let ink = AdaptiveColor(0x000000, dark: 0xffffff)
    private static let accent = AdaptiveColor(0x1666d9, dark: 0x6aa9ff)
}
