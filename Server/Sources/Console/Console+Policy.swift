import Administration
import Authority
import BenjiPage
import BenjiPageReports
import BenjiProtocol
import HTTPTypes
import Hummingbird
import NIOCore
import Requests
import ServerHTTP

/// The policy in force, those before it, and a check of another one. A server reads its policy when it starts, from a
/// file of the operator's; the console writes no file.
extension Console {
    var policyRoutes: [EndpointRoute] {
        [
            page(.get, "/console/policy") { visit, caller, context in
                do throws(Refusal) {
                    let digest = visit.query("digest")
                    let shown = try await administration.perform(
                        ShowPolicy(digest: digest.isEmpty ? nil : digest), by: caller)
                    return try await policy(shown, visit, caller)
                } catch {
                    guard error.situation == .parameterInvalid else { throw error }
                    context.outcome.note(code: error.situation.rawValue)
                    return try await policy(nil, visit, caller, problem: error)
                }
            },
            page(.get, "/console/policy.json") { visit, caller, _ in
                let digest = visit.query("digest")
                let shown = try await administration.perform(
                    ShowPolicy(digest: digest.isEmpty ? nil : digest), by: caller)
                return Response(
                    status: .ok,
                    headers: [
                        .contentType: "application/json", .contentDisposition: "attachment; filename=\"policy.json\"",
                    ], body: ResponseBody(byteBuffer: ByteBuffer(string: Self.indented(shown["policy"]) + "\n")))
            },
            page(.post, "/console/policy/check", upTo: Self.maximumPolicy) { visit, caller, context in
                let held = try await administration.perform(ShowPolicy(), by: caller)
                do throws(Refusal) {
                    let read = try process.readPolicy(Array((visit.field("policy") ?? "").utf8))
                    return try await policy(held, visit, caller, checked: read)
                } catch {
                    context.outcome.note(code: error.situation.rawValue)
                    return try await policy(held, visit, caller, problem: error)
                }
            },
        ]
    }

    /// Of a form with a policy, in bytes.
    private static let maximumPolicy = 512 * 1024
    /// On one page.
    private static let policyLines = 20

    /// - Parameters:
    ///   - shown: one that held here, or holds; `nil` if none is known.
    ///   - checked: one that was typed, and can be read.
    private func policy(
        _ shown: JSON?, _ visit: ConsoleVisit, _ caller: Caller, checked: JSON? = nil, problem: Refusal? = nil
    ) async throws(Refusal) -> Response {
        let before = Int64(visit.query("before"))
        let history = try await administration.perform(
            ListPolicies(before: before, limit: Self.policyLines), by: caller)
        let newest = before == nil ? history["policies"]?.arrayValue?.first : nil
        let holds = shown?["until"] == nil
        var compared = checked
        var held = shown?["policy"]
        if let shown, !holds {
            (held, compared) = (try await administration.perform(ShowPolicy(), by: caller)["policy"], shown["policy"])
        }
        let changes = compared.map { Self.changes(held ?? .null, $0) } ?? []
        var values = installationTabs("policy", visit)
        values["hasShown"] = shown != nil
        values["digest"] = shown?["digest"]?.stringValue ?? ""
        values["version"] = shown?["version"]?.stringValue ?? ""
        values["since"] = Self.time(shown?["since"])
        values["until"] = Self.time(shown?["until"])
        values["holds"] = holds
        values["by"] = shown.map { Self.started($0, visit.language) } ?? ""
        values["text"] = visit.field("policy") ?? Self.indented(shown?["policy"])
        values["isChecked"] = checked != nil
        values["compares"] = compared != nil
        values["changes"] = changes
        values["isSame"] = changes.isEmpty
        values["download"] = FormText.adding(["digest": shown?["digest"]?.stringValue], to: "/console/policy.json")
        values["file"] = process.policyFile ?? "/etc/benji/policy.json"
        values["hasNoFile"] = process.policyFile == nil
        values["rows"] = (history["policies"]?.arrayValue ?? []).map { entry -> [String: Any] in
            [
                "digest": entry["digest"]?.stringValue ?? "", "version": entry["version"]?.stringValue ?? "",
                "since": Self.time(entry["since"]), "until": Self.time(entry["until"]),
                "holds": entry["id"] == newest?["id"],
                "by": Self.started(entry, visit.language),
            ]
        }
        let next = history["next"]?.integerValue
        values["hasNext"] = next != nil
        values["next"] = FormText.adding(["before": next.map(String.init)], to: "/console/policy")
        return templates.page("policy", visit, at: "/console/policy", problem: problem, values)
    }

    /// Names the user who started the server with a policy, the machine, and the policy's source.
    private static func started(_ record: JSON, _ language: Language) -> String {
        // The machine, and behind the first comma a file or the words for none.
        let origin = (record["origin"]?.stringValue ?? "").split(separator: ", ", maxSplits: 1).map(String.init)
        let parts = origin.map { ConsoleStrings.policyOrigin($0)[language] }
        return ([record["recordedBy"]?.stringValue].compactMap { $0 } + parts).joined(separator: " · ")
    }

    /// Lists the differences to another policy, member by member.
    private static func changes(_ old: JSON, _ new: JSON) -> [[String: String]] {
        guard let before = try? PageJSON(parsing: Array(old.text.utf8)),
            let after = try? PageJSON(parsing: Array(new.text.utf8))
        else { return [] }
        return PageComparison.fields(before, after, at: "$").map { field in
            ["path": field.path, "before": field.old?.text ?? "", "after": field.new?.text ?? ""]
        }
    }

    /// JSON for people.
    static func indented(_ json: JSON?) -> String {
        guard let json else { return "" }
        return (try? PageJSON(parsing: Array(json.text.utf8)))?.indented ?? json.text
    }
}
