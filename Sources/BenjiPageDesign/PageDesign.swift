import BenjiPage
import BenjiPageReports

/// The operations of a page designer, as JSON, for hosts that do not speak Swift, such as a browser.
///
/// A request without `do` is a ``PageRequest``. With it:
///
/// | `do` | and | answers |
/// |---|---|---|
/// | `fields` | | `fields`: ``PageField/all`` |
/// | `check`, see below | | `page` with all its defaults, `brief` without them, `digested`, `findings` in all views |
/// | `draw` | `page`, `facts`, `screen`, `state` | as a ``PageRequest``, and `origin`, from where tops are measured |
/// | `fix` | `page`, `rule`, `role` | `page` with the fix; nothing where a person has to decide |
/// | `move` | `page`, `facts`, `screen`, `role`, `number`, `by` | `page`; nothing where it cannot be moved |
/// | `begin` | `color` | `page` in that colour |
/// | `compare` | `old`, `new` | `fields` and `boxes` that differ, findings `gained` and `lost` |
/// | `export` | `page`, `for` | `text`, `unsaid` |
///
/// A check is requested with the line `check` and, behind it, a description as a person wrote it. An error then names
/// the byte of that text. `digested` is the text whose SHA-256 is the page's digest. `by` has four numbers: right,
/// down, wider and higher.
///
/// The answer to a request that cannot be read is `{"error": {"place": "…", "problem": "…"}}`.
public enum PageDesign {
    /// The answer to a request, both as JSON in UTF-8.
    public static func answer(_ text: [UInt8]) -> [UInt8] {
        do throws(PageError) {
            let check = Array("check\n".utf8)
            if text.starts(with: check) { return try self.check(Array(text[check.count...])).bytes }
            let request = try PageJSON(parsing: text)
            guard case .string(let wanted)? = request["do"] else { return PageRequest.answer(text) }
            return try answer(wanted, request).bytes
        } catch {
            return PageJSON.object([
                PageJSON.Member(
                    "error",
                    .object([
                        PageJSON.Member("place", .string(error.place)),
                        PageJSON.Member("problem", .string(error.problem)),
                    ]))
            ]).bytes
        }
    }

    private static func answer(_ wanted: String, _ request: PageJSON) throws(PageError) -> PageJSON {
        switch wanted {
        case "fields": return .object([PageJSON.Member("fields", .array(PageField.all.map { $0.json }))])
        case "draw": return try draw(request)
        case "fix": return try fix(request)
        case "move": return try move(request)
        case "begin":
            guard case .string(let text)? = request["color"], let color = PageColor(text: text) else {
                throw PageError(place: "$.color", problem: "must be a colour as #rrggbb")
            }
            return page(PageDescription(brand: color))
        case "compare": return try compare(request)
        case "export":
            let target: PageExport.Target = try word(request, "for")
            let export = try PageExport(try description(request, "page"), for: target)
            return .object([
                PageJSON.Member("text", .string(export.text)),
                PageJSON.Member(
                    "unsaid",
                    .array(
                        export.unsaid.map { unsaid in
                            .object([
                                PageJSON.Member("path", .string(unsaid.path)),
                                PageJSON.Member("zh", .string(unsaid.reason.simplifiedChinese)),
                                PageJSON.Member("en", .string(unsaid.reason.english)),
                            ])
                        })),
            ])
        default: throw PageError(place: "$.do", problem: "there is no such request")
        }
    }

    // MARK: - Requests

    private static func check(_ text: [UInt8]) throws(PageError) -> PageJSON {
        let description = try PageDescription(parsing: text)
        let viewings = PageViewing.all(
            of: description, by: PageCarrier.documented.map { (carrier: $0, duties: CarrierDuties.standard($0)) })
        let report = try PageFindings(description, viewings, .current)
        var findings: [PageJSON] = []
        for entry in report.entries {
            guard case .object(var members) = entry.json else { continue }
            members.append(PageJSON.Member("everywhere", .bool(entry.viewings.count == viewings.count)))
            let (rule, role) = (entry.finding.rule, entry.finding.role)
            members.append(PageJSON.Member("fixable", .bool(description.fixed(rule, role) != nil)))
            findings.append(.object(members))
        }
        return .object([
            PageJSON.Member("page", try description.json()),
            PageJSON.Member("brief", try PageExport.brief(description)),
            PageJSON.Member(
                "digested", .string(String(decoding: try description.bytesForDigest(), as: UTF8.self))),
            PageJSON.Member("viewings", .number(thousandths: Int64(viewings.count) * 1000)),
            PageJSON.Member("findings", .array(findings)),
        ])
    }

    private static func draw(_ request: PageJSON) throws(PageError) -> PageJSON {
        let description = try description(request, "page")
        let (facts, screen) = (try facts(request), try screen(request))
        var state = PageState(of: description)
        func flag(_ name: String) -> Bool? {
            guard case .bool(let value)? = request["state"]?[name] else { return nil }
            return value
        }
        if let value = flag("ticked") { state.isTicked = value }
        if let value = flag("hint") { state.isHintShown = value }
        if let value = flag("dialog") { state.isDialogShown = value }
        if let value = flag("loading") { state.isLoading = value }
        if let value = flag("pressed") { state.isLoginPressed = value }
        let table = AdvanceTable()
        let scene = try PageScene(description, facts: facts, state: state, screen: screen, measuredBy: table)
        // Rules are about the page as it first appears.
        let untouched = try PageScene(
            description, facts: facts, state: PageState(of: description), screen: screen, measuredBy: table)
        let findings = PageJudge().findings(
            untouched, facts: facts, missingTick: PageJudge.MissingTick(of: description))
        return .object([
            PageJSON.Member("scene", scene.json),
            PageJSON.Member("origin", PageJSON.number(description.origin(on: screen)) ?? .null),
            PageJSON.Member(
                "findings",
                .array(
                    findings.map { finding in
                        .object([
                            PageJSON.Member("rule", .string(finding.rule.rawValue)),
                            PageJSON.Member("severity", .string(finding.severity.rawValue)),
                            PageJSON.Member("role", .string(finding.role.rawValue)),
                        ])
                    })),
        ])
    }

    private static func fix(_ request: PageJSON) throws(PageError) -> PageJSON {
        let rule: PageRule = try word(request, "rule")
        let role: PageRole = try word(request, "role")
        return page(try description(request, "page").fixed(rule, role))
    }

    private static func move(_ request: PageJSON) throws(PageError) -> PageJSON {
        let role: PageRole = try word(request, "role")
        var number = 0
        if case .number(let thousandths)? = request["number"] { number = Int(thousandths / 1000) }
        guard case .array(let parts)? = request["by"], parts.count == 4 else {
            throw PageError(place: "$.by", problem: "must be four numbers")
        }
        var by: [Double] = []
        for part in parts {
            guard case .number(let thousandths) = part else {
                throw PageError(place: "$.by", problem: "must be four numbers")
            }
            by.append(Double(thousandths) / 1000)
        }
        return page(
            try description(request, "page").moving(
                role, number, by: PageRect(by[0], by[1], by[2], by[3]), on: try screen(request),
                facts: try facts(request)))
    }

    private static func compare(_ request: PageJSON) throws(PageError) -> PageJSON {
        let (old, new) = (try description(request, "old"), try description(request, "new"))
        var viewings: [PageViewing] = []
        for screen in NamedScreen.known where old.isShown(on: screen) || new.isShown(on: screen) {
            viewings.append(
                PageViewing(
                    screenName: screen.name,
                    screen: PageScreen(screen.size.width, screen.size.height, safeArea: screen.safeArea),
                    carrier: .mobile))
        }
        let comparison = try PageComparison(old, new, viewings, .current)
        return .object([
            PageJSON.Member(
                "fields",
                .array(
                    comparison.fields.map { field in
                        .object([
                            PageJSON.Member("path", .string(field.path)), PageJSON.Member("old", field.old ?? .null),
                            PageJSON.Member("new", field.new ?? .null),
                        ])
                    })),
            PageJSON.Member(
                "boxes",
                .array(
                    comparison.boxes.map { box in
                        .object([
                            PageJSON.Member("change", .string(box.key.change.rawValue)),
                            PageJSON.Member("role", .string(box.key.role.rawValue)),
                        ])
                    })),
            PageJSON.Member("gained", .array(comparison.gained.map { $0.json })),
            PageJSON.Member("lost", .array(comparison.lost.map { $0.json })),
        ])
    }

    // MARK: - Members

    private static func page(_ page: PageDescription?) -> PageJSON {
        guard let page, let brief = try? PageExport.brief(page) else { return .object([]) }
        return .object([PageJSON.Member("page", brief)])
    }

    private static func description(_ request: PageJSON, _ name: String) throws(PageError) -> PageDescription {
        try PageDescription(request[name] ?? .object([]), at: "$." + name)
    }

    private static func facts(_ request: PageJSON) throws(PageError) -> PageFacts {
        guard let json = request["facts"] else {
            var carrier = PageCarrier.mobile
            if request["carrier"] != nil { carrier = try word(request, "carrier") }
            return .sample(carrier)
        }
        return try PageFacts(json, at: "$.facts")
    }

    private static func screen(_ request: PageJSON) throws(PageError) -> PageScreen {
        try PageScreen(request["screen"] ?? .object([]), at: "$.screen")
    }

    private static func word<Word: RawRepresentable & CaseIterable>(_ request: PageJSON, _ name: String)
        throws(PageError)
        -> Word where Word.RawValue == String
    {
        if case .string(let text)? = request[name] {
            for word in Word.allCases where word.rawValue.sameBytes(as: text) { return word }
        }
        throw PageError(place: "$." + name, problem: "there is no such word")
    }
}
