import BenjiPolicy
import BenjiProtocol
import Gateway
import ServerRuntime

extension ServerConfiguration {
    init(_ settings: Settings) throws {
        let process = try ProcessConfiguration(settings, role: .all)
        self.init(
            process: process, gateway: try GatewaySettings(settings, process),
            server: try settings.address("listen.server", default: "127.0.0.1:8081"))
        postgres = try Self.postgres(settings)
        try readWrappingKeys(settings)
        administration = try Self.administration(settings, tls: process.tls)
        // A gateway forwards all that phones and browsers ask; whether there is an answer is the authority's to know.
        if process.role != .gateway {
            showsOwnLog = try settings.flag("public-log.page", default: false)
            face = try Self.face(settings)
            openID = try Self.openID(settings, publicURLs: gateway.publicURLs, role: process.role)
            clientTLS = try readClientTLS(settings)
            auditSyslog = try settings.string("audit.syslog").map { path throws(ConfigurationError) in
                guard path.utf8.count <= SyslogSocket.maximumPath else {
                    throw ConfigurationError(
                        key: "audit.syslog",
                        problem: "\(path) is longer than the path of a socket may be, \(SyslogSocket.maximumPath) bytes"
                    )
                }
                return path
            }
        }
        quarantine = .seconds(86400 * (try settings.number("quarantine.days", default: 90)))
        try readMemories(settings)
        try readRetention(settings)
        try readCallbacks(settings)
        try readSMSCodes(settings)
        if process.role == .authority {
            gatewayListener = try settings.value("listen.gateways", "an address and a port", { ListenAddress($0) })
            for name in try settings.list("gateways.names", "a name", Settings.name, isUnique: true) {
                gatewayCarriers[name] = Set(
                    try settings.list(
                        "gateways.\(name).carriers", process.policy.names
                    ) { process.policy.carrier($0) })
                if settings.string("gateways.\(name).pair") != nil {
                    gatewayPairs[name] = try settings.value("gateways.\(name).pair", "a name", Settings.name)
                }
            }
            for (pair, names) in membersOfPairs where names.count != 2 {
                throw ConfigurationError(
                    key: "gateways.\(names[0]).pair",
                    problem:
                        "the pair \(pair) is named by \(names.count == 1 ? "one gateway" : "\(names.count) gateways"); "
                        + "a pair is two, of which one answers"
                )
            }
        }
        try self.process.readLink(settings)
        shortMessageSenders = try Self.shortMessageSenders(settings)
        if !shortMessageSenders.isEmpty { try refuseGuessableCodes() }
        try readSMSUpstream(settings)
        self.process.warnings += Self.exposedSecretFiles(settings)
        try settings.refuseUnused()
        self.process.warnings += [settings.exposure].compactMap { $0 }
    }
}
