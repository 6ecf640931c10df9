import GRDB
import HTTPTypes
import ServerTestKit
import Store
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import OpenIDProvider
@testable import Requests
@testable import ServerHTTP
@testable import StoreSQLite

/// Attacks of other sites on a person's login that the person does not see.
@Suite("Frames, forms and cookies of a login over OpenID Connect")
struct OpenIDFrameTests {
    private typealias World = OpenIDWorld

    private func frame(of origin: String?, site: String = "cross-site") -> HTTPFields {
        var headers: HTTPFields = [.secFetchDest: "iframe", .secFetchSite: site]
        headers[.referer] = origin.map { $0 + "/a/page?b=c" }
        return headers
    }

    /// Leaves an app one request on the first phone.
    private func leaveOne(_ limiter: RateBucket<String>, _ app: RegisteredApp, in world: World) async throws {
        let row = try #require(try await world.register.subscription(of: World.number))
        for _ in 1..<world.authority.configuration.prefetchesPerNumber {
            _ = limiter.admits("\(app.record.id.rawValue)/\(row.id)", now: world.clock.now)
        }
    }

    @Test("sixty hidden frames of another site use up nothing, and nothing is kept of them; the app's page still opens")
    func hiddenFrames() async throws {
        try await World.visitBank { world in
            try await leaveOne(world.provider.authorizationEndpoint.limiter, world.shop, in: world)
            try await leaveOne(world.provider.authorizationEndpoint.network.limiter, world.bank, in: world)
            let silent = World.encoded(world.networkRequest("openid \(World.verify) \(World.purpose)"))
            for number in 0..<60 {
                let headers = frame(of: number.isMultiple(of: 2) ? "https://evil.example" : nil)
                for path in [World.encoded(OpenIDLogin.request(world)), silent] {
                    let answer = try await world.browse(.get, "/openid/authorize?\(path)", headers: headers)
                    #expect(answer.status == .badRequest && answer.location == nil && answer.secret == nil)
                    #expect(answer.headers[.setCookie] == nil && answer.headers[.frameOptions] == "DENY")
                }
            }
            #expect(try world.storedDetails().isEmpty)
            #expect(try await world.open().secret != nil)
            #expect(try await world.open().status == .tooManyRequests, "that was the last one")
            #expect(try await world.browse(.get, "/openid/authorize?\(silent)").landing["code"] != nil)
        }
        var naive = NaiveProvider()
        for _ in 0..<60 { _ = naive.opens(frame: true) }
        let opens = naive.opens(frame: false)
        #expect(!opens, "it counts whatever comes")
    }

    @Test("codes without a page are counted apart from pages: an app that used up the ones can show the others")
    func apart() async throws {
        try await World.visitBank { world in
            let scope = "\(World.verify) \(World.purpose)"
            try await leaveOne(world.provider.authorizationEndpoint.network.limiter, world.bank, in: world)
            #expect(try await world.askNetwork(scope).landing["code"] != nil)
            #expect(try await world.askNetwork(scope).landing["error"] == "temporarily_unavailable")
            let page = ["client_id": world.bank.record.id.rawValue, "redirect_uri": World.bankCallback]
            #expect(try await world.open(page).secret != nil)
        }
    }

    @Test("pages that the app's operator allows may frame its login, and no others; the login goes on inside")
    func allowedFrames() async throws {
        try await World.visit(\.asksMiddleDigits) { world in
            let origin = "https://shop.example"
            try await world.changeShop(client: { $0.frameAncestors = [origin, "https://shop.example:8443"] })
            for other in ["https://evil.example", "http://shop.example", "https://shop.example.evil.example", nil] {
                let answer = try await world.open(headers: frame(of: other))
                #expect(answer.status == .badRequest && answer.secret == nil)
            }
            let page = try await world.open(headers: frame(of: origin))
            let typing = try await world.tap(page, headers: frame(of: nil, site: "same-origin"))
            let notice = try await world.tap(page, headers: frame(of: nil, site: "same-origin"))
            for shown in [page, typing, notice] {
                #expect(
                    shown.headers[.contentSecurityPolicy]?.contains(
                        "frame-ancestors https://shop.example https://shop.example:8443") == true)
                #expect(shown.headers[.frameOptions] == nil)
            }
            let cookie = try #require(page.headers[.setCookie])
            #expect(cookie.contains("; SameSite=None; Partitioned") && cookie.contains("; Secure"))
            let done = try await world.tap(
                typing, action: "digits", digits: "0000", cookie: page.cookie,
                headers: frame(of: nil, site: "same-origin"))
            #expect(done.landing["code"] != nil)
            // The link "try again" of a page of ours is in a frame that was judged before.
            #expect(try await world.open(headers: frame(of: nil, site: "same-origin")).secret != nil)
            #expect(try await world.open().headers[.setCookie]?.contains("SameSite=Lax") == true, "in a window as ever")
        }
    }

    @Test("a page of another app's, or of one that allows no frames, cannot be framed by an allowed page")
    func othersFrames() async throws {
        try await World.visit { world in
            try await world.changeShop(client: { $0.frameAncestors = ["https://shop.example"] })
            let page = ["client_id": world.bank.record.id.rawValue, "redirect_uri": World.bankCallback]
            let answer = try await world.open(page, headers: frame(of: "https://shop.example"))
            #expect(answer.status == .badRequest && answer.secret == nil)
            let window = try await world.open(page)
            #expect(window.headers[.contentSecurityPolicy]?.contains("frame-ancestors 'none'") == true)
        }
    }

    @Test(
        "an origin that is none, or could be anything, is not registered for frames",
        arguments: [
            "*", "https://*.shop.example", "https://shop.example/", "https://shop.example/a", "http://shop.example",
            "shop.example", "https://shop.example:443", "https://SHOP.example", "https://u@shop.example", "",
            "https://shop.example?x", "'self'", "https://shop.example; script-src *",
            "https://shop.example https://b.example",
        ])
    func wrongOrigins(_ origin: String) { #expect(OpenIDClients.problem(ofFrameAncestor: origin) != nil) }

    @Test(
        "ordinary origins are registered for frames",
        arguments: [
            "https://shop.example", "https://shop.example:8443", "http://localhost:3000", "http://127.0.0.1:8080",
        ])
    func origins(_ origin: String) { #expect(OpenIDClients.problem(ofFrameAncestor: origin) == nil) }

    @Test("a page that a browser fetches before anybody goes there uses up nothing")
    func speculation() async throws {
        try await World.visit { world in
            try await leaveOne(world.provider.authorizationEndpoint.limiter, world.shop, in: world)
            for purpose in ["prefetch", "prefetch;prerender"] {
                #expect(try await world.open(headers: [.secPurpose: purpose]).secret == nil)
            }
            #expect(try world.storedDetails().isEmpty)
            #expect(try await world.open().secret != nil)
        }
    }

    // MARK: - Cookies

    /// The cookies of one browser, as it sends them: in the order in which it got them.
    private struct Jar {
        var cookies: [(name: String, value: String)] = []

        mutating func keep(_ answer: Exchange) {
            for line in answer.headers[values: .setCookie] {
                let pair = line.split(separator: ";")[0].split(separator: "=", omittingEmptySubsequences: false)
                let name = String(pair[0])
                if line.contains("Max-Age=0") {
                    cookies.removeAll { $0.name == name }
                } else if let index = cookies.firstIndex(where: { $0.name == name }) {
                    cookies[index].value = String(pair[1])
                } else {
                    cookies.append((name, String(pair[1])))
                }
            }
        }

        var header: String { cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ") }
    }

    @Test("another site's form to /openid/authorize opens a page of its own and does not end the one that is open")
    func forcedPage() async throws {
        try await World.visit { world in
            var jar = Jar()
            let open = try await world.open()
            jar.keep(open)
            // With SameSite=Lax no cookie goes with another site's form.
            let forced = try await world.browse(
                .post, "/openid/authorize", headers: [.secFetchDest: "document", .secFetchSite: "cross-site"],
                body: World.encoded(OpenIDLogin.request(world)))
            #expect(forced.secret != nil)
            jar.keep(forced)
            #expect(jar.cookies.count == 2)
            for page in [open, forced] {
                #expect(try await world.tap(page, cookie: jar.header).landing["code"] != nil)
            }
            // The double has one cookie for all pages of a browser.
            var naive = NaiveProvider()
            var cookies: [String: String] = [:]
            let first = naive.show(number: "13800000001", cookies: &cookies)
            _ = naive.show(number: "13800000001", cookies: &cookies)
            #expect(naive.tap(first, cookies: cookies) == nil, "the second page ended the first")
        }
    }

    @Test("a browser keeps the cookies of sixteen pages for half an hour; with one more the oldest is over")
    func manyPages() async throws {
        try await World.visit { world in
            var jar = Jar()
            var pages: [Exchange] = []
            for _ in 0..<17 {
                let page = try await world.open(headers: [.cookie: "a=b; \(jar.header)"])
                #expect(page.headers[values: .setCookie].last?.contains("; Max-Age=1800;") == true)
                jar.keep(page)
                pages.append(page)
            }
            #expect(jar.cookies.count == 16)
            #expect(try await world.tap(pages[0], cookie: jar.header).location == nil)
            for page in [pages[1], pages[16]] {
                #expect(try await world.tap(page, cookie: jar.header).landing["code"] != nil)
            }
        }
    }

    @Test("only over TLS a cookie has the prefix that other hosts cannot forge; plain HTTP is for the machine itself")
    func prefix() {
        #expect(PageBrowser(pages: "https://gw.example").prefix == "__Host-")
        #expect(PageBrowser(pages: "http://127.0.0.1:8080").prefix == "")
    }
}

extension OpenIDWorld {
    /// Returns the details of the stored credentials, including spent ones.
    func storedDetails(kind: String? = nil) throws -> [String] {
        try store.pool.read { db in
            try String.fetchAll(
                db, sql: "SELECT details FROM openid_credential WHERE kind = coalesce(?, kind)", arguments: [kind])
        }
    }

    func changeBankClient(_ change: (inout OpenIDClientRecord) -> Void) async throws {
        var record = try await clients.find(bank.record.id)
        change(&record)
        try await store.putOpenIDClient(record)
    }
}
