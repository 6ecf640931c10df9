import BenjiPolicy
package import BenjiProtocol

extension CarrierPolicy {
    /// The carrier of this name, if the policy has its record.
    package func carrier(_ name: String) -> Carrier? {
        Carrier(rawValue: name).flatMap { carriers[$0] == nil ? nil : $0 }
    }

    /// Its carriers, for messages: `mobile, unicom or telecom`.
    package var names: String {
        let names = order.map(\.rawValue)
        guard let last = names.last, names.count > 1 else { return names.first ?? "a carrier, but the policy has none" }
        return names.dropLast().joined(separator: ", ") + " or " + last
    }
}
