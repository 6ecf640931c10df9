/// The sentence about the terms, and who asked for which size.
struct TermsText {
    var text: TextBlock
    /// The size that the description gave, if it counts.
    var size: PageSize?
}

extension PageDescription.Terms {
    /// A part of the sentence, where it leads, and which of ``items`` it is.
    public typealias Piece = (text: String, url: String?, item: Int?)

    /// The sentence: words and titles in turn, the carrier's terms at their index.
    ///
    /// - Parameter duties: `nil` where no carrier reports the number. The words behind everything, which speak of that,
    ///   are then left out too.
    public func pieces(_ duties: CarrierDuties?, _ language: Language) -> [Piece] {
        var titles: [(title: String, url: String, index: Int, item: Int?)] = []
        if let duties {
            titles.append(
                (quotesCarrierTerms ? "《" + duties.termsTitle + "》" : duties.termsTitle, duties.termsURL, 0, nil))
        }
        for (number, item) in items.enumerated() {
            var place = titles.count
            while place > 0, titles[place - 1].index > item.index { place -= 1 }
            titles.insert((item.title[language], item.url, item.index, number), at: place)
        }
        var pieces: [Piece] = [(words[0][language], nil, nil)]
        for (position, title) in titles.enumerated() {
            // words[1] joins the first two, words[2] the next; the last word of all stands behind everything.
            if position > 0 { pieces.append((words[min(position, words.count - 2)][language], nil, nil)) }
            pieces.append((title.title, title.url, title.item))
        }
        if duties != nil { pieces.append((words[words.count - 1][language], nil, nil)) }
        return pieces
    }
}

extension PageLayout {
    var tickSide: Double { Self.thousandths(page.terms.tick.size * textScale) }

    func termsBlock(_ role: PageRole) -> TermsText {
        let terms = page.terms
        var pieces: [LineBreaker<Measure>.Piece] = []
        var links: [TextBlock.Link] = []
        for piece in terms.pieces(showsCarrierTerms ? facts.duties : nil, screen.language) {
            if let url = piece.url {
                pieces.append(LineBreaker<Measure>.Piece(text: piece.text, link: links.count))
                links.append(TextBlock.Link(title: piece.text, url: url))
            } else {
                pieces.append(LineBreaker<Measure>.Piece(text: piece.text, link: nil))
            }
        }
        // Two vendors' documents: a size counts only above 50 × 20.
        var size = role == .terms ? terms.placement.size : nil
        if let asked = size, asked.width <= 50 || asked.height <= 20 { size = nil }
        let font = font(terms.font)
        let limit: Double
        if role == .dialogTerms {
            limit = dialogWidth - 40
        } else {
            limit = size?.width ?? min(440, contentWidth - tickSide - terms.tick.gap)
        }
        let first = block(pieces, font: font, color: color(terms.color), limit: limit, alignment: .left)
        var text = first
        if size != nil || terms.alignment != .left {
            let width = size?.width ?? first.width
            text = block(pieces, font: font, color: color(terms.color), limit: width, alignment: terms.alignment)
        }
        text.linkColor = color(terms.linkColor)
        text.isUnderlined = terms.isUnderlined
        text.links = links
        if let height = terms.lineHeight { text.lineHeight = Self.thousandths(height * textScale) }
        return TermsText(text: text, size: size)
    }

    /// Where the text of the terms stands. By itself it is centred together with its tick.
    func frame(of terms: TermsText) -> PageRect {
        let placement = page.terms.placement
        let size = terms.size ?? PageSize(terms.text.width, terms.text.height)
        var frame = frame(placement, size: size, top: contentBottom - size.height)
        let offsets = screen.isLandscape ? placement.landscape : placement.portrait
        if offsets.left == nil { frame.x = Self.thousandths(frame.x + (tickSide + page.terms.tick.gap) / 2) }
        return frame
    }

    mutating func placeTerms(_ terms: TermsText, _ frame: PageRect) {
        let tick = page.terms.tick
        let side = tickSide
        var box = PageBox(
            .tick,
            Self.rounded(
                PageRect(
                    frame.x - tick.gap - side, frame.y + (terms.text.lineHeight - side) / 2, side, side)))
        box.isTicked = state.isTicked
        box.image = (state.isTicked ? tick.setImage : tick.unsetImage)?.name
        box.label = words(PageStrings.tick)
        // A finger wide towards the edge of the page; the text next to it belongs to the links.
        let right = frame.x
        let left = max(area.x, min(box.frame.x, right - Self.touchSide))
        let top = max(area.y, box.frame.midY - Self.touchSide / 2)
        let bottom = min(area.maxY, box.frame.midY + Self.touchSide / 2)
        box.hitArea = Self.rounded(PageRect(left, top, max(right - left, 0), max(bottom - top, 0)))
        add(box)
        var sentence = PageBox(.terms, frame)
        sentence.text = terms.text
        add(sentence)
    }
}
