@_spi(Server) import BenjiProtocol

/// 128 bits that tell a packet or an event from all others for as long as it may be repeated.
struct Fingerprint: Hashable, Sendable {
    private let first: UInt64
    private let second: UInt64

    /// The fingerprint of a packet (RFC 5080 §2.2.2): its authenticator, code, identifier and source address. The port
    /// is left out: an attacker who replays a packet chooses it, and the authenticator alone distinguishes packets.
    ///
    /// The NAS made the authenticator with the secret, so it is no attacker's choice, and nothing here needs a key.
    init(of packet: Span<UInt8>, from address: InternetAddress) {
        func number(_ start: Int) -> UInt64 { (start..<(start + 8)).reduce(0) { $0 << 8 | UInt64(packet[$1]) } }
        first = number(4) ^ address.upperHalf &* 0x9e37_79b9_7f4a_7c15
        second =
            number(12) ^ address.lowerHalf &* 0xd6e8_feb8_6659_fd93
            ^ (UInt64(packet[0]) << 8 | UInt64(packet[1]))
    }

    /// The fingerprint of a packet that came through a connection, whose identifiers are its own (RFC 6613 §2.6.1).
    /// Sent again through another one, where answers to the first cannot arrive, it is another packet about the same
    /// event.
    init(of packet: Span<UInt8>, through connection: DatagramBatch.Connection) {
        func number(_ start: Int) -> UInt64 { (start..<(start + 8)).reduce(0) { $0 << 8 | UInt64(packet[$1]) } }
        let number64 = UInt64(truncatingIfNeeded: connection.number)
        first = number(4) ^ ~number64 &* 0x9e37_79b9_7f4a_7c15
        second = number(12) ^ number64 &* 0xd6e8_feb8_6659_fd93 ^ (UInt64(packet[0]) << 8 | UInt64(packet[1]))
    }

    /// The fingerprint of an event: the NAS may repeat it in another packet, with a new Acct-Delay-Time.
    init(of event: AccountingEvent) {
        // SipHash with a key of this process: no outsider can make two events collide.
        first = UInt64(truncatingIfNeeded: Int64(event.hashValue))
        second = event.key.hash
    }

    fileprivate static let none = Fingerprint()

    private init() { (first, second) = (0, 0) }

    fileprivate func slot(in count: Int) -> Int {
        Int(((first ^ second) &* 0x9e37_79b9_7f4a_7c15).multipliedFullWidth(by: UInt64(count)).high)
    }

    /// Five bits of it, where a mark has them.
    fileprivate var tag: UInt8 { UInt8(truncatingIfNeeded: second) & ~FingerprintTable.stateMask }
}

/// The states of recently seen packets and events, by their fingerprints.
///
/// Bounded: two generations, of which the older is forgotten when the younger is full.
struct FingerprintCache: Sendable {
    enum State: UInt8, Sendable {
        /// Taken back: as if it had not been seen.
        case forgotten = 1
        case inProgress
        /// Answered or applied.
        case done
        /// Not answered, because it could not be dated; what it may mean has been noted.
        case noted
    }

    private var young = FingerprintTable()
    private var old = FingerprintTable()
    private let limit: Int

    init(limit: Int) { self.limit = max(limit / 2, 1) }

    subscript(fingerprint: Fingerprint) -> State? {
        get {
            guard let state = young[fingerprint] ?? old[fingerprint], state != .forgotten else { return nil }
            return state
        }
        set {
            young.set(newValue ?? .forgotten, of: fingerprint)
            if young.count > limit {
                swap(&young, &old)
                young.removeAll()
            }
        }
    }

    var count: Int { young.count + old.count }
}

/// A table of fingerprints that are never removed one by one: open addressing, at most half full.
private struct FingerprintTable: Sendable {
    /// The bits of a mark that say the state; the others are the fingerprint's.
    static let stateMask: UInt8 = 7

    /// For each slot a mark: the state of its fingerprint and five bits of the fingerprint; 0 if it is free. With one
    /// byte a slot the marks stay in a processor's cache. Nearly every packet is new, and the marks alone show that.
    private var marks: [UInt8] = []
    private var fingerprints: [Fingerprint] = []
    private(set) var count = 0

    subscript(fingerprint: Fingerprint) -> FingerprintCache.State? {
        guard !marks.isEmpty else { return nil }
        return FingerprintCache.State(rawValue: marks[slot(of: fingerprint)] & Self.stateMask)
    }

    mutating func set(_ state: FingerprintCache.State, of fingerprint: Fingerprint) {
        if 2 * (count + 1) > marks.count { grow() }
        let slot = slot(of: fingerprint)
        if marks[slot] == 0 {
            count += 1
            fingerprints[slot] = fingerprint
        }
        marks[slot] = fingerprint.tag | state.rawValue
    }

    /// Where a fingerprint stands, or would.
    private func slot(of fingerprint: Fingerprint) -> Int {
        let tag = fingerprint.tag
        var slot = fingerprint.slot(in: marks.count)
        while marks[slot] != 0, marks[slot] & ~Self.stateMask != tag || fingerprints[slot] != fingerprint {
            slot += 1
            if slot == marks.count { slot = 0 }
        }
        return slot
    }

    private mutating func grow() {
        let known = (marks, fingerprints)
        let size = max(64, known.0.count * 2)
        marks = Array(repeating: 0, count: size)
        fingerprints = Array(repeating: .none, count: size)
        for (mark, fingerprint) in zip(known.0, known.1) where mark != 0 {
            let slot = slot(of: fingerprint)
            (marks[slot], fingerprints[slot]) = (mark, fingerprint)
        }
    }

    mutating func removeAll() {
        for slot in marks.indices { marks[slot] = 0 }
        count = 0
    }
}
