import Authority
import Foundation
import OpenIDProvider

extension ServerConfiguration {
    private static let originMeaning = "https://HOST without a path; http only for 127.0.0.0/8, [::1] and localhost"

    /// OpenID Connect, if it is switched on.
    static func openID(
        _ settings: Settings, publicURLs: [String], role: Role
    ) throws(ConfigurationError) -> OpenIDProvider.Configuration? {
        guard settings.string("openid.issuer") != nil else { return nil }
        let issuer = try settings.value("openid.issuer", originMeaning, origin)
        guard let pages = settings.string("openid.pages") ?? publicURLs.first else {
            throw ConfigurationError(
                key: "openid.pages",
                problem: role == .authority
                    ? "missing; where do browsers on phones reach the gateways, which are given the same setting?"
                    : "missing; where do browsers on phones reach the device listener?")
        }
        guard let pages = origin(pages) else {
            throw ConfigurationError(key: "openid.pages", problem: "must be \(originMeaning)")
        }
        return OpenIDProvider.Configuration(issuer: issuer, pages: pages)
    }

    /// Where browsers reach the login pages of a gateway, if it shows them.
    static func openIDPages(_ settings: Settings) throws(ConfigurationError) -> String? {
        guard settings.string("openid.pages") != nil else { return nil }
        return try settings.value("openid.pages", originMeaning, origin)
    }

    /// The address itself if it is an origin that a browser trusts with cookies.
    private static func origin(_ text: String) -> String? {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme, let host = parts.host, !host.isEmpty,
            parts.path.isEmpty, parts.query == nil, parts.fragment == nil, parts.user == nil,
            text == text.lowercased()
        else { return nil }
        let isOwnMachine = host.hasPrefix("127.") || ["::1", "[::1]", "localhost"].contains(host)
        return scheme == "https" || scheme == "http" && isOwnMachine ? text : nil
    }
}
