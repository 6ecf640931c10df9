import Administration
import BenjiPage
import BenjiProtocol
import Hummingbird
import Requests
import ServerHTTP

/// The people of an app: invites a new person, adds a known one, and removes one.
extension Console {
    var teamRoutes: [EndpointRoute] {
        [
            page(.get, "/console/apps/{id}/team") { visit, caller, context in
                let id = try Self.appID(context)
                return try await team(of: id, visit, caller)
            },
            page(.post, "/console/apps/{id}/team/{action}") { visit, caller, context in
                let id = try Self.appID(context)
                do throws(Refusal) {
                    switch context.parameters.get("action") {
                    case "invite":
                        let answer = try await administration.perform(
                            InviteToTeam(id, visit.text("name")), by: caller, reason: visit.reason)
                        return try await team(of: id, visit, caller, showing: answer)
                    case "add":
                        _ = try await administration.perform(
                            AddToTeam(id, visit.text("person")), by: caller, reason: visit.reason)
                    case "remove":
                        let name = visit.text("person")
                        _ = try await administration.perform(
                            RemoveFromTeam(id, name), by: caller, reason: visit.reason)
                        // A developer who has left no longer sees the app.
                        if caller.role == .developer, name == caller.name { return Self.goTo("/console?done=1") }
                    default: throw Refusal(.notFound, "this page has no such action; load the page again")
                    }
                    return Self.goTo("/console/apps/\(id)/team?done=1")
                } catch {
                    context.outcome.note(code: error.situation.rawValue)
                    return try await team(of: id, visit, caller, problem: error)
                }
            },
        ]
    }

    /// - Parameter showing: an answer with an invitation, which is shown this once.
    private func team(
        of id: AppID, _ visit: ConsoleVisit, _ caller: Caller, showing answer: JSON? = nil, problem: Refusal? = nil
    ) async throws(Refusal) -> Response {
        let app = try await administration.perform(ShowApp(id), by: caller)
        let team = try await administration.perform(ListTeam(id), by: caller)
        func word(_ name: String) -> String { ConsoleStrings.words[name]?[visit.language] ?? name }
        let mayChange = caller.may(give: InviteToTeam.self, about: id)
        let rows = (team["people"]?.arrayValue ?? []).map { person -> [String: Any] in
            let (name, state) = (person["name"]?.stringValue ?? "", person["state"]?.stringValue ?? "")
            let role = person["role"]?.stringValue.flatMap { Role(rawValue: $0) }
            let kind = person["credential"]?.stringValue ?? ""
            return [
                "name": name, "isYou": name == caller.name && caller.role == .developer,
                "role": role.map { ConsoleStrings.role($0)[visit.language] } ?? "",
                // Programs are told from people.
                "kind": kind == "invitation" ? "" : word("credential-\(kind)"),
                "lastUsed": person["lastUsed"]?.stringValue ?? word("neverHere"),
                "state": word("team-\(state)"), "isIn": state == "active", "isEnded": state == "ended",
                "until": Self.time(person["expiresAt"]), "mayRemove": mayChange,
            ]
        }
        let colleagues = (team["colleagues"]?.arrayValue ?? []).compactMap(\.stringValue)
        let isDeveloper = caller.role == .developer
        return templates.page(
            "team", visit, title: app.shownName, at: "/console/apps/\(id)/team", problem: problem,
            [
                "rows": rows, "hasRows": !rows.isEmpty, "mayChange": mayChange,
                // A developer waits for an operator.
                "mayInvite": mayChange && (!isDeveloper || AppState(app) == .inService),
                "mustWait": mayChange && isDeveloper && AppState(app) != .inService,
                "colleagues": colleagues.map { ["name": $0, "isOn": $0 == visit.text("person")] as [String: Any] },
                "hasColleagues": !colleagues.isEmpty, "isDeveloper": isDeveloper,
                "newName": problem == nil ? "" : visit.text("name"),
                "person": problem == nil ? "" : visit.text("person"),
                "seats": String(InviteToTeam.seats),
                "hasInvitation": answer?["invitation"] != nil,
                "invitation": answer?["invitation"]?.stringValue ?? "",
                "invited": answer?["name"]?.stringValue ?? "", "invitationUntil": Self.time(answer?["expiresAt"]),
                "invitationAddress":
                    "\(isSecure ? "https" : "http")://\(visit.request.head.authority ?? "")/console/invitation",
            ].merging(tabs(app, "team", visit)) { $1 })
    }
}
