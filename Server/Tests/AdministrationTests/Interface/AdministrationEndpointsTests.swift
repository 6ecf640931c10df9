import Administration
import AdministrationEndpoints
import Authority
@_spi(Server) import BenjiProtocol
import Crypto
import HTTPTypes
import Hummingbird
import ServerHTTP
import ServerTestKit
import Store
import StoreSQLite
import Testing

/// An installation with two apps of two developers, behind the admin interface.
struct InterfaceWorld: Sendable {
    let base: AdministrationWorld
    let routes: [EndpointRoute]
    /// A second developer's app.
    let other: AppID

    init() async throws {
        base = try await AdministrationWorld()
        other = try await base.authority.apps.register(Apps.Registration(name: "other")).record.id
        try await base.world.store.createAdmin(
            AdminRecord(
                name: "other-admin", role: "support", kind: .certificate,
                credential: CredentialHash(bytes: [UInt8](repeating: 7, count: 32)), createdAt: base.clock.now,
                expiresAt: base.clock.now + .seconds(86400)), audit: nil)
        routes =
            AdministrationEndpoints(
                administration: base.administration, clock: base.clock, hosts: ["id.example.com"], isSecure: true
            ).routes
    }

    func token(_ role: Role, apps: [AppID] = []) async throws -> String {
        let name = "\(role.rawValue)-\(apps.first?.rawValue ?? "all")"
        let order = GrantAdmin(name, role, apps: apps)
        return try await base.order(order, by: base.caller(seesNumbers: true))["token"]?.stringValue ?? ""
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, token: String?, _ body: String = "", key: String? = nil,
        type: String = "application/json", authority: String = "id.example.com"
    ) async throws -> Exchange {
        var headers: HTTPFields = [:]
        if let token { headers[.authorization] = "Bearer \(token)" }
        if method != .get { headers[.contentType] = type }
        if let key { headers[HTTPField.Name("Idempotency-Key")!] = key }
        return try await Exchange.send(
            PublicServer.router("administration", routes: routes), method, path, headers: headers,
            body: Array(body.utf8), authority: authority)
    }

    /// As a client writes the order.
    func send<Asked: Order>(_ order: Asked, token: String?) async throws -> Exchange {
        let (address, body) = try OrderForm.request(order)
        let method = HTTPRequest.Method(Asked.route.method.rawValue)!
        return try await send(method, address, token: token, method == .get ? "" : JSON.object(body).text)
    }

    func end() async { await base.end() }
}

@Suite("The admin interface")
struct AdministrationEndpointsTests {
    @Test("without a credential, or with none that counts, no route answers and the audit log gets no line")
    func nobody() async throws {
        let world = try await InterfaceWorld()
        let before = try await world.base.lines().count
        for order in RoleTests.samples(world.base.app) {
            for token in [nil, "", "benji_admin_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"] {
                let answer = try await world.send(order, token: token)
                #expect(answer.status == .unauthorized, "\(type(of: order).name)")
                #expect(answer.headers[.wwwAuthenticate]?.hasPrefix("Bearer") == true)
            }
        }
        #expect(try await world.base.lines().count == before)
        await world.end()
    }

    @Test("each role is answered on the routes of its orders, and refused on every other", arguments: Role.allCases)
    func roles(role: Role) async throws {
        let world = try await InterfaceWorld()
        let token = try await world.token(role, apps: role == .developer ? [world.base.app] : [])
        for order in RoleTests.samples(world.base.app) {
            let name = type(of: order).name
            let answer = try await world.send(order, token: token)
            let isAllowed = role == .operator || RoleTests.allowed[role]?.contains(name) == true
            #expect((answer.code != Situation.orderNotPermitted.rawValue) == isAllowed, "\(name): \(answer.body)")
            #expect(isAllowed || answer.status == .forbidden, "\(name)")
            #expect(answer.json["detail"] != "there is nothing at this address", "\(name): \(answer.body)")
        }
        await world.end()
    }

    @Test("with another developer's ids no route answers or changes anything, and each refusal has one line")
    func tenants() async throws {
        let world = try await InterfaceWorld()
        let token = try await world.token(.developer, apps: [world.other])
        let app = try await world.base.world.store.app(world.base.app)
        for target in [world.base.app, world.base.unknown] {
            for order in RoleTests.samples(target) where order.app != nil {
                let name = type(of: order).name
                let before = try await world.base.lines().count
                let answer = try await world.send(order, token: token)
                #expect(answer.status == .forbidden, "\(name): \(answer.body)")
                #expect(answer.code == Situation.orderNotPermitted.rawValue, "\(name)")
                #expect(!answer.body.contains(world.base.app.rawValue), "\(name)")
                let lines = try await world.base.lines()
                #expect(lines.count == before + 1, "\(name)")
                #expect(lines.first?.outcome == .orderNotPermitted && lines.first?.order == name)
            }
        }
        #expect(try await world.base.world.store.app(world.base.app) == app)
        let listed = try await world.send(ListApps(), token: token).json.arrayValue ?? []
        #expect(listed.map { $0["id"]?.stringValue } == [world.other.rawValue])
        await world.end()
    }

    @Test(
        """
        a request that has a name is carried out once, whoever sends it again gets no secret, another with its name is \
        refused
        """
    )
    func requestNames() async throws {
        let world = try await InterfaceWorld()
        let token = try await world.token(.operator)
        let body = #"{"name":"Named"}"#
        let first = try await world.send(.post, "/v1/apps", token: token, body, key: "one")
        #expect(first.json["serverSecret"] != nil)
        let again = try await world.send(.post, "/v1/apps", token: token, body, key: "one")
        #expect(again.status == .ok && again.json["serverSecret"] == nil)
        #expect(again.json["alreadyCarriedOut"]?["app"] == first.json["id"])
        let other = try await world.send(.post, "/v1/apps", token: token, #"{"name":"Other"}"#, key: "one")
        #expect(other.status == .conflict && other.code == Situation.messageReplayed.rawValue)
        let named = try await world.base.authority.apps.all().filter { $0.name == "Named" || $0.name == "Other" }
        #expect(named.count == 1)
        let long = try await world.send(
            .post, "/v1/apps", token: token, body, key: String(repeating: "k", count: 65))
        #expect(long.code == Situation.parameterInvalid.rawValue)
        await world.end()
    }

    @Test("many requests of one name at once are carried out once")
    func requestsAtOnce() async throws {
        let world = try await InterfaceWorld()
        let token = try await world.token(.operator)
        let answers = try await withThrowingTaskGroup(of: Exchange.self) { group in
            for _ in 0..<12 {
                group.addTask {
                    try await world.send(.post, "/v1/apps", token: token, #"{"name":"Once"}"#, key: "storm")
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0.status == .ok }, "\(answers.map(\.body))")
        #expect(answers.count { $0.json["serverSecret"] != nil } == 1)
        #expect(try await world.base.authority.apps.all().count { $0.name == "Once" } == 1)
        await world.end()
    }

    @Test(
        """
        of many requests of one name at once with different content one is carried out, and the others are told why not
        """
    )
    func differentRequestsAtOnce() async throws {
        let world = try await InterfaceWorld()
        let token = try await world.token(.developer, apps: [world.other])
        let answers = try await withThrowingTaskGroup(of: Exchange.self) { group in
            for number in 0..<24 {
                group.addTask {
                    try await world.send(
                        .patch, "/v1/apps/\(world.other)", token: token,
                        #"{"bundles":{"add":["com.example.a\#(number)"]}}"#, key: "storm")
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count { $0.status == .ok } == 1)
        #expect(answers.count { $0.code == Situation.messageReplayed.rawValue } == 23, "\(answers.map(\.body))")
        await world.end()
    }

    @Test("an admin's program counts as proven by a token that counts, and by no other")
    func proven() async throws {
        let world = try await InterfaceWorld()
        let router = plainRouter(world.routes)
        let forged = "benji_admin_" + String(repeating: "A", count: 43)
        for (token, isProven) in [(try await world.token(.auditor), true), (forged, false)] {
            let headers: HTTPFields = [.authorization: "Bearer \(token)"]
            let proved = await proves { _ = try await Exchange.send(router, .get, "/v1/apps", headers: headers) }
            #expect(proved == isProven)
        }
        await world.end()
    }

    @Test("a page of another name, a body that is no JSON, and what an order does not know are refused")
    func badRequests() async throws {
        let world = try await InterfaceWorld()
        let token = try await world.token(.operator)
        let rebound = try await world.send(.get, "/v1/apps", token: token, authority: "attacker.example")
        #expect(rebound.status == .misdirectedRequest)
        for (body, type) in [
            (#"{"name":"x"}"#, "text/plain"), ("name=x", "application/x-www-form-urlencoded"),
            ("[]", "application/json"),
            (#"{"name":"x","name":"y"}"#, "application/json"), ("{", "application/json"),
        ] {
            let answer = try await world.send(.post, "/v1/apps", token: token, body, type: type)
            #expect(answer.code == Situation.malformedRequest.rawValue, "\(body)")
        }
        for (query, problem) in [
            ("limit=x", "limit: must be a whole number"), ("limt=3", "limt: there is no such parameter here"),
            ("limit=3&limit=4", "limit: is there twice"), ("limit=0", "limit: 1 to 500"),
        ] {
            let answer = try await world.send(.get, "/v1/audit?\(query)", token: token)
            #expect(answer.json["detail"]?.stringValue == problem, "\(query)")
        }
        let both = try await world.send(
            .post, "/v1/apps/\(world.base.app)/suspend", token: token, #"{"id":"300000000099"}"#)
        #expect(both.code == Situation.parameterInvalid.rawValue)
        let number = try await world.send(.post, "/v1/traces/find?number=13800000001", token: token, "{}")
        #expect(number.code == Situation.parameterInvalid.rawValue)
        await world.end()
    }

    @Test("what is too much or too large is refused, and nothing counts beyond its type")
    func extremes() async throws {
        let world = try await InterfaceWorld()
        let token = try await world.token(.operator)
        let most = Int64.max
        for query in [
            "policies?before=\(most)", "audit?before=\(most)", "pages?before=\(most)",
            "apps/\(world.other)/ledger?before=\(most)",
        ] {
            #expect(try await world.send(.get, "/v1/\(query)", token: token).status == .ok, "\(query)")
        }
        for query in [
            "policies?limit=\(most)&before=5", "audit?limit=\(most)", "pages?limit=\(most)", "policies?limit=0",
        ] {
            #expect(try await world.send(.get, "/v1/\(query)", token: token).status == .badRequest, "\(query)")
        }
        let many = JSON.array((0...ListChange.maximum).map { .string("com.example.a\($0)") }).text
        for bundles in [many, "[]", #"{"remove":\#(many)}"#] {
            let answer = try await world.send(
                .patch, "/v1/apps/\(world.other)", token: token, #"{"bundles":\#(bundles)}"#)
            #expect(answer.code == Situation.parameterInvalid.rawValue, "\(bundles.prefix(20))")
        }
        await world.end()
    }

    @Test("an address with more than 32 parameters is refused before any of them is read")
    func manyParameters() async throws {
        let world = try await InterfaceWorld()
        let token = try await world.token(.operator)
        let names = (0..<33).map { "x\($0)=" }.joined(separator: "&")
        let answer = try await world.send(.get, "/v1/audit?limit=x&\(names)", token: token)
        #expect(answer.json["detail"] == "the address has more than 32 parameters")
        await world.end()
    }

    @Test("a body about another developer's app is not read, and one that is larger than its order may be neither")
    func unreadBodies() async throws {
        let world = try await InterfaceWorld()
        let token = try await world.token(.developer, apps: [world.other])
        let strange = try await world.send(.patch, "/v1/apps/\(world.base.app)/openid", token: token, "no JSON at all")
        #expect(strange.code == Situation.orderNotPermitted.rawValue)
        let line = try #require(try await world.base.lines().first)
        #expect(line.order == "app.openid.set" && line.outcome == .orderNotPermitted)
        #expect(line.app == nil && line.subject == "app \(world.base.app)")
        let own = try await world.send(.patch, "/v1/apps/\(world.other)/openid", token: token, "no JSON at all")
        #expect(own.code == Situation.malformedRequest.rawValue)
        let long = #"{"name":"\#(String(repeating: "x", count: 1 << 20))"}"#
        let large = try await world.send(.patch, "/v1/apps/\(world.other)", token: token, long)
        #expect(large.code == Situation.bodyTooLarge.rawValue, "\(large.body)")
        await world.end()
    }

    @Test("a repeated request that meets what its first left is told that it was carried out")
    func repeatedStates() async throws {
        let world = try await InterfaceWorld()
        let token = try await world.token(.operator)
        for path in ["apps/\(world.other)/delete", "admins/other-admin/revoke"] {
            for _ in 0..<2 {
                let answer = try await world.send(.post, "/v1/\(path)", token: token, "{}", key: path)
                #expect(answer.status == .ok, "\(path): \(answer.body)")
            }
        }
        await world.end()
    }

    @Test("a line of the audit log has a hash of an order without its number, and a keyed one of the request's name")
    func numbers() async throws {
        let world = try await InterfaceWorld()
        let token = try await world.token(.operator)
        let answer = try await world.send(
            .post, "/v1/numbers/reassign", token: token, #"{"number":"+86\#(AuthorityWorld.number.national)"}"#,
            key: "one")
        #expect(answer.status == .ok, "\(answer.body)")
        let line = try await world.base.lines().first
        let rest = Array(SHA256.hash(data: Array("{}".utf8)))
        #expect(line?.request?.digest == rest)
        let named = "erase-\(AuthorityWorld.number.national)"
        _ = try await world.send(.post, "/v1/apps/\(world.other)/suspend", token: token, "{}", key: named)
        let key = try #require(try await world.base.lines().first?.request?.key)
        let hash = Base64URL.encode(Array(SHA256.hash(data: Array(named.utf8))))
        #expect(key != named && key != hash && !key.contains(AuthorityWorld.number.national))
        await world.end()
    }

    @Test("an order about another developer's app has a line that the app's own log does not show")
    func strangersLines() async throws {
        let world = try await InterfaceWorld()
        let stranger = try await world.token(.developer, apps: [world.other])
        let own = try await world.token(.developer, apps: [world.base.app])
        _ = try await world.send(.patch, "/v1/apps/\(world.base.app)", token: stranger, #"{"bundles":["a.b"]}"#)
        let shown = try await world.send(.get, "/v1/audit?app=\(world.base.app)", token: own)
        #expect(shown.status == .ok && !shown.body.contains("developer-\(world.other)"))
        await world.end()
    }

    @Test("a developer shortens lives, and neither lengthens one nor takes it away")
    func lives() async throws {
        let world = try await InterfaceWorld()
        let (operators, developers) = (
            try await world.token(.operator), try await world.token(.developer, apps: [world.other])
        )
        func set(_ body: String, _ token: String) async throws -> HTTPResponse.Status {
            try await world.send(.patch, "/v1/apps/\(world.other)", token: token, body).status
        }
        #expect(try await set(#"{"tokenLifetime":60}"#, operators) == .ok)
        #expect(try await set(#"{"tokenLifetime":61}"#, developers) == .forbidden)
        #expect(try await set(#"{"clear":["token-lifetime"]}"#, developers) == .forbidden)
        #expect(try await set(#"{"tokenLifetime":59}"#, developers) == .ok)
        await world.end()
    }

    @Test("the audit log names the admin, the address and the reason of an order that came over the interface")
    func line() async throws {
        let world = try await InterfaceWorld()
        let token = try await world.token(.operator)
        let answer = try await world.send(
            .post, "/v1/apps/\(world.base.app)/suspend", token: token, #"{"reason":"complaints"}"#)
        #expect(answer.json["suspended"] == true)
        let line = try #require(try await world.base.lines().first)
        #expect(line.actor == "operator-all" && line.role == "operator" && line.origin == "10.0.0.7")
        #expect(line.reason == "complaints" && line.order == "app.suspend" && line.app == world.base.app)
        await world.end()
    }

    @Test("pages of the audit log follow each other by their cursor without a gap")
    func pages() async throws {
        let world = try await InterfaceWorld()
        let token = try await world.token(.operator)
        for _ in 0..<3 { try await world.base.order(SuspendApp(world.base.app)) }
        var seen: [Int64] = []
        var next: Int64?
        repeat {
            let cursor = next.map { "&before=\($0)" } ?? ""
            let answer = try await world.send(.get, "/v1/audit?limit=2\(cursor)", token: token).json
            seen += (answer["entries"]?.arrayValue ?? []).compactMap { $0["id"]?.integerValue }
            next = answer["next"]?.integerValue
        } while next != nil
        #expect(seen == seen.sorted(by: >) && Set(seen).count == seen.count && seen.last == 1)
        await world.end()
    }
}
