extension PageScene {
    /// Lays a page out.
    ///
    /// The same arguments give the same boxes on every platform. Only additions, multiplications and comparisons of
    /// doubles are done, and every frame is rounded to thousandths of a point.
    ///
    /// - Throws: the first thing in page, facts or screen that reading would refuse.
    public init<Measure: TextMeasuring>(
        _ page: PageDescription, facts: PageFacts, state: PageState, screen: PageScreen, measuredBy measure: Measure
    ) throws(PageError) {
        _ = try page.json()
        _ = try facts.json()
        _ = try screen.json()
        self.init(valid: page, facts: facts, state: state, screen: screen, measuredBy: measure)
    }

    /// Lays a page out for several states and screens, in their order. Page and facts are checked once for all of them.
    ///
    /// - Parameter arrangement: where controls stand that have no places of their own.
    /// - Throws: the first thing in page, facts or screens that reading would refuse.
    public static func scenes<Measure: TextMeasuring>(
        of page: PageDescription, facts: PageFacts, for views: [(state: PageState, screen: PageScreen)],
        arranged arrangement: PageArrangement = .row, measuredBy measure: Measure
    ) throws(PageError) -> [PageScene] {
        _ = try page.json()
        _ = try facts.json()
        for view in views { _ = try view.screen.json() }
        return views.map { view in
            PageScene(
                valid: page, facts: facts, state: view.state, screen: view.screen, arranged: arrangement,
                measuredBy: measure)
        }
    }

    /// Lays a page out whose description, facts and screen were checked before.
    package init<Measure: TextMeasuring>(
        valid page: PageDescription, facts: PageFacts, state: PageState, screen: PageScreen,
        arranged arrangement: PageArrangement = .row, measuredBy measure: Measure
    ) {
        var textScale = screen.textScale
        while true {
            var layout = PageLayout(
                page: page, facts: facts, state: state, screen: screen, measure: measure, textScale: textScale)
            layout.arrangement = arrangement
            layout.place()
            // Larger text is a wish; that everything is on the page is not.
            if layout.fits || textScale <= 1 {
                self = layout.scene
                return
            }
            textScale = max(1, textScale - 0.125)
        }
    }

    /// The scene in its canonical form: evidence of the screen's content, digested outside.
    public var json: PageJSON {
        .object([
            PageJSON.Member("width", .points(screen.size.width)),
            PageJSON.Member("height", .points(screen.size.height)),
            PageJSON.Member("language", .string(screen.language.rawValue)),
            PageJSON.Member("appearance", .string(appearance.rawValue)),
            PageJSON.Member("carrier", .string(carrier.rawValue)),
            PageJSON.Member("viewport", .rect(viewport)),
            PageJSON.Member("popup", .bool(isPopup)),
            PageJSON.Member("closesOnOutsideTap", .bool(closesOnOutsideTap)),
            PageJSON.Member("lightStatusBar", .bool(hasLightStatusBar)),
            PageJSON.Member("boxes", .array(boxes.map { $0.json })),
        ])
    }
}

extension PageBox {
    fileprivate var json: PageJSON {
        var members = [
            PageJSON.Member("role", .string(role.rawValue)), PageJSON.Member("frame", .rect(frame)),
        ]
        func add(_ name: String, _ value: PageJSON) { members.append(PageJSON.Member(name, value)) }
        if let hitArea { add("hitArea", .rect(hitArea)) }
        if fill.alpha > 0 { add("fill", .string(fill.text)) }
        if let image { add("image", .string(image)) }
        if let slot { add("slot", .string(slot)) }
        if !label.utf8.isEmpty { add("label", .string(label)) }
        if opacity != 1 { add("opacity", .points(opacity)) }
        if cornerRadius > 0 {
            add("cornerRadius", .points(cornerRadius))
            if corners.count < 4 { add("corners", .array(corners.map { .string($0.rawValue) })) }
        }
        if let isTicked { add("ticked", .bool(isTicked)) }
        if !isEnabled { add("enabled", .bool(false)) }
        if let text {
            add("textOrigin", .array([.points(textOrigin.width), .points(textOrigin.height)]))
            add("text", text.json)
        }
        return .object(members)
    }
}

extension TextBlock {
    fileprivate var json: PageJSON {
        var members = [
            PageJSON.Member("size", .points(font.size)), PageJSON.Member("bold", .bool(font.isBold)),
        ]
        if let typeface = font.typeface { members.append(PageJSON.Member("typeface", .string(typeface))) }
        members += [
            PageJSON.Member("color", .string(color.text)), PageJSON.Member("linkColor", .string(linkColor.text)),
            PageJSON.Member("underlined", .bool(isUnderlined)), PageJSON.Member("lineHeight", .points(lineHeight)),
            PageJSON.Member(
                "lines",
                .array(
                    lines.map { line in
                        .array(
                            line.runs.map { run in
                                var parts: [PageJSON] = [.points(run.x), .points(run.width), .string(run.text)]
                                if let link = run.link { parts.append(.string(links[link].url)) }
                                return .array(parts)
                            })
                    })),
        ]
        return .object(members)
    }
}

extension PageJSON {
    /// A length; beyond ``maximumNumber`` only after somebody has moved a box there.
    fileprivate static func points(_ value: Double) -> PageJSON { number(value) ?? .null }

    fileprivate static func rect(_ rect: PageRect) -> PageJSON {
        .array([.points(rect.x), .points(rect.y), .points(rect.width), .points(rect.height)])
    }
}
