package import BenjiProtocol

/// A session that holds an address, for an operator who asks why a phone there is not recognised. It holds no number.
package struct SessionState: Sendable, Hashable {
    /// Why a session is not believed now.
    package enum Doubt: String, Sendable, CaseIterable {
        /// Nothing was heard of it for longer than its lease.
        case stale
        /// Two sessions claim the address, and their events do not say which is right.
        case contested
        /// An event that may take the address away is being written down.
        case suspended
        /// Its last change could not be written to the journal.
        case unsaved
        /// Something was heard that may have taken its address away, and nothing newer of the session itself.
        case doubted
        /// News of it may have been lost: packets were, or the gateway has just begun.
        case missed
        /// Its NAS has been silent for longer than it may be.
        case silent
        /// Its number is of a range that cannot log in, or is not known.
        case unsupported
    }

    /// The NAS as the configuration calls it.
    package var nas: String
    package var carrier: Carrier
    /// The ip-domain of the address.
    package var domain: String
    /// The register's row; `nil` if there is none of it.
    package var subscription: Int64?
    /// The ports of the address that are the session's, where a NAT shares the address; `nil` if all are.
    package var ports: ClosedRange<UInt16>?
    package var isRoaming: Bool
    /// When this life of the session began, and when it was last heard of: the NAS's own times.
    package var startedAt: Timestamp
    package var heardAt: Timestamp
    /// The refusal that a login from there would get; `nil` if it would succeed.
    package var refusal: SightingRefusal?
    package var doubts: [Doubt]

    package init(
        nas: String, carrier: Carrier, domain: String, subscription: Int64?, ports: ClosedRange<UInt16>?,
        isRoaming: Bool,
        startedAt: Timestamp, heardAt: Timestamp, refusal: SightingRefusal?, doubts: [Doubt]
    ) {
        self.nas = nas
        self.carrier = carrier
        self.domain = domain
        self.subscription = subscription
        self.ports = ports
        self.isRoaming = isRoaming
        self.startedAt = startedAt
        self.heardAt = heardAt
        self.refusal = refusal
        self.doubts = doubts
    }
}

/// Finds the sessions that hold an address, in a gateway of this process.
///
/// - Parameters:
///   - port: the source port of a connection; `nil` for all sessions behind a shared address.
///   - domain: an ip-domain; `nil` for all.
package typealias SessionFinder =
    @Sendable (_ address: InternetAddress, _ port: UInt16?, _ domain: String?) -> [SessionState]
