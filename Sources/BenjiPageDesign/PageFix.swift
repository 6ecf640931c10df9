public import BenjiPage

extension PageDescription {
    /// The page without what a finding finds fault with, as far as that can be worked out; `nil` where a person has to
    /// decide.
    ///
    /// It changes as little as it can. A colour becomes the nearest legible one, a size the least that is allowed, and
    /// a place outside the page the usual one.
    public func fixed(_ rule: PageRule, _ role: PageRole) -> PageDescription? {
        var page = self
        switch rule {
        case .contrast: page.makeReadable(role)
        case .numberVisible, .slogan, .termsVisible, .loginUsable:
            page.makeReadable(role)
            page.putBack(role)
        case .touchArea: page.putBack(role)
        case .loginWording: page.loginButton.title.text = PageDescription().loginButton.title.text
        case .untickedAtFirst:
            page.terms.tick.isInitiallySet = false
            if page == self { page.putBack(.terms) }
        case .missingTick: page.terms.hint.isShown = true
        case .ownTerms: page.addMissingTerms()
        case .quotationMarks: page.quoteTerms()
        case .numberSize: page.number.font.size = max(page.number.font.size, 16)
        case .loginSize: (page.loginButton.placement.width, page.loginButton.placement.height) = (nil, nil)
        case .termsSize:
            page.terms.font.size = max(page.terms.font.size, 12)
            page.terms.tick.size = max(page.terms.tick.size, 12)
        case .otherLogin:
            page.switchButton.isHidden = false
            if page == self { page.putBack(.switchAccount) }
        case .closable: page.makeClosable()
        case .opaquePage:
            page.background.color.light.alpha = 255
            page.background.color.dark.alpha = 255
            if page == self { page.popup?.placement = PagePlacement() }
        case .oneConsent: page.terms.words = PageDescription().terms.words
        case .numberMasked, .carrierTerms, .carrierTermsExact, .otherCarrier, .customOverlap, .languages: return nil
        }
        return page == self ? nil : page
    }

    /// Gives a text a colour that can be read where it stands by itself.
    private mutating func makeReadable(_ role: PageRole) {
        let paper = background.color
        func readable(_ color: AdaptiveColor, _ back: AdaptiveColor) -> AdaptiveColor {
            func one(_ color: PageColor, _ back: PageColor, _ ground: PageColor) -> PageColor {
                let back = back.over(ground)
                let isFine = color.over(back).contrast(to: back) >= Self.readableContrast
                return isFine ? color : color.readable(on: back)
            }
            return AdaptiveColor(
                light: one(color.light, back.light, paper.light.over(.white)),
                dark: one(color.dark, back.dark, paper.dark.over(.black)))
        }
        switch role {
        case .number: number.color = readable(number.color, paper)
        case .slogan: slogan.color = readable(slogan.color, paper)
        case .terms:
            terms.color = readable(terms.color, paper)
            terms.linkColor = readable(terms.linkColor, paper)
        case .login:
            let before = loginButton.title.color
            loginButton.title.color = readable(before, loginButton.fills.normal)
            // A button that waits for the tick appears in its other colour.
            if loginButton.needsTick {
                loginButton.fills.disabled = readable(loginButton.fills.disabled, loginButton.title.color)
            }
        default: return
        }
    }

    /// Lets a control stand by itself, as large as it is by itself.
    private mutating func putBack(_ role: PageRole) {
        switch role {
        case .number: number.placement = PagePlacement()
        case .slogan: slogan.placement = PagePlacement()
        case .login: loginButton.placement = PagePlacement()
        case .terms, .tick: terms.placement = PagePlacement()
        case .switchAccount: switchButton.placement = PagePlacement()
        case .back: navigationBar.back.placement = PagePlacement()
        case .close:
            guard popup != nil else { return }
            popup?.close.top = CloseButton().top
            popup?.close.right = CloseButton().right
            popup?.close.width = nil
            popup?.close.height = nil
        default: return
        }
    }

    private mutating func makeClosable() {
        if popup != nil, presentation.style != .push {
            putBack(.close)
            popup?.closesOnOutsideTap = true
        } else {
            navigationBar.isHidden = false
            navigationBar.back.isHidden = false
            navigationBar.back.placement = PagePlacement()
        }
    }

    private mutating func addMissingTerms() {
        for (index, names) in [["协议", "協議", "条款", "條款", "協定", "agreement"], ["隐私", "隱私", "privacy"]].enumerated() {
            var isThere = false
            for item in terms.items {
                let title = item.title.simplifiedChinese + item.title.english.lowercased()
                for name in names where Self.has(title, name) { isThere = true }
            }
            if !isThere { terms.items.append(Self.usualTerms[index]) }
        }
    }

    /// Whether a text has another in it, byte by byte; Embedded Swift has no search in strings.
    private static func has(_ text: String, _ part: String) -> Bool {
        let (text, part) = (Array(text.utf8), Array(part.utf8))
        guard text.count >= part.count else { return false }
        for start in 0...(text.count - part.count) where text[start..<(start + part.count)].elementsEqual(part) {
            return true
        }
        return false
    }

    private mutating func quoteTerms() {
        func quoted(_ text: String) -> String {
            let isQuoted = text.unicodeScalars.first == "《" && text.unicodeScalars.last == "》"
            return isQuoted ? text : "《" + text + "》"
        }
        terms.quotesCarrierTerms = true
        for index in terms.items.indices {
            let title = terms.items[index].title
            terms.items[index].title = LocalizedText(
                quoted(title.simplifiedChinese), quoted(title.traditionalChinese), title.english)
        }
    }
}
