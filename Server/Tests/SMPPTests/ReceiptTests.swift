import Testing

@testable import SMPP

struct ReceiptTests {
    func receipt(_ text: String, parameters: [OptionalParameter] = [], messageClass: UInt8 = 4) -> Receipt? {
        Receipt(
            Message(
                source: .international("8613800138000"), destination: Address(source: "10690"),
                messageClass: messageClass, octets: Array(text.utf8), parameters: parameters))
    }

    @Test("smpplib's receipt names the message and its state")
    func vector() throws {
        guard case .deliver(let message) = try PDU(decoding: Vectors.receipt).body else {
            Issue.record("not a deliver_sm")
            return
        }
        let receipt = try #require(Receipt(message))
        #expect(receipt.messageID == "00a1")
        #expect(receipt.state == .delivered)
        #expect(message.parameters.map(\.tag.rawValue) == [0x0427, 0x001e])
    }

    @Test(
        "each state is read from a text, in the letters that SMSCs use",
        arguments: [
            ("DELIVRD", .delivered), ("EXPIRED", .expired), ("DELETED", .deleted), ("UNDELIV", .undeliverable),
            ("ACCEPTD", .accepted), ("UNKNOWN", .unknown), ("REJECTD", .rejected), ("ENROUTE", .enroute),
            ("delivrd", .delivered), ("REJECTED", .rejected), ("UNDELIVERABLE", .undeliverable),
        ] as [(String, Receipt.State)])
    func states(text: String, state: Receipt.State) {
        #expect(receipt("id:7 sub:001 dlvrd:001 stat:\(text) err:000 text:")?.state == state)
    }

    @Test("optional parameters count before the text, and do without one")
    func parameters() {
        let parameters = [
            OptionalParameter(.receiptedMessageID, Array("abc".utf8) + [0]), .init(.messageState, [3]),
        ]
        let both = receipt("id:7 stat:DELIVRD", parameters: parameters)
        #expect(both?.messageID == "abc" && both?.state == .expired)
        let alone = receipt("", parameters: parameters)
        #expect(alone?.messageID == "abc" && alone?.state == .expired)
        #expect(receipt("", parameters: [parameters[0]]) == nil)
        #expect(receipt("", parameters: [parameters[1]]) == nil)
        #expect(receipt("id:7 stat:DELIVRD", parameters: [.init(.messageState, [9])])?.state == .delivered)
    }

    @Test("what the message's own text says is no state of it")
    func text() {
        #expect(receipt("id:7 sub:001 text:stat:DELIVRD id:8 stat:DELIVRD") == nil)
        #expect(receipt("id:7 stat:UNDELIV err:001 Text:x stat:DELIVRD")?.state == .undeliverable)
        #expect(receipt("id:7 stat:EXPIRED stat:DELIVRD")?.state == .expired)
    }

    @Test("a phone that writes a receipt's text has not sent a receipt")
    func fromPhone() { #expect(receipt("id:7 stat:DELIVRD", messageClass: 0) == nil) }
}
