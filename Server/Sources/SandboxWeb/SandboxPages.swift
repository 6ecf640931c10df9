import Authority
import BenjiClient
import BenjiPage
import BenjiProtocol
import Endpoints
import HTTPTypes
import Hummingbird
import NIOCore
import OpenIDProvider
import PageDesigner
import Sandbox
import ServerHTTP

/// The page for people. Without its script everything works by forms and links; with it the page changes in place and
/// the timeline is live.
struct SandboxPages: Sendable {
    let world: SandboxWorld
    private let templates = SandboxTemplates()

    init(world: SandboxWorld) { self.world = world }

    /// Where the page designer is.
    static let designer = "/design/"

    /// How long the script's question for news is kept waiting, in seconds.
    static let patience: Duration = .seconds(25)
    /// The language that somebody chose.
    static let cookie = "benji-sandbox-language"

    var routes: [EndpointRoute] {
        [
            EndpointRoute(.get, "/") { request, _ in try await page(request) },
            EndpointRoute(.get, "/sandbox.css") { _, _ in
                Self.file(PageTokens.css + PackageResources.sandbox_css, "text/css")
            },
            EndpointRoute(.get, "/sandbox.js") { _, _ in
                Self.file(PageTokens.copyScript + PackageResources.sandbox_js, "text/javascript")
            },
            EndpointRoute(.get, "/screen.css") { _, _ in Self.file(PackageResources.screen_css, "text/css") },
            EndpointRoute(.get, ScreenPage.logo) { _, _ in Self.picture(world.servers.shopLogo) },
            EndpointRoute(.get, "/timeline") { request, _ in try await timeline(request) },
            EndpointRoute(.post, "/timeline/clear") { request, _ in
                world.wiring.timeline.clear()
                return try await Self.back(to: Self.form(request)["phone"])
            },
            EndpointRoute(.post, "/phones") { request, _ in
                let added = try await world.add()
                return try await answer(request, added.phone.id)
            },
            EndpointRoute(.post, "/phones/{phone}") { request, context in
                let phone = try context.phone
                _ = try await world.change(phone, try Self.change(try await Self.form(request)))
                return try await answer(request, phone)
            },
            EndpointRoute(.post, "/phones/{phone}/fault") { request, context in
                let phone = try context.phone
                let form = try await Self.form(request)
                // "Put everything right" takes the fault away and changes the network at once.
                var change = try Self.change(form)
                change.fault = .some(try Self.fault(form))
                _ = try await world.change(phone, change)
                return try await answer(request, phone)
            },
            EndpointRoute(.post, "/phones/{phone}/login") { request, context in
                let phone = try context.phone
                let way: AppLogin.Way = try await Self.form(request)["action"] == "sms" ? .sms : .oneTap
                return try await answer(request, phone, outcome: try await world.logIn(phone, by: way))
            },
            EndpointRoute(.get, "/phones/{phone}/screen") { request, context in
                let connected = try await world.phone(try context.phone).seen(at: request.origin, of: world.servers)
                return try ScreenPage(
                    phone: connected.phone, web: connected.ports.framedShop, language: Self.language(request),
                    origin: request.origin
                ).response(templates)
            },
            EndpointRoute(.post, "/phones/{phone}/screen") { request, context in
                try await touch(try context.phone, try await Self.form(request), Self.language(request))
            },
            EndpointRoute(.get, "/messages/{number}/{leg}") { request, context in try wire(request, context) },
            // The messages since the page was drawn.
            EndpointRoute(.get, "/phones/{phone}/messages") { request, context in
                let view = await view(request, current: try context.phone)
                return Response(templates.messages(view), type: "text/html")
            },
            // The button there signs in.
            EndpointRoute(.get, "/console") { _, _ in Response.redirect(to: "/", type: .normal) },
            EndpointRoute(.post, "/console") { request, _ in
                guard let console = await world.console else {
                    throw SandboxWorld.Problem(kind: .invalid, description: "this demo has no console")
                }
                let host = (request.head.authority ?? "127.0.0.1").prefix { $0 != ":" }
                let origin = world.servers.areOnOnePort(request.origin) ? "" : "http://\(host):\(console.server.port)"
                var response = Response("<!doctype html><title>Benji</title>", type: "text/html")
                // Not a redirect: Chromium applies the page's `form-action` to it, and the console may have another
                // origin.
                response.headers[.refresh] = "0; url=\(origin)/console"
                response.headers[.setCookie] = try await console.signIn()
                return response
            },
            EndpointRoute(.post, "/app") { request, _ in try await changeOwnApp(request) },
            EndpointRoute(.post, "/phones/{phone}/remove") { request, context in
                try await world.remove(try context.phone)
                return try await answer(request, nil)
            },
        ]
    }

    // MARK: - Answers

    private func view(
        _ request: Request, current: String?, outcome: AppLogin? = nil, problem: String? = nil
    ) async -> SandboxView {
        await SandboxView(
            Self.language(request), of: world, at: request.origin, current: current, outcome: outcome,
            problem: problem)
    }

    private func page(_ request: Request) async throws -> Response {
        let language = Self.language(request)
        let id = request.uri.queryParameters["phone"].map { String($0) }
        let view = await view(request, current: id)
        var response = Response(
            templates.page(view, entries: world.wiring.timeline.entries(phone: view.current?.phone.id)),
            type: "text/html")
        response.headers[.contentSecurityPolicy] = view.policy
        if request.uri.queryParameters["lang"] != nil {
            response.headers[.setCookie] = "\(Self.cookie)=\(language.sandboxName); Path=/; SameSite=Strict; HttpOnly"
        }
        return response
    }

    /// To the script the part that changed, to a form the page.
    private func answer(_ request: Request, _ phone: String?, outcome: AppLogin? = nil) async throws -> Response {
        guard request.headers[.part] != nil else { return Self.back(to: phone) }
        let view = await view(request, current: phone, outcome: outcome)
        return Response(templates.phone(view), type: "text/html")
    }

    /// Performs a person's action on a drawn phone.
    private func touch(_ id: String, _ form: [String: String], _ language: Language) async throws -> Response {
        let phone = try await world.phone(id).phone
        switch form["action"] {
        case "begin": try await world.beginLogin(id, language)
        case "sms": try await world.beginLogin(id, by: .sms, language)
        case "leave": phone.screen.leave()
        case let action: phone.screen.tap(action ?? "", isTicked: form["agreed"] != nil)
        }
        await Self.settle(phone.screen)
        return Response(status: .seeOther, headers: [.location: ScreenPage.path(of: phone)])
    }

    /// Waits a moment for the screen to settle, so that a short action is not shown as a wait.
    private static func settle(_ screen: PhoneScreen) async {
        for _ in 0..<20 where !screen.isAtRest { try? await Task.sleep(for: .milliseconds(40)) }
    }

    /// The bytes of one direction of a message.
    private func wire(_ request: Request, _ context: EndpointContext) throws -> Response {
        guard let number = Int64(try context.parameters.require("number")),
            let leg = DiagramRow.Leg(rawValue: try context.parameters.require("leg")), leg != .note,
            let entry = world.wiring.timeline.entry(number)
        else { throw HTTPError(.notFound) }
        return Response(
            templates.wire(
                DiagramRow(entry: entry, leg: leg), Self.language(request), isWhole: request.headers[.part] == nil),
            type: "text/html")
    }

    private func changeOwnApp(_ request: Request) async throws -> Response {
        let form = try await Self.form(request)
        var problem: String?
        do {
            _ = try await world.changeOwnApp(
                OwnApp.Change(redirectURIs: Self.lines(form["redirectURIs"]), hosts: Self.lines(form["hosts"])))
        } catch let wrong as SandboxWorld.Problem { problem = wrong.description }
        guard request.headers[.part] != nil || problem != nil else { return Self.back(to: form["phone"]) }
        let view = await view(request, current: form["phone"], problem: problem)
        var response = Response(
            request.headers[.part] != nil
                ? templates.phone(view)
                : templates.page(view, entries: world.wiring.timeline.entries(phone: view.current?.phone.id)),
            type: "text/html")
        response.headers[.contentSecurityPolicy] = view.policy
        return response
    }

    static func lines(_ text: String?) -> [String]? {
        text?.split(whereSeparator: \.isNewline).map { $0.filter { !$0.isWhitespace } }.filter { !$0.isEmpty }
    }

    private func timeline(_ request: Request) async throws -> Response {
        let parameters = request.uri.queryParameters
        let after = parameters["after"].flatMap { Int64($0) } ?? 0
        let phone = parameters["phone"].map { String($0) }
        let entries = await world.wiring.timeline.entries(after: after, phone: phone, patience: Self.patience)
        guard !entries.isEmpty else { return Response(status: .noContent) }
        return Response(templates.timeline(entries, Self.language(request)), type: "text/html")
    }

    private static func back(to phone: String?) -> Response {
        Response(status: .seeOther, headers: [.location: phone.map { "/?phone=\($0)" } ?? "/"])
    }

    private static func file(_ bytes: [UInt8], _ type: String) -> Response {
        var response = Response(bytes: ByteBuffer(bytes: bytes), type: type)
        response.headers[.cacheControl] = "no-cache"
        return response
    }

    private static func picture(_ png: [UInt8]) -> Response {
        Response(
            status: .ok, headers: [.contentType: "image/png", .cacheControl: "no-cache"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: png)))
    }

    // MARK: - Forms

    private static func form(_ request: Request) async throws -> [String: String] {
        guard let pairs = FormText.pairs(try await request.bytes()) else {
            throw JSONError(place: "form", problem: "is not form-encoded UTF-8")
        }
        return Dictionary(pairs.map { ($0.name, $0.value) }) { first, _ in first }
    }

    static func change(_ form: [String: String]) throws(JSONError) -> SandboxWorld.Change {
        var change = SandboxWorld.Change()
        if let text = form["sim"] {
            guard let tray = SIMTray(rawValue: text) else { throw JSONError(place: "sim", problem: "unknown") }
            change.tray = tray
        }
        // The choice of a slot stays in the form when the tray has one.
        if let text = form["dataSlot"], let slot = Int(text), (change.tray?.slots ?? 1...2).contains(slot) {
            change.dataSlot = slot
        }
        if let text = form["network"] {
            guard let network = PhoneNetwork(rawValue: text) else {
                throw JSONError(place: "network", problem: "unknown")
            }
            change.network = network
        }
        return change
    }

    /// `nil` when the form takes the fault away.
    static func fault(_ form: [String: String]) throws(JSONError) -> SandboxFault? {
        guard form["action"] != "clear" else { return nil }
        let kind = form["kind"].flatMap(SandboxFault.KindName.init(rawValue:))
        // The form sends every field, whichever kind is chosen.
        return try SandboxFault(
            .object([
                "step": form["step"].map { .string($0) }, "kind": form["kind"].map { .string($0) },
                "code": kind == .code ? form["code"].map { .string($0) } : nil,
                "milliseconds": kind == .delay ? form["milliseconds"].map { number($0) } : nil,
                "times": form["times"].flatMap { $0.isEmpty ? nil : number($0) },
            ]))
    }

    private static func number(_ text: String) -> JSON { Int64(text).map { .integer($0) } ?? .string(text) }

    private static func language(_ request: Request) -> Language {
        if let wanted = request.uri.queryParameters["lang"].flatMap({ Language(sandboxName: String($0)) }) {
            return wanted
        }
        return request.cookie(cookie).flatMap(Language.init(sandboxName:))
            ?? Language(accepted: request.headers[.acceptLanguage] ?? "")
    }
}
