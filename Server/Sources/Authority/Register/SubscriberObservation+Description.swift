internal import BenjiProtocol

// Holds a number and a SIM: what prints an observation shows neither.

extension SubscriberObservation: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "SubscriberObservation(\(number.masked), \(carrier.rawValue))" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
