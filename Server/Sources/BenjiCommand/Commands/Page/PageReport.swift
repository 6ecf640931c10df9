import BenjiPage

/// What the judge finds on a page that is looked at in several ways.
struct PageReport {
    /// A finding, and in which ways of looking it shows.
    struct Entry: Equatable {
        var finding: PageFinding
        var viewings: [PageViewing]
    }

    let profile: PageProfile
    let viewings: [PageViewing]
    /// Errors first, then in the order of the rules.
    let entries: [Entry]

    init(_ page: PageDescription, _ viewings: [PageViewing], _ profile: PageProfile) throws(PageError) {
        self.profile = profile
        self.viewings = viewings
        let judge = PageJudge(profile)
        var found: [PageFinding: Set<PageViewing>] = [:]
        // Ways of looking that differ in language alone, which the rule about languages compares.
        var groups: [PageViewing: [(PageViewing, PageScene)]] = [:]
        for viewing in viewings {
            let scene = try viewing.scene(of: page)
            for finding in judge.findings(scene, facts: viewing.facts, missingTick: PageJudge.MissingTick(of: page)) {
                found[finding, default: []].insert(viewing)
            }
            var group = viewing
            group.screen.language = .simplifiedChinese
            groups[group, default: []].append((viewing, scene))
        }
        for group in groups.values {
            for finding in judge.findings(comparing: group.map(\.1)) {
                found[finding, default: []].formUnion(group.map(\.0))
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

    func count(_ severity: PageSeverity) -> Int { entries.count { $0.finding.severity == severity } }

    /// One object: profile, ways of looking, counts, and each finding with explanation, fix and where it shows.
    func members() -> [PageJSON.Member] {
        func number(_ value: Int) -> PageJSON { .number(thousandths: Int64(value) * 1000) }
        return [
            PageJSON.Member("profile", .string(profile.rawValue)), PageJSON.Member("viewings", number(viewings.count)),
            PageJSON.Member("errors", number(count(.error))), PageJSON.Member("warnings", number(count(.warning))),
            PageJSON.Member("findings", .array(entries.map(\.json))),
        ]
    }
}

extension PageReport.Entry {
    var json: PageJSON {
        guard case .object(let members) = finding.json else { return finding.json }
        return .object(members + [PageJSON.Member("where", .array(viewings.map(\.json)))])
    }
}
