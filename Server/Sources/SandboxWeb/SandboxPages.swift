import Authority
import BenjiPage
import BenjiProtocol
import Endpoints
import HTTPTypes
import Hummingbird
import NIOCore
import OpenIDProvider
import Sandbox

/// The page for people. Without its script everything works by forms and links; with it the page changes in place and the
/// timeline is live.
struct SandboxPages: Sendable {
    let world: SandboxWorld
    private let templates = SandboxTemplates()

    init(world: SandboxWorld) { self.world = world }

    /// How long the script's question for news is kept waiting, in seconds.
    static let patience: Duration = .seconds(25)
    /// The language that somebody chose.
    static let cookie = "benji-sandbox-language"

    var routes: [EndpointRoute] {
        [
            EndpointRoute(.get, "/") { request, _ in try await page(request) },
            EndpointRoute(.get, "/sandbox.css") { _, _ in Self.file(PackageResources.sandbox_css, "text/css") },
            EndpointRoute(.get, "/sandbox.js") { _, _ in Self.file(PackageResources.sandbox_js, "text/javascript") },
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
                let fault = try Self.fault(try await Self.form(request))
                _ = try await world.change(phone, SandboxWorld.Change(fault: .some(fault)))
                return try await answer(request, phone)
            },
            EndpointRoute(.post, "/phones/{phone}/login") { request, context in
                let phone = try context.phone
                return try await answer(request, phone, outcome: try await world.logIn(phone))
            },
            EndpointRoute(.post, "/app") { request, _ in try await changeOwnApp(request) },
            EndpointRoute(.post, "/phones/{phone}/remove") { request, context in
                try await world.remove(try context.phone)
                return try await answer(request, nil)
            },
        ]
    }

    // MARK: - Answers

    private func page(_ request: Request) async throws -> Response {
        let language = Self.language(request)
        let id = request.uri.queryParameters["phone"].map { String($0) }
        let view = await SandboxView(language, of: world, current: id)
        var response = Response(
            templates.page(view, entries: world.wiring.timeline.entries(phone: view.current?.phone.id)),
            type: "text/html")
        if request.uri.queryParameters["lang"] != nil {
            response.headers[.setCookie] = "\(Self.cookie)=\(language.sandboxName); Path=/; SameSite=Strict; HttpOnly"
        }
        return response
    }

    /// To the script the part that changed, to a form the page.
    private func answer(_ request: Request, _ phone: String?, outcome: AppLogin? = nil) async throws -> Response {
        guard request.headers[.part] != nil else { return Self.back(to: phone) }
        let view = await SandboxView(Self.language(request), of: world, current: phone, outcome: outcome)
        return Response(templates.phone(view), type: "text/html")
    }

    private func changeOwnApp(_ request: Request) async throws -> Response {
        let form = try await Self.form(request)
        var problem: String?
        do {
            _ = try await world.changeOwnApp(
                OwnApp.Change(redirectURIs: Self.lines(form["redirectURIs"]), hosts: Self.lines(form["hosts"])))
        } catch let wrong as SandboxWorld.Problem { problem = wrong.description }
        guard request.headers[.part] != nil || problem != nil else { return Self.back(to: form["phone"]) }
        let view = await SandboxView(Self.language(request), of: world, current: form["phone"], problem: problem)
        return Response(
            request.headers[.part] != nil
                ? templates.phone(view)
                : templates.page(view, entries: world.wiring.timeline.entries(phone: view.current?.phone.id)),
            type: "text/html")
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
