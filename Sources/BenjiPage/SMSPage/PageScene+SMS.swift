extension PageScene {
    /// Lays out the page of a login by SMS that looks like `page`.
    ///
    /// - Throws: the first thing in page or screen that reading would refuse.
    public init<Measure: TextMeasuring>(
        bySMS page: PageDescription, state: SMSPageState, screen: PageScreen, measuredBy measure: Measure
    ) throws(PageError) {
        _ = try page.json()
        _ = try screen.json()
        self.init(validBySMS: page, state: state, screen: screen, measuredBy: measure)
    }

    init<Measure: TextMeasuring>(
        validBySMS page: PageDescription, state: SMSPageState, screen: PageScreen, measuredBy measure: Measure
    ) {
        let page = page.bySMS
        var textScale = screen.textScale
        while true {
            var layout = PageLayout(
                page: page, facts: .ofNobody, state: state.page, screen: screen, measure: measure, textScale: textScale)
            layout.place(bySMS: state)
            if layout.fits || textScale <= 1 {
                self = layout.scene
                return
            }
            textScale = max(1, textScale - 0.125)
        }
    }
}

extension PageFacts {
    /// No network has told a number.
    static var ofNobody: PageFacts {
        PageFacts(
            carrier: .other, maskedNumber: "",
            duties: CarrierDuties(policyVersion: "", termsTitle: "", termsURL: "", slogan: ""))
    }
}

extension PageLayout {
    /// The least height of a field.
    private static var fieldHeight: Double { 48 }
    private static var innerMargin: Double { 14 }

    mutating func place(bySMS sms: SMSPageState) {
        showsCarrierTerms = false
        placeBackground()
        placeBars()
        placeForm(sms)
        if state.isLoading { placeLoading() }
    }

    /// Logo, fields, login, terms and switch below each other, from the bar on: what the person types stays above the
    /// keyboard. On its side the fields stand beside each other.
    private mutating func placeForm(_ sms: SMSPageState) {
        let isBeside = screen.isLandscape
        let width = min(contentWidth, isBeside ? 640 : 440)
        let left = area.midX - width / 2
        let fieldFont = font(PageFont(17))
        let fieldHeight = max(Self.fieldHeight, lineHeight(fieldFont) + 24)
        let gap = 12.0
        let fieldWidth = isBeside ? (width - gap) / 2 : width

        let terms = termsBlock(.terms)
        var login = loginSize()
        if page.loginButton.placement.size == nil, !isBeside { login.width = width }
        let switchTitle = page.switchButton.title
        let switchText = label(
            words(switchTitle.text), font(switchTitle.font), switchTitle.color, limit: contentWidth - 24)
        let hasSwitch = !page.switchButton.isHidden
        let messageFont = font(PageFont(13))
        let message = sms.message.map { message in
            block(
                [LineBreaker<Measure>.Piece(text: message.text(on: page, in: screen.language), link: nil)],
                font: messageFont, color: color(message.isProblem ? .problem : page.terms.color), limit: width,
                alignment: .left)
        }
        // Its first line has its place before there is one, so that nothing jumps under a finger.
        let messageHeight = max(lineHeight(messageFont), message?.height ?? 0)
        let fieldsHeight = isBeside ? fieldHeight : 2 * fieldHeight + gap
        let switchHeight = hasSwitch ? switchText.height + 16 : 0

        let gaps = [28.0, 8, 12, 16, 12]
        var room =
            contentBottom - origin - fieldsHeight - messageHeight - login.height - terms.text.height - switchHeight
        var logoSize = PageSize(0, 0)
        let natural = page.logo.image.size
        let logoHeight = min(56, natural.height)
        // On low screens and on its side there is no room for it above a keyboard, whatever the language.
        if !page.logo.isHidden, !isBeside, natural.height > 0, area.height >= 640 {
            logoSize = PageSize(natural.width * logoHeight / natural.height, logoHeight)
            room -= logoSize.height + 24
        }
        let gapSum = 76.0
        if room < gapSum * 0.35 { misfit() }
        let spread = max(0.35, min(1, room / gapSum))

        var y = origin + gaps[0] * spread
        if logoSize.height > 0 {
            var logo = PageBox(
                .logo, Self.rounded(PageRect(area.midX - logoSize.width / 2, y, logoSize.width, logoSize.height)))
            logo.image = page.logo.image.name
            logo.cornerRadius = Self.thousandths(page.logo.cornerRadius * logoSize.height / natural.height)
            logo.label = words(PageStrings.logo)
            add(logo)
            y += logoSize.height + 24
        }
        placeField(.numberField, SMSPageStrings.number, fieldFont, PageRect(left, y, fieldWidth, fieldHeight))
        let codeFrame = PageRect(
            isBeside ? left + fieldWidth + gap : left, isBeside ? y : y + fieldHeight + gap, fieldWidth, fieldHeight)
        let send = sendButton(sms, codeFrame)
        placeField(
            .codeField, SMSPageStrings.code, fieldFont,
            PageRect(codeFrame.x, codeFrame.y, codeFrame.width - send.frame.width - 8, codeFrame.height))
        add(send)
        y += fieldsHeight + gaps[1] * spread
        if let message {
            var box = PageBox(.message, Self.rounded(PageRect(left, y, width, message.height)))
            box.text = message
            add(box)
        }
        y += messageHeight + gaps[2] * spread
        placeLogin(login, top: y)
        y += login.height + gaps[3] * spread
        var termsFrame = PageRect(0, y, terms.text.width, terms.text.height)
        let side = tickSide + page.terms.tick.gap
        termsFrame.x = area.midX - (terms.text.width + side) / 2 + side
        placeTerms(terms, Self.rounded(termsFrame))
        y += terms.text.height + gaps[4] * spread
        guard hasSwitch else { return }
        placeSwitch(switchText, top: y)
    }

    private mutating func placeField(
        _ role: PageRole, _ words: LocalizedText, _ font: PageFont, _ frame: PageRect
    ) {
        var box = PageBox(role, Self.rounded(frame))
        box.fill = color(.field)
        box.cornerRadius = min(page.loginButton.cornerRadius, 12)
        // The text in the field until the person types.
        let limit = frame.width - 2 * Self.innerMargin
        box.text = label(self.words(words), font, .fieldHint, limit: max(1, limit))
        if limit < 1 || (box.text?.height ?? 0) > frame.height { misfit() }
        box.textOrigin = PageSize(
            Self.innerMargin, Self.thousandths((frame.height - (box.text?.height ?? 0)) / 2))
        box.label = self.words(words)
        box.hitArea = box.frame
        add(box)
    }

    /// At the right end of the code's line, as wide as the longest that it says.
    private mutating func sendButton(_ sms: SMSPageState, _ line: PageRect) -> PageBox {
        let font = font(PageFont(15))
        let words: LocalizedText
        if sms.secondsToWait > 0 {
            words = SMSPageStrings.wait(sms.secondsToWait)
        } else {
            words = sms.isCodeSent ? SMSPageStrings.again : SMSPageStrings.send
        }
        let isEnabled = sms.secondsToWait == 0 && !sms.isSending && !sms.isLoading
        let limit = line.width * 0.6
        var longest = 0.0
        for words in [SMSPageStrings.send, SMSPageStrings.again, SMSPageStrings.wait(60)] {
            longest = max(longest, label(self.words(words), font, .fieldHint, limit: limit).width)
        }
        let width = longest + 2 * Self.innerMargin
        var box = PageBox(.sendCode, Self.rounded(PageRect(line.maxX - width, line.y, width, line.height)))
        box.fill = color(.field)
        box.cornerRadius = min(page.loginButton.cornerRadius, 12)
        let text = label(self.words(words), font, isEnabled ? page.terms.linkColor : .fieldHint, limit: limit)
        if text.height > line.height { misfit() }
        box.text = text
        box.textOrigin = centered(text, in: box.frame)
        box.hitArea = box.frame
        box.isEnabled = isEnabled
        return box
    }
}

extension AdaptiveColor {
    /// Behind what the person types.
    fileprivate static let field = AdaptiveColor(
        light: PageColor(0xf2f2f7), dark: PageColor(0x2c2c2e))
    /// The text in a field until the person types. On ``field`` its contrast is above 4.5:1.
    fileprivate static let fieldHint = AdaptiveColor(0x666666, dark: 0xa3a3a8)
    /// The colour of a problem. On ``paper`` its contrast is above 4.5:1.
    fileprivate static let problem = AdaptiveColor(0xc5221f, dark: 0xff7b72)
}

extension PageScene {
    /// How far the page of a login by SMS moves up, so that the keyboard does not cover the field in use. Where there
    /// is room, it does not cover the login button either.
    ///
    /// - Parameters:
    ///   - keyboardTop: where the keyboard begins, in points from the top of the screen.
    ///   - role: of the field.
    public func rise(aboveKeyboardAt keyboardTop: Double, typingIn role: PageRole) -> Double {
        guard let field = self[role]?.frame else { return 0 }
        let margin = 8.0
        let needed = max(0, field.maxY + margin - keyboardTop)
        let wished = max(0, (self[.login]?.frame.maxY ?? field.maxY) + margin - keyboardTop)
        // The field stays below what covers the top of the screen.
        let most = max(0, field.y - screen.safeArea.top - margin)
        return max(needed, min(wished, most))
    }
}
