public import BenjiPage

/// The judge's findings on a page in several viewings.
public struct PageFindings {
    /// A finding, and in which ways of looking it shows.
    public struct Entry: Equatable {
        public var finding: PageFinding
        public var viewings: [PageViewing]

        public init(finding: PageFinding, viewings: [PageViewing]) {
            self.finding = finding
            self.viewings = viewings
        }
    }

    public let profile: PageProfile
    public let viewings: [PageViewing]
    /// Errors first, then in the order of the rules.
    public let entries: [Entry]

    /// - Parameter bySMS: looks at the page of a login by SMS instead.
    public init(
        _ page: PageDescription, _ viewings: [PageViewing], _ profile: PageProfile, bySMS: Bool = false
    ) throws(PageError) {
        self.profile = profile
        self.viewings = viewings
        let judge = PageJudge(profile)
        var found: [PageFinding: Set<PageViewing>] = [:]
        // Ways of looking that differ in language alone, which the rule about languages compares.
        var groups: [PageViewing: [(PageViewing, PageScene)]] = [:]
        for viewing in viewings {
            let scene = try bySMS ? viewing.sceneBySMS(of: page) : viewing.scene(of: page)
            let seen =
                bySMS
                ? judge.findings(bySMS: scene)
                : judge.findings(scene, facts: viewing.facts, missingTick: PageJudge.MissingTick(of: page))
            for finding in seen {
                found[finding, default: []].insert(viewing)
            }
            var group = viewing
            group.screen.language = .simplifiedChinese
            groups[group, default: []].append((viewing, scene))
        }
        for group in groups.values {
            for finding in judge.findings(comparing: group.map { $0.1 }) {
                found[finding, default: []].formUnion(group.map { $0.0 })
            }
        }
        func place(_ finding: PageFinding) -> (Int, Int, Int) {
            (
                finding.severity == .error ? 0 : 1, PageRule.allCases.firstIndex(of: finding.rule) ?? 0,
                PageRole.allCases.firstIndex(of: finding.role) ?? 0
            )
        }
        entries = found.keys.sorted { place($0) < place($1) }.map { finding in
            Entry(finding: finding, viewings: viewings.filter { found[finding]?.contains($0) == true })
        }
    }

    public func count(_ severity: PageSeverity) -> Int { entries.count { $0.finding.severity == severity } }

    /// One object: profile, ways of looking, counts, and each finding with explanation, fix and where it shows.
    public func members() -> [PageJSON.Member] {
        func number(_ value: Int) -> PageJSON { .number(thousandths: Int64(value) * 1000) }
        return [
            PageJSON.Member("profile", .string(profile.rawValue)), PageJSON.Member("viewings", number(viewings.count)),
            PageJSON.Member("errors", number(count(.error))), PageJSON.Member("warnings", number(count(.warning))),
            PageJSON.Member("findings", .array(entries.map { $0.json })),
        ]
    }
}

extension PageFindings.Entry {
    public var json: PageJSON {
        guard case .object(let members) = finding.json else { return finding.json }
        return .object(members + [PageJSON.Member("where", .array(viewings.map { $0.json }))])
    }
}
