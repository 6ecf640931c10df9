@_spi(Server) import BenjiProtocol
import SMPP
import ShortMessages
import Testing

@testable import ShortMessageSending

struct SMPPSessionTests {
    @Test("a session binds as soon as it is connected, and takes no message before the bind is answered")
    func bind() {
        var stage = SessionStage()
        stage.submit(1)
        stage.take(.start)
        stage.take(.connected)
        guard case .bind(let bind) = stage.written[0].body else {
            Issue.record("no bind")
            return
        }
        #expect(bind.systemID == "benji" && bind.password == "secret" && bind.version == 0x34)
        stage.submit(2)
        #expect(stage.session.trouble != nil)
        #expect(stage.settled == [1: .notTaken(.unavailable), 2: .notTaken(.unavailable)])
        stage.receive(PDU(.bindAnswer(.transceiver, systemID: "SMSC", []), sequence: 1))
        #expect(stage.session.trouble == nil)
        stage.submit(3)
        #expect(stage.submits.count == 1)
    }

    @Test("a bind that is refused is named to the operator and tried again later, less and less often")
    func refusedBind() {
        var stage = SessionStage()
        stage.take(.start)
        var pauses: [Duration] = []
        for _ in 0..<10 {
            stage.take(.connected)
            stage.receive(
                PDU(
                    .bindAnswer(.transceiver, systemID: nil, []), status: .invalidPassword,
                    sequence: stage.written.last!.sequence))
            #expect(stage.session.trouble == "the SMSC refuses the bind: ESME_RINVPASWD")
            stage.take(.disconnected(nil))
            pauses.append(stage.session.wake! - stage.now)
            stage.pass(.seconds(60))
        }
        #expect(stage.connects == 11 && stage.closes == 10)
        for (index, pause) in pauses.enumerated() {
            let whole = min(Duration.seconds(1 << index), .seconds(60))
            #expect(pause >= whole / 2 && pause <= whole)
        }
    }

    @Test("an SMSC that takes the bind and hangs up is asked less and less often, until a session has lasted")
    func hangsUp() {
        var stage = SessionStage.bound()
        for attempt in 0..<8 {
            stage.take(.disconnected(nil))
            #expect(stage.session.wake! - stage.now >= min(Duration.seconds(1 << attempt), .seconds(60)) / 2)
            stage.pass(.seconds(60))
            stage.connectAndBind()
        }
        for _ in 0..<3 {
            stage.pass(.seconds(29))
            stage.receive(PDU(.enquireLink, sequence: 1))
        }
        stage.take(.disconnected(nil))
        #expect(stage.session.wake! - stage.now <= .seconds(1))
    }

    @Test(
        """
        an SMSC that is dead for a minute or an hour is found again within a minute, is not besieged meanwhile, and is \
        given nothing of before
        """,
        arguments: [Duration.seconds(60), .seconds(3600)])
    func deadFor(_ outage: Duration) {
        var stage = SessionStage.bound()
        let before = stage.connects
        stage.take(.disconnected("connection reset"))
        let end = stage.now + outage
        var message: UInt64 = 1
        while stage.now < end {
            stage.pass(stage.session.wake! - stage.now)
            stage.take(.connectionFailed("connection refused"))
            // Health reports the trouble all the time, and a message is refused at once.
            #expect(stage.session.trouble == "connection refused")
            stage.submit(message)
            #expect(stage.settled[message] == .notTaken(.unavailable))
            message += 1
        }
        // Pauses of one second, two, four … and then of half a minute at least.
        #expect(stage.connects - before <= 8 + Int(outage / .seconds(30)))
        #expect(stage.session.wake! - stage.now <= .seconds(60))
        stage.pass(stage.session.wake! - stage.now)
        stage.connectAndBind()
        #expect(stage.session.trouble == nil)
        #expect(stage.submits.isEmpty)
        stage.submit(message)
        #expect(stage.submits.count == 1)
    }

    @Test("two servers that lose an SMSC at the same time come back at different times")
    func jitter() {
        let pauses = (0..<20).map { _ in
            var stage = SessionStage.bound()
            stage.take(.disconnected(nil))
            return stage.session.wake! - stage.now
        }
        #expect(Set(pauses).count > 10)
    }

    @Test("an answer settles the message whose number it has, in whatever order answers come")
    func answers() {
        var stage = SessionStage.bound()
        for id in 1...3 { stage.submit(UInt64(id)) }
        stage.answer(stage.submits[2], messageID: "c")
        stage.answer(stage.submits[0], messageID: "a")
        stage.answer(stage.submits[1], status: .invalidDestinationAddress)
        #expect(
            stage.settled == [
                3: .accepted(messageID: "c"), 1: .accepted(messageID: "a"), 2: .notTaken(.destination),
            ])
    }

    @Test("an answer with a number that was never used, or a second answer, settles nothing")
    func strangeAnswers() {
        var stage = SessionStage.bound()
        stage.submit(1)
        stage.receive(PDU(.submitAnswer(messageID: "x", []), sequence: 99))
        #expect(stage.settled.isEmpty)
        stage.receive(PDU(.enquireLinkAnswer, sequence: stage.submits[0].sequence))
        #expect(stage.settled.isEmpty)
        stage.answer(stage.submits[0], messageID: "a")
        stage.answer(stage.submits[0], status: .throttled)
        #expect(stage.settled == [1: .accepted(messageID: "a")])
    }

    @Test(
        "an error of submit_sm is not taken, for the reason that the next step depends on",
        arguments: [
            (.throttled, .throttled), (.messageQueueFull, .throttled), (.invalidDestinationAddress, .destination),
            (.systemError, .unavailable), (.invalidSourceAddress, .unavailable), (.invalidBindStatus, .unavailable),
            (CommandStatus(rawValue: 0x45), .refused), (CommandStatus(rawValue: 0x400), .refused),
        ] as [(CommandStatus, NotTakenReason)])
    func errors(status: CommandStatus, reason: NotTakenReason) {
        var stage = SessionStage.bound()
        stage.submit(1)
        stage.answer(stage.submits[0], messageID: nil, status: status)
        #expect(stage.settled == [1: .notTaken(reason)])
    }

    @Test("a generic_nack to a message says that it was not taken")
    func nack() {
        var stage = SessionStage.bound()
        stage.submit(1)
        stage.receive(PDU(.genericNack, status: .invalidCommandLength, sequence: stage.submits[0].sequence))
        #expect(stage.settled == [1: .notTaken(.refused)])
    }

    @Test(
        "what was written when the connection ends is unknown, what waited is not taken, and neither is written again")
    func cut() {
        var stage = SessionStage.bound { $0.window = 2 }
        for id in 1...4 { stage.submit(UInt64(id)) }
        #expect(stage.submits.count == 2)
        stage.take(.disconnected(nil))
        #expect(
            stage.settled == [
                1: .unknown, 2: .unknown, 3: .notTaken(.unavailable), 4: .notTaken(.unavailable),
            ])
        stage.pass(.seconds(5))
        stage.connectAndBind()
        stage.pass(.seconds(5))
        #expect(stage.submits.count == 2)
        // The new session's window is empty. Messages lost with the old session do not count as the SMSC's silence.
        for id in 5...6 { stage.submit(UInt64(id)) }
        #expect(stage.submits.count == 4)
        stage.answer(stage.submits[2])
        stage.answer(stage.submits[3])
        stage.pass(.seconds(6))
        #expect(stage.session.trouble == nil)
    }

    @Test("a late answer on another connection settles nothing")
    func otherConnection() {
        var stage = SessionStage.bound()
        stage.submit(1)
        stage.take(.disconnected(nil))
        stage.pass(.seconds(5))
        stage.connectAndBind()
        stage.submit(2)
        stage.answer(stage.submits[0], messageID: "of the first")
        #expect(stage.settled == [1: .unknown])
    }

    @Test(
        "a message that is not answered in time is unknown, and the next one is not written to an SMSC that is silent")
    func silence() {
        var stage = SessionStage.bound()
        stage.submit(1)
        stage.pass(.seconds(9))
        #expect(stage.settled.isEmpty)
        stage.pass(.seconds(1))
        #expect(stage.settled == [1: .unknown])
        #expect(stage.session.trouble == "does not answer")
        stage.submit(2)
        #expect(stage.settled[2] == .notTaken(.unavailable))
        #expect(stage.submits.count == 1)
        // It is asked at once, and given up if it does not answer this either.
        #expect(stage.enquiries.count == 1)
        stage.pass(.seconds(10))
        #expect(stage.closes == 1)
    }

    @Test(
        "what waits for a place when an SMSC falls silent is not written to it, and somebody else can be asked at once")
    func silentWindow() {
        var stage = SessionStage.bound { $0.window = 1 }
        stage.submit(1)
        stage.submit(2)
        stage.pass(.seconds(10))
        #expect(stage.settled == [1: .unknown, 2: .notTaken(.unavailable)])
        #expect(stage.submits.count == 1)
    }

    @Test("who waits for a place gives up after a third of its time, and has the rest for another sender")
    func waitingTime() {
        var stage = SessionStage.bound { $0.window = 1 }
        stage.submit(1, within: .seconds(9))
        stage.submit(2, within: .seconds(9))
        stage.pass(.milliseconds(2999))
        #expect(stage.settled.isEmpty)
        stage.pass(.milliseconds(1))
        #expect(stage.settled == [2: .notTaken(.throttled)])
    }

    @Test("an SMSC that was silent and speaks again takes messages again, and the late answer settles nothing")
    func late() {
        var stage = SessionStage.bound()
        stage.submit(1)
        stage.pass(.seconds(11))
        stage.answer(stage.submits[0])
        #expect(stage.settled == [1: .unknown])
        #expect(stage.session.trouble == nil)
        stage.submit(2)
        #expect(stage.submits.count == 2)
    }

    @Test("a caller gets its answer at its deadline: unknown if the message was written, not taken if it waited")
    func deadline() {
        var stage = SessionStage.bound { $0.window = 1 }
        stage.submit(1, within: .seconds(3))
        stage.submit(2, within: .seconds(2))
        stage.pass(.seconds(2))
        #expect(stage.settled == [2: .notTaken(.throttled)])
        stage.pass(.seconds(1))
        #expect(stage.settled[1] == .unknown)
        // A message that was given up has its place in the window until it is answered.
        stage.submit(3)
        #expect(stage.submits.count == 1)
        stage.answer(stage.submits[0])
        #expect(stage.submits.count == 2)
        stage.submit(4, within: .zero)
        #expect(stage.settled[4] == .notTaken(.unavailable))
    }

    @Test("no more messages are without an answer than the window has places, and no more wait than may")
    func window() {
        var stage = SessionStage.bound {
            $0.window = 3
            $0.waiting = 2
        }
        for id in 1...6 { stage.submit(UInt64(id)) }
        #expect(stage.submits.count == 3)
        #expect(stage.settled == [6: .notTaken(.throttled)])
        stage.answer(stage.submits[1])
        #expect(stage.submits.count == 4)
    }

    @Test("the parts of a message go one after the other, and it is accepted with the last one's id when all are")
    func parts() {
        var stage = SessionStage.bound()
        stage.submit(1, parts: 3)
        for part in 0..<3 {
            #expect(stage.submits.count == part + 1)
            #expect(stage.settled.isEmpty)
            stage.answer(stage.submits[part], messageID: "part-\(part)")
        }
        #expect(stage.settled == [1: .accepted(messageID: "part-2")])
    }

    @Test(
        "a message of which the first part is refused is not taken, and one of which a later part is refused is unknown"
    )
    func refusedParts() {
        var stage = SessionStage.bound()
        stage.submit(1, parts: 2)
        stage.answer(stage.submits[0], status: .throttled)
        #expect(stage.settled == [1: .notTaken(.throttled)])
        #expect(stage.submits.count == 1)
        stage.submit(2, parts: 3)
        stage.answer(stage.submits[1])
        stage.answer(stage.submits[2], status: .throttled)
        #expect(stage.settled[2] == .unknown)
        #expect(stage.submits.count == 3)
    }

    @Test("a message of which one part was accepted is unknown at its deadline even while the next part waits")
    func waitingParts() {
        var stage = SessionStage.bound { $0.window = 1 }
        stage.submit(1, parts: 2, within: .seconds(2))
        stage.submit(2, within: .seconds(60))
        // The next part goes before waiting messages.
        stage.answer(stage.submits[0])
        stage.pass(.seconds(2))
        #expect(stage.settled == [1: .unknown])
    }

    @Test("the status of an answer to submit_sm counts, whatever its body, and an id that no receipt can name is none")
    func bodies() {
        let long = Array(repeating: UInt8(0x61), count: 65)
        for (status, body, outcome) in [
            (0, [0x61, 0x61, 0], .accepted(messageID: "aa")),
            // Without its zero, absent, empty, not ASCII and too long.
            (0, [0x61, 0x61], .accepted(messageID: "aa")), (0, [], .accepted(messageID: nil)),
            (0, [0], .accepted(messageID: nil)), (0, [0xe9, 0], .accepted(messageID: nil)),
            (0, long + [0], .accepted(messageID: nil)),
            (0x58, [0x61, 0x61, 0], .notTaken(.throttled)), (0x58, [0x61], .notTaken(.throttled)),
            (0x0b, [], .notTaken(.destination)),
        ] as [(UInt8, [UInt8], SMPPSession.Outcome)] {
            var stage = SessionStage.bound()
            stage.submit(1)
            let sequence = UInt8(stage.submits.last!.sequence)
            let length = UInt8(16 + body.count)
            stage.take(.received([0, 0, 0, length, 0x80, 0, 0, 4, 0, 0, 0, status, 0, 0, 0, sequence] + body))
            #expect(stage.settled == [1: outcome] && stage.closes == 0)
        }
    }

    @Test(
        "a bind that the SMSC accepts is a session, whatever the body of its answer",
        arguments: [
            // Complete; an empty name; no body; no zero; version 5.0 with an unknown parameter; half a parameter.
            ([0x53, 0x4d, 0], "SM"), ([0], ""), ([], ""), ([0x53, 0x4d], "SM"),
            ([0x53, 0x4d, 0, 0x02, 0x10, 0, 1, 0x50, 0x14, 0, 0, 1, 0xff], "SM"), ([0x53, 0x4d, 0, 0x02, 0x10], "SM"),
            // No zero, and a parameter behind it.
            ([0x53, 0x4d, 0x02, 0x10, 0, 1, 0x34], "SM"), ([0xe9, 0], ""),
        ] as [([UInt8], String)])
    func bindBodies(body: [UInt8], name: String) {
        for status: UInt8 in [0, 0x0d] {
            var stage = SessionStage()
            stage.take(.start)
            stage.take(.connected)
            let sequence = UInt8(stage.written.last!.sequence)
            let length = UInt8(16 + body.count)
            stage.take(.received([0, 0, 0, length, 0x80, 0, 0, 9, 0, 0, 0, status, 0, 0, 0, sequence] + body))
            if status == 0 {
                #expect(stage.session.trouble == nil && stage.reports == [.bound(systemID: name)])
            } else {
                #expect(stage.session.trouble == "the SMSC refuses the bind: ESME_RBINDFAIL")
            }
        }
    }

    @Test(
        "each kind of bind is answered by its own answer, and refused by that or by a generic_nack",
        arguments: Bind.Kind.allCases)
    func bindKinds(kind: Bind.Kind) {
        for other in Bind.Kind.allCases {
            var stage = SessionStage(kind: kind)
            stage.take(.start)
            stage.connectAndBind(kind: other)
            // The answer to another kind of bind is none: another one is waited for.
            #expect((stage.session.trouble == nil) == (kind == other) && stage.closes == 0)
        }
        let refusals: [(PDU.Body, CommandStatus, String)] = [
            (.bindAnswer(kind, systemID: nil, []), .invalidSystemID, "ESME_RINVSYSID"),
            (.genericNack, .invalidCommandID, "ESME_RINVCMDID"),
            // Without an error it is a refusal too.
            (.genericNack, .ok, "ESME_RINVCMDID"),
        ]
        for (body, status, word) in refusals {
            var stage = SessionStage(kind: kind)
            stage.take(.start)
            stage.take(.connected)
            stage.receive(PDU(body, status: status, sequence: stage.written.last!.sequence &+ 1))
            #expect(stage.closes == 0, "it is for another request")
            stage.receive(PDU(body, status: status, sequence: stage.written.last!.sequence))
            #expect(stage.closes == 1 && stage.session.trouble == "the SMSC refuses the bind: \(word)")
            stage.take(.disconnected(nil))
            stage.pass(.seconds(1))
            #expect(stage.connects == 2, "it is tried again")
        }
    }

    @Test("no PDU of a right length ends a session, and each request is answered")
    func oddPDUs() {
        var stage = SessionStage.bound()
        for (command, body, answer) in [
            // https://github.com/onlinecity/php-smpp/issues/49
            ([0, 0, 0, 0x15], [0], PDU(.enquireLinkAnswer, sequence: 50)), ([0x80, 0, 0, 0x15], [0], nil),
            ([0x80, 0, 0, 0], [0], nil), ([0x80, 0, 0, 5], [0x61, 0], nil), ([0x80, 0, 0, 4], [], nil),
            ([0x80, 0, 0, 9], [0x61], nil),
            // A bind and a submit_sm that are cut, a request that no standard has, and an answer that none has.
            ([0, 0, 0, 9], [0x61], PDU(.genericNack, status: .invalidCommandLength, sequence: 50)),
            ([0, 0, 0, 4], [0x61], PDU(.genericNack, status: .invalidCommandLength, sequence: 50)),
            ([0, 1, 2, 0], [0x61], PDU(.genericNack, status: .invalidCommandID, sequence: 50)),
            ([0x80, 1, 2, 0], [0x61], nil),
        ] as [([UInt8], [UInt8], PDU?)] {
            let count = stage.written.count
            var bytes: [UInt8] = [0, 0, 0, UInt8(16 + body.count)]
            bytes += command
            bytes += [0, 0, 0, 0, 0, 0, 0, 50]
            bytes += body
            stage.take(.received(bytes))
            #expect(stage.closes == 0 && stage.session.trouble == nil)
            #expect(stage.written.count == count + (answer == nil ? 0 : 1))
            if let answer { #expect(stage.written.last == answer) }
        }
    }

    @Test("an SMSC that says nothing for half a minute is asked, and left when it does not answer")
    func enquire() {
        var stage = SessionStage.bound()
        stage.pass(.seconds(29))
        #expect(stage.enquiries.isEmpty)
        stage.pass(.seconds(1))
        #expect(stage.enquiries.count == 1)
        stage.receive(PDU(.enquireLinkAnswer, sequence: stage.enquiries[0].sequence))
        stage.pass(.seconds(29))
        #expect(stage.enquiries.count == 1 && stage.closes == 0)
        stage.pass(.seconds(11))
        #expect(stage.enquiries.count == 2 && stage.closes == 1)
        #expect(stage.session.trouble == "the SMSC does not answer (enquire_link)")
    }

    @Test("an SMSC's own enquire_link is answered with its number")
    func enquired() {
        var stage = SessionStage.bound()
        stage.receive(PDU(.enquireLink, sequence: 77))
        #expect(stage.written.last == PDU(.enquireLinkAnswer, sequence: 77))
    }

    @Test("an SMSC that ends the session is answered, and connected to again")
    func unbound() {
        var stage = SessionStage.bound()
        stage.submit(1)
        stage.receive(PDU(.unbind, sequence: 5))
        #expect(stage.written.last == PDU(.unbindAnswer, sequence: 5))
        #expect(stage.closes == 1 && stage.settled == [1: .unknown])
        stage.take(.disconnected(nil))
        stage.pass(.seconds(1))
        #expect(stage.connects == 2)
    }

    @Test("a bind that is not answered, and bytes that are no SMPP, end the connection")
    func broken() {
        var stage = SessionStage()
        stage.take(.start)
        stage.take(.connected)
        stage.pass(.seconds(10))
        #expect(stage.closes == 1 && stage.session.trouble == "the SMSC does not answer the bind")
        var other = SessionStage.bound()
        other.submit(1)
        other.take(.streamBroken(PDUError(.length, offset: 0)))
        #expect(other.closes == 1 && other.settled == [1: .unknown])
    }

    @Test("a request that nobody knows is answered with a generic_nack, and one without an answer is not")
    func unknownRequests() {
        var stage = SessionStage.bound()
        stage.receive(PDU(.other(CommandID(rawValue: 0x111), []), sequence: 8))
        #expect(stage.written.last == PDU(.genericNack, status: .invalidCommandID, sequence: 8))
        let count = stage.written.count
        stage.receive(PDU(.other(CommandID(rawValue: 0x102), []), sequence: 9))
        stage.receive(PDU(.other(CommandID(rawValue: 0x8000_0111), []), sequence: 10))
        #expect(stage.written.count == count)
    }
}
