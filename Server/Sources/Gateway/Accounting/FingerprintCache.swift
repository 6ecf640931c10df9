@_spi(Server) import BenjiProtocol

/// 128 bits that tell a packet or an event from all others for as long as it may be repeated.
struct Fingerprint: Hashable, Sendable {
    private let first: UInt64
    private let second: UInt64

    /// The fingerprint of a packet (RFC 5080 §2.2.2): its authenticator, code and identifier, and the address that it came from.
    /// The port is left out: an attacker who replays a packet chooses it, and the authenticator tells packets apart without it.
    ///
    /// The NAS made the authenticator with the secret, so it is no attacker's choice, and nothing here needs a key.
    init(of packet: Span<UInt8>, from address: InternetAddress) {
        func number(_ start: Int) -> UInt64 { (start..<(start + 8)).reduce(0) { $0 << 8 | UInt64(packet[$1]) } }
        first = number(4) ^ address.upperHalf &* 0x9e37_79b9_7f4a_7c15
        second =
            number(12) ^ address.lowerHalf &* 0xd6e8_feb8_6659_fd93
            ^ (UInt64(packet[0]) << 8 | UInt64(packet[1]))
    }

    /// The fingerprint of an event: the NAS may repeat it in another packet, with a new Acct-Delay-Time.
    init(of event: AccountingEvent) {
        // SipHash with a key of this process: nobody outside can make two events collide.
        first = UInt64(truncatingIfNeeded: Int64(event.hashValue))
        second = event.key.hash
    }

    fileprivate static let none = Fingerprint()

    private init() { (first, second) = (0, 0) }

    fileprivate func slot(in count: Int) -> Int {
        Int(((first ^ second) &* 0x9e37_79b9_7f4a_7c15).multipliedFullWidth(by: UInt64(count)).high)
    }
}

/// What has become of packets and events that were seen lately, by their fingerprints.
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
            young[fingerprint] = newValue ?? .forgotten
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
    /// Fingerprint and state side by side, for a look-up waits for memory once.
    private struct Entry: Sendable {
        var fingerprint = Fingerprint.none
        var state: FingerprintCache.State?
    }

    private var entries: [Entry] = []
    private(set) var count = 0

    subscript(fingerprint: Fingerprint) -> FingerprintCache.State? {
        get { entries.isEmpty ? nil : entries[slot(of: fingerprint)].state }
        set {
            if 2 * (count + 1) > entries.count { grow() }
            let slot = slot(of: fingerprint)
            if entries[slot].state == nil { count += 1 }
            entries[slot] = Entry(fingerprint: fingerprint, state: newValue)
        }
    }

    /// Where a fingerprint stands, or would.
    private func slot(of fingerprint: Fingerprint) -> Int {
        var slot = fingerprint.slot(in: entries.count)
        while entries[slot].state != nil, entries[slot].fingerprint != fingerprint {
            slot += 1
            if slot == entries.count { slot = 0 }
        }
        return slot
    }

    private mutating func grow() {
        let known = entries
        entries = Array(repeating: Entry(), count: max(64, known.count * 2))
        for entry in known where entry.state != nil { entries[slot(of: entry.fingerprint)] = entry }
    }

    mutating func removeAll() {
        for slot in entries.indices { entries[slot].state = nil }
        count = 0
    }
}
