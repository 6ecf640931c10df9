extension PageLayout {
    /// Logo, number, slogan, login and switch stand below each other, terms at the bottom. What has a place of its own
    /// leaves its place in the row empty, so that the others do not move.
    mutating func placeControls() {
        let terms = termsBlock(.terms)
        var termsFrame = frame(of: terms)
        // The row ends where the terms stand by themselves, wherever they were put.
        let termsTop = contentBottom - terms.text.height
        let start = max(origin, popup == nil ? screen.safeArea.top : 0)

        let number = label(facts.maskedNumber, font(page.number.font), page.number.color, limit: contentWidth)
        let slogan = label(facts.duties.slogan, font(page.slogan.font), page.slogan.color, limit: contentWidth)
        let loginSize = loginSize()
        let switchTitle = page.switchButton.title
        let switchText = label(
            words(switchTitle.text), font(switchTitle.font), switchTitle.color, limit: contentWidth - 24)
        var logoSize = page.logo.placement.size ?? page.logo.image.size

        var heights = [
            page.logo.isHidden ? 0 : logoSize.height, number.height, slogan.height, loginSize.height,
            page.switchButton.isHidden ? 0 : switchText.height + 16,
        ]
        // Preferred distances above each and below the last. On a screen of 375 × 667 they put the logo at 100, the
        // number at 196 and the login button at about 290.
        let gaps = [page.logo.isHidden ? 12.0 : 36, 24, 6, 40, 16, 16]
        let gapSum = 138.0
        var heightSum = 0.0
        for height in heights { heightSum += height }
        let room = termsTop - start
        let least = 0.35
        if heightSum + gapSum * least > room, !page.logo.isHidden, page.logo.placement.size == nil {
            // Only the logo can be smaller and still do its work.
            let smaller = max(24, logoSize.height - (heightSum + gapSum * least - room))
            if smaller < logoSize.height {
                heightSum -= logoSize.height - smaller
                logoSize = PageSize(logoSize.width * smaller / logoSize.height, smaller)
                heights[0] = smaller
            }
        }
        if let parted = partedTops(heights + [termsFrame.height]) {
            termsFrame.y = Self.thousandths(parted[5])
            placeControls(logoSize, number, slogan, loginSize, switchText, parted)
            placeTerms(terms, termsFrame)
            return
        }
        if heightSum + gapSum * least > room { misfit() }
        let spread = max(0, min((room - heightSum) / gapSum, max(1, screen.size.height / 667)))
        var tops: [Double] = []
        var y = start
        for index in heights.indices {
            y += gaps[index] * spread
            tops.append(y)
            y += heights[index]
        }
        placeControls(logoSize, number, slogan, loginSize, switchText, tops)
        placeTerms(terms, termsFrame)
    }

    private mutating func placeControls(
        _ logoSize: PageSize, _ number: TextBlock, _ slogan: TextBlock, _ loginSize: PageSize, _ switchText: TextBlock,
        _ tops: [Double]
    ) {
        if !page.logo.isHidden {
            var logo = PageBox(.logo, frame(page.logo.placement, size: logoSize, top: tops[0]))
            logo.image = page.logo.image.name
            logo.cornerRadius = page.logo.cornerRadius
            logo.label = words(PageStrings.logo)
            add(logo)
        }
        placeLabel(.number, number, page.number.placement, top: tops[1])
        placeLabel(.slogan, slogan, page.slogan.placement, top: tops[2])
        placeLogin(loginSize, top: tops[3])
        if !page.switchButton.isHidden { placeSwitch(switchText, top: tops[4]) }
    }

    mutating func placeSwitch(_ text: TextBlock, top: Double) {
        let size = page.switchButton.placement.size ?? PageSize(text.width + 24, text.height + 16)
        var box = PageBox(.switchAccount, frame(page.switchButton.placement, size: size, top: top))
        box.fill = color(page.switchButton.fill)
        box.text = text
        box.textOrigin = centered(text, in: box.frame)
        box.hitArea = touchable(box.frame)
        add(box)
    }

    private mutating func placeLabel(
        _ role: PageRole, _ text: TextBlock, _ placement: PagePlacement, top: Double
    ) {
        let size = placement.size ?? PageSize(text.width, text.height)
        var box = PageBox(role, frame(placement, size: size, top: top))
        box.text = text
        box.textOrigin = centered(text, in: box.frame)
        add(box)
    }

    func loginSize() -> PageSize {
        if let size = page.loginButton.placement.size { return size }
        // At least half as wide as the page (China Mobile's norm).
        let width = max(min(300, contentWidth), min(area.width / 2, contentWidth))
        return PageSize(width, max(48, loginText(width).height + 20))
    }

    private func loginText(_ width: Double) -> TextBlock {
        let title = page.loginButton.title
        return label(words(title.text), font(title.font), title.color, limit: max(1, width - 16))
    }

    mutating func placeLogin(_ size: PageSize, top: Double) {
        let button = page.loginButton
        var box = PageBox(.login, frame(button.placement, size: size, top: top))
        box.isEnabled = !state.isLoginDisabled && (state.isTicked || !button.needsTick)
        let fill: AdaptiveColor
        let image: PageImage?
        if !box.isEnabled {
            fill = button.fills.disabled
            image = button.images.disabled
        } else if state.isLoginPressed {
            fill = button.fills.highlighted
            image = button.images.highlighted
        } else {
            fill = button.fills.normal
            image = button.images.normal
        }
        box.fill = color(fill)
        box.image = image?.name
        box.cornerRadius = button.cornerRadius
        let text = loginText(size.width)
        box.text = text
        box.textOrigin = centered(text, in: box.frame)
        box.hitArea = touchable(box.frame)
        add(box)
    }

    /// Places the app's own views as described, by default from the top of the page.
    mutating func placeCustomViews() {
        for view in page.custom {
            let size = view.placement.size ?? view.slot.size
            var box = PageBox(.custom, frame(view.placement, size: size, top: origin))
            box.slot = view.slot.name
            box.label = view.label.map(words) ?? ""
            // The view's content is unknown, but it takes the taps.
            box.hitArea = box.frame
            add(box)
        }
    }
}
