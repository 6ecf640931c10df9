/// Which session holds which ports of which public address, where a NAT puts many subscribers behind one.
struct PublicPorts: Sendable {
    struct Block: Sendable, Hashable {
        var first: UInt16
        var last: UInt16
        var session: UInt32
        /// When it was given, in seconds since 1970; 0 if the reporter is unknown.
        var time: UInt32
        /// The reporter: index in ``Directory/scopes``. A NAT may be another NAS than the session's own.
        var scope: UInt16

        func overlaps(_ ports: ClosedRange<UInt16>) -> Bool { first <= ports.upperBound && last >= ports.lowerBound }
    }

    struct Address: Hashable, Sendable {
        let domain: UInt16
        let address: UInt32
    }

    private var blocks: [Address: ContiguousArray<Block>] = [:]
    /// Ports that had a holder until a moment: an older report does not give them again.
    private struct Former: Sendable {
        let ports: ClosedRange<UInt16>
        var time: UInt32
        /// The hash of the session that gave them back then; `nil` if another session may have held them at that
        /// moment.
        var giver: UInt64?
    }

    private static let formerLimit = 1024

    private var former: [Address: ContiguousArray<Former>] = [:]
    private var forgottenBefore: UInt32 = 0
    /// How many blocks each scope has reported.
    private var counts: [UInt16: Int] = [:]

    subscript(address: Address) -> ContiguousArray<Block> { blocks[address] ?? [] }

    mutating func insert(_ block: Block, at address: Address) {
        blocks[address, default: []].append(block)
        counts[block.scope, default: 0] += 1
    }

    mutating func remove(at address: Address, where condition: (Block) -> Bool) {
        guard var list = blocks.removeValue(forKey: address) else { return }
        list.removeAll { block in
            guard condition(block) else { return false }
            counts[block.scope, default: 0] -= 1
            return true
        }
        if !list.isEmpty { blocks[address] = list }
    }

    /// Puts blocks in doubt until they are given again. Returns their sessions.
    mutating func doubt(at address: Address, where condition: (Block) -> Bool) -> [Int] {
        guard var list = blocks[address] else { return [] }
        let places = list.indices.filter { condition(list[$0]) }
        for place in places { list[place].time = 0 }
        if !places.isEmpty { blocks[address] = list }
        return places.map { Int(list[$0].session) }
    }

    /// Ends a session's blocks. If another session got one of them in the same second, its block is in doubt, because
    /// the order of the two is unknown. Returns the sessions of such blocks.
    mutating func end(_ session: UInt32, at address: Address) -> [Int] {
        let own = self[address].filter { $0.session == session }
        let times = Set(own.map(\.time))
        for block in own { note(block.first...block.last, formerAt: block.time, by: nil, address) }
        return doubt(at: address) { other in
            other.session != session && times.contains(other.time)
                && own.contains { $0.time == other.time && other.overlaps($0.first...$0.last) }
        }
    }

    /// Notes that ports had a holder until this time.
    ///
    /// - Parameter giver: the hash of the session that gave them back, or 0 if it is unknown. `nil` if another session
    ///   may have held them then.
    mutating func note(_ ports: ClosedRange<UInt16>, formerAt time: UInt32, by giver: UInt64?, _ address: Address) {
        var list = former.removeValue(forKey: address) ?? []
        if let place = list.firstIndex(where: { $0.ports == ports }) {
            if list[place].time == time, list[place].giver != giver { list[place].giver = nil }
            if list[place].time < time { (list[place].time, list[place].giver) = (time, giver) }
        } else if list.count < Self.formerLimit {
            list.append(Former(ports: ports, time: time, giver: giver))
        } else {
            // All older reports about this address are refused.
            let newest = list.reduce(time) { max($0, $1.time) }
            list = [Former(ports: 0...UInt16.max, time: newest, giver: nil)]
        }
        former[address] = list
    }

    /// Forgets former holders of before a moment. No report of before it is taken.
    mutating func forget(before moment: UInt32) {
        guard moment != forgottenBefore else { return }
        forgottenBefore = moment
        former = former.compactMapValues { list in
            let rest = ContiguousArray(list.filter { $0.time >= moment })
            return rest.isEmpty ? nil : rest
        }
    }

    /// Whether one of these ports is known to have had a holder after `time`, or at `time` and possibly after this
    /// session.
    func hadHolder(_ ports: ClosedRange<UInt16>, since time: UInt32, for session: UInt64, _ address: Address) -> Bool {
        guard !former.isEmpty, let list = former[address] else { return false }
        return list.contains {
            $0.ports.overlaps(ports)
                && ($0.time > time || $0.time == time && ($0.giver == nil || $0.giver == session))
        }
    }

    var isEmpty: Bool { blocks.isEmpty }

    var count: Int { blocks.values.reduce(0) { $0 + $1.count } }

    /// How many blocks a scope has reported.
    func count(of scope: UInt16) -> Int { counts[scope] ?? 0 }

    /// For each scope the newest block that it gave, in seconds since 1970.
    var newest: [UInt16: UInt32] {
        var newest: [UInt16: UInt32] = [:]
        for list in blocks.values {
            for block in list { newest[block.scope] = max(newest[block.scope] ?? 0, block.time) }
        }
        return newest
    }

    /// The sessions that hold a block which this scope gave until `time`.
    func sessions(reportedBy scope: UInt16, until time: UInt32) -> Set<UInt32> {
        guard count(of: scope) > 0 else { return [] }
        var found: Set<UInt32> = []
        for list in blocks.values {
            for block in list where block.scope == scope && block.time <= time { found.insert(block.session) }
        }
        return found
    }
}
