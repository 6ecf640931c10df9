import Testing

@testable import SMPP

struct PDUTests {
    static let message = Message(
        source: Address(source: "Benji"), destination: .international("8613800138000"),
        validity: Message.validity(for: .seconds(300)), receipts: Message.wantsReceipt,
        octets: Array("Code 123456".utf8))

    @Test("smpplib's bind is read field by field and written as the same bytes")
    func bind() throws {
        let bind = PDU(
            .bind(Bind(kind: .transceiver, systemID: "benji", password: "secret08", systemType: "otp")), sequence: 7)
        #expect(try PDU(decoding: Vectors.bind) == bind)
        #expect(try bind.encoded() == Vectors.bind)
    }

    @Test("smpplib's submit_sm is read field by field and written as the same bytes")
    func submit() throws {
        let submit = PDU(.submit(Self.message), sequence: 7)
        #expect(try PDU(decoding: Vectors.submit) == submit)
        #expect(try submit.encoded() == Vectors.submit)
    }

    @Test("smpplib's answers and enquire_link are read and written as the same bytes")
    func answers() throws {
        let answer = PDU(.submitAnswer(messageID: "00a1", []), sequence: 7)
        let bound = PDU(
            .bindAnswer(.transceiver, systemID: "SMSC", [.init(.init(rawValue: 0x0210), [0x34])]), sequence: 7)
        for (pdu, bytes) in [
            (answer, Vectors.submitAnswer), (bound, Vectors.bindAnswer),
            (PDU(.enquireLink, sequence: 7), Vectors.enquireLink),
        ] {
            #expect(try PDU(decoding: bytes) == pdu)
            #expect(try pdu.encoded() == bytes)
        }
    }

    @Test("an answer to a refused request may come without a body")
    func refused() throws {
        let pdu = PDU(.submitAnswer(messageID: nil, []), status: .throttled, sequence: 9)
        let bytes = try pdu.encoded()
        #expect(bytes.count == 16)
        #expect(try PDU(decoding: bytes) == pdu)
    }

    @Test("a PDU without one of its mandatory fields is refused and never read")
    func cut() throws {
        // Behind the second number a text has no zero, or optional parameters are cut.
        for (whole, needed) in [(Vectors.bind, 38), (Vectors.submit, 78), (Vectors.receipt, 158)] {
            for count in 0..<whole.count {
                var bytes = Array(whole[..<count])
                #expect(throws: PDUError.self) { try PDU(decoding: bytes) }
                guard count >= 16 else { continue }
                // Even if its length says that it is whole.
                bytes[3] = UInt8(count)
                if count < needed {
                    #expect(throws: PDUError.self, "\(count)") { try PDU(decoding: bytes) }
                } else {
                    #expect(throws: Never.self, "\(count)") { try PDU(decoding: bytes) }
                }
            }
        }
    }

    @Test("a text that is longer than the standard's table or is not ASCII is read, and never written")
    func strings() throws {
        // bind: system_id begins at byte 16 and has 15 characters at most.
        for (octets, text) in [
            (Array(repeating: 0x61, count: 15), String(repeating: "a", count: 15)),
            (Array(repeating: 0x61, count: 16), String(repeating: "a", count: 16)), ([0xe9], "é"),
        ] as [([UInt8], String)] {
            var bytes = Array(Vectors.bind[..<16]) + octets + Vectors.bind[21...]
            bytes[3] = UInt8(bytes.count)
            let read = try PDU(decoding: bytes)
            guard case .bind(let bind) = read.body else {
                Issue.record("not a bind")
                return
            }
            #expect(bind.systemID == text && bind.password == "secret08")
        }
        #expect(throws: PDUError(.stringLength, offset: 16)) {
            try PDU(.bind(Bind(kind: .receiver, systemID: "1234567890123456", password: "")), sequence: 1).encoded()
        }
        #expect(throws: PDUError(.text, offset: 16)) {
            try PDU(.bind(Bind(kind: .receiver, systemID: "é", password: "")), sequence: 1).encoded()
        }
    }

    @Test("a message of 255 octets and a time of 15 characters are read, and never written")
    func fields() throws {
        var message = Self.message
        message.octets = Array(repeating: 0x61, count: 255)
        #expect(throws: PDUError.self) { try PDU(.submit(message), sequence: 1).encoded() }
        // sm_length is byte 66.
        var long = Array(Vectors.submit[..<66]) + [255] + message.octets
        long[2] = UInt8(long.count >> 8)
        long[3] = UInt8(long.count & 0xff)
        #expect(try PDU(decoding: long) == PDU(.submit(message), sequence: 7))
        message = Self.message
        message.validity = "00000000050000R"
        #expect(throws: PDUError.self) { try PDU(.submit(message), sequence: 1).encoded() }
    }

    @Test("optional parameters that nobody knows are kept, and one that ends behind its PDU is left out")
    func parameters() throws {
        var message = Self.message
        message.parameters = [.init(.init(rawValue: 0x1400), [1, 2, 3]), .init(.init(rawValue: 0x1401), [])]
        var bytes = try PDU(.deliver(message), sequence: 3).encoded()
        #expect(try PDU(decoding: bytes) == PDU(.deliver(message), sequence: 3))
        bytes[bytes.count - 1] = 1
        message.parameters.removeLast()
        #expect(try PDU(decoding: bytes) == PDU(.deliver(message), sequence: 3))
    }

    @Test("data_sm is read field by field and written as the same bytes, and so is its answer")
    func data() throws {
        // SMPP 3.4 §4.7.1, with what jasmin sends in https://github.com/jookies/jasmin/issues/139.
        let bytes = Vectors.pdu(
            0x103,
            "0001013836313338303031333830303000030031303639300004000000" + "1e000530306131000427000102"
                + "04230003030000")
        let message = Message(
            source: .international("8613800138000"), destination: Address(source: "10690"), messageClass: 4,
            parameters: [
                .init(.receiptedMessageID, Array("00a1".utf8) + [0]), .init(.messageState, [2]),
                .init(.networkErrorCode, [3, 0, 0]),
            ])
        #expect(try PDU(decoding: bytes) == PDU(.data(message), sequence: 7))
        #expect(try PDU(.data(message), sequence: 7).encoded() == bytes)
        let answer = try PDU(.dataAnswer, sequence: 7).encoded()
        #expect(answer == Vectors.bytes("0000001180000103000000000000000700"))
        #expect(try PDU(decoding: answer) == PDU(.dataAnswer, sequence: 7))
    }

    @Test(
        "a PDU with a message_payload of 65,535 octets is read, as https://github.com/farhadi/node-smpp/pull/128 asks")
    func longest() throws {
        var message = Self.message
        message.octets = []
        message.parameters = [.init(.messagePayload, Array(repeating: 0x61, count: 65_535))]
        let bytes = try PDU(.deliver(message), sequence: 3).encoded()
        var stream = PDUStream()
        stream.append(bytes)
        let read = try stream.next()
        #expect(read == bytes)
        #expect(try PDU(decoding: bytes) == PDU(.deliver(message), sequence: 3))
    }

    @Test("a PDU prints neither its numbers nor its text nor its password")
    func printing() throws {
        for bytes in [Vectors.bind, Vectors.submit, Vectors.receipt] {
            let pdu = try PDU(decoding: bytes)
            var text = "\(pdu) \(String(reflecting: pdu))"
            dump(pdu, to: &text)
            for secret in ["13800138000", "123456", "secret08"] { #expect(!text.contains(secret)) }
        }
    }

    @Test("a stream is cut into the same PDUs whatever the pieces are, and a length that fits none ends it")
    func stream() throws {
        let all = Vectors.bind + Vectors.enquireLink + Vectors.receipt
        for size in [1, 3, 16, 17, all.count] {
            var stream = PDUStream()
            var found: [[UInt8]] = []
            for start in stride(from: 0, to: all.count, by: size) {
                stream.append(all[start..<min(start + size, all.count)])
                while let bytes = try stream.next() { found.append(bytes) }
            }
            #expect(found == [Vectors.bind, Vectors.enquireLink, Vectors.receipt])
        }
        for length: [UInt8] in [[0, 0, 0, 15], [0, 1, 0x20, 1], [0x16, 3, 1, 2]] {
            var stream = PDUStream()
            stream.append(length)
            #expect(throws: PDUError(.length, offset: 0)) { try stream.next() }
        }
    }

    @Test("five minutes, a day and more than any network tries are validity periods of 16 characters")
    func validity() {
        #expect(Message.validity(for: .seconds(300)) == "000000000500000R")
        #expect(Message.validity(for: .seconds(90_061)) == "000001010101000R")
        #expect(Message.validity(for: .milliseconds(-5)) == "000000000001000R")
        #expect(Message.validity(for: .seconds(1_000_000)) == "000002150000000R")
    }

    @Test(
        "a source is a number, a short code or a name",
        arguments: [
            ("+8610690", Address(type: 1, plan: 1, digits: "8610690")),
            ("10690", Address(type: 3, plan: 0, digits: "10690")),
            ("8613800138000", Address(type: 0, plan: 1, digits: "8613800138000")),
            ("Benji", Address(type: 5, plan: 0, digits: "Benji")), ("", Address(type: 0, plan: 0, digits: "")),
        ])
    func source(text: String, address: Address) { #expect(Address(source: text) == address) }

    @Test("an international number has its plus sign, so that an American one is not taken for a Chinese one")
    func international() {
        #expect(Address(type: 1, plan: 1, digits: "16505551234").number == "+16505551234")
        #expect(Address(type: 0, plan: 1, digits: "13800138000").number == "13800138000")
    }
}
