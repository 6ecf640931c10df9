import Testing

@testable import SMPP

/// A receipt in the form that an SMSC gave it, and where that is published.
struct VendorReceipt: Sendable, CustomTestStringConvertible {
    var source: String
    var message: Message
    var id: String
    var state: Receipt.State
    var error: String?

    init(_ source: String, _ message: Message, _ id: String, _ state: Receipt.State, _ error: String? = nil) {
        self.source = source
        self.message = message
        self.id = id
        self.state = state
        self.error = error
    }

    var testDescription: String { source }

    /// A receipt with this text.
    private static func text(
        _ text: String, messageClass: UInt8 = 0x04, coding: UInt8 = 0, parameters: [OptionalParameter] = []
    ) -> Message { octets(Array(text.utf8), messageClass: messageClass, coding: coding, parameters: parameters) }

    private static func octets(
        _ octets: [UInt8], messageClass: UInt8 = 0x04, coding: UInt8 = 0, parameters: [OptionalParameter] = []
    ) -> Message {
        Message(
            source: .international("8613800138000"), destination: Address(source: "10690"), messageClass: messageClass,
            coding: DataCoding(rawValue: coding), octets: octets, parameters: parameters)
    }

    private static func ucs2(_ text: String) -> [UInt8] { text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] } }

    private static let usual =
        "id:0123456789 sub:001 dlvrd:001 submit date:2611250900 done date:2611250901 stat:DELIVRD err:000 "
    private static let named = OptionalParameter(.receiptedMessageID, Array("0000029095".utf8) + [0])

    static let appendixB = VendorReceipt(
        "SMPP 3.4, appendix B", text(usual + "Text:hello"), "0123456789", .delivered)

    static let vendors: [VendorReceipt] = codings + fields + states + parameters + flags

    /// How the text is encoded, and where it is.
    private static let codings: [VendorReceipt] = [
        VendorReceipt(
            "https://github.com/praekeltfoundation/vumi/pull/635: UCS-2",
            octets(ucs2(usual + "text:验证码"), coding: 8), "0123456789", .delivered),
        VendorReceipt(
            "https://github.com/farhadi/node-smpp/issues/68: ASCII with the data_coding of UCS-2",
            text(
                "id:S21311242091636504458661711 sub:001 dlvrd:001 submit date:170609163650 done date:170609163657 "
                    + "stat:DELIVRD err:000 text:", coding: 8), "S21311242091636504458661711", .delivered),
        VendorReceipt(
            "SMPP 3.4 §5.2.19: UCS-2 with the data_coding of the default alphabet", octets(ucs2(usual + "text:hello")),
            "0123456789", .delivered),
        VendorReceipt(
            "SMPP 3.4 §5.2.19: Latin-1", octets(Array((usual + "text:caf").utf8) + [0xe9], coding: 3), "0123456789",
            .delivered),
        VendorReceipt("SMPP 3.4 §5.2.19: binary, 4", text(usual + "text:", coding: 4), "0123456789", .delivered),
        VendorReceipt("SMPP 3.4 §5.2.19: binary, 2", text(usual + "text:", coding: 2), "0123456789", .delivered),
        VendorReceipt(
            "3GPP TS 23.038 §6.2.1: the underscore is 0x11",
            text("id:a\u{11}7 sub:001 dlvrd:001 stat:DELIVRD err:000 text:"), "a_7", .delivered),
        VendorReceipt(
            "SMPP 3.4 §5.3.2.32: message_payload",
            octets([], parameters: [.init(.messagePayload, Array((usual + "text:hello").utf8))]), "0123456789",
            .delivered),
        VendorReceipt(
            "https://github.com/fiorix/go-smpp/issues/73: a zero before the text, whose end is cut",
            text("\0id:1234 sub:001 dlvrd:001 submit date:180625012100 done date:180625012101 stat:DELIVRD err:00"),
            "1234", .delivered),
        VendorReceipt(
            "https://github.com/kneodev/ksmppd/issues/63: a user data header",
            octets([5, 0, 3, 0x84, 1, 1] + Array((usual + "text:").utf8), messageClass: 0x44), "0123456789",
            .delivered),
    ]

    /// Which fields the text has, and how they are written.
    private static let fields: [VendorReceipt] = [
        VendorReceipt(
            "https://github.com/opentelecoms-org/jsmpp/issues/62: no sub, no dlvrd",
            text("id:1526758174 submit date:1701240904 done date:1701240904 stat:DELIVRD err:000 text:hellow"),
            "1526758174", .delivered),
        VendorReceipt(
            "https://github.com/uudashr/jsmpp/issues/67: no text",
            text("id:0654354026 submit date:2302101454 done date:2302101454 stat:DELIVRD err:000"), "0654354026",
            .delivered),
        VendorReceipt(
            "https://github.com/twitter-archive/cloudhopper-smpp/issues/105: no sub, no dates",
            text("id:0123456789 dlvrd:001 stat:EXPIRED err:000 text:hello"), "0123456789", .expired),
        VendorReceipt(
            "https://github.com/jookies/jasmin/issues/70: dates with seconds",
            text(
                "id:a29f6845555647139e5c8f3b817f2c9a sub:001 dlvrd:001 submit date:141023215253 "
                    + "done date:141023215259 stat:DELIVRD err:000 text:"), "a29f6845555647139e5c8f3b817f2c9a",
            .delivered),
        VendorReceipt(
            "https://github.com/jookies/jasmin/issues/753: years of four digits",
            text(
                "id:dbd1d8e8-d2a4-4efe-b508-60761b1ae484 submit date:201906190720 done date:201906190720 stat:EXPIRED "
                    + "err:030"
            ),
            "dbd1d8e8-d2a4-4efe-b508-60761b1ae484", .expired, "030"),
        VendorReceipt(
            "https://github.com/funbox/smppex/issues/46: dates as in §7.1.1",
            text(
                "id:rdwjwxns18krxr9936ey96ymcw sub:000 dlvrd:000 submit date:180711070003912+ "
                    + "done date:180711070000012+ stat:UNDELIV err:000"), "rdwjwxns18krxr9936ey96ymcw", .undeliverable),
        VendorReceipt(
            "https://github.com/farhadi/node-smpp/issues/77: short numbers",
            text(
                "id:45013692 sub:0 dlvrd:28 submit date:1908121157 done date:1908121158 stat:UNDELIV err:21 "
                    + "Text:*100#"),
            "45013692", .undeliverable, "21"),
        VendorReceipt(
            "https://github.com/onlinecity/php-smpp/issues/70: err of four digits, and an escape in the text",
            text(
                "id:117062714244798261 sub:001 dlvrd:001 submit date:1706271624 done date:1706271624 stat:DELIVRD "
                    + "err:0000 text:H\u{1b}ello world",
                parameters: [
                    .init(.networkErrorCode, [3, 0, 0]), .init(.init(rawValue: 0x1454), [0, 0, 0, 0]),
                    .init(.init(rawValue: 0x1418), [0, 0, 0, 0]),
                ]), "117062714244798261", .delivered),
        VendorReceipt(
            "https://github.com/onlinecity/php-smpp/issues/29: a space behind the colon",
            text(
                "id:0123456789 sub:001 dlvrd:000 submit date: 2611250900 done date: 2611250901 stat: UNDELIV "
                    + "err: 5 text:"
            ),
            "0123456789", .undeliverable, "5"),
        VendorReceipt(
            "https://github.com/praekeltfoundation/vumi/pull/873: err:null",
            text(
                "id:0123456789 sub:001 dlvrd:000 submit date:2611250900 done date:2611250901 stat:UNDELIV "
                    + "err:null text:"
            ),
            "0123456789", .undeliverable),
        VendorReceipt(
            "https://github.com/jookies/jasmin/issues/521: ND for sub and dlvrd",
            text(
                "id:BEB0AFE1-570A-45E8-9206-E8DB4D342E5B sub:ND dlvrd:ND submit date:201612141540 "
                    + "done date:201612141540 stat:DELIVRD err:000 text:"), "BEB0AFE1-570A-45E8-9206-E8DB4D342E5B",
            .delivered),
        VendorReceipt(
            "https://github.com/kneodev/ksmppd/issues/108: no `stat:`",
            text(
                "id:ce5bc5a9-4f7d-4282-9244-2e1022a9335c sub:000 dlvrd:000 submit date:180903120815 "
                    + "done date:180903120816 DELIVRD err:000 Text:"), "ce5bc5a9-4f7d-4282-9244-2e1022a9335c",
            .delivered),
        VendorReceipt(
            "SMPP 3.4, appendix B, as it is printed: a line break in `done date`",
            text(
                "id:0123456789 sub:001 dlvrd:001 submit date:2611250900 done\ndate:2611250901 stat:DELIVRD "
                    + "err:000 Text:"
            ),
            "0123456789", .delivered),
        VendorReceipt(
            "SMPP 3.4, appendix B, in capital letters",
            text(
                "ID:0123456789 SUB:001 DLVRD:001 SUBMIT DATE:2611250900 DONE DATE:2611250901 STAT:DELIVRD ERR:000 TEXT:"
            ),
            "0123456789", .delivered),
    ]

    private static func stat(_ stat: String, _ err: String = "000", messageClass: UInt8 = 0x04) -> Message {
        text(
            "id:0123456789 sub:001 dlvrd:001 submit date:2611250900 done date:2611250901 stat:\(stat) err:\(err) text:",
            messageClass: messageClass)
    }

    /// Which states there are.
    private static let states: [VendorReceipt] = [
        VendorReceipt(
            "https://github.com/jookies/jasmin/issues/447: FAILED",
            text(
                "id:1216080510463401720 sub:001 dlvrd:001 submit date:1608051046 done date:0000000000 stat:FAILED "
                    + "err:002 Text:"), "1216080510463401720", .undeliverable, "FAILED/002"),
        VendorReceipt(
            "https://github.com/praekeltfoundation/vumi/pull/897: FAILED", stat("FAILED"), "0123456789", .undeliverable,
            "FAILED"),
        VendorReceipt(
            "https://github.com/opentelecoms-org/jsmpp/issues/9: BUFFRED", stat("BUFFRED"), "0123456789", .enroute),
        VendorReceipt(
            "https://github.com/opentelecoms-org/jsmpp/issues/9: ACKED", stat("ACKED"), "0123456789", .accepted),
        VendorReceipt(
            "https://github.com/jookies/jasmin/issues/181: whole words", stat("UNDELIVERABLE", "005"), "0123456789",
            .undeliverable, "005"),
        VendorReceipt(
            "https://github.com/jookies/jasmin/issues/181: DELIVERED", stat("DELIVERED"), "0123456789", .delivered),
        VendorReceipt(
            "https://www.smscentral.com.au/sms-api/smpp/receive-dlrs/: NOCRED", stat("NOCRED", "500"), "0123456789",
            .undeliverable, "NOCRED/500"),
        VendorReceipt(
            "https://www.smscentral.com.au/sms-api/smpp/receive-dlrs/: an intermediate notification",
            stat("ACCEPTD", messageClass: 0x20), "0123456789", .enroute),
        VendorReceipt(
            "https://mysubmail.com/documents/1XQAE4: MK:0001", stat("MK:0001"), "0123456789", .undeliverable,
            "MK:0001"),
        VendorReceipt("https://mysubmail.com/documents/1XQAE4: REJECT", stat("REJECT"), "0123456789", .rejected),
        VendorReceipt(
            "https://mysubmail.com/documents/1XQAE4: 2_100", stat("2_100"), "0123456789", .undeliverable, "2_100"),
        VendorReceipt(
            "https://www.feige.cn/dev/dev8.html: HTTPRESP:115", stat("HTTPRESP:115"), "0123456789", .undeliverable,
            "HTTPRESP:115"),
    ]

    /// Receipts without a text, or with more than one.
    private static let parameters: [VendorReceipt] = [
        VendorReceipt(
            "https://github.com/praekeltfoundation/vumi/pull/637: optional parameters alone",
            octets([], parameters: [named, .init(.messageState, [2])]), "0000029095", .delivered),
        VendorReceipt(
            "SMPP 3.4 §5.3.2.31: network_error_code",
            octets([], parameters: [named, .init(.messageState, [5]), .init(.networkErrorCode, [3, 0, 27])]),
            "0000029095", .undeliverable, "27"),
        VendorReceipt(
            "SMPP 5.0 §4.7.15: skipped", octets([], parameters: [named, .init(.messageState, [9])]), "0000029095",
            .skipped),
        VendorReceipt(
            "https://github.com/MavoCz/smscsim/issues/4: the id as an optional parameter, the state as a text",
            text(
                "id: sub:001 dlvrd:000 submit date:2611250900 done date:2611250901 stat:UNDELIV err:000 text:",
                parameters: [named]), "0000029095", .undeliverable),
    ]

    /// Receipts that esm_class does not mark.
    private static let flags: [VendorReceipt] = [
        VendorReceipt(
            "https://github.com/farhadi/node-smpp/issues/140: a text alone", text(usual + "text:", messageClass: 0),
            "0123456789", .delivered),
        VendorReceipt(
            "https://github.com/farhadi/node-smpp/issues/116: optional parameters",
            octets([], messageClass: 0, parameters: [named, .init(.messageState, [2])]), "0000029095", .delivered),
    ]
}

struct VendorReceiptTests {
    /// Reads appendix B of SMPP 3.4 to the letter, as the libraries of these reports did.
    private func readAppendixB(_ message: Message) -> (id: String, state: Receipt.State)? {
        let words: [String: Receipt.State] = [
            "DELIVRD": .delivered, "EXPIRED": .expired, "DELETED": .deleted, "UNDELIV": .undeliverable,
            "ACCEPTD": .accepted, "UNKNOWN": .unknown, "REJECTD": .rejected, "ENROUTE": .enroute,
        ]
        let form =
            #/id:(\S+) sub:\d{3} dlvrd:\d{3} submit date:\d{10} done date:\d{10} stat:([A-Z]{7}) err:\d{3} [Tt]ext:.*/#
        guard message.messageClass == 0x04, message.coding == .standard,
            let match = String(decoding: message.octets, as: UTF8.self).wholeMatch(of: form),
            let state = words[String(match.2)]
        else { return nil }
        return (String(match.1), state)
    }

    @Test("the standard's own form of a receipt is read, as by any reader of it")
    func honest() throws {
        let form = VendorReceipt.appendixB
        let naive = try #require(readAppendixB(form.message))
        #expect(naive.id == form.id && naive.state == form.state)
        let receipt = try #require(Receipt(form.message))
        #expect(receipt.messageID == form.id && receipt.state == form.state && receipt.error == nil)
    }

    @Test(
        "a receipt is read in each form that is published, where a reader of appendix B loses it or its error code",
        arguments: VendorReceipt.vendors)
    func vendors(_ form: VendorReceipt) throws {
        let naive = readAppendixB(form.message)
        #expect(naive?.id != form.id || naive?.state != form.state)
        let receipt = try #require(Receipt(form.message))
        #expect(receipt.messageID == form.id)
        #expect(receipt.state == form.state)
        #expect(receipt.error == form.error)
    }
}
