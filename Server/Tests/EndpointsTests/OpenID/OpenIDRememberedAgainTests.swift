import HTTPTypes
import ServerTestKit
import Store
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import OpenIDProvider

/// The consents that a browser has remembered when the person answers on a page again.
@Suite("A remembered consent and the person's next answer")
struct OpenIDRememberedAgainTests {
    private typealias World = OpenIDWorld

    private func remember(_ world: World, from address: String = World.phone) async throws -> String {
        let page = try await world.open(from: address)
        return try #require(try await world.tap(page, remembers: true, from: address).cookie)
    }

    /// Whether the app has a login without a page.
    private func counts(_ world: World, _ cookie: String, from address: String = World.phone) async throws -> Bool {
        let answer = try await world.open(["prompt": "none"], headers: [.cookie: cookie], from: address)
        let landing = answer.landing
        #expect(landing["code"] != nil || landing["error"] == "consent_required")
        return landing["code"] != nil
    }

    /// Opens a page in a browser that sends a cookie, and taps on it.
    private func tap(
        _ world: World, _ cookie: String, agreed: Bool = true, remembers: Bool = false
    ) async throws -> Exchange {
        let page = try await world.open(["prompt": "login"], headers: [.cookie: cookie])
        return try await world.tap(
            page, agreed: agreed, remembers: remembers, cookie: "\(try #require(page.cookie)); \(cookie)")
    }

    @Test("a cookie that was copied is worth nothing once its owner has tapped again in that browser, box or no box")
    func copied() async throws {
        try await World.visit(\.remembersConsent) { world in
            let other = try await remember(world)
            let first = try await remember(world)
            #expect(try await counts(world, first))
            let without = try await tap(world, first)
            #expect(without.landing["code"] != nil)
            #expect(try await !counts(world, first))
            let second = try await remember(world)
            let with = try await tap(world, second, remembers: true)
            #expect(try await !counts(world, second))
            #expect(try await counts(world, try #require(with.cookie)))
            #expect(try await counts(world, other), "another browser's")
        }
        var naive = NaiveProvider()
        let cookie = naive.remember("first")
        _ = naive.remember("first")
        #expect(naive.silentLogin(cookie) == "first", "the double must fall")
    }

    @Test("what does not log in ends nothing, nor does a cookie of another number's, nor a page without the box")
    func nothing() async throws {
        try await World.visit(\.remembersConsent) { world in
            let cookie = try await remember(world)
            #expect(try await tap(world, cookie, agreed: false).landing["code"] == nil, "the sheet")
            #expect(try await counts(world, cookie))
            let others = try await remember(world, from: World.otherPhone)
            #expect(try await tap(world, others).landing["code"] != nil)
            #expect(try await counts(world, others, from: World.otherPhone))
            // The cookie's name is the app's, so another app's page finds none.
            let bank = world.bank.record.id.rawValue
            let page = try await world.open(
                ["client_id": bank, "redirect_uri": "https://bank.example/callback"], headers: [.cookie: cookie])
            let done = try await world.tap(page, cookie: "\(try #require(page.cookie)); \(cookie)")
            #expect(done.landing["code"] != nil)
            #expect(try await counts(world, cookie))
        }
    }
}
