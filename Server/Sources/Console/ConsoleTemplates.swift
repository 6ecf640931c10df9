import Administration
import Authority
import BenjiPage
import BenjiProtocol
import Catalogue
import HTTPTypes
import Hummingbird
import NIOCore
import Requests
import ServerHTTP

/// The pages' templates, which are in `Resources/`.
struct ConsoleTemplates: Sendable {
    let offersOneTap: Bool
    private let templates = PageTemplates([
        "document": PackageResources.document_mustache, "sign-in": PackageResources.sign_in_mustache,
        "invitation": PackageResources.invitation_mustache, "account": PackageResources.account_mustache,
        "apps": PackageResources.apps_mustache, "app": PackageResources.app_mustache,
        "tabs": PackageResources.tabs_mustache, "field": PackageResources.field_mustache,
        "settings": PackageResources.settings_mustache, "web-login": PackageResources.web_login_mustache,
        "callback": PackageResources.callback_mustache, "team": PackageResources.team_mustache,
        "people": PackageResources.people_mustache,
        "pages": PackageResources.pages_mustache, "page": PackageResources.page_mustache,
        "find-logins": PackageResources.find_logins_mustache, "logins": PackageResources.logins_mustache,
        "login-charts": PackageResources.login_charts_mustache, "stage-cells": PackageResources.stage_cells_mustache,
        "logins-tabs": PackageResources.logins_tabs_mustache, "all-logins": PackageResources.all_logins_mustache,
        "login": PackageResources.login_mustache,
        "books": PackageResources.books_mustache,
        "installation": PackageResources.installation_mustache, "feeds": PackageResources.feeds_mustache,
        "sessions": PackageResources.sessions_mustache, "numbers": PackageResources.numbers_mustache,
        "policy": PackageResources.policy_mustache,
        "keys": PackageResources.keys_mustache,
        "audit": PackageResources.audit_mustache, "problem": PackageResources.problem_mustache,
        "second": PackageResources.second_mustache, "phone": PackageResources.phone_mustache,
        "landed": PackageResources.landed_mustache,
    ])

    init(offersOneTap: Bool) { self.offersOneTap = offersOneTap }

    /// - Parameters:
    ///   - title: in the place of the template's own.
    ///   - address: where the same page is asked for again, if the visit changed something.
    ///   - framesOwn: whether other pages of the console are shown in frames of this one.
    ///   - problem: shown above the page, which keeps the text that was typed.
    func page(
        _ name: String, _ visit: ConsoleVisit, title: String? = nil, at address: String? = nil,
        problem: Refusal? = nil, framesOwn: Bool = false, _ values: [String: Any] = [:]
    ) -> Response {
        var all = values
        let here = address ?? (visit.request.method == .get ? visit.request.uri.path : "/console")
        all["t"] = ConsoleStrings.all(visit.language)
        all["language"] = visit.language == .english ? "en" : "zh-Hans"
        all["isEnglish"] = visit.language == .english
        all["isChinese"] = visit.language != .english
        // Another language shows the same page, with whatever was asked for.
        let query = visit.request.method == .get && here == visit.request.uri.path ? visit.asked : []
        for (name, language) in [("inChinese", "zh"), ("inEnglish", "en")] {
            all[name] = query.reduce(FormText.adding(["lang": language], to: here)) { address, pair in
                FormText.adding([FormText.encode(pair.name): pair.value], to: address)
            }
        }
        all["title"] = title ?? ConsoleStrings.title(name)[visit.language]
        all["form"] = visit.formToken
        all["caller"] = visit.caller?.name ?? ""
        all["role"] = visit.caller.map { ConsoleStrings.role($0.role)[visit.language] } ?? ""
        all["isIn"] = visit.caller != nil
        all["seesAudit"] = visit.caller.map { $0.may(give: ListAudit.self, about: $0.apps.first) } ?? false
        all["seesPeople"] = visit.caller.map { $0.may(give: ListAdmins.self, about: nil) } ?? false
        all["isApps"] = here == "/console" || here.hasPrefix("/console/apps/")
        all["isLogins"] = here.hasPrefix("/console/logins")
        all["seesAllLogins"] = visit.caller.map { $0.may(give: CountAllLogins.self, about: nil) } ?? false
        all["isAllLogins"] = here == "/console/logins/all"
        all["isPages"] = here.hasPrefix("/console/pages")
        all["isPeople"] = here.hasPrefix("/console/people")
        all["isAudit"] = here == "/console/audit"
        let own = Self.installationPage(of: visit.caller)
        all["installationPage"] = own ?? ""
        all["seesInstallation"] = own != nil
        all["isInstallation"] = Console.installationPages.contains { here.hasPrefix("/console/\($0.name)") }
        all["problem"] = problem?.detail ?? ""
        // The details of a problem are in English alone.
        all["problemMeaning"] =
            visit.language == .english ? "" : problem.flatMap { Self.meaning(of: $0, visit.language) } ?? ""
        all["hasProblem"] = problem != nil
        all["offersOneTap"] = offersOneTap
        all["isDone"] = !visit.query("done").isEmpty
        all["content"] = templates.render(name, all)
        var headers: HTTPFields = [.contentType: "text/html; charset=utf-8"]
        if framesOwn { headers[.contentSecurityPolicy] = Console.policy + "; frame-src 'self'" }
        return Response(
            status: problem?.situation.pageStatus ?? .ok, headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: templates.render("document", all))))
    }

    /// The first page about the installation that somebody may see.
    private static func installationPage(of caller: Caller?) -> String? {
        guard let caller else { return nil }
        return Console.installationPages.first { caller.may(give: $0.order, about: nil) }?.name
    }

    private static func meaning(of problem: Refusal, _ language: Language) -> String? {
        Catalogue.entry(problem.situation.rawValue, in: .device)?[language].meaning
    }

    /// A page about a problem alone.
    func problem(_ refusal: Refusal, _ visit: ConsoleVisit) -> Response {
        page("problem", visit, at: "/console", problem: refusal)
    }
}

extension Situation {
    /// As ``Situation/httpStatus``; but no page asks for credentials by a header, which 401 needs.
    fileprivate var pageStatus: HTTPResponse.Status { httpStatus == .unauthorized ? .forbidden : httpStatus }
}
