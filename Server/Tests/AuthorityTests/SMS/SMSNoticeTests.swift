@_spi(Server) import BenjiProtocol
import ServerTestKit
import ShortMessages
import Store
import StoreSQLite
import Testing

@testable import Authority
@testable import Requests

@Suite("Messages without a code")
struct SMSNoticeTests {
    private func send(
        _ world: SMSWorld, to number: PhoneNumber = AuthorityWorld.number, app: AppRecord? = nil,
        by codes: SMSCodes? = nil
    ) async -> String {
        let end = await (codes ?? world.codes).sendNotice(
            "Somebody asks", to: number, of: app ?? world.world.app.record, until: world.world.clock.now + .seconds(9))
        return "\(end.situation.rawValue): \(end.detail)"
    }

    private func told(_ situation: Situation, _ detail: String) -> String { "\(situation.rawValue): \(detail)" }

    @Test("a message goes out as it is, and its end says who has it or that nobody took it")
    func ends() async throws {
        let outcomes: [SubmissionOutcome] = [
            .accepted(by: "s", reference: "r"), .unknown(by: "s"), .notTaken(reason: .unavailable),
        ]
        let sender = RecordingSender { outcomes[$0 - 1] }
        try await SMSWorld.visit(sender) { world in
            var ends: [String] = []
            for _ in 0..<3 { ends.append(await send(world)) }
            #expect(
                ends == [
                    told(.success, "accepted by s"), told(.success, "may be under way by s"),
                    told(.messageNotSent, "nobody took the message"),
                ])
            let message = try #require(sender.messages.first)
            #expect(message.to == AuthorityWorld.number && message.text == "Somebody asks")
            #expect(message.expiresAt == world.world.clock.now + .seconds(9))
            let none = SMSCodes(authority: world.world.authority, store: world.world.store, sender: nil)
            #expect(
                await send(world, by: none) == told(.messageNotSent, "this installation sends no messages"))
            let abroad = try #require(PhoneNumber("+447700900123"))
            #expect(
                await send(world, to: abroad)
                    == told(.numberNotServed, "no messages are sent to numbers that begin so"))
            let fixed = try #require(PhoneNumber("+861012345678"))
            #expect(
                await send(world, to: fixed)
                    == told(.numberNotServed, "the number is not in a range that is assigned to mobile phones"))
            #expect(sender.messages.count == 3)
        }
    }

    @Test("an app whose quota is used up sends none, and neither does one of which nobody knows that")
    func quotas() async throws {
        try await SMSWorld.visit { world in
            var app = world.world.app.record
            app.dailyQuota = 0
            #expect(await send(world, app: app) == told(.quotaExceeded, Refusal.quotaIsUsedUp))
            await world.world.store.close()
            app.dailyQuota = 1
            #expect(
                await send(world, app: app)
                    == told(.storeUnavailable, "nobody knows whether the app's quota is used up"))
            #expect(world.sender.messages.isEmpty)
        }
    }

    @Test(
        "numbers that differ in the last four digits have so many messages an hour together, an app a day, beside codes"
    )
    func limits() async throws {
        let settings = SMSCodes.Settings.with { ($0.perPrefixAndHour, $0.perAppAndDay) = (1, 5) }
        try await SMSWorld.visit(settings: settings) { world in
            let refused = told(.tooManyRequests, "as many messages went out as may")
            let sent = told(.success, "accepted by recording")
            _ = try await world.send(to: SMSWorld.neighbour(0))
            #expect(await send(world, to: SMSWorld.neighbour(0)) == sent, "codes are counted apart")
            #expect(await send(world, to: SMSWorld.neighbour(9999)) == refused)
            #expect(await send(world, to: SMSWorld.neighbour(10_000)) == sent, "the fifth digit from the end")
            world.world.clock.advance(by: .milliseconds(3_599_999))
            #expect(await send(world, to: SMSWorld.neighbour(1)) == refused)
            world.world.clock.advance(by: .milliseconds(1))
            #expect(await send(world, to: SMSWorld.neighbour(1)) == sent)
            #expect(await send(world, to: SMSWorld.number(0)) == refused, "the app's sixth of the day")
            var other = world.world.app.record
            other.id = try #require(AppID(rawValue: "300000000002"))
            #expect(await send(world, to: SMSWorld.number(0), app: other) == sent, "the prefix was not counted")
            world.world.clock.advance(by: .milliseconds(82_799_999))
            #expect(await send(world, to: SMSWorld.number(1)) == refused)
            world.world.clock.advance(by: .milliseconds(1))
            #expect(await send(world, to: SMSWorld.number(2)) == sent)
        }
    }
}
