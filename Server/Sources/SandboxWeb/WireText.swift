import BenjiPage
import BenjiProtocol
import RADIUS
import Sandbox

/// A message's bytes as text for people. It is escaped where it is put into a page.
struct WireText {
    /// The first line and the fields of HTTP; empty for everything else.
    var head = ""
    /// A body as text, or bytes in hexadecimal next to those that are text.
    var body = ""
    /// The body with a line for each member, if it is JSON.
    var json = ""
    /// The fields of a RADIUS packet.
    var fields: [Field] = []

    struct Field: Hashable {
        let name: String
        /// Empty if the bytes have no further meaning.
        let value: String
        /// In hexadecimal.
        let bytes: String
    }

    init(_ part: MessageBytes.Part, _ form: MessageBytes.Form) {
        switch form {
        case .radius:
            body = Self.dump(part.bytes)
            fields = (try? Packet(decoding: part.bytes)).map(Self.fields) ?? []
        case .text: body = Self.text(part.bytes) ?? Self.dump(part.bytes)
        case .http:
            let end = Self.endOfHead(part.bytes)
            head = Self.text(Array(part.bytes[..<end])) ?? Self.dump(Array(part.bytes[..<end]))
            let rest = Array(part.bytes[end...])
            body = Self.text(rest) ?? Self.dump(rest)
            if let value = try? JSON(parsing: rest), case .object = value { json = Self.lines(value, "") }
        }
    }

    private static func fields(_ packet: Packet) -> [Field] {
        [
            Field(name: "Code", value: packet.code.name, bytes: Hexadecimal.encode([packet.code.rawValue])),
            Field(
                name: "Identifier", value: "\(packet.identifier)", bytes: Hexadecimal.encode([packet.identifier])),
            Field(name: "Authenticator", value: "", bytes: spaced(packet.authenticator)),
        ]
            + packet.readable.map { attribute in
                Field(
                    name: attribute.name, value: attribute.value.flatMap { text(Array($0.utf8)) } ?? "",
                    bytes: spaced(attribute.bytes))
            }
    }

    private static func spaced(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { Hexadecimal.encode([$0]) }.joined(separator: " ")
    }

    private static func endOfHead(_ bytes: [UInt8]) -> Int {
        guard bytes.count >= 4 else { return bytes.count }
        for place in 0...(bytes.count - 4) where bytes[place..<(place + 4)].elementsEqual([13, 10, 13, 10]) {
            return place + 4
        }
        return bytes.count
    }

    /// `nil` unless the bytes are UTF-8. Characters that would change how others are shown are replaced by signs.
    private static func text(_ bytes: [UInt8]) -> String? {
        // The end may have been cut within a character.
        let whole = (0..<4).lazy.filter { isCut(bytes.suffix($0)) }
            .compactMap { String(validating: bytes.dropLast($0), as: UTF8.self) }.first
        guard let whole else { return nil }
        var shown = String.UnicodeScalarView()
        for scalar in whole.unicodeScalars {
            switch scalar.value {
            case 0x0a: shown.append(scalar)
            case 0x0d: continue
            case 0..<0x20, 0x7f:
                shown.append(Unicode.Scalar(scalar.value == 0x7f ? 0x2421 : 0x2400 + scalar.value) ?? "?")
            case 0x80..<0xa0, 0x200b...0x200f, 0x202a...0x202e, 0x2066...0x2069, 0xfeff:
                shown.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            default: shown.append(scalar)
            }
        }
        return String(shown)
    }

    /// Whether these bytes begin a character and are not all of it.
    private static func isCut(_ end: ArraySlice<UInt8>) -> Bool {
        guard let first = end.first else { return true }
        return first >= 0xc2 && end.dropFirst().allSatisfy { (0x80..<0xc0).contains($0) }
    }

    private static func dump(_ bytes: [UInt8]) -> String {
        stride(from: 0, to: bytes.count, by: 16).map { start in
            let line = bytes[start..<min(start + 16, bytes.count)]
            let place = Hexadecimal.encode([UInt8(truncatingIfNeeded: start >> 8), UInt8(truncatingIfNeeded: start)])
            let values = spaced(line)
            let signs = line.map { (0x20..<0x7f).contains($0) ? String(UnicodeScalar($0)) : "·" }.joined()
            return place + "  " + values + String(repeating: "   ", count: 16 - line.count) + "  " + signs
        }.joined(separator: "\n")
    }

    private static func lines(_ value: JSON, _ indent: String) -> String {
        let inner = indent + "  "
        switch value {
        case .object(let members) where !members.isEmpty:
            let written = members.map { "\(inner)\(JSON.string($0.name).text): \(lines($0.value, inner))" }
            return "{\n" + written.joined(separator: ",\n") + "\n\(indent)}"
        case .array(let values) where !values.isEmpty:
            return "[\n" + values.map { inner + lines($0, inner) }.joined(separator: ",\n") + "\n\(indent)]"
        default: return text(value.serialized) ?? ""
        }
    }
}
