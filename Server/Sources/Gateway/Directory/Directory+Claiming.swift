@_spi(Server) import BenjiProtocol
import RADIUS
import Sightings

extension Directory {
    /// The addresses that a session received of those that an event claims for it.
    struct Claim {
        var address: InternetAddress?
        var prefix: IPPrefix?
        var isContested = false
        /// The former holder was in doubt until then: somebody else may have had the addresses since.
        var doubtedAt: UInt32 = 0
    }

    private enum Verdict { case taken, takenContested, lost }

    /// Settles who holds the addresses of an event: the newest event wins, and where two sessions' events interleave,
    /// neither holds them for now.
    ///
    /// - Parameter index: the claiming session's, in the table; `nil` if it is not there.
    mutating func claimAddresses(
        of event: AccountingEvent, for session: Session, at index: Int?, _ outcome: inout Outcome, now: UInt32
    ) -> Claim {
        var claim = Claim()
        let domain = scopes[Int(session.scope)].domain
        if let address = event.address {
            let holder = holder(of: address.v4Value, domain: domain)
            // Only for a free address: to name a vacancy takes a SHA-256.
            let isOver = holder == nil && hasBecomeFree(vacancyKey(address.v4Value, domain: domain), since: event)
            let verdict = settle(holder, isOver: isOver, event, session, index, &claim, &outcome, now: now)
            if verdict != .lost { claim.address = address }
            if verdict == .takenContested { claim.isContested = true }
        }
        if let prefix = event.prefix {
            let (upperHalf, length) = (prefix.address.upperHalf, UInt8(prefix.length))
            let holder = holder(of: upperHalf, length: length, domain: domain)
            let isOver =
                holder == nil && hasBecomeFree(vacancyKey(upperHalf, length: length, domain: domain), since: event)
            let verdict = settle(holder, isOver: isOver, event, session, index, &claim, &outcome, now: now)
            if verdict != .lost { claim.prefix = prefix }
            if verdict == .takenContested { claim.isContested = true }
        }
        return claim
    }

    /// Whether an address became free after an event that names it. In the same second only a Start is of the next
    /// holder.
    private func hasBecomeFree(_ vacancy: SessionKey, since event: AccountingEvent) -> Bool {
        event.kind == .start ? closed.endedAfter(event.time, vacancy) : closed.endedSince(event.time, vacancy)
    }

    /// Uses an event that gives nothing as evidence: at its time another session had its addresses and ports, so their
    /// former holders have left them.
    ///
    /// - Parameter index: the session's, in the table; `nil` if it is not there.
    mutating func testify(
        _ event: AccountingEvent, for session: Session, at index: Int?, _ outcome: inout Outcome, now: UInt32
    ) {
        let claim = claimAddresses(of: event, for: session, at: index, &outcome, now: now)
        let domain = scopes[Int(session.scope)].domain
        // The Stop of one bearer may have ended the whole session on this address.
        let time = max(event.time, event.isMobile ? closed.end(of: event.key) ?? 0 : 0)
        if let address = claim.address?.v4Value, holder(of: address, domain: domain) == nil {
            vacate(address, at: time, domain: domain, &outcome, now: now)
        }
        if let prefix = claim.prefix {
            let (upperHalf, length) = (prefix.address.upperHalf, UInt8(prefix.length))
            if holder(of: upperHalf, length: length, domain: domain) == nil {
                vacate(upperHalf, length: length, at: time, domain: domain, &outcome, now: now)
            }
        }
        denyBlocks(event, to: index, &outcome, now: now)
    }

    /// - Parameter isOver: whether a free address is known to have become free after the event.
    private mutating func settle(
        _ holder: Int?, isOver: Bool, _ event: AccountingEvent, _ session: Session, _ index: Int?,
        _ claim: inout Claim, _ outcome: inout Outcome, now: UInt32
    ) -> Verdict {
        guard let holder else { return isOver ? .lost : .taken }
        guard holder != index else { return .taken }
        let other = sessions[holder]
        if other.doubtedAt > event.time { claim.doubtedAt = max(claim.doubtedAt, other.doubtedAt) }
        let isSamePerson = other.isSamePerson(as: session)
        if isGone(other) {
            displace(holder, at: max(event.time, other.heardAt), isSamePerson: isSamePerson, &outcome, now: now)
            return event.time >= other.heardAt ? .taken : .lost
        }
        let isTie = other.startedAt == event.time
        if event.time > other.heardAt || (event.time == other.heardAt && (event.kind == .start || !isTie)) {
            displace(holder, at: event.time, isSamePerson: isSamePerson, &outcome, now: now)
            // A Start ends the other session, whose Stop was lost. An Interim-Update of one session during another one
            // does not show which of the two is wrong; nor do two Starts in one second.
            return isSamePerson || (event.kind == .start && !isTie) ? .taken : .takenContested
        }
        if event.time >= other.startedAt, !isSamePerson {
            // The other was heard of after this event and had begun before it: both claim the address at this moment.
            contest(holder, &outcome)
        }
        return .lost
    }

    /// Puts a session in doubt until it is heard of again.
    mutating func contest(_ index: Int, _ outcome: inout Outcome) {
        outcome.revoked.append(BindingID(rawValue: sessions[index].binding))
        renewBinding(of: index, &outcome)
        sessions[index].flags.insert(.contested)
        outcome.changes.append(.put(state(of: index)))
    }

    /// Ends a session because its address has passed on: its Stop was lost or is late.
    mutating func displace(
        _ index: Int, at time: UInt32, isSamePerson: Bool, _ outcome: inout Outcome, now: UInt32
    ) {
        if !isSamePerson { outcome.revoked.append(BindingID(rawValue: sessions[index].binding)) }
        close(index, at: time, &outcome, now: now)
    }

    /// Takes a session out and remembers that it has ended.
    mutating func close(_ index: Int, at time: UInt32, _ outcome: inout Outcome, now: UInt32) {
        for key in [sessions[index].key] + (aliasesOf[index] ?? []) {
            note(key, endedAt: time, &outcome, now: now)
        }
        let session = sessions[index]
        vacate(session.address, at: time, domain: scopes[Int(session.scope)].domain, &outcome, now: now)
        vacate(
            session.prefix, length: session.prefixLength, at: time, domain: scopes[Int(session.scope)].domain, &outcome,
            now: now)
        leave(session.binding, &outcome)
        outcome.changes += remove(index).map { .put(state(of: $0)) }
    }

    mutating func note(_ key: SessionKey, endedAt time: UInt32, _ outcome: inout Outcome, now: UInt32) {
        // The record of a pair keeps one end of each: not an older one than is known.
        outcome.changes.append(.removed(key, at: closed.close(key, at: time, now: now)))
    }

    /// Notes that an address was free at this moment.
    mutating func vacate(_ address: UInt32, at time: UInt32, domain: UInt16, _ outcome: inout Outcome, now: UInt32) {
        guard address != 0 else { return }
        note(vacancyKey(address, domain: domain), endedAt: time, &outcome, now: now)
    }

    mutating func vacate(
        _ prefix: UInt64, length: UInt8, at time: UInt32, domain: UInt16, _ outcome: inout Outcome, now: UInt32
    ) {
        guard length != 0 else { return }
        note(vacancyKey(prefix, length: length, domain: domain), endedAt: time, &outcome, now: now)
    }

    /// Gives and takes the port blocks that an event names.
    mutating func takeBlocks(_ event: AccountingEvent, for index: Int, _ outcome: inout Outcome, now: UInt32) {
        let scope = sessions[index].scope
        for block in event.blocks {
            take(block, givenBy: scope, at: event.time, isLate: isLate(event, now), for: index, &outcome)
        }
    }

    private mutating func take(
        _ block: PortBlock, givenBy scope: UInt16, at time: UInt32, isLate: Bool, for index: Int,
        _ outcome: inout Outcome
    ) {
        let address = block.address.v4Value
        let site = PublicPorts.Address(domain: scopes[Int(scope)].publicDomain, address: address)
        guard block.isAllocated else {
            let had = ports[site].count
            ports.remove(at: site) {
                $0.session == UInt32(index) && $0.overlaps(block.ports) && $0.time <= time
            }
            ports.note(block.ports, formerAt: time, by: sessions.key(index).hash, site)
            if isLate, ports[site].count < had {
                // As with an address that was left.
                outcome.revoked.append(BindingID(rawValue: sessions[index].binding))
                renewBinding(of: index, &outcome)
            }
            if !ports[site].contains(where: { $0.session == UInt32(index) }) { forget(address, of: index) }
            return
        }
        // The known block may be newer: then this report is late.
        let known = ports[site]
        guard !known.contains(where: { $0.overlaps(block.ports) && $0.time > time }) else { return }
        let isRepeated = known.contains {
            $0.session == UInt32(index) && $0.first == block.ports.lowerBound && $0.last == block.ports.upperBound
                && $0.time > 0
        }
        guard
            isRepeated
                || time > closed.floor
                    && !ports.hadHolder(block.ports, since: time, for: sessions.key(index).hash, site)
        else { return }
        for rival in known
        where rival.overlaps(block.ports) && rival.session != UInt32(index) && rival.time < time {
            // The block passed on and its return was lost.
            lose(rival, at: site, to: index, &outcome)
        }
        // Rivals of the same second stay, and a look-up finds two: neither can be preferred.
        ports.remove(at: site) { $0.session == UInt32(index) && $0.overlaps(block.ports) }
        loseOldestBlock(of: index, &outcome)
        ports.insert(
            .init(
                first: block.ports.lowerBound, last: block.ports.upperBound, session: UInt32(index), time: time,
                scope: scope),
            at: site)
        remember(address, of: index)
    }

    /// The most blocks of a session. A NAT that gives it more has not reported which blocks came back. The limit also
    /// keeps a session within one record of the journal and of a pair.
    static let blockLimit = 256

    /// Takes the oldest block of a session that has as many as it may.
    private mutating func loseOldestBlock(of index: Int, _ outcome: inout Outcome) {
        var count = 0
        var oldest: (site: PublicPorts.Address, block: PublicPorts.Block)?
        forEachBlock(of: index) { site, block in
            count += 1
            if block.time < oldest?.block.time ?? .max { oldest = (site, block) }
        }
        guard count >= Self.blockLimit, let oldest else { return }
        lose(oldest.block, at: oldest.site, to: nil, &outcome)
    }

    /// Takes the blocks that an event names from those who had them before, and gives none.
    ///
    /// - Parameter index: the event's session, which loses the blocks that it gives back; `nil` if it is not in the
    ///   table.
    mutating func denyBlocks(_ event: AccountingEvent, to index: Int?, _ outcome: inout Outcome, now: UInt32) {
        guard !event.blocks.isEmpty, domainsOfServers.indices.contains(event.nas) else { return }
        let publicDomain = domainsOfServers[event.nas].publicDomain
        for block in event.blocks {
            let site = PublicPorts.Address(domain: publicDomain, address: block.address.v4Value)
            for held in ports[site]
            where held.overlaps(block.ports) && held.time <= event.time
                && (held.session == index.map(UInt32.init)) == !block.isAllocated
            {
                lose(held, at: site, to: nil, &outcome)
            }
            if !ports[site].contains(where: { $0.overlaps(block.ports) }) {
                ports.note(block.ports, formerAt: event.time, by: giver(of: block, index), site)
            }
        }
    }

    /// The session that gives a block back, in the form of ``PublicPorts/note(_:formerAt:by:_:)``.
    func giver(of block: PortBlock, _ index: Int?) -> UInt64? {
        block.isAllocated ? nil : index.map { sessions.key($0).hash } ?? 0
    }

    /// Takes a block from its holder, who has no more of the address if it was his last there.
    private mutating func lose(
        _ block: PublicPorts.Block, at site: PublicPorts.Address, to successor: Int?, _ outcome: inout Outcome
    ) {
        let loser = Int(block.session)
        ports.remove(at: site) { $0 == block }
        if !ports[site].contains(where: { $0.session == block.session }) { forget(site.address, of: loser) }
        if successor.map({ !sessions[loser].isSamePerson(as: sessions[$0]) }) ?? true {
            outcome.revoked.append(BindingID(rawValue: sessions[loser].binding))
            renewBinding(of: loser, &outcome)
        }
        outcome.changes.append(.put(state(of: loser)))
    }

    private mutating func remember(_ address: UInt32, of index: Int) {
        let first = sessions[index].publicAddress
        if first == 0 {
            sessions[index].publicAddress = address
        } else if first != address, !(furtherPublicAddresses[index]?.contains(address) ?? false) {
            furtherPublicAddresses[index, default: []].append(address)
        }
    }

    private mutating func forget(_ address: UInt32, of index: Int) {
        var rest = publicAddresses(of: index).filter { $0 != address }
        sessions[index].publicAddress = rest.isEmpty ? 0 : rest.removeFirst()
        furtherPublicAddresses[index] = rest.isEmpty ? nil : rest
    }

    /// The session that a NAT's report is about; `nil` if no session holds the inside address, or it began later.
    func session(reportedBy event: AccountingEvent) -> Int? {
        guard domainsOfServers.indices.contains(event.nas) else { return nil }
        let (domain, publicDomain) = domainsOfServers[event.nas]
        // A block from before the session belonged to the address's previous holder. The session's own NAS must see the
        // same public side.
        guard let address = event.internalAddress, let index = holder(of: address.v4Value, domain: domain),
            event.time >= sessions[index].startedAt,
            scopes[Int(sessions[index].scope)].publicDomain == publicDomain
        else { return nil }
        return index
    }

    /// Takes a NAT's report about a session that another NAS has announced.
    ///
    /// If the holder of the inside address is not known, or became known later, the block is unassigned. The former
    /// holder loses it in either case.
    mutating func takeReport(_ event: AccountingEvent, scope: UInt16, _ outcome: inout Outcome, now: UInt32) {
        guard let index = session(reportedBy: event) else {
            return denyBlocks(event, to: nil, &outcome, now: now)
        }
        // A report that arrives in the second of the NAT's own reset came after the reset.
        let time = event.time == scopes[Int(scope)].resetAt ? event.time &+ 1 : event.time
        for block in event.blocks {
            take(block, givenBy: scope, at: time, isLate: isLate(event, now), for: index, &outcome)
        }
        outcome.changes.append(.put(state(of: index)))
    }
}
