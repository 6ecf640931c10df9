import Authority
import Foundation
import OpenIDProvider

extension ServerConfiguration {
    /// OpenID Connect, if it is switched on.
    static func openID(
        _ settings: Settings, publicURLs: [String], role: Role
    ) throws(ConfigurationError) -> OpenIDProvider.Configuration? {
        guard settings.string("openid.issuer") != nil else { return nil }
        guard role == .all else {
            throw ConfigurationError(
                key: "openid.issuer", problem: "needs the role all; the link does not carry OpenID Connect yet")
        }
        let meaning = "https://HOST without a path; http only for 127.0.0.0/8, [::1] and localhost"
        let issuer = try settings.value("openid.issuer", meaning, origin)
        guard let pages = settings.string("openid.pages") ?? publicURLs.first else {
            throw ConfigurationError(
                key: "openid.pages", problem: "missing; where do browsers on phones reach the device listener?")
        }
        guard let pages = origin(pages) else {
            throw ConfigurationError(key: "openid.pages", problem: "must be \(meaning)")
        }
        return OpenIDProvider.Configuration(issuer: issuer, pages: pages)
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
