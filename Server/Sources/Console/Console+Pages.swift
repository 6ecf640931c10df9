import Administration
import Authority
import BenjiPage
import BenjiPageHTML
import BenjiPageReports
import BenjiProtocol
import HTTPTypes
import Hummingbird
import NIOCore
import Requests
import ServerHTTP
import Store

/// Login pages that were submitted for review: the list, a look at one, and the decision.
extension Console {
    var pageRoutes: [EndpointRoute] {
        [
            page(.get, "/console/pages") { visit, caller, context in
                do throws(Refusal) { return try await submissions(visit, caller) } catch {
                    guard error.situation == .parameterInvalid else { throw error }
                    context.outcome.note(code: error.situation.rawValue)
                    return templates.page("pages", visit, problem: error, Self.questions(visit))
                }
            },
            page(.get, "/console/pages/{number}") { visit, caller, context in
                try await submission(try Self.number(context), visit, caller)
            },
            page(.get, "/console/drawn/{number}") { visit, caller, context in
                let found = try await shownPage(try Self.number(context), visit, caller)
                guard let page = found["page"], page["drawnBy"] == nil else {
                    throw Refusal(.notFound, "the app draws this page itself")
                }
                return try Self.drawn(page, visit)
            },
            page(.post, "/console/pages/{number}/{action}") { visit, caller, context in
                let number = try Self.number(context)
                do throws(Refusal) {
                    let reason = visit.reason
                    switch context.parameters.get("action") {
                    case "approve":
                        _ = try await administration.perform(ApprovePage(number), by: caller, reason: reason)
                    case "refuse":
                        _ = try await administration.perform(RefusePage(number), by: caller, reason: reason)
                    case "withdraw":
                        _ = try await administration.perform(
                            WithdrawPage(number, app: Self.ownApp(visit.text("app"), caller)), by: caller,
                            reason: reason)
                    default: throw Refusal(.notFound, "this page has no such action; load the page again")
                    }
                    return Self.goTo(
                        FormText.adding(["app": visit.text("app"), "done": "1"], to: "/console/pages/\(number)"))
                } catch {
                    context.outcome.note(code: error.situation.rawValue)
                    return try await submission(number, visit, caller, problem: error)
                }
            },
        ]
    }

    /// The values of the list's form.
    private static func questions(_ visit: ConsoleVisit) -> [String: Any] {
        [
            "app": visit.query("app"),
            "states": ["", "submitted", "approved", "refused", "withdrawn"].map { name in
                [
                    "name": name,
                    "word": ConsoleStrings.page[name.isEmpty ? "all" : "page-\(name)"]?[visit.language] ?? name,
                    "isOn": name == visit.query("state"),
                ] as [String: Any]
            },
        ]
    }

    private func submissions(_ visit: ConsoleVisit, _ caller: Caller) async throws(Refusal) -> Response {
        let app = try Self.ownApp(visit.query("app"), caller)
        let state = PageSubmission.State(rawValue: visit.query("state"))
        let answer = try await administration.perform(
            ListPages(app, state: state, before: Int64(visit.query("before"))), by: caller)
        let rows = (answer["submissions"]?.arrayValue ?? []).map { submission($0, visit.language) }
        let next = answer["next"]?.integerValue.map { number in
            FormText.adding(
                ["app": app?.rawValue, "state": state?.rawValue, "before": "\(number)"], to: "/console/pages")
        }
        var values = Self.questions(visit)
        values["app"] = app?.rawValue ?? ""
        values["rows"] = rows
        values["hasRows"] = !rows.isEmpty
        values["isEmpty"] = rows.isEmpty
        values["next"] = next ?? ""
        values["hasNext"] = next != nil
        return templates.page("pages", visit, values)
    }

    private func shownPage(
        _ number: Int64, _ visit: ConsoleVisit, _ caller: Caller
    ) async throws(Refusal) -> JSON {
        let named = visit.query("app").isEmpty ? visit.text("app") : visit.query("app")
        return try await administration.perform(
            ShowPage(number, app: caller.role == .developer ? Self.ownApp(named, caller) : nil), by: caller)
    }

    /// A submitted page as a document that has no script and sends nothing, on a phone's screen.
    private static func drawn(_ page: JSON, _ visit: ConsoleVisit) throws(Refusal) -> Response {
        let screen = NamedScreen.known[1]
        let viewing = PageViewing(
            screenName: screen.name,
            screen: PageScreen(
                screen.size.width, screen.size.height, safeArea: screen.safeArea, language: visit.language,
                appearance: visit.query("appearance") == "dark" ? .dark : .light),
            carrier: PageCarrier(rawValue: visit.query("carrier")) ?? .mobile)
        let document: PageHTML
        do throws(PageError) {
            let description = try PageDescription(parsing: Array(page.text.utf8))
            document = PageHTML(
                [try viewing.scene(of: description)], ticked: [try viewing.scene(of: description, isTicked: true)],
                PageHTML.Options(nonce: Base64URL.encode(SystemRandomSource().bytes(16))))
        } catch { throw Refusal(.parameterInvalid, "page: \(error.place): \(error.problem)") }
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/html; charset=utf-8",
                .contentSecurityPolicy: document.contentSecurityPolicy.replacing(
                    "frame-ancestors 'none'", with: "frame-ancestors 'self'") + "; sandbox",
                .frameOptions: "SAMEORIGIN",
            ], body: ResponseBody(byteBuffer: ByteBuffer(string: document.document)))
    }

    private func submission(
        _ number: Int64, _ visit: ConsoleVisit, _ caller: Caller, problem: Refusal? = nil
    ) async throws(Refusal) -> Response {
        let found = try await shownPage(number, visit, caller)
        let state = found["state"]?.stringValue ?? ""
        let findings = (found["report"]?["findings"]?.arrayValue ?? []).map { finding in
            let name = visit.language == .english ? "en" : "zh"
            func text(_ member: String) -> String {
                finding[member]?[name]?.stringValue ?? finding[member]?["en"]?.stringValue
                    ?? finding[member]?.stringValue ?? ""
            }
            return [
                "rule": finding["rule"]?.stringValue ?? "", "severity": finding["severity"]?.stringValue ?? "",
                "isBad": finding["severity"]?.stringValue == "error", "explanation": text("explanation"),
                "fix": text("fix"),
                "place": [finding["role"], finding["where"]].compactMap { $0?.stringValue }.joined(separator: " · "),
            ] as [String: Any]
        }
        let isOperator = caller.may(give: ApprovePage.self, about: nil)
        return templates.page(
            "page", visit, at: "/console/pages/\(number)", problem: problem, framesOwn: true,
            submission(found, visit.language).merging([
                "findings": findings, "hasFindings": !findings.isEmpty,
                "page": Self.indented(found["page"]), "isDrawn": found["page"]?["drawnBy"] == nil,
                "light": FormText.adding(["app": found["app"]?.stringValue], to: "/console/drawn/\(number)"),
                "dark": FormText.adding(
                    ["app": found["app"]?.stringValue, "appearance": "dark"], to: "/console/drawn/\(number)"),
                "mayDecide": isOperator && (state == "submitted" || state == "approved"),
                "mayApprove": isOperator && state == "submitted",
                "mayWithdraw": (isOperator && state == "approved")
                    || (caller.role == .developer && state == "submitted"),
                "reason": visit.text("reason"),
            ]) { $1 })
    }

    private func submission(_ found: JSON, _ language: Language) -> [String: Any] {
        let state = found["state"]?.stringValue ?? ""
        return [
            "number": found["id"]?.integerValue.map { "\($0)" } ?? "", "app": found["app"]?.stringValue ?? "",
            "digest": found["digest"]?.stringValue ?? "",
            "stateWord": ConsoleStrings.page["page-\(state)"]?[language] ?? state, "isWell": state == "approved",
            "isBad": state == "refused", "by": found["submittedBy"]?.stringValue ?? "",
            "at": Self.time(found["submittedAt"]), "note": found["note"]?.stringValue ?? "",
            "hasNote": found["note"] != nil,
            "errors": found["errors"]?.integerValue.map { "\($0)" } ?? "0",
            "warnings": found["warnings"]?.integerValue.map { "\($0)" } ?? "0",
            "decidedBy": found["decidedBy"]?.stringValue ?? "", "decision": found["reason"]?.stringValue ?? "",
            "decidedAt": Self.time(found["decidedAt"]), "isDecided": found["decidedBy"] != nil,
        ]
    }

    private static func number(_ context: EndpointContext) throws(Refusal) -> Int64 {
        guard let number = context.parameters.get("number").flatMap({ Int64($0) }) else {
            throw Refusal(.notFound, "no submission has this number")
        }
        return number
    }

    /// The app that a form names. Where it names none: a developer's first, and `nil`, which is all of them, for
    /// others.
    static func ownApp(_ text: String, _ caller: Caller) throws(Refusal) -> AppID? {
        guard !text.isEmpty else { return firstApp(caller) }
        guard let app = AppID(rawValue: text) else { throw Refusal(.parameterInvalid, "app: the id \(AppID.rule)") }
        return app
    }

    /// A developer's first app.
    static func firstApp(_ caller: Caller) -> AppID? {
        caller.role == .developer ? caller.apps.min { $0.rawValue < $1.rawValue } : nil
    }
}
