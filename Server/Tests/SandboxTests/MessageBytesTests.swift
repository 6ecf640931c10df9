import BenjiClient
@_spi(Server) import BenjiProtocol
import Testing

@testable import Sandbox

@Suite("The bytes of messages")
struct MessageBytesTests {
    private func entry(_ bytes: MessageBytes? = nil, elapsed: Duration? = .milliseconds(1)) -> TimelineEntry {
        var entry = TimelineEntry(.message, phone: "phone-1", from: .phone, to: .gateway, "POST /x")
        entry.bytes = bytes
        entry.elapsed = elapsed
        return entry
    }

    @Test("a message is kept as it was sent, head and body, in both directions")
    func whole() {
        let request = MessageBytes.http("POST /x HTTP/1.1", [.init("Host", "a"), .init("DPoP", "b")], Array("{}".utf8))
        let answer = MessageBytes.answer(200, [.init("Content-Type", "text/html")], Array("<p>".utf8))
        #expect(String(decoding: request, as: UTF8.self) == "POST /x HTTP/1.1\r\nHost: a\r\nDPoP: b\r\n\r\n{}")
        #expect(String(decoding: answer, as: UTF8.self) == "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>")
        let timeline = Timeline()
        timeline.note(entry(MessageBytes(.http, request: request, answer: answer)))
        let kept = timeline.entry(1)?.bytes
        #expect(kept?.request.bytes == request && kept?.answer?.bytes == answer)
        #expect(timeline.entry(2) == nil)
    }

    @Test("of a long message the beginning is kept, and how long it was")
    func cut() {
        let part = MessageBytes.Part(Array(repeating: 7, count: MessageBytes.Part.maximumLength + 1))
        #expect(part.bytes.count == MessageBytes.Part.maximumLength)
        #expect(part.length == MessageBytes.Part.maximumLength + 1 && !part.isWhole)
    }

    @Test("however many long messages there are, only so many bytes are kept, of the newest; their lines stay")
    func bounded() {
        let timeline = Timeline()
        let long = [UInt8](repeating: 1, count: MessageBytes.Part.maximumLength)
        for _ in 0..<400 { timeline.note(entry(MessageBytes(.http, request: long, answer: long))) }
        func kept() -> Int { timeline.entries().reduce(0) { $0 + ($1.bytes?.size ?? 0) } }
        #expect(kept() <= Timeline.maximumBytes && kept() > Timeline.maximumBytes / 2)
        #expect(timeline.entries().count == 400)
        #expect(timeline.entries().first?.bytes == nil && timeline.entries().last?.bytes != nil)
        // Entries that are forgotten altogether give back what they held.
        for _ in 0..<(Timeline.maximumLength + 300) { timeline.note(entry()) }
        #expect(kept() == 0)
        for _ in 0..<400 { timeline.note(entry(MessageBytes(.http, request: long))) }
        #expect(kept() > Timeline.maximumBytes / 2 && kept() <= Timeline.maximumBytes)
        timeline.clear()
        timeline.note(entry(MessageBytes(.http, request: long)))
        #expect(timeline.entries().last?.bytes != nil)
    }

    @Test("neither bytes nor what is in them stand in the timeline's JSON")
    func json() {
        let text = entry(MessageBytes(.text, request: Array("13800000011".utf8))).json.text
        #expect(!text.contains("13800000011") && !text.contains("bytes"))
    }

    @Test("a short message goes to its centre and from there to the phone, with its text in no line")
    func shortMessages() {
        let wiring = SandboxWiring()
        wiring.noteMessage("code 123456", to: SandboxPhone(position: 1))
        let entries = wiring.timeline.entries()
        #expect(entries.map(\.from) == [.authority, .smsc] && entries.map(\.to) == [.smsc, .phone])
        #expect(entries.allSatisfy { $0.bytes?.request.bytes == Array("code 123456".utf8) })
        #expect(entries.allSatisfy { !$0.json.text.contains("123456") })
    }

    @Test("what a message brought about stands between its beginning and its end")
    func ends() {
        let timeline = Timeline()
        var outer = entry()
        timeline.begin(&outer)
        var inner = entry()
        timeline.begin(&inner)
        timeline.note(inner)
        timeline.note(outer)
        let entries = timeline.entries()
        #expect(entries.map(\.number) == [2, 1])
        #expect(entries[0].order < entries[1].order && entries[1].end < entries[0].end && entries[1].end > 0)
        timeline.note(entry(elapsed: nil))
        #expect(timeline.entries().last?.end == 0, "what is not answered has no end")
    }
}
