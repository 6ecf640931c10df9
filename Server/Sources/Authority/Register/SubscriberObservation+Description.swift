import BenjiProtocol

// Holds a number and a SIM: what prints an observation shows neither.

extension SubscriberObservation: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "SubscriberObservation(\(number.masked), \(carrier.rawValue))" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
