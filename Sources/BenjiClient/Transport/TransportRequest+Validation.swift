extension TransportRequest {
    /// Refuses what could be read as another request than the one meant: every transport calls this before it sends.
    ///
    /// Values must be printable ASCII, so that no header can hold a line break (RFC 9110 §5.5). The fields that frame
    /// or route a message are the transport's own.
    package func validate() throws(TransportError) {
        guard (1...20).contains(method.utf8.count), method.utf8.allSatisfy({ (0x41...0x5a).contains($0) }),
            method != "CONNECT", method != "TRACE"
        else {
            throw TransportError(
                .invalidRequest, at: "method", "must be 1 to 20 capital letters, and not CONNECT or TRACE")
        }
        for (index, field) in headers.fields.enumerated() {
            // Only a name that passed is repeated in a message; a value never is.
            guard !field.name.isEmpty, field.name.utf8.allSatisfy(Self.isToken) else {
                throw TransportError(.invalidRequest, at: "header \(index)", "its name is not an HTTP token")
            }
            let place = "header \(field.name)"
            if Self.reserved.contains(where: { HeaderFields.areSame($0, field.name) }) {
                throw TransportError(.invalidRequest, at: place, "the transport writes it itself; leave it out")
            }
            guard field.value.utf8.allSatisfy({ $0 == 0x09 || (0x20...0x7e).contains($0) }) else {
                throw TransportError(.invalidRequest, at: place, "its value holds a byte that is not printable ASCII")
            }
            if let first = field.value.utf8.first, let last = field.value.utf8.last,
                Self.isSpace(first) || Self.isSpace(last)
            {
                throw TransportError(.invalidRequest, at: place, "its value starts or ends with white space")
            }
        }
    }

    private static let reserved = [
        "Host", "Content-Length", "Connection", "Transfer-Encoding", "TE", "Trailer", "Expect", "Upgrade", "Keep-Alive",
        "Proxy-Connection",
    ]

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// `tchar` of RFC 9110 §5.6.2.
    package static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
