import BenjiProtocol

/// Reads a ``ServerURL`` byte by byte, so that an error can say where.
struct ServerURLParser {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func url() throws(ServerURLError) -> ServerURL {
        guard bytes.count <= 2048 else { throw ServerURLError(offset: 2048, problem: "longer than 2048 bytes") }
        let scheme = try scheme()
        let authorityStart = position
        while position < bytes.count, !Self.authorityEnds.contains(bytes[position]) { position += 1 }
        let (host, address, port) = try authority(authorityStart..<position, scheme)
        let pathStart = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "?") { position += 1 }
        let path = try text(pathStart..<position, "path")
        try refuseDotSegments(pathStart..<position)
        var query: String?
        if position < bytes.count { query = try text((position + 1)..<bytes.count, "query") }
        return ServerURL(
            scheme: scheme, host: host, address: address, port: port, path: path.isEmpty ? "/" : path, query: query)
    }

    private static let authorityEnds = Array("/?#\\".utf8)

    private mutating func scheme() throws(ServerURLError) -> ServerURL.Scheme {
        for scheme in [ServerURL.Scheme.https, .http] {
            let prefix = Array("\(scheme.rawValue)://".utf8)
            if bytes.prefix(prefix.count).map(HeaderFields.lowercase) == prefix {
                position = prefix.count
                return scheme
            }
        }
        throw ServerURLError(offset: 0, problem: "must start with https:// or http://")
    }

    private func authority(
        _ range: Range<Int>, _ scheme: ServerURL.Scheme
    ) throws(ServerURLError) -> (String, InternetAddress?, UInt16) {
        if let at = range.first(where: { bytes[$0] == UInt8(ascii: "@") }) {
            throw ServerURLError(offset: at, problem: "no user name or password may be in it")
        }
        var hostRange = range
        let name: (String, InternetAddress?)
        if !range.isEmpty, bytes[range.lowerBound] == UInt8(ascii: "[") {
            guard let close = range.first(where: { bytes[$0] == UInt8(ascii: "]") }) else {
                throw ServerURLError(offset: range.lowerBound, problem: "the bracket has no end")
            }
            let inside = String(decoding: bytes[(range.lowerBound + 1)..<close], as: UTF8.self)
            guard inside.utf8.contains(UInt8(ascii: ":")), let address = InternetAddress(inside) else {
                throw ServerURLError(
                    offset: range.lowerBound + 1, problem: "not an IPv6 address (zones are not accepted)")
            }
            hostRange = range.lowerBound..<(close + 1)
            name = (address.description, address)
        } else {
            let end = range.first { bytes[$0] == UInt8(ascii: ":") } ?? range.upperBound
            hostRange = range.lowerBound..<end
            name = try hostName(hostRange)
        }
        let port = try port(hostRange.upperBound..<range.upperBound, scheme)
        return (name.0, name.1, port)
    }

    private func hostName(_ range: Range<Int>) throws(ServerURLError) -> (String, InternetAddress?) {
        guard !range.isEmpty else { throw ServerURLError(offset: range.lowerBound, problem: "the host is missing") }
        guard range.count <= 253 else {
            throw ServerURLError(offset: range.lowerBound, problem: "the host is longer than 253 bytes")
        }
        for index in range where !Self.isHost(bytes[index]) {
            throw ServerURLError(offset: index, problem: "a host holds only letters, digits, \"-\", \"_\" and \".\"")
        }
        let host = String(decoding: bytes[range].map(HeaderFields.lowercase), as: UTF8.self)
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        // A final empty label is the root: to TLS and to the proof `example.com.` is another name, so it is refused.
        guard labels.allSatisfy({ (1...63).contains($0.utf8.count) }) else {
            throw ServerURLError(offset: range.lowerBound, problem: "each label of a host has 1 to 63 bytes")
        }
        // Some resolvers read 0x7f.1, 2130706433 and 010.0.0.1 as addresses: only dotted quad is let through.
        if let last = labels.last, last.hasPrefix("0x") || last.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            guard let address = InternetAddress(host) else {
                throw ServerURLError(offset: range.lowerBound, problem: "not an IPv4 address of four decimal numbers")
            }
            return (host, address)
        }
        return (host, nil)
    }

    private func port(_ range: Range<Int>, _ scheme: ServerURL.Scheme) throws(ServerURLError) -> UInt16 {
        guard !range.isEmpty else { return scheme.defaultPort }
        guard bytes[range.lowerBound] == UInt8(ascii: ":") else {
            throw ServerURLError(offset: range.lowerBound, problem: "expected \":\" and a port, or \"/\"")
        }
        let digits = bytes[range.dropFirst()]
        guard (1...5).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(String(decoding: digits, as: UTF8.self)), port > 0
        else { throw ServerURLError(offset: range.lowerBound + 1, problem: "a port is a number from 1 to 65535") }
        return port
    }

    private func text(_ range: Range<Int>, _ part: String) throws(ServerURLError) -> String {
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%") {
                guard index + 2 < range.upperBound, Self.isHexadecimal(bytes[index + 1]),
                    Self.isHexadecimal(bytes[index + 2])
                else { throw ServerURLError(offset: index, problem: "\"%\" needs two hexadecimal digits after it") }
                index += 3
            } else if byte == UInt8(ascii: "#") {
                throw ServerURLError(offset: index, problem: "no fragment may be in it")
            } else if Self.isPath(byte) || (part == "query" && byte == UInt8(ascii: "?")) {
                index += 1
            } else {
                throw ServerURLError(offset: index, problem: "this byte must be percent-encoded in a \(part)")
            }
        }
        return String(decoding: bytes[range], as: UTF8.self)
    }

    private func refuseDotSegments(_ range: Range<Int>) throws(ServerURLError) {
        var start = range.lowerBound
        for segment in bytes[range].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            // Percent-encoded dots count: an intermediary may decode them before it resolves the path.
            let plain = String(decoding: segment.map(HeaderFields.lowercase), as: UTF8.self)
            if [".", "..", "%2e", "%2e%2e", ".%2e", "%2e."].contains(plain) {
                throw ServerURLError(offset: start, problem: "no \".\" or \"..\" segment may be in a path")
            }
            start += segment.count + 1
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7a).contains(HeaderFields.lowercase(byte))
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(HeaderFields.lowercase(byte))
    }

    private static func isHost(_ byte: UInt8) -> Bool { isLetterOrDigit(byte) || hostMarks.contains(byte) }

    /// `pchar` and `/` (RFC 3986 §3.3).
    private static func isPath(_ byte: UInt8) -> Bool { isLetterOrDigit(byte) || pathMarks.contains(byte) }

    private static let hostMarks = Array("-_.".utf8)
    private static let pathMarks = Array("-._~!$&'()*+,;=:@/".utf8)
}
