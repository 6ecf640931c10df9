import BenjiProtocol

/// The names of NASes as they call themselves, made once for each and not for every packet.
struct ScopeNames: Sendable {
    private struct Identity: Hashable, Sendable {
        let nas: Int
        let identifier: String?
        let address: InternetAddress?
    }

    private let servers: [String]
    private var names: [Identity: String] = [:]
    /// What was asked for last.
    private var last: (identity: Identity, name: String)?

    /// As many as a directory can have.
    private static let limit = Int(UInt16.max)

    /// - Parameter servers: the NASes' names in the configuration.
    init(servers: [String]) { self.servers = servers }

    /// - Parameters:
    ///   - identifier: NAS-Identifier. RFC 2866 §5.1 wants one of the two; a NAS that sends none is the one that its address says
    ///     it is.
    ///   - address: NAS-IP-Address or NAS-IPv6-Address, which counts where there is no identifier.
    mutating func name(nas: Int, identifier: String?, address: InternetAddress?) -> String {
        let identity = Identity(nas: nas, identifier: identifier, address: identifier == nil ? address : nil)
        if let last, last.identity == identity { return last.name }
        let name = names[identity] ?? make(identity)
        last = (identity, name)
        return name
    }

    private mutating func make(_ identity: Identity) -> String {
        let own = identity.identifier.map { "id:" + $0 } ?? identity.address.map { "ip:\($0)" } ?? ""
        let name = servers[identity.nas] + "\n" + own
        if names.count < Self.limit { names[identity] = name }
        return name
    }
}
