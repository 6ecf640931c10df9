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
        #expect(receipt.isMarked && receipt.error == nil)
        #expect(message.parameters.map(\.tag.rawValue) == [0x0427, 0x001e])
    }

    @Test(
        "each state is read from a text, cut or in full",
        arguments: [
            ("DELIVRD", .delivered), ("EXPIRED", .expired), ("DELETED", .deleted), ("UNDELIV", .undeliverable),
            ("ACCEPTD", .accepted), ("UNKNOWN", .unknown), ("REJECTD", .rejected), ("ENROUTE", .enroute),
            ("delivrd", .delivered), ("REJECTED", .rejected), ("UNDELIVERABLE", .undeliverable),
            ("DELIVERED", .delivered), ("DELIVER", .delivered), ("REJECT", .rejected), ("UNDELI", .undeliverable),
            ("EXPIRE", .expired), ("ACCEPT", .accepted), ("SCHEDULED", .scheduled),
        ] as [(String, Receipt.State)])
    func states(text: String, state: Receipt.State) {
        let read = receipt("id:7 sub:001 dlvrd:001 stat:\(text) err:000 text:")
        #expect(read?.state == state && read?.error == nil)
    }

    @Test(
        "a state that is none of the known words is a failure, even if it begins like a delivery, and keeps its code",
        arguments: [
            ("MK:0001", "000", "MK:0001"), ("FAILED", "002", "FAILED/002"), ("DELIVERY_FAILED", "", "DELIVERY_FAILED"),
            ("DELIVFAIL", "000", "DELIVFAIL"), ("DELIVRDX", "7", "DELIVRDX/7"), ("2_100", "null", "2_100"),
            ("UNDELIV", "075", "075"), ("EXPIRED", "21b", "21b"), ("DELIVRD", "001", nil),
            // No place for a number, nor for what labels and logs have marks of their own.
            ("13800138000", "+8613800138000", nil), ("NO\"ROUTE", "a=b", nil), ("UNDELIV", "12345678901234567", nil),
        ] as [(String, String, String?)])
    func failures(word: String, err: String, error: String?) throws {
        let read = try #require(receipt("id:7 sub:001 dlvrd:000 stat:\(word) err:\(err) text:"))
        #expect((read.state == .delivered) == (word == "DELIVRD"))
        #expect(read.state.isDecided)
        #expect(read.error == error)
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
        // A state that the standard does not have, and one that decides nothing, leave the text its say.
        for state: UInt8 in [0, 1, 10, 0xff] {
            let read = receipt("id:7 stat:DELIVRD", parameters: [.init(.messageState, [state])])
            #expect(read?.state == .delivered)
        }
        // So does an undecided one to a vendor's own failure; a decided one is kept, with the vendor's code.
        for state: UInt8 in [0, 1, 6, 7, 10, 0xff] {
            let read = receipt("id:7 stat:MK:0001", parameters: [.init(.messageState, [state])])
            #expect(read?.state == .undeliverable && read?.error == "MK:0001", "\(state)")
        }
        let expired = receipt("id:7 stat:MK:0001", parameters: [.init(.messageState, [3])])
        #expect(expired?.state == .expired && expired?.error == "MK:0001")
    }

    @Test("a code of the network is kept with a failure that has no text, and so is a state that no standard has")
    func codes() {
        let id = OptionalParameter(.receiptedMessageID, Array("abc".utf8))
        let failed = receipt(
            "", parameters: [id, .init(.messageState, [5]), .init(.networkErrorCode, [3, 0x01, 0x02])])
        #expect(failed?.state == .undeliverable && failed?.error == "258")
        let unknown = receipt("", parameters: [id, .init(.messageState, [42])])
        #expect(unknown?.state == .undeliverable && unknown?.error == "42")
        let skipped = receipt("", parameters: [id, .init(.messageState, [9])])
        #expect(skipped?.state == .skipped && skipped?.error == nil)
    }

    @Test("what the message's own text says is no state of it")
    func text() {
        #expect(receipt("id:7 sub:001 text:stat:DELIVRD id:8 stat:DELIVRD") == nil)
        #expect(receipt("id:7 stat:UNDELIV err:001 Text:x stat:DELIVRD")?.state == .undeliverable)
        #expect(receipt("id:7 stat:EXPIRED stat:DELIVRD")?.state == .expired)
        #expect(receipt("id:7 DELIVRD stat:EXPIRED")?.state == .expired)
    }

    @Test("an intermediate notification decides nothing but a delivery")
    func intermediate() {
        for word in ["UNDELIV", "EXPIRED", "BUFFRED", "MK:0001"] {
            #expect(receipt("id:7 sub:001 stat:\(word)", messageClass: 0x20)?.state == .enroute)
        }
        #expect(receipt("id:7 sub:001 stat:DELIVRD", messageClass: 0x20)?.state == .delivered)
    }

    @Test(
        "a text without the flag is a receipt only in the form of one, and it is known that a phone may have written it"
    )
    func fromPhone() throws {
        for text in ["id:7 stat:DELIVRD", "my id:7", "id:7 sub:1", "TD", "id: DELIVRD"] {
            #expect(receipt(text, messageClass: 0) == nil)
        }
        let form = "id:7 sub:001 dlvrd:001 submit date:2611250900 done date:2611250901 stat:DELIVRD err:000 text:"
        for messageClass: UInt8 in [0, 0x08, 0x10] {
            let read = try #require(receipt(form, messageClass: messageClass))
            #expect(!read.isMarked)
        }
        // No phone writes an optional parameter.
        let named = [OptionalParameter(.receiptedMessageID, Array("7".utf8)), .init(.messageState, [2])]
        let read = try #require(receipt("", parameters: named, messageClass: 0))
        #expect(read.isMarked)
    }
}
