import BenjiProtocol

extension Directory {
    /// Mixes with a secret of this process, so that nobody outside can choose addresses that collide.
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
        return SessionKey(scope: "\nvacant\n" + domainNames[Int(domain)], sessionID: bytes.bytes)
    }

    func vacancyKey(_ prefix: UInt64, length: UInt8, domain: UInt16) -> SessionKey {
        var bytes = JournalEncoder()
        bytes.append(prefix)
        bytes.append(length)
        return SessionKey(scope: "\nvacant\n" + domainNames[Int(domain)], sessionID: bytes.bytes)
    }

    func place(of key: SessionKey) -> Int? { byKey.find(key.hash) { sessions.key($0) == key } }

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

    mutating func setAddress(_ address: UInt32, of place: Int) {
        let (table, scopes, seed) = (sessions, scopes, seed)
        func hash(_ place: Int) -> UInt64 {
            Self.mix(UInt64(table.address(place)), UInt64(scopes[Int(table.scope(place))].domain), seed: seed)
        }
        if table.address(place) != 0 { byAddress.remove(place, hash: hash(place), rehash: hash) }
        if address != 0 {
            let own = addressHash(address, domain: scopes[Int(table.scope(place))].domain)
            byAddress.insert(place, hash: own, rehash: hash)
        }
    }

    mutating func setPrefix(_ prefix: UInt64, length: UInt8, of place: Int) {
        let (table, scopes, seed) = (sessions, scopes, seed)
        func hash(_ place: Int) -> UInt64 {
            let session = table[place]
            let domain = UInt64(scopes[Int(session.scope)].domain)
            return Self.mix(session.prefix, domain << 8 | UInt64(session.prefixLength), seed: ~seed)
        }
        let oldLength = table[place].prefixLength
        if oldLength != 0 {
            byPrefix.remove(place, hash: hash(place), rehash: hash)
            prefixLengths[Int(oldLength)] -= 1
        }
        if length != 0 {
            let own = prefixHash(prefix, length: length, domain: scopes[Int(table.scope(place))].domain)
            byPrefix.insert(place, hash: own, rehash: hash)
            prefixLengths[Int(length)] += 1
        }
    }

    mutating func insert(_ session: Session) -> Int {
        let place = sessions.insert(session)
        scopes[Int(session.scope)].sessions += 1
        insertKey(of: place)
        return place
    }

    /// Takes a session and all its addresses, blocks and further bearers out.
    mutating func remove(_ place: Int) {
        replaceAddress(0, of: place)
        replacePrefix(0, length: 0, of: place)
        removeBlocks(of: place)
        for alias in aliasesOf.removeValue(forKey: place) ?? [] { aliases[alias] = nil }
        removeKey(of: place)
        scopes[Int(sessions.scope(place))].sessions -= 1
        sessions.remove(at: place)
    }

    // The copies of the table in these functions end with them, so that the table is the only one again when it is
    // written to.
    private mutating func removeKey(of place: Int) {
        let table = sessions
        byKey.remove(place, hash: table.key(place).hash) { table.key($0).hash }
    }

    private mutating func insertKey(of place: Int) {
        let table = sessions
        byKey.insert(place, hash: table.key(place).hash) { table.key($0).hash }
    }

    mutating func replaceAddress(_ address: UInt32, of place: Int) {
        guard sessions[place].address != address else { return }
        setAddress(address, of: place)
        sessions[place].address = address
    }

    mutating func replacePrefix(_ prefix: UInt64, length: UInt8, of place: Int) {
        guard sessions[place].prefix != prefix || sessions[place].prefixLength != length else { return }
        setPrefix(prefix, length: length, of: place)
        sessions[place].prefix = prefix
        sessions[place].prefixLength = length
    }

    mutating func removeBlocks(of place: Int) {
        guard sessions[place].publicAddress != 0 else { return }
        let domain = scopes[Int(sessions.scope(place))].publicDomain
        for address in publicAddresses(of: place) {
            ports.remove(at: .init(domain: domain, address: address)) { $0.session == UInt32(place) }
        }
        sessions[place].publicAddress = 0
        furtherPublicAddresses[place] = nil
    }

    func publicAddresses(of place: Int) -> [UInt32] {
        let first = sessions[place].publicAddress
        return first == 0 ? [] : [first] + (furtherPublicAddresses[place] ?? [])
    }
}
