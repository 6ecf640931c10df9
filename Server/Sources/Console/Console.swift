// The console: pages for developers and operators, over the orders of `Administration`. It decides nothing. Begin here;
// `ConsoleVisit.swift` has who asks, `Resources/` the templates.
package import Administration
package import BenjiProtocol
import HTTPTypes
import Hummingbird
package import Requests
package import ServerHTTP

/// The pages under `/console`.
package struct Console: Sendable {
    /// Where others call, as pages tell developers.
    package struct Addresses: Sendable {
        /// Where apps' servers redeem tokens: `https://api.example`, without a path.
        package var server: String
        /// Where the SDK on phones calls; `nil` if this process does not know.
        package var phones: String?
        /// `nil` while OpenID Connect is off.
        package var issuer: String?

        package init(server: String, phones: String?, issuer: String?) {
            self.server = server
            self.phones = phones
            self.issuer = issuer
        }
    }

    /// Forms for signing in and for invitations that are looked at from one address, or one /64, in ten minutes. How
    /// many may fail under one name is ``Administration/failedSignIns``.
    package static let callsOfOneAddress = 60

    let administration: Administration
    let clock: any WallClock
    let hosts: AdmittedHosts
    /// Whether browsers come over TLS. Without it only this machine's own may come, and cookies have no prefix.
    let isSecure: Bool
    let addresses: @Sendable (_ host: String) async -> Addresses
    let process: Process
    /// `nil` if one-tap sign-in is off.
    let oneTap: OneTapClient?
    let templates: ConsoleTemplates
    let callsByAddress = SourceLimiter(calls: callsOfOneAddress)

    /// - Parameters:
    ///   - hosts: names by which browsers may ask, in lower case, besides addresses and localhost.
    ///   - process: what the process that serves the console knows.
    ///   - oneTap: asks an OpenID provider whose phone was tapped; `nil` if one-tap sign-in is off.
    ///   - addresses: where others call, if browsers call this machine by the host.
    package init(
        administration: Administration, clock: any WallClock, hosts: Set<String> = [], isSecure: Bool,
        process: Process, oneTap: OneTapClient? = nil,
        addresses: @escaping @Sendable (_ host: String) async -> Addresses
    ) {
        self.administration = administration
        self.clock = clock
        self.hosts = AdmittedHosts(hosts)
        self.isSecure = isSecure
        self.process = process
        self.oneTap = oneTap
        templates = ConsoleTemplates(offersOneTap: oneTap != nil)
        self.addresses = addresses
    }

    package var routes: [EndpointRoute] {
        signInRoutes + oneTapRoutes + appRoutes + settingRoutes + webLoginRoutes + callbackRoutes + teamRoutes
            + findLoginRoutes + allLoginRoutes
            + loginRoutes
            + bookRoutes + designRoutes + pageRoutes + peopleRoutes + feedRoutes + sessionRoutes + numberRoutes
            + policyRoutes
            + keyRoutes + auditRoutes + fileRoutes
    }

    private var fileRoutes: [EndpointRoute] {
        [
            EndpointRoute(.get, "/console/console.css") { _, _ in
                Self.file(PageTokens.css + PackageResources.console_css, "text/css")
            },
            EndpointRoute(.get, "/console/console.js") { _, _ in
                Self.file(PageTokens.copyScript + PackageResources.console_js, "text/javascript")
            },
        ]
    }

    /// Nothing from another host, no inline script or style, no frame.
    static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; "
        + "frame-ancestors 'none'"

    static func file(_ bytes: [UInt8], _ type: String) -> Response {
        guarded(
            Response(
                status: .ok, headers: [.contentType: "\(type); charset=utf-8", .cacheControl: "no-cache"],
                body: ResponseBody(byteBuffer: .init(bytes: bytes))))
    }

    static func guarded(_ answer: Response) -> Response {
        var response = answer
        // The page designer says for itself what it may do.
        if response.headers[.contentSecurityPolicy] == nil { response.headers[.contentSecurityPolicy] = policy }
        response.headers[.referrerPolicy] = "no-referrer"
        // A drawn page is shown in a frame of the console's own.
        if response.headers[.frameOptions] == nil { response.headers[.frameOptions] = "DENY" }
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.resourcePolicy] = "same-origin"
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        return response
    }
}
