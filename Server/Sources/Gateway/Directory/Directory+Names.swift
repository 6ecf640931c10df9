@_spi(Server) import BenjiProtocol

/// NASes that use their names in turn. A session is known by the name that began it. What a packet under another name of
/// its NAS says is about the same session.
extension Directory {
    /// Scopes that cannot be told apart and are looked through for one packet. With more, a new session is in doubt.
    private static let mostNamesakes = 64

    /// Notes the names of a packet that was believed. A scope that is new, or has a new name, inherits the restarts of those
    /// that may be the same NAS.
    mutating func learn(_ names: SessionNames, of scope: UInt16, _ outcome: inout Outcome) {
        let index = Int(scope)
        if scopes[index].isKnown, names.isOfSameNAS(as: scopes[index].lastNames) { return }
        scopes[index].lastNames = names
        guard scopes[index].names.add(names) || !scopes[index].isKnown else { return }
        let nas = scopes[index].nas
        let restart =
            mayBeRenamed(names, nas: nas)
            ? others(than: scope, nas: nas, scopes[index].names).map {
                max(scopes[Int($0.index)].resetAt, scopes[Int($0.index)].restartAt)
            }.max() ?? 0 : 0
        // Kept also without a restart, so that the name is known after a start of the gateway.
        if restart > scopes[index].restartAt || !scopes[index].isKnown {
            scopes[index].restartAt = max(scopes[index].restartAt, restart)
            scopes[index].missedAt = max(scopes[index].missedAt, restart)
            outcome.changes.append(.missedScope(scopes[index].name, at: scopes[index].missedAt))
        }
        scopes[index].isKnown = true
    }

    /// The scopes of the same configured NAS that may have these names, but for one.
    private func others(
        than scope: UInt16?, nas: Int, _ names: NASNames
    ) -> [(index: UInt16, match: NASNames.Match)] {
        var names = names
        var found: [(index: UInt16, match: NASNames.Match)] = []
        // Those that share a name bring further names, by which more may share one.
        for _ in 0..<3 {
            found = scopesOfServers[nas].compactMap { index in
                let match = scopes[Int(index)].names.match(names)
                return match == .different ? nil : (index, match)
            }
            let before = names.count
            for each in found where each.match == .same { names.add(scopes[Int(each.index)].names) }
            if names.count == before { break }
        }
        return found.filter { $0.index != scope }
    }

    /// Whether another packet of the same configured NAS may have named its NAS by another kind of name.
    func mayBeRenamed(_ names: SessionNames, nas: Int) -> Bool {
        kindsOfNames.indices.contains(nas) && !kindsOfNames[nas].isSubset(of: names.kind)
    }

    func mayBeRenamed(_ event: AccountingEvent) -> Bool { mayBeRenamed(event.names, nas: event.nas) }

    /// The event under the name by which its session is known.
    func underKnownName(_ event: AccountingEvent) -> AccountingEvent {
        guard event.kind != .reset, find(event.key) == nil else { return event }
        for other in others(than: scopeIndex[event.scope], nas: event.nas, NASNames(event.names))
            .prefix(Self.mostNamesakes) where other.match == .same
        {
            var renamed = event
            renamed.scope = scopes[Int(other.index)].name
            renamed.key = SessionKey(scope: renamed.scope, sessionID: event.names.sessionID)
            if find(renamed.key) != nil || closed.endedSince(event.time, renamed.key) { return renamed }
        }
        return event
    }

    /// The names that an event's session may have under other names of its NAS; `nil` if there are too many.
    private func namesakes(of event: AccountingEvent) -> [SessionKey]? {
        guard event.kind != .reset, mayBeRenamed(event) else { return [] }
        let others = others(than: scopeIndex[event.scope], nas: event.nas, NASNames(event.names))
        guard others.count <= Self.mostNamesakes else { return nil }
        return others.map { SessionKey(scope: scopes[Int($0.index)].name, sessionID: event.names.sessionID) }
    }

    /// The sessions that may be the event's own: nothing tells their NASes apart.
    func possible(_ event: AccountingEvent) -> [Int] { (namesakes(of: event) ?? []).compactMap { find($0) } }

    /// Puts sessions in doubt that may be the event's own.
    mutating func doubtNamesakes(of event: AccountingEvent, _ outcome: inout Outcome) {
        for index in possible(event) where sessions[index].heardAt <= event.time { contest(index, &outcome) }
    }

    /// Whether a session that may be the event's is known to have ended at its time or later. It may be if there are too many.
    func hasEndedNamesake(_ event: AccountingEvent) -> Bool {
        namesakes(of: event).map { $0.contains { closed.endedSince(event.time, $0) } } ?? true
    }

    /// The session that an event is about, if it is known.
    func known(_ event: AccountingEvent) -> Int? {
        find(event.key) ?? (mayBeRenamed(event) ? find(underKnownName(event).key) : nil)
    }

    /// A session by its name, or by that of one of its bearers.
    func find(_ key: SessionKey) -> Int? { index(of: key) ?? aliases[key] }

    /// Whether a NAS has possibly been reset, under another name, since the session was last heard of.
    func mayBeGone(_ session: Session) -> Bool { session.heardAt <= scopes[Int(session.scope)].restartAt }

    /// Whether two scopes may be one NAS.
    func mayBeOne(_ one: UInt16, _ other: UInt16) -> Bool {
        one == other
            || scopes[Int(one)].nas == scopes[Int(other)].nas
                && scopes[Int(one)].names.match(scopes[Int(other)].names) != .different
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
            scopes[Int(index)].restartAt = max(scopes[Int(index)].restartAt, time)
            guard scopes[Int(index)].missedAt < time else { continue }
            scopes[Int(index)].missedAt = time
            changes.append(.missedScope(scopes[Int(index)].name, at: time))
        }
        return (before, changes)
    }
}
