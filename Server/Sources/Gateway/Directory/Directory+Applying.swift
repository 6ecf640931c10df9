@_spi(Server) import BenjiProtocol
import RADIUS
import Sightings

extension Directory {
    /// The register's answer about an event's subscriber.
    enum Identified: Sendable, Hashable {
        /// It was not asked: the session's subscriber is the one that is known.
        case unchanged
        case subscriber(SubscriptionReference, identity: UInt32)
        /// No Calling-Station-Id, or a number that the register does not know.
        case nobody
        /// No number of the NAS's country, or one outside its ranges. It stays unusable while the session says the
        /// same.
        case unusable(identity: UInt32)
    }

    /// The effects of an event.
    struct Outcome: Sendable {
        var changes: [DirectoryChange] = []
        /// Bindings through which nothing that was earned may live on.
        var revoked: [BindingID] = []
        /// The limit of sessions was reached and the event could not take effect.
        var isFull = false
    }

    /// A keyed hash of Calling-Station-Id and IMSI: 20 bits of the one, 12 of the other. Neither part is 0, but that of
    /// an absent IMSI.
    func identity(of event: AccountingEvent) -> UInt32 {
        func hash(_ value: some Hashable, _ bits: Int) -> UInt32 {
            var hasher = Hasher()
            hasher.combine(seed)
            hasher.combine(value)
            return max(UInt32(truncatingIfNeeded: hasher.finalize()) & (1 << bits - 1), 1)
        }
        return hash(event.calling, 20) << 12 | (event.imsi.map { hash($0, 12) } ?? 0)
    }

    /// Whether `told` names the subscriber that is `known`. An IMSI that is not told, as in many an Interim-Update, has
    /// not changed.
    static func isSame(_ known: UInt32, _ told: UInt32) -> Bool {
        known >> 12 == told >> 12 && (told & 0xfff == 0 || known & 0xfff == told & 0xfff)
    }

    /// Whether the register must be asked before the event is applied. That is so for a session that is new, begins,
    /// names another subscriber, or has lasted into another day. Nearly all packets are other Interim-Updates, which
    /// ask nothing.
    func needsRegister(_ event: AccountingEvent) -> Bool {
        guard event.kind == .start || event.kind == .interim, event.calling != nil, !event.isReportOfNAT else {
            return false
        }
        guard event.kind == .interim, let index = known(event) else { return true }
        let session = sessions[index]
        return isGone(session) || mayBeGone(session) || !Self.isSame(session.identity, identity(of: event))
            || Self.day(session.heardAt, of: event.key) != Self.day(event.time, of: event.key)
            || session.key != event.key && event.time >= session.startedAt && isElsewhere(event, than: session)
    }

    /// Days begin at another second for each session, or all would ask the register at midnight.
    private static func day(_ time: UInt32, of key: SessionKey) -> UInt64 {
        (UInt64(time) + key.hash % 86_400) / 86_400
    }

    /// Whether an event is evidence of the present subscriber. A Start is, and so is news of an unknown session, or of
    /// a subscriber that the session has not named before. An update of a known session is none: it may have outlived
    /// its SIM.
    func startsSession(_ event: AccountingEvent) -> Bool {
        guard event.kind == .interim, let index = known(event) else { return true }
        return isGone(sessions[index]) || mayBeGone(sessions[index])
            || !Self.isSame(sessions[index].identity, identity(of: event))
    }

    /// The meaning of the register's answer for the event's session. A session that goes on keeps the SIM and the owner
    /// that it began with. It loses its subscriber once the register knows newer ones.
    func meaning(of answer: Identified, for event: AccountingEvent) -> Identified {
        guard case .subscriber(let reference, _) = answer, !startsSession(event),
            let index = known(event), !sessions[index].flags.contains(.unsupported),
            sessions[index].reference != reference
        else { return answer }
        return .nobody
    }

    /// Takes an event in. Events may come in any order and more than once.
    mutating func apply(_ event: AccountingEvent, identified: Identified, at now: Timestamp) -> Outcome {
        var outcome = Outcome()
        apply(event, identified: identified, at: now, &outcome)
        return outcome
    }

    /// ``apply(_:identified:at:)``, adding to what events before have changed.
    mutating func apply(
        _ event: AccountingEvent, identified: Identified, at now: Timestamp, _ outcome: inout Outcome
    ) {
        let first = outcome.changes.count
        defer { if !unrevoked.isEmpty { revokeTouched(by: first, &outcome) } }
        guard let own = scope(event.scope, nas: event.nas) else {
            // There is no room for another NAS. Its event is not applied, but the sessions that hold its addresses may
            // have lost them.
            outcome.isFull = true
            outcome.changes += doubt(because: event, at: now)
            return
        }
        learn(event.names, of: own, &outcome)
        hear(from: own, at: event.time, now: now.wholeSeconds, &outcome)
        var (event, scope) = (event, own)
        if mayBeRenamed(event) {
            event = underKnownName(event)
            scope = scopeIndex[event.scope] ?? own
            if scope != own { hear(from: scope, at: event.time, now: now.wholeSeconds, &outcome) }
        }
        if event.kind != .stop || event.endsSession { doubtNamesakes(of: event, &outcome) }
        switch event.kind {
        case .reset: reset(scope, event, now: now.wholeSeconds, &outcome)
        case .stop: stop(event, now: now.wholeSeconds, &outcome)
        case .start, .interim:
            if event.isReportOfNAT {
                takeReport(event, scope: scope, &outcome, now: now.wholeSeconds)
            } else if let index = index(of: event.key) {
                update(index, event, identified, &outcome, now: now.wholeSeconds)
            } else if let index = aliases[event.key], !isReused(event, byBearerOf: index) {
                // Another bearer of a session that lives under its first bearer's name. Its Start has been taken in.
                if event.kind == .interim || event.time < sessions[index].startedAt {
                    update(index, event, identified, &outcome, now: now.wholeSeconds)
                }
            } else {
                if let index = aliases[event.key] {
                    forgetBearer(event.key, of: index, &outcome)
                    // Or the whole session has moved.
                    if event.kind == .interim { contest(index, &outcome) }
                }
                if event.kind == .interim { losses[event.nas].sessionsWithoutStart += 1 }
                create(event, scope: scope, identified, &outcome, now: now.wholeSeconds)
            }
        }
    }

    private mutating func create(
        _ event: AccountingEvent, scope: UInt16, _ identified: Identified, doubtedAt: UInt32 = 0,
        _ outcome: inout Outcome, now: UInt32
    ) {
        let resetAt = scopes[Int(scope)].resetAt
        let mayCreate = closed.mayCreate(event.key, at: event.time, now: now) && event.time >= resetAt
        // An event of the second of the reset itself came after it, as it arrived after it.
        let startedAt = event.time == resetAt ? resetAt &+ 1 : event.time
        var session = Session.free
        session.key = event.key
        session.scope = scope
        session.binding = makeBinding()
        session.startedAt = startedAt
        session.heardAt = event.time
        // A session that begins with an unknown subscriber has none until an event names one.
        describe(&session, event, identified == .unchanged ? .nobody : identified)
        if mayCreate, joinBearer(session, event, &outcome) { return }
        guard mayCreate else {
            contestBearer(session, event, &outcome)
            return testify(event, for: session, at: nil, &outcome, now: now)
        }
        let claim = claimAddresses(of: event, for: session, at: nil, &outcome, now: now)
        guard claim.address != nil || claim.prefix != nil else {
            // Older packets of this id may be about another session.
            if event.address != nil || event.prefix != nil {
                closed.suspect(event.key, at: max(event.time, 1) - 1, now: now)
            }
            return denyBlocks(event, to: nil, &outcome, now: now)
        }
        guard sessions.count < sessionLimit else {
            outcome.isFull = true
            outcome.changes += doubt(because: event, at: Timestamp(seconds: Int64(now)))
            return
        }
        if claim.isContested || hasEndedNamesake(event) { session.flags.insert(.contested) }
        session.doubtedAt = max(claim.doubtedAt, doubtedAt)
        let index = insert(session)
        if let address = claim.address { replaceAddress(address.v4Value, of: index) }
        if let prefix = claim.prefix {
            replacePrefix(prefix.address.upperHalf, length: UInt8(prefix.length), of: index)
        }
        takeBlocks(event, for: index, &outcome, now: now)
        outcome.changes.append(.put(state(of: index)))
    }

    private mutating func update(
        _ index: Int, _ event: AccountingEvent, _ identified: Identified, _ outcome: inout Outcome, now: UInt32
    ) {
        let before = sessions[index]
        let domain = scopes[Int(before.scope)].domain
        // A Start of the same second as the newest packet follows it, unless the session began in this second.
        let beginsAgain = event.kind == .start && event.time >= before.heardAt && event.time > before.startedAt
        guard event.time >= before.heardAt, event.kind == .interim || beginsAgain else {
            return takeLate(event, of: index, identified, &outcome, now: now)
        }
        if beginsAgain || isGone(before) || mayBeGone(before) {
            // The NAS uses the session id again: a new session, which keeps nothing of the first.
            guard event.time >= scopes[Int(before.scope)].resetAt else { return }
            var successor = before
            describe(&successor, event, identified)
            if !before.isSamePerson(as: successor) { outcome.revoked.append(BindingID(rawValue: before.binding)) }
            let scope = before.scope
            leave(before.binding, &outcome)
            if !isGone(before) {
                // A late packet under another name of the NAS must not bring back what it has left.
                if event.address?.v4Value != before.address {
                    vacate(before.address, at: event.time, domain: domain, &outcome, now: now)
                }
                if event.prefix?.address.upperHalf != before.prefix
                    || event.prefix.map({ UInt8($0.length) }) != before.prefixLength
                {
                    vacate(
                        before.prefix, length: before.prefixLength, at: event.time, domain: domain, &outcome, now: now)
                }
            }
            outcome.changes += remove(index).map { .put(self.state(of: $0)) }
            create(
                event, scope: scope, identified, doubtedAt: before.doubtedAt > event.time ? before.doubtedAt : 0,
                &outcome, now: now)
            // It got none of its addresses. A restart must not bring the first one back.
            if self.index(of: before.key) == nil { note(before.key, endedAt: before.heardAt, &outcome, now: now) }
            return
        }
        var session = before
        // A packet that is not newer than the doubt names no subscriber.
        if event.time > before.heardAt || !before.flags.contains(.contested) { describe(&session, event, identified) }
        if session.reference != before.reference
            || session.flags.contains(.unsupported) != before.flags.contains(.unsupported)
        {
            renewBinding(of: &session, &outcome)
            if !before.isSamePerson(as: session) { outcome.revoked.append(BindingID(rawValue: before.binding)) }
        }
        sessions[index] = session
        let claim = claimAddresses(of: event, for: session, at: index, &outcome, now: now)
        // Of the addresses before, another subscriber's session has those that its packet names.
        let isOthers =
            before.subscription != 0 && session.subscription != before.subscription
            && before.flags.union(session.flags).isDisjoint(with: .unsupported)
        // The session has left its former addresses, even if it does not get the ones that the event names.
        if event.address != nil || isOthers { replaceAddress(claim.address?.v4Value ?? 0, of: index) }
        if event.prefix != nil || isOthers {
            replacePrefix(
                claim.prefix?.address.upperHalf ?? 0, length: UInt8(claim.prefix?.length ?? 0), of: index)
        }
        session = sessions[index]
        if session.address != before.address {
            if before.address != 0 {
                // A NAT gave its ports to the address that it has left.
                outcome.changes += removeBlocks(of: index).map { .put(self.state(of: $0)) }
                session.publicAddress = 0
            }
            renewBinding(of: &session, &outcome)
            vacate(before.address, at: event.time, domain: domain, &outcome, now: now)
        }
        if session.prefix != before.prefix || session.prefixLength != before.prefixLength {
            renewBinding(of: &session, &outcome)
            vacate(before.prefix, length: before.prefixLength, at: event.time, domain: domain, &outcome, now: now)
        }
        // Known so late, what it has left may have had another holder in between, whose requests we took for this
        // one's.
        let hasMoved =
            session.address != before.address || session.prefix != before.prefix
            || session.prefixLength != before.prefixLength
        if hasMoved, isLate(event, now) { outcome.revoked.append(BindingID(rawValue: before.binding)) }
        session.heardAt = max(session.heardAt, event.time)
        // A NAT's report from before the move is about the address's former holder.
        let namesAll =
            (session.address == 0 || event.address != nil) && (session.prefixLength == 0 || event.prefix != nil)
        if session.address != before.address, namesAll, event.calling != nil {
            session.startedAt = max(session.startedAt, event.time)
        }
        let namesAddress = event.address != nil || event.prefix != nil
        if before.doubtedAt > 0 || claim.doubtedAt > 0 {
            // A packet without an address does not say where the session is. After a Stop, one without a subscriber
            // does not say whose it is.
            let isNamed = namesAddress && (session.identity != 0 || session.flags.contains(.unsupported))
            let goesOn = before.isDoubted && !isNamed ? session.heardAt : 0
            session.doubtedAt = max(before.doubtedAt, claim.doubtedAt, goesOn)
        }
        // Of two packets of one second the one that arrives late may be the older one. Or a newer packet was refused.
        let isUnsure =
            (hasMoved || session.binding != before.binding) && event.kind == .interim
            && (event.time == before.heardAt && now > event.time && now - event.time > 1
                && differs(event, from: before)
                || closed.endedAfter(event.time, event.key))
        if claim.isContested || isUnsure {
            session.flags.insert(.contested)
        } else if session.flags.contains(.contested), event.time > before.heardAt, namesAddress,
            !hasEndedNamesake(event)
        {
            // The event that left the doubt, said once more, does not end it.
            session.flags.remove(.contested)
        }
        sessions[index] = session
        takeBlocks(event, for: index, &outcome, now: now)
        var state = state(of: index)
        if isPaired { state.isRenewal = event.blocks.isEmpty && isRenewed(before, session) }
        outcome.changes.append(.put(state))
    }

    /// Applies an event that is older than the newest one of its session. It gives the session nothing. It shows where
    /// the session was at that time.
    private mutating func takeLate(
        _ event: AccountingEvent, of index: Int, _ identified: Identified, _ outcome: inout Outcome, now: UInt32
    ) {
        let before = sessions[index]
        let differs = differs(event, from: before)
        var teller = before
        describe(&teller, event, identified)
        testify(event, for: teller, at: index, &outcome, now: now)
        guard event.time >= before.startedAt else {
            // The session began earlier, or this is another session with the same id.
            guard event.kind == .start, !differs, event.time > scopes[Int(before.scope)].resetAt else { return }
            sessions[index].startedAt = event.time
            outcome.changes.append(.put(state(of: index)))
            return
        }
        // After a restart of the gateway it is not known whom the packets before had named.
        let isForgotten = before.identity == 0 && event.kind == .start && event.time > before.startedAt
        guard differs || isForgotten else { return }
        if event.kind == .start || !isSameSubscriber(event, as: before) {
            // The NAS has used the id again. Newer packets may be about either session.
            outcome.revoked.append(BindingID(rawValue: before.binding))
            close(index, at: before.heardAt, &outcome, now: now)
        } else {
            // The newer packets may have named no address.
            contest(index, &outcome)
        }
    }

    /// Whether an event names another address, prefix or subscriber than its session has. One that either does not name
    /// is no difference.
    func differs(_ event: AccountingEvent, from session: Session) -> Bool {
        isElsewhere(event, than: session) || !isSameSubscriber(event, as: session)
    }

    private func isElsewhere(_ event: AccountingEvent, than session: Session) -> Bool {
        if let address = event.address, session.address != 0, address.v4Value != session.address { return true }
        guard let prefix = event.prefix, session.prefixLength != 0 else { return false }
        return prefix.address.upperHalf != session.prefix || UInt8(prefix.length) != session.prefixLength
    }

    private func isSameSubscriber(_ event: AccountingEvent, as session: Session) -> Bool {
        event.calling == nil || session.identity == 0 || Self.isSame(session.identity, identity(of: event))
    }

    /// Whether another session has the id of a further bearer now: all bearers of a session have its addresses and
    /// subscriber.
    private func isReused(_ event: AccountingEvent, byBearerOf index: Int) -> Bool {
        event.time >= sessions[index].startedAt && differs(event, from: sessions[index])
    }

    /// Whether a session differs from what it was in nothing that another gateway has to know.
    private func isRenewed(_ before: Session, _ session: Session) -> Bool {
        var before = before
        let hadDoubt = before.isDoubted
        (before.heardAt, before.identity) = (session.heardAt, session.identity)
        return before == session && hadDoubt == session.isDoubted
    }

    /// Writes into a session what an event says about its subscriber.
    private func describe(_ session: inout Session, _ event: AccountingEvent, _ identified: Identified) {
        switch identified {
        case .subscriber(let reference, let identity):
            session.reference = reference
            if !Self.isSame(session.identity, identity) { session.identity = identity }
            session.flags.remove(.unsupported)
        case .nobody:
            session.flags.insert(.unsupported)
            session.identity = 0
        case .unusable(let identity):
            session.flags.insert(.unsupported)
            session.identity = identity
        case .unchanged: break
        }
        if let isRoaming = event.isRoaming {
            if isRoaming { session.flags.insert(.roaming) } else { session.flags.remove(.roaming) }
        }
    }

    private mutating func hear(_ index: Int, _ event: AccountingEvent) {
        sessions[index].heardAt = max(sessions[index].heardAt, event.time)
    }

    /// A bearer whose end is known, and whose beginning comes later: its end may have been that of the whole session.
    private mutating func contestBearer(_ session: Session, _ event: AccountingEvent, _ outcome: inout Outcome) {
        guard event.isMobile, let address = event.address,
            let index = holder(of: address.v4Value, domain: scopes[Int(session.scope)].domain),
            sessions[index].isSamePerson(as: session), closed.endedSince(sessions[index].heardAt, event.key)
        else { return }
        contest(index, &outcome)
    }

    /// A new session of the same person on the same address of the same mobile NAS is one more bearer.
    private mutating func joinBearer(_ session: Session, _ event: AccountingEvent, _ outcome: inout Outcome) -> Bool {
        guard event.isMobile, let address = event.address,
            let index = holder(of: address.v4Value, domain: scopes[Int(session.scope)].domain)
        else { return false }
        let first = sessions[index]
        guard mayBeOne(first.scope, session.scope), first.isSamePerson(as: session),
            first.simGeneration == session.simGeneration,
            !isGone(first), !mayBeGone(first), aliasesOf[index, default: []].count < 10
        else { return false }
        aliases[event.key] = index
        aliasesOf[index, default: []].append(event.key)
        // A Stop that is older than this bearer cannot be the end of the session.
        if event.kind == .start { sessions[index].startedAt = max(first.startedAt, event.time) }
        hear(index, event)
        outcome.changes.append(.put(state(of: index)))
        return true
    }
}
