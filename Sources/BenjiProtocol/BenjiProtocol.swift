// The values that phone and server share: identifiers, numbers, addresses, and the messages of the device interface.
// Also signatures and their input, and the situations that a request can end in. Values only: no network, no files, no
// sentence for people, and no vendor. Begin with `Codes/Situation.swift` and `Device/`.
@_exported public import BenjiValues

extension Carrier: Codable {}
