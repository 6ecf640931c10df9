import BenjiFaceProtocol
import HTTPTypes
import Hummingbird
import NIOCore
import ServerTestKit
import Sightings
import Store
import Synchronization
import Testing

@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import Link
@testable import OpenIDProvider
@testable import Requests
@testable import ServerHTTP

@Suite("What the link carries for browsers", .serialized)
struct LinkBrowserTests {
    /// A gateway's routes before an authority, with these sightings.
    private func router(_ remote: RemoteAuthority, _ sightings: any SightingSource) -> Router<EndpointContext> {
        PublicServer.router(
            "device",
            routes: ForwardingEndpoints(remote, sightings: sightings, publicURLs: [OpenIDWorld.pages]).routes)
    }

    @Test("a gateway forwards each request of phones and browsers that the authority's routes answer, and no other")
    func paths() {
        let faces = Set(FacePath.allCases.map(\.rawValue))
        let forwarded = ForwardedPath.all.filter { !faces.contains($0.path) && !$0.path.hasPrefix("/face/") }
        let stated = StatedSightings()
        let answered =
            LinkWorld.phoneRoutes(ScriptedDeviceService(), ScriptedOpenIDService())
            + OwnLog().routes(stated)
        #expect(
            Set(forwarded.map { "\($0.method) \($0.path)" }) == Set(answered.map { "\($0.method) \($0.path)" }))
        // A gateway reads as much as the authority's routes do.
        let sizes = Dictionary(ForwardedPath.all.filter { $0.method == .post }.map { ($0.path, $0.maximumBody) }) {
            max($0, $1)
        }
        #expect(sizes[OpenIDProvider.Path.login.rawValue] == OpenIDEndpoints.maximumBody)
        #expect(sizes[OwnLogEndpoints.path] == OwnLogEndpoints.maximumBody)
        #expect(sizes["/h5/getMobile"] == EndpointRoute.maximumServerBody)
        for path in FacePath.allCases { #expect(sizes[path.rawValue] == path.maximumBody) }
        // No request that an app's server or an operator sends is forwarded.
        let servers = ["/openid/token", "/v1/", "/unisdk/", "/admin", "/link/", "/health"]
        #expect(!ForwardedPath.all.contains { path in servers.contains { path.path.hasPrefix($0) } })
    }

    @Test("a whole login walks through a gateway's pages as through those of one process")
    func walk() async throws {
        try await OpenIDWorld.visit { world in
            let routes = OpenIDEndpoints(
                service: world.provider, pages: OpenIDWorld.pages, sightings: StatedSightings()
            ).browserRoutes
            try await inLinkWorld(only: routes) { link in
                try await link.asGateway(try await link.certificates.gateway("gateway-1").client) { remote in
                    let gateway = router(remote, SightingsNow(world))
                    func browse(
                        _ method: HTTPRequest.Method, _ path: String, _ form: [String: String] = [:],
                        cookie: String? = nil
                    ) async throws -> Exchange {
                        var headers: HTTPFields = [.acceptLanguage: "en", .accept: "text/html"]
                        if method == .post { headers[.contentType] = "application/x-www-form-urlencoded" }
                        headers[.cookie] = cookie
                        return try await Exchange.send(
                            gateway, method, path, headers: headers, body: Array(OpenIDWorld.encoded(form).utf8),
                            authority: "gw.example.com", from: (OpenIDWorld.phone, 40_001))
                    }
                    let request = OpenIDLogin.request(world)
                    let page = try await browse(.get, "/openid/authorize?" + OpenIDWorld.encoded(request))
                    #expect(page.status == .ok && page.body.contains("User Agreement"))
                    #expect(page.headers[.contentSecurityPolicy] != nil)
                    let form = ["page": try #require(page.secret), "action": "login", "agreed": "yes"]
                    let answer = try await browse(.post, "/openid/login", form, cookie: page.cookie)
                    #expect(answer.status == .seeOther && answer.landing["code"] != nil)
                    let script = try await browse(.get, OpenIDProvider.Path.script.rawValue)
                    #expect(script.status == .ok && script.headers[.contentType]?.contains("javascript") == true)
                    let long = ["page": String(repeating: "a", count: OpenIDEndpoints.maximumBody)]
                    let refused = try await browse(.post, "/openid/login", long)
                    #expect(refused.status == .contentTooLarge && refused.headers[.connection] == "close")
                }
            }
        }
    }

    /// The sightings of a world, stated now: the authority's clock is the machine's.
    private struct SightingsNow: SightingSource {
        let world: OpenIDWorld

        init(_ world: OpenIDWorld) { self.world = world }

        func sighting(
            from address: InternetAddress, port: UInt16, claimedLocalAddress: InternetAddress?
        ) async -> Result<Sighting, SightingRefusal> {
            await world.sighting(from: address, port: port, claimedLocalAddress: claimedLocalAddress).map { sighting in
                var sighting = sighting
                sighting.time = SystemWallClock().now
                return sighting
            }
        }
    }

    @Test("a person before whom no authority stands is told so on a page, and a program in JSON")
    func nobody() async throws {
        let certificates = try await LinkCertificates()
        defer { certificates.remove() }
        try await withRefusingPort { port in
            try await withRemote(
                "https://127.0.0.1:\(port)", try await certificates.gateway("gateway-1").client,
                logger: LogBook().logger
            ) { remote in
                let gateway = router(remote, ScriptedDeviceService())
                let page = try await Exchange.send(
                    gateway, .get, "/openid/authorize?client_id=1",
                    headers: [.accept: "text/html,*/*", .acceptLanguage: "en"])
                #expect(page.status == .serviceUnavailable && page.body.contains("<html"))
                #expect(page.body.contains("?client_id=1"), "it can be tried again")
                let json = try await Exchange.send(gateway, .post, CMPassportBrowserEndpoints.path, body: [0x7b])
                #expect(json.status == .serviceUnavailable && json.code == "overloaded")
            }
        }
    }

    @Test("an answer that no gateway would read is refused by the authority, and no node is left alone for it")
    func tooLarge() async throws {
        let route = EndpointRoute(.get, OpenIDProvider.Path.media.rawValue) { _, _ in
            Response(
                status: .ok,
                body: ResponseBody(byteBuffer: ByteBuffer(repeating: 0, count: LinkRules.maximumAnswer)))
        }
        try await inLinkWorld(only: [route]) { world in
            try await world.asGateway(try await world.certificates.gateway("gateway-1").client) { remote in
                let answer = try await remote.send(LinkPhone().browse(.get, "/openid/media/x"))
                #expect(answer.status == 500 && answer.code == "internal_error")
                #expect(remote.warnings.isEmpty)
            }
        }
    }

    @Test("a browser's request and an image reach their ends whole, with the address that the browser calls from")
    func whole() async throws {
        try await inLinkWorld { world in
            try await world.asGateway(try await world.certificates.gateway("gateway-1").client) { remote in
                var phone = LinkPhone(sighting: .success(world.sighting(gateway: "gateway-1")))
                phone.source = InternetAddress("2001:db8::7")
                let answer = try await remote.send(
                    phone.browse(
                        .get, "/openid/authorize?state=%01%22%5C&client_id=1",
                        [.acceptLanguage: "zh-TW, en", .cookie: "benji-0123=" + String(repeating: "c", count: 43)]))
                #expect(answer.status == 303 && answer.headers[.location] == ScriptedOpenIDService.redirect)
                let call = try #require(world.openID.calls.first)
                #expect(call.sighting == phone.sighting && call.source == phone.source)
                #expect(call.languages == ["zh-TW", "en"] && call.destination == .window)
                #expect(world.openID.seenParameters.first?["state"] == "\u{1}\"\\")
                let image = try await remote.send(
                    phone.browse(.get, "/openid/media/\(ScriptedOpenIDService.media.digest)"))
                #expect(image.body == ScriptedOpenIDService.media.content)
                #expect(image.headers[.contentType] == "image/png")
                let part = try await remote.send(
                    phone.browse(.get, "/openid/media/\(ScriptedOpenIDService.media.digest)", [.range: "bytes=1-3"]))
                #expect(part.status == 206 && part.body == Array(ScriptedOpenIDService.media.content[1...3]))
                let none = try await remote.send(
                    phone.browse(.get, "/openid/media/" + String(repeating: "A", count: 43)))
                #expect(none.status == 404)
                #expect(remote.warnings.isEmpty)
            }
        }
    }

    /// An authority that records its requests.
    private final class OwnLog: Sendable {
        let asked = Mutex<[String]>([])

        func routes(_ sightings: any SightingSource) -> [EndpointRoute] {
            OwnLogEndpoints(sightings: sightings, listing: list, proving: prove).routes
        }

        @Sendable private func list(
            before: Int64?, sighting: Result<Sighting, SightingRefusal>
        ) async throws(Refusal) -> JSON {
            asked.withLock { $0.append("list \(before ?? -1)") }
            return .object(["leaves": .array([])])
        }

        @Sendable private func prove(
            leaf: Int64, number: PhoneNumber, sighting: Result<Sighting, SightingRefusal>
        ) async throws(Refusal) -> JSON {
            asked.withLock { $0.append("proof \(leaf) +\(number.e164)") }
            guard number.e164 == "12025550123" else { throw Refusal(.numberDiffers, "another") }
            return .object(["index": .integer(leaf)])
        }
    }

    @Test(
        """
        over the link a person has their log, and its proofs by the number that they typed; no other gateway asks for \
        them
        """
    )
    func ownLog() async throws {
        let service = OwnLog()
        let routes = service.routes(StatedSightings())
        try await inLinkWorld(more: routes) { world in
            try await world.asGateway(try await world.certificates.gateway("gateway-1").client) { remote in
                func ask(_ form: String, as gateway: String = "gateway-1") async throws -> ForwardedAnswer {
                    try await remote.send(
                        LinkPhone(sighting: .success(world.sighting(gateway: gateway))).browse(
                            .post, OwnLogEndpoints.path, [.contentType: "application/x-www-form-urlencoded"],
                            Array(form.utf8)))
                }
                #expect(try await ask("before=4").status == 200)
                let proof = try await ask("proof=3&number=%2B12025550123")
                #expect(try JSON(parsing: proof.body)["index"] == .integer(3))
                #expect(try await ask("proof=3&number=13800000001").code == "number_differs")
                let refusal = await #expect(throws: Refusal.self) {
                    try await ask("proof=3&number=%2B12025550123", as: "gateway-2")
                }
                #expect(refusal?.situation == .gatewayNotTrusted)
            }
        }
        #expect(service.asked.withLock { $0 } == ["list 4", "proof 3 +12025550123", "proof 3 +8613800000001"])
        try await inLinkWorld { world in
            try await world.asGateway(try await world.certificates.gateway("gateway-1").client) { remote in
                let off = try await remote.send(LinkPhone().browse(.get, OwnLogEndpoints.path))
                #expect(off.status == 404, "the page is off at the authority")
            }
        }
    }
}
