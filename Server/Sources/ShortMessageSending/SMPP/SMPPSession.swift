@_spi(Server) package import BenjiProtocol
package import SMPP
package import ShortMessages

/// A session with an SMSC, and the pauses between two: an event in, actions out.
///
/// A message is handed over at most once. A message never written, or answered with an error, is not taken. A message
/// written and not answered in time is unknown, and no part of it is written again. The parts of a long text go one
/// after the other, so that a refusal of the first leaves nothing with the SMSC. After one acceptance, a failure of the
/// rest is unknown. A message gives up its wait for the window after a third of its time, so that another sender can be
/// asked.
package struct SMPPSession: Sendable {
    package typealias Instant = ContinuousClock.Instant

    package struct Settings: Sendable {
        package var bind: Bind
        /// How many submit_sm may be without an answer.
        package var window = 10
        /// How many messages may wait for a place in the window.
        package var waiting = 100
        /// How long an answer may take.
        package var responseTime: Duration = .seconds(10)
        /// After how much silence the SMSC is asked whether it is there.
        package var enquireAfter: Duration = .seconds(30)
        /// Before the second attempt to connect; doubled for each that follows.
        package var firstPause: Duration = .seconds(1)
        package var longestPause: Duration = .seconds(60)
        /// How many of the SMSC's messages may be with the listener.
        package var hearing = 100

        package init(bind: Bind) { self.bind = bind }
    }

    package struct Submission: Sendable {
        package var id: UInt64
        /// One at least.
        package var parts: [Message]
        package var deadline: Instant

        package init(id: UInt64, parts: [Message], deadline: Instant) {
            self.id = id
            self.parts = parts
            self.deadline = deadline
        }
    }

    package enum Outcome: Hashable, Sendable {
        /// - messageID: `nil` if the SMSC gave none.
        case accepted(messageID: String?)
        case notTaken(NotTakenReason)
        case unknown
    }

    /// Which deliver_sm or data_sm an answer is for.
    package struct Ticket: Hashable, Sendable {
        let connection: UInt64
        let header: PDU.Header
    }

    package enum InboundEvent: Hashable, Sendable {
        /// - Parameter phone: that the message was for, if the receipt names one.
        case receipt(Receipt, DeliveryReceipt.State, phone: PhoneNumber?)
        case message(from: PhoneNumber, to: String, text: String)
    }

    package enum Event: Sendable {
        case start
        case connected
        /// - Parameter reason: for an operator to read.
        case connectionFailed(String)
        /// The octets of one PDU.
        case received([UInt8])
        /// The rest of the stream cannot be read.
        case streamBroken(PDUError)
        case disconnected(String?)
        case submit(Submission)
        case heard(Ticket, kept: Bool)
        /// The time of ``SMPPSession/wake`` has come.
        case timer
        case shutDown
    }

    package enum Action: Hashable, Sendable {
        case connect
        case write([UInt8])
        case close
        case settle(UInt64, Outcome)
        case hear(InboundEvent, Ticket)
        case report(Report)
        /// After a shut-down: nothing more will come.
        case finished
    }

    /// An incident, for the log.
    package enum Report: Hashable, Sendable {
        case bound(systemID: String)
        case lost(String)
        /// A message was not taken.
        case refused(CommandStatus)
        /// An answer did not come in time.
        case unanswered
        /// A receipt or a message that cannot be read; it is answered as taken, for it would not be readable the next
        /// time.
        case unreadable
    }

    private enum State {
        case idle
        case pausing(until: Instant)
        case connecting
        case binding(sequence: UInt32, until: Instant)
        case bound
        case unbinding(sequence: UInt32, until: Instant)
        /// Closed by us; the connection's end has not been told yet.
        case closing
        case stopped
    }

    private struct Progress {
        var parts: [Message]
        var deadline: Instant
        /// Until when it waits for the first part to be written.
        var waitsUntil: Instant
        /// How many were accepted.
        var accepted = 0
        var isWritten = false

        /// The latest time at which its caller gets an outcome.
        var due: Instant { isWritten ? deadline : waitsUntil }
    }

    private struct Outstanding {
        /// `nil` for an enquire_link.
        var submission: UInt64?
        var until: Instant
    }

    private let settings: Settings
    private let random: any RandomSource
    private var state = State.idle
    private var isStopping = false
    private var submissions: [UInt64: Progress] = [:]
    /// Those whose next part waits for a place in the window, in order.
    private var queue: [UInt64] = []
    private var outstanding: [UInt32: Outstanding] = [:]
    private var lastSequence: UInt32 = 0
    private var connection: UInt64 = 0
    private var heardNow = 0
    private var lastReceived: Instant?
    /// Something was not answered in time, and nothing has come since.
    private var isSilent = false
    /// Attempts since the last session that lasted.
    private var failures = 0
    private var boundAt: Instant?
    /// Why there is no session; `nil` in one, and before the first attempt has ended.
    private(set) var lastFault: String?
    private var actions: [Action] = []

    package init(_ settings: Settings, random: any RandomSource) {
        self.settings = settings
        self.random = random
    }

    /// The reason why it takes no message now; without numbers.
    package var trouble: String? {
        switch state {
        case .bound where isSilent: "does not answer"
        case .bound: nil
        case .unbinding, .stopped: "is being stopped"
        default: lastFault ?? "is not connected yet"
        }
    }

    /// When ``Event/timer`` is due; `nil` if nothing waits.
    package var wake: Instant? {
        var times = submissions.values.map(\.due) + outstanding.values.map(\.until)
        switch state {
        case .pausing(let until), .binding(_, let until), .unbinding(_, let until): times.append(until)
        case .bound: if let lastReceived, !isEnquiring { times.append(lastReceived + settings.enquireAfter) }
        default: break
        }
        return times.min()
    }

    /// - Returns: what to do, in this order.
    package mutating func take(_ event: Event, at now: Instant) -> [Action] {
        switch event {
        case .start: if case .idle = state { connect() }
        case .connected: bind(now)
        case .connectionFailed(let reason): ended(reason, now)
        case .disconnected(let reason): ended(reason ?? "the SMSC closed the connection", now)
        case .streamBroken(let error): close("the SMSC sent what is not SMPP: \(error)", now)
        case .received(let bytes): received(bytes, now)
        case .submit(let submission): submit(submission, now)
        case .heard(let ticket, let kept): heard(ticket, kept: kept)
        case .timer: timer(now)
        case .shutDown: shutDown(now)
        }
        fill(now)
        finishStopping(now)
        defer { actions = [] }
        return actions
    }
}

// MARK: Connection

extension SMPPSession {
    private mutating func connect() {
        state = .connecting
        actions.append(.connect)
    }

    private mutating func bind(_ now: Instant) {
        // Ended while it was being made.
        if case .closing = state { return actions.append(.close) }
        guard case .connecting = state else { return }
        connection += 1
        lastReceived = now
        isSilent = false
        guard !isStopping, let sequence = write(.bind(settings.bind)) else {
            return close(isStopping ? "this process is being stopped" : "the bind cannot be written", now)
        }
        state = .binding(sequence: sequence, until: now + settings.responseTime)
    }

    /// Closes the connection; the outcome of written messages is unknown from here on.
    private mutating func close(_ reason: String, _ now: Instant) {
        switch state {
        case .connecting, .binding, .bound, .unbinding: break
        default: return
        }
        lose(reason)
        state = .closing
        actions.append(.close)
    }

    private mutating func lose(_ reason: String) {
        if case .unbinding = state {} else { actions.append(.report(.lost(reason))) }
        lastFault = reason
        outstanding = [:]
        for (id, progress) in submissions.sorted(by: { $0.key < $1.key }) {
            actions.append(.settle(id, progress.isWritten ? .unknown : .notTaken(.unavailable)))
        }
        submissions = [:]
        queue = []
        heardNow = 0
    }

    /// The connection is gone, or could not be made.
    private mutating func ended(_ reason: String, _ now: Instant) {
        switch state {
        case .idle, .pausing, .stopped: return
        case .closing: break
        default: lose(reason)
        }
        if isStopping { return stop() }
        // An SMSC that takes the bind and hangs up is not asked more often than one that refuses it.
        if let boundAt, now - boundAt >= settings.longestPause { failures = 0 }
        boundAt = nil
        // Half of the pause at least, so that servers that lost the same SMSC do not come back as one.
        let factor = Double(UInt64(1) << UInt64(min(failures, 16)))
        let pause = min(settings.firstPause * factor, settings.longestPause)
        let share = Double(random.bytes(2).reduce(0) { $0 << 8 | Int($1) }) / 65536
        failures += 1
        state = .pausing(until: now + pause * (0.5 + share / 2))
    }

    private mutating func stop() {
        state = .stopped
        actions.append(.finished)
    }

    private mutating func shutDown(_ now: Instant) {
        guard !isStopping else { return }
        isStopping = true
        // A message that is not written yet may go to another sender.
        for id in queue where submissions[id]?.isWritten == false { settle(id, .notTaken(.unavailable)) }
        switch state {
        case .idle, .pausing: stop()
        case .binding, .connecting: close("this process is being stopped", now)
        default: break
        }
    }

    /// Says goodbye when all is answered.
    private mutating func finishStopping(_ now: Instant) {
        guard isStopping, case .bound = state, submissions.isEmpty, heardNow == 0 else { return }
        guard let sequence = write(.unbind) else { return close("the unbind cannot be written", now) }
        state = .unbinding(sequence: sequence, until: now + settings.responseTime)
    }
}

// MARK: Messages to phones

extension SMPPSession {
    private mutating func submit(_ submission: Submission, _ now: Instant) {
        guard case .bound = state, !isSilent, !isStopping, submission.deadline > now, !submission.parts.isEmpty else {
            return actions.append(.settle(submission.id, .notTaken(.unavailable)))
        }
        guard queue.count < settings.waiting else {
            return actions.append(.settle(submission.id, .notTaken(.throttled)))
        }
        submissions[submission.id] = Progress(
            parts: submission.parts, deadline: submission.deadline, waitsUntil: now + (submission.deadline - now) / 3)
        queue.append(submission.id)
    }

    private mutating func settle(_ id: UInt64, _ outcome: Outcome) {
        guard submissions.removeValue(forKey: id) != nil else { return }
        queue.removeAll { $0 == id }
        actions.append(.settle(id, outcome))
    }

    /// Writes what waits while the window has places.
    private mutating func fill(_ now: Instant) {
        guard case .bound = state, !isSilent else { return }
        while !queue.isEmpty, outstanding.values.count(where: { $0.submission != nil }) < settings.window {
            let id = queue.removeFirst()
            guard let progress = submissions[id] else { continue }
            guard let sequence = write(.submit(progress.parts[progress.accepted])) else {
                settle(id, progress.isWritten ? .unknown : .notTaken(.refused))
                continue
            }
            submissions[id]?.isWritten = true
            outstanding[sequence] = Outstanding(submission: id, until: now + settings.responseTime)
        }
    }

    /// - Parameter messageID: of a part that was accepted.
    private mutating func answered(_ sequence: UInt32, _ status: CommandStatus, messageID: String?) {
        guard let id = outstanding[sequence]?.submission else { return }
        outstanding[sequence] = nil
        if status != .ok { actions.append(.report(.refused(status))) }
        // One that is settled already was too late for its caller.
        guard let progress = submissions[id] else { return }
        if status != .ok {
            settle(id, progress.accepted == 0 ? .notTaken(NotTakenReason(status)) : .unknown)
        } else if progress.accepted + 1 == progress.parts.count {
            settle(id, .accepted(messageID: messageID.flatMap { Self.isNameable($0) ? $0 : nil }))
        } else {
            submissions[id]?.accepted += 1
            queue.insert(id, at: 0)
        }
    }

    /// Whether a receipt can name this id (§5.2.23).
    private static func isNameable(_ messageID: String) -> Bool {
        (1...64).contains(messageID.utf8.count) && messageID.utf8.allSatisfy { (0x20..<0x7f).contains($0) }
    }

    private mutating func timer(_ now: Instant) {
        for (id, progress) in submissions.sorted(by: { $0.key < $1.key }) where progress.due <= now {
            settle(id, progress.isWritten ? .unknown : .notTaken(.throttled))
        }
        for (sequence, request) in outstanding.sorted(by: { $0.key < $1.key }) where request.until <= now {
            outstanding[sequence] = nil
            guard let id = request.submission else { return close("the SMSC does not answer (enquire_link)", now) }
            actions.append(.report(.unanswered))
            settle(id, .unknown)
            isSilent = true
        }
        if isSilent {
            for id in queue where submissions[id]?.isWritten == false { settle(id, .notTaken(.unavailable)) }
        }
        switch state {
        case .pausing(let until) where until <= now: connect()
        case .binding(_, let until) where until <= now: close("the SMSC does not answer the bind", now)
        case .unbinding(_, let until) where until <= now: close("the SMSC does not answer the unbind", now)
        case .bound:
            let isDue = lastReceived.map { $0 + settings.enquireAfter <= now } ?? true
            if isSilent || isDue, !isEnquiring, let sequence = write(.enquireLink) {
                outstanding[sequence] = Outstanding(submission: nil, until: now + settings.responseTime)
            }
        default: break
        }
    }

    private var isEnquiring: Bool { outstanding.values.contains { $0.submission == nil } }
}

// MARK: What the SMSC sends

extension SMPPSession {
    private mutating func received(_ bytes: [UInt8], _ now: Instant) {
        switch state {
        case .binding, .bound, .unbinding: break
        default: return
        }
        lastReceived = now
        isSilent = false
        let header: PDU.Header
        do { header = try PDU.Header(bytes) } catch { return close("the SMSC sent what is not SMPP: \(error)", now) }
        guard let pdu = try? PDU(decoding: bytes) else { return unreadable(header) }
        switch pdu.body {
        case .bindAnswer(settings.bind.kind, let systemID, _): bindAnswered(header, systemID: systemID, now)
        case .submitAnswer(let messageID, _):
            answered(header.sequence, header.status, messageID: messageID)
        case .genericNack: refused(header, now)
        case .enquireLink: answer(.enquireLinkAnswer, to: header)
        case .enquireLinkAnswer:
            if outstanding[header.sequence]?.submission == nil { outstanding[header.sequence] = nil }
        case .unbind:
            answer(.unbindAnswer, to: header)
            close("the SMSC ended the session", now)
        case .unbindAnswer: if case .unbinding = state { close("the session is over", now) }
        case .deliver(let message), .data(let message): deliver(message, header)
        case .bindAnswer, .deliverAnswer, .dataAnswer: break
        case .bind, .submit, .other:
            // alert_notification and outbind have no answer.
            guard !header.command.isAnswer, ![0x102, 0x0b].contains(header.command.rawValue) else { return }
            answer(.genericNack, status: .invalidCommandID, to: header)
        }
    }

    private mutating func bindAnswered(_ header: PDU.Header, systemID: String?, _ now: Instant) {
        guard case .binding(header.sequence, _) = state else { return }
        guard header.status == .ok else { return close("the SMSC refuses the bind: \(header.status)", now) }
        state = .bound
        boundAt = now
        lastFault = nil
        // Without its zero it runs on into what follows.
        let name = (systemID ?? "").unicodeScalars.prefix { (0x20..<0x7f).contains($0.value) }
        actions.append(.report(.bound(systemID: String(name))))
    }

    /// A generic_nack: the SMSC did not read a request of ours.
    private mutating func refused(_ header: PDU.Header, _ now: Instant) {
        let status = header.status == .ok ? CommandStatus.invalidCommandID : header.status
        if case .binding(header.sequence, _) = state { return close("the SMSC refuses the bind: \(status)", now) }
        if let request = outstanding[header.sequence], request.submission == nil {
            // It is there, and does not know enquire_link.
            outstanding[header.sequence] = nil
        } else {
            answered(header.sequence, status, messageID: nil)
        }
    }

    /// A PDU with a right header and a wrong body.
    private mutating func unreadable(_ header: PDU.Header) {
        switch header.command {
        case .deliverSM, .dataSM:
            actions.append(.report(.unreadable))
            answerDelivery(status: .receiverPermanentError, to: header)
        case let command where !command.isAnswer:
            answer(.genericNack, status: .invalidCommandLength, to: header)
        default: break
        }
    }

    private mutating func deliver(_ message: Message, _ header: PDU.Header) {
        guard case .bound = state, settings.bind.kind != .transmitter else {
            return answerDelivery(status: .invalidBindStatus, to: header)
        }
        let phone = message.source.mayBeSubscriber ? PhoneNumber(message.source.number) : nil
        let heard: InboundEvent
        if let receipt = Receipt(message) {
            guard let state = DeliveryReceipt.State(receipt.state) else { return answerDelivery(to: header) }
            heard = .receipt(receipt, state, phone: phone)
        } else {
            guard !Receipt.isMarked(message), message.isWholeText, let phone, let text = message.text else {
                actions.append(.report(.unreadable))
                return answerDelivery(to: header)
            }
            heard = .message(from: phone, to: message.destination.digits, text: text)
        }
        guard heardNow < settings.hearing else {
            return answerDelivery(status: .receiverTemporaryError, to: header)
        }
        heardNow += 1
        actions.append(.hear(heard, Ticket(connection: connection, header: header)))
    }

    /// Answers a deliver_sm or data_sm.
    private mutating func answerDelivery(status: CommandStatus = .ok, to header: PDU.Header) {
        answer(header.command == .dataSM ? .dataAnswer : .deliverAnswer, status: status, to: header)
    }

    private mutating func heard(_ ticket: Ticket, kept: Bool) {
        // After another connection the SMSC sends it again.
        guard ticket.connection == connection else { return }
        switch state {
        case .bound, .unbinding: break
        default: return
        }
        heardNow -= 1
        answerDelivery(status: kept ? .ok : .receiverTemporaryError, to: ticket.header)
    }

    private mutating func answer(_ body: PDU.Body, status: CommandStatus = .ok, to header: PDU.Header) {
        if let bytes = try? PDU(body, status: status, sequence: header.sequence).encoded() {
            actions.append(.write(bytes))
        }
    }

    /// - Returns: the request's number; `nil` if a field does not fit, and then nothing is written.
    private mutating func write(_ request: PDU.Body) -> UInt32? {
        let sequence = lastSequence >= 0x7fff_ffff ? 1 : lastSequence + 1
        guard let bytes = try? PDU(request, sequence: sequence).encoded() else { return nil }
        lastSequence = sequence
        actions.append(.write(bytes))
        return sequence
    }
}

extension DeliveryReceipt.State {
    /// `nil` for states in which nothing is decided.
    init?(_ state: Receipt.State) {
        switch state {
        case .delivered: self = .delivered
        case .expired: self = .expired
        case .undeliverable, .skipped: self = .undeliverable
        case .rejected: self = .rejected
        case .deleted: self = .deleted
        case .scheduled, .enroute, .accepted, .unknown: return nil
        }
    }
}

extension NotTakenReason {
    /// Maps an error of submit_sm: whether it concerns this number, this message, or the sender as a whole.
    init(_ status: CommandStatus) {
        switch status {
        case .throttled, .messageQueueFull: self = .throttled
        case .invalidDestinationAddress, .invalidDestinationTON, .invalidDestinationNPI: self = .destination
        // The same would be said of every message: the session, or how this sender is configured.
        case .systemError, .invalidBindStatus, .invalidSourceAddress, .invalidSourceTON, .invalidSourceNPI,
            .invalidServiceType,
            .invalidSystemType:
            self = .unavailable
        default: self = .refused
        }
    }
}
