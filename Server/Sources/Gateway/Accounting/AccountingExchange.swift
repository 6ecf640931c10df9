@_spi(Server) import BenjiProtocol
import RADIUS

/// One side of the accounting conversation, without socket and without clock: a packet in, a decision out.
///
/// It decides which senders are believed, which packets are repetitions, and what a packet says; what that means for
/// the addresses is the ``Directory``'s to decide.
struct AccountingExchange: Sendable {
    /// A packet that was believed: what it says, and what to answer when that is done.
    struct Transaction: Sendable {
        /// `nil` for a packet that changes nothing: Status-Server, an unknown status, an event that was applied before.
        var event: AccountingEvent?
        let response: [UInt8]
        let fingerprint: PacketFingerprint?
        let result: Result
        /// What a packet without a time may mean: the addresses it names may have passed on.
        var suspect: AccountingEvent?

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
        /// The answer given before.
        case repeatAnswer([UInt8])
        case process(Transaction)
    }

    private let servers: [NetworkAccessServer]
    private let clockTolerance: Duration
    private var duplicates: DuplicateCache
    private var applied: AppliedEvents
    private var buckets: [RateBucket]

    /// A chain of this many proxies is a loop.
    static let maximumProxyStates = 16

    init(configuration: GatewayConfiguration) {
        servers = configuration.networkAccessServers
        clockTolerance = configuration.clockTolerance
        duplicates = DuplicateCache(limit: configuration.duplicateLimit)
        applied = AppliedEvents(limit: configuration.duplicateLimit)
        buckets = servers.map { RateBucket(perSecond: $0.rateLimit) }
    }

    /// Index of the NAS that may send from `source`.
    func server(for source: InternetAddress) -> Int? {
        servers.firstIndex { $0.maySend(from: source) }
    }

    mutating func receive(_ datagram: [UInt8], from source: InternetAddress, at now: Timestamp) -> Decision {
        guard let nas = server(for: source) else { return .drop(.unknownNAS, suspect: nil) }
        do throws(DropReason) {
            return try receive(datagram, nas: nas, from: source, at: now)
        } catch {
            return .drop(error, suspect: nil)
        }
    }

    private mutating func receive(
        _ datagram: [UInt8], nas: Int, from source: InternetAddress, at now: Timestamp
    ) throws(DropReason) -> Decision {
        guard let packet = try? Packet(decoding: datagram) else { throw .malformed }
        let secret = servers[nas].secret
        try authenticate(packet, secret: secret)
        guard packet.all(.proxyState).count <= Self.maximumProxyStates else { throw .proxyLoop }
        guard let response = try? packet.accountingResponse(secret: secret) else { throw .malformed }
        if packet.code == .statusServer {
            guard buckets[nas].take(at: now.milliseconds) else { throw .rateLimited }
            return .process(Transaction(event: nil, response: response, fingerprint: nil, result: .statusServer))
        }
        let fingerprint = PacketFingerprint(
            address: source, code: packet.code.rawValue, identifier: packet.identifier,
            authenticator: packet.authenticator[...])
        switch duplicates[fingerprint] {
        case .answered(let answer): return .repeatAnswer(answer)
        case .inProgress: throw .inProgress
        case .noted, nil: break
        }
        guard let request = try? AccountingRequest(packet) else { throw .malformed }
        let isAhead = (request.eventTimestamp ?? 0) > (now + clockTolerance).wholeSeconds
        var event = try self.event(request, nas: nas, at: now)
        guard !isAhead else {
            // When it happened is not known, but it did happen: whoever holds its addresses may have lost them.
            event?.isTimed = false
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
            (event, result) = (nil, .untimed)
        }
        if let known = event, applied.contains(known) {
            event = nil
            result = .repeated
        }
        duplicates[fingerprint] = .inProgress
        return .process(
            Transaction(
                event: event, response: response, fingerprint: fingerprint, result: result, suspect: suspect))
    }

    /// What a packet that is not taken may mean. One that cannot be dated means it once: sent again, it may be a recording,
    /// and would put the same phones in doubt for ever.
    private mutating func suspicion(_ event: AccountingEvent?, of fingerprint: PacketFingerprint) -> AccountingEvent? {
        guard let event, !event.isTimed else { return event }
        guard duplicates[fingerprint] == nil else { return nil }
        duplicates[fingerprint] = .noted
        return event
    }

    private func authenticate(_ packet: Packet, secret: SharedSecret) throws(DropReason) {
        switch packet.code {
        case .accountingRequest:
            guard packet.hasValidRequestAuthenticator(secret: secret) else { throw .badAuthenticator }
            guard let valid = try? packet.hasValidMessageAuthenticator(secret: secret) ?? true else { throw .malformed }
            guard valid else { throw .badAuthenticator }
        case .statusServer:
            // RFC 5997 §3: nothing but the Message-Authenticator proves the sender, so it must be there.
            guard let valid = try? packet.hasValidMessageAuthenticator(secret: secret) ?? false else {
                throw .malformed
            }
            guard valid else { throw .badAuthenticator }
        default: throw .unexpectedCode
        }
    }

    /// The event took effect: its repetitions change nothing.
    mutating func didApply(_ event: AccountingEvent) { applied.insert(event) }

    /// The answer is about to leave.
    mutating func didAnswer(_ transaction: Transaction) {
        if let fingerprint = transaction.fingerprint { duplicates[fingerprint] = .answered(transaction.response) }
    }

    /// There is no answer; the NAS repeats the packet and it is processed as new.
    mutating func didFail(_ transaction: Transaction) {
        if let fingerprint = transaction.fingerprint { duplicates[fingerprint] = nil }
    }
}

extension AccountingExchange {
    /// What a request says. `nil` for a status that concerns no session.
    private func event(
        _ request: AccountingRequest, nas: Int, at now: Timestamp
    ) throws(DropReason) -> AccountingEvent? {
        let server = servers[nas]
        let kind: AccountingEvent.Kind
        switch request.status {
        case .start: kind = .start
        case .interimUpdate: kind = .interim
        case .stop: kind = .stop
        case .accountingOn, .accountingOff: kind = .reset
        default: return nil
        }
        // RFC 2866 §5.1 wants one of the three; a NAS that sends none is the one that its address says it is.
        let identity = request.nasIdentifier.map { "id:" + $0 } ?? request.nasAddress.map { "ip:\($0)" } ?? ""
        let scope = server.name + "\n" + identity
        // Not Acct-Delay-Time: it counts from the arrival, which whoever replays the packet chooses.
        let isTimed = request.eventTimestamp != nil
        let time = request.eventTimestamp ?? now.wholeSeconds
        guard kind != .reset else {
            return AccountingEvent(kind: kind, nas: nas, scope: scope, key: .none, time: time, isTimed: isTimed)
        }
        guard let sessionID = request.sessionID, !sessionID.isEmpty else { throw .malformed }
        var event = AccountingEvent(
            kind: kind, nas: nas, scope: scope, key: SessionKey(scope: scope, sessionID: sessionID), time: time,
            isTimed: isTimed)
        event.isMobile = request.isMobile
        event.endsSession = request.endsSession || !request.isMobile || !server.sendsSessionStopIndicator
        try addAddresses(of: request, server: server, to: &event)
        guard kind != .stop else { return event }
        event.isRoaming = Self.isRoaming(request, home: server.homeNetworks)
        if let text = request.callingStation, !text.isEmpty {
            event.calling = text
            event.imsi = request.imsi
        }
        return event
    }

    private func addAddresses(
        of request: AccountingRequest, server: NetworkAccessServer, to event: inout AccountingEvent
    ) throws(DropReason) {
        if let address = request.framedAddress {
            guard server.mayAnnounce(address) else { throw .outsidePools }
            event.address = address
        }
        if let prefix = request.framedPrefix {
            // A phone gets a /64 or shorter (RFC 6459 §5.2). The directory is keyed by the upper half.
            guard (1...64).contains(prefix.length), server.mayAnnounce(prefix) else { throw .outsidePools }
            event.prefix = prefix
        }
        for block in request.portBlocks {
            guard block.address.family == .v4, server.mayAnnounce(block.address) else { throw .outsidePools }
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
