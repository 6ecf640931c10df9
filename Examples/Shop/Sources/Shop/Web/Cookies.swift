import HTTPTypes
import Hummingbird

/// The shop's three cookies. None is readable by scripts, none goes to another host.
struct Cookies: Sendable {
    /// With TLS the names begin with `__Host-`: browsers then refuse them from another host, a subdomain or a plain
    /// connection (RFC 6265bis §4.1.3).
    let isSecure: Bool

    enum Name: String {
        /// Who is logged in, and the basket. Never sent along with what another site starts.
        case session = "shop"
        /// Which browser began a login. It must come along when the provider sends the browser back.
        case login = "shop-login"
        case language = "shop-language"

        var site: String { self == .session ? "Strict" : "Lax" }
        var life: Int? { self == .session ? nil : self == .login ? Int(LoginAttempt.life) : 31_536_000 }
    }

    private func full(_ name: Name) -> String { (isSecure ? "__Host-" : "") + name.rawValue }

    func read(_ name: Name, of request: Request) -> String? {
        let wanted = full(name) + "="
        for line in request.headers[values: .cookie] {
            for cookie in line.split(separator: ";") {
                let text = cookie.drop { $0 == " " }
                if text.hasPrefix(wanted) { return String(text.dropFirst(wanted.count)) }
            }
        }
        return nil
    }

    /// - Parameter value: `nil` ends the cookie.
    func set(_ name: Name, _ value: String?, on response: inout Response) {
        var text = "\(full(name))=\(value ?? ""); Path=/; HttpOnly; SameSite=\(name.site)"
        if isSecure { text += "; Secure" }
        if value == nil { text += "; Max-Age=0" } else if let life = name.life { text += "; Max-Age=\(life)" }
        response.headers.append(HTTPField(name: .setCookie, value: text))
    }
}
