import BenjiProtocol
import Console
import ServerHTTP
import ServerRuntime

extension ServerConfiguration {
    static func administration(_ settings: Settings, tls: CertificateFiles?) throws(ConfigurationError)
        -> Administration?
    {
        guard settings.string("listen.administration") != nil else {
            guard settings.string("console.openid.issuer") == nil else {
                throw ConfigurationError(
                    key: "console.openid.issuer",
                    problem: "has no effect: listen.administration says where the console is, and is missing")
            }
            return nil
        }
        let address = try settings.value(
            "listen.administration", "an address and a port, such as 127.0.0.1:8084", { ListenAddress($0) })
        guard address.isLoopback || tls != nil else {
            throw ConfigurationError(
                key: "listen.administration",
                problem:
                    "\(address) is not this machine alone, and tokens would cross the network in clear; set "
                    + "tls.certificate "
                    + "and tls.key, or listen on 127.0.0.1")
        }
        var administration = Administration(address: address)
        administration.hosts = Set(
            try settings.list("administration.hosts", "a name such as benji.internal", Settings.hostName))
        administration.clientAuthority = settings.string("administration.client-authority")
        guard administration.clientAuthority == nil || tls != nil else {
            throw ConfigurationError(
                key: "administration.client-authority",
                problem: "has no effect without TLS; set tls.certificate and tls.key")
        }
        administration.oneTap = try oneTap(settings, hosts: administration.hosts)
        return administration
    }

    /// Signing in to the console by one tap, if it is switched on.
    private static func oneTap(_ settings: Settings, hosts: Set<String>) throws(ConfigurationError) -> OneTap? {
        guard settings.string("console.openid.issuer") != nil else { return nil }
        let address = try settings.value("console.openid.address", originMeaning, origin)
        guard AdmittedHosts(hosts).admit(address.split(separator: "/").last.map(String.init)) else {
            throw ConfigurationError(
                key: "console.openid.address",
                problem: "browsers would be refused there: put its name into administration.hosts")
        }
        return OneTap(
            client: OneTapClient.Configuration(
                issuer: try settings.value("console.openid.issuer", originMeaning, origin),
                clientID: try settings.value("console.openid.client-id", "1 to 255 characters without blanks") {
                    (1...255).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x21..<0x7f).contains($0) } ? $0 : nil
                },
                clientSecret: try secret("console.openid.client-secret-file", settings), console: address),
            tls: try clientTLS("console.openid.authority", settings))
    }
}
