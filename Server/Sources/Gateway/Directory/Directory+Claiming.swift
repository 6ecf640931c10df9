@_spi(Server) import BenjiProtocol
import RADIUS
import Sightings

extension Directory {
    /// What a session got of the addresses that an event claims for it.
    struct Claim {
        var address: InternetAddress?
        var prefix: IPPrefix?
        var isContested = false
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
            // Only where nobody holds it: to name a vacancy takes a SHA-256.
            let isOver = holder == nil && closed.endedAfter(event.time, vacancyKey(address.v4Value, domain: domain))
            let verdict = settle(holder, isOver: isOver, event, session, index, &outcome, now: now)
            if verdict != .lost { claim.address = address }
            if verdict == .takenContested { claim.isContested = true }
        }
        if let prefix = event.prefix {
            let (upperHalf, length) = (prefix.address.upperHalf, UInt8(prefix.length))
            let holder = holder(of: upperHalf, length: length, domain: domain)
            let isOver =
                holder == nil
                && closed.endedAfter(event.time, vacancyKey(upperHalf, length: length, domain: domain))
            let verdict = settle(holder, isOver: isOver, event, session, index, &outcome, now: now)
            if verdict != .lost { claim.prefix = prefix }
            if verdict == .takenContested { claim.isContested = true }
        }
        return claim
    }

    /// - Parameter isOver: whether an address that nobody holds is known to have become free after the event.
    private mutating func settle(
        _ holder: Int?, isOver: Bool, _ event: AccountingEvent, _ session: Session, _ index: Int?,
        _ outcome: inout Outcome, now: UInt32
    ) -> Verdict {
        guard let holder else { return isOver ? .lost : .taken }
        guard holder != index else { return .taken }
        let other = sessions[holder]
        let isSamePerson = other.isSamePerson(as: session)
        if isGone(other) {
            displace(holder, at: event.time, isSamePerson: isSamePerson, &outcome, now: now)
            return .taken
        }
        let isTie = other.startedAt == event.time
        if event.time > other.heardAt || (event.time == other.heardAt && (event.kind == .start || !isTie)) {
            displace(holder, at: event.time, isSamePerson: isSamePerson, &outcome, now: now)
            // A Start ends the other session, whose Stop was lost. An Interim-Update of one session in the life of
            // another does not say which of the two is wrong; nor do two Starts in one second.
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
        remove(index)
    }

    private mutating func note(_ key: SessionKey, endedAt time: UInt32, _ outcome: inout Outcome, now: UInt32) {
        closed.close(key, at: time, now: now)
        outcome.changes.append(.removed(key, at: time))
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
            if isLate, ports[site].count < had {
                // As with an address that was left.
                outcome.revoked.append(BindingID(rawValue: sessions[index].binding))
                renewBinding(of: index, &outcome)
            }
            if !ports[site].contains(where: { $0.session == UInt32(index) }) { forget(address, of: index) }
            return
        }
        // What is known already may be newer: then this is late.
        guard !ports[site].contains(where: { $0.overlaps(block.ports) && $0.time > time }) else { return }
        for rival in ports[site]
        where rival.overlaps(block.ports) && rival.session != UInt32(index) && rival.time < time {
            // The block passed on and its return was lost.
            lose(rival, at: site, to: index, &outcome)
        }
        // Rivals of the same second stay, and a look-up finds two: nobody can say which is right.
        ports.remove(at: site) { $0.session == UInt32(index) && $0.overlaps(block.ports) }
        ports.insert(
            .init(
                first: block.ports.lowerBound, last: block.ports.upperBound, session: UInt32(index), time: time,
                scope: scope),
            at: site)
        remember(address, of: index)
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
            let publicDomain = scopes[Int(scope)].publicDomain
            for block in event.blocks where block.isAllocated {
                let site = PublicPorts.Address(domain: publicDomain, address: block.address.v4Value)
                for former in ports[site] where former.overlaps(block.ports) && former.time <= event.time {
                    lose(former, at: site, to: nil, &outcome)
                }
            }
            return
        }
        // What arrives in the second of the NAT's own reset came after it.
        let time = event.time == scopes[Int(scope)].resetAt ? event.time &+ 1 : event.time
        for block in event.blocks {
            take(block, givenBy: scope, at: time, isLate: isLate(event, now), for: index, &outcome)
        }
        outcome.changes.append(.put(state(of: index)))
    }
}
