@_spi(Server) import BenjiProtocol
import Sightings

/// One live session: who holds which addresses, and until when that may be believed. The table packs it
/// (``PackedSession``).
struct Session: Hashable, Sendable {
    /// The register's row; meaningless if ``Flags/unsupported``, and 0 if it was erased.
    var subscription: Int64
    var binding: Int64
    /// Upper half of the IPv6 prefix; meaningless if ``prefixLength`` is 0.
    var prefix: UInt64
    var epoch: Int32
    var simGeneration: Int32
    var key: SessionKey
    /// Framed-IP-Address, 0 for none.
    var address: UInt32
    /// A public address on which the session holds port blocks, 0 for none. Further ones are in
    /// ``Directory/furtherPublicAddresses``.
    var publicAddress: UInt32
    /// When this life of the session began, in seconds since 1970.
    var startedAt: UInt32
    /// The newest event that was heard of it.
    var heardAt: UInt32
    /// A keyed hash of Calling-Station-Id and IMSI, 0 if not known. It shows that a packet names the same subscriber
    /// without storing the identity.
    var identity: UInt32
    /// The session may have lost its addresses, until an event later than this second arrives; 0 if nothing is in
    /// doubt.
    var doubtedAt: UInt32
    /// Index of the NAS as it calls itself, in ``Directory/scopes``.
    var scope: UInt16
    var prefixLength: UInt8
    var flags: Flags

    struct Flags: OptionSet, Sendable, Hashable {
        let rawValue: UInt8

        // The lowest two bits of older journals named one of three carriers. No reader uses them.
        static let roaming = Flags(rawValue: 1 << 2)
        /// The session's number cannot log in, or is not known.
        static let unsupported = Flags(rawValue: 1 << 3)
        /// Two sessions claim an address and their events do not say which is right.
        static let contested = Flags(rawValue: 1 << 4)
        /// An event that may take an address away was heard and is not applied yet.
        static let suspended = Flags(rawValue: 1 << 5)
        /// Its last change could not be written to the journal.
        static let unsaved = Flags(rawValue: 1 << 7)

        /// The flags that the journal keeps: facts, not doubts that end with the process.
        static let durable: Flags = [roaming, unsupported, contested]
    }

    static let free = Session(
        subscription: 0, binding: 0, prefix: 0, epoch: 0, simGeneration: 0, key: .none, address: 0, publicAddress: 0,
        startedAt: 0, heardAt: 0, identity: 0, doubtedAt: 0, scope: 0, prefixLength: 0, flags: [])

    var isFree: Bool { key == .none }

    /// Whether something was heard that may have taken its addresses away, and nothing newer of the session itself.
    var isDoubted: Bool { heardAt <= doubtedAt }

    var reference: SubscriptionReference {
        get { SubscriptionReference(subscription: subscription, epoch: epoch, simGeneration: simGeneration) }
        set {
            subscription = newValue.subscription
            epoch = newValue.epoch
            simGeneration = newValue.simGeneration
        }
    }

    /// Whether an IPv6 address is of the prefix that the session was given.
    func hasPrefix(of address: InternetAddress) -> Bool {
        prefixLength > 0 && address.upperHalf & (UInt64.max << UInt64(64 - prefixLength)) == prefix
    }

    /// Whether both are known to be the same person: the same subscription in the same epoch.
    func isSamePerson(as other: Session) -> Bool {
        !flags.contains(.unsupported) && !other.flags.contains(.unsupported)
            && subscription == other.subscription && subscription != 0 && epoch == other.epoch
    }
}
