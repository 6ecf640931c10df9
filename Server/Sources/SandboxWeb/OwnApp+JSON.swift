import BenjiClient
import BenjiProtocol
import Sandbox

extension OwnApp {
    /// Where the app's server calls.
    ///
    /// - Parameter origin: where the sandbox's page is.
    func server(_ servers: SandboxServers, seenAt origin: String) -> String {
        servers.areOnOnePort(origin) ? origin + SandboxServers.pathForServers : server.origin
    }

    /// The values that a developer copies, key and secret included: every reader of them has access to the machine.
    ///
    /// - Parameter origin: where the sandbox's page is.
    func json(_ servers: SandboxServers, seenAt origin: String) -> JSON {
        .object([
            "id": .string(credentials.id.rawValue), "key": .string(credentials.key),
            "bundleId": .string(credentials.bundleID), "clientSecret": .string(clientSecret),
            "serverSecret": .string(serverSecret),
            "issuer": .string(servers.provider.issuer), "server": .string(server(servers, seenAt: origin)),
            "gateway": .string(origin + SandboxServers.pathForApps(on: "phone-1")),
            "redirectURIs": .array(redirectURIs.map { .string($0) }), "hosts": .array(hosts.map { .string($0) }),
        ])
    }
}

extension OwnApp.Change {
    /// A merge patch (RFC 7396): `{"redirectURIs", "hosts"}`. A list replaces the list.
    init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        func list(_ name: String) throws(JSONError) -> [String]? {
            guard let value = reader.optional(name) else { return nil }
            guard let values = value.arrayValue else {
                throw JSONError(place: "$.\(name)", problem: "must be an array, is \(value.kind)")
            }
            var texts: [String] = []
            for (index, value) in values.enumerated() {
                guard let text = value.stringValue, (1...2048).contains(text.utf8.count) else {
                    throw JSONError(place: "$.\(name)[\(index)]", problem: "must be a text of 1 to 2048 bytes")
                }
                texts.append(text)
            }
            return texts
        }
        self.init(redirectURIs: try list("redirectURIs"), hosts: try list("hosts"))
        try reader.finish()
    }
}
