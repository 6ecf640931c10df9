import Administration
import BenjiPage
import BenjiProtocol
import Hummingbird
import Requests
import ServerHTTP

/// The pages that list admins, invite them and end their credentials.
extension Console {
    var peopleRoutes: [EndpointRoute] {
        [
            page(.get, "/console/people") { visit, caller, _ in try await people(visit, caller) },
            page(.post, "/console/people") { visit, caller, context in
                do throws(Refusal) {
                    guard let role = Role(rawValue: visit.text("role")) else {
                        throw Refusal(.parameterInvalid, "role: operator, support, auditor or developer")
                    }
                    var apps: [AppID] = []
                    for text in visit.words("apps") {
                        guard let id = AppID(rawValue: text) else {
                            throw Refusal(.parameterInvalid, "apps: \(text.prefix(64)) is no app's id")
                        }
                        apps.append(id)
                    }
                    let order = GrantAdmin(visit.text("name"), role, apps: apps, console: true)
                    let answer = try await administration.perform(order, by: caller, reason: visit.reason)
                    return try await people(visit, caller, showing: answer)
                } catch {
                    context.outcome.note(code: error.situation.rawValue)
                    return try await people(visit, caller, problem: error)
                }
            },
            page(.post, "/console/people/{name}/{action}") { visit, caller, context in
                let name = context.parameters.get("name") ?? ""
                do throws(Refusal) {
                    switch context.parameters.get("action") {
                    case "renew":
                        let answer = try await administration.perform(
                            RenewAdmin(name, console: true), by: caller, reason: visit.reason)
                        return try await people(visit, caller, showing: answer)
                    case "revoke":
                        _ = try await administration.perform(RevokeAdmin(name), by: caller, reason: visit.reason)
                        return Self.goTo("/console/people?done=1")
                    case "remove-phone":
                        _ = try await administration.perform(RemoveAdminPhone(name), by: caller, reason: visit.reason)
                        return Self.goTo("/console/people?done=1")
                    default: throw Refusal(.notFound, "this page has no such action; load the page again")
                    }
                } catch {
                    context.outcome.note(code: error.situation.rawValue)
                    return try await people(visit, caller, problem: error)
                }
            },
        ]
    }

    private func people(
        _ visit: ConsoleVisit, _ caller: Caller, showing answer: JSON? = nil, problem: Refusal? = nil
    ) async throws(Refusal) -> Response {
        let admins = try await administration.perform(ListAdmins(), by: caller)
        let now = clock.now
        let rows = (admins.arrayValue ?? []).map { admin in
            let role = admin["role"]?.stringValue.flatMap { Role(rawValue: $0) }
            let end = Timestamp(milliseconds: admin["expiresAt"]?.integerValue ?? 0)
            let isIn = admin["revokedAt"] == nil && now < end
            let kind = admin["credential"]?.stringValue ?? ""
            return [
                "name": admin["name"]?.stringValue ?? "",
                "role": role.map { ConsoleStrings.role($0)[visit.language] } ?? "",
                "apps": (admin["apps"]?.arrayValue ?? []).compactMap(\.stringValue).map { ["id": $0] },
                "kind": ConsoleStrings.page["credential-\(kind)"]?[visit.language] ?? kind,
                "lastUsed": admin["lastUsed"]?.stringValue ?? "–", "hasPhone": admin["phoneBoundAt"] != nil,
                "phoneSince": Self.time(admin["phoneBoundAt"]),
                "phoneUsed": admin["phoneUsedAt"] == nil ? "" : Self.time(admin["phoneUsedAt"]),
                "until": Self.time(admin["revokedAt"] ?? admin["expiresAt"]), "isIn": isIn,
                "isInvited": kind == "invitation" && admin["name"]?.stringValue != caller.name,
                "mayRevoke": admin["revokedAt"] == nil && admin["name"]?.stringValue != caller.name,
            ] as [String: Any]
        }
        return templates.page(
            "people", visit, at: "/console/people", problem: problem,
            [
                "rows": rows, "mayGrant": caller.may(give: GrantAdmin.self, about: nil),
                "isNew": problem != nil, "newName": problem == nil ? "" : visit.text("name"),
                "apps": problem == nil ? "" : visit.text("apps"),
                "roles": Role.allCases.map { role in
                    [
                        "role": role.rawValue, "word": ConsoleStrings.role(role)[visit.language],
                        "isOn": (problem == nil ? "developer" : visit.text("role")) == role.rawValue,
                    ] as [String: Any]
                },
                "invitation": answer?["invitation"]?.stringValue ?? "", "hasInvitation": answer?["invitation"] != nil,
                "invited": answer?["name"]?.stringValue ?? "",
            ])
    }
}
