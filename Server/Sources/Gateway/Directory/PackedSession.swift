/// A ``Session`` in 52 bytes, of which nothing is lost; the few that do not fit are kept whole beside
/// (``SessionTable``).
///
/// A 64-bit number becomes one byte for its upper 24 bits, of which a gateway has few different ones (``UpperBits``),
/// and its lower 40 bits. A time of beginning is the distance from the time when the session was last heard of.
struct PackedSession: Sendable {
    private var keyA: UInt32
    private var keyB: UInt32
    private var keyC: UInt32
    private(set) var address: UInt32
    private(set) var heardAt: UInt32
    private var identity: UInt32
    private var bindingLow: UInt32
    private var prefixLow: UInt32
    private var subscriptionLow: UInt32
    /// 24 bits of age, 8 of flags.
    private var ageAndFlags: UInt32
    /// 12 bits of epoch, 12 of SIM generation, 8 of prefix length.
    private var lineage: UInt32
    /// The fifth bytes of binding, prefix and subscription, and the index of the binding's upper bits.
    private var fifths: UInt32
    private(set) var scope: UInt16
    private var prefixUpper: UInt8
    private var subscriptionUpper: UInt8

    static let free = PackedSession(
        keyA: 0, keyB: 0, keyC: 0, address: 0, heardAt: 0, identity: 0, bindingLow: 0, prefixLow: 0,
        subscriptionLow: 0, ageAndFlags: 0, lineage: 0, fifths: 0, scope: 0, prefixUpper: 0, subscriptionUpper: 0)

    var key: SessionKey { SessionKey(a: keyA, b: keyB, c: keyC) }
    private var prefixLength: UInt8 { UInt8(truncatingIfNeeded: lineage) }
    var startedAt: UInt32 { heardAt &+ 1 &- (ageAndFlags >> 8) }
    var isFree: Bool { keyA == 0 && keyB == 0 && keyC == 0 }

    /// The parts that are kept separately, in bits that ``Session/Flags`` does not use.
    enum Beside {
        static let doubt: UInt8 = 1 << 0
        static let publicAddress: UInt8 = 1 << 1
        /// All of it: it does not fit.
        static let session: UInt8 = 1 << 6
        static let all = doubt | publicAddress | session
    }

    var beside: UInt8 { UInt8(truncatingIfNeeded: ageAndFlags) & Beside.all }
}

/// The upper 24 bits of numbers: the first 256 different ones that occur.
struct UpperBits: Sendable {
    private var values: [UInt32] = []
    /// The index that was given last: most numbers that are packed are neighbours of the one before.
    private var last = 0

    /// The index of a number's upper bits; `nil` if it is not known and there is no room.
    mutating func index(of number: UInt64) -> UInt8? {
        let upper = UInt32(truncatingIfNeeded: number >> 40)
        if last < values.count, values[last] == upper { return UInt8(truncatingIfNeeded: last) }
        guard let index = values.firstIndex(of: upper) else {
            guard values.count < 256 else { return nil }
            values.append(upper)
            last = values.count - 1
            return UInt8(truncatingIfNeeded: last)
        }
        last = index
        return UInt8(truncatingIfNeeded: index)
    }

    func number(_ index: UInt8, low: UInt64) -> UInt64 { UInt64(values[Int(index)]) << 40 | low }
}

extension PackedSession {
    /// `nil` if the session does not fit.
    ///
    /// - Parameter beside: what of it is kept beside.
    init?(
        _ session: Session, beside: UInt8, bindings: inout UpperBits, prefixes: inout UpperBits,
        subscriptions: inout UpperBits
    ) {
        let (binding, subscription) = (UInt64(bitPattern: session.binding), UInt64(bitPattern: session.subscription))
        // A session may begin in the second after the one in which it was heard of.
        let age = Int64(session.heardAt) + 1 - Int64(session.startedAt)
        guard let bindingUpper = bindings.index(of: binding), let prefixUpper = prefixes.index(of: session.prefix),
            let subscriptionUpper = subscriptions.index(of: subscription), (0..<(1 << 24)).contains(age),
            (0..<(1 << 12)).contains(session.epoch), (0..<(1 << 12)).contains(session.simGeneration)
        else { return nil }
        func fifth(_ number: UInt64, _ index: UInt64) -> UInt32 { UInt32(number >> 32 & 0xff) << UInt32(index * 8) }
        self.init(
            keyA: session.key.a, keyB: session.key.b, keyC: session.key.c, address: session.address,
            heardAt: session.heardAt, identity: session.identity, bindingLow: UInt32(truncatingIfNeeded: binding),
            prefixLow: UInt32(truncatingIfNeeded: session.prefix),
            subscriptionLow: UInt32(truncatingIfNeeded: subscription),
            ageAndFlags: UInt32(age) << 8 | UInt32(session.flags.rawValue & ~Beside.all | beside),
            lineage: UInt32(session.epoch) << 20 | UInt32(session.simGeneration) << 8 | UInt32(session.prefixLength),
            fifths: fifth(binding, 0) | fifth(session.prefix, 1) | fifth(subscription, 2) | UInt32(bindingUpper) << 24,
            scope: session.scope, prefixUpper: prefixUpper, subscriptionUpper: subscriptionUpper)
    }

    /// One that stands for a session which is kept whole beside, and holds what the indexes ask for.
    init(standingFor session: Session) {
        self = .free
        (keyA, keyB, keyC) = (session.key.a, session.key.b, session.key.c)
        (address, heardAt, scope) = (session.address, session.heardAt, session.scope)
        ageAndFlags = UInt32(Beside.session)
    }

    /// The session without the parts that are kept separately.
    func session(
        bindings: borrowing UpperBits, prefixes: borrowing UpperBits, subscriptions: borrowing UpperBits
    ) -> Session {
        func low(_ low: UInt32, _ index: UInt32) -> UInt64 { UInt64(fifths >> (index * 8) & 0xff) << 32 | UInt64(low) }
        let binding = bindings.number(UInt8(fifths >> 24), low: low(bindingLow, 0))
        let subscription = subscriptions.number(subscriptionUpper, low: low(subscriptionLow, 2))
        return Session(
            subscription: Int64(bitPattern: subscription), binding: Int64(bitPattern: binding),
            prefix: prefixes.number(prefixUpper, low: low(prefixLow, 1)), epoch: Int32(lineage >> 20),
            simGeneration: Int32(lineage >> 8 & 0xfff), key: key, address: address, publicAddress: 0,
            startedAt: startedAt, heardAt: heardAt, identity: identity, doubtedAt: 0,
            scope: scope, prefixLength: prefixLength,
            flags: Session.Flags(rawValue: UInt8(truncatingIfNeeded: ageAndFlags) & ~Beside.all))
    }
}
