import Administration
import Authority
import Foundation
import OpenIDProvider
import ServerHTTP
import ServerRuntime

extension ServerConfiguration {
    static let originMeaning = "https://HOST without a path; http only for 127.0.0.0/8, [::1] and localhost"

    /// OpenID Connect, if it is switched on.
    static func openID(
        _ settings: Settings, publicURLs: [String], role: ServerRole
    ) throws(ConfigurationError) -> OpenIDProvider.Configuration? {
        guard settings.string("openid.issuer") != nil else { return nil }
        let issuer = try settings.value("openid.issuer", originMeaning, origin)
        guard let pages = settings.string("openid.pages") ?? publicURLs.first else {
            throw ConfigurationError(
                key: "openid.pages",
                problem: role == .authority
                    ? "missing; where do browsers on phones reach the gateways?"
                    : "missing; where do browsers on phones reach the device listener?")
        }
        guard let pages = origin(pages) else {
            throw ConfigurationError(key: "openid.pages", problem: "must be \(originMeaning)")
        }
        let prefix =
            try settings.string("openid.api-prefix").map { _ throws(ConfigurationError) in
                try settings.value("openid.api-prefix", "a path such as /carrier, without a slash at its end", path)
            } ?? ""
        return OpenIDProvider.Configuration(issuer: issuer, pages: pages, apiPrefix: prefix)
    }

    /// Where clients show certificates, if anywhere. Where that is from outside becomes part of ``openID``.
    mutating func readClientTLS(_ settings: Settings) throws(ConfigurationError) -> ClientTLS? {
        guard settings.string("listen.mtls") != nil else {
            for key in ["openid.mtls", "openid.client-authority"] where settings.string(key) != nil {
                throw ConfigurationError(
                    key: key, problem: "has no effect: listen.mtls says where clients show certificates, and is missing"
                )
            }
            return nil
        }
        let address = try settings.value(
            "listen.mtls", "an address and a port, such as 0.0.0.0:8085", { ListenAddress($0) })
        guard openID != nil else {
            throw ConfigurationError(
                key: "listen.mtls", problem: "has no effect without OpenID Connect; set openid.issuer")
        }
        guard process.tls != nil else {
            throw ConfigurationError(
                key: "listen.mtls",
                problem: "certificates are shown in TLS; set tls.certificate and tls.key, whose certificate names this "
                    + "address too")
        }
        openID?.mutualTLS = try settings.value("openid.mtls", "https://HOST without a path") { text in
            text.hasPrefix("https://") ? Self.origin(text) : nil
        }
        return ClientTLS(address: address, clientAuthority: settings.string("openid.client-authority"))
    }

    /// The text itself if it can stand before a path.
    private static func path(_ text: String) -> String? {
        text.wholeMatch(of: /(\/[A-Za-z0-9._~-]{1,64}){1,8}/) == nil ? nil : text
    }

    /// The address itself if it is an origin that a browser trusts with cookies.
    static func origin(_ text: String) -> String? {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme, let host = parts.host, !host.isEmpty,
            parts.path.isEmpty, parts.query == nil, parts.fragment == nil, parts.user == nil,
            text == text.lowercased()
        else { return nil }
        return scheme == "https" || scheme == "http" && OwnMachine.isNamed(host) ? text : nil
    }
}
