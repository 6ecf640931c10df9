@_spi(Server) import BenjiProtocol
import Sightings

extension Directory {
    /// The session that holds an address now.
    ///
    /// - Parameter port: the source port of the connection, 0 if it is not known. Behind a NAT it decides; unknown, the
    ///   answer is ``SightingRefusal/ambiguousAddress``.
    func find(
        _ address: InternetAddress, port: UInt16, domain: String, at now: Timestamp
    ) -> Result<Session, SightingRefusal> {
        guard let domain = self.domain(domain) else { return .failure(.unknownAddress) }
        var found = Found()
        switch address.family {
        case .v4:
            let value = address.v4Value
            if value != 0, let index = holder(of: value, domain: domain), !isGone(index) { found.add(index) }
            guard !ports.isEmpty else { break }
            for block in ports[.init(domain: domain, address: value)] {
                if port == 0 { found.isAmbiguous = true }
                if block.overlaps(port...port), !isGone(Int(block.session)) { found.add(Int(block.session), block) }
            }
        case .v6:
            for length in 1...64 where prefixLengths[length] > 0 {
                let prefix = address.upperHalf & (UInt64.max << UInt64(64 - length))
                if let index = holder(of: prefix, length: UInt8(length), domain: domain), !isGone(index) {
                    found.add(index)
                }
            }
        }
        if found.isAmbiguous { return .failure(.ambiguousAddress) }
        guard let index = found.index else { return .failure(.unknownAddress) }
        let session = sessions[index]
        if let refusal = refusal(for: session, block: found.block, at: now.wholeSeconds) {
            return .failure(refusal)
        }
        return .success(session)
    }

    /// All that ``find(_:port:domain:at:)`` chooses from, each with its block of ports if it came through a NAT. That
    /// one repeats these loops instead of calling this: it runs for every request and must not make a list.
    private func holders(of address: InternetAddress, domain: UInt16) -> [(index: Int, block: PublicPorts.Block?)] {
        var holders: [(index: Int, block: PublicPorts.Block?)] = []
        switch address.family {
        case .v4:
            let value = address.v4Value
            if value != 0, let index = holder(of: value, domain: domain) { holders.append((index, nil)) }
            for block in ports[.init(domain: domain, address: value)] { holders.append((Int(block.session), block)) }
        case .v6:
            for length in 1...64 where prefixLengths[length] > 0 {
                let prefix = address.upperHalf & (UInt64.max << UInt64(64 - length))
                if let index = holder(of: prefix, length: UInt8(length), domain: domain) {
                    holders.append((index, nil))
                }
            }
        }
        return holders.filter { !isGone($0.index) }
    }

    /// The sessions that hold an address in a domain, whatever speaks against them.
    /// - Parameters:
    ///   - port: of whose block; `nil` for all.
    ///   - limit: a shared address has as many sessions as blocks.
    func states(
        of address: InternetAddress, port: UInt16?, domain name: String, at now: Timestamp, limit: Int
    ) -> [SessionState] {
        guard let domain = domain(name) else { return [] }
        return holders(of: address, domain: domain).filter { holder in
            guard let block = holder.block, let port else { return true }
            return block.overlaps(port...port)
        }.prefix(limit).map { state(of: sessions[$0.index], block: $0.block, domain: name, at: now.wholeSeconds) }
    }

    private func state(of session: Session, block: PublicPorts.Block?, domain: String, at now: UInt32) -> SessionState {
        let server = servers[scopes[Int(session.scope)].nas]
        let isKnown = !session.flags.contains(.unsupported) && session.subscription != 0
        func time(_ seconds: UInt32) -> Timestamp { Timestamp(milliseconds: Int64(seconds) * 1000) }
        return SessionState(
            nas: server.name, carrier: server.carrier, domain: domain,
            subscription: isKnown ? session.subscription : nil, ports: block.map { $0.first...$0.last },
            isRoaming: session.flags.contains(.roaming), startedAt: time(session.startedAt),
            heardAt: time(session.heardAt), refusal: refusal(for: session, block: block, at: now),
            doubts: doubts(about: session, block: block, at: now))
    }

    private func doubts(about session: Session, block: PublicPorts.Block?, at now: UInt32) -> [SessionState.Doubt] {
        let isSilent =
            self.isSilent(Int(session.scope), at: now) || block.map { self.isSilent(Int($0.scope), at: now) } == true
        let isInDoubt = isInDoubt(session, block: block, at: now)
        let all: [(SessionState.Doubt, Bool)] = [
            (.stale, isStale(session, at: now)), (.contested, session.flags.contains(.contested)),
            (.suspended, session.flags.contains(.suspended)), (.unsaved, session.flags.contains(.unsaved)),
            (.doubted, session.isDoubted), (.missed, isInDoubt && !session.isDoubted && !isSilent),
            (.silent, isSilent), (.unsupported, session.flags.contains(.unsupported)),
        ]
        return all.filter(\.1).map(\.0)
    }

    /// The sessions that hold an address: one, or it is ambiguous.
    private struct Found {
        var index: Int?
        var block: PublicPorts.Block?
        var isAmbiguous = false

        mutating func add(_ index: Int, _ block: PublicPorts.Block? = nil) {
            guard let first = self.index else {
                (self.index, self.block) = (index, block)
                return
            }
            if first != index { isAmbiguous = true }
        }
    }

    /// The index of a domain. Of few, comparing their names one by one finds it sooner than hashing one.
    private func domain(_ name: String) -> UInt16? {
        guard domainNames.count <= 8 else { return domains[name] }
        return domainNames.firstIndex(of: name).map { UInt16($0) }
    }

    /// - Parameter block: the block of ports that the request came from, if it came through a NAT.
    private func refusal(for session: Session, block: PublicPorts.Block?, at now: UInt32) -> SightingRefusal? {
        if isStale(session, at: now) { return .staleAddress }
        if session.flags.contains(.contested) { return .ambiguousAddress }
        if !session.flags.isDisjoint(with: [.suspended, .unsaved]) { return .unconfirmedAddress }
        if isInDoubt(session, block: block, at: now) { return .unconfirmedAddress }
        if session.flags.contains(.unsupported) { return .unsupportedSubscriber }
        return nil
    }
}
