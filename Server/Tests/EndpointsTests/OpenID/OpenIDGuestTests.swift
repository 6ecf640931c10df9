import HTTPTypes
import ServerTestKit
import Store
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import OpenIDProvider
@testable import Requests

/// A script at the phone's own address, as a guest of its hotspot runs it, against the person's browser.
@Suite("Whoever shares a phone's address does not close an app's web login to it")
struct OpenIDGuestTests {
    private typealias World = OpenIDWorld
    private static let limit = 60

    @Test(
        """
        however many pages a guest opens, a second later the person's opens; a double that counts for ten minutes \
        stays shut
        """
    )
    func pages() async throws {
        try await World.visit(limit: Self.limit) { world in
            let naive = RateLimiter(limit: Self.limit, window: .seconds(600))
            for _ in 0..<(2 * Self.limit) {
                _ = try await world.open()
                _ = naive.admits("shop", now: world.clock.now)
            }
            let refused = try await world.open()
            #expect(
                refused.status == .tooManyRequests && refused.body.contains("href=\"?"), "it can be asked for again")
            for _ in 0..<3 {
                world.clock.advance(by: .seconds(1))
                let page = try await world.open()
                #expect(page.secret != nil)
                for _ in 0..<Self.limit { _ = try await world.open() }
                #expect(try await world.tap(page).landing["code"] != nil, "and nothing that he opens stops the tap")
                let opens = naive.admits("shop", now: world.clock.now)
                #expect(!opens, "the double must fall")
            }
        }
    }

    @Test("a request that the app's server pushed or signed is held to no count that a guest can drive up")
    func servers() async throws {
        try await World.visit(limit: Self.limit) { world in
            let bank = ["client_id": world.bank.record.id.rawValue, "redirect_uri": World.bankCallback]
            for _ in 0..<(2 * Self.limit) {
                _ = try await world.open()
                _ = try await world.open(bank)
            }
            for changes in [[:], bank] { #expect(try await world.open(changes).status == .tooManyRequests) }
            for _ in 0..<(2 * Self.limit) {
                let pushed = try await world.call(
                    .post, .push, headers: world.basic(), form: OpenIDLogin.request(world))
                let uri = try #require(pushed.json["request_uri"]?.stringValue)
                let page = try await world.browse(
                    .get,
                    "/openid/authorize?"
                        + World.encoded(["client_id": world.shop.record.id.rawValue, "request_uri": uri]))
                #expect(page.secret != nil)
                #expect(try await world.openSigned(try world.requestObject { try world.signed($0) }).secret != nil)
            }
        }
    }

    @Test("one signed request that is shown again and again is looked at so often, and takes nothing from the next one")
    func replays() async throws {
        try await World.visit(limit: Self.limit) { world in
            let object = try world.requestObject { try world.signed($0) }
            #expect(try await world.openSigned(object).secret != nil)
            for _ in 1..<Self.limit {
                #expect(try await world.openSigned(object).landing["error"] == "invalid_request_object")
            }
            #expect(try await world.openSigned(object).status == .tooManyRequests)
            #expect(try await world.openSigned(try world.requestObject { try world.signed($0) }).secret != nil)
        }
    }

    @Test(
        """
        however many codes without a page a guest asks for, a second later the app gets its own, and a pushed request \
        at once
        """
    )
    func network() async throws {
        try await World.visitBank(limit: Self.limit) { world in
            let scope = "\(World.verify) \(World.purpose)"
            for _ in 0..<(2 * Self.limit) { _ = try await world.askNetwork(scope) }
            #expect(try await world.askNetwork(scope).landing["error"] == "temporarily_unavailable")
            let assertion = try world.assertion()
            let pushed = try await world.call(
                .post, .push,
                form: world.networkRequest(
                    scope, ["client_assertion_type": ProviderContext.assertionType, "client_assertion": assertion]))
            let uri = try #require(pushed.json["request_uri"]?.stringValue)
            let answer = try await world.browse(
                .get,
                "/openid/authorize?"
                    + World.encoded(["client_id": world.bank.record.id.rawValue, "request_uri": uri]))
            #expect(answer.landing["code"] != nil)
            world.clock.advance(by: .seconds(1))
            #expect(try await world.askNetwork(scope).landing["code"] != nil)
        }
    }
}
