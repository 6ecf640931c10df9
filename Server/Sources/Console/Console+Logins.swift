import Administration
import Authority
import BenjiPage
import BenjiProtocol
import Endpoints
import Hummingbird
import Requests
import ServerHTTP
import Store

/// How an app's logins go, and the story of one of them.
extension Console {
    var loginRoutes: [EndpointRoute] {
        [
            page(.get, "/console/apps/{id}/logins") { visit, caller, context in
                let id = try Self.appID(context)
                // A query that is a login's number leads to its story.
                if let trace = TraceID(rawValue: visit.query("find")) {
                    return Self.goTo("/console/apps/\(id)/logins/\(trace)")
                }
                let app = try await administration.perform(ShowApp(id), by: caller)
                do throws(Refusal) { return try await logins(of: app, id, visit, caller) } catch {
                    context.outcome.note(code: error.situation.rawValue)
                    return templates.page("logins", visit, problem: error, loginForm(id, app, visit))
                }
            },
            page(.get, "/console/apps/{id}/logins/{trace}") { visit, caller, context in
                let id = try Self.appID(context)
                guard let trace = TraceID(rawValue: context.parameters.get("trace") ?? "") else {
                    throw Refusal(.parameterInvalid, "trace: 32 hexadecimal digits")
                }
                let told = try await administration.perform(ShowTrace(trace, app: id), by: caller)
                return templates.page("login", visit, LoginStory(told, id, visit.language).values)
            },
        ]
    }

    /// On one page.
    static let loginLines = 50

    /// The values of the page's form, and those that every such page shows.
    private func loginForm(_ id: AppID, _ app: JSON, _ visit: ConsoleVisit) -> [String: Any] {
        let span = LoginSpan(visit.query("span"))
        return [
            "find": visit.query("find"),
            "spans": Self.spans(LoginSpan.allCases, span, at: "/console/apps/\(id)/logins", visit.language),
        ].merging(tabs(app, "logins", visit)) { $1 }
    }

    /// Links to the same page about other times.
    static func spans(
        _ spans: [LoginSpan], _ chosen: LoginSpan, at address: String, _ language: Language
    ) -> [[String: Any]] {
        spans.map {
            [
                "word": ConsoleStrings.span($0)[language], "isChosen": $0 == chosen,
                "address": FormText.adding(["span": $0.rawValue], to: address),
            ]
        }
    }

    private func logins(
        of app: JSON, _ id: AppID, _ visit: ConsoleVisit, _ caller: Caller
    ) async throws(Refusal) -> Response {
        let span = LoginSpan(visit.query("span"))
        let counts = try await administration.perform(CountLogins(id, by: span.unit, last: span.last), by: caller)
        var filter = TraceFilter(app: id)
        let code = visit.query("find")
        if !code.isEmpty {
            filter.situations = ResultCodes.situations(meantBy: code)
            guard !filter.situations.isEmpty else {
                throw Refusal(
                    .parameterInvalid,
                    "\(code.prefix(40).printable): neither a login's trace, which has 32 hexadecimal digits, nor a "
                        + "code that a login ends in"
                )
            }
        }
        filter.after = try Self.lastLogin(visit)
        let found =
            try await administration.perform(FindTraces(filter, limit: Self.loginLines), by: caller)["traces"]?
            .arrayValue
            ?? []
        let older = found.count == Self.loginLines ? found.last?["trace"]?.stringValue : nil
        var values = loginForm(id, app, visit)
        values.merge(
            LoginChart(counts, span, visit.language) { situation in
                "/console/apps/\(id)/logins?find=\(situation)#latest"
            }.values
        ) { $1 }
        values["logins"] = found.map { Self.line($0, visit.language) }
        values["hasLogins"] = !found.isEmpty
        values["hasOlder"] = older != nil
        values["older"] = FormText.adding(
            [
                "span": span.rawValue, "find": code.isEmpty ? nil : code, "after": older,
            ], to: "/console/apps/\(id)/logins")
        return templates.page("logins", visit, values)
    }
}

/// The time span of a chart.
enum LoginSpan: String, CaseIterable {
    case day = "24h"
    case week = "7d"
    case month = "30d"
    case year = "365d"

    init(_ text: String) { self = LoginSpan(rawValue: text) ?? .week }

    var unit: CountLogins.Unit { self == .day ? .hour : .day }

    /// Of ``unit``.
    var last: Int {
        switch self {
        case .day: 24
        case .week: 7
        case .month: 30
        case .year: 365
        }
    }
}
