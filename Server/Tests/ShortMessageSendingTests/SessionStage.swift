@_spi(Server) import BenjiProtocol
import SMPP
import Testing

@testable import ShortMessageSending

/// A session with a clock that a test moves, and what it did last in a form that a test can compare.
struct SessionStage {
    private(set) var session: SMPPSession
    private(set) var now = ContinuousClock.now  // gate: an origin for instants
    /// Every PDU that was written, in order.
    private(set) var written: [PDU] = []
    private(set) var settled: [UInt64: SMPPSession.Outcome] = [:]
    private(set) var heard: [(SMPPSession.InboundEvent, SMPPSession.Ticket)] = []
    private(set) var reports: [SMPPSession.Report] = []
    private(set) var connects = 0
    private(set) var closes = 0
    private(set) var isFinished = false

    init(
        kind: Bind.Kind = .transceiver, random: any RandomSource = SystemRandomSource(),
        change: (inout SMPPSession.Settings) -> Void = { _ in }
    ) {
        var settings = SMPPSession.Settings(bind: Bind(kind: kind, systemID: "benji", password: "secret"))
        change(&settings)
        session = SMPPSession(settings, random: random)
    }

    /// One that is bound.
    static func bound(
        kind: Bind.Kind = .transceiver, change: (inout SMPPSession.Settings) -> Void = { _ in }
    ) -> SessionStage {
        var stage = SessionStage(kind: kind, change: change)
        stage.take(.start)
        stage.connectAndBind(kind: kind)
        return stage
    }

    mutating func connectAndBind(kind: Bind.Kind = .transceiver) {
        take(.connected)
        receive(PDU(.bindAnswer(kind, systemID: "SMSC", []), sequence: written.last!.sequence))
    }

    mutating func take(_ event: SMPPSession.Event) {
        for action in session.take(event, at: now) {
            switch action {
            case .connect: connects += 1
            case .write(let bytes): written.append(try! PDU(decoding: bytes))
            case .close: closes += 1
            case .settle(let id, let outcome):
                #expect(settled[id] == nil, "a message is settled once")
                settled[id] = outcome
            case .hear(let what, let ticket): heard.append((what, ticket))
            case .report(let report): reports.append(report)
            case .finished: isFinished = true
            }
        }
    }

    mutating func receive(_ pdu: PDU) { take(.received(try! pdu.encoded())) }

    /// Lets time pass, and rings whenever the session asks for it.
    mutating func pass(_ time: Duration) {
        let end = now + time
        while let wake = session.wake, wake <= end {
            now = max(now, wake)
            take(.timer)
        }
        now = end
    }

    mutating func submit(_ id: UInt64, parts: Int = 1, within time: Duration = .seconds(60)) {
        let part = Message(
            source: Address(source: "10690"), destination: .international("8613800138000"), octets: [0x61])
        take(.submit(.init(id: id, parts: Array(repeating: part, count: parts), deadline: now + time)))
    }

    mutating func answer(_ submit: PDU, messageID: String? = "id", status: CommandStatus = .ok) {
        receive(PDU(.submitAnswer(messageID: messageID, []), status: status, sequence: submit.sequence))
    }

    var submits: [PDU] { written.filter { $0.command == .submitSM } }
    var enquiries: [PDU] { written.filter { $0.command == .enquireLink } }
}
