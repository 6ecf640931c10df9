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
        /// No name, and one of several sources.
        static let source = Kinds(rawValue: 16)
    }

    /// The kind that decides about the scope.
    var kind: Kinds {
        if nasIdentifier != nil { return .identifier }
        if nasIPAddress != nil { return .ipv4 }
        return nasIPv6Address != nil ? .ipv6 : .none
    }

    /// Nothing: ``AccountingEvent/scope`` and ``AccountingEvent/key`` say the same.
    func hash(into hasher: inout Hasher) {}
}

extension SessionNames {
    /// Reads the name of a scope back. A source is no name: a NAS may have several, and a proxy speaks for several
    /// NASes.
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
