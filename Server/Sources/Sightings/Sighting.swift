package import BenjiProtocol

/// Which subscription a gateway or the register is speaking of: a row of the register with its current epoch and SIM.
///
/// Three integers, so that a directory of ten million sessions stays small and holds no number.
package struct SubscriptionReference: Hashable, Sendable, Codable {
    /// The register's row for this number and carrier.
    package var subscription: Int64
    /// Counts the persons who have held the number: 1 for the first that we saw.
    package var epoch: Int32
    /// Counts the SIMs inside this epoch: 1 for the first.
    package var simGeneration: Int32

    package init(subscription: Int64, epoch: Int32, simGeneration: Int32) {
        self.subscription = subscription
        self.epoch = epoch
        self.simGeneration = simGeneration
    }
}

/// One life of an address in a directory. Credentials remember it, so that they can be revoked when the gateway learns
/// that the address had already passed to somebody else.
package struct BindingID: RawRepresentable, Hashable, Sendable, Codable {
    package var rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// A gateway's statement about one request: who sent it, as far as the network knows.
///
/// The authority identifies no subscriber by an address. It goes by sightings (see the glossary).
package struct Sighting: Hashable, Sendable, Codable {
    package var subscription: SubscriptionReference
    package var carrier: Carrier
    /// The binding of address to subscription that answered.
    package var binding: BindingID
    /// Name of the gateway that states this, as in its configuration.
    package var gateway: String
    /// When the request was seen.
    package var time: Timestamp
    /// Whether the phone's signed proof named the very address that the network had given to this session. This
    /// distinguishes the phone from a device tethered behind it.
    package var localAddressConfirmed: Bool
    /// Whether the serving network is not the home network (3GPP-SGSN-MCC-MNC differs from the IMSI's).
    package var roaming: Bool
    /// Under which ownership of its pair the gateway states it (``PairFence/fence``); `nil` if it is of no pair.
    package var fence: Int64?

    package init(
        subscription: SubscriptionReference, carrier: Carrier, binding: BindingID, gateway: String, time: Timestamp,
        localAddressConfirmed: Bool, roaming: Bool, fence: Int64? = nil
    ) {
        self.subscription = subscription
        self.carrier = carrier
        self.binding = binding
        self.gateway = gateway
        self.time = time
        self.localAddressConfirmed = localAddressConfirmed
        self.roaming = roaming
        self.fence = fence
    }
}

/// Why a gateway cannot say who sent a request. Every one of them ends the login (decision 13).
package enum SightingRefusal: String, Error, Sendable, Codable, CaseIterable {
    /// No live session holds the address: Wi-Fi, a VPN, another network.
    case unknownAddress
    /// A session holds it, but nothing was heard of it for longer than its lease.
    case staleAddress
    /// More than one subscription may be behind this address and port.
    case ambiguousAddress
    /// News of this address may have been missed: the directory has just started, accounting was lost, or something was
    /// said that does not fit. It ends when the session is heard of again.
    case unconfirmedAddress
    /// The session's number belongs to a range that cannot log in (M2M, IoT card, unsupported carrier).
    case unsupportedSubscriber
}
