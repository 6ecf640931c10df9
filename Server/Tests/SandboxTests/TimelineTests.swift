@_spi(Server) import BenjiProtocol
import ServerTestKit
import Store
import Testing

@testable import Sandbox

@Suite("The timeline")
struct TimelineTests {
    private func entry(_ phone: String?, _ subject: String = "network") -> TimelineEntry {
        TimelineEntry(.change, phone: phone, from: .sandbox, subject)
    }

    @Test("entries are numbered, and asked for by what came after")
    func numbers() {
        let timeline = Timeline()
        for _ in 0..<3 { timeline.note(entry("phone-1")) }
        #expect(timeline.entries().map(\.number) == [1, 2, 3])
        #expect(timeline.entries(after: 2).map(\.number) == [3])
        timeline.clear()
        timeline.note(entry("phone-1"))
        #expect(timeline.entries().map(\.number) == [4], "a number never comes twice")
    }

    @Test(
        """
        a message that was answered later than its effects were decided stands before them, and is new to whoever had \
        them
        """
    )
    func order() {
        let timeline = Timeline()
        var cause = TimelineEntry(.message, phone: "phone-1", from: .phone, to: .gateway, "cause")
        timeline.begin(&cause)
        timeline.note(entry("phone-1", "effect"))
        let seen = timeline.entries().map(\.number).max() ?? 0
        timeline.note(cause)
        #expect(timeline.entries().map(\.subject) == ["cause", "effect"])
        #expect(timeline.entries(after: seen).map(\.subject) == ["cause"], "nobody who follows misses it")
        #expect(timeline.entries().map(\.number) == [2, 1], "ordered by number, the effect would come first")
    }

    @Test("what is decided while a request is answered is told with it, not before it")
    func within() {
        let wiring = SandboxWiring()
        let notes = ExchangeNotes(phone: "phone-1")
        ExchangeNotes.$current.withValue(notes) {
            wiring.observe(
                TraceEvent(
                    trace: TraceID(random: SystemRandomSource()), at: Timestamp(milliseconds: 0), party: .authority,
                    step: "prefetch", situation: .success, detail: ""))
        }
        #expect(wiring.timeline.entries().isEmpty)
        #expect(notes.entries.map(\.subject) == ["prefetch"])
    }

    @Test("a phone's timeline holds what is its own and what is nobody's")
    func phones() {
        let timeline = Timeline()
        for phone in ["phone-1", "phone-2", nil] { timeline.note(entry(phone)) }
        #expect(timeline.entries(phone: "phone-1").map(\.phone) == ["phone-1", nil])
    }

    @Test("whoever waits hears of the next entry of their phone")
    func waiting() async {
        let timeline = Timeline()
        async let heard = timeline.entries(after: 0, phone: "phone-1", patience: .seconds(60))
        timeline.note(entry("phone-2"))
        timeline.note(entry("phone-1"))
        #expect(await heard.map(\.phone) == ["phone-1"])
        #expect(await timeline.entries(after: 2, phone: nil, patience: .zero).isEmpty)
    }

    @Test("nobody waits for what comes after the end")
    func ending() async throws {
        let timeline = Timeline()
        async let heard = timeline.entries(after: 0, phone: nil, patience: .seconds(600))
        try await until { timeline.isAwaited }
        timeline.end()
        #expect(await heard.isEmpty)
        #expect(await timeline.entries(after: 0, phone: nil, patience: .seconds(600)).isEmpty)
    }

    @Test("old entries are forgotten")
    func bounded() {
        let timeline = Timeline()
        for _ in 0..<(Timeline.maximumLength + 500) { timeline.note(entry("phone-1")) }
        #expect(timeline.entries().count <= Timeline.maximumLength + 100)
        #expect(timeline.entries().last?.number == Int64(Timeline.maximumLength + 500))
    }

    @Test("a step of a login is put down to the phone that its trace belongs to, wherever it happens")
    func traces() {
        let wiring = SandboxWiring()
        let trace = TraceID(random: SystemRandomSource())
        func event(_ step: String, _ party: TraceEvent.Party) -> TraceEvent {
            TraceEvent(
                trace: trace, at: Timestamp(milliseconds: 0), party: party, step: step, situation: .success, detail: "")
        }
        wiring.observe(event("lost", .authority))
        let notes = ExchangeNotes(phone: "phone-2")
        ExchangeNotes.$current.withValue(notes) { wiring.observe(event("prefetch", .authority)) }
        wiring.timeline.note(notes.entries)
        wiring.observe(event("loginTokenValidate", .appServer))
        #expect(wiring.timeline.entries().map(\.subject) == ["prefetch", "loginTokenValidate"])
        #expect(wiring.timeline.entries().allSatisfy { $0.phone == "phone-2" })
    }

    @Test("credentials are remembered by their hash, and only so many of them")
    func memory() {
        let memory = PhoneMemory(capacity: 100)
        memory.remember(credential: "first", phone: "phone-1")
        #expect(memory.phone(ofCredential: "first") == "phone-1")
        #expect(memory.phone(ofCredential: "other") == nil)
        for number in 0..<200 { memory.remember(credential: "c\(number)", phone: "phone-2") }
        #expect(memory.phone(ofCredential: "first") == nil)
        #expect(memory.phone(ofCredential: "c199") == "phone-2")
    }
}
