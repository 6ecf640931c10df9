// What phone and server both say: identifiers, numbers, addresses, the messages of the device interface, what is signed and
// how, and the situations that a request can end in. Values only: no network, no files, no sentence for
// people, and no vendor. Begin with `Codes/Situation.swift` and `Device/`.
@_exported public import BenjiValues

extension Carrier: Codable {}
