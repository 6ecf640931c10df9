import ServerTestKit
import ShortMessages
import Sightings
import Store
import StoreSQLite
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Requests

@Suite("Budgets and texts of SMS at their edges")
struct SMSBoundTests {
    private func send(_ world: SMSWorld, _ number: PhoneNumber, app: AppRecord? = nil) async -> Situation {
        await world.end { () throws(Refusal) in _ = try await world.send(to: number, app: app) }
    }

    @Test("messages to numbers that differ in the last four digits count together until the full hour")
    func prefixes() async throws {
        try await SMSWorld.visit(settings: .with { $0.perPrefixAndHour = 1 }) { world async throws in
            #expect(await send(world, SMSWorld.neighbour(0)) == .success)
            #expect(await send(world, SMSWorld.neighbour(9999)) == .tooManyRequests)
            #expect(await send(world, SMSWorld.neighbour(10_000)) == .success, "the fifth digit from the end")
            // It is 14:13:20.
            world.world.clock.advance(by: .milliseconds(2_799_999))
            #expect(await send(world, SMSWorld.neighbour(1)) == .tooManyRequests)
            world.world.clock.advance(by: .milliseconds(1))
            #expect(await send(world, SMSWorld.neighbour(1)) == .success)
        }
    }

    @Test("messages that one address asks for count until the full hour, and those of an app until midnight in UTC+8")
    func sourcesAndApps() async throws {
        try await SMSWorld.visit(settings: .with { $0.perSourceAndHour = 1 }) { world async throws in
            #expect(await send(world, SMSWorld.number(0)) == .success)
            #expect(await send(world, SMSWorld.number(1)) == .tooManyRequests)
            world.world.clock.advance(by: .milliseconds(2_799_999))
            #expect(await send(world, SMSWorld.number(1)) == .tooManyRequests)
            world.world.clock.advance(by: .milliseconds(1))
            #expect(await send(world, SMSWorld.number(1)) == .success)
        }
        try await SMSWorld.visit(settings: .with { $0.perAppAndDay = 1 }) { world async throws in
            #expect(await send(world, SMSWorld.number(0)) == .success)
            // It is 22:13:20 in UTC+8.
            world.world.clock.advance(by: .milliseconds(6_399_999))
            #expect(await send(world, SMSWorld.number(1)) == .quotaExceeded)
            world.world.clock.advance(by: .milliseconds(1))
            #expect(await send(world, SMSWorld.number(1)) == .success)
            world.world.clock.advance(by: .milliseconds(86_399_999))
            #expect(await send(world, SMSWorld.number(2)) == .quotaExceeded)
            world.world.clock.advance(by: .milliseconds(1))
            #expect(await send(world, SMSWorld.number(2)) == .success)
        }
    }

    @Test("the contract's limits of a day and of a month are asked before a message goes out")
    func contracts() async throws {
        for monthly in [true, false] {
            try await SMSWorld.visit { world async throws in
                let (apps, id) = (world.world.authority.apps, world.world.app.record.id)
                var terms = ContractTerms(
                    reference: "x", currency: "CNY", rates: [.released: Amount(millionths: 1)],
                    dailyLimit: monthly ? nil : 2, monthlyLimit: monthly ? 2 : nil)
                terms.until = CalendarDay(world.world.clock.now).next.next.number
                let app = try await apps.setContract(
                    of: id, from: CalendarDay(world.world.clock.now), terms, by: .test)
                for number in 0..<2 {
                    #expect(await send(world, SMSWorld.number(number), app: app.record) == .success)
                    _ = try await world.world.redeem(
                        world.world.serverCall(app), try await world.world.token().token)
                }
                #expect(await send(world, SMSWorld.number(2), app: app.record) == .quotaExceeded)
                world.world.clock.advance(by: .seconds(86_400))
                #expect(
                    await send(world, SMSWorld.number(2), app: app.record) == (monthly ? .quotaExceeded : .success))
            }
        }
    }

    @Test("of IPv6 whoever asks has a /64, of IPv4 an address")
    func sources() throws {
        func source(_ text: String) throws -> String { SMSCodes.source(try #require(InternetAddress(text))) }
        #expect(try source("2001:db8::1") == source("2001:db8::ffff:ffff:ffff:ffff"))
        #expect(try source("2001:db8::1") != source("2001:db8:0:1::1"))
        #expect(try source("198.51.100.7") == "198.51.100.7" && source("198.51.100.8") != source("198.51.100.7"))
    }

    @Test("an installation without a sender sends nothing, and takes what phones write, which is of no use to it")
    func withoutSender() async throws {
        try await SMSWorld.visit { world async throws in
            let codes = SMSCodes(authority: world.world.authority, store: world.world.store, sender: nil)
            #expect(!codes.canSend && world.codes.canSend)
            #expect(
                await world.end { () throws(Refusal) in _ = try await world.send(by: codes) } == .messageNotSent)
            let message = ReceivedShortMessage(
                sender: "smsc", from: AuthorityWorld.number, to: "10690123", text: "hello")
            #expect(await codes.hear(message))
        }
    }

    // MARK: texts from phones

    private static let code = "K7M2Q9XN4RTDW3HE"

    @Test("an operator's words have the app and the code once each, on one line, and 42 units besides")
    func words() {
        let places = "{{app}}{{code}}"
        #expect(SMSUpstream.Settings.isGood(text: String(repeating: "字", count: 42) + places))
        #expect(
            SMSUpstream.Settings.isGood(text: places) && SMSUpstream.Settings.isGood(text: "a {{code}} b {{app}} c"))
        for wrong in [
            String(repeating: "字", count: 43) + places, "{{code}}{{app}}{{app}}", "{{code}}{{code}}{{app}}", "{{app}}",
            "{{code}}", "", "\u{2028}" + places,
        ] { #expect(!SMSUpstream.Settings.isGood(text: wrong), "\(wrong)") }
    }

    @Test("an app's name is whole where the message has room for it, and is cut between characters where it has not")
    func names() {
        let words = "{{app}}:{{code}}"
        func text(_ name: String) -> String { SMSUpstream.text(words, code: Self.code, app: name) }
        for (name, shown) in [
            (String(repeating: "a", count: 53), String(repeating: "a", count: 53)),
            (String(repeating: "a", count: 54), String(repeating: "a", count: 52) + "…"),
            (String(repeating: "😀", count: 26), String(repeating: "😀", count: 26)),
            (String(repeating: "😀", count: 27), String(repeating: "😀", count: 26) + "…"),
            ("a" + String(repeating: "😀", count: 27), "a" + String(repeating: "😀", count: 25) + "…"),
        ] {
            #expect(text(name) == "\(shown):\(Self.code)")
            #expect(text(name).utf16.count <= 70)
        }
        #expect(SMSUpstream.text("{{code}} {{app}}", code: "C", app: "{{code}}") == "C {{code}}")
    }

    @Test("a text is plain that is one line, with hardly more white space than ours has")
    func plain() {
        func isPlain(_ text: String) -> Bool { SMSUpstream.isPlain(text, like: "a b") }
        #expect(
            isPlain("a" + String(repeating: " ", count: 13) + "b")
                && !isPlain("a" + String(repeating: " ", count: 14) + "b"))
        #expect(isPlain("ab\n") && isPlain("ab \r\n") && isPlain("") && isPlain("a"))
        for text in ["a\nb", "a\r\nb", "\nab", "a\u{2029}b", "a\u{85}b"] {
            #expect(!isPlain(text), "\(text.unicodeScalars.map(\.value))")
        }
        #expect(SMSUpstream.withoutSpace(" a\u{3000}b\n\tc\u{a0}") == "abc")
    }

    @Test("a text may hold a code that has sixteen of our characters in a row, and seventy units at most")
    func codes() {
        let filler = String(repeating: "字", count: 54)
        for text in [Self.code, "字" + Self.code, Self.code + "字", Self.code + "A", filler + Self.code] {
            #expect(SMSUpstream.mayHoldCode(text), "\(text)")
        }
        for text in [
            "", String(Self.code.dropLast()), Self.code.replacing("T", with: "t"), Self.code.replacing("2", with: "0"),
            Self.code.replacing("M", with: "I"), Self.code.replacing("M", with: "O"),
            Self.code.replacing("M", with: "1"),
            String(Self.code.prefix(8)) + "字" + String(Self.code.suffix(8)), "字" + filler + Self.code,
        ] { #expect(!SMSUpstream.mayHoldCode(text), "\(text)") }
    }

    @Test("thirty messages of one number are looked at in ten minutes, and texts are counted until the full hour")
    func windows() async throws {
        var settings = SMSUpstreamWorld.settings
        settings.perPhoneAddressAndHour = 1
        try await SMSUpstreamWorld.visit(settings: settings) { here in
            let text = "Shop" + Self.code
            for _ in 0..<31 { #expect(await here.deliver(text)) }
            #expect(here.outcomes.words == Array(repeating: "unknown", count: 30) + ["throttled"])
            here.world.clock.advance(by: .milliseconds(599_999))
            await here.deliver(text)
            #expect(here.outcomes.words.last == "throttled")
            here.world.clock.advance(by: .milliseconds(1))
            await here.deliver(text)
            #expect(here.outcomes.words.last == "unknown")
            #expect(await here.deliver(text, by: "another"))
            #expect(here.outcomes.words.count == 33, "whose words do not count")

            _ = try await here.ask()
            #expect(try await refusal { _ = try await here.ask() } == .tooManyRequests)
            // It was 14:13:20.
            here.world.clock.advance(by: .milliseconds(2_199_999))
            #expect(try await refusal { _ = try await here.ask() } == .tooManyRequests)
            here.world.clock.advance(by: .milliseconds(1))
            _ = try await here.ask()
        }
        settings = SMSUpstreamWorld.settings
        settings.number = nil
        try await SMSUpstreamWorld.visit(settings: settings) { here in
            #expect(await here.deliver("Shop" + Self.code))
            #expect(here.outcomes.words == ["foreign"], "there is no number that it could be for")
        }
        settings = SMSUpstreamWorld.settings
        settings.perAppAndDay = 1
        try await SMSUpstreamWorld.visit(settings: settings) { here in
            _ = try await here.ask()
            here.world.clock.advance(by: .milliseconds(6_399_999))
            #expect(try await refusal { _ = try await here.ask() } == .quotaExceeded)
            here.world.clock.advance(by: .milliseconds(1))
            _ = try await here.ask()
        }
    }

    @Test("a number that the network was silent of for ninety days logs in by its code, and a millisecond later not")
    func quarantine() async throws {
        try await SMSLoginWorld.visit { here in
            #expect(here.world.register.quarantine == .seconds(90 * 86_400))
            here.world.clock.advance(by: .seconds(90 * 86_400))
            let subject = RequestSubject()
            try await RequestSubject.$current.withValue(subject) {
                _ = try await here.logIn(try await here.send())
            }
            #expect(subject.carrier == .mobile)
            here.world.clock.advance(by: .milliseconds(1))
            let late = try await here.send()
            #expect(try await refusal { _ = try await here.logIn(late) } == .numberNotServed)
        }
    }

    // MARK: traces

    /// The steps of a trace.
    private func steps(_ trace: TraceID?, in world: AuthorityWorld) async throws -> [String] {
        try await world.store.traceEvents(try #require(trace)).map {
            "\($0.step) \($0.situation.rawValue): \($0.detail)"
        }
    }

    @Test("sixty refusals about an app's codes are traced in ten minutes, and then what succeeds alone")
    func tracedCodes() async throws {
        try await SMSWorld.visit { world async throws in
            let closed = {
                var app = world.world.app.record
                app.dailyQuota = 0
                return app
            }()
            func refuse() async throws -> [String] {
                let trace = TraceID(random: SystemRandomSource())
                #expect(
                    await world.end { () throws(Refusal) in _ = try await world.send(app: closed, trace: trace) }
                        == .quotaExceeded)
                return try await steps(trace, in: world.world)
            }
            let written = ["sms.send \(Situation.quotaExceeded.rawValue): \(Refusal.quotaIsUsedUp)"]
            for _ in 0..<59 { #expect(try await refuse() == written) }
            let trace = TraceID(random: SystemRandomSource())
            let id = try await world.send(trace: trace)
            let right = world.sender.code
            func show(_ digits: String) async -> Situation {
                await world.end { () throws(Refusal) in try await world.spend(digits, of: id) }
            }
            for _ in 0..<2 { #expect(await show(SMSWorld.wrong(right)) == .codeWrong) }
            #expect(try await refuse() == [])
            #expect(await show(right) == .success)
            #expect(
                try await steps(trace, in: world.world) == [
                    "sms.send \(Situation.success.rawValue): accepted by recording",
                    "sms.compare \(Situation.codeWrong.rawValue): the code is wrong; tries left: 4",
                    "sms.compare \(Situation.success.rawValue): the code is right",
                ])
            world.world.clock.advance(by: .milliseconds(599_999))
            #expect(try await refuse() == [])
            world.world.clock.advance(by: .milliseconds(1))
            #expect(try await refuse() == written)
        }
    }

    @Test("each end of a text that people send is in its trace, and of refusals one trace is told")
    func tracedTexts() async throws {
        var settings = SMSUpstreamWorld.settings
        settings.perAppAndDay = 3
        try await SMSUpstreamWorld.visit(settings: settings) { here in
            let given = "sms.text \(Situation.success.rawValue): a text to send was given out"
            let known = "sms.arrive \(Situation.success.rawValue): the text came by smsc, in time"
            let world = here.world
            let contested = try await here.ask()
            await here.deliver(contested.text)
            await here.deliver(contested.text, from: AuthorityWorld.otherNumber)
            #expect(
                try await steps(contested.trace, in: world) == [
                    given, known,
                    "sms.arrive \(Situation.codeExpired.rawValue): the text came from a second number, and ended",
                ])
            let foreign = try await here.ask()
            await here.deliver(foreign.text, from: AuthorityWorld.otherNumber)
            let unserved = Situation.numberNotServed.rawValue
            do {
                _ = try await here.status(foreign)
                Issue.record("nobody has the number")
            } catch let refusal as Refusal {
                #expect(refusal.situation == .numberNotServed && refusal.trace == foreign.trace)
                #expect(
                    try await steps(foreign.trace, in: world) == [
                        given,
                        "sms.arrive \(unserved): the text came by smsc, from a number that it does not speak for, "
                            + "or that is not in the register",
                        "sms.status \(unserved): \(refusal.detail)",
                    ])
            }
            let late = try await here.ask()
            do {
                _ = try await here.ask()
                Issue.record("a fourth text")
            } catch let refusal as Refusal {
                #expect(
                    try await steps(refusal.trace, in: world) == [
                        "sms.text \(Situation.quotaExceeded.rawValue): the app's texts of today are used up"
                    ])
            }
            world.clock.advance(by: .seconds(300))
            for _ in 0..<2 { await here.deliver(late.text) }
            let expired = "sms.arrive \(Situation.codeExpired.rawValue): the text came after its end"
            #expect(try await steps(late.trace, in: world) == [given, expired, expired])
        }
    }

    @Test("an old proof and one that was shown ask for nothing by SMS, and each refusal of a login names it")
    func proofs() async throws {
        try await SMSLoginWorld.visit { here in
            let old = try here.call()
            here.world.clock.advance(by: .milliseconds(120_001))
            #expect(try await refusal { _ = try await here.send(from: old) } == .clockSkew)
            let sent = try await here.send()
            #expect(here.sender.messages.count == 1)
            let stale = try here.call()
            here.world.clock.advance(by: .milliseconds(120_001))
            #expect(try await refusal { _ = try await here.logIn(sent, device: stale) } == .clockSkew)
            let device = try here.call()
            let wrong = SMSWorld.wrong(here.sender.code)
            do {
                _ = try await here.logIn(sent, wrong, device: device)
                Issue.record("a wrong code")
            } catch let refusal as Refusal {
                #expect(refusal.situation == .codeWrong && refusal.trace == sent.trace)
                #expect(refusal.serverTime == here.world.clock.now)
            }
            #expect(try await refusal { _ = try await here.logIn(sent, device: device) } == .proofReplayed)
            _ = try await here.logIn(sent)
        }
        try await SMSUpstreamWorld.visit { here in
            let given = try await here.ask()
            let device = try here.call()
            let request = SMSUpstreamStatusRequest(appID: here.world.app.record.id, transaction: given.transaction)
            _ = try await here.login.textStatus(request, from: device)
            #expect(
                try await refusal { _ = try await here.login.textStatus(request, from: device) } == .proofReplayed)
            let old = try here.call()
            here.world.clock.advance(by: .milliseconds(120_001))
            #expect(try await refusal { _ = try await here.login.textStatus(request, from: old) } == .clockSkew)
            #expect(try await refusal { _ = try await here.ask(from: old) } == .clockSkew)
        }
    }
}
