import Administration
import Authority
import BenjiPage
import BenjiProtocol
import Hummingbird
import Requests
import ServerHTTP
import Store

/// The audit log's page.
extension Console {
    var auditRoutes: [EndpointRoute] {
        [
            page(.get, "/console/audit") { visit, caller, context in
                do throws(Refusal) { return try await audit(visit, caller) } catch {
                    guard [.appUnknown, .parameterInvalid].contains(error.situation) else { throw error }
                    context.outcome.note(code: error.situation.rawValue)
                    return templates.page("audit", visit, problem: error, Self.questions(of: visit))
                }
            }
        ]
    }

    /// On one page.
    static let auditLines = 50

    /// The values of the form's fields.
    private static func questions(of visit: ConsoleVisit) -> [String: Any] {
        [
            "app": visit.query("app"), "actor": visit.query("actor"), "order": visit.query("order"),
            "orders": Orders.names.map { ["name": $0] },
        ]
    }

    private func audit(_ visit: ConsoleVisit, _ caller: Caller) async throws(Refusal) -> Response {
        var filter = AuditFilter()
        func named(_ name: String) -> String? { visit.query(name).isEmpty ? nil : visit.query(name) }
        filter.app = try Self.ownApp(visit.query("app"), caller)
        filter.actor = named("actor")
        filter.order = named("order")
        let before = named("before").flatMap { Int64($0) }
        let answer = try await administration.perform(
            ListAudit(filter, before: before, limit: Self.auditLines), by: caller)
        let lines = (answer["entries"]?.arrayValue ?? []).map { line(visit.language, $0) }
        let next = answer["next"]?.integerValue.map { number in
            FormText.adding(
                [
                    "app": filter.app?.rawValue, "actor": filter.actor, "order": filter.order, "before": "\(number)",
                ], to: "/console/audit")
        }
        var values = Self.questions(of: visit)
        values["app"] = filter.app?.rawValue ?? ""
        values["lines"] = lines
        values["hasLines"] = !lines.isEmpty
        values["next"] = next ?? ""
        values["hasNext"] = next != nil
        return templates.page("audit", visit, values)
    }

    private func line(_ language: Language, _ line: JSON) -> [String: Any] {
        func text(_ name: String) -> String { line[name]?.stringValue ?? "" }
        let changes = Self.changes(from: line["before"], to: line["after"])
        return [
            "at": Self.time(line["at"]), "actor": text("actor"),
            "role": Role(rawValue: text("role")).map { ConsoleStrings.role($0)[language] } ?? text("role"),
            "order": text("order"),
            "about": ["app", "subject", "origin", "reason"].map(text).filter { !$0.isEmpty }.joined(separator: " · "),
            "outcome": text("outcome"), "isBad": text("outcome") != "success",
            "changes": changes.map { ["name": $0.name, "before": $0.before, "after": $0.after] },
            "hasChanges": !changes.isEmpty,
        ]
    }

    /// The members that are others after an order than before.
    private static func changes(from before: JSON?, to after: JSON?) -> [(name: String, before: String, after: String)]
    {
        guard case .object(let members)? = after else { return [] }
        return members.compactMap { member in
            let old = before?[member.name]
            guard before != nil, old != member.value else { return nil }
            return (member.name, (old ?? .null).text.printable, member.value.text.printable)
        }
    }

    private static let clock = SecondText(as: "%Y-%m-%d %H:%M:%S")

    /// A moment in milliseconds as `2026-11-18 09:30:05`, in UTC+8, as days are.
    static func time(_ moment: JSON?) -> String {
        moment?.integerValue.map { clock.text(of: $0 / 1000 + 8 * 3600) } ?? ""
    }
}
