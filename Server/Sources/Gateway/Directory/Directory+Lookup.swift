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
        guard let domain = domains[domain] else { return .failure(.unknownAddress) }
        var found: (index: Int, block: PublicPorts.Block?)?
        var isAmbiguous = false
        func consider(_ index: Int, block: PublicPorts.Block? = nil) {
            guard !isGone(index) else { return }
            if let found, found.index != index { isAmbiguous = true }
            found = found ?? (index, block)
        }
        switch address.family {
        case .v4:
            let value = address.v4Value
            if value != 0, let index = holder(of: value, domain: domain) { consider(index) }
            for block in ports[.init(domain: domain, address: value)] {
                if port == 0 { isAmbiguous = true }
                if block.overlaps(port...port) { consider(Int(block.session), block: block) }
            }
        case .v6:
            for length in 1...64 where prefixLengths[length] > 0 {
                let prefix = address.upperHalf & (UInt64.max << UInt64(64 - length))
                if let index = holder(of: prefix, length: UInt8(length), domain: domain) {
                    consider(index)
                }
            }
        }
        if isAmbiguous { return .failure(.ambiguousAddress) }
        guard let found else { return .failure(.unknownAddress) }
        let session = sessions[found.index]
        if let refusal = refusal(for: session, block: found.block, at: now.wholeSeconds) {
            return .failure(refusal)
        }
        return .success(session)
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
