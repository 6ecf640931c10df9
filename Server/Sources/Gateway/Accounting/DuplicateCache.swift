import BenjiProtocol

/// What tells a packet from all others for as long as it may be repeated (RFC 5080 §2.2.2). Not the port that it came
/// from: whoever replays a packet chooses that, and the authenticator tells packets apart without it.
struct PacketFingerprint: Hashable, Sendable {
    let address: InternetAddress
    let code: UInt8
    let identifier: UInt8
    /// The sixteen bytes of the authenticator.
    private let authenticator: (UInt64, UInt64)

    init(address: InternetAddress, code: UInt8, identifier: UInt8, authenticator: ArraySlice<UInt8>) {
        (self.address, self.code, self.identifier) = (address, code, identifier)
        func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.authenticator = (number(authenticator.prefix(8)), number(authenticator.dropFirst(8)))
    }

    static func == (left: PacketFingerprint, right: PacketFingerprint) -> Bool {
        left.authenticator == right.authenticator && left.address == right.address && left.code == right.code
            && left.identifier == right.identifier
    }

    // The authenticator tells packets apart but for repetitions; the NAS made it with the secret, so it is no attacker's.
    func hash(into hasher: inout Hasher) {
        hasher.combine(authenticator.0)
        hasher.combine(authenticator.1)
    }
}

/// Remembers answers, so that a repeated packet gets the same one and changes nothing.
///
/// Bounded: two generations, of which the older is forgotten when the younger is full.
struct DuplicateCache: Sendable {
    enum State: Sendable, Hashable {
        case inProgress
        case answered([UInt8])
        /// Not answered, because it could not be dated; what it may mean has been noted.
        case noted
    }

    private var young: [PacketFingerprint: State] = [:]
    private var old: [PacketFingerprint: State] = [:]
    private let limit: Int

    init(limit: Int) { self.limit = max(limit / 2, 1) }

    subscript(fingerprint: PacketFingerprint) -> State? {
        get { young[fingerprint] ?? old[fingerprint] }
        set {
            if newValue == nil { old[fingerprint] = nil }
            young[fingerprint] = newValue
            if young.count > limit {
                old = young
                young = Dictionary(minimumCapacity: limit + 1)
            }
        }
    }

    var count: Int { young.count + old.count }
}

/// Events that were applied, as hashes: a packet repeated with a new Acct-Delay-Time has another identifier and
/// authenticator, but says the same.
struct AppliedEvents: Sendable {
    private var young: Set<Int> = []
    private var old: Set<Int> = []
    private let limit: Int

    init(limit: Int) { self.limit = max(limit / 2, 1) }

    // `hashValue` is SipHash with a key of this process: nobody outside can make two events collide.
    func contains(_ event: AccountingEvent) -> Bool {
        let hash = event.hashValue
        return young.contains(hash) || old.contains(hash)
    }

    mutating func insert(_ event: AccountingEvent) {
        young.insert(event.hashValue)
        if young.count > limit {
            old = young
            young = []
        }
    }
}

/// A bucket that holds one second's worth of packets.
struct RateBucket: Sendable {
    private let perSecond: Int64
    private var filledAt: Int64 = .min
    /// In thousandths of a packet.
    private var level: Int64

    init(perSecond: Int) {
        self.perSecond = Int64(perSecond)
        level = Int64(perSecond) * 1000
    }

    mutating func take(at milliseconds: Int64) -> Bool {
        if filledAt == .min { filledAt = milliseconds }
        let elapsed = min(max(milliseconds - filledAt, 0), 1000)
        // A clock that was set back refills from there.
        filledAt = milliseconds
        level = min(level + elapsed * perSecond, perSecond * 1000)
        guard level >= 1000 else { return false }
        level -= 1000
        return true
    }
}
