import BenjiProtocol
import HTTPTypes
import Hummingbird
import OpenIDProvider
import ServerHTTP

/// A browser's request: its cookies, and where the answer goes.
struct PageBrowser {
    /// The pages that one browser may have open; with one more, the oldest is forgotten.
    static let maximumCount = 16

    /// Where phones' browsers reach the pages.
    let pages: String

    /// Only over TLS browsers know the prefix, which makes them refuse the cookie from another host, a subdomain or a
    /// plain connection (RFC 6265bis §4.1.3). Plain HTTP is for the machine itself.
    var prefix: String { isSecure ? "__Host-" : "" }

    private var isSecure: Bool { pages.hasPrefix("https://") }

    /// The secrets of open pages by the names of their cookies, as the authority knows them.
    func cookies(_ request: Request) -> [String: String] {
        Dictionary(own(request) + own(request, OpenIDProvider.rememberedCookie)) { first, _ in first }
    }

    /// The secret of this browser's own pages: remembered consents, and requests that wait.
    func ownSecret(_ request: Request) -> String? { own(request, Self.consents).first { $0.0 == Self.consents }?.1 }

    private static let consents = "consents"

    /// The value of `Set-Cookie` for that secret; it lives until the browser is closed.
    func newOwnSecret(_ secret: String) -> String { "\(prefix)\(Self.consents)=\(secret)\(windowAttributes)" }

    /// The value of `Set-Cookie` for a consent that is remembered.
    func remembered(_ cookie: OpenIDPage.Cookie) -> String {
        "\(prefix)\(cookie.name)=\(cookie.secret); Max-Age=\(OpenIDProvider.rememberedCookieLife)\(windowAttributes)"
    }

    private var windowAttributes: String { "; Path=/\(isSecure ? "; Secure" : ""); HttpOnly; SameSite=Lax" }

    /// In the order in which the browser got them (RFC 6265 §5.4).
    private func own(_ request: Request, _ kind: String = "benji-") -> [(String, String)] {
        request.cookies.compactMap { name, value in
            guard name.hasPrefix(prefix + kind), LoginPages.isSecret(value) else { return nil }
            return (String(name.dropFirst(prefix.count)), value)
        }
    }

    /// The values of `Set-Cookie` for a new page: its own, and the end of the oldest that are too many.
    func newCookies(
        _ cookie: OpenIDPage.Cookie, for request: Request, _ destination: OpenIDProvider.BrowserCall.Destination
    )
        -> [String]
    {
        let attributes: String
        switch destination {
        case .window: attributes = windowAttributes
        // The only cookies that a frame of another site's page has, and each such page has its own.
        case .frame: attributes = "; Path=/; Secure; HttpOnly; SameSite=None; Partitioned"
        }
        let old = own(request).map(\.0).dropLast(Self.maximumCount - 1)
        return old.map { "\(prefix)\($0)=; Max-Age=0\(attributes)" }
            + ["\(prefix)\(cookie.name)=\(cookie.secret); Max-Age=\(LoginPages.cookieLife)\(attributes)"]
    }

    /// Where the answer goes. An image or a script of another site, or a prefetched page, is no person who wants to log
    /// in. It must not use up the phone's tries.
    func destination(_ request: Request) throws(OpenIDFailure) -> OpenIDProvider.BrowserCall.Destination {
        guard !(request.headers[.secPurpose] ?? "").contains("prefetch") else {
            throw OpenIDFailure(.invalidRequest, "the address is not to be fetched before somebody goes there")
        }
        switch request.headers[.secFetchDest] ?? "document" {
        case "document": return .window
        case "iframe", "frame":
            // A link on one of our pages sends no referrer; it is in a frame that was judged before.
            guard request.headers[.secFetchSite] != "same-origin" else { return .frame(of: pages) }
            return .frame(of: request.headers[.referer].flatMap(Self.origin))
        default:
            throw OpenIDFailure(.invalidRequest, "the address is for browsers to go to, not to fetch from a page")
        }
    }

    /// Scheme, host and port of an address.
    private static func origin(_ address: String) -> String? {
        let parts = address.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[1].isEmpty, parts[0].hasSuffix(":"), !parts[2].isEmpty else { return nil }
        return "\(parts[0])//\(parts[2])"
    }
}
