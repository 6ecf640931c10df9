package import BenjiProtocol

/// The number and SIM of a subscriber, as one accounting packet names them.
package struct SubscriberObservation: Hashable, Sendable {
    package var number: PhoneNumber
    /// International Mobile Subscriber Identity: the SIM. A secret like the number. `nil` if the packet does not tell,
    /// which is no change of SIM.
    package var imsi: String?
    package var carrier: Carrier
    /// When the network says it happened.
    package var eventTime: Timestamp
    /// Whether a session begins with it, as far as we know: a Start, or an Interim-Update of a session that is new to
    /// us. A session that merely goes on may have outlived its SIM, so it never brings a new one.
    package var startsSession: Bool

    package init(number: PhoneNumber, imsi: String?, carrier: Carrier, eventTime: Timestamp, startsSession: Bool = true)
    {
        self.number = number
        self.imsi = imsi
        self.carrier = carrier
        self.eventTime = eventTime
        self.startsSession = startsSession
    }
}

// Holds a number and a SIM: what prints an observation shows neither.

extension SubscriberObservation: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "SubscriberObservation(\(number.masked), \(carrier.rawValue))" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
