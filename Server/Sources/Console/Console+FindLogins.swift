import Administration
import Authority
import BenjiPage
import BenjiProtocol
import Endpoints
import Hummingbird
import Requests
import ServerHTTP
import Store

/// Logins of all apps that somebody may see, by app, code, time and trace.
extension Console {
    var findLoginRoutes: [EndpointRoute] {
        [
            page(.get, "/console/logins") { visit, caller, context in
                do throws(Refusal) {
                    guard let trace = TraceID(rawValue: visit.query("trace")) else {
                        return try await found(visit, caller)
                    }
                    let story = try await story(of: trace, caller)
                    return Self.goTo("/console/apps/\(story["app"]?.stringValue ?? "")/logins/\(trace)")
                } catch {
                    guard [.parameterInvalid, .processIDUnknown].contains(error.situation) else { throw error }
                    context.outcome.note(code: error.situation.rawValue)
                    return templates.page("find-logins", visit, problem: error, Self.questions(visit, caller))
                }
            }
        ]
    }

    /// A login of any app by its trace: a caller with the trace need not know the app. A developer's apps are searched
    /// one by one, since the order requires one of theirs.
    private func story(of trace: TraceID, _ caller: Caller) async throws(Refusal) -> JSON {
        guard caller.role == .developer else { return try await administration.perform(ShowTrace(trace), by: caller) }
        var unknown = Refusal(.processIDUnknown, "none of your apps has a login with this trace")
        for app in caller.apps.sorted(by: { $0.rawValue < $1.rawValue }) {
            do { return try await administration.perform(ShowTrace(trace, app: app), by: caller) } catch {
                guard error.situation == .processIDUnknown else { throw error }
                unknown = error
            }
        }
        throw unknown
    }

    private static func questions(_ visit: ConsoleVisit, _ caller: Caller) -> [String: Any] {
        [
            "app": visit.query("app").isEmpty ? firstApp(caller)?.rawValue ?? "" : visit.query("app"),
            "code": visit.query("code"), "trace": visit.query("trace"),
            "hours": ["1", "24", "168", ""].map { hours in
                [
                    "hours": hours, "word": ConsoleStrings.page["hours-\(hours)"]?[visit.language] ?? hours,
                    "isOn": hours == visit.query("hours"),
                ] as [String: Any]
            },
        ]
    }

    private func found(_ visit: ConsoleVisit, _ caller: Caller) async throws(Refusal) -> Response {
        guard visit.query("trace").isEmpty else {
            throw Refusal(.parameterInvalid, "trace: 32 hexadecimal digits")
        }
        var filter = try TraceFilter(app: Self.ownApp(visit.query("app"), caller))
        let code = visit.query("code")
        if !code.isEmpty {
            filter.situations = ResultCodes.situations(meantBy: code)
            guard !filter.situations.isEmpty else { throw Refusal(.parameterInvalid, "code: no login ends in it") }
        }
        if let hours = Int64(visit.query("hours")), (1...8784).contains(hours) {
            filter.since = clock.now - .seconds(hours * 3600)
        }
        filter.after = try Self.lastLogin(visit)
        let found = try await administration.perform(FindTraces(filter, limit: Self.loginLines), by: caller)
        let traces = found["traces"]?.arrayValue ?? []
        let older = traces.count == Self.loginLines ? traces.last?["trace"]?.stringValue : nil
        let rows = traces.map { Self.line($0, visit.language) }
        var values = Self.questions(visit, caller)
        values["rows"] = rows
        values["hasRows"] = !rows.isEmpty
        values["isEmpty"] = rows.isEmpty
        values["hasOlder"] = older != nil
        values["older"] = FormText.adding(
            [
                "app": filter.app?.rawValue, "code": code, "hours": visit.query("hours"), "after": older,
            ], to: "/console/logins")
        return templates.page("find-logins", visit, values)
    }

    /// A login in a list.
    static func line(_ login: JSON, _ language: Language) -> [String: Any] {
        let line: [String: Any] = [
            "trace": login["trace"]?.stringValue ?? "", "app": login["app"]?.stringValue ?? "",
            "at": time(login["at"]),
        ]
        return line.merging(LoginStory.outcome(login, language)) { $1 }
    }

    /// The last login of the page before this one.
    static func lastLogin(_ visit: ConsoleVisit) throws(Refusal) -> TraceID? {
        guard !visit.query("after").isEmpty else { return nil }
        guard let trace = TraceID(rawValue: visit.query("after")) else {
            throw Refusal(.parameterInvalid, "after: 32 hexadecimal digits")
        }
        return trace
    }
}
