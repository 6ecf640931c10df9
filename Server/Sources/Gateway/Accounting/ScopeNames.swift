@_spi(Server) import BenjiProtocol

/// The names of scopes, made once for each NAS and not for every packet.
struct ScopeNames: Sendable {
    private struct Identity: Hashable, Sendable {
        let nas: Int
        let identifier: [UInt8]?
        let address: InternetAddress?
        /// Whether ``address`` is where the packet came from, and no name.
        let isSource: Bool
    }

    private let servers: [(name: String, hasManySources: Bool)]
    private var names: [Identity: String] = [:]
    /// The last result.
    private var last: (identity: Identity, name: String)?

    /// As many as a directory can have.
    private static let limit = Int(UInt16.max)

    init(servers: [NetworkAccessServer]) { self.servers = servers.map { ($0.name, $0.hasManySources) } }

    /// The name of a packet's scope: by NAS-Identifier, or else by an address. Without either, the scope is the
    /// configured NAS, and its source if the NAS has several. Two sources may be two NASes.
    mutating func name(nas: Int, _ told: SessionNames, from source: InternetAddress) -> String {
        var address = told.nasIdentifier == nil ? told.nasIPAddress ?? told.nasIPv6Address : nil
        let isSource = told.kind == .none && servers[nas].hasManySources
        if isSource { address = source }
        let identity = Identity(nas: nas, identifier: told.nasIdentifier, address: address, isSource: isSource)
        if let last, last.identity == identity { return last.name }
        let name = names[identity] ?? NASNames.scope(server: servers[nas].name, told, from: isSource ? source : nil)
        if names.count < Self.limit { names[identity] = name }
        last = (identity, name)
        return name
    }
}
