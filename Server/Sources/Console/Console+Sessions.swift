import Administration
import BenjiPage
import BenjiProtocol
import Hummingbird
import Requests
import ServerHTTP

/// Lists the sessions of an address and why a phone is not recognised. An address is in forms alone, never in a URL.
extension Console {
    var sessionRoutes: [EndpointRoute] {
        [
            page(.get, "/console/sessions") { visit, caller, _ in
                try await administration.admit(ShowSession.self, by: caller, about: nil)
                return sessions(visit)
            },
            page(.post, "/console/sessions/show") { visit, caller, context in
                do throws(Refusal) {
                    let port = visit.text("port").filter { !$0.isWhitespace }
                    let order = ShowSession(
                        visit.text("address").filter { !$0.isWhitespace }, port: port.isEmpty ? nil : Int(port) ?? 0)
                    return sessions(visit, found: try await administration.perform(order, by: caller)["sessions"])
                } catch {
                    context.outcome.note(code: error.situation.rawValue)
                    guard ShowSession.roles.contains(caller.role) else { throw error }
                    return sessions(visit, problem: error)
                }
            },
        ]
    }

    private func sessions(_ visit: ConsoleVisit, found: JSON? = nil, problem: Refusal? = nil) -> Response {
        templates.page(
            "sessions", visit, at: "/console/sessions", problem: problem,
            [
                "isHere": administration.findsSessions != nil, "address": visit.text("address"),
                "port": visit.text("port"), "hasNone": found?.arrayValue?.isEmpty == true,
                "found": (found?.arrayValue ?? []).map { Self.values(ofSession: $0, visit.language) },
            ].merging(installationTabs("sessions", visit)) { $1 })
    }

    private static func values(ofSession session: JSON, _ language: Language) -> [String: Any] {
        func word(_ name: String) -> String { ConsoleStrings.installation[name]?[language] ?? name }
        let row = session["subscription"]?.integerValue.map(String.init) ?? word("noRow")
        let rows: [(String, String?)] = [
            ("carrier", ConsoleStrings.carrier(session["carrier"]?.stringValue ?? "")[language]),
            ("domain", session["domain"]?.stringValue), ("subscription", row), ("ports", session["ports"]?.stringValue),
            ("roaming", session["roaming"]?.boolValue == true ? word("roams") : nil),
            ("sessionSince", time(session["startedAt"])), ("lastHeard", time(session["heardAt"])),
        ]
        let situation = session["situation"]?.stringValue
        return [
            "nas": session["nas"]?.stringValue ?? "", "isGood": situation == nil, "situation": situation ?? "",
            "doubts": (session["doubts"]?.arrayValue ?? []).compactMap(\.stringValue).map {
                ["word": word("doubt-\($0)")]
            },
            "rows": rows.compactMap { name, value in value.map { ["word": word(name), "value": $0] } },
        ]
    }
}
