import Administration
import Authority
import BenjiPage
import BenjiProtocol
import HTTPTypes
import Hummingbird
import NIOCore
import Requests
import ServerHTTP
import Store

/// The pages about an app's bill: its contract, a month's statement, and the last lines of its ledger.
extension Console {
    var bookRoutes: [EndpointRoute] {
        [
            page(.get, "/console/apps/{id}/books") { visit, caller, context in
                try await books(of: try Self.appID(context), visit, caller)
            },
            page(.get, "/console/apps/{id}/statement.csv") { visit, caller, context in
                let id = try Self.appID(context)
                let month = try Self.month(visit.query("month"), now: clock.now)
                let statement = try await administration.perform(
                    Statement(id, year: month.year, month: month.month), by: caller)
                return Response(
                    status: .ok,
                    headers: [
                        .contentType: "text/csv; charset=utf-8",
                        .contentDisposition: "attachment; filename=\"\(id)-\(month.text).csv\"",
                    ], body: ResponseBody(byteBuffer: ByteBuffer(string: Statement.csv(statement) + "\n")))
            },
            page(.post, "/console/apps/{id}/contract") { visit, caller, context in
                let id = try Self.appID(context)
                do throws(Refusal) {
                    _ = try await administration.perform(try Self.terms(visit, id), by: caller)
                } catch {
                    context.outcome.note(code: error.situation.rawValue)
                    return try await books(of: id, visit, caller, problem: error)
                }
                return Self.goTo("/console/apps/\(id)/books?done=1")
            },
            page(.post, "/console/apps/{id}/contract/end") { visit, caller, context in
                let id = try Self.appID(context)
                do throws(Refusal) {
                    let last = try Self.day(visit, "last")
                    _ = try await administration.perform(EndContract(id, lastDay: last), by: caller)
                } catch {
                    context.outcome.note(code: error.situation.rawValue)
                    return try await books(of: id, visit, caller, problem: error)
                }
                return Self.goTo("/console/apps/\(id)/books?done=1")
            },
        ]
    }

    // MARK: - What a form says

    private static func terms(_ visit: ConsoleVisit, _ id: AppID) throws(Refusal) -> SetContract {
        func limit(_ name: String) throws(Refusal) -> Int? {
            guard !visit.text(name).isEmpty else { return nil }
            guard let number = Int(visit.text(name)) else {
                throw Refusal(.parameterInvalid, "\(name): a whole number")
            }
            return number
        }
        var rates: [String: String] = [:]
        for result in BilledResult.allCases where !visit.text("rate-\(result.rawValue)").isEmpty {
            rates[result.rawValue] = visit.text("rate-\(result.rawValue)")
        }
        return SetContract(
            id, reference: visit.text("reference"), from: try day(visit, "from"), until: try day(visit, "until"),
            currency: visit.text("currency"), rates: rates, dailyLimit: try limit("dailyLimit"),
            monthlyLimit: try limit("monthlyLimit"), dailyLimitPerNumber: try limit("dailyLimitPerNumber"))
    }

    private static func day(_ visit: ConsoleVisit, _ name: String) throws(Refusal) -> CalendarDay? {
        guard !visit.text(name).isEmpty else { return nil }
        guard let day = CalendarDay(visit.text(name)) else {
            throw Refusal(.parameterInvalid, "\(name): a day as in 2026-11-21")
        }
        return day
    }

    /// The month that is asked for; the present one, in UTC+8, if none is.
    private static func month(_ text: String, now: Timestamp) throws(Refusal) -> (year: Int, month: Int, text: String) {
        let text = text.isEmpty ? String(CalendarDay(now).description.prefix(7)) : text
        guard let day = CalendarDay(text + "-01") else {
            throw Refusal(.parameterInvalid, "month: write it as in 2026-11")
        }
        return (Int(day.number / 10_000), Int(day.number / 100 % 100), text)
    }

    // MARK: - The page

    /// On one page.
    private static let bookLines = 20

    private func books(
        of id: AppID, _ visit: ConsoleVisit, _ caller: Caller, problem: Refusal? = nil
    ) async throws -> Response {
        var problem = problem
        let month: (year: Int, month: Int, text: String)
        do throws(Refusal) { month = try Self.month(visit.query("month"), now: clock.now) } catch {
            (problem, month) = (error, try Self.month("", now: clock.now))
        }
        let app = try await administration.perform(ShowApp(id), by: caller)
        let present = try await administration.perform(ShowContract(id), by: caller)
        var statement = JSON.object([])
        do throws(Refusal) {
            statement = try await administration.perform(
                Statement(id, year: month.year, month: month.month), by: caller)
        } catch {
            guard error.situation == .parameterInvalid else { throw error }
            problem = problem ?? error
        }
        let before = Int64(visit.query("before"))
        let ledger = try await administration.perform(
            ListLedger(id, before: before, limit: Self.bookLines), by: caller)
        let next = ledger["next"]?.integerValue
        var values = tabs(app, "books", visit)
        values.merge(Self.values(of: statement, month.text, id)) { $1 }
        values.merge(Self.values(of: present, visit)) { $1 }
        values["mayAgree"] = caller.may(give: SetContract.self, about: id)
        values["isOpen"] = problem != nil
        values["entries"] = (ledger["entries"]?.arrayValue ?? []).map { line -> [String: Any] in
            [
                "at": Self.time(line["at"]), "trace": line["trace"]?.stringValue ?? "",
                "interface": line["interface"]?.stringValue ?? "",
                "result": ConsoleStrings.result(line["result"]?.stringValue ?? "")[visit.language],
            ]
        }
        values["hasEntries"] = ledger["entries"]?.arrayValue?.isEmpty == false
        values["hasNext"] = next != nil
        values["next"] = FormText.adding(
            ["month": month.text, "before": next.map(String.init)], to: "/console/apps/\(id)/books")
        return templates.page("books", visit, at: "/console/apps/\(id)/books", problem: problem, values)
    }

    /// - Parameter statement: empty if there is none of the month.
    private static func values(of statement: JSON, _ month: String, _ id: AppID) -> [String: Any] {
        let lines = (statement["lines"]?.arrayValue ?? []).map { line -> [String: Any] in
            [
                "interface": line["interface"]?.stringValue ?? "", "result": line["result"]?.stringValue ?? "",
                "answers": String(line["answers"]?.integerValue ?? 0),
            ]
        }
        let totals = (statement["totals"]?.arrayValue ?? []).map { total -> [String: Any] in
            ["amount": total["amount"]?.stringValue ?? "", "currency": total["currency"]?.stringValue ?? ""]
        }
        return [
            "month": month, "csv": FormText.adding(["month": month], to: "/console/apps/\(id)/statement.csv"),
            "answers": String(statement["answers"]?.integerValue ?? 0),
            "isReconciled": statement["reconciled"] != false,
            "totals": totals, "lines": lines, "hasLines": !lines.isEmpty,
        ]
    }

    /// The present contract, and the form of new terms with the text that was typed.
    private static func values(of present: JSON, _ visit: ConsoleVisit) -> [String: Any] {
        let entry = present["entry"].flatMap { $0 == .null ? nil : $0 }
        let next = present["next"].flatMap { $0 == .null ? nil : $0 }
        let rates = BilledResult.allCases.map { result -> [String: Any] in
            [
                "name": result.rawValue, "word": ConsoleStrings.result(result.rawValue)[visit.language],
                "value": visit.text("rate-\(result.rawValue)"),
            ]
        }
        var values: [String: Any] = [
            "hasContract": entry != nil, "terms": entry.map { describe($0, visit.language) } ?? [],
            "hasNextTerms": next != nil, "nextTerms": next.map { describe($0, visit.language) } ?? [],
            "quota": present["dailyQuota"]?.integerValue.map(String.init) ?? "",
            "hasQuota": present["dailyQuota"] != nil, "rates": rates, "currency": visit.field("currency") ?? "CNY",
        ]
        for name in ["reference", "from", "until", "dailyLimit", "monthlyLimit", "dailyLimitPerNumber"] {
            values[name] = visit.text(name)
        }
        return values
    }

    private static func describe(_ entry: JSON, _ language: Language) -> [[String: String]] {
        var terms: [(String, String)] = [
            ("reference", entry["reference"]?.stringValue ?? ""), ("from", entry["from"]?.stringValue ?? ""),
        ]
        if let until = entry["until"]?.stringValue { terms.append(("until", until)) }
        for name in ["dailyLimit", "monthlyLimit", "dailyLimitPerNumber"] {
            if let limit = entry[name]?.integerValue { terms.append((name, String(limit))) }
        }
        var described = terms.map { ["word": ConsoleStrings.books[$0.0]?[language] ?? $0.0, "value": $0.1] }
        if case .object(let rates)? = entry["rates"] {
            for rate in rates {
                described.append([
                    "word": ConsoleStrings.result(rate.name)[language],
                    "value": "\(rate.value.stringValue ?? "") \(entry["currency"]?.stringValue ?? "")",
                ])
            }
        }
        return described
    }
}
