extension ConfigurationKeys {
    /// Settings whose value is the path of a file or folder.
    static let paths: Set<String> = [
        "data", "policy", "tls.certificate", "tls.key", "face.models", "face.policy", "mutual-tls.certificate",
        "mutual-tls.key", "mutual-tls.authority", "administration.client-authority", "callbacks.authorities",
        "attestation.apple-roots", "radsec.certificate", "radsec.key", "radsec.client-authority",
        "console.openid.client-secret-file",
        "console.openid.authority", "openid.client-authority", "audit.syslog",
    ]

    /// Whether a setting's value is a path.
    static func isPath(_ key: String) -> Bool {
        let parts = key.split(separator: ".")
        return paths.contains(key)
            || parts.count == 3 && parts[0] == "sms"
                && ["password-file", "secret-file", "tls-authority", "path"].contains(parts[2])
    }

    /// The roles in which a setting has an effect.
    static func roles(of key: String) -> [ServerConfiguration.Role] {
        let parts = key.split(separator: ".").map(String.init)
        return switch parts.first {
        case "authority": [.gateway]
        case "gateways": [.authority]
        case "mutual-tls": [.gateway, .authority]
        case "nas", "nat", "gateway", "public", "radsec": [.all, .gateway]
        case "master-key", "store", "quarantine", "attestation", "administration", "console", "retention", "callbacks",
            "sms", "audit",
            "sms-codes", "sms-upstream", "quotas", "openid", "face", "public-log":
            [.all, .authority]
        default:
            switch key {
            case "listen.gateways": [.authority]
            case "listen.device", "listen.accounting", "listen.radsec": [.all, .gateway]
            case "listen.server", "listen.administration", "listen.mtls", "limits.remembered-callers":
                [.all, .authority]
            default: ServerConfiguration.Role.allCases
            }
        }
    }
}
