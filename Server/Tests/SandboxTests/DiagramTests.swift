import BenjiClient
import BenjiPage
@_spi(Server) import BenjiProtocol
import Testing

@testable import Sandbox
@testable import SandboxWeb

@Suite("The sequence diagram")
struct DiagramTests {
    @Test("messages stand in order of cause: sent, what they brought about, answered")
    func order() {
        let timeline = Timeline()
        var callback = TimelineEntry(.message, phone: "phone-1", from: .phone, to: .shop, "GET /callback")
        timeline.begin(&callback)
        var exchange = TimelineEntry(.message, phone: "phone-1", from: .shop, to: .authority, "POST /openid/token")
        timeline.begin(&exchange)
        var decision = TimelineEntry(.decision, phone: "phone-1", from: .authority, "openid.token")
        timeline.begin(&decision)
        exchange.elapsed = .milliseconds(3)
        timeline.note([exchange, decision])
        callback.elapsed = .milliseconds(9)
        timeline.note(callback)
        let rows = DiagramRow.rows(timeline.entries())
        #expect(
            rows.map { "\($0.leg.rawValue) \($0.entry.subject)" } == [
                "request GET /callback", "request POST /openid/token", "note openid.token", "answer POST /openid/token",
                "answer GET /callback",
            ])
        #expect(rows.map(\.order) == rows.map(\.order).sorted() && Set(rows.map(\.order)).count == rows.count)
        #expect(rows[1].lanes == (.shop, .authority) && rows[3].lanes == (.authority, .shop))
    }

    @Test("a message that was never answered has no arrow back")
    func unanswered() {
        let timeline = Timeline()
        timeline.note(TimelineEntry(.message, phone: "phone-1", from: .smsc, to: .phone, "SMS"))
        #expect(DiagramRow.rows(timeline.entries()).map(\.leg) == [.request])
    }

    @Test("every party has a lane with a name in both languages, and each lane is reached")
    func lanes() {
        #expect(Set(TimelineEntry.Party.allCases.map { DiagramRow.Lane($0) }) == Set(DiagramRow.Lane.allCases))
        for lane in DiagramRow.Lane.allCases {
            #expect(!SandboxStrings.lane(lane).english.isEmpty && !SandboxStrings.lane(lane).simplifiedChinese.isEmpty)
        }
    }

    private func row(_ body: [UInt8], _ form: MessageBytes.Form = .http) -> DiagramRow {
        let timeline = Timeline()
        var entry = TimelineEntry(.message, phone: "phone-1", from: .phone, to: .gateway, "POST /x")
        entry.elapsed = .milliseconds(5)
        let bytes = form == .http ? MessageBytes.http("POST /x HTTP/1.1", [.init("A", "<i>\"")], body) : body
        entry.bytes = MessageBytes(form, request: bytes, answer: MessageBytes.answer(403, [], body))
        timeline.note(entry)
        return DiagramRow.rows(timeline.entries())[0]
    }

    @Test("a message opens to its bytes, and nothing of them is a tag, an attribute or a change of direction")
    func wire() {
        let attack = Array("<script>alert(1)</script>\"'&\u{202e}\u{0}".utf8)
        for isWhole in [false, true] {
            let html = SandboxTemplates().wire(row(attack), .english, isWhole: isWhole)
            #expect(html.contains("POST /x HTTP/1.1") && html.contains("&lt;script&gt;alert(1)"))
            #expect(!html.contains("<script>") && !html.contains("<i>") && !html.contains("\u{202e}"))
            #expect(!html.unicodeScalars.contains("\u{0}"))
        }
    }

    @Test("a JSON body stands as it was sent, and once more with a line for each member")
    func json() {
        let text = WireText(row(Array(#"{"token":"t","n":[1,{}]}"#.utf8)).entry.bytes!.request, .http)
        #expect(text.body == #"{"token":"t","n":[1,{}]}"#)
        #expect(text.json == "{\n  \"token\": \"t\",\n  \"n\": [\n    1,\n    {}\n  ]\n}")
    }

    @Test("bytes that are no text are shown in hexadecimal, with the text in them beside")
    func dump() {
        let part = MessageBytes.Part([4, 1, 0, 20] + Array("8613800000011".utf8) + [0xff])
        let text = WireText(part, .radius)
        #expect(text.head.isEmpty && text.json.isEmpty)
        #expect(
            text.body.hasPrefix("0000  04 01 00 14 38 36 31 33 38 30 30 30 30 30 30 31  ····861380000001\n0010  31"))
        #expect(WireText(MessageBytes.Part([0xc3, 0x28, 0x00]), .text).body.contains("c3 28 00"))
    }

    @Test("a character that was cut in two at the end does not make a text hexadecimal")
    func cutCharacter() {
        #expect(WireText(MessageBytes.Part(Array("本机".utf8.dropLast())), .text).body == "本")
    }

    @Test("bytes that are not kept any more are said to be gone")
    func forgotten() {
        let timeline = Timeline()
        timeline.note(TimelineEntry(.message, phone: "phone-1", from: .phone, to: .gateway, "POST /x"))
        let html = SandboxTemplates().wire(DiagramRow.rows(timeline.entries())[0], .english, isWhole: false)
        #expect(html.contains("not kept any more") && !html.contains("<pre"))
    }

    @Test("each code that a fault can answer with stands in one group, and every group has codes")
    func groups() {
        #expect(FaultGroups.all.flatMap(\.codes).count == SandboxFault.codes.count)
        #expect(Set(FaultGroups.all.flatMap(\.codes)) == Set(SandboxFault.codes))
        #expect(FaultGroups.all.count >= 9 && FaultGroups.all.allSatisfy { !$0.codes.isEmpty })
    }
}
