@_spi(Server) import BenjiProtocol

/// Scopes that may be the same NAS as another.
struct Namesakes: Sendable {
    /// More are not looked through for one packet: a new session is in doubt then.
    private static let limit = 64

    /// Those that share a name first.
    private(set) var scopes: ArraySlice<UInt16> = []
    /// Those that share a name, if they are the same NAS for certain.
    private(set) var sharing: ArraySlice<UInt16> = []
    /// Whether there are no more.
    private(set) var isComplete = true
    /// ``Directory/KnownScopes/additions`` of the NAS when they were found; 0 before.
    private(set) var naming: UInt32 = 0

    init() {}

    init(_ others: [(index: UInt16, match: NASNames.Match)], areOneNAS: ([UInt16]) -> Bool, naming: UInt32) {
        let same = others.filter { $0.match == .same }.map(\.index)
        scopes = (same + others.filter { $0.match == .unknown }.map(\.index)).prefix(Self.limit)
        // So many are not one NAS for certain.
        sharing = same.count == others.count && same.count <= Self.limit && areOneNAS(same) ? same[...] : []
        isComplete = others.count <= Self.limit
        self.naming = naming
    }
}

/// NASes that use their names in turn: the Start of a session may have one name of its NAS, and the Stop another.
///
/// A session keeps the scope of the packet that began it. Packets under another name of the same NAS concern this
/// session.
extension Directory {
    /// Notes the names of a packet that was believed. A scope that is new, or has a new name, inherits the restarts of
    /// the scopes that may be the same NAS.
    mutating func learn(_ names: SessionNames, of scope: UInt16, _ outcome: inout Outcome) {
        let index = Int(scope)
        let nas = scopes[index].nas
        if !identities[index].isKnown || !identities[index].names.includes(names) {
            let isNew = !identities[index].isKnown
            identities[index].isKnown = true
            if identities[index].names.add(names) { scopesOfServers[nas].additions &+= 1 }
            let before = scopes[index].restartAt
            if mayBeRenamed(names, nas: nas) {
                for other in others(than: scope, nas: nas, identities[index].names).map({ scopes[Int($0.index)] }) {
                    mayHaveRestarted(scope, at: max(other.resetAt, other.restartAt))
                }
            }
            // Also without a restart: a later run must know the name.
            if isNew || scopes[index].restartAt > before { outcome.changes.append(naming(of: scope)) }
        }
        if identities[index].namesakes.naming != scopesOfServers[nas].additions, mayBeRenamed(names, nas: nas) {
            identities[index].namesakes = findNamesakes(of: scope, nas: nas, identities[index].names)
        }
    }

    /// Notes that a NAS possibly started or stopped at this time.
    mutating func mayHaveRestarted(_ scope: UInt16, at time: UInt32) {
        scopes[Int(scope)].restartAt = max(scopes[Int(scope)].restartAt, time)
        scopes[Int(scope)].missedAt = max(scopes[Int(scope)].missedAt, time)
    }

    /// The change by which the journal keeps a scope's name.
    func naming(of scope: UInt16) -> DirectoryChange {
        .named(scope: scopes[Int(scope)].name, restartedAt: scopes[Int(scope)].restartAt)
    }

    /// The scopes of the same configured NAS that may have these names, but for one.
    private func others(
        than scope: UInt16?, nas: Int, _ names: NASNames
    ) -> [(index: UInt16, match: NASNames.Match)] {
        var linked = names
        var found: [(index: UInt16, match: NASNames.Match)] = []
        // Those that share a name bring further names, by which more may share one. They rule out no other NAS, because
        // several may share an address.
        for _ in 0..<3 {
            found = scopesOfServers[nas].indices.compactMap { index in
                let known = identities[Int(index)].names
                let match = known.match(linked) == .same ? .same : known.match(names)
                return match == .different ? nil : (index, match)
            }
            let before = linked.count
            for each in found where each.match == .same { linked.add(identities[Int(each.index)].names) }
            if linked.count == before { break }
        }
        return found.filter { $0.index != scope }
    }

    private func findNamesakes(of scope: UInt16?, nas: Int, _ names: NASNames) -> Namesakes {
        Namesakes(
            others(than: scope, nas: nas, names),
            areOneNAS: { indices in
                let identifiers = indices.flatMap { identities[Int($0)].names.identifiers } + names.identifiers
                let addresses = names.withoutIdentifiers
                return identifiers.allSatisfy { $0 == identifiers.first }
                    && scopesOfServers[nas].indices.allSatisfy {
                        $0 == scope || indices.contains($0) || identities[Int($0)].names.match(addresses) == .different
                    }
            }, naming: scopesOfServers[nas].additions)
    }

    /// The scopes that an event's NAS may have besides the event's own.
    private func namesakes(of event: AccountingEvent) -> Namesakes {
        let scope = scopeIndex[event.scope]
        if let index = scope.map(Int.init), identities[index].namesakes.naming == scopesOfServers[event.nas].additions,
            identities[index].names.includes(event.names)
        {
            return identities[index].namesakes
        }
        return findNamesakes(of: scope, nas: event.nas, NASNames(event.names))
    }

    /// Whether another packet of the same configured NAS may have named its NAS by another kind of name, or have no
    /// name and another source.
    func mayBeRenamed(_ names: SessionNames, nas: Int) -> Bool {
        scopesOfServers.indices.contains(nas) && !scopesOfServers[nas].kinds.isSubset(of: names.kind)
    }

    func mayBeRenamed(_ event: AccountingEvent) -> Bool { mayBeRenamed(event.names, nas: event.nas) }

    /// The name that an event's session has in another scope.
    private func key(_ event: AccountingEvent, in scope: UInt16) -> SessionKey {
        SessionKey(scope: scopes[Int(scope)].name, sessionID: event.names.sessionID)
    }

    /// The event under the name by which its session is known. A Start begins a session under its own name.
    func underKnownName(_ event: AccountingEvent) -> AccountingEvent {
        guard event.kind == .interim || event.kind == .stop, find(event.key) == nil else { return event }
        for scope in namesakes(of: event).sharing {
            var renamed = event
            renamed.scope = scopes[Int(scope)].name
            renamed.key = key(event, in: scope)
            if let index = find(renamed.key) {
                // With another address or subscriber it may be a session of a NAS that has not been heard of yet.
                return event.kind == .stop || hasAll(of: event, sessions[index]) ? renamed : event
            }
            if closed.endedSince(event.time, renamed.key) { return renamed }
        }
        return event
    }

    /// Whether a session has the addresses and subscriber that an event names.
    func hasAll(of event: AccountingEvent, _ session: Session) -> Bool {
        if let address = event.address, address.v4Value != session.address { return false }
        if let prefix = event.prefix,
            prefix.address.upperHalf != session.prefix || UInt8(prefix.length) != session.prefixLength
        {
            return false
        }
        return event.calling == nil || Self.isSame(session.identity, identity(of: event))
    }

    /// The live sessions with the same Acct-Session-Id whose NAS may be the packet's NAS.
    func possible(_ event: AccountingEvent) -> [Int] {
        guard event.kind != .reset, mayBeRenamed(event) else { return [] }
        let namesakes = namesakes(of: event)
        if namesakes.isComplete { return namesakes.scopes.compactMap { find(key(event, in: $0)) } }
        // A session that is too many to be found by a Start is in doubt from its beginning; a Stop must reach it.
        guard event.kind == .stop else { return [] }
        return others(than: scopeIndex[event.scope], nas: event.nas, NASNames(event.names))
            .compactMap { find(key(event, in: $0.index)) }
    }

    /// Puts the sessions in doubt that may be the event's own.
    mutating func doubtNamesakes(of event: AccountingEvent, _ outcome: inout Outcome) {
        for index in possible(event) where sessions[index].heardAt <= event.time {
            // The NAS uses the session's id again, or may after its end.
            if event.kind != .interim { forgetSubscriber(of: index, &outcome) }
            contest(index, &outcome)
        }
    }

    /// Whether a session that may be the event's ended at the event's time or later. Also if there are too many such
    /// sessions to compare.
    func hasEndedNamesake(_ event: AccountingEvent) -> Bool {
        guard event.kind != .reset, mayBeRenamed(event) else { return false }
        let namesakes = namesakes(of: event)
        return !namesakes.isComplete
            || namesakes.scopes.contains { closed.endedSince(event.time, key(event, in: $0)) }
    }

    /// The session that an event is about, if it is known.
    func known(_ event: AccountingEvent) -> Int? {
        find(event.key) ?? (mayBeRenamed(event) ? find(underKnownName(event).key) : nil)
    }

    /// A session by its name, or by that of one of its bearers.
    func find(_ key: SessionKey) -> Int? { index(of: key) ?? aliases[key] }

    /// Whether the NAS has possibly restarted since the session was last heard of.
    func mayBeGone(_ session: Session) -> Bool { session.heardAt <= scopes[Int(session.scope)].restartAt }

    /// Whether two scopes may be one NAS.
    func mayBeOne(_ one: UInt16, _ other: UInt16) -> Bool {
        if one == other { return true }
        let names = identities[Int(one)].names
        return others(than: nil, nas: scopes[Int(one)].nas, names).contains { $0.index == other }
    }

    /// Puts sessions in doubt that a restart may concern under another name.
    ///
    /// - Parameter scope: the NAS's own; `nil` if there is no room for it.
    /// - Returns: the other NASes, with the restart that was known of each, and the changes.
    mutating func doubtOthers(
        than scope: UInt16?, because event: AccountingEvent, at time: UInt32
    ) -> (before: [UInt16: UInt32], changes: [DirectoryChange]) {
        var before: [UInt16: UInt32] = [:]
        var changes: [DirectoryChange] = []
        guard scopesOfServers.indices.contains(event.nas) else { return (before, changes) }
        for (index, _) in others(than: scope, nas: event.nas, NASNames(event.names)) {
            before[index] = scopes[Int(index)].restartAt
            guard scopes[Int(index)].restartAt < time else { continue }
            mayHaveRestarted(index, at: time)
            changes.append(naming(of: index))
        }
        return (before, changes)
    }
}
