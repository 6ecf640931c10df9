import BenjiPolicy
import Foundation
import ServerTestKit
import Sightings
import Store
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Requests

@Suite("Tokens for web pages: the keys that they are signed with, and what they leave behind")
struct BrowserTokenRuleTests {
    private static let origin = "https://shop.example"

    private func withWorld(
        policy: CarrierPolicy = .standard, prefetchesPerNumber: Int = 1000,
        _ body: (AuthorityWorld) async throws -> Void
    ) async throws {
        let world = try await AuthorityWorld(policy: policy, prefetchesPerNumber: prefetchesPerNumber)
        _ = try await world.store.putOpenIDClient(
            OpenIDClientRecord(
                appID: world.app.record.id, redirectURIs: [Self.origin + "/back"], authentication: .clientSecretBasic,
                secrets: [], keySet: nil, idTokenAlgorithm: .es256, asksMiddleDigits: false,
                requiresPushedRequests: false, page: "{}"))
        do { try await body(world) } catch {
            await world.end()
            throw error
        }
        await world.end()
    }

    private func ask(
        _ world: AuthorityWorld, keyUntil end: Timestamp? = nil
    ) async throws(Refusal) -> (token: String, trace: TraceID) {
        try await world.authority.browserToken(
            Authority.BrowserTokenCall(
                app: world.app,
                key: RegisteredKey(use: .server, version: 1, acceptedUntil: end, key: world.app.serverSecret),
                messageID: UUID().uuidString, sentAt: world.clock.now, dialect: .cmpassport, origin: Self.origin,
                sighting: .success(world.sighting())))
    }

    @Test("a key signs for a page until its end, and the day on which it did is remembered")
    func keys() async throws {
        try await withWorld { world async throws in
            let (apps, id, now) = (world.authority.apps, world.app.record.id, world.clock.now)
            func usages() async throws -> [AppKeyUsage] {
                try await apps.writeUsages()
                return try await apps.usages(of: id)
            }
            #expect(try await refusal { _ = try await ask(world, keyUntil: now) } == .signWrong)
            #expect(try await usages().isEmpty)
            _ = try await ask(world, keyUntil: now + .milliseconds(1))
            #expect(
                try await usages() == [AppKeyUsage(appID: id, use: .server, version: 1, day: CalendarDay(now).number)])
        }
    }

    @Test("a phone's pages have as many tokens with a trace as its prefetches, and those beyond have none")
    func traces() async throws {
        try await withWorld(
            prefetchesPerNumber: 1,
            { world async throws in
                let (first, second) = (try await ask(world), try await ask(world))
                let steps = try await world.authority.traceEvents(first.trace)
                #expect(steps.map(\.step) == ["sighting", "h5.getMobile"])
                #expect(steps.last?.detail == "verification token, net" && steps.last?.situation == .success)
                #expect(try await world.authority.traceEvents(second.trace).isEmpty)
                for token in [first.token, second.token] {
                    #expect(try await world.verify(nil, token) { $0 == AuthorityWorld.number }.isSame)
                }
            })
    }

    @Test("sixty refusals of a phone's pages in ten minutes leave a line each, and no more do")
    func refusals() async throws {
        var policy = CarrierPolicy.standard
        policy.carriers[.mobile]?.lifetimes = [:]
        try await withWorld(
            policy: policy,
            { world async throws in
                for _ in 0..<62 {
                    #expect(try await refusal { _ = try await ask(world) } == .carrierUnsupported)
                }
                #expect(try await world.rows().traces == 60)
            })
    }

    @Test("the scrip that stands behind a token for a page is there for eleven minutes")
    func scrips() async throws {
        try await withWorld { world async throws in
            _ = try await ask(world)
            for (milliseconds, count) in [(660_000, 1), (1, 0)] as [(Int64, Int)] {
                world.clock.advance(by: .milliseconds(milliseconds))
                try await world.authority.deleteExpired()
                #expect(try await world.count("scrip") == count)
            }
        }
    }
}
