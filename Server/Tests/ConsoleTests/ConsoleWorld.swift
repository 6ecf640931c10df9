import Administration
import Authority
import BenjiPolicy
import BenjiProtocol
import Console
import Foundation
import HTTPTypes
import Hummingbird
import Requests
import ServerHTTP
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Testing

/// An installation with two apps, behind the console.
struct ConsoleWorld: Sendable {
    static let password = "correct horse battery"
    static let host = "benji.internal:8084"

    let world: AuthorityWorld
    let administration: Administration
    var routes: [EndpointRoute]
    var router: Router<EndpointContext> { PublicServer.router("administration", routes: routes) }
    var store: any Store { world.store }
    /// An app of another developer.
    let other: AppID
    /// Knows phones; asked where the world offers one tap.
    let provider: TestProvider

    var app: AppID { world.app.record.id }
    var clock: TestClock { world.clock }
    private let ops = Caller(name: "ops", role: .operator, seesNumbers: true, origin: "command line")

    init(isSecure: Bool = true, offersOneTap: Bool = false) async throws {
        world = try await AuthorityWorld()
        let provider = TestProvider(clock: world.clock)
        self.provider = provider
        var administration = Administration(authority: world.authority, store: world.store, passwordCost: 1)
        administration.findsSessions = { address, _, _ in address == InternetAddress("10.0.0.1") ? [Self.session] : [] }
        self.administration = administration
        other = try await world.authority.apps.register(Apps.Registration(name: "Zebra Market")).record.id
        let console = Console(
            administration: administration, clock: world.clock, hosts: ["benji.internal"], isSecure: isSecure,
            process: Self.process,
            oneTap: offersOneTap
                ? OneTapClient(TestProvider.configuration, clock: world.clock) {
                    call throws(OneTapClient.Unreachable) in try provider.answer(call)
                } : nil
        ) { _ in
            Console.Addresses(server: "https://api.example", phones: "https://gw.example", issuer: nil)
        }
        routes = console.routes
    }

    /// A session in doubt.
    private static let session = SessionState(
        nas: "ggsn-1", carrier: .mobile, domain: "cmnet", subscription: 4711, ports: nil, isRoaming: false,
        startedAt: Timestamp(milliseconds: 1_763_500_000_000), heardAt: Timestamp(milliseconds: 1_763_500_000_000),
        refusal: .unconfirmedAddress, doubts: [.missed])

    /// One NAS that speaks and one that is silent, and a check that fails.
    private static var process: Console.Process {
        Console.Process(
            checks: [
                HealthEndpoints.Check("store") { nil },
                HealthEndpoints.Check("gateway", warnings: { ["nothing is heard of NAS ggsn-2"] }) {
                    "the journal cannot be written"
                },
            ],
            feeds: {
                [
                    Console.Process.Feed(
                        name: "ggsn-1", carrier: "mobile", heardAt: Timestamp(milliseconds: 1_763_500_000_000),
                        taken: 71, faults: ["bad_authenticator": 3, "no_number": 2], sessions: 17, isSilent: false),
                    Console.Process.Feed(
                        name: "ggsn-2", carrier: "unicom", heardAt: nil, taken: 0, faults: [:], sessions: 4,
                        isSilent: true),
                ]
            },
            readPolicy: { text throws(Refusal) in
                do throws(JSONError) { return try CarrierPolicy(JSON(parsing: text)).json } catch {
                    throw Refusal(.parameterInvalid, "\(error.place): \(error.problem)")
                }
            }, options: " -c benji.yaml")
    }

    @discardableResult
    func order(_ order: some Order) async throws -> JSON { try await administration.perform(order, by: ops) }

    /// An invitation for somebody new.
    func invite(_ name: String, _ role: Role, apps: [AppID] = []) async throws -> String {
        let answer = try await order(GrantAdmin(name, role, apps: apps, console: true))
        return try #require(answer["invitation"]?.stringValue)
    }

    /// The browser of somebody who has taken their invitation.
    func browser(of name: String, _ role: Role, apps: [AppID] = []) async throws -> ConsoleBrowser {
        var browser = ConsoleBrowser(self)
        let done = try await browser.accept(try await invite(name, role, apps: apps))
        try #require(done.status == .seeOther, "\(done.body)")
        return browser
    }

    /// Hands in a page of an app's.
    /// - Parameter note: another page for another note.
    /// - Returns: the submission's number.
    func submitPage(of app: AppID, _ note: String) async throws -> Int64 {
        let page = StartPage.fullScreen.text(agreement: "https://\(note)/a", privacy: "https://\(note)/p")
        let made = try await order(SubmitPage(app, page, note: note))
        return try #require(made["id"]?.integerValue)
    }

    func contents() async throws -> [String: [String]] { try await world.contents() }

    /// The tables that have not the same rows as before.
    func tables(changedSince before: [String: [String]]) async throws -> [String] {
        try await contents().filter { $0.value != before[$0.key] }.keys.sorted()
    }

    func end() async { await world.end() }
}

/// A browser: it keeps cookies, and sends forms as a page of the console does.
struct ConsoleBrowser {
    let world: ConsoleWorld
    var cookies: [String: String] = [:]
    var language = "en"
    var address = "10.0.0.7"
    /// The source of the account's codes.
    var codes: OneTimePassword?
    /// The token of the last page's forms.
    var token: String?

    init(_ world: ConsoleWorld) { self.world = world }

    /// The code that the person's phone shows.
    var code: String {
        codes?.code(ofStep: OneTimePassword.step(at: world.clock.now)) ?? "000000"
    }

    mutating func get(_ path: String) async throws -> Exchange { try await send(.get, path, [:]) }

    /// Sends a form, with the token that the last page had.
    mutating func post(
        _ path: String, _ form: [String: String] = [:], origin: String? = "null", site: String? = "same-origin"
    ) async throws -> Exchange {
        try await send(ConsoleForm(route: path, path: path, order: nil, fields: form), origin: origin, site: site)
    }

    /// Sends a form, or JSON, as what it is.
    mutating func send(
        _ form: ConsoleForm, origin: String? = "null", site: String? = "same-origin"
    ) async throws -> Exchange {
        let type = form.json == nil ? "application/x-www-form-urlencoded" : "application/json"
        return try await send(form, origin: origin, site: site, type: type)
    }

    /// - Parameter type: what the browser says that it sends.
    mutating func send(
        _ form: ConsoleForm, origin: String?, site: String?, type: String?
    ) async throws -> Exchange {
        var fields = form.fields
        if fields["form"] == nil, let token { fields["form"] = token }
        var headers: HTTPFields = [:]
        if let type { headers[.contentType] = type }
        if let origin { headers[.origin] = origin }
        if let site { headers[.secFetchSite] = site }
        return try await send(.post, form.path, headers, form.json ?? Self.encode(fields))
    }

    static func encode(_ fields: [String: String]) -> String {
        fields.sorted { $0.key < $1.key }.map { "\($0.key)=\(FormText.encode($0.value))" }.joined(separator: "&")
    }

    private mutating func send(
        _ method: HTTPRequest.Method, _ path: String, _ fields: HTTPFields, _ body: String = ""
    ) async throws -> Exchange {
        var headers = fields
        headers[.acceptLanguage] = language
        if !cookies.isEmpty { headers[.cookie] = cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ") }
        let answer = try await Exchange.send(
            world.router, method, path, headers: headers, body: Array(body.utf8), authority: ConsoleWorld.host,
            from: (address, 40001))
        for line in answer.headers[values: .setCookie] {
            let pair = line.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2 else { continue }
            cookies[String(pair[0])] = line.contains("Max-Age=0") ? nil : String(pair[1])
        }
        if let found = Self.value(of: "form", in: answer.body) { token = found }
        return answer
    }

    /// The value of a hidden field.
    static func value(of field: String, in page: String) -> String? {
        guard let start = page.range(of: #"name="\#(field)" value=""#)?.upperBound else { return nil }
        return String(page[start...].prefix { $0 != "\"" })
    }

    /// Takes an invitation and makes an account.
    mutating func accept(_ invitation: String, password: String = ConsoleWorld.password) async throws -> Exchange {
        let page = try await post("/console/invitation", ["invitation": invitation])
        guard let salt = Self.value(of: "salt", in: page.body), let bytes = Base64URL.decode(salt) else { return page }
        let name = try #require(Self.value(of: "username", in: page.body))
        codes = world.administration.oneTimePassword(of: name, salt: bytes)
        return try await post(
            "/console/account", ["invitation": invitation, "salt": salt, "password": password, "code": code])
    }

    /// The address behind the button for the tap.
    static func tapAddress(in page: String) -> String? {
        guard let start = page.range(of: #"<a class="button" href="https://gw.example"#)?.lowerBound else { return nil }
        let address = page[start...].dropFirst(24).prefix { $0 != "\"" }
        return String(address).replacing("&amp;", with: "&")
    }

    /// Shows the password to bind a phone, and taps on it.
    mutating func bind(_ subject: String) async throws -> Exchange {
        _ = try await get("/console/phone")
        let page = try await post("/console/phone", ["password": ConsoleWorld.password])
        guard let address = Self.tapAddress(in: page.body) else { return page }
        return try await get(world.provider.tap(address, as: subject))
    }

    /// Shows name and password, and no code.
    mutating func beginSignIn(_ name: String, password: String = ConsoleWorld.password) async throws -> Exchange {
        try await post("/console/sign-in", ["name": name, "password": password, "code": ""])
    }

    /// Shows name and password, and taps on a phone.
    mutating func tap(_ name: String, as subject: String) async throws -> Exchange {
        let page = try await beginSignIn(name)
        guard let address = Self.tapAddress(in: page.body) else { return page }
        return try await get(world.provider.tap(address, as: subject))
    }

    mutating func signIn(_ name: String, password: String = ConsoleWorld.password) async throws -> Exchange {
        try await post("/console/sign-in", ["name": name, "password": password, "code": code])
    }
}
