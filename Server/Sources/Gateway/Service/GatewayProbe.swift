@_spi(Server) package import BenjiProtocol
import NIOConcurrencyHelpers
package import RADIUS
import Sightings

/// The inside of a gateway for those who measure it: fills its directory without packets and counts its bytes.
///
/// `package`, because a benchmark needs millions of sessions within seconds and the types of the directory stay
/// internal. Nothing else uses it.
package struct GatewayProbe {
    /// The addresses of a session.
    package enum Holding: Sendable { case v4, dualStack, portBlock }

    package let service: GatewayService
    private let scope = "probe\nid:probe"
    private static let names = SessionNames(scope: "probe\nid:probe")

    /// The gateway's first NAS announces all sessions.
    package init(_ service: GatewayService) { self.service = service }

    /// Takes in a Start for each session of `range`, as if accounting had brought it and the register had answered.
    package func start(_ range: Range<Int>, holding: Holding, at time: Timestamp) {
        service.directory.withLockedValue { directory in
            for index in range {
                let event = event(.start, index, holding: holding, at: time)
                _ = directory.apply(event, identified: identified(index), at: time)
            }
        }
    }

    /// Takes in a Start for each session of `range`, as if packets had brought it: ``interimUpdate(of:at:)`` speaks of
    /// these.
    package func announce(_ range: Range<Int>, at time: Timestamp) {
        let scope = scope
        service.directory.withLockedValue { directory in
            for index in range {
                let said = Self.request(.start, index, at: time)
                var event = AccountingEvent(
                    kind: .start, nas: 0, scope: scope,
                    key: SessionKey(scope: scope, sessionID: said.sessionID ?? []), names: Self.names,
                    time: time.wholeSeconds)
                event.address = said.framedAddress
                event.calling = said.callingStation
                event.imsi = said.imsi
                let subscriber = SubscriptionReference(subscription: Int64(index) + 1, epoch: 1, simGeneration: 1)
                _ = directory.apply(
                    event, identified: .subscriber(subscriber, identity: directory.identity(of: event)), at: time)
            }
        }
    }

    /// The NAS's update of an announced session that goes on. The register need not be asked about it.
    package static func interimUpdate(of index: Int, at time: Timestamp) -> AccountingRequest {
        request(.interimUpdate, index, at: time)
    }

    private static func request(_ status: AccountingStatus, _ index: Int, at time: Timestamp) -> AccountingRequest {
        // TS 29.061 §16.4.7: the gateway node's address and the Charging-ID, in hexadecimal.
        var request = AccountingRequest(status: status, sessionID: "CB007107\(100_000_000 + index)")
        request.nasIdentifier = Array("probe".utf8)
        request.framedAddress = InternetAddress(v4Value: 10 << 24 + UInt32(index))
        request.callingStation = "86\(13_000_000_000 + index)"
        request.calledStation = "cmnet"
        request.imsi = "46000\(1_000_000_000 + index)"
        request.homeNetwork = "46000"
        request.servingNetwork = "46000"
        request.radioAccess = 6
        request.isMobile = true
        request.eventTimestamp = time.wholeSeconds
        return request
    }

    /// Takes in Interim-Updates in slices, as accounting does.
    package func update(_ indices: [Int], at time: Timestamp) {
        for start in stride(from: 0, to: indices.count, by: AccountingProcessor.slice) {
            let events = indices[start..<min(start + AccountingProcessor.slice, indices.count)].map {
                event(.interim, $0, holding: .v4, at: time)
            }
            service.directory.withLockedValue { directory in
                for event in events { directory.prefetch(indexesOf: event) }
                for event in events { directory.prefetch(sessionOf: event) }
            }
            service.directory.forEach(events) { directory, event in
                _ = directory.apply(event, identified: .unchanged, at: time)
            }
        }
    }

    /// How many of these sources are found, without the lock, the clock and the metrics of
    /// ``GatewayService/sighting(from:port:domain:claimedLocalAddress:)``.
    package func find(_ sources: [(address: InternetAddress, port: UInt16)], domain: String, at time: Timestamp) -> Int
    {
        service.directory.withLockedValue { directory in
            var found = 0
            for source in sources {
                if case .success = directory.find(source.address, port: source.port, domain: domain, at: time) {
                    found += 1
                }
            }
            return found
        }
    }

    /// How many of these packets are answered, taken in as one batch that the sockets hand over, with what waits for
    /// the register.
    package func answers(to packets: [[UInt8]], from source: InternetAddress) async -> Int {
        var batch = DatagramBatch()
        for packet in packets {
            packet.withUnsafeBytes { batch.append($0, from: source, port: 1813, socket: 0) }
        }
        let processor = service.processor
        var answered = await processor.process(batch).count
        await processor.settleAll { answered += $0.count }
        return answered
    }

    /// The memory that sessions and indexes take, in bytes, as the directory reports it.
    package var memory: Int { service.directory.withLockedValue { $0.memory } }

    /// The address that session `index` holds; behind a NAT the public one.
    package static func source(_ index: Int, holding: Holding) -> (address: InternetAddress, port: UInt16) {
        switch holding {
        case .v4: (InternetAddress(v4Value: 10 << 24 + UInt32(index)), 40_000)
        case .dualStack: (prefix(index).address, 40_000)
        case .portBlock: (publicAddress(index), ports(index).lowerBound + 17)
        }
    }

    /// An address without a holder.
    package static func strangeSource(_ index: Int) -> (address: InternetAddress, port: UInt16) {
        (InternetAddress(v4Value: 172 << 24 + UInt32(index)), 40_000)
    }

    private func event(
        _ kind: AccountingEvent.Kind, _ index: Int, holding: Holding, at time: Timestamp
    ) -> AccountingEvent {
        var event = AccountingEvent(
            kind: kind, nas: 0, scope: scope, key: Self.key(index), names: Self.names, time: time.wholeSeconds)
        event.address = InternetAddress(v4Value: 10 << 24 + UInt32(index))
        if holding == .dualStack { event.prefix = Self.prefix(index) }
        if holding == .portBlock {
            event.blocks = [PortBlock(address: Self.publicAddress(index), ports: Self.ports(index))]
        }
        return event
    }

    private func identified(_ index: Int) -> Directory.Identified {
        .subscriber(
            SubscriptionReference(subscription: Int64(index) + 1, epoch: 1, simGeneration: 1),
            identity: UInt32(truncatingIfNeeded: index) | 0x1001)
    }

    /// Spread like the hashes that name real sessions.
    private static func key(_ index: Int) -> SessionKey {
        let first = Directory.mix(UInt64(index), 1, seed: 0)
        let second = Directory.mix(UInt64(index), 2, seed: 0)
        return SessionKey(
            a: UInt32(truncatingIfNeeded: first) | 1, b: UInt32(truncatingIfNeeded: first >> 32),
            c: UInt32(truncatingIfNeeded: second))
    }

    private static func prefix(_ index: Int) -> IPPrefix {
        let upper = 0x2001_0db8 << 32 | UInt64(index)
        let bytes =
            (0..<8).map { UInt8(truncatingIfNeeded: upper >> UInt64(56 - 8 * $0)) } + Array(repeating: 0, count: 8)
        return IPPrefix(address: InternetAddress(bytes: bytes)!, length: 64)!
    }

    /// Sixty subscribers share a public address, a thousand ports each.
    private static func publicAddress(_ index: Int) -> InternetAddress {
        InternetAddress(v4Value: 100 << 24 + UInt32(index / 60))
    }

    private static func ports(_ index: Int) -> ClosedRange<UInt16> {
        let first = UInt16(2000 + index % 60 * 1000)
        return first...(first + 999)
    }
}
