import BenjiPage

/// Writes one scene: an element for each box, in the order in which they are read, and a rule for its place.
struct SceneWriter {
    let scene: PageScene
    /// The same scene on a higher screen, if it stretches.
    let taller: PageScene?
    let number: Int
    let options: PageHTML.Options
    var style = ""
    private var body = ""

    init(scene: PageScene, taller: PageScene?, number: Int, options: PageHTML.Options) {
        self.scene = scene
        self.taller = taller.flatMap { tall in
            let isSame = tall.screen.size.width == scene.screen.size.width && tall.boxes.count == scene.boxes.count
            return isSame && tall.screen.size.height > scene.screen.size.height ? tall : nil
        }
        self.number = number
        self.options = options
    }

    /// The element of the scene; its rules are in ``style``.
    mutating func write() -> String {
        let size = scene.screen.size
        let isOverlaid = scene[.dialogMask] != nil
        let whole = size.height + (options.extraBox == nil || isOverlaid ? 0 : PageHTML.ExtraBox.height)
        style += ".s\(number){width:\(points(size.width));height:\(points(whole))}\n"
        if let taller {
            let height = points(whole)
            let most = points(taller.screen.size.height - size.height)
            func extra(_ unit: String) -> String { "--e:clamp(0px,100\(unit) - \(height),\(most))" }
            style += ".s\(number){\(extra("vh"));height:calc(\(height) + var(--e))}\n"
            // The height that the browser's bars leave, in browsers that know `svh`.
            style += "@supports(height:1svh){.s\(number){\(extra("svh"))}}\n"
        }
        body += "<main class=\"s s\(number)\">\n"
        body += "<form method=\"post\" action=\"" + options.formAction.escaped + "\">\n"
        for field in options.fields {
            body +=
                "<input type=\"hidden\" name=\"" + field.name.escaped + "\" value=\"" + field.value.escaped + "\">\n"
        }
        // The page under a dialog cannot be reached, by pointer, by keyboard or by screen reader.
        if isOverlaid {
            style += ".b.d{position:fixed;inset:0;width:100%;height:100%}\n"
            body += "<div inert>\n"
        }
        for (index, box) in scene.boxes.enumerated() {
            if box.role == .dialogMask { body += "</div>\n" }
            write(box, index)
        }
        if scene[.dialog] != nil { body += "</div>\n" }
        if let box = options.extraBox { writeExtra(box, isShown: !isOverlaid) }
        body += "</form>\n</main>\n"
        return body
    }

    private mutating func writeExtra(_ box: PageHTML.ExtraBox, isShown: Bool) {
        let field = " name=\"" + box.name.escaped + "\" value=\"yes\""
        guard isShown else {
            if box.isTicked { body += "<input type=\"hidden\"\(field)>\n" }
            return
        }
        let ink = scene.appearance == .dark ? "#f2f2f7" : "#1c1c1e"
        style += ".s\(number) .x{color:\(ink);background:\(PageStyle.ground(scene))}\n"
        body += "<div class=\"x\"><label><input type=\"checkbox\"\(field)\(box.isTicked ? " checked" : "")>"
        body += "<span>" + box.text.escaped + "</span></label>"
        if let link = box.link, link.address.isOwnPath {
            body += "<a href=\"" + link.address.escaped + "\" target=\"_blank\" rel=\"noopener noreferrer\">"
            body += link.text.escaped + "</a>"
        }
        body += "</div>\n"
    }

    /// Rules for what changes when the tick is set: `other` is the same scene then.
    mutating func styleTick(_ other: PageScene) {
        for (index, box) in scene.boxes.enumerated() where other.boxes.indices.contains(index) {
            let then = other.boxes[index]
            guard box.role == then.role else { return }
            let id = name(index)
            if box.role == .tick {
                if let first = box.image.flatMap(address) {
                    style +=
                        ".\(id){border:0;background:url(\"\(first.escapedForStyle)\") center/100% 100% no-repeat}\n"
                }
                if let second = then.image.flatMap(address) {
                    style += ".\(id):checked{border:0;background:url(\"\(second.escapedForStyle)\") center/100% 100% "
                    style += "no-repeat}\n.\(id):checked::before{display:none}\n"
                }
            } else if box.fill != then.fill {
                style += ".s\(number):has(.t:checked) .\(id){background:\(then.fill.text)}\n"
            }
        }
    }

    private func points(_ value: Double) -> String { PageStyle.points(value) + "px" }

    private func name(_ index: Int) -> String { "s\(number)b\(index)" }

    /// The class of a box that extends beyond the scene in a larger window (``PageStyle/fill(_:)``).
    private func windowRule(_ box: PageBox) -> String? {
        if box.role == .dialogMask { return " d" }
        guard options.isCardOnDesktops, scene[.mask] == nil else { return nil }
        switch box.role {
        case .backgroundImage, .backgroundGIF, .backgroundVideo: return " f"
        case .navigationBar: return " n"
        default: return nil
        }
    }

    private mutating func write(_ box: PageBox, _ index: Int) {
        place(box, index)
        let id = name(index)
        let kind = windowRule(box) ?? (box.hitArea == nil ? "" : " h")
        let attributes = "class=\"b \(id)\(kind)\" data-role=\"\(box.role.rawValue)\""
        let label = box.label.utf8.isEmpty ? "" : " aria-label=\"" + box.label.escaped + "\""
        let hidden = " aria-hidden=\"true\""
        switch box.role {
        case .background, .navigationBar, .loadingMask: body += "<div \(attributes)\(hidden)></div>\n"
        case .dialogMask where !box.label.utf8.isEmpty:
            body += "<button \(attributes)\(label)\(submit("disagree")) formnovalidate tabindex=\"-1\"></button>\n"
        case .dialogMask: body += "<div \(attributes)\(hidden)></div>\n"
        case .mask:
            if scene.closesOnOutsideTap {
                // By keyboard the page is closed with its close button; this one is for a finger beside the panel.
                body += "<button \(attributes)\(label)\(submit("close")) formnovalidate tabindex=\"-1\"></button>\n"
            } else {
                body += "<div \(attributes)\(hidden)></div>\n"
            }
        case .backgroundImage, .backgroundGIF, .backgroundVideo, .logo: writeMedia(box, attributes, label)
        case .back, .close:
            body += "<button \(attributes)\(label)\(submit("close")) formnovalidate>" + picture(box) + "</button>\n"
        case .numberField:
            body += "<input \(attributes)\(placeholder(box)) type=\"tel\" name=\"number\" autocomplete=\"tel\">\n"
        case .codeField:
            body += "<input \(attributes)\(placeholder(box)) inputmode=\"numeric\" name=\"code\" "
            body += "autocomplete=\"one-time-code\">\n"
        case .sendCode:
            let disabled = box.isEnabled ? "" : " disabled"
            body +=
                "<button \(attributes)\(submit("send"))\(disabled) formnovalidate>" + text(box, index) + "</button>\n"
        case .message: body += "<p \(attributes) role=\"status\">" + text(box, index) + "</p>\n"
        case .title: body += "<h1 \(attributes)>" + text(box, index) + "</h1>\n"
        case .login:
            let disabled = box.isEnabled || scene[.tick]?.isTicked == false ? "" : " disabled"
            body +=
                "<button \(attributes)\(submit("login"))\(disabled)>" + picture(box) + text(box, index) + "</button>\n"
        case .switchAccount:
            body += "<button \(attributes)\(submit("switch")) formnovalidate>" + text(box, index) + "</button>\n"
        case .tick: writeTick(box, index, label)
        case .terms: body += "<p \(attributes) id=\"s\(number)terms\">" + text(box, index) + "</p>\n"
        case .number, .slogan, .dialogTerms: body += "<p \(attributes)>" + text(box, index) + "</p>\n"
        case .custom, .navigationRight:
            let slot = (box.slot ?? "").escaped
            body +=
                "<div \(attributes)\(label.utf8.isEmpty ? hidden : " role=\"group\"" + label) "
                + "data-slot=\"\(slot)\"></div>\n"
        case .hint: body += "<p \(attributes) role=\"alert\">" + text(box, index) + "</p>\n"
        case .loading: body += "<div \(attributes) role=\"status\"\(label)><span class=\"w m\"></span></div>\n"
        case .dialog:
            // Around all that belongs to it, so that it is heard as one; it takes the focus when the page appears.
            body +=
                "<div role=\"dialog\" aria-modal=\"true\" aria-labelledby=\"s\(number)dialog\" tabindex=\"-1\" "
                + "autofocus>\n"
            body += "<div \(attributes)\(hidden)></div>\n"
        case .dialogTitle: body += "<h2 \(attributes) id=\"s\(number)dialog\">" + text(box, index) + "</h2>\n"
        case .dialogAgree, .dialogDisagree:
            let action = box.role == .dialogAgree ? "agree" : "disagree"
            body += "<button \(attributes)\(submit(action)) formnovalidate>" + text(box, index) + "</button>\n"
        }
    }

    /// The name of a field, and the text in it until the person types.
    private func placeholder(_ box: PageBox) -> String {
        " aria-label=\"" + box.label.escaped + "\" placeholder=\"" + (box.text?.text ?? "").escaped + "\""
    }

    private func submit(_ action: String) -> String { " type=\"submit\" name=\"action\" value=\"\(action)\"" }

    /// A checkbox, and a label with the touch area of the scene.
    private mutating func writeTick(_ box: PageBox, _ index: Int, _ label: String) {
        let id = name(index)
        let checked = box.isTicked == true ? " checked" : ""
        if let hit = box.hitArea {
            style += ".\(id)l{" + frame(hit, then: tall(index)?.hitArea) + "}\n"
            body += "<label class=\"b \(id)l\" for=\"\(id)\"></label>\n"
        }
        body +=
            "<input class=\"b t \(id)\" data-role=\"tick\" id=\"\(id)\" type=\"checkbox\" name=\"agreed\" value=\"yes\""
        body += "\(options.isTickRequired ? " required" : "")\(checked)\(label) aria-describedby=\"s\(number)terms\">\n"
    }

    private mutating func writeMedia(_ box: PageBox, _ attributes: String, _ label: String) {
        let address = address(box.image ?? box.slot ?? "")
        switch (box.role, address) {
        case (.backgroundVideo, let address?):
            body +=
                "<div \(attributes) aria-hidden=\"true\"><video class=\"m v\" autoplay muted loop playsinline src=\""
            body += address.escaped + "\"></video></div>\n"
        case (.logo, let address?):
            body += "<div \(attributes)><img class=\"m\" alt=\"" + box.label.escaped + "\" src=\"" + address.escaped
            body += "\"></div>\n"
        case (.logo, nil) where options.monogram != nil:
            let colors =
                scene[.login].map { "color:\(($0.text?.color ?? .clear).text);background:\($0.fill.text)" } ?? ""
            style += ".s\(number) .g{font-size:\(points(box.frame.height / 2));\(colors)}\n"
            body += "<div \(attributes) role=\"img\"\(label)><span class=\"m g\" aria-hidden=\"true\">"
            body += (options.monogram ?? "").escaped + "</span></div>\n"
        case (.logo, nil): body += "<div \(attributes) role=\"img\"\(label)></div>\n"
        case (_, let address?):
            let motion = box.role == .backgroundGIF ? " v" : ""
            body +=
                "<div \(attributes) aria-hidden=\"true\"><img class=\"m\(motion)\" alt=\"\" src=\"" + address.escaped
            body += "\"></div>\n"
        case (_, nil): body += "<div \(attributes) aria-hidden=\"true\"></div>\n"
        }
    }

    private func address(_ name: String) -> String? {
        for item in options.media where item.name.utf8.elementsEqual(name.utf8) {
            return item.address.isDataAddress || item.address.isOwnPath ? item.address : nil
        }
        return nil
    }

    private func picture(_ box: PageBox) -> String {
        guard let image = box.image, let address = address(image) else {
            switch box.role {
            case .back: return "<span class=\"m\" aria-hidden=\"true\">‹</span>"
            case .close: return "<span class=\"m\" aria-hidden=\"true\">×</span>"
            default: return ""
            }
        }
        return "<img class=\"m\" alt=\"\" src=\"" + address.escaped + "\">"
    }

    // MARK: - Places

    /// The same box on the higher screen.
    private func tall(_ index: Int) -> PageBox? {
        guard let taller, taller.boxes[index].role == scene.boxes[index].role else { return nil }
        return taller.boxes[index]
    }

    /// - Parameter other: the rectangle on the higher screen.
    private func frame(_ rect: PageRect, then other: PageRect? = nil) -> String {
        let other = other ?? rect
        return "left:\(between(rect.x, other.x));top:\(between(rect.y, other.y));"
            + "width:\(between(rect.width, other.width));height:\(between(rect.height, other.height))"
    }

    /// A length that goes evenly from one value to the other as the scene grows.
    private func between(_ value: Double, _ other: Double) -> String {
        guard let taller, value != other else { return points(value) }
        let share = (other - value) / (taller.screen.size.height - scene.screen.size.height)
        return
            "calc(\(points(value)) + "
            + "\(PageStyle.points(Double(Int(share * 1000 + (share < 0 ? -0.5 : 0.5))) / 1000))*var(--e))"
    }

    private mutating func place(_ box: PageBox, _ index: Int) {
        let id = name(index)
        var rule = frame(box.frame, then: tall(index)?.frame)
        if box.fill.alpha > 0 { rule += ";background:" + box.fill.text }
        if box.opacity != 1 { rule += ";opacity:" + PageStyle.points(box.opacity) }
        if box.cornerRadius > 0 {
            let radius = points(box.cornerRadius)
            let order: [PageDescription.Popup.Corner] = [.topLeft, .topRight, .bottomRight, .bottomLeft]
            rule += ";border-radius:" + order.map { box.corners.contains($0) ? radius : "0" }.joined(by: " ")
        }
        // Where more is tapped than is drawn, nothing is cut off; a picture is round as its box is.
        if box.hitArea == nil, box.image != nil || box.slot != nil { rule += ";overflow:hidden" }
        if box.role == .numberField || box.role == .codeField {
            rule += ";padding:0 " + points(box.textOrigin.width)
            style += ".\(id)::placeholder{color:\((box.text?.color ?? .clear).text);opacity:1}\n"
            // Typed text is more prominent than the placeholder.
            style += ".s\(number) .\(id){color:\(scene.appearance == .dark ? "#fff" : "#000")}\n"
        }
        if let text = box.text {
            rule += ";font-size:\(points(text.font.size));font-weight:\(text.font.isBold ? 700 : 400)"
            rule += ";line-height:\(points(text.lineHeight));color:\(text.color.text)"
        } else if box.role == .back || box.role == .close {
            let ink = scene.appearance == .dark ? "#fff" : "#000"
            rule += ";font-size:\(points(box.frame.height));line-height:\(points(box.frame.height));color:\(ink)"
            rule += ";text-align:center"
        }
        style += ".\(id){" + rule + "}\n"
        if let hit = box.hitArea, box.role != .tick {
            let area = PageRect(hit.x - box.frame.x, hit.y - box.frame.y, hit.width, hit.height)
            style += ".\(id)::after{" + frame(area) + "}\n"
        }
        if let text = box.text, !text.links.isEmpty {
            style += ".\(id) a{color:\(text.linkColor.text)}\n"
            if text.isUnderlined { style += ".\(id) a span{text-decoration:underline}\n" }
        }
    }

    /// The runs of a text, each at its place; a link is one element however many lines it has.
    private mutating func text(_ box: PageBox, _ index: Int) -> String {
        guard let text = box.text else { return "" }
        var markup = ""
        var open: Int?
        for (row, line) in text.lines.enumerated() {
            for (column, run) in line.runs.enumerated() {
                if open != run.link {
                    if open != nil { markup += "</a>" }
                    if let link = run.link {
                        markup += "<a href=\"" + text.links[link].url.escaped
                        markup += "\" target=\"_blank\" rel=\"noopener noreferrer\"" + name(of: link, in: text) + ">"
                    }
                    open = run.link
                }
                let id = name(index) + "r\(row)c\(column)"
                let x = box.textOrigin.width + run.x
                let y = box.textOrigin.height + Double(row) * text.lineHeight
                style += ".\(id){left:\(points(x));top:\(points(y));height:\(points(text.lineHeight))}\n"
                markup += "<span class=\"\(id)\">" + run.text.escaped + "</span>"
            }
        }
        if open != nil { markup += "</a>" }
        return markup
    }

    /// A screen reader's name of a link that is broken over lines: without it, the break is read as a space.
    private func name(of link: Int, in text: TextBlock) -> String {
        var runs = 0
        var name = ""
        for line in text.lines {
            for run in line.runs where run.link == link {
                runs += 1
                name += run.text
            }
        }
        return runs > 1 ? " aria-label=\"" + name.escaped + "\"" : ""
    }
}

extension [String] {
    /// All of them with `separator` between.
    fileprivate func joined(by separator: String) -> String {
        var text = ""
        for (index, part) in enumerated() { text += (index == 0 ? "" : separator) + part }
        return text
    }
}
