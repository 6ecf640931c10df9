@_spi(Server) import BenjiProtocol
import SMPP
import ShortMessages
import Testing

@testable import ShortMessageSending

/// PDUs from the SMSC, and the end of a session.
struct SMPPSessionListeningTests {
    static func receipt(_ state: String, id: String = "a1") -> Message {
        Message(
            source: .international("8613800138000"), destination: Address(source: "10690"), messageClass: 4,
            octets: Array("id:\(id) stat:\(state) text:".utf8))
    }

    static let text = Message(
        source: .international("8613800138000"), destination: Address(source: "10690"), octets: Array("TD".utf8))

    /// How a receipt of the phone 13800138000 is heard.
    static func heard(_ message: Message, _ state: DeliveryReceipt.State) throws -> SMPPSession.InboundEvent {
        .receipt(try #require(Receipt(message)), state, phone: PhoneNumber("13800138000"))
    }

    @Test("a receipt is answered with success only after the listener has kept it")
    func kept() throws {
        var stage = SessionStage.bound()
        stage.receive(PDU(.deliver(Self.receipt("DELIVRD")), sequence: 40))
        let count = stage.written.count
        let heard = try Self.heard(Self.receipt("DELIVRD"), .delivered)
        #expect(stage.heard.map(\.0) == [heard])
        stage.pass(.seconds(5))
        #expect(stage.written.count == count)
        stage.take(.heard(stage.heard[0].1, kept: true))
        #expect(stage.written.last == PDU(.deliverAnswer, sequence: 40))
    }

    @Test("a receipt by data_sm is heard and answered as one by deliver_sm, with data_sm_resp")
    func data() throws {
        // https://github.com/jookies/jasmin/issues/139
        let named = [
            OptionalParameter(.receiptedMessageID, Array("a1".utf8) + [0]), OptionalParameter(.messageState, [2]),
        ]
        var message = Self.text
        message.octets = []
        message.parameters = named
        for (messageClass, status) in [(4, .ok), (0, .receiverTemporaryError)] as [(UInt8, CommandStatus)] {
            var stage = SessionStage.bound()
            message.messageClass = messageClass
            stage.receive(PDU(.data(message), sequence: 44))
            let heard = try Self.heard(message, .delivered)
            #expect(stage.heard.map(\.0) == [heard])
            stage.take(.heard(stage.heard[0].1, kept: status == .ok))
            #expect(stage.written.last == PDU(.dataAnswer, status: status, sequence: 44))
        }
        // A phone's text may come so too.
        message.parameters = [OptionalParameter(.messagePayload, Array("TD".utf8))]
        var stage = SessionStage.bound()
        stage.receive(PDU(.data(message), sequence: 45))
        #expect(stage.heard.map(\.0) == [.message(from: PhoneNumber("13800138000")!, to: "10690", text: "TD")])
    }

    @Test("a receipt that a phone may have written is heard as that, and one that only an SMSC writes is not")
    func fromPhone() throws {
        var message = Self.receipt("DELIVRD")
        message.octets = Array("id:a1 sub:001 dlvrd:001 stat:DELIVRD err:000 text:".utf8)
        for messageClass: UInt8 in [0, 4] {
            var stage = SessionStage.bound()
            message.messageClass = messageClass
            stage.receive(PDU(.deliver(message), sequence: 40))
            let heard = try #require(stage.heard.first?.0)
            guard case .receipt(let receipt, let state, let phone) = heard else {
                Issue.record("not a receipt")
                return
            }
            #expect(receipt.isMarked == (messageClass == 4) && state == .delivered)
            #expect(phone == PhoneNumber("13800138000"))
        }
    }

    @Test("a receipt that the listener could not keep is answered with an error that makes the SMSC send it again")
    func notKept() {
        var stage = SessionStage.bound()
        stage.receive(PDU(.deliver(Self.receipt("EXPIRED")), sequence: 40))
        stage.take(.heard(stage.heard[0].1, kept: false))
        #expect(stage.written.last == PDU(.deliverAnswer, status: .receiverTemporaryError, sequence: 40))
    }

    @Test("a receipt of a connection that has ended is not answered on the next one")
    func otherConnection() {
        var stage = SessionStage.bound()
        stage.receive(PDU(.deliver(Self.receipt("DELIVRD")), sequence: 40))
        stage.take(.disconnected(nil))
        stage.pass(.seconds(2))
        stage.connectAndBind()
        let count = stage.written.count
        stage.take(.heard(stage.heard[0].1, kept: true))
        #expect(stage.written.count == count)
    }

    @Test(
        "a sender's number is one number, however the SMSC writes it",
        arguments: [
            (1, "8613800138000"), (1, "+8613800138000"), (0, "8613800138000"), (0, "008613800138000"),
            (2, "13800138000"),
            (0, "13800138000"), (0, "+8613800138000"),
        ] as [(UInt8, String)])
    func spellings(type: UInt8, digits: String) {
        var stage = SessionStage.bound()
        var message = Self.text
        message.source = Address(type: type, plan: 1, digits: digits)
        stage.receive(PDU(.deliver(message), sequence: 40))
        #expect(stage.heard.map(\.0) == [.message(from: PhoneNumber("13800138000")!, to: "10690", text: "TD")])
    }

    @Test("a receipt whose text is a text of ours is a receipt, and a name or a short code sends nothing")
    func noMessages() {
        var stage = SessionStage.bound()
        for messageClass: UInt8 in [0x04, 0x20, 0x08, 0x10, 0x18] {
            var receipt = Self.text
            receipt.messageClass = messageClass
            stage.receive(PDU(.deliver(receipt), sequence: 40))
        }
        for source in [
            Address(source: "10690"), Address(source: "Bank"),
            // A name of digits, as an account that chooses its name may write it.
            Address(type: 5, plan: 0, digits: "13800138000"), Address(type: 3, plan: 0, digits: "13800138000"),
            Address(type: 6, plan: 1, digits: "13800138000"), Address(type: 0, plan: 4, digits: "13800138000"),
        ] {
            var named = Self.text
            named.source = source
            stage.receive(PDU(.deliver(named), sequence: 41))
            #expect(stage.written.last == PDU(.deliverAnswer, sequence: 41))
        }
        #expect(stage.heard.isEmpty)
    }

    @Test("a part of a longer text is answered and not heard, however the SMSC says that it is one")
    func parts() {
        var stage = SessionStage.bound()
        var part = Self.text
        part.messageClass = Message.hasHeader
        part.octets = [5, 0, 3, 7, 2, 2] + part.octets
        stage.receive(PDU(.deliver(part), sequence: 40))
        #expect(stage.written.last == PDU(.deliverAnswer, sequence: 40))
        var segment = Self.text
        segment.parameters.append(OptionalParameter(.totalSegments, [2]))
        stage.receive(PDU(.deliver(segment), sequence: 41))
        #expect(stage.written.last == PDU(.deliverAnswer, sequence: 41))
        #expect(stage.heard.isEmpty && stage.reports.last == .unreadable)
        segment.parameters = [OptionalParameter(.totalSegments, [1])]
        stage.receive(PDU(.deliver(segment), sequence: 42))
        #expect(stage.heard.count == 1)
    }

    @Test("a phone's message is heard with its number, and one in a coding that nobody reads is answered and dropped")
    func message() {
        var stage = SessionStage.bound()
        stage.receive(PDU(.deliver(Self.text), sequence: 40))
        #expect(stage.heard.map(\.0) == [.message(from: PhoneNumber("8613800138000")!, to: "10690", text: "TD")])
        var binary = Self.text
        binary.coding = DataCoding(rawValue: 4)
        stage.receive(PDU(.deliver(binary), sequence: 41))
        #expect(stage.written.last == PDU(.deliverAnswer, sequence: 41))
        #expect(stage.heard.count == 1 && stage.reports.last == .unreadable)
    }

    @Test("a receipt that says that nothing is decided yet is answered and not heard")
    func undecided() {
        var stage = SessionStage.bound()
        for (index, state) in ["ENROUTE", "ACCEPTD", "UNKNOWN", "BUFFRED", "ACKED"].enumerated() {
            stage.receive(PDU(.deliver(Self.receipt(state)), sequence: UInt32(50 + index)))
            #expect(stage.written.last == PDU(.deliverAnswer, sequence: UInt32(50 + index)))
        }
        #expect(stage.heard.isEmpty)
    }

    @Test("an SMSC that sends more than the listener can take is asked to send again, and a transmitter hears nothing")
    func tooMuch() {
        var stage = SessionStage.bound { $0.hearing = 2 }
        for sequence in 40...42 { stage.receive(PDU(.deliver(Self.text), sequence: UInt32(sequence))) }
        #expect(stage.heard.count == 2)
        #expect(stage.written.last == PDU(.deliverAnswer, status: .receiverTemporaryError, sequence: 42))
        stage.take(.heard(stage.heard[0].1, kept: true))
        stage.receive(PDU(.deliver(Self.text), sequence: 43))
        #expect(stage.heard.count == 3)
        var transmitter = SessionStage.bound(kind: .transmitter)
        transmitter.receive(PDU(.deliver(Self.text), sequence: 1))
        #expect(transmitter.written.last == PDU(.deliverAnswer, status: .invalidBindStatus, sequence: 1))
    }

    @Test("a deliver_sm or data_sm that cannot be read is refused for good, so that it does not come for ever")
    func unreadable() {
        var stage = SessionStage.bound()
        stage.take(.received([0, 0, 0, 17, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 60, 0x61]))
        #expect(stage.written.last == PDU(.deliverAnswer, status: .receiverPermanentError, sequence: 60))
        stage.take(.received([0, 0, 0, 17, 0, 0, 1, 3, 0, 0, 0, 0, 0, 0, 0, 61, 0x61]))
        #expect(stage.written.last == PDU(.dataAnswer, status: .receiverPermanentError, sequence: 61))
        #expect(stage.closes == 0 && stage.reports.suffix(2) == [.unreadable, .unreadable])
    }

    @Test("a receipt without an id or a state is answered, reported and not heard")
    func incomplete() {
        var stage = SessionStage.bound()
        for (index, text) in ["stat:DELIVRD", "id:a1", "id: stat:", ""].enumerated() {
            var receipt = Self.receipt("DELIVRD")
            receipt.octets = Array(text.utf8)
            stage.receive(PDU(.deliver(receipt), sequence: UInt32(40 + index)))
            #expect(stage.written.last == PDU(.deliverAnswer, sequence: UInt32(40 + index)))
        }
        #expect(stage.heard.isEmpty && stage.reports.count(where: { $0 == .unreadable }) == 4)
    }

    @Test("a session that is shut down waits for answers, takes nothing new, says goodbye and ends")
    func shutDown() {
        var stage = SessionStage.bound { $0.window = 1 }
        stage.submit(1)
        stage.submit(2)
        stage.take(.shutDown)
        #expect(stage.settled == [2: .notTaken(.unavailable)])
        stage.submit(3)
        #expect(stage.settled[3] == .notTaken(.unavailable))
        #expect(stage.written.last?.command == .submitSM && !stage.isFinished)
        stage.answer(stage.submits[0])
        #expect(stage.settled[1] == .accepted(messageID: "id"))
        #expect(stage.written.last?.command == .unbind)
        stage.receive(PDU(.unbindAnswer, sequence: stage.written.last!.sequence))
        #expect(stage.closes == 1)
        stage.take(.disconnected(nil))
        #expect(stage.isFinished && stage.session.wake == nil)
        #expect(stage.connects == 1)
    }

    @Test("a session that is shut down ends although the SMSC answers nothing, and whatever it was doing")
    func hardShutDown() {
        var silent = SessionStage.bound()
        silent.submit(1)
        silent.take(.shutDown)
        silent.pass(.seconds(40))
        #expect(silent.settled == [1: .unknown] && silent.closes == 1)
        silent.take(.disconnected(nil))
        #expect(silent.isFinished)

        var pausing = SessionStage.bound()
        pausing.take(.disconnected(nil))
        pausing.take(.shutDown)
        #expect(pausing.isFinished)

        var connecting = SessionStage()
        connecting.take(.start)
        connecting.take(.shutDown)
        connecting.take(.connected)
        #expect(connecting.closes == 2 && !connecting.isFinished)
        connecting.take(.disconnected(nil))
        #expect(connecting.isFinished && connecting.written.isEmpty)
    }
}
