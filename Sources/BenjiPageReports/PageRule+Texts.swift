public import BenjiPage

extension PageRule {
    /// The rule's requirement and why a page breaks it, in the two languages of reports.
    public var explanation: LocalizedText { texts.explanation }

    /// What to do about it.
    public var fix: LocalizedText { texts.fix }

    /// Where the rule comes from.
    public var source: String { texts.source }

    private var texts: (explanation: LocalizedText, fix: LocalizedText, source: String) {
        func entry(_ chinese: String, _ english: String, _ fixChinese: String, _ fixEnglish: String, _ source: String)
            -> (explanation: LocalizedText, fix: LocalizedText, source: String)
        {
            (LocalizedText(chinese, english), LocalizedText(fixChinese, fixEnglish), source)
        }
        switch self {
        case .numberVisible:
            return entry(
                "页面没有让用户看到本机号码的掩码：号码栏缺失、被遮挡、超出页面、透明或与背景同色。",
                "The person does not see the masked number: it is missing, covered, outside the page, transparent or "
                    + "of the colour behind it.",
                "不要移动、遮挡或淡化号码栏。", "Do not move, cover or fade the number.",
                "China Mobile's document §2.4.2 rule 3; NetEase Yidun")
        case .numberMasked:
            return entry(
                "用户同意之前，页面上出现了完整手机号。", "A whole phone number is on the page before the person agreed.",
                "只显示带掩码的号码。", "Show the masked number only.", "research on leaking pages (SIMulation, 2021)")
        case .loginUsable:
            return entry(
                "登录按钮缺失、不可见或点不到。", "The login button is missing, cannot be seen or cannot be tapped.",
                "让登录按钮可见、可点、不被遮挡。", "Show the login button and let nothing cover it.",
                "China Mobile's document §2.4.2 rule 1")
        case .loginWording:
            return entry(
                "登录按钮文字没有“登录”或“注册”，或带有诱导性文字。",
                "The login button does not speak of logging in or registering, or it lures.",
                "使用“一键登录”之类的文字，去掉优惠、领取等字样。", "Write “Log in with one tap” or the like, without offers and prizes.",
                "China Mobile's document §2.4.2 rule 2")
        case .carrierTerms:
            return entry(
                "条款中没有运营商的服务条款。", "The terms lack those of the carrier.",
                "保留运营商条款及其链接。", "Keep the carrier's terms and their link.",
                "China Mobile's document §2.4.2 rule 4")
        case .carrierTermsExact:
            return entry(
                "运营商条款的名称或地址与运营商规定的不一致。", "The carrier's terms have another title or address than the carrier gives.",
                "不要改动预取号返回的条款名称和地址。", "Leave title and address as the prefetch brought them.",
                "China Mobile's document §2.4.2 rule 4; a vendor's OLConstants.h")
        case .otherCarrier:
            return entry(
                "页面上出现了别家运营商的条款或标语。", "The page shows another carrier's terms or slogan.",
                "页面内容应随预取号得到的运营商切换。", "Let the page follow the carrier that the prefetch found.",
                "one page per network: China Mobile, China Unicom and China Telecom alike")
        case .slogan:
            return entry(
                "运营商标语缺失、看不见或被改动。", "The carrier's slogan is missing, cannot be seen or was changed.",
                "不要隐藏、遮挡或改写标语。", "Do not hide, cover or rewrite the slogan.",
                "two vendors' documents; China Mobile norms up to 5.6; NetEase Yidun")
        case .termsVisible:
            return entry(
                "条款栏缺失、被遮挡、被截断、超出页面、透明或与背景同色，或其链接点不到。",
                "The terms are missing, covered, cut off, outside the page, transparent or of the colour behind them, "
                    + "or their links cannot be tapped.",
                "让整段条款可见，链接可点。", "Show all of the terms and keep their links free.",
                "China Mobile; a vendor's document; NetEase Yidun")
        case .untickedAtFirst:
            return entry(
                "勾选框缺失、看不见、点不到，或默认已勾选。",
                "The tick is missing, cannot be seen or tapped, or is set before anybody touched it.",
                "提供可见的勾选框，默认不勾选。", "Show a tick and leave it unset.",
                "PIPL article 14; MIIT; China Mobile norm 5.7")
        case .missingTick:
            return entry(
                "未勾选就点登录时，页面不作任何提示。", "The page says nothing when the login button is tapped without a tick.",
                "打开提示、二次确认框，或在未勾选时禁用按钮。",
                "Switch on the hint or the dialog, or disable the button until the tick is set.",
                "China Mobile setCheckTipText; Aliyun 700002")
        case .ownTerms:
            return entry(
                "应用自己的用户协议和隐私政策缺失、重名、多于四个，或地址不是 https。",
                "The app's own user agreement and privacy policy are missing, share a name, are more than four or lack "
                    + "https.",
                "加入用户协议和隐私政策，名称各不相同，地址用 https。",
                "Add a user agreement and a privacy policy with different titles and https addresses.",
                "China Mobile (four at most); Aliyun (distinct names); PIPL article 17")
        case .quotationMarks:
            return entry(
                "条款名称没有书名号。", "A title of terms does not stand in 《》.", "给条款名称加上《》。", "Put 《》 around it.",
                "a vendor's document; Aliyun")
        case .numberSize:
            return entry(
                "号码字号小于 16。", "The number is smaller than 16 points.", "字号不小于 16。", "Use 16 points or more.", "Aliyun")
        case .loginSize:
            return entry(
                "登录按钮高度小于 40 或宽度不足页面一半。", "The login button is lower than 40 points or narrower than half the page.",
                "加大登录按钮。", "Make the login button larger.", "China Mobile; Aliyun")
        case .termsSize:
            return entry(
                "条款字号或勾选框小于 12。", "The terms or the tick are smaller than 12 points.", "不小于 12。",
                "Use 12 points or more.", "Aliyun; China Mobile")
        case .touchArea:
            return entry(
                "可点区域小于 24×24。", "Something that is tapped is smaller than 24 × 24 points.", "加大可点区域。",
                "Make its area larger.", "WCAG 2.2, success criterion 2.5.8")
        case .contrast:
            return entry(
                "文字与背景的对比度低于 4.5:1。", "A text has a contrast below 4.5:1.", "加深文字或调亮背景。",
                "Darken the text or lighten what lies behind it.", "WCAG 2.2, success criterion 1.4.3")
        case .customOverlap:
            return entry(
                "自定义控件压住了页面的默认元素。", "A view of the app lies over an element of the page.", "移开自定义控件。",
                "Move the view.", "China Mobile; a vendor's document")
        case .otherLogin:
            return entry(
                "页面没有提供其他登录方式。", "The page offers no other way to log in.", "显示切换账号按钮或其他登录方式。",
                "Show the switch button or another way to log in.", "MIIT; Aliyun")
        case .closable:
            return entry(
                "用户无法关闭页面。", "The page cannot be closed.", "显示返回或关闭按钮。", "Show the back or the close button.",
                "rules on unlawful collection by apps (2019)")
        case .opaquePage:
            return entry(
                "页面透明、过小或超出屏幕。", "The page is transparent, too small or reaches beyond the screen.",
                "使用不透明的背景，并让整个页面在屏幕之内。", "Use an opaque background and keep the whole page on the screen.",
                "China Mobile, popup mode")
        case .oneConsent:
            return entry(
                "同一个勾选捆绑了营销或自动续费等其他同意。", "The same tick also agrees to advertising, renewals or the like.",
                "将其他同意单独征求。", "Ask for other consents separately.", "PIPL articles 14 and 16; MIIT")
        case .languages:
            return entry(
                "不同语言的页面元素不一致。", "The page does not have the same elements in all languages.",
                "让各语言版本包含相同的元素和链接。", "Give each language the same elements and links.", "China Mobile, language switch")
        }
    }
}
