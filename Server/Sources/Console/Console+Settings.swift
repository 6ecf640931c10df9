import Administration
import BenjiPage
import BenjiProtocol
import Hummingbird
import Requests
import ServerHTTP

/// Everything of `benji app set`, as forms.
extension Console {
    var settingRoutes: [EndpointRoute] {
        [
            page(.get, "/console/apps/{id}/settings") { visit, caller, context in
                try await settings(try Self.appID(context), visit, caller)
            },
            page(.post, "/console/apps/{id}/settings") { visit, caller, context in
                let id = try Self.appID(context)
                do throws(Refusal) {
                    let changes = try AppField.changes(visit)
                    guard !changes.isEmpty else {
                        throw Refusal(.parameterInvalid, "nothing was changed")
                    }
                    _ = try await administration.perform(
                        ChangeApp(id, changes), by: caller, reason: visit.reason)
                    return Self.goTo("/console/apps/\(id)/settings?done=1")
                } catch {
                    context.outcome.note(code: error.situation.rawValue)
                    return try await settings(id, visit, caller, problem: error)
                }
            },
        ]
    }

    /// - Parameter problem: with it the form that was sent keeps the text that was typed.
    private func settings(
        _ id: AppID, _ visit: ConsoleVisit, _ caller: Caller, problem: Refusal? = nil
    ) async throws(Refusal) -> Response {
        let app = try await administration.perform(ShowApp(id), by: caller)
        let mayChange = caller.may(give: ChangeApp.self, about: id)
        let groups = AppField.groups.map { group -> [String: Any] in
            let isSent = problem != nil && visit.text("group") == group.title
            let fields = group.fields.map { field in
                field.values(app, visit, isOpen: mayChange && field.mayChange(app, caller), isSent: isSent)
            }
            return [
                "title": ConsoleStrings.page[group.title]?[visit.language] ?? "", "group": group.title,
                "fields": fields, "isOpen": fields.contains { $0["isOpen"] as? Bool == true },
            ]
        }
        return templates.page(
            "settings", visit, title: app.shownName, at: "/console/apps/\(id)/settings", problem: problem,
            ["groups": groups].merging(tabs(app, "settings", visit)) { $1 })
    }

    /// The values of the head of each page about one app.
    func tabs(_ app: JSON, _ current: String, _ visit: ConsoleVisit) -> [String: Any] {
        let id = app["id"]?.stringValue ?? ""
        let parts: [(path: String, word: String, order: any Order.Type)] = [
            ("", "overview", ShowApp.self), ("/logins", "logins", CountLogins.self),
            ("/settings", "settings", ShowApp.self), ("/login", "webLogin", ShowOpenIDClient.self),
            ("/design/", "design", SubmitPage.self), ("/callback", "callback", ShowCallback.self),
            ("/books", "books", Statement.self), ("/team", "team", ListTeam.self),
        ]
        let seen = parts.filter { visit.caller?.may(give: $0.order, about: AppID(rawValue: id)) == true }
        return [
            "id": id, "name": app.shownName, "state": AppState(app).word[visit.language],
            "isWell": AppState(app) == .inService,
            "tabs": seen.map { path, word, _ in
                [
                    "address": "/console/apps/\(id)\(path)",
                    "word": ConsoleStrings.words[word]?[visit.language] ?? word,
                    "isCurrent": word == current,
                ] as [String: Any]
            },
        ]
    }
}
