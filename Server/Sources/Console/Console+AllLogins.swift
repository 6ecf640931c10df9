import Administration
import Authority
import BenjiPage
import BenjiProtocol
import Hummingbird
import ServerHTTP

/// How the logins of the whole installation go, and those of which app.
extension Console {
    var allLoginRoutes: [EndpointRoute] {
        [
            page(.get, "/console/logins/all") { visit, caller, _ in
                let shown = LoginSpan.allCases.filter { $0.fitsAllApps }
                let asked = LoginSpan(visit.query("span"))
                let span = shown.contains(asked) ? asked : .week
                let counts = try await administration.perform(
                    CountAllLogins(by: span.unit, last: span.last), by: caller)
                let apps = (counts["apps"]?.arrayValue ?? []).map { AppTally($0) }
                var values = LoginChart(counts, span, visit.language) { situation in
                    FormText.adding(["code": situation], to: "/console/logins")
                }.values
                values["spans"] = Self.spans(shown, span, at: "/console/logins/all", visit.language)
                values["hasApps"] = !apps.isEmpty
                // Where few apps fail, the second table would repeat the first.
                let poor = Array(apps.filter(\.mayBePoor).sorted { $0.success < $1.success }.prefix(Self.appsInATable))
                var tables = [
                    Self.table("most", "mostLogins", Array(apps.prefix(Self.appsInATable)), span, visit.language)
                ]
                if !poor.isEmpty { tables.append(Self.table("least", "leastSuccess", poor, span, visit.language)) }
                values["tables"] = tables
                return templates.page("all-logins", visit, values)
            }
        ]
    }

    private static let appsInATable = 10

    private static func table(
        _ anchor: String, _ title: String, _ apps: [AppTally], _ span: LoginSpan, _ language: Language
    ) -> [String: Any] {
        [
            "anchor": anchor, "title": ConsoleStrings.words[title]?[language] ?? title,
            "note": ConsoleStrings.words[title + "Note"]?[language] ?? "",
            "apps": apps.map { app in
                [
                    "name": app.name,
                    "address": FormText.adding(["span": span.rawValue], to: "/console/apps/\(app.id)/logins"),
                    "cells": LoginChart.cells(app.stages, language), "refused": String(app.refused),
                ] as [String: Any]
            },
        ]
    }
}

/// One app in the answer to ``CountAllLogins``.
private struct AppTally {
    let id: String
    let name: String
    let stages: [(stage: String, count: Int64)]
    let refused: Int64

    init(_ app: JSON) {
        id = app["app"]?.stringValue ?? ""
        name = app["name"]?.stringValue ?? id
        stages = (app["stages"]?.arrayValue ?? []).map {
            ($0["stage"]?.stringValue ?? "", $0["count"]?.integerValue ?? 0)
        }
        refused = app["refused"]?.integerValue ?? 0
    }

    private func count(_ stage: String) -> Int64 { stages.first { $0.stage == stage }?.count ?? 0 }

    /// How many of those that asked agreed.
    var success: Double { Double(count("agreed")) / Double(max(count("asked"), 1)) }

    /// Enough asked to tell, and not all of them agreed.
    var mayBePoor: Bool { count("asked") >= 10 && success < 1 }
}

extension LoginSpan {
    /// Whether the counts of all apps are told for so long.
    fileprivate var fitsAllApps: Bool { self != .year }
}
