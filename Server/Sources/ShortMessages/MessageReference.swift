/// How the ids that a network gives messages are compared.
///
/// SMPP 3.4 (§5.2.23) leaves the form to the vendor, in the answer to submit_sm and again in a receipt. Many SMSCs
/// write one number in hexadecimal in the one and in decimal in the other, with or without leading zeros, in either
/// case.
package enum MessageReference {
    /// The form that is kept of an answer's id: lower case, and a hexadecimal or decimal number without leading zeros.
    package static func kept(_ id: String) -> String {
        let id = id.lowercased()
        guard isNumber(id) else { return id }
        let digits = id.drop { $0 == "0" }
        return digits.isEmpty ? "0" : String(digits)
    }

    /// The ids under which the message of a receipt may be kept: one or two. The second is the id as it is written,
    /// because version 0.1 keeps an answer's id so.
    package static func candidates(_ id: String) -> [String] {
        let same = kept(id)
        return same == id ? [same] : [same, id]
    }

    /// The id in the other number base: none to two ids, in the form that is kept. Where the SMSC has one base, they
    /// are ids of other messages.
    package static func otherBases(_ id: String) -> [String] {
        let same = kept(id)
        guard isNumber(same) else { return [] }
        let hexadecimal = UInt64(same).map { String($0, radix: 16) }
        let decimal = UInt64(same, radix: 16).map { String($0) }
        return [hexadecimal, decimal].compactMap(\.self).filter { $0 != same }
    }

    private static func isNumber(_ id: String) -> Bool {
        !id.isEmpty && id.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
