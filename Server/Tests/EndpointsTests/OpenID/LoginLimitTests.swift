import HTTPTypes
import ServerTestKit
import Store
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

    @Test("above the burst a phone is shown its own pages once a second, of consents as of requests")
    func ownPages() async throws {
        for path in ["/openid/consents", "/openid/requests"] {
            try await OpenIDWorld.visit(limit: 2) { world in
                func isShown(after time: Duration) async throws -> Bool {
                    world.clock.advance(by: time)
                    let page = try await world.browse(.get, path)
                    #expect(page.status == .ok || page.status == .tooManyRequests)
                    return page.status == .ok
                }
                var shown: [Bool] = []
                for _ in 0..<3 { shown.append(try await isShown(after: .zero)) }
                shown.append(try await isShown(after: .seconds(1)))
                shown.append(try await isShown(after: .zero))
                #expect(shown == [true, true, false, true, false], "\(path)")
            }
        }
    }

    @Test("answers that change nothing are taken so often from one page in ten minutes")
    func idleAnswers() async throws {
        try await OpenIDSMSWorld.visit(limit: 3) { here in
            let asked = try await here.open()
            func isTaken(after time: Duration) async throws -> Bool {
                here.world.clock.advance(by: time)
                let page = try await here.send(asked, ["agreed": nil]).page
                #expect(page.status == .ok || page.status == .tooManyRequests)
                return page.status == .ok
            }
            for isExpected in [true, true, true, false] { #expect(try await isTaken(after: .zero) == isExpected) }
            #expect(try await !isTaken(after: .milliseconds(599_999)))
            #expect(try await isTaken(after: .milliseconds(1)))
        }
    }

    @Test("a login is brief above so many in ten minutes of one phone at one app, each way to begin counted by itself")
    func brief() async throws {
        try await OpenIDWorld.visit(limit: 2) { world in
            func isBrief(
                _ beginning: ProviderContext.Beginning = .page, _ app: RegisteredApp? = nil, _ phone: Int64 = 1
            ) -> Bool {
                world.provider.loginEndpoint.context.isBrief(beginning, (app ?? world.shop).record.id, for: phone)
            }
            for isExpected in [false, false, true] { #expect(isBrief() == isExpected) }
            #expect(
                !isBrief(.remembered) && !isBrief(.network) && !isBrief(.page, world.bank) && !isBrief(.page, nil, 2))
            world.clock.advance(by: .milliseconds(599_999))
            #expect(isBrief())
            world.clock.advance(by: .milliseconds(1))
            #expect(!isBrief())
        }
    }
}
