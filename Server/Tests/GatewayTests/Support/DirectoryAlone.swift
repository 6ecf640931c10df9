@_spi(Server) import BenjiProtocol
import Sightings

@testable import Gateway

/// A directory without packets, register and clock. Times are seconds after the beginning.
struct DirectoryAlone {
    static let start = UInt32(Network.start)
    /// A block of a NAT.
    static let ports: ClosedRange<UInt16> = 1024...1535

    var directory: Directory
    var now: UInt32 = 0

    init(
        _ servers: [NetworkAccessServer] = [Network.server], change: (inout GatewayConfiguration) -> Void = { _ in }
    ) {
        var configuration = Network.configuration(servers)
        change(&configuration)
        directory = Directory(
            configuration: configuration, random: SeededRandom(seed: 5), now: Timestamp(seconds: Network.start))
    }

    /// Returns an event of this NAS about a session.
    func event(
        _ kind: AccountingEvent.Kind, _ session: String, at time: UInt32? = nil, address: String? = nil,
        prefix: String? = nil, nas: Int = 0, name: String = "pgw-1"
    ) -> AccountingEvent {
        let scope = "\(directory.servers[nas].name)\nid:\(name)"
        let key = kind == .reset ? .none : SessionKey(scope: scope, sessionID: Array(session.utf8))
        var event = AccountingEvent(kind: kind, nas: nas, scope: scope, key: key, time: Self.start + (time ?? now))
        event.names = SessionNames(scope: scope)
        event.names.sessionID = Array(session.utf8)
        event.address = address.map { InternetAddress($0)! }
        event.prefix = prefix.map { IPPrefix($0)! }
        event.endsSession = kind == .stop
        return event
    }

    /// Applies an event. One with a person names a number, and the register knows it.
    @discardableResult
    mutating func apply(_ event: AccountingEvent, person: Int64? = nil, sim: Int32 = 1) -> Directory.Outcome {
        var event = event
        guard let person else { return apply(event, .unchanged) }
        event.calling = "86138000000\(person + 10)"
        let reference = SubscriptionReference(subscription: person, epoch: 1, simGeneration: sim)
        return apply(event, .subscriber(reference, identity: directory.identity(of: event)))
    }

    @discardableResult
    mutating func apply(_ event: AccountingEvent, _ identified: Directory.Identified) -> Directory.Outcome {
        directory.apply(event, identified: identified, at: Timestamp(seconds: Int64(Self.start + now)))
    }

    /// The session of this name.
    func session(_ name: String, of scope: String = "pgw\nid:pgw-1") -> Session? {
        directory.find(SessionKey(scope: scope, sessionID: Array(name.utf8))).map { directory.sessions[$0] }
    }

    /// The row of the subscriber who holds an address, or the reason why none does.
    func holder(
        _ address: String = "10.0.0.1", port: UInt16 = 5000, domain: String = "cmnet"
    ) -> Result<Int64, SightingRefusal> {
        directory.find(
            InternetAddress(address)!, port: port, domain: domain, at: Timestamp(seconds: Int64(Self.start + now))
        ).map(\.subscription)
    }

    /// Each session that is not gone, as the journal keeps it.
    var states: [SessionKey: DirectoryChange.SessionState] {
        let indices = (0..<directory.sessions.end).filter {
            !directory.sessions.isFree($0) && !directory.isGone($0)
        }
        return Dictionary(uniqueKeysWithValues: indices.map { (directory.sessions.key($0), directory.state(of: $0)) })
    }
}
