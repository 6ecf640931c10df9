import Administration
import Authority
import BenjiPage
import BenjiProtocol
import Hummingbird
import Requests
import ServerHTTP
import Store

/// Where an app is told of its logins, with a button that tries it.
extension Console {
    var callbackRoutes: [EndpointRoute] {
        [
            page(.get, "/console/apps/{id}/callback") { visit, caller, context in
                try await callback(try Self.appID(context), visit, caller)
            },
            page(.post, "/console/apps/{id}/callback/{action}") { visit, caller, context in
                let id = try Self.appID(context)
                do throws(Refusal) {
                    let answer = try await carryOutCallback(
                        context.parameters.get("action") ?? "", of: id, visit, caller)
                    guard answer["secret"] != nil else { return Self.goTo("/console/apps/\(id)/callback?done=1") }
                    return try await callback(id, visit, caller, showing: answer)
                } catch {
                    context.outcome.note(code: error.situation.rawValue)
                    return try await callback(id, visit, caller, problem: error)
                }
            },
        ]
    }

    private func carryOutCallback(
        _ action: String, of id: AppID, _ visit: ConsoleVisit, _ caller: Caller
    ) async throws(Refusal) -> JSON {
        func perform(_ order: some Order) async throws(Refusal) -> JSON {
            try await administration.perform(order, by: caller, reason: visit.reason)
        }
        switch action {
        case "set":
            let events = visit.fields("events").compactMap { CallbackEventType(rawValue: $0) }
            guard !events.isEmpty else { throw Refusal(.parameterInvalid, "events: choose one or more") }
            return try await perform(SetCallback(id, url: visit.text("url"), events: events))
        case "test": return try await perform(TestCallback(id))
        case "rotate-secret":
            return try await perform(RotateCallbackSecret(id, keeping: .days(RotateCallbackSecret.usualDays)))
        case "remove": return try await perform(RemoveCallback(id))
        case "replay":
            return try await perform(
                ReplayDeliveries(id, event: visit.text("event").isEmpty ? nil : visit.text("event")))
        default: throw Refusal(.notFound, "this page has no such action; load the page again")
        }
    }

    private func callback(
        _ id: AppID, _ visit: ConsoleVisit, _ caller: Caller, showing answer: JSON? = nil, problem: Refusal? = nil
    ) async throws(Refusal) -> Response {
        let app = try await administration.perform(ShowApp(id), by: caller)
        let shown = try await administration.perform(ShowCallback(id), by: caller)
        let deliveries = try await administration.perform(ListDeliveries(id, limit: Self.deliveries), by: caller)
        let callback = shown["callback"] ?? .null
        let isThere = callback != .null
        let chosen =
            problem == nil || visit.fields("events").isEmpty
            ? (callback["events"]?.arrayValue ?? []).compactMap(\.stringValue) : visit.fields("events")
        let rows = (deliveries["deliveries"]?.arrayValue ?? []).map { entry in
            let state = entry["state"]?.stringValue ?? ""
            return [
                "at": Self.time(entry["at"]), "type": entry["type"]?.stringValue ?? "",
                "event": entry["event"]?.stringValue ?? "",
                "state": ConsoleStrings.page["delivery-\(state)"]?[visit.language] ?? state,
                "isWell": state == OutboxState.delivered.rawValue, "isBad": state == OutboxState.dead.rawValue,
                "attempts": entry["attempts"]?.integerValue.map { "\($0)" } ?? "0",
                "outcome": entry["lastOutcome"]?.stringValue ?? "",
            ] as [String: Any]
        }
        return templates.page(
            "callback", visit, title: app.shownName, at: "/console/apps/\(id)/callback", problem: problem,
            [
                "isThere": isThere, "mayChange": caller.may(give: SetCallback.self, about: id),
                "isStopped": callback["stoppedAt"] != nil,
                "url": problem == nil || visit.field("url") == nil
                    ? callback["url"]?.stringValue ?? "" : visit.text("url"),
                "events": CallbackEventType.registrable.map { type in
                    ["type": type.rawValue, "isOn": chosen.isEmpty || chosen.contains(type.rawValue)] as [String: Any]
                },
                "secret": answer?["secret"]?.stringValue ?? "", "hasSecret": answer?["secret"] != nil,
                "rows": rows, "hasRows": !rows.isEmpty,
            ].merging(tabs(app, "callback", visit)) { $1 })
    }

    /// On one page.
    static let deliveries = 20
}
