import Testing

@testable import SMPP

/// Octets that an SMSC wrote, where they are published, and their meaning.
struct PublishedPDU: Sendable, CustomTestStringConvertible {
    var source: String
    var bytes: [UInt8]
    var pdu: PDU

    init(_ source: String, _ bytes: [UInt8], _ pdu: PDU) {
        self.source = source
        self.bytes = bytes
        self.pdu = pdu
    }

    var testDescription: String { source }

    /// As the standard has them.
    static let standard: [PublishedPDU] = [
        PublishedPDU(
            "https://github.com/traccar/traccar/issues/3796", Vectors.pdu(0x8000_0009, sequence: 1, "00"),
            PDU(.bindAnswer(.transceiver, systemID: "", []), sequence: 1)),
        PublishedPDU(
            "https://github.com/linxGnu/gosmpp/pull/119", Vectors.pdu(0x8000_0004, status: 0x58),
            PDU(.submitAnswer(messageID: nil, []), status: .throttled, sequence: 7)),
    ]

    /// As vendors have them.
    static let vendors: [PublishedPDU] = [
        // Answers to a bind: with another version and an unknown parameter, without a body, and without a zero.
        PublishedPDU(
            "https://github.com/Rusmpp/Rusmpp/issues/42",
            Vectors.pdu(0x8000_0009, "534d534300021000015014000001ff"),
            PDU(
                .bindAnswer(
                    .transceiver, systemID: "SMSC",
                    [.init(.init(rawValue: 0x0210), [0x50]), .init(.init(rawValue: 0x1400), [0xff])]), sequence: 7)),
        PublishedPDU(
            "https://github.com/funbox/smppex/pull/30, no body", Vectors.pdu(0x8000_0009),
            PDU(.bindAnswer(.transceiver, systemID: nil, []), sequence: 7)),
        PublishedPDU(
            "https://github.com/funbox/smppex/pull/30, system_id", Vectors.pdu(0x8000_0009, "534d5343"),
            PDU(.bindAnswer(.transceiver, systemID: "SMSC", []), sequence: 7)),
        PublishedPDU(
            "https://github.com/python-smpplib/python-smpplib/issues/54",
            Vectors.bytes("00000011800000020000000d0000000100"),
            PDU(.bindAnswer(.transmitter, systemID: "", []), status: .bindFailed, sequence: 1)),
        // Answers to submit_sm: refusals with an id, and an id without its zero.
        PublishedPDU(
            "https://github.com/funbox/smppex/issues/6",
            Vectors.bytes("00000021800000040000000b000000023041303030303030413344333233413100"),
            PDU(.submitAnswer(messageID: "0A000000A3D323A1", []), status: .invalidDestinationAddress, sequence: 2)),
        PublishedPDU(
            "https://github.com/jookies/jasmin/issues/128",
            Vectors.bytes("00000019800000040000000a00000002303030303030303000"),
            PDU(.submitAnswer(messageID: "00000000", []), status: .invalidSourceAddress, sequence: 2)),
        PublishedPDU(
            "https://github.com/funbox/smppex/pull/30, message_id", Vectors.pdu(0x8000_0004, "30306131"),
            PDU(.submitAnswer(messageID: "00a1", []), sequence: 7)),
        // A body where there is none, and an id where there is a zero alone.
        PublishedPDU(
            "https://github.com/onlinecity/php-smpp/issues/49, answer", Vectors.pdu(0x8000_0015, "00"),
            PDU(.enquireLinkAnswer, sequence: 7)),
        PublishedPDU(
            "https://github.com/onlinecity/php-smpp/issues/49, request", Vectors.pdu(0x15, "00"),
            PDU(.enquireLink, sequence: 7)),
        PublishedPDU(
            "https://github.com/onlinecity/php-smpp/issues/49, unbind", Vectors.pdu(6, "00"),
            PDU(.unbind, sequence: 7)),
        PublishedPDU(
            "https://github.com/onlinecity/php-smpp/issues/49, generic_nack", Vectors.pdu(0x8000_0000, status: 3, "00"),
            PDU(.genericNack, status: .invalidCommandID, sequence: 7)),
        PublishedPDU(
            "https://github.com/jookies/jasmin/issues/1124",
            Vectors.bytes("00000022800000050000000000000067313639313537353033353237373235383600"),
            PDU(.deliverAnswer, sequence: 0x67)),
        // A zero behind short_message that sm_length does not count.
        PublishedPDU(
            "https://github.com/twitter-archive/cloudhopper-smpp/issues/64",
            Vectors.bytes(
                "00000070000000040000000000000008000501414243444546000101303132333435363738393132000000000000010000003c"
                    + "6b61746265686f6c7a20667269656e646c792074657374206d65737361676520323a204772656574696e677320"
                    + "66726f6d205669656e6e61203a2d2900"),
            PDU(
                .submit(
                    Message(
                        source: Address(type: 5, plan: 1, digits: "ABCDEF"),
                        destination: .international("012345678912"),
                        receipts: 1, octets: Array("katbeholz friendly test message 2: Greetings from Vienna :-)".utf8))
                ),
                sequence: 8)),
        PublishedPDU(
            "https://github.com/praekelt/python-smpp/pull/7",
            Vectors.pdu(5, "\(addresses)04000000000000000002544400" + "0427000102001e0003613100"),
            deliver(
                messageClass: 4,
                parameters: [.init(.messageState, [2]), .init(.receiptedMessageID, [0x61, 0x31, 0])])),
        // A time and a number of other lengths, and 255 octets, which SMPP 5.0 allows.
        PublishedPDU(
            "https://github.com/jookies/jasmin/pull/398",
            Vectors.pdu(5, "\(addresses)0000000032340000000000025444"), deliver(validity: "24")),
        PublishedPDU(
            "https://github.com/praekelt/python-smpp/pull/15",
            Vectors.pdu(5, "\(addresses)0000003234000000000000025444"), deliver(schedule: "24")),
        PublishedPDU(
            "SMPP 5.0 §4.2.2.1: source_addr of data_sm has up to 64 characters",
            Vectors.pdu(0x103, "000101\(String(repeating: "39", count: 64))0003003100000000"),
            PDU(
                .data(
                    Message(
                        source: .international(String(repeating: "9", count: 64)),
                        destination: Address(type: 3, plan: 0, digits: "1"))), sequence: 7)),
        PublishedPDU(
            "SMPP 5.0 §4.3.1.1: short_message has up to 255 octets",
            Vectors.pdu(5, "\(addresses)000000000000000000ff\(String(repeating: "61", count: 255))"),
            deliver(octets: Array(repeating: 0x61, count: 255))),
    ]

    /// service_type, and the numbers 8613800138000 and 1.
    private static let addresses = "000101383631333830303133383030300003003100"

    private static func deliver(
        messageClass: UInt8 = 0, schedule: String = "", validity: String = "", octets: [UInt8] = Array("TD".utf8),
        parameters: [OptionalParameter] = []
    ) -> PDU {
        PDU(
            .deliver(
                Message(
                    source: .international("8613800138000"), destination: Address(type: 3, plan: 0, digits: "1"),
                    messageClass: messageClass, schedule: schedule, validity: validity, octets: octets,
                    parameters: parameters)), sequence: 7)
    }
}

struct PublishedPDUTests {
    /// Whether the tables of SMPP 3.4 have these bytes: what a reader accepts that knows no vendor.
    private func isStandard(_ bytes: [UInt8]) -> Bool {
        guard let pdu = try? PDU(decoding: bytes), (try? pdu.encoded()) == bytes else { return false }
        switch pdu.body {
        case .bindAnswer(_, let name, let parameters):
            return (name != nil) == (pdu.status == .ok)
                && parameters.allSatisfy { $0 == OptionalParameter(.init(rawValue: 0x0210), [0x34]) }
        case .submitAnswer(let id, _): return (id != nil) == (pdu.status == .ok)
        default: return true
        }
    }

    @Test("a PDU as the standard has it is read", arguments: PublishedPDU.standard)
    func standard(_ published: PublishedPDU) throws {
        #expect(isStandard(published.bytes))
        #expect(try PDU(decoding: published.bytes) == published.pdu)
    }

    @Test(
        "a PDU of a right length is read as a vendor writes it, where a reader that knows no vendor refuses it",
        arguments: PublishedPDU.vendors)
    func vendors(_ published: PublishedPDU) throws {
        #expect(!isStandard(published.bytes))
        #expect(try PDU(decoding: published.bytes) == published.pdu)
    }
}
