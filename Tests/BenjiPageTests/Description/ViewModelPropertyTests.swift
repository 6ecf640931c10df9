import Testing

@testable import BenjiPage

/// Every property of `GyAuthViewModel` (document 002) and `OLAuthViewModel` (document 004), and what becomes of it here.
private enum Property {
    /// A field that is seen in boxes of that role.
    case seen(String, PageRole)
    /// A field that says how a renderer brings the page, or concerns another page; it is in the description.
    case told(String)
    /// A place for what only the app has, seen in boxes of that role.
    case slot(String, PageRole)
    /// An animation of the app, by name.
    case animation(String)
    /// The renderer tells the app.
    case callback
}

private let properties: [(String, Property)] = [
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

extension PageJSON {
    fileprivate func value(_ path: ArraySlice<Substring>) -> PageJSON? {
        guard let name = path.first else { return self }
        return self[String(name)]?.value(path.dropFirst())
    }

    fileprivate func setting(_ path: ArraySlice<Substring>, to value: PageJSON) -> PageJSON {
        guard let name = path.first else { return value }
        guard case .object(var members) = self else { return self }
        let next = (self[String(name)] ?? .object([])).setting(path.dropFirst(), to: value)
        if let index = members.firstIndex(where: { $0.name == String(name) }) {
            members[index].value = next
        } else {
            members.append(Member(String(name), next))
        }
        return .object(members)
    }
}

@Suite struct ViewModelPropertyTests {
    /// The usual page, with a popup and a dialog where the field is part of one.
    private func base(_ path: String) -> PageDescription {
        PageDescription.usual.with {
            if path.hasPrefix("popup.") { $0.popup = PageDescription.Popup() }
            if path.hasPrefix("consentDialog.") { $0.consentDialog = PageDescription.ConsentDialog() }
        }
    }

    /// The usual page with the one field that `path` names as it is on the page without defaults.
    private func page(_ path: String) throws -> PageDescription {
        let parts = path.split(separator: ".")[...]
        let value = try #require(try PageDescription.changed.json().value(parts), "\(path)")
        let json = try base(path).json().setting(parts, to: value)
        let page = try PageDescription(json)
        #expect(page != base(path), "\(path) changes nothing")
        return page
    }

    /// Boxes of one role in every state, upright and on the side.
    private func boxes(_ page: PageDescription, _ role: PageRole) throws -> [PageBox] {
        let states: [(inout PageState) -> Void] = [
            { _ in }, { $0.isTicked = true }, { $0.isLoginPressed = true }, { $0.isLoginDisabled = true },
            { $0.isHintShown = true }, { $0.isDialogShown = true }, { $0.isLoading = true },
        ]
        var boxes: [PageBox] = []
        for screen in [PageScreen.phone, .phoneOnItsSide] {
            for state in states { boxes += try page.scene(screen, state: state).boxes.filter { $0.role == role } }
        }
        return boxes
    }

    @Test("Every property of the vendors' view models that is data is seen where it belongs")
    func seen() throws {
        for (name, property) in properties {
            guard case .seen(let path, let role) = property else { continue }
            #expect(try boxes(page(path), role) != boxes(base(path), role), "\(name) is not seen in \(role)")
        }
    }

    @Test("Every image and view that an app supplies has its place, under its name")
    func slots() throws {
        for (name, property) in properties {
            guard case .slot(let path, let role) = property else { continue }
            let value = try PageDescription.changed.json().value(path.split(separator: ".")[...])
            var slot = try #require(value)
            if case .array(let views) = slot { slot = try #require(views.first?["view"]) }
            guard case .string(let supplied)? = slot["name"] else {
                Issue.record("\(path) has no name")
                continue
            }
            let shown = try boxes(page(path), role).contains { $0.image == supplied || $0.slot == supplied }
            #expect(shown, "\(name) is not shown in \(role)")
        }
    }

    @Test("What a renderer is told is part of the description, survives writing, and changes the page digest")
    func told() throws {
        for (_, property) in properties {
            let path: String
            switch property {
            case .told(let field), .animation(let field): path = field
            default: continue
            }
            let page = try page(path)
            #expect(try PageDescription(page.json()) == page)
            #expect(try page.bytesForDigest(policyVersion: "1") != base(path).bytesForDigest(policyVersion: "1"))
        }
    }

    @Test("No property is listed twice, and every field of the description belongs to one")
    func complete() throws {
        #expect(Set(properties.map(\.0)).count == properties.count)
        var paths: Set<String> = []
        for (_, property) in properties {
            switch property {
            case .seen(let path, _), .told(let path), .slot(let path, _), .animation(let path): paths.insert(path)
            case .callback: continue
            }
        }
        // Ours alone: what the vendors fix, or pass in the same attributed text.
        let ours = [
            "loginButton.font", "loginButton.color", "loginButton.fills", "loading.mask", "webPage.back.image",
            "popup.position", "popup.close.width", "popup.close.height", "popup.mask", "consentDialog.agree",
            "consentDialog.agreeFill", "consentDialog.disagree", "consentDialog.disagreeFill",
        ]
        func walk(_ json: PageJSON, _ path: String) {
            if paths.contains(path) || ours.contains(path), path != "popup" { return }
            guard case .object(let members) = json, !members.isEmpty else {
                Issue.record("no property becomes \(path)")
                return
            }
            for member in members { walk(member.value, path.isEmpty ? member.name : path + "." + member.name) }
        }
        walk(try PageDescription.changed.json(), "")
    }
}
