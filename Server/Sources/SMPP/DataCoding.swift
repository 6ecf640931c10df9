/// How the octets of a message are to be read (SMPP 3.4 §5.2.19).
package struct DataCoding: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The SMSC's default alphabet, which is taken for that of GSM 03.38: a septet in each octet.
    package static let standard = DataCoding(rawValue: 0)
    package static let ascii = DataCoding(rawValue: 1)
    package static let latin1 = DataCoding(rawValue: 3)
    package static let ucs2 = DataCoding(rawValue: 8)

    /// The text of these octets; `nil` if they are none in this coding, or if the coding is not read here.
    package func text(_ octets: [UInt8]) -> String? {
        switch self {
        case .standard: return DefaultAlphabet.text(octets)
        case .ascii: return octets.allSatisfy { $0 < 0x80 } ? String(decoding: octets, as: UTF8.self) : nil
        case .latin1: return String(String.UnicodeScalarView(octets.map { Unicode.Scalar($0) }))
        case .ucs2:
            guard octets.count % 2 == 0 else { return nil }
            let units = stride(from: 0, to: octets.count, by: 2).map {
                UInt16(octets[$0]) << 8 | UInt16(octets[$0 + 1])
            }
            return String(validating: units, as: UTF16.self)
        default: return nil
        }
    }
}
