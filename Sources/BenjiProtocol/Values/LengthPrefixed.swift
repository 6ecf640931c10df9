import Crypto

/// Text fields joined so that no two lists of fields give the same bytes. A domain name comes first, then each field
/// after its length as four bytes, most significant first. Benji signs and digests this form; the old dialects' bare
/// concatenation does not have that property (decision 11).
public struct LengthPrefixed: Sendable {
    public private(set) var bytes: [UInt8]

    /// - Parameter domain: names what the bytes are for, so that a digest of one thing never passes for another.
    public init(domain: String) {
        bytes = []
        append(domain)
    }

    public mutating func append(_ field: some Collection<UInt8>) {
        let field = Array(field)
        let count = UInt32(field.count)
        bytes += [UInt8(count >> 24), UInt8(count >> 16 & 0xff), UInt8(count >> 8 & 0xff), UInt8(count & 0xff)]
        bytes += field
    }

    public mutating func append(_ field: String) { append(Array(field.utf8)) }

    /// An optional field: absent and empty differ.
    public mutating func append(_ field: String?) {
        append([field == nil ? 0 : 1])
        if let field { append(field) }
    }

    public var sha256: [UInt8] { Array(SHA256.hash(data: bytes)) }
}
