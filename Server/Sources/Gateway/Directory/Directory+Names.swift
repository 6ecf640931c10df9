@_spi(Server) import BenjiProtocol

/// NASes that use their names in turn. A session is known by the name that began it; what a packet under another name of
/// its NAS says is about the same session.
extension Directory {
    /// Notes the names of a packet that was believed.
    mutating func learn(_ names: SessionNames, of scope: UInt16) {
        guard !names.isOfSameNAS(as: scopes[Int(scope)].lastNames) else { return }
        scopes[Int(scope)].lastNames = names
        scopes[Int(scope)].names.add(names)
    }

    /// The scopes of the same configured NAS that may be this one, but for itself.
    private func others(than scope: UInt16?, nas: Int, _ names: SessionNames) -> [(
        index: UInt16, match: NASNames.Match
    )] {
        scopes.indices.compactMap { index in
            guard scopes[index].nas == nas, scope.map({ Int($0) != index }) ?? true else { return nil }
            let match = scopes[index].names.match(names)
            return match == .different ? nil : (UInt16(index), match)
        }
    }

    /// Whether another packet of the same configured NAS may have named its NAS by another kind of name.
    func mayBeRenamed(_ event: AccountingEvent) -> Bool {
        kindsOfNames.indices.contains(event.nas) && !kindsOfNames[event.nas].isSubset(of: event.names.kind)
    }

    /// The event under the name by which its session is known.
    func underKnownName(_ event: AccountingEvent) -> AccountingEvent {
        guard event.kind != .reset, find(event.key) == nil else { return event }
        for other in others(than: scopeIndex[event.scope], nas: event.nas, event.names) where other.match == .same {
            var renamed = event
            renamed.scope = scopes[Int(other.index)].name
            renamed.key = SessionKey(scope: renamed.scope, sessionID: event.names.sessionID)
            if find(renamed.key) != nil || closed.endedAfter(event.time, renamed.key) { return renamed }
        }
        return event
    }

    /// The names that an event's session may have under other names of its NAS.
    private func namesakes(of event: AccountingEvent) -> [SessionKey] {
        guard event.kind != .reset, mayBeRenamed(event) else { return [] }
        return others(than: scopeIndex[event.scope], nas: event.nas, event.names).map {
            SessionKey(scope: scopes[Int($0.index)].name, sessionID: event.names.sessionID)
        }
    }

    /// Puts sessions in doubt that have the id of the event's and may be the same session: nothing tells their NASes apart.
    mutating func doubtNamesakes(of event: AccountingEvent, _ outcome: inout Outcome) {
        for key in namesakes(of: event) {
            if let index = find(key), sessions[index].heardAt <= event.time { contest(index, &outcome) }
        }
    }

    /// Whether a session that may be the event's is known to have ended after it.
    func hasEndedNamesake(_ event: AccountingEvent) -> Bool {
        namesakes(of: event).contains { closed.endedAfter(event.time, $0) }
    }

    /// The session that an event is about, if it is known.
    func known(_ event: AccountingEvent) -> Int? {
        find(event.key) ?? (mayBeRenamed(event) ? find(underKnownName(event).key) : nil)
    }

    /// A session by its name, or by that of one of its bearers.
    func find(_ key: SessionKey) -> Int? { index(of: key) ?? aliases[key] }

    /// Puts sessions in doubt that a restart may concern under another name.
    ///
    /// - Returns: these NASes, and the changes.
    mutating func doubtOthers(
        than scope: UInt16, because event: AccountingEvent, at time: UInt32
    ) -> (scopes: Set<UInt16>, changes: [DirectoryChange]) {
        var found: Set<UInt16> = []
        var changes: [DirectoryChange] = []
        for (index, _) in others(than: scope, nas: event.nas, event.names) {
            found.insert(index)
            guard scopes[Int(index)].missedAt < time else { continue }
            scopes[Int(index)].missedAt = time
            changes.append(.missedScope(scopes[Int(index)].name, at: time))
        }
        return (found, changes)
    }
}
