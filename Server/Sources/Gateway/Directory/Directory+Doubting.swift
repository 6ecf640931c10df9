@_spi(Server) import BenjiProtocol
import RADIUS

/// The reasons to doubt an address: lost, silent, late or contradictory accounting. None of them assigns an address. A
/// doubt ends with evidence newer than its cause, not by time alone.
extension Directory {
    /// Whether something may have happened to a session that we have missed.
    ///
    /// - Parameter block: the session's block of ports that is asked about. A session that goes on may have lost it:
    ///   only the NAS that gave the block can confirm it, and that may be another NAS.
    func isInDoubt(_ session: Session, block: PublicPorts.Block?, at now: UInt32) -> Bool {
        if session.isDoubted { return true }
        // Not all of the scope, whose name would be counted as one more reference.
        let index = Int(session.scope)
        let missedAt = max(missed(scopes[index].domain, at: now), scopes[index].missedAt)
        if session.heardAt <= missedAt || isSilent(index, at: now) { return true }
        guard let block else { return false }
        let scope = scopes[index]
        if block.time <= missed(scope.publicDomain, at: now) { return true }
        guard block.scope != session.scope else { return block.time <= scope.missedAt }
        let giver = scopes[Int(block.scope)]
        return block.time <= max(giver.missedAt, giver.resetAt) || isSilent(Int(block.scope), at: now)
    }

    /// The second up to which news about a domain may have been missed, in this run or before it began.
    private func missed(_ domain: UInt16, at now: UInt32) -> UInt32 {
        let missedAt = missedAt[Int(domain)]
        return now < settlesAt[Int(domain)] ? max(missedAt, deafUntil) : missedAt
    }

    /// Whether a NAS has said nothing for longer than one with sessions may.
    func isSilent(_ scope: Int, at now: UInt32) -> Bool {
        let heardAt = scopes[scope].heardAt
        return heardAt != 0 && now > heardAt && now - heardAt > scopes[scope].silence
    }

    /// How many sessions a NAS has, and whether it has been silent for too long.
    /// - Parameter nas: its place in the configuration.
    func state(of nas: Int, at now: UInt32) -> (sessions: Int, isSilent: Bool) {
        let own = scopes.indices.filter { scopes[$0].nas == nas }
        return (
            own.reduce(0) { $0 + Int(scopes[$1].sessions) }, own.contains { hasSessions($0) && isSilent($0, at: now) }
        )
    }

    /// Counts the sessions of a range of entries by NAS, and those that an Interim-Update should have confirmed and has
    /// not.
    func count(_ entries: Range<Int>, at now: UInt32, into confirmations: inout [FeedConfirmation]) {
        for index in entries.clamped(to: 0..<sessions.end) where !sessions.isFree(index) && !isGone(index) {
            let session = sessions[packed: index]
            let nas = scopes[Int(session.scope)].nas
            confirmations[nas].sessions += 1
            let interval = UInt64(servers[nas].interimInterval.wholeSeconds)
            if UInt64(now) > UInt64(session.heardAt) + interval + interval / 2 {
                confirmations[nas].unconfirmed += 1
            }
        }
    }

    private func hasSessions(_ scope: Int) -> Bool {
        scopes[scope].sessions > 0 || ports.count(of: UInt16(scope)) > 0
    }

    /// The states that need the operator's attention.
    func warnings(at now: Timestamp) -> [String] {
        let seconds = now.wholeSeconds
        let silent = Set(
            scopes.indices.filter { hasSessions($0) && isSilent($0, at: seconds) }.map { servers[scopes[$0].nas].name }
        ).sorted()
        var warnings = silent.map { "nothing is heard of NAS \($0)" }
        // As long as sessions wait for their next Interim-Update.
        let interval = servers.map(\.interimInterval.wholeSeconds).max() ?? 0
        // The warning below covers the misses of an earlier run.
        if missedAt.contains(where: { $0 >= max(deafUntil, 1) && (seconds < $0 || seconds - $0 < interval) }) {
            warnings.append("accounting was lost; sessions are in doubt until they are heard of again")
        }
        let isRecent = seconds < deafUntil || seconds - deafUntil < interval
        if newestRestored > 0, isRecent, settlesAt.contains(where: { seconds < $0 }) {
            warnings.append("the gateway was started anew; sessions are in doubt until they are heard of again")
        }
        return warnings
    }

    /// Notes that packets were lost unread: the addresses that they concerned are unknown.
    /// - Parameter nas: the sender, with all NASes that share a domain with it; `nil` if the sender is unknown too.
    mutating func miss(from nas: Int?, at now: Timestamp) -> [DirectoryChange] {
        let names = nas.map { [servers[$0].domain, servers[$0].publicDomain] } ?? domainNames
        // A second that has begun on the NAS's clock; what it sends in the next one came after.
        let time = now.wholeSeconds + lead
        var changes: [DirectoryChange] = []
        for name in names {
            guard let domain = domains[name], missedAt[Int(domain)] < time else { continue }
            missedAt[Int(domain)] = time
            changes.append(.missed(domain: name, at: time))
        }
        return changes
    }

    /// Notes that something was heard of a NAS. After too long a silence what its sessions were before is in doubt.
    mutating func hear(from scope: UInt16, at time: UInt32, now: UInt32, _ outcome: inout Outcome) {
        if time > now { lead = max(lead, time - now) }
        let index = Int(scope)
        if !unheard.isEmpty, unheard.contains(scopes[index].nas) { reached(by: scopes[index].nas, at: now) }
        if isSilent(index, at: now) {
            let missedAt = scopes[index].heardAt + scopes[index].silence
            if scopes[index].missedAt < missedAt {
                scopes[index].missedAt = missedAt
                outcome.changes.append(.missedScope(scopes[index].name, at: missedAt))
            }
        }
        scopes[index].heardAt = max(scopes[index].heardAt, now)
    }

    /// Takes a packet that was believed and not taken in as what it may mean: somebody may have lost the addresses that
    /// it names. It gives none to anybody.
    mutating func doubt(because event: AccountingEvent, at now: Timestamp) -> [DirectoryChange] {
        let present = now.wholeSeconds + lead
        guard event.kind != .reset else {
            let time = event.isTimed ? event.time : present
            // Without an index in the table it has no sessions, under this name.
            let scope = scope(event.scope, nas: event.nas)
            let others = doubtOthers(than: scope, because: event, at: time).changes
            guard let scope, scopes[Int(scope)].restartAt < time else { return others }
            mayHaveRestarted(scope, at: time)
            return others + [naming(of: scope)]
        }
        var changes: [DirectoryChange] = []
        let own = known(event)
        let indices = threatened(by: event)
        let heldInDoubt = rememberEnds(
            shownBy: event, at: event.isTimed ? event.time : present, now: now.wholeSeconds, &changes)
        for index in indices {
            let session = sessions[index]
            let wasDoubted = session.isDoubted
            sessions[index].doubtedAt = max(session.doubtedAt, session.heardAt, event.isTimed ? event.time : present)
            // The next packet with this id may be about a session of another subscriber, unless it names this one.
            if index == own, isEnd(event, of: session) { sessions[index].identity = 0 }
            // Once is enough for the journal, until the session is heard of again.
            if !wasDoubted || heldInDoubt.contains(index) { changes.append(.put(state(of: index))) }
        }
        changes += heldInDoubt.subtracting(indices).sorted().map { .put(state(of: $0)) }
        return changes
    }

    /// Remembers the ends that a refused packet shows, so that an older packet that arrives later gives nothing back.
    /// The journal keeps the ends of sessions only.
    ///
    /// - Returns: the sessions that have blocks in doubt now.
    private mutating func rememberEnds(
        shownBy event: AccountingEvent, at time: UInt32, now: UInt32, _ changes: inout [DirectoryChange]
    ) -> Set<Int> {
        guard domainsOfServers.indices.contains(event.nas) else { return [] }
        let (domain, publicDomain) = domainsOfServers[event.nas]
        // A repetition of the packet may still give it something.
        let before = max(time, 1) - 1
        let end = event.kind == .stop ? time : before
        if event.key != .none, event.kind != .stop || event.endsSession {
            let last = closed.suspect(event.key, at: end, now: now)
            if let last, event.kind == .stop, find(event.key) == nil {
                changes.append(.removed(event.key, at: last))
            }
        }
        if let address = event.address?.v4Value, holder(of: address, domain: domain) == nil {
            closed.suspect(vacancyKey(address, domain: domain), at: end, now: now)
        }
        if let prefix = event.prefix {
            let (upperHalf, length) = (prefix.address.upperHalf, UInt8(prefix.length))
            if holder(of: upperHalf, length: length, domain: domain) == nil {
                closed.suspect(vacancyKey(upperHalf, length: length, domain: domain), at: end, now: now)
            }
        }
        let own = known(event) ?? session(reportedBy: event)
        var heldInDoubt: Set<Int> = []
        for block in event.blocks {
            let site = PublicPorts.Address(domain: publicDomain, address: block.address.v4Value)
            // It has to be given again.
            let doubted = ports.doubt(at: site) {
                $0.overlaps(block.ports) && $0.time <= time && $0.time > 0
                    && ($0.session == own.map(UInt32.init)) == !block.isAllocated
            }
            heldInDoubt.formUnion(doubted)
            if !doubted.isEmpty || !ports[site].contains(where: { $0.overlaps(block.ports) && $0.time > 0 }) {
                ports.note(
                    block.ports, formerAt: block.isAllocated ? before : time, by: giver(of: block, own), site)
            }
        }
        return heldInDoubt
    }

    /// Stops the present holders of an event's addresses from answering while the event waits to be applied: they may
    /// be about to lose them. ``resume(_:)`` ends it. Returns those that were not suspended before.
    mutating func suspendHolders(before event: AccountingEvent) -> [SessionKey] {
        var suspended: [SessionKey] = []
        for index in threatened(by: event)
        where sessions[index].flags.insert(.suspended).inserted {
            suspended.append(sessions[index].key)
        }
        return suspended
    }

    /// Lets sessions answer again that were suspended for events which are applied now.
    mutating func resume(_ keys: [SessionKey]) {
        for key in keys { if let index = index(of: key) { sessions[index].flags.remove(.suspended) } }
    }

    /// The sessions that an event speaks against: its own if it ends or changes it, and others on its addresses.
    private func threatened(by event: AccountingEvent) -> [Int] {
        guard domainsOfServers.indices.contains(event.nas) else { return [] }
        var indices: [Int] = []
        let own = known(event)
        indices += possible(event)
        if let own, event.kind != .start || !event.isTimed || differs(event, from: sessions[own]) {
            indices.append(own)
        }
        let (domain, publicDomain) = domainsOfServers[event.nas]
        if let address = event.address, let index = holder(of: address.v4Value, domain: domain),
            !indices.contains(index)
        {
            indices.append(index)
        }
        if let prefix = event.prefix,
            let index = holder(of: prefix.address.upperHalf, length: UInt8(prefix.length), domain: domain),
            !indices.contains(index)
        {
            indices.append(index)
        }
        for block in event.blocks {
            for other in ports[.init(domain: publicDomain, address: block.address.v4Value)]
            where other.overlaps(block.ports) && !indices.contains(Int(other.session)) {
                indices.append(Int(other.session))
            }
        }
        var threatened: [Int] = []
        for index in indices where isThreatened(index, by: event, isOwn: index == own) { threatened.append(index) }
        return threatened.count > 1 ? threatened.sorted() : threatened
    }

    private func isThreatened(_ index: Int, by event: AccountingEvent, isOwn: Bool) -> Bool {
        let session = sessions[index]
        let isFullStop = event.kind == .stop && event.endsSession
        let isChange = !isOwn || isFullStop || differs(event, from: session)
        // A Stop of one bearer says that the session goes on.
        if event.kind == .interim || event.kind == .stop, !isChange { return false }
        guard event.isTimed else { return true }
        if isOwn, isEnd(event, of: session), session.startedAt <= event.time { return true }
        return isChange ? session.heardAt <= event.time : session.heardAt < event.time
    }

    /// Whether an event says that a session has ended, if it is not older than that.
    private func isEnd(_ event: AccountingEvent, of session: Session) -> Bool {
        event.kind == .stop ? event.endsSession : event.kind == .start && differs(event, from: session)
    }
}
