import BenjiProtocol

extension ServerConfiguration {
    static func administration(_ settings: Settings, tls: Identity?) throws(ConfigurationError) -> Administration? {
        guard settings.string("listen.administration") != nil else { return nil }
        let address = try settings.value(
            "listen.administration", "an address and a port, such as 127.0.0.1:8084", { ListenAddress($0) })
        guard address.isLoopback || tls != nil else {
            throw ConfigurationError(
                key: "listen.administration",
                problem:
                    "\(address) is not this machine alone, and tokens would cross the network in clear; set tls.certificate "
                    + "and tls.key, or listen on 127.0.0.1")
        }
        var administration = Administration(address: address)
        administration.hosts = Set(
            try settings.list("administration.hosts", "a name such as benji.internal", hostName))
        administration.clientAuthority = settings.string("administration.client-authority")
        guard administration.clientAuthority == nil || tls != nil else {
            throw ConfigurationError(
                key: "administration.client-authority",
                problem: "has no effect without TLS; set tls.certificate and tls.key")
        }
        return administration
    }
}
