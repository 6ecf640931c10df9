@_spi(Server) import BenjiProtocol

/// The names that a packet gives its NAS and its session.
///
/// RFC 2866 §5.1 wants NAS-Identifier or an address in each packet, and not always the same one of them.
struct SessionNames: Hashable, Sendable {
    /// NAS-Identifier: any bytes (RFC 2865 §5.32).
    var nasIdentifier: [UInt8]?
    /// NAS-IP-Address.
    var nasIPAddress: InternetAddress?
    /// NAS-IPv6-Address.
    var nasIPv6Address: InternetAddress?
    /// Acct-Session-Id.
    var sessionID: [UInt8] = []

    /// The kinds of names by which scopes are known.
    struct Kinds: OptionSet, Sendable {
        let rawValue: UInt8

        static let identifier = Kinds(rawValue: 1)
        static let ipv4 = Kinds(rawValue: 2)
        static let ipv6 = Kinds(rawValue: 4)
        static let none = Kinds(rawValue: 8)
    }

    /// The kind that decides about the scope.
    var kind: Kinds {
        if nasIdentifier != nil { return .identifier }
        if nasIPAddress != nil { return .ipv4 }
        return nasIPv6Address != nil ? .ipv6 : .none
    }

    func isOfSameNAS(as other: SessionNames) -> Bool {
        nasIdentifier == other.nasIdentifier && nasIPAddress == other.nasIPAddress
            && nasIPv6Address == other.nasIPv6Address
    }

    /// Nothing: ``AccountingEvent/scope`` and ``AccountingEvent/key`` say the same.
    func hash(into hasher: inout Hasher) {}
}

/// The names that one NAS has used.
struct NASNames: Sendable, Hashable {
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

    init() {}

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
    static func scope(server: String, _ names: SessionNames) -> String {
        var own = ""
        if let identifier = names.nasIdentifier {
            if let text = String(validating: identifier, as: UTF8.self) {
                own = "id:" + text
            } else {
                own = "hex:" + identifier.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
            }
        } else if let address = names.nasIPAddress ?? names.nasIPv6Address {
            own = "ip:\(address)"
        }
        return server + "\n" + own
    }
}

extension SessionNames {
    /// The names that the name of a scope tells.
    init(scope: String) {
        let own = scope.drop { $0 != "\n" }.dropFirst()
        let value = own.drop { $0 != ":" }.dropFirst()
        if own.hasPrefix("id:") {
            nasIdentifier = Array(value.utf8)
        } else if own.hasPrefix("hex:") {
            let digits = Array(value)
            nasIdentifier = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
                UInt8(String(digits[$0...($0 + 1)]), radix: 16)
            }
        } else if own.hasPrefix("ip:"), let address = InternetAddress(String(value)) {
            if address.family == .v4 { nasIPAddress = address } else { nasIPv6Address = address }
        }
    }
}
