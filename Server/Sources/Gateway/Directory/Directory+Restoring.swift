@_spi(Server) import BenjiProtocol

extension Directory {
    /// The session at an index of the table, as the journal keeps it.
    func state(of index: Int) -> DirectoryChange.SessionState {
        let session = sessions[index]
        let scope = scopes[Int(session.scope)]
        var blocks: [DirectoryChange.Block] = []
        if session.publicAddress != 0 {
            forEachBlock(of: index) { site, block in
                let giver = block.scope == session.scope ? "" : scopes[Int(block.scope)].name
                blocks.append(
                    .init(address: site.address, first: block.first, last: block.last, time: block.time, scope: giver))
            }
        }
        return .init(
            key: session.key, scope: scope.name, subscription: session.subscription, epoch: session.epoch,
            simGeneration: session.simGeneration, binding: session.binding, address: session.address,
            prefix: session.prefix, prefixLength: session.prefixLength, startedAt: session.startedAt,
            heardAt: session.heardAt, flags: durableFlags(of: session).rawValue,
            aliases: aliasesOf.isEmpty ? [] : aliasesOf[index] ?? [], blocks: blocks)
    }

    /// A doubt is kept as one that the session's own events have left.
    private func durableFlags(of session: Session) -> Session.Flags {
        session.flags.intersection(.durable).union(session.isDoubted ? .contested : [])
    }

    /// Takes back what a journal kept. What it restores answers nothing until it is heard of, or until its domain is
    /// settled (``begin(lastHeartbeat:at:clockTolerance:isReached:)``).
    mutating func restore(_ change: DirectoryChange, now: UInt32) {
        switch change {
        case .removed(let key, let time):
            // A session heard of later uses the key again: in a rewritten journal the ends come last.
            if let index = index(of: key), sessions[index].heardAt <= time { remove(index) }
            if let index = aliases[key], sessions[index].heardAt <= time {
                aliases[key] = nil
                aliasesOf[index]?.removeAll { $0 == key }
            }
            closed.close(key, at: time, now: now)
        case .reset(let name, let time):
            guard let scope = scope(name, nas: nas(ofScope: name)) else { return }
            scopes[Int(scope)].resetAt = max(scopes[Int(scope)].resetAt, time)
        case .missed(let name, let time):
            guard let domain = domains[name] else { return }
            missedAt[Int(domain)] = max(missedAt[Int(domain)], time)
        case .missedScope(let name, let time):
            guard let scope = scope(name, nas: nas(ofScope: name)) else { return }
            scopes[Int(scope)].missedAt = max(scopes[Int(scope)].missedAt, time)
        case .named(let name, let time):
            guard let scope = scope(name, nas: nas(ofScope: name)) else { return }
            mayHaveRestarted(scope, at: time)
        case .put(let state): restore(state)
        }
    }

    private mutating func restore(_ state: DirectoryChange.SessionState) {
        if let index = index(of: state.key) { remove(index, losesBlocks: false) }
        // A NAS that is no longer configured is no longer believed.
        guard let scope = scope(state.scope, nas: nas(ofScope: state.scope)), sessions.count < sessionLimit,
            state.prefixLength <= 64
        else { return }
        var session = Session.free
        session.key = state.key
        session.scope = scope
        session.subscription = state.subscription
        session.epoch = state.epoch
        session.simGeneration = state.simGeneration
        session.binding = state.binding
        session.startedAt = state.startedAt
        session.heardAt = state.heardAt
        session.flags = Session.Flags(rawValue: state.flags).intersection(.durable)
        // The row was erased. Older journals do not mark such a session as unsupported.
        if state.subscription == 0 { session.flags.insert(.unsupported) }
        if session.flags.contains(.contested) { session.doubtedAt = max(deafUntil + 1, session.heardAt) }
        newestRestored = max(newestRestored, state.heardAt)
        let (domain, publicDomain) = (scopes[Int(scope)].domain, scopes[Int(scope)].publicDomain)
        if state.address != 0, let other = holder(of: state.address, domain: domain) { remove(other) }
        if state.prefixLength != 0,
            let other = holder(of: state.prefix, length: state.prefixLength, domain: domain)
        {
            remove(other)
        }
        let index = insert(session)
        replaceAddress(state.address, of: index)
        replacePrefix(state.prefix, length: state.prefixLength, of: index)
        for alias in state.aliases {
            aliases[alias] = index
            aliasesOf[index, default: []].append(alias)
        }
        for block in state.blocks where block.first <= block.last {
            // The giver is unknown for a block of version 1's journal, and for one of a NAS that is no longer
            // configured. Such a block is in doubt until somebody gives it again.
            let giver = block.scope.flatMap { $0.isEmpty ? scope : self.scope($0, nas: nas(ofScope: $0)) }
            newestRestored = max(newestRestored, block.time)
            ports.insert(
                .init(
                    first: block.first, last: block.last, session: UInt32(index), time: giver == nil ? 0 : block.time,
                    scope: giver ?? scope),
                at: .init(domain: publicDomain, address: block.address))
            if sessions[index].publicAddress == 0 {
                sessions[index].publicAddress = block.address
            } else if !publicAddresses(of: index).contains(block.address) {
                furtherPublicAddresses[index, default: []].append(block.address)
            }
        }
    }

    private func nas(ofScope name: String) -> Int {
        let nas = name.prefix { $0 != "\n" }
        return servers.firstIndex { $0.name == nas } ?? -1
    }

    /// The journal's view of everything but the sessions.
    var generalChanges: [DirectoryChange] {
        scopes.filter { $0.resetAt > 0 }.map { .reset(scope: $0.name, at: $0.resetAt) }
            + closed.all.map { .removed($0.key, at: $0.time) }
            + misses
            + scopes.filter { $0.missedAt > 0 }.map { .missedScope($0.name, at: $0.missedAt) }
            + scopes.map { .named(scope: $0.name, restartedAt: $0.restartAt) }
    }
}

extension Directory {
    /// Ends the reading of a journal. A restored session is no evidence: the NAS may have sent later news and given up
    /// repeating it. So the session waits for newer news. The exception is a domain whose NASes all repeat for at least
    /// twice as long as the gateway was away. Its sessions are believed again after that time.
    ///
    /// - Parameters:
    ///   - lastHeartbeat: when the run before, or an earlier one that it had not settled, last listened.
    ///   - isReached: whether packets come here already. When a gateway takes over a pair, its addresses move later.
    ///     Then a NAS keeps its promise from its first packet on.
    mutating func begin(
        lastHeartbeat: Timestamp?, at now: Timestamp, clockTolerance: Duration, isReached: Bool = true
    ) {
        let seconds = now.wholeSeconds
        var heardAt = [UInt32](repeating: 0, count: scopes.count)
        for index in 0..<sessions.end {
            let session = sessions[packed: index]
            guard !session.isFree else { continue }
            heardAt[Int(session.scope)] = max(heardAt[Int(session.scope)], session.heardAt)
        }
        for (scope, time) in ports.newest { heardAt[Int(scope)] = max(heardAt[Int(scope)], time) }
        let end = (lastHeartbeat ?? now).wholeSeconds
        for index in scopes.indices {
            // A NAS that had been silent for too long when we ended, or is so before it says anything to us.
            scopes[index].heardAt = seconds
            let (silentAt, overflow) = heardAt[index].addingReportingOverflow(scopes[index].silence)
            if heardAt[index] != 0, !overflow, end > silentAt {
                scopes[index].missedAt = max(scopes[index].missedAt, silentAt)
            }
        }
        if newestRestored > end { lead = min(newestRestored - end, clockTolerance.wholeSeconds) }
        deafUntil = max(seconds + lead, newestRestored)
        guard let lastHeartbeat, lastHeartbeat <= now else { return }
        listenedBefore = end
        if isReached {
            for domain in domainNames.indices { settle(domain, at: seconds, away: now - lastHeartbeat) }
            return
        }
        unheard = Set(servers.indices)
        // Doubts that were read while another gateway listened are as old as everything else.
        for index in 0..<sessions.end where sessions[index].isDoubted {
            sessions[index].doubtedAt = max(sessions[index].doubtedAt, deafUntil + 1)
        }
    }

    /// A packet of a NAS has come for the first time since this gateway took over its pair.
    mutating func reached(by nas: Int, at now: UInt32) {
        unheard.remove(nas)
        let (domain, publicDomain) = domainsOfServers[nas]
        // Rounded up: of both only the whole seconds are known.
        let away = Duration.seconds(Int64(now) + 1 - Int64(listenedBefore))
        for domain in Set([domain, publicDomain]) { settle(Int(domain), at: now, away: away) }
    }

    /// Believes a domain again after its NASes' repetition time, if all of them reach this gateway and it was not away
    /// too long.
    private mutating func settle(_ domain: Int, at now: UInt32, away: Duration) {
        let nases = servers.indices.filter {
            domainsOfServers[$0].domain == domain || domainsOfServers[$0].publicDomain == domain
        }
        guard unheard.isDisjoint(with: nases),
            let promise = nases.map({ servers[$0].repeats }).min(), promise > .zero, away <= promise / 2
        else { return }
        settlesAt[domain] = now + promise.wholeSeconds
    }

    /// When it is known again what the NASes sent before this run began; `nil` if that is known now, or never will be.
    var settlesLast: UInt32? { settlesAt.filter { $0 != .max }.max() }

    /// The lost news of each domain, as a later run must know it.
    var misses: [DirectoryChange] {
        domainNames.indices.compactMap { domain in
            let time = settlesAt[domain] == .max ? max(missedAt[domain], deafUntil) : missedAt[domain]
            return time > 0 ? .missed(domain: domainNames[domain], at: time) : nil
        }
    }

    /// The same without the hope that all is heard again: the gateway that takes over next knows nothing of that.
    var allMisses: [DirectoryChange] {
        domainNames.indices.map {
            .missed(domain: domainNames[$0], at: max(missedAt[$0], deafUntil))
        }
    }

    /// Notes on sessions whether their last change could be kept.
    mutating func mark(_ changes: [DirectoryChange], unsaved: Bool) {
        for case .put(let state) in changes {
            guard let index = index(of: state.key) else { continue }
            if unsaved { sessions[index].flags.insert(.unsaved) } else { sessions[index].flags.remove(.unsaved) }
        }
    }
}
