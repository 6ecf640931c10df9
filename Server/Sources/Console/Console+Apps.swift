import Administration
import Authority
import BenjiPage
import BenjiProtocol
import Endpoints
import HTTPTypes
import Hummingbird
import Requests
import ServerHTTP
import Store

/// Apps: all that one may see, one of them, and what can be done with it.
extension Console {
    var appRoutes: [EndpointRoute] {
        [
            page(.get, "/console") { visit, caller, _ in try await apps(visit, caller) },
            page(.post, "/console/apps") { visit, caller, context in
                let made: JSON
                do throws(Refusal) {
                    var registration = Apps.Registration(name: visit.text("name"))
                    registration.serverAddresses = visit.words("addresses")
                    registration.bundleIDs = visit.words("bundles")
                    made = try await administration.perform(CreateApp(registration), by: caller)
                } catch {
                    context.outcome.note(code: error.situation.rawValue)
                    return try await apps(visit, caller, problem: error)
                }
                // A developer who made an app may do more from now on than when this request began.
                let id = made["id"]?.stringValue.flatMap { AppID(rawValue: $0) }
                var now = caller
                if let id, caller.role == .developer { now.apps.insert(id) }
                var mine = visit
                mine.caller = now
                return await app(made, mine, now, showing: made)
            },
            page(.get, "/console/apps/{id}") { visit, caller, context in
                let shown = try await administration.perform(ShowApp(try Self.appID(context)), by: caller)
                return await app(shown, visit, caller)
            },
            page(.post, "/console/apps/{id}/orders/{action}") { visit, caller, context in
                let id = try Self.appID(context)
                do throws(Refusal) {
                    let answer = try await carryOut(context.parameters.get("action") ?? "", of: id, visit, caller)
                    // A key is shown this once; whatever else was ordered may be asked for again without harm.
                    guard !Self.secrets(answer).isEmpty else { return Self.goTo("/console/apps/\(id)?done=1") }
                    return await app(answer, visit, caller, showing: answer)
                } catch {
                    context.outcome.note(code: error.situation.rawValue)
                    let shown = try await administration.perform(ShowApp(id), by: caller)
                    return await app(shown, visit, caller, problem: error)
                }
            },
        ]
    }

    /// Gives the order of a button on an app's page.
    ///
    /// - Returns: the app as the order answered it: a new key is in it, this once.
    private func carryOut(
        _ action: String, of id: AppID, _ visit: ConsoleVisit, _ caller: Caller
    ) async throws(Refusal) -> JSON {
        func perform(_ order: some Order) async throws(Refusal) -> JSON {
            try await administration.perform(order, by: caller, reason: visit.reason)
        }
        switch action {
        case "suspend": return try await perform(SuspendApp(id))
        case "resume": return try await perform(ResumeApp(id))
        case "allow": return try await perform(AllowApp(id))
        case "rotate-key": return try await perform(RotateAppKey(id, .package, keeping: try Self.overlap(visit)))
        case "rotate-secret": return try await perform(RotateAppKey(id, .server, keeping: try Self.overlap(visit)))
        case "split-keys": return try await perform(SplitAppKeys(id, keeping: try Self.overlap(visit)))
        case "retire-key":
            guard let use = AppKeyUse(rawValue: visit.text("use")), let version = Int(visit.text("version")) else {
                throw Refusal(.parameterInvalid, "version: names one of the app's keys")
            }
            return try await perform(RetireAppKey(id, use, version: version))
        default: throw Refusal(.notFound, "this page has no such action; load the page again")
        }
    }

    /// How long the key before stays.
    static func overlap(_ visit: ConsoleVisit) throws(Refusal) -> KeyOverlap {
        switch visit.text("overlap") {
        case "", "until-retired": return .untilRetired
        case "none": return .none
        case let text:
            guard let days = Int(text) else { throw Refusal(.parameterInvalid, "overlap: a number of days") }
            return .days(days)
        }
    }

    private func apps(_ visit: ConsoleVisit, _ caller: Caller, problem: Refusal? = nil) async throws -> Response {
        let all = try await administration.perform(ListApps(), by: caller).arrayValue ?? []
        let asked = AppSearch(visit)
        let found = asked.found(in: all)
        let shown = found.prefix(AppSearch.lines)
        let states: [AppState?] = [nil] + AppState.allCases
        let next = found.count > shown.count ? shown.last?["id"]?.stringValue : nil
        return templates.page(
            "apps", visit, at: "/console", problem: problem,
            [
                "apps": shown.map { app in
                    [
                        "id": app["id"]?.stringValue ?? "", "name": app.shownName,
                        "state": AppState(app).word[visit.language], "isWell": AppState(app) == .inService,
                    ] as [String: Any]
                },
                "hasApps": !shown.isEmpty, "isEmpty": all.isEmpty, "hasNone": shown.isEmpty && !all.isEmpty,
                "hasSearch": all.count > 1 || asked.asks, "words": asked.words,
                "states": states.map { state in
                    [
                        "name": state?.rawValue ?? "", "isOn": state == asked.state,
                        "word": (state?.word ?? ConsoleStrings.page["all"])?[visit.language] ?? "",
                    ] as [String: Any]
                },
                "hasNext": next != nil, "next": next.map(asked.address) ?? "",
                "mayCreate": CreateApp.roles.contains(caller.role),
                "isDeveloper": caller.role == .developer, "isOpen": problem != nil || all.isEmpty,
                "name": visit.text("name"), "addresses": visit.text("addresses"), "bundles": visit.text("bundles"),
            ])
    }

    /// The keys in an order's answer, each with its word.
    private static func secrets(_ answer: JSON?) -> [(word: String, value: String)] {
        [("key", "appKey"), ("serverSecret", "serverSecret")].compactMap { member, word in
            answer?[member]?.stringValue.map { (word, $0) }
        }
    }

    /// - Parameter showing: an answer that may hold a new key, which is shown this once.
    private func app(
        _ app: JSON, _ visit: ConsoleVisit, _ caller: Caller, showing answer: JSON? = nil, problem: Refusal? = nil
    ) async -> Response {
        let id = app["id"]?.stringValue ?? ""
        let appID = AppID(rawValue: id)
        func may(_ order: any Order.Type) -> Bool { caller.may(give: order, about: appID) }
        func word(_ name: String) -> String { ConsoleStrings.page[name]?[visit.language] ?? name }
        let secrets = Self.secrets(answer)
        let addresses = await addresses(visit.host)
        let hasOneKey = app["oneKey"] == true
        var values: [(name: String, value: String)] = [("appID", id)]
        if let phones = addresses.phones { values.append(("gateway", phones)) }
        values.append(("redeemAt", addresses.server))
        if let issuer = addresses.issuer { values.append(("issuer", issuer)) }
        return templates.page(
            "app", visit, title: app.shownName, at: "/console/apps/\(id)", problem: problem,
            [
                "secrets": secrets.map { ["word": word($0.word), "value": $0.value] }, "hasSecrets": !secrets.isEmpty,
                "values": values.map { ["word": word($0.name), "value": $0.value] },
                "bundles": Self.list(app["bundles"], none: word("none")),
                "addresses": Self.list(app["serverAddresses"], none: word("none")),
                "keys": keys(app, visit.language, mayRetire: may(RetireAppKey.self)),
                "isSuspended": app["suspended"] == true, "isAllowed": app["allowed"] == true,
                "mayOperate": may(SuspendApp.self),
                "mayRotate": may(RotateAppKey.self),
                "hasOneKey": hasOneKey, "hasSecret": !hasOneKey,
                "snippets": RedeemSnippets(
                    app: id, secret: secrets.first { $0.word == "serverSecret" }?.value, server: addresses.server,
                    token: .argument
                ).all.map {
                    ["name": $0.name, "title": $0.title, "text": $0.text, "isFirst": $0.name == "curl"] as [String: Any]
                },
                "phoneSnippets": AppSnippets(
                    app: id, key: secrets.first { $0.word == "appKey" }?.value, gateway: addresses.phones
                ).all.map { ["name": $0.name, "title": $0.title, "text": $0.text] },
            ].merging(tabs(app, "overview", visit)) { $1 })
    }

    /// The keys in force. The newest of each use cannot be ended, only followed.
    private func keys(_ app: JSON, _ language: Language, mayRetire: Bool) -> [[String: Any]] {
        let all = (app["keys"]?.arrayValue ?? []).filter {
            $0["use"]?.stringValue == AppKeyUse.package.rawValue || $0["use"]?.stringValue == AppKeyUse.server.rawValue
        }
        return all.map { key in
            let (use, version) = (key["use"]?.stringValue ?? "", key["version"]?.integerValue ?? 0)
            let isNewest = !all.contains {
                $0["use"]?.stringValue == use && ($0["version"]?.integerValue ?? 0) > version
            }
            return [
                "use": use, "word": ConsoleStrings.use(use)[language], "version": "\(version)",
                "made": key["made"]?.stringValue ?? "–", "lastUsed": key["lastUsed"]?.stringValue ?? "–",
                "validUntil": key["validUntil"].map { Self.time($0) } ?? "–", "mayEnd": mayRetire && !isNewest,
            ]
        }
    }

    static func appID(_ context: EndpointContext) throws(Refusal) -> AppID {
        guard let id = context.parameters.get("id").flatMap({ AppID(rawValue: $0) }) else {
            throw Refusal(.appUnknown, "no app has this id")
        }
        return id
    }

    private static func list(_ value: JSON?, none: String) -> String {
        let words = (value?.arrayValue ?? []).compactMap(\.stringValue)
        return words.isEmpty ? none : words.joined(separator: ", ")
    }
}
