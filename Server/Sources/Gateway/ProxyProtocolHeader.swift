package import BenjiProtocol

/// The header by which a load balancer says whose connection it passes on (PROXY protocol, versions 1 and 2,
/// haproxy.org).
///
/// Its sender can claim any address, so it is read from listed peers only, and from them it is required.
package struct ProxyProtocolHeader: Hashable, Sendable {
    /// The end that opened the connection; `nil` for the balancer's own (`UNKNOWN`, `LOCAL`), such as a health check.
    package let source: Endpoint?
    /// Bytes of the header; what follows is the connection's own.
    package let length: Int

    package struct Endpoint: Hashable, Sendable {
        package let address: InternetAddress
        package let port: UInt16

        package init(address: InternetAddress, port: UInt16) {
            self.address = address
            self.port = port
        }
    }

    package enum Problem: Error, Hashable, Sendable {
        /// A listed peer sent something else.
        case missing
        /// It starts like a header and breaks the rules.
        case malformed
    }

    /// The longest header of version 1, its line end included.
    static let maximumTextLength = 107
    private static let signature: [UInt8] = [0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a]

    /// Reads the header at the start of a connection from `peer`.
    ///
    /// - Returns: `nil` if more bytes are needed. From a peer outside `trusted`, a header of length 0 with the peer
    ///   itself as its source. The bytes are ignored: a device that writes such a header is not believed.
    package static func read(
        _ bytes: some Collection<UInt8>, from peer: Endpoint, trusted: [IPPrefix]
    ) throws(Problem) -> ProxyProtocolHeader? {
        guard trusted.contains(where: { $0.contains(peer.address) }) else {
            return ProxyProtocolHeader(source: peer, length: 0)
        }
        return try ProxyProtocolHeader.parse(Array(bytes.prefix(16 + 65535)))
    }

    /// `nil` if more bytes are needed.
    static func parse(_ bytes: [UInt8]) throws(Problem) -> ProxyProtocolHeader? {
        if bytes.starts(with: signature.prefix(bytes.count)) { return try parseBinary(bytes) }
        let word = Array("PROXY ".utf8)
        guard bytes.starts(with: word.prefix(bytes.count)) else { throw .missing }
        return try parseText(bytes)
    }

    private static func parseText(_ bytes: [UInt8]) throws(Problem) -> ProxyProtocolHeader? {
        guard let end = bytes.prefix(maximumTextLength).firstIndex(of: 0x0a) else {
            guard bytes.count < maximumTextLength else { throw .malformed }
            return nil
        }
        guard bytes[end - 1] == 0x0d, let line = String(validating: bytes[..<(end - 1)], as: UTF8.self) else {
            throw .malformed
        }
        let fields = line.split(separator: " ", omittingEmptySubsequences: false)
        if fields.count >= 2, fields[1] == "UNKNOWN" { return ProxyProtocolHeader(source: nil, length: end + 1) }
        guard fields.count == 6, let source = InternetAddress(fields[2]), InternetAddress(fields[3]) != nil,
            let sourcePort = port(fields[4]), port(fields[5]) != nil
        else { throw .malformed }
        let hasColons = (fields[2].utf8.contains(0x3a), fields[3].utf8.contains(0x3a))
        switch fields[1] {
        case "TCP4" where hasColons == (false, false): break
        case "TCP6" where hasColons == (true, true): break
        default: throw .malformed
        }
        return ProxyProtocolHeader(source: Endpoint(address: source, port: sourcePort), length: end + 1)
    }

    private static func port(_ text: Substring) -> UInt16? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            text.utf8.count == 1 || text.utf8.first != 0x30
        else { return nil }
        return UInt16(text)
    }

    private static func parseBinary(_ bytes: [UInt8]) throws(Problem) -> ProxyProtocolHeader? {
        guard bytes.count >= 16 else { return nil }
        guard bytes[12] >> 4 == 2 else { throw .malformed }
        let length = 16 + (Int(bytes[14]) << 8 | Int(bytes[15]))
        guard bytes.count >= length else { return nil }
        switch bytes[12] & 0x0f {
        case 0: return ProxyProtocolHeader(source: nil, length: length)
        case 1: break
        default: throw .malformed
        }
        let size: Int
        switch bytes[13] {
        case 0x11: size = 4
        case 0x21: size = 16
        // A connection of another family or transport is not a phone's, and the specification says not to guess.
        default: throw .malformed
        }
        guard length >= 16 + size * 2 + 4, let address = InternetAddress(bytes: bytes[16..<(16 + size)]) else {
            throw .malformed
        }
        let port = UInt16(bytes[16 + size * 2]) << 8 | UInt16(bytes[16 + size * 2 + 1])
        return ProxyProtocolHeader(source: Endpoint(address: address, port: port), length: length)
    }
}
