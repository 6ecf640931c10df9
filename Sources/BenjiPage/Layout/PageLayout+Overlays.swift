extension PageLayout {
    /// Places the temporary overlays: hint, loading, dialog.
    mutating func placeOverlays() {
        if state.isHintShown, page.terms.hint.isShown { placeHint() }
        if state.isLoading { placeLoading() }
        if state.isDialogShown, let dialog = page.consentDialog { placeDialog(dialog) }
    }

    private mutating func placeHint() {
        let hint = page.terms.hint
        let text = label(
            words(hint.text), font(PageFont(14)), AdaptiveColor(0xffffff, dark: 0xffffff), limit: contentWidth - 32)
        let size = PageSize(text.width + 32, text.height + 20)
        var box = PageBox(
            .hint,
            Self.rounded(
                PageRect(
                    area.midX - size.width / 2, area.midY - size.height / 2 + hint.offset, size.width, size.height)))
        box.fill = PageColor(0x1c1c1e, alpha: 230)
        box.cornerRadius = 8
        box.text = text
        box.textOrigin = centered(text, in: box.frame)
        add(box)
    }

    mutating func placeLoading() {
        var mask = PageBox(.loadingMask, area)
        mask.fill = color(page.loading.mask)
        mask.cornerRadius = popup?.cornerRadius ?? 0
        mask.corners = popup?.corners ?? mask.corners
        // It takes every tap, which prevents a second login.
        mask.hitArea = area
        add(mask)
        let slot = page.loading.view
        let width = slot.map { $0.size.width > 0 ? $0.size.width : 44 } ?? 44
        let height = slot.map { $0.size.height > 0 ? $0.size.height : 44 } ?? 44
        var box = PageBox(
            .loading, Self.rounded(PageRect(area.midX - width / 2, area.midY - height / 2, width, height)))
        box.slot = slot?.name
        box.label = words(PageStrings.loading)
        add(box)
    }

    var dialogWidth: Double {
        if let width = page.consentDialog?.placement.size?.width { return width }
        // At the lower edge it is a sheet, as wide as a telephone.
        return min(page.consentDialog?.isAtBottom == true ? 440 : 300, screen.size.width - 32)
    }

    private mutating func placeDialog(_ dialog: PageDescription.ConsentDialog) {
        var mask = PageBox(.dialogMask, PageRect(0, 0, screen.size.width, screen.size.height))
        mask.fill = PageColor(0x000000, alpha: 128)
        mask.hitArea = mask.frame
        if dialog.closesOnOutsideTap { mask.label = words(PageStrings.close) }
        add(mask)

        let inset = 20.0
        let title = label(
            words(dialog.title.text), font(dialog.title.font), dialog.title.color, limit: dialogWidth - 2 * inset)
        let terms = termsBlock(.dialogTerms).text
        let buttonFont = font(dialog.agree.font)
        let buttonHeight = max(Self.touchSide, lineHeight(buttonFont) + 16)
        let needed = inset + title.height + 12 + terms.height + inset + buttonHeight + inset
        let size = dialog.placement.size ?? PageSize(dialogWidth, needed)
        let offsets = screen.isLandscape ? dialog.placement.landscape : dialog.placement.portrait
        let x = offsets.left ?? (screen.size.width - size.width) / 2 + offsets.center
        let bottom = screen.size.height - screen.safeArea.bottom - 16 - size.height
        let y = offsets.top ?? (dialog.isAtBottom ? bottom : (screen.size.height - size.height) / 2)
        var panel = PageBox(.dialog, Self.rounded(PageRect(x, y, size.width, size.height)))
        panel.fill = color(dialog.color)
        panel.cornerRadius = dialog.cornerRadius
        // It takes the taps that miss its buttons, or they would close it.
        panel.hitArea = panel.frame
        add(panel)

        var heading = PageBox(
            .dialogTitle,
            Self.rounded(PageRect(x + (size.width - title.width) / 2, y + inset, title.width, title.height)))
        heading.text = title
        add(heading)
        var sentence = PageBox(
            .dialogTerms,
            Self.rounded(
                PageRect(x + inset, heading.frame.maxY + 12, size.width - 2 * inset, terms.height)))
        sentence.text = terms
        add(sentence)
        // Equal sizes: the law wants no button favoured.
        let width = (size.width - 3 * inset) / 2
        let top = y + size.height - inset - buttonHeight
        placeDialogButton(
            .dialogDisagree, dialog.disagree, dialog.disagreeFill, PageRect(x + inset, top, width, buttonHeight))
        placeDialogButton(
            .dialogAgree, dialog.agree, dialog.agreeFill,
            PageRect(x + 2 * inset + width, top, width, buttonHeight))
    }

    private mutating func placeDialogButton(
        _ role: PageRole, _ title: StyledText, _ fill: AdaptiveColor, _ frame: PageRect
    ) {
        var box = PageBox(role, Self.rounded(frame))
        box.fill = color(fill)
        box.cornerRadius = 6
        let text = label(words(title.text), font(title.font), title.color, limit: max(1, frame.width - 8))
        box.text = text
        box.textOrigin = centered(text, in: box.frame)
        box.hitArea = box.frame
        add(box)
    }
}
