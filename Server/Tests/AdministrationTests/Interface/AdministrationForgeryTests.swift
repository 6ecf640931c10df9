import Administration
@_spi(Server) import BenjiProtocol
import HTTPTypes
import Hummingbird
import Requests
import ServerHTTP
import ServerTestKit
import Store
import Testing

/// The bearer token stands for the client certificate, which a browser attaches to the requests of any page.
@Suite("Requests that web pages have an operator's browser send to the admin interface")
struct AdministrationForgeryTests {
    private static let own = "https://id.example.com"
    private static let form = "application/x-www-form-urlencoded"
    private static let multipart = "multipart/form-data; boundary=x"

    /// The requests that a page can send to another origin without a preflight (Fetch, "no-cors" and "CORS-safelisted
    /// request-header"). They come from a form, from fetch (also with keepalive), or from sendBeacon.
    private static let simple: [(way: String, type: String?, body: String)] = [
        ("a form without fields", form, ""), ("a form", form, "reason=x"),
        ("a multipart form without fields", multipart, "--x--\r\n"),
        (
            "a multipart form", multipart,
            "--x\r\nContent-Disposition: form-data; name=\"reason\"\r\n\r\nx\r\n--x--\r\n"
        ),
        ("a text form without fields", "text/plain", ""),
        ("a text form whose field is JSON", "text/plain", "{\"reason\":\"=\"}\r\n"),
        ("a fetch or beacon without a body", nil, ""), ("a fetch or beacon of bytes", nil, "{}"),
        ("a fetch with an empty type", "", ""), ("a fetch of JSON with an empty type", "", "{}"),
        ("a beacon of a text blob", "text/plain;charset=UTF-8", "{}"),
        ("a fetch of text with a parameter", "text/plain; application/json", "{}"),
        ("a fetch of multipart with a parameter", "multipart/form-data; application/json", ""),
    ]

    /// The fields of a page of another origin. Older browsers do not send Sec-Fetch-Site.
    private static let foreign: [(origin: String?, site: String?)] = [
        ("https://evil.example", "cross-site"), ("https://evil.example", nil), ("null", nil), ("null", "cross-site"),
        (nil, "cross-site"), (own, "cross-site"), (own, "same-site"), ("https://evil.example", "same-origin"),
        ("http://id.example.com", nil), ("https://id.example.com:8443", "same-site"),
    ]

    /// A router, and what each request to it has.
    private struct Target {
        let responder: RouterResponder<EndpointContext>
        let token: String

        init(_ routes: [EndpointRoute], token: String) {
            responder = PublicServer.router("administration", routes: routes).buildResponder()
            self.token = token
        }

        func send(
            _ method: HTTPRequest.Method, _ path: String, type: String?, body: String = "", origin: String? = nil,
            site: String? = nil
        ) async throws -> Exchange {
            var headers: HTTPFields = [.authorization: "Bearer \(token)"]
            if let type { headers[.contentType] = type }
            if let origin { headers[.origin] = origin }
            if let site { headers[.secFetchSite] = site }
            return try await Exchange.send(
                responder, method, path, headers: headers, body: Array(body.utf8), authority: "id.example.com",
                from: ("10.0.0.7", 40001), logger: AuthorityWorld.logger)
        }

        /// The simple requests that give an order and were not refused for their Content-Type. They have neither Origin
        /// nor Sec-Fetch-Site, as those of old browsers.
        func simpleFaults(_ order: some Order) async throws -> [String] {
            let route = type(of: order).route
            guard route.method != .get else { return [] }
            var faults: [String] = []
            for (way, type, body) in AdministrationForgeryTests.simple {
                let answer = try await send(
                    HTTPRequest.Method(route.method.rawValue)!, try OrderForm.request(order).address, type: type,
                    body: body)
                let isRefused = answer.json["detail"]?.stringValue?.hasPrefix("Content-Type must be") == true
                if answer.status != .badRequest || !isRefused { faults.append("\(route.path): \(way)") }
            }
            return faults
        }

        /// The requests that give an order as a program does and were not refused for the origin of their page.
        func foreignFaults(_ order: some Order) async throws -> [String] {
            let route = type(of: order).route
            let (address, members) = try OrderForm.request(order)
            var faults: [String] = []
            for (origin, site) in AdministrationForgeryTests.foreign {
                let answer = try await send(
                    HTTPRequest.Method(route.method.rawValue)!, address, type: "application/json",
                    body: route.method == .get ? "" : JSON.object(members).text, origin: origin, site: site)
                let isRefused = answer.json["detail"]?.stringValue?.hasPrefix("Origin or Sec-Fetch-Site") == true
                if answer.status != .forbidden || !isRefused {
                    faults.append("\(route.path): \(origin ?? "-") \(site ?? "-")")
                }
            }
            return faults
        }
    }

    @Test(
        "no request of another site's page gives an order, on any route, with or without a body; no preflight passes"
    )
    func everyRoute() async throws {
        let world = try await InterfaceWorld()
        let target = Target(world.routes, token: try await world.token(.operator))
        let orders = RoleTests.samples(world.base.app)
        #expect(
            Set(orders.map { "\(type(of: $0).route.method.rawValue) \(type(of: $0).route.path)" })
                == Set(world.routes.map { "\($0.method.rawValue) \($0.path)" }), "the samples have each route")
        let before = try await world.base.world.contents()
        for order in orders {
            let faults = try await target.simpleFaults(order) + target.foreignFaults(order)
            #expect(faults == [])
            let preflight = try await target.send(
                .options, try OrderForm.request(order).address, type: nil, origin: "https://evil.example",
                site: "cross-site")
            #expect(preflight.status == .methodNotAllowed)
            #expect(!preflight.headers.contains { $0.name.canonicalName.hasPrefix("access-control-") })
        }
        #expect(try await world.base.world.contents() == before)
        await world.end()
    }

    /// Looks at Content-Type only where there is a body, and not at the origin.
    private static func naive(_ order: some Order, _ world: InterfaceWorld) -> EndpointRoute {
        let route = type(of: order).route
        let (administration, caller) = (world.base.administration, world.base.caller())
        return EndpointRoute(HTTPRequest.Method(route.method.rawValue)!, route.path) { request, _ in
            let body = try await request.bytes(upTo: 1024)
            guard body.isEmpty || request.mediaType == "application/json" else {
                throw Refusal(.malformedRequest, "Content-Type must be application/json")
            }
            return Response(try await administration.perform(order, by: caller))
        }
    }

    @Test(
        "a guard that looks at Content-Type only where there is a body is found: a form without fields suspends an app")
    func naiveGuard() async throws {
        let world = try await InterfaceWorld()
        let (suspend, revoke) = (SuspendApp(world.base.app), RevokeAdmin("other-admin"))
        let target = Target([Self.naive(suspend, world), Self.naive(revoke, world)], token: "")
        let before = try await world.base.world.contents()
        let faults = try await target.simpleFaults(suspend) + target.simpleFaults(revoke)
        let empty = Self.simple.filter(\.body.isEmpty).map(\.way)
        #expect(
            faults
                == [SuspendApp.route.path, RevokeAdmin.route.path].flatMap { path in empty.map { "\(path): \($0)" } }
        )
        #expect(empty.contains("a form without fields"))
        #expect(try await target.foreignFaults(suspend).count == Self.foreign.count)
        let after = try await world.base.world.contents()
        #expect(after["app"] != before["app"] && after["admin"] != before["admin"])
        #expect(try await world.base.lines().contains { $0.order == "app.suspend" && $0.actor == "ops" })
        await world.end()
    }

    @Test(
        "an order of a program, or of a page of the interface's own origin, passes with Content-Type: application/json",
        arguments: ["", "{}"])
    func ownRequests(body: String) async throws {
        let world = try await InterfaceWorld()
        let target = Target(world.routes, token: try await world.token(.operator))
        let path = "/v1/apps/\(world.other)/suspend"
        for type in ["application/json", "application/json; charset=utf-8", "Application/JSON"] {
            for (origin, site) in [
                (nil, nil), (Self.own, "same-origin"), (Self.own, nil), ("null", "same-origin"),
            ] as [(String?, String?)] {
                let answer = try await target.send(.post, path, type: type, body: body, origin: origin, site: site)
                #expect(answer.status == .ok, "\(type) \(origin ?? "-"): \(answer.body)")
            }
        }
        #expect(try await target.send(.get, "/v1/apps", type: nil, site: "none").status == .ok)
        await world.end()
    }

    @Test("a program that leaves Content-Type out is told the header and its value")
    func message() async throws {
        let world = try await InterfaceWorld()
        let target = Target(world.routes, token: try await world.token(.operator))
        let answer = try await target.send(.post, "/v1/apps/\(world.other)/suspend", type: nil)
        #expect(answer.status == .badRequest && answer.code == Situation.malformedRequest.rawValue)
        #expect(
            answer.json["detail"]
                == "Content-Type must be application/json; send this header with each POST, also without a body")
        await world.end()
    }

    @Test("no order that is given by GET changes anything")
    func reads() {
        #expect(Orders.all.filter { $0.route.method == .get && $0.changes }.map { $0.name } == [])
    }
}
