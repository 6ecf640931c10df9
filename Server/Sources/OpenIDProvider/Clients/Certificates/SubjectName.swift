import BenjiProtocol
import SwiftASN1
import X509

/// A distinguished name: one that was written down (RFC 4514), to be compared with that of a certificate.
///
/// Values are compared byte by byte as the text that they are, whichever of ASN.1's types of strings the certificate
/// has for it.
struct SubjectName: Hashable {
    struct Attribute: Hashable {
        var type: ASN1ObjectIdentifier
        var value: Value

        init(type: ASN1ObjectIdentifier, value: Value) { (self.type, self.value) = (type, value) }

        init(_ attribute: RelativeDistinguishedName.Attribute) {
            self.init(type: attribute.type, value: Value(attribute.value))
        }
    }

    enum Value: Hashable {
        /// UTF-8. Not `String`, to which two spellings of one letter are equal.
        case text([UInt8])
        /// A deprecated string type, as DER.
        case other([UInt8])

        init(_ value: RelativeDistinguishedName.Attribute.Value) {
            if let text = String(value) {
                self = .text(Array(text.utf8))
            } else {
                var serializer = DER.Serializer()
                try? serializer.serialize(ASN1Any(value))
                self = .other(serializer.serializedBytes)
            }
        }
    }

    /// From the root on, as a certificate has them.
    let parts: [Set<Attribute>]

    init(_ name: DistinguishedName) { parts = name.map { part in Set(part.map(Attribute.init)) } }

    /// Returns `nil` for text that is no name or has no parts.
    ///
    /// - Parameter text: as RFC 4514 writes it, the root last: `CN=client,O=Example,C=CN`. Blanks around `,`, `+` and
    ///   `=` are ignored.
    init?(parsing text: String) {
        var reader = SubjectNameReader(rest: Array(text.utf8)[...])
        var parts: [Set<Attribute>] = []
        repeat {
            var part: Set<Attribute> = []
            repeat {
                guard let attribute = reader.attribute() else { return nil }
                part.insert(attribute)
            } while reader.takes("+")
            parts.append(part)
        } while reader.takes(",")
        guard reader.rest.isEmpty else { return nil }
        self.parts = parts.reversed()
    }
}

/// Reads a name in the form of RFC 4514 §3.
private struct SubjectNameReader {
    var rest: ArraySlice<UInt8>

    /// RFC 4514 §3, and what else certificates of organisations have. Others are written as numbers.
    private static let types: [String: ASN1ObjectIdentifier] = [
        "CN": [2, 5, 4, 3], "SERIALNUMBER": [2, 5, 4, 5], "C": [2, 5, 4, 6], "L": [2, 5, 4, 7], "ST": [2, 5, 4, 8],
        "STREET": [2, 5, 4, 9], "O": [2, 5, 4, 10], "OU": [2, 5, 4, 11], "ORGANIZATIONIDENTIFIER": [2, 5, 4, 97],
        "UID": [0, 9, 2342, 19_200_300, 100, 1, 1], "DC": [0, 9, 2342, 19_200_300, 100, 1, 25],
        "EMAILADDRESS": [1, 2, 840, 113549, 1, 9, 1],
    ]

    mutating func takes(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func skipBlanks() { rest = rest.drop { $0 == 0x20 } }

    /// A type with its value; `nil` if there is none here.
    mutating func attribute() -> SubjectName.Attribute? {
        skipBlanks()
        let name = String(decoding: rest.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
        rest = rest.dropFirst(name.utf8.count)
        guard takes("="), let type = Self.type(name.trimmingSuffix(while: { $0 == " " })) else { return nil }
        skipBlanks()
        let value = takes("#") ? encodedValue() : text()
        return value.map { SubjectName.Attribute(type: type, value: $0) }
    }

    private static func type(_ name: Substring) -> ASN1ObjectIdentifier? {
        if let known = types[name.uppercased()] { return known }
        guard isObjectIdentifier(name) else { return nil }
        return try? ASN1ObjectIdentifier(dotRepresentation: name)
    }

    /// X.660: the first part is 0 to 2, and below 2 the second is at most 39. Larger numbers than this reader takes
    /// overflow in the library, which ends the process.
    private static func isObjectIdentifier(_ text: Substring) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (2...32).contains(parts.count),
            parts.allSatisfy({ (1...9).contains($0.count) && $0.allSatisfy { (0x30...0x39).contains($0) } }),
            let first = Int(Substring(parts[0])), let second = Int(Substring(parts[1]))
        else { return false }
        return first <= 2 && (first == 2 || second <= 39)
    }

    /// The value as DER in hexadecimal digits.
    private mutating func encodedValue() -> SubjectName.Value? {
        let digits = rest.prefix { !",+ ".utf8.contains($0) }
        rest = rest.dropFirst(digits.count)
        skipBlanks()
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        var at = digits.startIndex
        while at < digits.endIndex {
            guard let byte = Self.byte(digits[at], digits[at + 1]) else { return nil }
            bytes.append(byte)
            at += 2
        }
        guard let value = try? ASN1Any(derEncoded: bytes) else { return nil }
        return SubjectName.Value(RelativeDistinguishedName.Attribute.Value(asn1Any: value))
    }

    /// A value as text, with some characters behind `\`.
    private mutating func text() -> SubjectName.Value? {
        var bytes: [UInt8] = []
        // Blanks at the end count if they are behind `\`.
        var kept = 0
        while let byte = rest.first, byte != UInt8(ascii: ","), byte != UInt8(ascii: "+") {
            rest.removeFirst()
            if byte == UInt8(ascii: "\\") {
                guard let escaped = escaped() else { return nil }
                bytes.append(escaped)
                kept = bytes.count
            } else {
                guard byte != 0, !"\";<>".utf8.contains(byte) else { return nil }
                bytes.append(byte)
                if byte != 0x20 { kept = bytes.count }
            }
        }
        let value = Array(bytes.prefix(kept))
        guard !value.isEmpty, String(validating: value, as: UTF8.self) != nil else { return nil }
        return .text(value)
    }

    private mutating func escaped() -> UInt8? {
        guard let first = rest.popFirst() else { return nil }
        if " \"#+,;<=>\\".utf8.contains(first) { return first }
        return rest.popFirst().flatMap { Self.byte(first, $0) }
    }

    private static func byte(_ high: UInt8, _ low: UInt8) -> UInt8? {
        guard let high = Hexadecimal.value(ofDigit: high), let low = Hexadecimal.value(ofDigit: low) else { return nil }
        return high << 4 | low
    }
}

extension String {
    fileprivate func trimmingSuffix(while isCut: (Character) -> Bool) -> Substring {
        var rest = self[...]
        while let last = rest.last, isCut(last) { rest.removeLast() }
        return rest
    }
}
