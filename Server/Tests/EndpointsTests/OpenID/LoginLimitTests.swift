import HTTPTypes
import ServerTestKit
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import OpenIDProvider

@Suite("What a login in a browser is limited to, until the last millisecond")
struct LoginLimitTests {
    @Test("wrong digits count for a day from the first of them on")
    func digits() async throws {
        try await OpenIDWorld.visit(\.asksMiddleDigits) { world async throws in
            func typed(_ digits: String) async throws -> Exchange {
                let first = try await world.open()
                let typing = try await world.tap(first)
                return try await world.tap(typing, action: "digits", digits: digits, cookie: first.cookie)
            }
            for _ in 0..<10 { #expect(try await typed("1111").secret != nil) }
            #expect(try await typed("0000").status == .tooManyRequests)
            world.clock.advance(by: .milliseconds(86_399_999))
            #expect(try await typed("0000").status == .tooManyRequests)
            world.clock.advance(by: .milliseconds(1))
            #expect(try await typed("0000").landing["code"] != nil)
        }
    }

    @Test("ten consents of one number to one app are remembered in a day, and a login goes on without")
    func remembering() async throws {
        try await OpenIDWorld.visit(\.remembersConsent) { world async throws in
            func isRemembered() async throws -> Bool {
                let done = try await world.tap(try await world.open(), remembers: true)
                #expect(done.landing["code"] != nil)
                return done.cookie?.hasPrefix("__Host-remembered-") == true
            }
            for _ in 0..<10 { #expect(try await isRemembered()) }
            #expect(try await !isRemembered())
            world.clock.advance(by: .milliseconds(86_399_999))
            #expect(try await !isRemembered())
            world.clock.advance(by: .milliseconds(1))
            #expect(try await isRemembered())
        }
    }

    @Test("above the burst twenty pages a second are shown to one phone: one after fifty milliseconds, and not before")
    func pages() async throws {
        try await OpenIDWorld.visit(limit: 1) { world async throws in
            func isShown(after milliseconds: Int64) async throws -> Bool {
                world.clock.advance(by: .milliseconds(milliseconds))
                let page = try await world.open()
                #expect((page.secret == nil) == (page.status == .tooManyRequests))
                return page.secret != nil
            }
            #expect(try await isShown(after: 0))
            #expect(try await !isShown(after: 49))
            #expect(try await isShown(after: 1000))
            #expect(try await isShown(after: 50))
            #expect(try await !isShown(after: 0))
        }
    }
}
