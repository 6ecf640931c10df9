import Administration
import BenjiPage
import BenjiProtocol
import Hummingbird
import ServerHTTP

/// Whether this process can serve, and how the accounting of each NAS goes.
extension Console {
    var feedRoutes: [EndpointRoute] {
        [
            page(.get, "/console/feeds") { visit, caller, _ in
                // Only roles that see the whole installation, as by its policies, see feeds; no developer does.
                try await administration.admit(ListPolicies.self, by: caller, about: nil)
                let findings = await HealthEndpoints.examine(process.checks)
                let feeds = process.feeds?()
                return templates.page(
                    "feeds", visit,
                    [
                        "isReady": findings.allSatisfy { $0.problem == nil },
                        "findings": findings.map { Self.values(of: $0, visit.language) },
                        "isHere": feeds != nil,
                        "feeds": (feeds ?? []).map { Self.values(of: $0, visit.language) },
                        "hasFeeds": feeds?.isEmpty == false, "hasNone": feeds?.isEmpty == true,
                        "options": process.options,
                    ].merging(installationTabs("feeds", visit)) { $1 })
            }
        ]
    }

    private static func values(of finding: HealthEndpoints.Finding, _ language: Language) -> [String: Any] {
        [
            "name": finding.name, "isWell": finding.problem == nil,
            "state": ConsoleStrings.installation[finding.problem == nil ? "works" : "fails"]?[language] ?? "",
            "problem": finding.problem ?? "", "warnings": finding.warnings.map { ["text": $0] },
        ]
    }

    private static func values(of feed: Process.Feed, _ language: Language) -> [String: Any] {
        let faults = feed.faults.filter { $0.value > 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let state =
            if feed.isSilent { "silent" } else if feed.heardAt == nil { "unheard" } else { "heard" }
        return [
            "name": feed.name, "carrier": ConsoleStrings.carrier(feed.carrier)[language],
            "state": ConsoleStrings.installation["feed-\(state)"]?[language] ?? state, "isWell": state == "heard",
            "isBad": state == "silent", "heardAt": feed.heardAt.map { time(.integer($0.milliseconds)) } ?? "–",
            "taken": String(feed.taken), "sessions": String(feed.sessions),
            "faults": faults.map { reason, count in
                ["word": ConsoleStrings.fault(reason)[language], "reason": reason, "count": String(count)]
            }, "hasFaults": !faults.isEmpty, "isOverTLS": feed.isOverTLS,
            "signs": signs(of: feed).map { sign in
                ["value": sign.value, "word": ConsoleStrings.installation[sign.word]?[language] ?? sign.word]
            },
        ]
    }

    /// The signs of a feed's quality, each a value and its label.
    private static func signs(of feed: Process.Feed) -> [(value: String, word: String)] {
        var signs: [(value: String, word: String)] = []
        if let ahead = feed.clockAhead {
            // To half a second: more than that is not known.
            let halves = (abs(ahead) + 250) / 500
            let word = halves == 0 ? "feed-in-time" : ahead < 0 ? "feed-behind" : "feed-ahead"
            signs.append((halves == 0 ? "" : "\(halves / 2).\(halves % 2 * 5) s", word))
        }
        if feed.unconfirmed > 0 { signs.append(("\(feed.unconfirmed)", "feed-unconfirmed")) }
        for (kind, count) in feed.losses.sorted(by: { $0.key < $1.key }) where count > 0 {
            signs.append(("\(count)", "feed-\(kind)"))
        }
        return signs
    }

    /// The tabs of the pages about the installation: those that this caller's role may see.
    func installationTabs(_ current: String, _ visit: ConsoleVisit) -> [String: Any] {
        let seen = Self.installationPages.filter { visit.caller?.may(give: $0.order, about: nil) == true }
        return [
            "tabs": seen.map { page in
                [
                    "address": "/console/\(page.name)",
                    "word": ConsoleStrings.title(page.name)[visit.language],
                    "isCurrent": page.name == current,
                ] as [String: Any]
            }
        ]
    }

    /// The pages about the installation, each with an order whose roles see it.
    static let installationPages: [(name: String, order: any Order.Type)] = [
        ("feeds", ListPolicies.self), ("sessions", ShowSession.self), ("numbers", ShowNumber.self),
        ("policy", ShowPolicy.self),
        ("keys", ShowKeys.self),
    ]
}
