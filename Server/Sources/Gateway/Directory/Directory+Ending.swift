@_spi(Server) import BenjiProtocol
import Sightings

extension Directory {
    mutating func stop(_ event: AccountingEvent, now: UInt32, _ outcome: inout Outcome) {
        if event.endsSession { displaceHolders(before: event, now: now, &outcome) }
        if let index = aliases[event.key] {
            stopBearer(event, of: index, now: now, &outcome)
        } else if let index = index(of: event.key) {
            guard event.endsSession else { return }
            let session = sessions[index]
            if event.time >= session.heardAt || isGone(session) {
                end(index, event, now: now, &outcome)
            } else if event.time >= session.startedAt {
                // Newer packets came. The NAS has used the id again and the Start was lost, or the Stop is late.
                forgetSubscriber(of: index, &outcome)
                contest(index, &outcome)
            }
        } else if event.endsSession {
            // A NAT's report begins no session.
            if !event.isReportOfNAT, closed.mayCreate(event.key, at: event.time, now: now) {
                losses[event.nas].stopsWithoutStart += 1
            }
            // Its Start may still come.
            note(event.key, endedAt: event.time, &outcome, now: now)
        }
    }

    /// The end of a session is also news for another that we believe on its address: that one had left before, and we
    /// missed it.
    private mutating func displaceHolders(before event: AccountingEvent, now: UInt32, _ outcome: inout Outcome) {
        let own = find(event.key)
        guard let scope = scope(event.scope, nas: event.nas) else { return }
        let domain = scopes[Int(scope)].domain
        // The addresses that the session itself holds become free with its end, which follows.
        let ending = own.map { sessions[$0] }.flatMap { event.time >= $0.heardAt ? $0 : nil }
        if let address = event.address, ending?.address != address.v4Value {
            vacate(address.v4Value, at: event.time, domain: domain, &outcome, now: now)
        }
        if let prefix = event.prefix {
            let (upperHalf, length) = (prefix.address.upperHalf, UInt8(prefix.length))
            if ending?.prefix != upperHalf || ending?.prefixLength != length {
                vacate(upperHalf, length: length, at: event.time, domain: domain, &outcome, now: now)
            }
        }
        func holders() -> [Int] {
            let ofAddress = event.address.flatMap { holder(of: $0.v4Value, domain: domain) }
            let ofPrefix = event.prefix.flatMap {
                holder(of: $0.address.upperHalf, length: UInt8($0.length), domain: domain)
            }
            return Set([ofAddress, ofPrefix].compactMap { $0 }).filter { $0 != own }.sorted()
        }
        for index in holders() where sessions[index].startedAt < event.time {
            if event.time >= sessions[index].heardAt {
                displace(index, at: event.time, isSamePerson: false, &outcome, now: now)
            } else {
                contest(index, &outcome)
            }
        }
    }

    private mutating func stopBearer(_ event: AccountingEvent, of index: Int, now: UInt32, _ outcome: inout Outcome) {
        if event.endsSession, event.time >= sessions[index].heardAt {
            end(index, event, now: now, &outcome)
            return
        }
        // One that is older than the newest bearer may be of another session that had the same id.
        guard event.time >= sessions[index].startedAt else { return }
        note(event.key, endedAt: event.time, &outcome, now: now)
        forgetBearer(event.key, of: index, &outcome)
    }

    /// A further bearer has ended. Its id may be another session's next.
    mutating func forgetBearer(_ key: SessionKey, of index: Int, _ outcome: inout Outcome) {
        aliases[key] = nil
        aliasesOf[index]?.removeAll { $0 == key }
        if aliasesOf[index]?.isEmpty ?? false { aliasesOf[index] = nil }
        outcome.changes.append(.put(state(of: index)))
    }

    private mutating func end(_ index: Int, _ event: AccountingEvent, now: UInt32, _ outcome: inout Outcome) {
        // Known so late, the address may have had another holder in between, whose requests we took for this one's.
        if isLate(event, now) { outcome.revoked.append(BindingID(rawValue: sessions[index].binding)) }
        close(index, at: event.time, &outcome, now: now)
    }

    /// Whether an event is known so late that what it ends may have had another holder in between.
    func isLate(_ event: AccountingEvent, _ now: UInt32) -> Bool {
        now > event.time && now - event.time > reuseQuarantine
    }

    /// Accounting-On or -Off: all sessions of this NAS that began until then are gone, others' are not. Blocks of ports
    /// that it gave to others' sessions are in doubt until it gives them again. So are sessions that may be its own
    /// under another name.
    ///
    /// Where it is late, ``didRevoke(_:)`` must follow.
    mutating func reset(_ scope: UInt16, _ event: AccountingEvent, now: UInt32, _ outcome: inout Outcome) {
        if event.isOff, event.time > scopes[Int(scope)].restartAt {
            // A session that began in the same second may have begun before or after the packet.
            mayHaveRestarted(scope, at: event.time)
            outcome.changes.append(naming(of: scope))
        }
        guard event.time > scopes[Int(scope)].resetAt else { return }
        let doubted = doubtOthers(than: scope, because: event, at: event.time)
        outcome.changes += doubted.changes
        if isLate(event, now) {
            for index in 0..<sessions.end where !sessions.isFree(index) {
                let own = sessions.scope(index)
                // Sessions that an earlier restart put in doubt have been revoked already.
                guard let known = own == scope ? 0 : doubted.before[own] else { continue }
                let session = sessions[index]
                if !isGone(session), session.startedAt <= event.time, session.heardAt > known {
                    end(session, &outcome)
                }
            }
            for index in ports.sessions(reportedBy: scope, until: event.time).map(Int.init).sorted()
            where sessions.scope(index) != scope && !isGone(index) {
                end(sessions[index], &outcome)
            }
        }
        scopes[Int(scope)].resetAt = event.time
        outcome.changes.append(.reset(scope: event.scope, at: event.time))
    }

    private mutating func end(_ session: Session, _ outcome: inout Outcome) {
        outcome.revoked.append(BindingID(rawValue: session.binding))
        unrevoked[session.binding] = session.key
    }

    /// Notes that everything earned through these bindings is revoked. Their sessions that go on get new bindings.
    ///
    /// Until then, an event's change to a session of a late reset is kept only with its revocation
    /// (``revokeTouched(by:_:)``). Otherwise a repeated reset would not find the bindings to revoke after a restart.
    mutating func didRevoke(_ bindings: some Sequence<BindingID>) -> [DirectoryChange] {
        var changes: [DirectoryChange] = []
        for binding in bindings {
            guard let key = unrevoked.removeValue(forKey: binding.rawValue), let index = index(of: key),
                sessions[index].binding == binding.rawValue, !isGone(index)
            else { continue }
            sessions[index].binding = makeBinding()
            changes.append(.put(state(of: index)))
        }
        return changes
    }

    /// Adds to an outcome the revocations of those sessions of a late reset that its changes from `first` on take away
    /// or change.
    mutating func revokeTouched(by first: Int, _ outcome: inout Outcome) {
        for position in first..<outcome.changes.count {
            guard case .put(let state) = outcome.changes[position], unrevoked[state.binding] != nil,
                let index = index(of: state.key)
            else { continue }
            renewBinding(of: index, &outcome)
            outcome.changes[position] = .put(self.state(of: index))
        }
    }

    /// Performs the upkeep that depends on the clock alone.
    mutating func turn(at now: Timestamp) {
        closed.turn(now.wholeSeconds)
        ports.forget(before: closed.floor)
        let seconds = now.wholeSeconds
        // Our clock was set back.
        for domain in missedAt.indices where missedAt[domain] > seconds + lead { missedAt[domain] = seconds + lead }
        deafUntil = min(deafUntil, max(seconds + lead, newestRestored))
    }

    /// Frees the entries of sessions that are gone or long stale, a few at a time. Changes no answer but from stale to
    /// unknown.
    ///
    /// - Returns: what the other gateway of a pair has to know of it.
    @discardableResult
    mutating func sweep(_ steps: Int, at now: Timestamp) -> [DirectoryChange] {
        var changes: [DirectoryChange] = []
        let seconds = now.wholeSeconds
        for _ in 0..<min(steps, sessions.end) {
            if sweepPosition >= sessions.end { sweepPosition = 0 }
            let session = sessions[packed: sweepPosition]
            if !session.isFree {
                let scope = scopes[Int(session.scope)]
                let isStale = UInt64(seconds) > UInt64(session.heardAt) + 4 * UInt64(scope.lease)
                // Not before what it earned is revoked.
                let mayGo = unrevoked.isEmpty || unrevoked[sessions[sweepPosition].binding] == nil
                if mayGo, isStale || sessions.startedAt(sweepPosition) <= scope.resetAt {
                    if isPaired { changes.append(.removed(session.key, at: session.heardAt)) }
                    changes += remove(sweepPosition).map { .put(state(of: $0)) }
                }
            }
            sweepPosition += 1
        }
        return changes
    }

    /// Removes the subscriber from sessions whose rows of the register were erased. They keep their addresses and are
    /// in doubt until their next packet, for which the register is asked again.
    mutating func forget(_ subscriptions: Set<Int64>, in indices: Range<Int>, _ outcome: inout Outcome) {
        for index in indices {
            var session = sessions[index]
            // A free place has the subscription 0, which is no row's.
            guard !session.flags.contains(.unsupported), subscriptions.contains(session.subscription) else { continue }
            session.doubtedAt = max(session.doubtedAt, session.heardAt)
            sessions[index] = session
            forgetSubscriber(of: index, &outcome)
        }
    }

    /// Removes a session's subscriber. The next packet with Calling-Station-Id sets it again.
    mutating func forgetSubscriber(of index: Int, _ outcome: inout Outcome) {
        var session = sessions[index]
        outcome.revoked.append(BindingID(rawValue: session.binding))
        session.reference = SubscriptionReference(subscription: 0, epoch: 0, simGeneration: 0)
        session.identity = 0
        session.flags.insert(.unsupported)
        renewBinding(of: &session, &outcome)
        sessions[index] = session
        outcome.changes.append(.put(state(of: index)))
    }
}
