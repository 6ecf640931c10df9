public import BenjiPage

/// The effect of one property of the vendors' view models. One table serves all tests, so that a property that one of
/// them forgets fails.
public enum ViewModelProperty: Sendable {
    /// A field that is seen in boxes of that role.
    case seen(String, PageRole)
    /// A field that says how a renderer brings the page, or concerns another page; it is in the description.
    case told(String)
    /// A place for what only the app has, seen in boxes of that role.
    case slot(String, PageRole)
    /// An animation of the app, by name.
    case animation(String)
    /// The renderer calls the app.
    case callback
}

/// Every property of `GyAuthViewModel` (GeYan) and `OLAuthViewModel` (OneLogin).
public let viewModelProperties: [(name: String, property: ViewModelProperty)] = [
    ("statusBarStyle", .told("statusBar.style")), ("naviTitle", .seen("navigationBar.title", .title)),
    ("naviBgColor", .seen("navigationBar.color", .navigationBar)),
    ("naviBackImage", .slot("navigationBar.back.image", .back)),
    ("naviRightControl", .slot("navigationBar.right", .navigationRight)),
    ("naviHidden", .seen("navigationBar.hidden", .navigationBar)),
    ("backButtonRect", .seen("navigationBar.back.placement", .back)),
    ("backButtonHidden", .seen("navigationBar.back.hidden", .back)), ("appLogo", .slot("logo.image", .logo)),
    ("logoRect", .seen("logo.placement", .logo)), ("logoHidden", .seen("logo.hidden", .logo)),
    ("logoCornerRadius", .seen("logo.cornerRadius", .logo)), ("phoneNumColor", .seen("number.color", .number)),
    ("phoneNumFont", .seen("number.font", .number)), ("phoneNumRect", .seen("number.placement", .number)),
    ("switchButtonText", .seen("switchButton.text", .switchAccount)),
    ("switchButtonColor", .seen("switchButton.color", .switchAccount)),
    ("switchButtonBackgroundColor", .seen("switchButton.fill", .switchAccount)),
    ("switchButtonFont", .seen("switchButton.font", .switchAccount)),
    ("switchButtonRect", .seen("switchButton.placement", .switchAccount)),
    ("switchButtonHidden", .seen("switchButton.hidden", .switchAccount)),
    ("authButtonImages[0]", .slot("loginButton.images.normal", .login)),
    ("authButtonImages[1]", .slot("loginButton.images.disabled", .login)),
    ("authButtonImages[2]", .slot("loginButton.images.highlighted", .login)),
    ("authButtonTitle", .seen("loginButton.text", .login)), ("authButtonRect", .seen("loginButton.placement", .login)),
    ("authButtonCornerRadius", .seen("loginButton.cornerRadius", .login)),
    ("disableAuthButtonWhenUnchecked", .seen("loginButton.needsTick", .login)),
    ("sloganRect", .seen("slogan.placement", .slogan)), ("sloganTextColor", .seen("slogan.color", .slogan)),
    ("sloganTextFont", .seen("slogan.font", .slogan)),
    ("defaultCheckBoxState", .seen("terms.tick.initiallySet", .tick)),
    ("checkedImage", .slot("terms.tick.setImage", .tick)), ("uncheckedImage", .slot("terms.tick.unsetImage", .tick)),
    ("checkBoxSize", .seen("terms.tick.size", .tick)),
    ("spaceBetweenCheckboxAndTermsText", .seen("terms.tick.gap", .tick)),
    ("privacyTermsAttributes (colour)", .seen("terms.linkColor", .terms)),
    ("privacyTermsAttributes (font)", .seen("terms.font", .terms)),
    ("privacyTermsAttributes (underline)", .seen("terms.underlined", .terms)),
    ("activeLinkAttributes", .told("terms.pressedLinkColor")),
    ("additionalPrivacyTerms", .seen("terms.items", .terms)), ("termTextColor", .seen("terms.color", .terms)),
    ("termsRect", .seen("terms.placement", .terms)), ("auxiliaryPrivacyWords", .seen("terms.words", .terms)),
    ("termsAlignment", .seen("terms.alignment", .terms)),
    ("hasQuotationMarkOnCarrierProtocol", .seen("terms.quotesCarrierTerms", .terms)),
    ("termsLineSpacingExtra", .seen("terms.lineHeight", .terms)), ("protocolShakeStyle", .told("terms.shake")),
    ("showNotCheckProtocolHint", .seen("terms.hint.shown", .hint)),
    ("notCheckProtocolHint", .seen("terms.hint.text", .hint)),
    ("protocolHintOffsetY", .seen("terms.hint.offset", .hint)),
    ("backgroundColor", .seen("background.color", .background)),
    ("backgroundImage", .slot("background.image", .backgroundImage)),
    ("landscapeBackgroundImage", .slot("background.landscapeImage", .backgroundImage)),
    ("backgroundGifPath", .slot("background.gif", .backgroundGIF)),
    ("backgroundVideoPath", .slot("background.video", .backgroundVideo)),
    ("allowGifOrVideoPlayRepeat", .told("background.repeats")),
    ("supportedInterfaceOrientations", .told("presentation.orientations")), ("isPopup", .seen("popup", .background)),
    ("popupRect", .seen("popup.placement", .background)),
    ("popupCornerRadius", .seen("popup.cornerRadius", .background)),
    ("popupRectCorners", .seen("popup.corners", .background)), ("popupAnimationStyle", .told("popup.animation")),
    ("popupTransitionAnimation", .animation("popup.animationSlot")),
    ("closePopupImage", .slot("popup.close.image", .close)), ("closePopupTopOffset", .seen("popup.close.top", .close)),
    ("closePopupRightOffset", .seen("popup.close.right", .close)),
    ("canClosePopupFromTapGesture", .seen("popup.closesOnOutsideTap", .mask)),
    ("popupMaskView", .slot("popup.maskSlot", .mask)), ("pullAuthVCStyle", .told("presentation.style")),
    ("pullAnimate", .told("presentation.animated")), ("modalPresentationStyle", .told("presentation.coverage")),
    ("modalPresentationAnimation", .animation("presentation.arrival")),
    ("modalDismissAnimation", .animation("presentation.departure")),
    ("userInterfaceStyle", .told("presentation.appearance")), ("loadingViewBlock", .slot("loading.view", .loading)),
    ("customUIHandler", .slot("custom", .custom)), ("webNaviHidden", .told("webPage.barHidden")),
    ("webNaviTitle", .told("webPage.title")), ("webNaviBgColor", .told("webPage.color")),
    ("webBackBtnHidden", .told("webPage.back.hidden")), ("webBackBtnRect", .told("webPage.back.placement")),
    ("authDialogTitleText", .seen("consentDialog.title", .dialogTitle)),
    ("authDialogBgColor", .seen("consentDialog.color", .dialog)),
    ("authDialogCornerRadius", .seen("consentDialog.cornerRadius", .dialog)),
    ("isAuthDialogBottom", .seen("consentDialog.atBottom", .dialog)),
    ("authDialogRect", .seen("consentDialog.placement", .dialog)),
    ("canCloseAuthDialogFromTapGesture", .seen("consentDialog.closesOnOutsideTap", .dialogMask)),
    ("viewLifeCycleBlock", .callback), ("clickAuthButtonBlock", .callback), ("clickCheckboxBlock", .callback),
    ("carrierTermItemBlock", .callback), ("protocolHintBlock", .callback), ("authVCTransitionBlock", .callback),
    ("tapAuthBackgroundBlock", .callback), ("stopLoadingViewBlock", .callback), ("clickBackButtonBlock", .callback),
    ("clickSwitchButtonBlock", .callback), ("customAuthActionBlock", .callback),
]
