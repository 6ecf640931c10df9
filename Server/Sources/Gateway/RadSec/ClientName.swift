import BenjiProtocol

/// A name that distinguishes a NAS's certificate from others of the same authority (RFC 6614 §2.3).
package enum ClientName: Hashable, Sendable {
    /// A DNS name among the alternative names, in lower case; the subject's common name where a certificate has no
    /// alternative names.
    case host(String)
    /// A URI among the alternative names.
    case uri(String)
    /// The SHA-256 of the whole certificate: 32 bytes.
    case fingerprint([UInt8])

    /// Reads `pgw-1.core.example`, `urn:example:pgw-1`, or `sha256:` and 64 hexadecimal digits, with colons between
    /// pairs or without.
    package init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= 255, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            return nil
        }
        let prefix = "sha256:"
        if text.lowercased().hasPrefix(prefix) {
            let digits = text.dropFirst(prefix.count).filter { $0 != ":" }
            guard let bytes = Hexadecimal.decode(digits), bytes.count == 32 else { return nil }
            self = .fingerprint(bytes)
        } else if text.contains(":") {
            self = .uri(text)
        } else {
            // A pattern such as *.core.example would admit any holder of a name there.
            guard
                text.utf8.allSatisfy({
                    $0 == 0x2d || $0 == 0x2e || $0 == 0x5f || (0x30...0x39).contains($0)
                        || (0x61...0x7a).contains($0 | 0x20)
                })
            else { return nil }
            self = .host(text.lowercased())
        }
    }

    /// A DNS name or common name as it stands in a certificate.
    init?(certificateHost bytes: some Collection<UInt8>) {
        guard let text = Self.ascii(bytes) else { return nil }
        self = .host(text.lowercased())
    }

    /// A URI as it stands in a certificate.
    init?(certificateURI bytes: some Collection<UInt8>) {
        guard let text = Self.ascii(bytes) else { return nil }
        self = .uri(text)
    }

    /// Names are ASCII alone (RFC 5280 §4.2.1.6), so that two are equal when their bytes are. Swift takes other signs
    /// for ASCII's: U+212A for a K, U+037E for a semicolon.
    private static func ascii(_ bytes: some Collection<UInt8>) -> String? {
        bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : nil
    }
}

extension ClientName: CustomStringConvertible {
    /// As ``init(_:)`` reads it.
    package var description: String {
        switch self {
        case .host(let name): name
        case .uri(let uri): uri
        case .fingerprint(let bytes): "sha256:" + Hexadecimal.encode(bytes)
        }
    }
}
