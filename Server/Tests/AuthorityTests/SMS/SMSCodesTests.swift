import BenjiPolicy
import Foundation
import GRDB
import ServerTestKit
import ShortMessages
import Sightings
import Store
import StoreSQLite
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Requests

/// The app's server asks for codes and shows them, over a real store.
struct SMSWorld {
    let world: AuthorityWorld
    let sender: RecordingSender
    let codes: SMSCodes

    /// Runs a test in a world of its own and ends it whatever happens.
    static func visit(
        _ sender: RecordingSender = RecordingSender(), settings: SMSCodes.Settings = SMSCodes.Settings(),
        _ body: (SMSWorld) async throws -> Void
    ) async throws {
        let world = try await AuthorityWorld()
        let codes = SMSCodes(settings: settings, authority: world.authority, store: world.store, sender: sender)
        let result: Result<Void, any Error>
        do { result = .success(try await body(SMSWorld(world: world, sender: sender, codes: codes))) } catch {
            result = .failure(error)
        }
        await world.end()
        try result.get()
    }

    /// - Returns: what the code is known by.
    func send(
        to number: PhoneNumber = AuthorityWorld.number, app: AppRecord? = nil, purpose: TokenPurpose = .verification,
        source: String? = "203.0.113.7", trace: TraceID = TraceID(random: SystemRandomSource()),
        by other: SMSCodes? = nil
    ) async throws(Refusal) -> String {
        try await (other ?? codes).send(
            SMSCodes.Order(
                app: app ?? world.app.record, purpose: purpose, number: number, trace: trace, source: source
            ) { "Your code: \($0)" }
        ).rawValue
    }

    func spend(
        _ digits: String, of id: String, app: AppID? = nil, purpose: TokenPurpose = .verification,
        by other: SMSCodes? = nil
    ) async throws(Refusal) {
        _ = try await (other ?? codes).spend(digits, of: id, app: app ?? world.app.record.id, purpose: purpose)
    }

    /// Returns the situation in which `body` ends.
    func end(_ body: () async throws(Refusal) -> Void) async -> Situation {
        do {
            try await body()
            return .success
        } catch { return error.situation }
    }

    /// Another process over the same database.
    func withNode(_ body: (SMSCodes) async throws -> Void) async throws {
        let store = try SQLiteStore(path: world.directory + "/benji.sqlite", logger: AuthorityWorld.logger)
        let node = SMSCodes(
            settings: codes.settings, authority: world.restarted().authority, store: store, sender: sender)
        let result: Result<Void, any Error>
        do { result = .success(try await body(node)) } catch { result = .failure(error) }
        await store.close()
        try result.get()
    }

    static func number(_ place: Int) -> PhoneNumber { PhoneNumber("+86138\(String(10_000_000 + place * 10_000))")! }
    /// Numbers that differ in the last four digits alone.
    static func neighbour(_ place: Int) -> PhoneNumber {
        PhoneNumber("+8613877\(String(1_000_000 + place).suffix(6))")!
    }

    static func wrong(_ digits: String) -> String {
        String(digits.map { Character(String((($0.wholeNumberValue ?? 0) + 1) % 10)) })
    }
}

@Suite("SMS codes")
struct SMSCodesTests {
    private typealias World = SMSWorld

    @Test("a code is sent once, in the app's text, and spent once by the app that had it sent")
    func walk() async throws {
        try await World.visit { world in
            let id = try await world.send()
            let message = try #require(world.sender.messages.first)
            #expect(message.to == AuthorityWorld.number && message.text == "Your code: \(world.sender.code)")
            #expect(message.expiresAt == world.world.clock.now + .seconds(300))
            #expect(world.sender.code.utf8.count == 6 && world.sender.messages.count == 1)
            let wrong = World.wrong(world.sender.code)
            #expect(await world.end { () throws(Refusal) in try await world.spend(wrong, of: id) } == .codeWrong)
            try await world.spend(world.sender.code, of: id)
            #expect(
                await world.end { () throws(Refusal) in try await world.spend(world.sender.code, of: id) }
                    == .codeExpired)
            for other in ["", "none", String(repeating: "0", count: 32)] {
                #expect(
                    await world.end { () throws(Refusal) in try await world.spend(world.sender.code, of: other) }
                        == .codeUnknown)
            }
        }
    }

    @Test("neither the number nor the code can be read in the database's files, and no hash without a key finds them")
    func atRest() async throws {
        try await World.visit(settings: .with { $0.digits = 10 }) { world in
            let number = World.number(7)
            _ = try await world.send(to: number)
            let code = world.sender.code
            #expect(code.utf8.count == 10)
            var bytes = Data()
            for file in try FileManager.default.contentsOfDirectory(atPath: world.world.directory) {
                bytes += try Data(contentsOf: URL(fileURLWithPath: world.world.directory + "/" + file))
            }
            #expect(bytes.count > 4096)
            for text in [code, number.e164, number.national] {
                #expect(bytes.range(of: Data(text.utf8)) == nil)
                #expect(bytes.range(of: Data(CredentialHash(of: text, .openID).bytes.suffix(32))) == nil)
            }
        }
    }

    @Test("after five wrong tries nothing is told of a code, and a newer one is good again")
    func tries() async throws {
        try await World.visit { world in
            let id = try await world.send()
            let right = world.sender.code
            for _ in 0..<5 {
                #expect(
                    await world.end { () throws(Refusal) in try await world.spend(World.wrong(right), of: id) }
                        == .codeWrong)
            }
            #expect(
                await world.end { () throws(Refusal) in try await world.spend(right, of: id) } == .codeTriesExceeded)
            let newer = try await world.send()
            try await world.spend(world.sender.code, of: newer)
        }
    }

    @Test("a code is good for five minutes")
    func lifetime() async throws {
        try await World.visit { world in
            for (wait, end) in [(Duration.milliseconds(299_999), Situation.success), (.seconds(300), .codeExpired)] {
                let id = try await world.send()
                world.world.clock.advance(by: wait)
                #expect(
                    await world.end { () throws(Refusal) in try await world.spend(world.sender.code, of: id) } == end)
            }
        }
    }

    @Test("a number is sent five codes in a minute and ten in a day, of all apps together")
    func numberLimits() async throws {
        try await World.visit { world in
            let other = try await world.world.authority.apps.register(Apps.Registration(name: "Other")).record
            func send(_ place: Int) async -> Situation {
                await world.end { () throws(Refusal) in
                    _ = try await world.send(app: place % 2 == 0 ? other : nil)
                }
            }
            for place in 0..<5 { #expect(await send(place) == .success) }
            #expect(await send(5) == .tooManyCodes)
            world.world.clock.advance(by: .milliseconds(59_999))
            #expect(await send(5) == .tooManyCodes)
            world.world.clock.advance(by: .milliseconds(1))
            for place in 5..<10 { #expect(await send(place) == .success) }
            world.world.clock.advance(by: .seconds(86_399 - 60))
            #expect(await send(10) == .tooManyCodes, "within the day")
            world.world.clock.advance(by: .seconds(1))
            for place in 10..<15 { #expect(await send(place) == .success, "the first five are a day old") }
            #expect(world.sender.messages.count == 15)
        }
    }

    @Test("app, prefix and source have budgets, and a refused request uses up none of them")
    func budgets() async throws {
        let settings = SMSCodes.Settings.with {
            $0.perAppAndDay = 6
            $0.perPrefixAndHour = 2
            $0.perSourceAndHour = 4
        }
        try await World.visit(settings: settings) { world in
            func send(_ number: PhoneNumber, _ source: String = "203.0.113.7") async -> Situation {
                await world.end { () throws(Refusal) in _ = try await world.send(to: number, source: source) }
            }
            for place in 0..<2 { #expect(await send(World.neighbour(place)) == .success) }
            for place in 2..<5 { #expect(await send(World.neighbour(place)) == .tooManyRequests, "the prefix") }
            for place in 0..<2 { #expect(await send(World.number(place)) == .success) }
            #expect(await send(World.number(2)) == .tooManyRequests, "the source")
            for place in 2..<4 { #expect(await send(World.number(place), "203.0.113.8") == .success) }
            #expect(await send(World.number(4), "203.0.113.9") == .quotaExceeded, "the app")
            world.world.clock.advance(by: .seconds(86400))
            #expect(await send(World.neighbour(9)) == .success, "the next day")
            #expect(world.sender.messages.count == 7)
        }
    }

    @Test("an app whose quota of the day is used up sends nothing")
    func quota() async throws {
        try await World.visit { world in
            var app = world.world.app.record
            app.dailyQuota = 0
            #expect(
                await world.end { () throws(Refusal) in _ = try await world.send(app: app) } == .quotaExceeded)
            app.dailyQuota = 1
            #expect(await world.end { () throws(Refusal) in _ = try await world.send(app: app) } == .success)
        }
    }

    @Test(
        "a message that nobody took is told as that, its code is worth nothing, and its number may be sent another",
        arguments: [
            (NotTakenReason.destination, Situation.numberBlocked), (.throttled, .overloaded),
            (.unavailable, .messageNotSent), (.refused, .messageNotSent),
        ])
    func notTaken(_ reason: NotTakenReason, _ situation: Situation) async throws {
        let sender = RecordingSender { $0 > 3 ? .accepted(by: "s", reference: "r") : .notTaken(reason: reason) }
        try await World.visit(sender, settings: .with { $0.perMinute = 1 }) { world in
            for _ in 0..<3 {
                #expect(await world.end { () throws(Refusal) in _ = try await world.send() } == situation)
            }
            let id = try await world.send()
            #expect(await world.end { () throws(Refusal) in _ = try await world.send() } == .tooManyCodes)
            try await world.spend(world.sender.code, of: id)
        }
    }

    @Test("a code is in the database before its message is handed over, and one that may be under way is good")
    func order() async throws {
        let world = try await AuthorityWorld()
        let sender = RecordingSender { _ in
            // As another process would see it after a crash at this moment.
            let rows = try? await world.count("sms_code WHERE sender IS NULL AND ended IS NULL")
            return rows == 1 ? .unknown(by: "s") : .notTaken(reason: .refused)
        }
        let codes = SMSCodes(authority: world.authority, store: world.store, sender: sender)
        let here = SMSWorld(world: world, sender: sender, codes: codes)
        let id = try await here.send()
        #expect(sender.messages.count == 1)
        try await here.spend(sender.code, of: id)
        await world.end()
    }

    @Test("numbers outside of the destinations, and of a carrier that is switched off, are sent nothing")
    func destinations() async throws {
        try await World.visit { world in
            let abroad = try #require(PhoneNumber("+447700900123"))
            #expect(await world.end { () throws(Refusal) in _ = try await world.send(to: abroad) } == .numberNotServed)
            var settings = SMSCodes.Settings()
            settings.destinations = ["86", "44"]
            let wider = SMSCodes(
                settings: settings, authority: world.world.authority, store: world.world.store, sender: world.sender)
            #expect(
                await world.end { () throws(Refusal) in _ = try await world.send(to: abroad, by: wider) } == .success)
            let off = world.world.restarted { $0.policy.carriers[.mobile]?.enabled = false }
            let codes = SMSCodes(authority: off.authority, store: off.store, sender: world.sender)
            #expect(
                await world.end { () throws(Refusal) in _ = try await world.send(by: codes) } == .numberNotServed)
            let none = SMSCodes(authority: world.world.authority, store: world.world.store, sender: nil)
            #expect(await world.end { () throws(Refusal) in _ = try await world.send(by: none) } == .messageNotSent)
            #expect(world.sender.messages.count == 1)
        }
    }

    @Test("a number of another spelling, or of a range that no phone has, is sent nothing; one of 149 is sent its code")
    func spellings() async throws {
        try await World.visit { world in
            for text in [
                "+86013800000001", "+86138000000011", "+8613800000", "+861012345678", "+8612306", "+8615400000001",
                "+8616000000001", "+8614100000001",
            ] {
                let number = try #require(PhoneNumber(text))
                #expect(
                    await world.end { () throws(Refusal) in _ = try await world.send(to: number) } == .numberNotServed)
            }
            #expect(world.sender.messages.isEmpty)
            let telecom = try #require(PhoneNumber("14900000001"))
            #expect(await world.end { () throws(Refusal) in _ = try await world.send(to: telecom) } == .success)
            #expect(world.sender.messages.count == 1)
        }
    }

    @Test(
        """
        a receipt finds its code at another node and is a step of the code's trace; it waits for the message's answer, \
        and one of no message ends
        """
    )
    func receipts() async throws {
        try await World.visit { world in
            let trace = TraceID(random: SystemRandomSource())
            _ = try await world.send(trace: trace)
            let now = world.world.clock.now
            func receipt(_ reference: String) -> DeliveryReceipt {
                DeliveryReceipt(sender: "recording", reference: reference, state: .undeliverable, at: now)
            }
            try await world.withNode { node in
                #expect(await node.hear(receipt("r-1")) == .matched)
                #expect(await node.hear(receipt("r-9")) == .unmatched, "of a code that is gone")
            }
            // Its message's answer comes while it waits.
            let early = TraceID(random: SystemRandomSource())
            let waiting = SMSCodes(
                authority: world.world.authority, store: world.world.store, sender: world.sender,
                pause: { _ = try? await world.send(to: World.number(1), trace: early) })
            #expect(await waiting.hear(receipt("r-2")) == .matched)
            #expect(try await world.world.store.traceEvents(early).map(\.step) == ["sms.send", "sms.delivery"])
            let steps = try await world.world.store.traceEvents(trace)
            #expect(steps.map(\.step) == ["sms.send", "sms.delivery"])
            #expect(steps.map(\.situation) == [.success, .messageNotSent])
            #expect(steps.first?.login?.subscription == world.world.subscription.subscription)
            #expect(steps.allSatisfy { !$0.detail.contains(world.sender.code) })
        }
    }

    /// The receipts of a world whose message has this id at its sender, without waiting for answers that come late.
    private func withReceipts(
        _ reference: String, _ body: (SMSWorld, SMSCodes, TraceID) async throws -> Void
    ) async throws {
        let sender = RecordingSender { $0 == 1 ? .accepted(by: "recording", reference: reference) : .unknown(by: "s") }
        try await World.visit(sender) { world in
            let trace = TraceID(random: SystemRandomSource())
            _ = try await world.send(trace: trace)
            let codes = SMSCodes(
                authority: world.world.authority, store: world.world.store, sender: world.sender, pause: {})
            try await body(world, codes, trace)
        }
    }

    private func receipt(
        _ reference: String, _ state: DeliveryReceipt.State = .delivered, error: String? = nil,
        phone: PhoneNumber? = nil, isFromSender: Bool = true
    ) -> DeliveryReceipt {
        DeliveryReceipt(
            sender: "recording", reference: reference, state: state, error: error, phone: phone,
            isFromSender: isFromSender, at: Timestamp(seconds: 4_000_000_000))
    }

    @Test("a receipt whose id has another base than the answer's finds its code, and one of another id is no delivery")
    func bases() async throws {
        try await withReceipts("0033E95179") { world, codes, trace in
            // A network that compares the ids as they are finds neither.
            #expect(await codes.hear(receipt("870928762")) == .unmatched)
            #expect(try await world.world.store.traceEvents(trace).map(\.step) == ["sms.send"])
            #expect(await codes.hear(receipt("870928761", .undeliverable, error: "MK:0001")) == .matched)
            let steps = try await world.world.store.traceEvents(trace)
            let last = try #require(steps.last)
            #expect(last.situation == .messageNotSent && last.detail.contains("undeliverable, error MK:0001"))
            for form in ["33e95179", "0033E95179", "0870928761"] {
                #expect(await codes.hear(receipt(form, phone: AuthorityWorld.number)) == .matched)
            }
        }
    }

    @Test(
        "a receipt finds a code whose id version 0.1 kept as the answer wrote it, where the new form alone loses it",
        arguments: ["33E95179", "0000029095"])
    func olderIDs(id: String) async throws {
        #expect(MessageReference.kept(id) != id)
        try await World.visit { world in
            let sent = try await world.send()
            let code = try #require(SMSTransactionID(rawValue: sent))
            let store: any SMSCodeStore = world.world.store
            try await store.noteSubmission(.accepted(by: "recording", reference: id), of: code)
            let codes = SMSCodes(
                authority: world.world.authority, store: world.world.store, sender: world.sender, pause: {})
            #expect(await codes.hear(receipt(id)) == .matched)
            #expect(await codes.hear(receipt(id, phone: World.number(5))) == .matched, "a phone spelled otherwise")
        }
    }

    @Test("a receipt of a phone's message marks no code of another phone whose id is the same number in the other base")
    func otherBases() async throws {
        #expect(MessageReference.otherBases("100").contains("64"), "one that takes each candidate marks the code")
        try await withReceipts("64") { world, codes, trace async throws in
            #expect(await codes.hear(receipt("100", phone: World.number(5))) == .unmatched)
            #expect(try await world.world.store.traceEvents(trace).map(\.step) == ["sms.send"])
            #expect(await codes.hear(receipt("100", phone: AuthorityWorld.number)) == .matched)
            #expect(await codes.hear(receipt("100")) == .matched, "a receipt that names no phone")
        }
    }

    @Test("a phone that writes a receipt for another number's message changes nothing, and one for its own does")
    func forgedReceipts() async throws {
        /// Believes every receipt.
        struct NaiveReceipts {
            var delivered: [String: Bool]
            mutating func hear(_ receipt: DeliveryReceipt) { delivered[receipt.reference] = true }
        }
        let own = receipt("r-1", phone: AuthorityWorld.number, isFromSender: false)
        let forged = receipt("r-1", phone: World.number(5), isFromSender: false)
        var naive = NaiveReceipts(delivered: ["r-1": false])
        naive.hear(forged)
        #expect(naive.delivered == ["r-1": true])

        try await withReceipts("r-1") { world, codes, trace async throws in
            #expect(await codes.hear(forged) == .unmatched)
            #expect(await codes.hear(receipt("r-1", isFromSender: false)) == .unmatched, "of an unknown phone")
            #expect(try await world.world.store.traceEvents(trace).map(\.step) == ["sms.send"])
            // Some SMSCs mark none of their receipts.
            #expect(await codes.hear(own) == .matched)
            // Those that mark them need not name the phone.
            #expect(await codes.hear(receipt("r-1")) == .matched)
            #expect(await codes.hear(receipt("r-1", phone: World.number(5))) == .matched)
        }
    }

    @Test("a phone that floods us with receipts reaches the store thirty times in ten minutes, and holds up no other")
    func receiptFlood() async throws {
        try await withReceipts("r-1") { world, codes, _ in
            let own = receipt("r-1", phone: AuthorityWorld.number, isFromSender: false)
            for _ in 0..<30 { #expect(await codes.hear(own) == .matched) }
            #expect(await codes.hear(own) == .unmatched)
            #expect(await codes.hear(receipt("r-1", phone: AuthorityWorld.number)) == .matched)
            world.world.clock.advance(by: .milliseconds(599_999))
            #expect(await codes.hear(own) == .unmatched)
            world.world.clock.advance(by: .milliseconds(1))
            #expect(await codes.hear(own) == .matched)
        }
    }

    @Test("codes and counts are kept for a day and then deleted")
    func sweep() async throws {
        try await World.visit { world in
            _ = try await world.send()
            world.world.clock.advance(by: .seconds(86400))
            try await world.world.authority.deleteExpired()
            #expect(try await world.world.count("sms_code") == 1)
            world.world.clock.advance(by: .seconds(86401))
            try await world.world.authority.deleteExpired()
            #expect(try await world.world.count("sms_code") == 0)
            #expect(try await world.world.count("sms_budget") == 0)
        }
    }

    @Test("every digit is as likely as any other: bytes from 250 on are drawn again")
    func draw() {
        struct Script: RandomSource {
            func bytes(_ count: Int) -> [UInt8] { Array([255, 250, 249, 3, 10, 0].prefix(count)) }
        }
        #expect(SMSCodes.draw(6, Script()) == "930093")
        #expect(SMSCodes.draw(4, Script()) == "9393")
    }
}
