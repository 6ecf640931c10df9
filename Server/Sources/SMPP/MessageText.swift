/// A text as the octets of one message or several.
///
/// The default alphabet is taken if it has every character, UCS-2 otherwise. A phone's message has 140 octets: 160
/// septets or 70 units of UTF-16. A longer text is cut. Each part begins with a user data header that numbers it (3GPP
/// TS 23.040 §9.2.3.24.1, with a reference of 8 bits). That leaves 153 septets or 67 units. No part ends within a
/// surrogate pair or an escape.
package struct MessageText: Hashable, Sendable {
    package let coding: DataCoding
    /// The octets of each message, with the header if there is more than one.
    package let parts: [[UInt8]]

    /// Part numbers are one octet.
    package static let mostParts = 255

    /// - Parameter reference: Distinguishes the parts of this text from those of another to the same phone.
    /// - Returns: `nil` if the text needs more than 255 parts.
    package init?(_ text: String, reference: UInt8) {
        let units: [[UInt8]]
        let whole: Int
        let cut: Int
        if let septets = DefaultAlphabet.units(text) {
            coding = .standard
            (units, whole, cut) = (septets, 160, 153)
        } else {
            coding = .ucs2
            units = text.unicodeScalars.map { scalar in
                UTF16.encode(scalar).map { $0.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] } } ?? []
            }
            (whole, cut) = (140, 134)
        }
        let count = units.reduce(0) { $0 + $1.count }
        guard count > whole else {
            parts = [units.flatMap { $0 }]
            return
        }
        var bodies: [[UInt8]] = [[]]
        for unit in units {
            if bodies[bodies.count - 1].count + unit.count > cut { bodies.append([]) }
            bodies[bodies.count - 1] += unit
        }
        guard bodies.count <= Self.mostParts else { return nil }
        let total = UInt8(bodies.count)
        parts = bodies.enumerated().map { [5, 0, 3, reference, total, UInt8($0 + 1)] + $1 }
    }

    package var hasHeaders: Bool { parts.count > 1 }
}
