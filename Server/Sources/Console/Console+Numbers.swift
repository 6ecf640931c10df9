import Administration
import BenjiPage
@_spi(Server) import BenjiProtocol
import Hummingbird
import Requests
import ServerHTTP

/// The page of a number's row in the register. A number is in forms alone, never in an address.
extension Console {
    var numberRoutes: [EndpointRoute] {
        [
            page(.get, "/console/numbers") { visit, caller, _ in
                try await administration.admit(ShowNumber.self, by: caller, about: nil)
                return numbers(visit, caller)
            },
            page(.post, "/console/numbers/{action}") { visit, caller, context in
                do throws(Refusal) {
                    let number = try Self.number(visit)
                    switch context.parameters.get("action") {
                    case "show":
                        let shown = try await administration.perform(ShowNumber(number), by: caller)
                        return numbers(visit, caller, showing: shown)
                    case "reassign":
                        _ = try await administration.perform(
                            ReassignNumber(number), by: caller, reason: visit.reason)
                    case "port":
                        guard let carrier = Carrier(rawValue: visit.text("carrier")) else {
                            throw Refusal(.parameterInvalid, "carrier: one that the policy names")
                        }
                        _ = try await administration.perform(
                            PortNumber(number, to: carrier), by: caller, reason: visit.reason)
                    default: throw Refusal(.notFound, "this page has no such action; load the page again")
                    }
                    return Self.goTo("/console/numbers?done=1")
                } catch {
                    context.outcome.note(code: error.situation.rawValue)
                    guard ShowNumber.roles.contains(caller.role) else { throw error }
                    return numbers(visit, caller, problem: error)
                }
            },
        ]
    }

    private static func number(_ visit: ConsoleVisit) throws(Refusal) -> PhoneNumber {
        guard let number = PhoneNumber(visit.text("number").filter { !$0.isWhitespace && $0 != "-" }) else {
            throw Refusal(.parameterInvalid, "number: digits, country code first; +86 may be left out in China")
        }
        return number
    }

    private func numbers(
        _ visit: ConsoleVisit, _ caller: Caller, showing shown: JSON? = nil, problem: Refusal? = nil
    ) -> Response {
        func moment(_ name: String) -> String { Self.time(shown?[name]) }
        let rows: [(String, String)] = [
            ("maskedNumber", shown?["number"]?.stringValue ?? ""),
            ("subscription", shown?["subscription"]?.integerValue.map(String.init) ?? ""),
            ("carrier", ConsoleStrings.carrier(shown?["carrier"]?.stringValue ?? "")[visit.language]),
            ("holderSince", moment("epochStartedAt")), ("simSince", moment("simChangedAt")),
            ("lastSeen", moment("lastSeenAt")),
        ]
        let carriers = administration.carriers
        return templates.page(
            "numbers", visit, at: "/console/numbers", problem: problem,
            [
                // The form keeps the typed text; the answer has the number masked.
                "number": visit.text("number"), "hasNumber": shown != nil,
                "rows": rows.map {
                    ["word": ConsoleStrings.installation[$0.0]?[visit.language] ?? $0.0, "value": $0.1]
                },
                "mayChange": caller.may(give: ReassignNumber.self, about: nil), "options": process.options,
                "carriers": carriers.map {
                    ["name": $0.rawValue, "word": ConsoleStrings.carrier($0.rawValue)[visit.language]]
                },
            ].merging(installationTabs("numbers", visit)) { $1 })
    }
}
