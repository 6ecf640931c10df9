@_spi(Server) import BenjiProtocol

extension Directory {
    /// Mixes with a secret of this process, so that no outsider can choose addresses that collide.
    static func mix(_ value: UInt64, _ domain: UInt64, seed: UInt64) -> UInt64 {
        let first = (value ^ seed).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15 ^ (domain << 32))
        let second = (first.high ^ first.low ^ domain).multipliedFullWidth(by: 0xd6e8_feb8_6659_fd93)
        return second.high ^ second.low
    }

    func addressHash(_ address: UInt32, domain: UInt16) -> UInt64 {
        Self.mix(UInt64(address), UInt64(domain), seed: seed)
    }

    func prefixHash(_ prefix: UInt64, length: UInt8, domain: UInt16) -> UInt64 {
        Self.mix(prefix, UInt64(domain) << 8 | UInt64(length), seed: ~seed)
    }

    /// The name under which ``ClosedSessions`` knows an address, the same in every run.
    func vacancyKey(_ address: UInt32, domain: UInt16) -> SessionKey {
        var bytes = JournalEncoder()
        bytes.append(address)
        return SessionKey(scope: vacancyNames[Int(domain)], sessionID: bytes.bytes)
    }

    func vacancyKey(_ prefix: UInt64, length: UInt8, domain: UInt16) -> SessionKey {
        var bytes = JournalEncoder()
        bytes.append(prefix)
        bytes.append(length)
        return SessionKey(scope: vacancyNames[Int(domain)], sessionID: bytes.bytes)
    }

    /// Has the places of the indexes fetched where an event's session and address stand.
    func prefetch(indexesOf event: AccountingEvent) {
        guard event.kind != .reset else { return }
        byKey.prefetch(event.key.hash)
        guard let address = event.address, domainsOfServers.indices.contains(event.nas) else { return }
        byAddress.prefetch(addressHash(address.v4Value, domain: domainsOfServers[event.nas].domain))
    }

    /// Has an event's session fetched, after ``prefetch(indexesOf:)``.
    func prefetch(sessionOf event: AccountingEvent) {
        guard event.kind != .reset, let index = byKey.firstLike(event.key.hash) else { return }
        sessions.prefetch(index)
    }

    func index(of key: SessionKey) -> Int? { byKey.find(key.hash) { sessions.key($0) == key } }

    func holder(of address: UInt32, domain: UInt16) -> Int? {
        byAddress.find(addressHash(address, domain: domain)) {
            sessions.address($0) == address && scopes[Int(sessions.scope($0))].domain == domain
        }
    }

    func holder(of prefix: UInt64, length: UInt8, domain: UInt16) -> Int? {
        byPrefix.find(prefixHash(prefix, length: length, domain: domain)) {
            let session = sessions[$0]
            return session.prefix == prefix && session.prefixLength == length
                && scopes[Int(session.scope)].domain == domain
        }
    }

    mutating func setAddress(_ address: UInt32, of index: Int) {
        let (table, scopes, seed) = (sessions, scopes, seed)
        func hash(_ index: Int) -> UInt64 {
            Self.mix(UInt64(table.address(index)), UInt64(scopes[Int(table.scope(index))].domain), seed: seed)
        }
        if table.address(index) != 0 { byAddress.remove(index, hash: hash(index), rehash: hash) }
        if address != 0 {
            let own = addressHash(address, domain: scopes[Int(table.scope(index))].domain)
            byAddress.insert(index, hash: own, rehash: hash)
        }
    }

    mutating func setPrefix(_ prefix: UInt64, length: UInt8, of index: Int) {
        let (table, scopes, seed) = (sessions, scopes, seed)
        func hash(_ index: Int) -> UInt64 {
            let session = table[index]
            let domain = UInt64(scopes[Int(session.scope)].domain)
            return Self.mix(session.prefix, domain << 8 | UInt64(session.prefixLength), seed: ~seed)
        }
        let oldLength = table[index].prefixLength
        if oldLength != 0 {
            byPrefix.remove(index, hash: hash(index), rehash: hash)
            prefixLengths[Int(oldLength)] -= 1
        }
        if length != 0 {
            let own = prefixHash(prefix, length: length, domain: scopes[Int(table.scope(index))].domain)
            byPrefix.insert(index, hash: own, rehash: hash)
            prefixLengths[Int(length)] += 1
        }
    }

    mutating func insert(_ session: Session) -> Int {
        let index = sessions.insert(session)
        scopes[Int(session.scope)].sessions += 1
        insertKey(of: index)
        return index
    }

    /// Takes a session and all its addresses, blocks and further bearers out.
    ///
    /// - Parameter losesBlocks: see ``removeBlocks(of:losesBlocks:)``.
    /// - Returns: the sessions that have blocks in doubt now.
    @discardableResult
    mutating func remove(_ index: Int, losesBlocks: Bool = true) -> [Int] {
        replaceAddress(0, of: index)
        replacePrefix(0, length: 0, of: index)
        let doubted = removeBlocks(of: index, losesBlocks: losesBlocks)
        for alias in aliasesOf.removeValue(forKey: index) ?? [] { aliases[alias] = nil }
        removeKey(of: index)
        scopes[Int(sessions.scope(index))].sessions -= 1
        sessions.remove(at: index)
        return doubted
    }

    // The copies of the table in these functions end with them, so that the table is the only one again when it is
    // written to.
    private mutating func removeKey(of index: Int) {
        let table = sessions
        byKey.remove(index, hash: table.key(index).hash) { table.key($0).hash }
    }

    private mutating func insertKey(of index: Int) {
        let table = sessions
        byKey.insert(index, hash: table.key(index).hash) { table.key($0).hash }
    }

    mutating func replaceAddress(_ address: UInt32, of index: Int) {
        guard sessions.address(index) != address else { return }
        setAddress(address, of: index)
        sessions[index].address = address
    }

    mutating func replacePrefix(_ prefix: UInt64, length: UInt8, of index: Int) {
        guard sessions[index].prefix != prefix || sessions[index].prefixLength != length else { return }
        setPrefix(prefix, length: length, of: index)
        sessions[index].prefix = prefix
        sessions[index].prefixLength = length
    }

    /// Takes a session's blocks out.
    ///
    /// - Parameter losesBlocks: whether it has lost them, as in ``PublicPorts/end(_:at:)``. If not, they are put back.
    /// - Returns: the sessions that have blocks in doubt now.
    mutating func removeBlocks(of index: Int, losesBlocks: Bool = true) -> [Int] {
        guard sessions[index].publicAddress != 0 else { return [] }
        var doubted: [Int] = []
        let domain = scopes[Int(sessions.scope(index))].publicDomain
        for address in publicAddresses(of: index) {
            let site = PublicPorts.Address(domain: domain, address: address)
            if losesBlocks { doubted += ports.end(UInt32(index), at: site) }
            ports.remove(at: site) { $0.session == UInt32(index) }
        }
        sessions[index].publicAddress = 0
        furtherPublicAddresses[index] = nil
        return doubted
    }

    /// Calls a function with each port block of a session and the public address that it is at.
    func forEachBlock(of index: Int, _ body: (PublicPorts.Address, PublicPorts.Block) -> Void) {
        let domain = scopes[Int(sessions.scope(index))].publicDomain
        for address in publicAddresses(of: index) {
            let site = PublicPorts.Address(domain: domain, address: address)
            for block in ports[site] where block.session == UInt32(index) { body(site, block) }
        }
    }

    func publicAddresses(of index: Int) -> [UInt32] {
        let first = sessions[index].publicAddress
        return first == 0 ? [] : [first] + (furtherPublicAddresses[index] ?? [])
    }
}
