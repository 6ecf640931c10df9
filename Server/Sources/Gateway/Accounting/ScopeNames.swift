@_spi(Server) import BenjiProtocol

/// The names of scopes, made once for each NAS and not for every packet.
struct ScopeNames: Sendable {
    private struct Identity: Hashable, Sendable {
        let nas: Int
        let identifier: [UInt8]?
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

    /// The name of the scope that a packet is of: by NAS-Identifier, or else by an address.
    mutating func name(nas: Int, _ told: SessionNames) -> String {
        let address = told.nasIdentifier == nil ? told.nasIPAddress ?? told.nasIPv6Address : nil
        let identity = Identity(nas: nas, identifier: told.nasIdentifier, address: address)
        if let last, last.identity == identity { return last.name }
        let name = names[identity] ?? NASNames.scope(server: servers[nas], told)
        if names.count < Self.limit { names[identity] = name }
        last = (identity, name)
        return name
    }
}
