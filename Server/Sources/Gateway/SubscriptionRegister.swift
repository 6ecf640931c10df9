@_spi(Server) package import BenjiProtocol
package import Sightings

/// What a gateway needs from the register of subscriptions.
package protocol SubscriptionRegister: Sendable {
    /// Notes who was seen and answers which subscription each is, in the same order.
    ///
    /// Durable before it returns. `nil` for a number that cannot log in. When it throws, no packet of the batch that
    /// needed it is answered, and the NAS repeats them.
    func observe(_ observations: [SubscriptionObservation]) async throws -> [SubscriptionReference?]

    /// Ends every credential that was earned through one of these bindings: the address had passed to somebody else
    /// before we knew.
    ///
    /// Must bear being called again for the same bindings.
    func revoke(_ bindings: [BindingID]) async throws
}

/// Number and SIM as one accounting packet names them. Prints neither.
package struct SubscriptionObservation: Hashable, Sendable {
    package var number: PhoneNumber
    /// A secret like the number. `nil` when the packet did not tell: that is no change of SIM.
    package var imsi: String?
    package var carrier: Carrier
    /// When the network says it happened.
    package var eventTime: Timestamp
    /// Whether a session begins with it, as far as we know: a Start, or an Interim-Update of a session that is new to us.
    package var startsSession: Bool
    /// Name of the gateway that heard it.
    package var gateway: String

    package init(
        number: PhoneNumber, imsi: String?, carrier: Carrier, eventTime: Timestamp, startsSession: Bool, gateway: String
    ) {
        self.startsSession = startsSession
        self.number = number
        self.imsi = imsi
        self.carrier = carrier
        self.eventTime = eventTime
        self.gateway = gateway
    }
}

extension SubscriptionObservation: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "SubscriptionObservation(\(number.masked), \(carrier))" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
