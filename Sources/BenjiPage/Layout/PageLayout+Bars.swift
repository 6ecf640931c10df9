extension PageLayout {
    mutating func placeBackground() {
        if let popup {
            var mask = PageBox(.mask, PageRect(0, 0, screen.size.width, screen.size.height))
            mask.fill = color(popup.mask)
            mask.slot = popup.maskSlot?.name
            if popup.closesOnOutsideTap {
                mask.hitArea = mask.frame
                mask.label = words(PageStrings.close)
            }
            add(mask)
        }
        func layer(_ role: PageRole) -> PageBox {
            var box = PageBox(role, area)
            box.cornerRadius = popup?.cornerRadius ?? 0
            box.corners = popup?.corners ?? box.corners
            return box
        }
        var base = layer(.background)
        base.fill = color(page.background.color)
        add(base)
        let portrait = page.background.image
        if let image = screen.isLandscape ? page.background.landscapeImage ?? portrait : portrait {
            var box = layer(.backgroundImage)
            box.image = image.name
            add(box)
        }
        if let gif = page.background.gif {
            var box = layer(.backgroundGIF)
            box.slot = gif.name
            add(box)
        }
        if let video = page.background.video {
            var box = layer(.backgroundVideo)
            box.slot = video.name
            add(box)
        }
    }

    mutating func placeBars() {
        if let popup {
            placeCloseButton(popup.close)
        } else if !page.navigationBar.isHidden {
            placeNavigationBar(page.navigationBar)
        }
    }

    private mutating func placeNavigationBar(_ bar: PageDescription.NavigationBar) {
        let top = screen.safeArea.top
        let height = Self.barHeight
        var box = PageBox(.navigationBar, PageRect(0, 0, area.width, top + height))
        box.fill = color(bar.color)
        add(box)
        if let title = bar.title?.style {
            // A bar does not grow with the text size, and neither does its title.
            let limit = area.width - 2 * (max(screen.safeArea.left, screen.safeArea.right) + 60)
            let text = block(
                [LineBreaker<Measure>.Piece(text: words(title.text), link: nil)], font: title.font,
                color: color(title.color), limit: limit)
            var box = PageBox(
                .title, Self.rounded(PageRect((area.width - limit) / 2, top, limit, height)))
            box.text = text
            box.textOrigin = PageSize(0, Self.thousandths((height - text.height) / 2))
            add(box)
        }
        if !bar.back.isHidden {
            let frame = bar.back.frame(
                top: top, left: screen.safeArea.left, size: PageSize(area.width, height),
                isLandscape: screen.isLandscape)
            var box = PageBox(.back, Self.rounded(frame))
            box.image = bar.back.image?.name
            box.label = words(PageDescription.BackButton.label)
            box.hitArea = touchable(box.frame)
            add(box)
        }
        if let right = bar.right {
            let x = area.width - screen.safeArea.right - 12 - right.size.width
            var box = PageBox(
                .navigationRight,
                Self.rounded(
                    PageRect(x, top + (height - right.size.height) / 2, right.size.width, right.size.height)))
            box.slot = right.name
            add(box)
        }
    }

    private mutating func placeCloseButton(_ close: PageDescription.CloseButton) {
        var size = close.image?.size ?? PageSize(24, 24)
        if let width = close.width, let height = close.height, width > 0, height > 0 { size = PageSize(width, height) }
        var box = PageBox(
            .close,
            Self.rounded(
                PageRect(area.maxX - close.right - size.width, area.y + close.top, size.width, size.height)))
        box.image = close.image?.name
        box.label = words(PageStrings.close)
        box.hitArea = touchable(box.frame)
        add(box)
    }
}
