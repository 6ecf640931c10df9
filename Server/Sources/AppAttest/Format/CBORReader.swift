/// Reads CBOR (RFC 8949) as far as App Attest has it: maps with text keys, arrays, texts and byte strings.
///
/// Strict: lengths are definite and in their shortest form (§4.2.1), a key of a map comes once, and nothing may follow.
/// So each value has one encoding, and no two readers see different values in the same bytes.
package struct CBORReader {
    /// The kinds of item that App Attest has (§3.1).
    private enum Major: UInt8 {
        case bytes = 2
        case text = 3
        case array = 4
        case map = 5
    }

    private let bytes: [UInt8]
    private var position = 0

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The number of members that follow, each a key and a value.
    package mutating func map(_ limit: Int) throws(AppAttestError) -> Int { try count(.map, "a map", limit) }

    /// The number of items that follow.
    package mutating func array(_ limit: Int) throws(AppAttestError) -> Int { try count(.array, "an array", limit) }

    package mutating func byteString() throws(AppAttestError) -> [UInt8] {
        Array(try string(.bytes, "a byte string"))
    }

    package mutating func text() throws(AppAttestError) -> String {
        let octets = try string(.text, "a text")
        guard let text = String(validating: octets, as: UTF8.self) else { throw Self.wrong("a text is not UTF-8") }
        return text
    }

    /// Ends the reading: nothing may be left.
    package func finish() throws(AppAttestError) {
        guard position == bytes.count else { throw Self.wrong("something follows the object") }
    }

    static func wrong(_ description: String) -> AppAttestError { AppAttestError(.form, description) }

    private mutating func count(_ major: Major, _ noun: String, _ limit: Int) throws(AppAttestError) -> Int {
        let count = try head(major, noun)
        guard count <= limit else { throw Self.wrong("\(noun) has more than \(limit) members") }
        return count
    }

    private mutating func string(_ major: Major, _ noun: String) throws(AppAttestError) -> ArraySlice<UInt8> {
        let count = try head(major, noun)
        guard count <= bytes.count - position else { throw Self.wrong("\(noun) ends early") }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// The first bytes of an item: its kind, and how long it is.
    private mutating func head(_ major: Major, _ noun: String) throws(AppAttestError) -> Int {
        guard position < bytes.count else { throw Self.wrong("it ends where \(noun) should be") }
        let first = bytes[position]
        position += 1
        guard first >> 5 == major.rawValue else { throw Self.wrong("\(noun) is missing") }
        let short = first & 0x1f
        guard short >= 24 else { return Int(short) }
        // 27 would be more than four gigabytes; 31 is a length that is not said.
        guard short <= 26 else { throw Self.wrong("the length of \(noun) has a form that is not taken") }
        let width = 1 << Int(short - 24)
        guard width <= bytes.count - position else { throw Self.wrong("\(noun) ends early") }
        let length = bytes[position..<position + width].reduce(0) { $0 << 8 | Int($1) }
        position += width
        let least = width == 1 ? 24 : 1 << (4 * width)
        guard length >= least else { throw Self.wrong("the length of \(noun) is not in its shortest form") }
        return length
    }
}

/// Writes what ``CBORReader`` reads.
package struct CBORWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func map(_ count: Int) { head(5, count) }
    package mutating func array(_ count: Int) { head(4, count) }

    package mutating func byteString(_ octets: [UInt8]) {
        head(2, octets.count)
        bytes += octets
    }

    package mutating func text(_ text: String) {
        head(3, text.utf8.count)
        bytes += Array(text.utf8)
    }

    private mutating func head(_ major: UInt8, _ length: Int) {
        let first = major << 5
        switch length {
        case ..<24: bytes.append(first | UInt8(length))
        case ..<0x100: bytes += [first | 24, UInt8(length)]
        case ..<0x1_0000: bytes += [first | 25, UInt8(length >> 8), UInt8(length & 0xff)]
        default:
            bytes.append(first | 26)
            bytes += stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: length >> $0) }
        }
    }
}
