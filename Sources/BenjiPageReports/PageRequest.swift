public import BenjiPage

/// A question about a page as JSON, for hosts that do not speak Swift, such as a browser.
///
/// ```json
/// {"page": {…}, "facts": {…}, "screen": {…}, "ticked": false, "profile": "current"}
/// ```
///
/// Everything may be left out and then has its default. The answer is `{"scene": {…}, "findings": […]}`, findings being
/// those of the page as it appears; or `{"error": {"place": "…", "problem": "…"}}`.
public struct PageRequest: Hashable, Sendable {
    /// The app's description.
    public var page = PageDescription()
    /// The facts from the prefetch.
    public var facts = PageFacts.sample(.mobile)
    /// Where it is shown.
    public var screen = PageScreen(375, 667, safeArea: PageInsets(top: 20))
    /// Whether the tick is set; what the page says when left out.
    public var isTicked: Bool?
    /// The rules to hold it against.
    public var profile = PageProfile.current

    public init() {}

    /// Reads and checks a request.
    public init(_ json: PageJSON) throws(PageError) {
        guard case .object(let members) = json else {
            throw PageError(place: "$", problem: "must be an object, is " + json.kind)
        }
        if let json = json["page"] { page = try PageDescription(json, at: "$.page") }
        if let json = json["facts"] { facts = try PageFacts(json, at: "$.facts") }
        if let json = json["screen"] { screen = try PageScreen(json, at: "$.screen") }
        if let json = json["ticked"] {
            guard case .bool(let value) = json else {
                throw PageError(place: "$.ticked", problem: "must be true or false, is " + json.kind)
            }
            isTicked = value
        }
        if let json = json["profile"] { profile = try Self.profile(json) }
        for member in members {
            var isField = false
            for field in ["page", "facts", "screen", "ticked", "profile"] where member.name.sameBytes(as: field) {
                isField = true
            }
            guard isField else {
                throw PageError(
                    place: "$." + PageJSON.pathComponent(member.name), problem: "there is no such field")
            }
        }
    }

    private static func profile(_ json: PageJSON) throws(PageError) -> PageProfile {
        var words = ""
        for profile in PageProfile.allCases {
            if json == .string(profile.rawValue) { return profile }
            words += (words.isEmpty ? "" : ", ") + profile.rawValue
        }
        throw PageError(place: "$.profile", problem: "must be one of: " + words)
    }

    /// The request as JSON. Refused when reading would refuse it.
    public func json() throws(PageError) -> PageJSON {
        var members = [
            PageJSON.Member("page", try page.json()), PageJSON.Member("facts", try facts.json()),
            PageJSON.Member("screen", try screen.json()),
        ]
        if let isTicked { members.append(PageJSON.Member("ticked", .bool(isTicked))) }
        members.append(PageJSON.Member("profile", .string(profile.rawValue)))
        return .object(members)
    }

    /// The answer to a request, both as JSON in UTF-8.
    public static func answer(_ text: [UInt8]) -> [UInt8] {
        do throws(PageError) {
            return try PageRequest(PageJSON(parsing: text)).answer.bytes
        } catch {
            let fault = PageJSON.object([
                PageJSON.Member("place", .string(error.place)), PageJSON.Member("problem", .string(error.problem)),
            ])
            return PageJSON.object([PageJSON.Member("error", fault)]).bytes
        }
    }

    /// The request that was read is within the limits, so this cannot fail.
    private var answer: PageJSON {
        let table = AdvanceTable()
        let first = PageState(of: page)
        var state = first
        if let isTicked { state.isTicked = isTicked }
        let scene = PageScene(valid: page, facts: facts, state: state, screen: screen, measuredBy: table)
        // Rules are about the page as it first appears.
        let untouched =
            state == first
            ? scene : PageScene(valid: page, facts: facts, state: first, screen: screen, measuredBy: table)
        let findings = PageJudge(profile).findings(
            untouched, facts: facts, missingTick: PageJudge.MissingTick(of: page))
        return .object([
            PageJSON.Member("scene", scene.json), PageJSON.Member("findings", .array(findings.map { $0.json })),
        ])
    }
}

extension PageFinding {
    /// The finding with its explanation and fix, Chinese and English.
    public var json: PageJSON {
        func text(_ text: LocalizedText) -> PageJSON {
            .object([
                PageJSON.Member("zh", .string(text.simplifiedChinese)), PageJSON.Member("en", .string(text.english)),
            ])
        }
        return .object([
            PageJSON.Member("rule", .string(rule.rawValue)), PageJSON.Member("severity", .string(severity.rawValue)),
            PageJSON.Member("role", .string(role.rawValue)), PageJSON.Member("explanation", text(rule.explanation)),
            PageJSON.Member("fix", text(rule.fix)), PageJSON.Member("source", .string(rule.source)),
        ])
    }
}
