@_spi(Server) import BenjiProtocol

/// The names that one NAS has used.
struct NASNames: Sendable {
    private(set) var identifiers: [[UInt8]] = []
    private(set) var ipv4: [InternetAddress] = []
    private(set) var ipv6: [InternetAddress] = []

    /// The names of each kind that are kept. A NAS with more is never told apart by this kind.
    private static let limit = 8

    enum Match {
        /// They share a name.
        case same
        /// No name is shared, and a kind of name is used by both.
        case different
        /// They use no kind of name in common, or share an address and not the identifier.
        case unknown
    }

    init(_ names: SessionNames) { add(names) }

    /// - Returns: whether a name is new.
    @discardableResult
    mutating func add(_ names: SessionNames) -> Bool {
        let before = count
        if let name = names.nasIdentifier { Self.add(name, to: &identifiers) }
        if let address = names.nasIPAddress { Self.add(address, to: &ipv4) }
        if let address = names.nasIPv6Address { Self.add(address, to: &ipv6) }
        return count > before
    }

    mutating func add(_ other: NASNames) {
        for name in other.identifiers { Self.add(name, to: &identifiers) }
        for address in other.ipv4 { Self.add(address, to: &ipv4) }
        for address in other.ipv6 { Self.add(address, to: &ipv6) }
    }

    /// Whether a packet's names bring nothing new.
    func includes(_ names: SessionNames) -> Bool {
        Self.includes(names.nasIdentifier, in: identifiers) && Self.includes(names.nasIPAddress, in: ipv4)
            && Self.includes(names.nasIPv6Address, in: ipv6)
    }

    private static func includes<Name: Equatable>(_ name: Name?, in names: [Name]) -> Bool {
        guard let name else { return true }
        return names.count > limit || names.contains(name)
    }

    var withoutIdentifiers: NASNames {
        var names = self
        names.identifiers = []
        return names
    }

    var count: Int { identifiers.count + ipv4.count + ipv6.count }

    private static func add<Name: Equatable>(_ name: Name, to names: inout [Name]) {
        if names.count <= limit, !names.contains(name) { names.append(name) }
    }

    /// Whether both may be the names of one NAS.
    func match(_ other: NASNames) -> Match {
        var match = Match.unknown
        if identifiers.contains(where: other.identifiers.contains) { return .same }
        if Self.differ(identifiers, other.identifiers) { match = .different }
        // Two NASes with one address, or one that has got another identifier.
        if ipv4.contains(where: other.ipv4.contains) || ipv6.contains(where: other.ipv6.contains) {
            return match == .different ? .unknown : .same
        }
        return Self.differ(ipv4, other.ipv4) || Self.differ(ipv6, other.ipv6) ? .different : match
    }

    private static func differ<Name>(_ one: [Name], _ other: [Name]) -> Bool {
        !one.isEmpty && !other.isEmpty && one.count <= limit && other.count <= limit
    }
}

extension NASNames {
    /// The name of a scope in journal and pair: that of the NAS in the configuration, and the identifier or address.
    ///
    /// - Parameter source: where a packet without a name came from, if its NAS has several sources in the
    ///   configuration.
    static func scope(server: String, _ names: SessionNames, from source: InternetAddress? = nil) -> String {
        var own = ""
        if let identifier = names.nasIdentifier {
            if let text = String(validating: identifier, as: UTF8.self) {
                own = "id:" + text
            } else {
                own = "hex:" + identifier.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
            }
        } else if let address = names.nasIPAddress ?? names.nasIPv6Address {
            own = "ip:\(address)"
        } else if let source {
            own = "from:\(source)"
        }
        return server + "\n" + own
    }
}
