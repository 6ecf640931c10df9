@_spi(Server) import BenjiProtocol
import Sightings

/// All live sessions of one gateway: which subscription holds which address now.
///
/// A value without clock, socket and file. ``apply(_:identified:at:)`` takes what accounting says, in whatever order it
/// comes; ``find(_:port:domain:at:)`` answers who holds an address, or why that cannot be said.
///
/// The order of events is their own time, never their arrival. Where events leave a doubt, the answer is a refusal
/// (decision 13).
struct Directory: Sendable {
    /// A NAS as it calls itself. A proxy speaks for several.
    struct Scope: Sendable {
        let name: String
        let nas: Int
        let domain: UInt16
        let publicDomain: UInt16
        /// Seconds that a session may be silent.
        let lease: UInt32
        /// Seconds that the NAS may be silent while it has sessions.
        let silence: UInt32
        /// When the NAS last started or stopped; what began before is gone.
        var resetAt: UInt32 = 0
        /// When something was last heard of it, by our clock; 0 for never.
        var heardAt: UInt32 = 0
        /// News of its sessions up to then is no evidence of the present.
        var missedAt: UInt32 = 0
        /// Its sessions in the table.
        var sessions = 0
        /// When it possibly started or stopped last: by a packet with other names, or by one that was not taken in.
        var restartAt: UInt32 = 0
    }

    /// The names of a scope. They are apart from ``Scope``, which every packet and look-up reads.
    struct Identity: Sendable {
        /// Its names in the packets of this run.
        var names: NASNames
        /// Whether a packet of this run had its names.
        var isKnown = false
        var namesakes = Namesakes()
    }

    /// The scopes of a NAS of the configuration.
    struct KnownScopes: Sendable {
        var indices: [UInt16] = []
        /// The kinds of names that they have.
        var kinds: SessionNames.Kinds = []
        /// How often a scope or a name of one was added.
        var additions: UInt32 = 0
    }

    let servers: [NetworkAccessServer]
    let leaseIntervals: Int
    let reuseQuarantine: UInt32
    let sessionLimit: Int
    /// Whether its changes are recorded for the other gateway of a pair.
    let isPaired: Bool
    let seed: UInt64

    var sessions = SessionTable()
    var byKey = SlotIndex()
    var byAddress = SlotIndex()
    var byPrefix = SlotIndex()
    /// How many sessions hold a prefix of each length, so that a look-up tries only lengths in use.
    var prefixLengths = [Int](repeating: 0, count: 65)
    var ports = PublicPorts()
    /// Public addresses of a session beyond its first.
    var furtherPublicAddresses: [Int: [UInt32]] = [:]
    /// From the name of a further bearer to its session, and back.
    var aliases: [SessionKey: Int] = [:]
    var aliasesOf: [Int: [SessionKey]] = [:]
    var closed: ClosedSessions
    var scopes: [Scope] = []
    var scopeIndex: [String: UInt16] = [:]
    /// The names of each scope.
    var identities: [Identity] = []
    /// The scopes of each NAS of the configuration.
    var scopesOfServers: [KnownScopes]
    var domains: [String: UInt16] = [:]
    var domainNames: [String] = []
    /// For each domain the scope of the names of its vacant addresses.
    let vacancyNames: [String]
    /// For each domain the second up to which packets about it were lost: a session is in doubt until something newer
    /// is heard of it.
    var missedAt: [UInt32] = []
    /// How far a NAS's clock has been ahead of ours, in seconds, at most the tolerance.
    var lead: UInt32 = 0
    /// Packets sent up to this second may have been followed by news that was missed, because this run had not begun.
    /// By the clocks of the NASes.
    var deafUntil: UInt32
    /// The newest that was heard before this run, by the clocks of the NASes.
    var newestRestored: UInt32 = 0
    /// For each domain the second from which ``deafUntil`` does not matter, because its NASes have repeated all that
    /// they sent meanwhile; `.max` for never.
    var settlesAt: [UInt32]
    /// When somebody last listened before this run began, or before this gateway took over.
    var listenedBefore: UInt32 = 0
    /// NASes of which nothing has come since this gateway took over its pair; see ``reached(by:at:)``.
    var unheard: Set<Int> = []
    /// By NAS: its domain and its public side's.
    private(set) var domainsOfServers: [(domain: UInt16, publicDomain: UInt16)] = []
    private var nextBinding: Int64
    /// By binding, sessions that a late Accounting-On or -Off ended, or whose port blocks it put in doubt. They stay
    /// until everything earned through them is revoked. See ``didRevoke(_:)``.
    var unrevoked: [Int64: SessionKey] = [:]
    var sweepPosition = 0
    /// By NAS, what shows that packets were lost.
    var losses: [FeedLoss]

    init(configuration: GatewayConfiguration, random: some RandomSource, now: Timestamp) {
        servers = configuration.networkAccessServers
        leaseIntervals = configuration.leaseIntervals
        reuseQuarantine = configuration.reuseQuarantine.wholeSeconds
        sessionLimit = configuration.sessionLimit
        isPaired = configuration.isPaired
        let bytes = random.bytes(16)
        seed = bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
        // A random start in the lower half of Int64 keeps this run's bindings apart from those of earlier runs and of
        // other gateways.
        nextBinding = Int64(bytes[8...].reduce(0) { $0 << 8 | UInt64($1) } >> 2)
        // An event of this very second may be the first that we hear.
        deafUntil = max(now.wholeSeconds, 1) - 1
        closed = ClosedSessions(
            now: now.wholeSeconds,
            window: configuration.reorderWindow.wholeSeconds + configuration.clockTolerance.wholeSeconds)
        for server in servers {
            for domain in [server.domain, server.publicDomain] where domains[domain] == nil {
                domains[domain] = UInt16(truncatingIfNeeded: domainNames.count)
                domainNames.append(domain)
            }
        }
        vacancyNames = domainNames.map { "\nvacant\n" + $0 }
        losses = servers.map { _ in FeedLoss() }
        scopesOfServers = servers.map { _ in KnownScopes() }
        missedAt = Array(repeating: 0, count: domainNames.count)
        settlesAt = Array(repeating: .max, count: domainNames.count)
        for server in servers {
            domainsOfServers.append((domains[server.domain] ?? 0, domains[server.publicDomain] ?? 0))
        }
    }

    mutating func makeBinding() -> Int64 {
        nextBinding += 1
        return nextBinding
    }

    /// Gives a session that goes on a new binding: anything earned through it before does not count as earned now.
    mutating func renewBinding(of session: inout Session, _ outcome: inout Outcome) {
        leave(session.binding, &outcome)
        session.binding = makeBinding()
    }

    mutating func renewBinding(of index: Int, _ outcome: inout Outcome) {
        leave(sessions[index].binding, &outcome)
        sessions[index].binding = makeBinding()
    }

    /// No session will have this binding any more: what had to be revoked later must be revoked with this outcome.
    mutating func leave(_ binding: Int64, _ outcome: inout Outcome) {
        guard !unrevoked.isEmpty, unrevoked.removeValue(forKey: binding) != nil else { return }
        outcome.revoked.append(BindingID(rawValue: binding))
    }

    /// The scope of this name, made if it is new; `nil` if the NAS is not configured or there are too many.
    mutating func scope(_ name: String, nas: Int) -> UInt16? {
        if let index = scopeIndex[name] { return index }
        guard scopes.count < Int(UInt16.max), servers.indices.contains(nas) else { return nil }
        let (domain, publicDomain) = domainsOfServers[nas]
        let interval = servers[nas].interimInterval.wholeSeconds
        let lease = interval.multipliedReportingOverflow(by: UInt32(clamping: leaseIntervals))
        let index = UInt16(scopes.count)
        let names = SessionNames(scope: name)
        scopesOfServers[nas].kinds.insert(names.kind)
        // Another source without a name may be the same NAS. A journal may know one of when the NAS had several.
        if names.kind == .none, servers[nas].hasManySources || !name.hasSuffix("\n") {
            scopesOfServers[nas].kinds.insert(.source)
        }
        scopes.append(
            Scope(
                name: name, nas: nas, domain: domain, publicDomain: publicDomain,
                lease: lease.overflow ? .max : lease.partialValue, silence: servers[nas].silence.wholeSeconds))
        identities.append(Identity(names: NASNames(names)))
        scopeIndex[name] = index
        scopesOfServers[nas].indices.append(index)
        scopesOfServers[nas].additions &+= 1
        return index
    }

    /// Whether the session's NAS has been reset since it began: it is gone, though not yet swept away.
    func isGone(_ session: Session) -> Bool { session.startedAt <= scopes[Int(session.scope)].resetAt }

    func isGone(_ index: Int) -> Bool {
        sessions.startedAt(index) <= scopes[Int(sessions.scope(index))].resetAt
    }

    /// The carrier of the NAS that reports the session.
    func carrier(of session: Session) -> Carrier { servers[scopes[Int(session.scope)].nas].carrier }

    func isStale(_ session: Session, at now: UInt32) -> Bool {
        let (end, overflow) = session.heardAt.addingReportingOverflow(scopes[Int(session.scope)].lease)
        return !overflow && now > end
    }

    /// Bytes that sessions and their indexes take; port blocks not counted.
    var memory: Int { sessions.memory + byKey.memory + byAddress.memory + byPrefix.memory }
}

extension Duration {
    /// Whole seconds, from 0 to what 32 bits hold.
    var wholeSeconds: UInt32 { UInt32(clamping: max(wholeMilliseconds / 1000, 0)) }
}

extension Timestamp {
    /// Seconds since 1970, from 0 to what 32 bits hold (the year 2106).
    var wholeSeconds: UInt32 { UInt32(clamping: seconds) }
}
