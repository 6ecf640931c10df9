@_spi(Server) import BenjiProtocol
import Sightings

extension Directory {
    mutating func stop(_ event: AccountingEvent, now: UInt32, _ outcome: inout Outcome) {
        if event.endsSession { displaceHolders(before: event, now: now, &outcome) }
        if let place = aliases[event.key] {
            stopBearer(event, of: place, now: now, &outcome)
        } else if let place = place(of: event.key) {
            // Else there was newer news: the session id was used again and its Start was lost.
            guard event.endsSession, event.time >= sessions[place].heardAt || isGone(sessions[place]) else {
                return
            }
            end(place, event, now: now, &outcome)
        } else if event.endsSession {
            // Its Start may still come.
            closed.close(event.key, at: event.time, now: now)
            outcome.changes.append(.removed(event.key, at: event.time))
        }
    }

    /// The end of a session is also news for another that we believe on its address: that one had left before, and we
    /// missed it.
    private mutating func displaceHolders(before event: AccountingEvent, now: UInt32, _ outcome: inout Outcome) {
        let own = place(of: event.key) ?? aliases[event.key]
        guard let scope = scope(event.scope, nas: event.nas) else { return }
        let domain = scopes[Int(scope)].domain
        if let address = event.address { vacate(address.v4Value, at: event.time, domain: domain, &outcome, now: now) }
        if let prefix = event.prefix {
            vacate(
                prefix.address.upperHalf, length: UInt8(prefix.length), at: event.time, domain: domain, &outcome,
                now: now)
        }
        func holders() -> [Int] {
            let ofAddress = event.address.flatMap { holder(of: $0.v4Value, domain: domain) }
            let ofPrefix = event.prefix.flatMap {
                holder(of: $0.address.upperHalf, length: UInt8($0.length), domain: domain)
            }
            return Set([ofAddress, ofPrefix].compactMap { $0 }).filter { $0 != own }.sorted()
        }
        for place in holders() where sessions[place].startedAt < event.time {
            if event.time >= sessions[place].heardAt {
                displace(place, at: event.time, isSamePerson: false, &outcome, now: now)
            } else {
                contest(place, &outcome)
            }
        }
    }

    private mutating func stopBearer(_ event: AccountingEvent, of place: Int, now: UInt32, _ outcome: inout Outcome) {
        if event.endsSession, event.time >= sessions[place].heardAt {
            end(place, event, now: now, &outcome)
            return
        }
        aliases[event.key] = nil
        aliasesOf[place]?.removeAll { $0 == event.key }
        if aliasesOf[place]?.isEmpty ?? false { aliasesOf[place] = nil }
        closed.close(event.key, at: event.time, now: now)
        outcome.changes.append(.removed(event.key, at: event.time))
        outcome.changes.append(.put(state(of: place)))
    }

    private mutating func end(_ place: Int, _ event: AccountingEvent, now: UInt32, _ outcome: inout Outcome) {
        // Known so late, the address may have had another holder in between, whose requests we took for this one's.
        if now > event.time, now - event.time > reuseQuarantine {
            outcome.revoked.append(BindingID(rawValue: sessions[place].binding))
        }
        close(place, at: event.time, &outcome, now: now)
    }

    /// Accounting-On or -Off: all sessions of this NAS that began until then are gone, others' are not. Blocks of ports
    /// that it gave to others' sessions are in doubt until it gives them again.
    mutating func reset(_ scope: UInt16, _ event: AccountingEvent, now: UInt32, _ outcome: inout Outcome) {
        guard event.time > scopes[Int(scope)].resetAt else { return }
        if now > event.time, now - event.time > reuseQuarantine {
            for place in 0..<sessions.end where !sessions.isFree(place) && sessions.scope(place) == scope {
                let session = sessions[place]
                if !isGone(session), session.startedAt <= event.time {
                    outcome.revoked.append(BindingID(rawValue: session.binding))
                }
            }
            for place in ports.sessions(reportedBy: scope, until: event.time).map(Int.init).sorted()
            where sessions.scope(place) != scope && !isGone(place) {
                outcome.revoked.append(BindingID(rawValue: sessions[place].binding))
                sessions[place].binding = makeBinding()
                outcome.changes.append(.put(state(of: place)))
            }
        }
        scopes[Int(scope)].resetAt = event.time
        outcome.changes.append(.reset(scope: event.scope, at: event.time))
    }

    /// Frees the places of sessions that are gone or long stale, a few at a time. Changes no answer but from stale to
    /// unknown.
    mutating func sweep(_ steps: Int, at now: Timestamp) {
        closed.turn(now.wholeSeconds)
        let seconds = now.wholeSeconds
        // Our clock was set back.
        for domain in missedAt.indices where missedAt[domain] > seconds + lead { missedAt[domain] = seconds + lead }
        deafUntil = min(deafUntil, max(seconds + lead, newestRestored))
        for _ in 0..<min(steps, sessions.end) {
            if sweepPosition >= sessions.end { sweepPosition = 0 }
            let session = sessions[packed: sweepPosition]
            if !session.isFree {
                let lease = UInt64(scopes[Int(session.scope)].lease)
                let isStale = UInt64(seconds) > UInt64(session.heardAt) + 4 * lease
                if isStale || isGone(sweepPosition) { remove(sweepPosition) }
            }
            sweepPosition += 1
        }
    }

    /// Makes sessions nobody's whose rows of the register were erased. They keep their addresses, and are in doubt until their next
    /// packet, with which the register is asked anew.
    mutating func forget(_ subscriptions: Set<Int64>, in places: Range<Int>, _ outcome: inout Outcome) {
        for place in places {
            var session = sessions[place]
            guard !session.isFree, !session.flags.contains(.unsupported), subscriptions.contains(session.subscription)
            else { continue }
            outcome.revoked.append(BindingID(rawValue: session.binding))
            session.reference = SubscriptionReference(subscription: 0, epoch: 0, simGeneration: 0)
            session.identity = 0
            session.doubtedAt = max(session.doubtedAt, session.heardAt)
            session.binding = makeBinding()
            sessions[place] = session
            outcome.changes.append(.put(state(of: place)))
        }
    }
}
