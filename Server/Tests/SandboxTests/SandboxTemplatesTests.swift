import BenjiPage
@_spi(Server) import BenjiProtocol
import Catalogue
import Testing

@testable import Sandbox
@testable import SandboxWeb

@Suite("What the sandbox's page says")
struct SandboxTemplatesTests {
    @Test("everything that is shown is escaped")
    func escaping() {
        var entry = TimelineEntry(.message, phone: "phone-1", from: .phone, to: .shop, "GET /<script>alert(1)</script>")
        entry.detail = "\"><img src=x>"
        entry.code = "<b>"
        let html = SandboxTemplates().timeline([entry], .english)
        #expect(!html.contains("<script>") && !html.contains("<img") && !html.contains("<b>"))
        #expect(html.contains("&lt;script&gt;"))
    }

    @Test("every code that a phone can be answered with is explained, in both languages")
    func explained() {
        for situation in Situation.all where situation != .success {
            var entry = TimelineEntry(.message, phone: nil, from: .phone, "SDK")
            entry.code = situation.rawValue
            #expect(
                entry.explanation?.meaning.simplifiedChinese.isEmpty == false
                    && entry.explanation?.remedy.english.isEmpty == false)
            #expect(!entry.isSuccess)
        }
    }

    @Test("a success is no failure in any table")
    func success() {
        var entry = TimelineEntry(.message, phone: nil, from: .shop, "POST /x")
        for (code, table) in [("success", CodeTable.device), ("103000", .cmPhone), ("000", .cmVerify)] {
            (entry.code, entry.table) = (code, table)
            #expect(entry.isSuccess, "\(code)")
        }
        (entry.code, entry.table) = ("104201", .cmPhone)
        #expect(!entry.isSuccess)
    }

    @Test("every word of the page is there in both languages")
    func words() {
        for (name, text) in SandboxStrings.page {
            #expect(!text.simplifiedChinese.isEmpty && !text.english.isEmpty, "\(name)")
            #expect(
                text.simplifiedChinese.unicodeScalars.contains { $0.value > 0x2e80 }
                    || ["VPN"].contains(text.simplifiedChinese), "\(name)")
        }
    }

    @Test("Accept-Language chooses between the two")
    func language() {
        #expect(Language(accepted: "zh-CN,zh;q=0.9,en;q=0.8") == .simplifiedChinese)
        #expect(Language(accepted: "de, en;q=0.5, zh;q=0.1") == .english)
        #expect(Language(accepted: "en;q=0.5, zh") == .simplifiedChinese)
        #expect(Language(accepted: "") == .english)
    }

    @Test("a form puts in a fault, takes it away, and says what is wrong with it")
    func forms() throws {
        #expect(try SandboxPages.fault(["action": "clear"]) == nil)
        let fault = try SandboxPages.fault([
            "step": "tap", "kind": "delay", "milliseconds": "500", "times": "1", "code": "x",
        ])
        #expect(try fault == SandboxFault(.tap, .delay(.milliseconds(500)), times: 1))
        let always = try SandboxPages.fault(["step": "page", "kind": "drop", "milliseconds": "500", "times": ""])
        #expect(try always == SandboxFault(.page, .drop))
        #expect(throws: JSONError.self) { try SandboxPages.fault(["step": "tap", "kind": "drop", "times": "often"]) }
        #expect(throws: JSONError.self) { try SandboxPages.fault(["step": "tap", "kind": "explode"]) }
        #expect(throws: JSONError.self) { try SandboxPages.fault(["step": "tap", "kind": "code", "code": "x"]) }
    }
}
