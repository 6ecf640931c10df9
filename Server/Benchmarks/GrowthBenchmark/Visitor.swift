import Administration
import BenchmarkSupport
import BenjiProtocol
import Console
import HTTPTypes
import Hummingbird
import Logging
import ServerHTTP
import ServerTestKit

/// An operator who has signed in to the console and looks at its pages, as a browser asks for them but without a
/// socket.
struct Visitor {
    private static let host = "benji.internal"

    /// A page of the console, with its address for the app and the login that are looked at.
    struct Page: Hashable {
        var route: String
        var address: String
    }

    /// Every page that is not about one submission of a page or one policy.
    let pages: [Page]
    private let responder: RouterResponder<EndpointContext>
    private let cookie: String

    init(_ administration: Administration, app: AppID, trace: TraceID) async throws {
        let clock = SystemWallClock()
        let owner = Caller(name: "benchmark", role: .operator, origin: "benchmark")
        let granted = try await administration.perform(
            GrantAdmin("visitor", .operator, apps: [], console: true), by: owner)
        let invitation = granted["invitation"]?.stringValue ?? ""
        let salt = administration.newSalt()
        let code = administration.oneTimePassword(of: "visitor", salt: salt)
            .code(ofStep: OneTimePassword.step(at: clock.now))
        let session = try await administration.accept(
            invitation: invitation, password: "correct horse battery", code: code, salt: salt, from: "benchmark")
        cookie = String(Console.cookie(holding: session, for: 3600, isSecure: true).prefix { $0 != ";" })
        let console = Console(
            administration: administration, clock: clock, hosts: [Self.host], isSecure: true,
            process: Console.Process { _ in .null }
        ) { _ in Console.Addresses(server: "https://api.example", phones: nil, issuer: nil) }
        responder = PublicServer.router("administration", routes: console.routes).buildResponder()
        pages = console.routes.filter { $0.method == .get }.map { route in
            Page(
                route: route.path,
                address: route.path.replacing("{id}", with: app.rawValue).replacing("{trace}", with: trace.rawValue))
        }.filter { !$0.address.contains("{") && !Self.isElsewhere($0.route) }.sorted { $0.route < $1.route }
        guard pages.contains(where: { $0.route == "/console/apps/{id}/books" }) else {
            throw BenchmarkFailure("the console has no books")
        }
    }

    /// Whether a route is a file of the program, a page without sign-in, or a page for a missing part. The page
    /// designer's files are megabytes, and none depends on the ledger. From the store it reads only the page that it
    /// begins with.
    private static func isElsewhere(_ route: String) -> Bool {
        let design = "/console/apps/{id}/design/"
        return others.contains(route) || route.hasPrefix(design) && route != design + "page.json"
    }

    private static let others: Set<String> = [
        "/console/console.css", "/console/console.js", "/console/sign-in", "/console/invitation",
        // This installation was given no policy.
        "/console/policy", "/console/policy.json",
    ]

    /// The time until the page is there, in microseconds.
    func look(at page: String) async throws -> Double {
        let start = ContinuousClock.now
        let answer = try await Exchange.send(
            responder, .get, page, headers: [.cookie: cookie, .acceptLanguage: "en"], body: [], scheme: "https",
            authority: Self.host, from: ("10.0.0.7", 40001),
            logger: Logger(label: "benchmark", factory: { _ in SwiftLogNoOpLogHandler() }))
        let time = (ContinuousClock.now - start).inSeconds * 1e6
        guard answer.status == .ok else { throw BenchmarkFailure("\(page) is answered with \(answer.status)") }
        return time
    }
}
