import Administration
import BenjiPage
import BenjiProtocol
import Hummingbird
import Requests
import ServerHTTP

/// The installation's own keys, and how its backups are made.
extension Console {
    var keyRoutes: [EndpointRoute] {
        [
            page(.get, "/console/keys") { visit, caller, _ in try await keys(visit, caller) },
            page(.post, "/console/keys/{action}") { visit, caller, context in
                let action = context.parameters.get("action") ?? ""
                // A browser that leaves the page does not interrupt a rotation.
                let work = Task { await rotate(action, visit, caller) }
                let problem = await work.value
                guard let problem else { return Self.goTo("/console/keys?done=1") }
                context.outcome.note(code: problem.situation.rawValue)
                guard ShowKeys.roles.contains(caller.role) else { throw problem }
                return try await keys(visit, caller, problem: problem)
            },
        ]
    }

    /// - Returns: why not, if it was refused.
    private func rotate(_ action: String, _ visit: ConsoleVisit, _ caller: Caller) async -> Refusal? {
        func perform(_ order: some Order) async -> Refusal? {
            do throws(Refusal) {
                _ = try await administration.perform(order, by: caller, reason: visit.reason)
                return nil
            } catch { return error }
        }
        return switch action {
        case "rotate": await perform(RotateMasterKey())
        case "rotate-receipt": await perform(RotateReceiptKey())
        case "rotate-id-tokens": await perform(RotateIDTokenKeys())
        default: Refusal(.notFound, "this page has no such action; load the page again")
        }
    }

    private func keys(
        _ visit: ConsoleVisit, _ caller: Caller, problem: Refusal? = nil
    ) async throws(Refusal) -> Response {
        let shown = try await administration.perform(ShowKeys(), by: caller)
        let now = clock.now.milliseconds
        func word(_ name: String) -> String { ConsoleStrings.installation[name]?[visit.language] ?? name }
        let rows = (shown["keys"]?.arrayValue ?? []).map { key -> [String: Any] in
            let state = key["state"]?.stringValue ?? ""
            let since = key["since"]?.integerValue ?? 0
            var sealed: Int64 = 0
            if case .object(let counts)? = key["sealed"] {
                sealed = counts.reduce(0) { $0 + ($1.value.integerValue ?? 0) }
            }
            return [
                "id": key["id"]?.stringValue ?? "", "state": word("key-\(state)"), "isWell": state == "current",
                "isBad": state == "outgoing", "since": Self.time(key["since"]),
                "days": String(max(now - since, 0) / 86_400_000), "until": Self.time(key["retiredAt"]),
                "sealed": String(sealed), "file": key["formerKeyFile"]?["path"]?.stringValue ?? "",
                "hasFile": key["formerKeyFile"] != nil,
            ]
        }
        return templates.page(
            "keys", visit, at: "/console/keys", problem: problem,
            [
                "rows": rows, "mayRotate": caller.may(give: RotateMasterKey.self, about: nil),
                "options": process.options, "isPostgres": process.isPostgres,
            ].merging(installationTabs("keys", visit)) { $1 })
    }
}
