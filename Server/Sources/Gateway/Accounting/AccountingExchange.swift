@_spi(Server) import BenjiProtocol
import RADIUS

/// One side of the accounting conversation, without socket and without clock: a packet in, a decision out.
///
/// It decides which senders are believed, which packets are repetitions, and how a packet's content is read. The
/// ``Directory`` decides how an event changes the addresses. Packets are read where they lie.
struct AccountingExchange: Sendable {
    /// A packet that was believed: what it says, and what it takes to answer it when that is done.
    struct Transaction: Sendable {
        /// `nil` for a packet that changes nothing: Status-Server, an unknown status, an event that was applied before.
        var event: AccountingEvent?
        /// Index of the NAS in the configuration.
        let nas: Int
        /// The packet's fingerprint, by which its repetition is known. `nil` for a Status-Server, which may be asked
        /// again.
        let packet: Fingerprint?
        /// The fingerprint of ``event``.
        let content: Fingerprint?
        let result: Result

        enum Result: String, Sendable, CaseIterable {
            case applied
            case repeated = "repeated_event"
            case untimed
            case statusServer = "status_server"
            case ignored
        }
    }

    enum Decision: Sendable {
        /// No answer. `suspect` is the event of a packet that was believed but not taken: the addresses it names may
        /// have passed on.
        case drop(DropReason, suspect: AccountingEvent?)
        /// The answer given before, to this NAS.
        case repeatAnswer(nas: Int)
        /// `suspect` is what a packet without a time may mean: the addresses it names may have passed on.
        case process(Transaction, suspect: AccountingEvent?)
    }

    private let servers: [NetworkAccessServer]
    private let clockTolerance: Duration
    /// Seconds after which an event begins no session any more.
    private let lateness: Int64
    private var packets: FingerprintCache
    private var applied: FingerprintCache
    private var buckets: [PacketAllowance]
    /// The counts of each NAS's feed.
    private(set) var feeds: [FeedCounts]
    /// NASes of which a fault was counted that the log may have to name.
    var faulty: Set<Int> = []
    /// The error in the packet that is being refused, or the seconds that it is dated ahead.
    private var problem: PacketError?
    private var clockAhead: Int64?
    private var layout = PacketLayout()
    private var scopes: ScopeNames
    /// The source that was asked about last, and its NAS.
    private var last: (source: InternetAddress, nas: Int)?

    /// A chain of this many proxies is a loop.
    static let maximumProxyStates = 16

    init(configuration: GatewayConfiguration) {
        servers = configuration.networkAccessServers
        clockTolerance = configuration.clockTolerance
        lateness = Int64((configuration.reorderWindow + configuration.clockTolerance).wholeSeconds)
        packets = FingerprintCache(limit: configuration.duplicateLimit)
        applied = FingerprintCache(limit: configuration.duplicateLimit)
        buckets = servers.map { PacketAllowance(perSecond: $0.rateLimit) }
        feeds = servers.map { _ in FeedCounts() }
        scopes = ScopeNames(servers: servers)
    }

    /// Index of the NAS that may send from `source`.
    func server(for source: InternetAddress) -> Int? {
        servers.firstIndex { $0.maySend(from: source) }
    }

    mutating func receive(_ datagram: Span<UInt8>, from source: InternetAddress, at now: Timestamp) -> Decision {
        if last?.source != source { last = server(for: source).map { (source, $0) } }
        guard let nas = last?.nas else { return .drop(.unknownNAS, suspect: nil) }
        return receive(datagram, nas: nas, from: source, through: nil, at: now)
    }

    /// A packet of the NAS whose certificate opened a connection.
    mutating func receive(
        _ packet: Span<UInt8>, through connection: DatagramBatch.Connection, from source: InternetAddress,
        at now: Timestamp
    ) -> Decision {
        receive(packet, nas: connection.nas, from: source, through: connection, at: now)
    }

    private mutating func receive(
        _ datagram: Span<UInt8>, nas: Int, from source: InternetAddress,
        through connection: DatagramBatch.Connection?, at now: Timestamp
    ) -> Decision {
        do throws(DropReason) {
            let decision = try receive(datagram, of: nas, from: source, through: connection, at: now)
            if case .drop(let reason, _) = decision {
                note(.dropped(reason), of: nas)
            } else {
                feeds[nas].taken += 1
                feeds[nas].heardAt = now
            }
            return decision
        } catch {
            note(.dropped(error), of: nas)
            return .drop(error, suspect: nil)
        }
    }

    /// Counts packets of a NAS that make no phone known.
    mutating func note(_ fault: FeedFault, of nas: Int, count: Int = 1) {
        let before = feeds[nas].faults[fault]?.count ?? 0
        feeds[nas].faults[fault] = FeedFaultCount(
            count: before + count, error: problem.take(), clockAhead: clockAhead.take())
        faulty.insert(nas)
    }

    /// Counts an event that made a phone known.
    mutating func didName(_ nas: Int) { feeds[nas].named += 1 }

    /// The reason to refuse a packet, and notes the error for ``note(_:of:count:)``.
    private mutating func drop(_ reason: DropReason, because error: PacketError) -> DropReason {
        problem = error
        return reason
    }

    private mutating func receive(
        _ datagram: Span<UInt8>, of nas: Int, from source: InternetAddress,
        through connection: DatagramBatch.Connection?, at now: Timestamp
    ) throws(DropReason) -> Decision {
        do throws(PacketError) { try layout.read(datagram) } catch { throw drop(.malformed, because: error) }
        // Without padding.
        let packet = datagram.extracting(..<layout.length)
        try authenticate(packet, secret: servers[nas].secret)
        guard layout.proxyStates.count <= Self.maximumProxyStates else { throw .proxyLoop }
        guard layout.hasRoomForAnswer else {
            throw drop(.invalid, because: PacketError(.tooLong, attribute: .proxyState, offset: layout.length))
        }
        if layout.code == .statusServer {
            guard buckets[nas].take(at: now.milliseconds) else { throw .rateLimited }
            return .process(
                Transaction(event: nil, nas: nas, packet: nil, content: nil, result: .statusServer), suspect: nil)
        }
        let fingerprint =
            if let connection {
                Fingerprint(of: packet, through: connection)
            } else {
                Fingerprint(of: packet, from: source)
            }
        switch packets[fingerprint] {
        case .done: return .repeatAnswer(nas: nas)
        case .inProgress: throw .inProgress
        case .noted, .forgotten, nil: break
        }
        let request: AccountingRequest
        do throws(PacketError) { request = try AccountingRequest(layout, in: packet) } catch {
            problem = error
            let suspect = readable(in: packet, nas: nas, from: source, at: now)
            return .drop(.invalid, suspect: suspicion(suspect, of: fingerprint))
        }
        // Before it is known whether it is taken: a clock that is too far ahead is to show.
        if let event = request.eventTimestamp {
            feeds[nas].clock.note(event: event, delay: request.delay ?? 0, arrival: now.milliseconds)
        }
        if let delay = request.delay, delay > 0 { feeds[nas].delayed += 1 }
        let isAhead = (request.eventTimestamp ?? 0) > (now + clockTolerance).wholeSeconds
        var event: AccountingEvent?
        do throws(DropReason) { event = try self.event(request, nas: nas, from: source, at: now) } catch {
            let suspect = readable(in: packet, nas: nas, from: source, at: now)
            return .drop(error, suspect: suspicion(suspect, of: fingerprint))
        }
        guard !isAhead else {
            // Its time is unknown, but it did happen: the sessions that hold its addresses may have lost them.
            event?.isTimed = false
            clockAhead = Int64(request.eventTimestamp ?? 0) - now.seconds
            return .drop(.clock, suspect: suspicion(event, of: fingerprint))
        }
        guard buckets[nas].take(at: now.milliseconds) else {
            return .drop(.rateLimited, suspect: suspicion(event, of: fingerprint))
        }
        var result = Transaction.Result.applied
        if event == nil { result = .ignored }
        var suspect: AccountingEvent?
        if let untimed = event, !untimed.isTimed {
            suspect = suspicion(untimed, of: fingerprint)
            guard servers[nas].eventTimestamp == .optional else { return .drop(.untimed, suspect: suspect) }
            if untimed.kind == .start || untimed.kind == .interim { note(.undated, of: nas) }
            (event, result) = (nil, .untimed)
        }
        var content = event.map { Fingerprint(of: $0) }
        if let known = content, applied[known] != nil {
            (event, content, result) = (nil, nil, .repeated)
        }
        if result == .ignored { note(.otherStatus, of: nas) }
        if let event, event.kind != .stop, Int64(event.time) + lateness < now.seconds {
            // A packet that waited does not show that the clock is wrong.
            let sent = Int64(event.time) + Int64(request.delay ?? 0)
            clockAhead = sent + lateness < now.seconds ? Int64(event.time) - now.seconds : nil
            note(.clockBehind, of: nas)
        }
        packets[fingerprint] = .inProgress
        return .process(
            Transaction(event: event, nas: nas, packet: fingerprint, content: content, result: result),
            suspect: suspect)
    }

    /// The event that a refused packet may stand for. A packet without a usable time yields it once only. A repetition
    /// may be a recording, and would put the same phones in doubt for ever.
    private mutating func suspicion(_ event: AccountingEvent?, of fingerprint: Fingerprint) -> AccountingEvent? {
        guard let event, !event.isTimed else { return event }
        guard packets[fingerprint] == nil else { return nil }
        packets[fingerprint] = .noted
        return event
    }

    /// Reads the NAS, session, time and addresses of an authentic packet with invalid attributes. Another session may
    /// have held these addresses and lost them, and the NAS may have started or stopped. Returns `nil` if its status is
    /// unknown.
    private mutating func readable(
        in packet: Span<UInt8>, nas: Int, from source: InternetAddress, at now: Timestamp
    ) -> AccountingEvent? {
        guard var request = AccountingRequest(readable: layout, in: packet) else { return nil }
        if let address = request.framedAddress, !servers[nas].mayAnnounce(address) { request.framedAddress = nil }
        if let prefix = request.framedPrefix, !(1...64).contains(prefix.length) || !servers[nas].mayAnnounce(prefix) {
            request.framedPrefix = nil
        }
        request.portBlocks.removeAll { $0.address.family != .v4 || !servers[nas].mayAnnounce($0.address) }
        if let time = request.eventTimestamp, time > (now + clockTolerance).wholeSeconds {
            request.eventTimestamp = nil
        }
        return (try? event(request, nas: nas, from: source, at: now, needsSession: false)).flatMap { $0 }
    }

    private mutating func authenticate(_ packet: Span<UInt8>, secret: SharedSecret) throws(DropReason) {
        switch layout.code {
        case .accountingRequest:
            guard Packet.hasValidRequestAuthenticator(packet, secret: secret) else { throw .badAuthenticator }
            guard layout.has(.messageAuthenticator) else { return }
        // RFC 5997 §3: nothing but the Message-Authenticator proves the sender, so it must be there.
        case .statusServer:
            guard layout.has(.messageAuthenticator) else {
                throw drop(
                    .badAuthenticator,
                    because: PacketError(.missing, attribute: .messageAuthenticator, offset: layout.length))
            }
        default: throw .unexpectedCode
        }
        // Few packets have one, so they are taken apart for it.
        do throws(PacketError) {
            let whole = try Packet(decoding: packet.withUnsafeBufferPointer { Array($0) })
            guard try whole.hasValidMessageAuthenticator(secret: secret) != true else { return }
            let offset = try whole.single(.messageAuthenticator)?.offset ?? 0
            problem = PacketError(.authenticator, attribute: .messageAuthenticator, offset: offset)
        } catch { throw drop(.malformed, because: error) }
        throw .badAuthenticator
    }

    /// Appends the answer to a packet that was believed. It is the same each time.
    func answer(_ datagram: Span<UInt8>, nas: Int, onto answers: inout [UInt8]) {
        guard let length = try? Packet.length(of: datagram) else { return }
        Packet.appendAccountingResponse(
            to: datagram.extracting(..<length), secret: servers[nas].secret, onto: &answers)
    }

    /// The event took effect: its repetitions change nothing.
    mutating func didApply(_ transaction: Transaction) {
        if let content = transaction.content { applied[content] = .done }
    }

    /// The answer is about to leave.
    mutating func didAnswer(_ transaction: Transaction) {
        if let packet = transaction.packet { packets[packet] = .done }
    }

    /// There is no answer; the NAS repeats the packet and it is processed as new.
    mutating func didFail(_ transaction: Transaction) {
        if let packet = transaction.packet { packets[packet] = nil }
    }
}

extension AccountingExchange {
    /// Reads the event of a request. Returns `nil` for a status that concerns no session.
    ///
    /// - Parameter needsSession: whether a request about a session must have its id. Without one the event's key is
    ///   ``SessionKey/none``, which no session has.
    private mutating func event(
        _ request: AccountingRequest, nas: Int, from source: InternetAddress, at now: Timestamp,
        needsSession: Bool = true
    ) throws(DropReason) -> AccountingEvent? {
        let kind: AccountingEvent.Kind
        switch request.status {
        case .start: kind = .start
        case .interimUpdate: kind = .interim
        case .stop: kind = .stop
        case .accountingOn, .accountingOff: kind = .reset
        default: return nil
        }
        let names = SessionNames(
            nasIdentifier: request.nasIdentifier, nasIPAddress: request.nasIPAddress,
            nasIPv6Address: request.nasIPv6Address, sessionID: request.sessionID ?? [])
        let scope = scopes.name(nas: nas, names, from: source)
        // Not Acct-Delay-Time: it counts from the arrival, which an attacker who replays the packet chooses.
        let isTimed = request.eventTimestamp != nil
        let time = request.eventTimestamp ?? now.wholeSeconds
        guard kind != .reset else {
            return AccountingEvent(
                kind: kind, nas: nas, scope: scope, key: .none, names: names, time: time, isTimed: isTimed,
                isOff: request.status == .accountingOff)
        }
        var key = SessionKey.none
        if let sessionID = request.sessionID, !sessionID.isEmpty {
            key = SessionKey(scope: scope, sessionID: sessionID)
        } else if needsSession {
            throw drop(.invalid, because: PacketError(.missing, attribute: .acctSessionID, offset: layout.length))
        }
        var event = AccountingEvent(
            kind: kind, nas: nas, scope: scope, key: key, names: names, time: time, isTimed: isTimed)
        event.isMobile = request.isMobile
        event.endsSession =
            request.endsSession || !request.isMobile || !servers[nas].sendsSessionStopIndicator
        try addAddresses(of: request, nas: nas, to: &event)
        guard kind != .stop else { return event }
        event.isRoaming = Self.isRoaming(request, home: servers[nas].homeNetworks)
        if let text = request.callingStation, !text.isEmpty {
            event.calling = text
            event.imsi = request.imsi
        }
        return event
    }

    private func addAddresses(
        of request: AccountingRequest, nas: Int, to event: inout AccountingEvent
    ) throws(DropReason) {
        if let address = request.framedAddress {
            guard servers[nas].mayAnnounce(address) else { throw .outsidePools }
            event.address = address
        }
        if let prefix = request.framedPrefix {
            // A phone gets a /64 or shorter (RFC 6459 §5.2). The directory is keyed by the upper half.
            guard (1...64).contains(prefix.length), servers[nas].mayAnnounce(prefix) else { throw .outsidePools }
            event.prefix = prefix
        }
        for block in request.portBlocks {
            guard block.address.family == .v4, servers[nas].mayAnnounce(block.address) else { throw .outsidePools }
        }
        event.blocks = request.portBlocks
        if let address = request.internalAddress, address.family == .v4 { event.internalAddress = address }
    }

    private static func isRoaming(_ request: AccountingRequest, home: Set<String>) -> Bool? {
        guard let serving = request.servingNetwork else { return nil }
        if !home.isEmpty { return !home.contains(serving) }
        if let own = request.homeNetwork { return own != serving }
        return request.imsi.map { !$0.hasPrefix(serving) }
    }
}
