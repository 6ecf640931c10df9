import Authority
package import BenjiProtocol
import HTTPTypes
import Hummingbird
package import OpenIDProvider
package import ServerHTTP

/// OpenID Connect: the authority's interface for browsers on phones and for apps' servers (docs/openid.md).
///
/// Two lists of routes for two listeners. A phone is recognised by the address that its browser's connection comes
/// from, so the pages belong where phones call. The rest belongs where apps' servers call.
package struct OpenIDEndpoints: Sendable {
    /// The largest form that is read, in bytes.
    static let maximumBody = 64 * 1024

    let service: any OpenIDService
    let pages: String
    let sightings: any SightingSource
    private let random: any RandomSource
    /// - Parameters:
    ///   - service: who decides.
    ///   - pages: where phones' browsers reach these routes: `https://gw.example.com`, without a path.
    package init(
        service: any OpenIDService, pages: String, sightings: any SightingSource,
        random: any RandomSource = SystemRandomSource()
    ) {
        self.service = service
        self.pages = pages
        self.sightings = sightings
        self.random = random
    }

    private func strict(_ response: Response) -> Response { response.strict(at: pages) }

    /// A nonce that allows a page its style sheet.
    func newNonce() -> String { CredentialGrammar.openID.make(random: random) }

    /// For the listener of phones.
    package var browserRoutes: [EndpointRoute] {
        [
            EndpointRoute(.get, OpenIDProvider.Path.authorize.rawValue) { strict(try await authorize($0, $1)) },
            EndpointRoute(.post, OpenIDProvider.Path.authorize.rawValue) { strict(try await authorize($0, $1)) },
            EndpointRoute(.post, OpenIDProvider.Path.login.rawValue) { strict(try await login($0, $1)) },
            EndpointRoute(.get, OpenIDProvider.Path.consents.rawValue) { strict(try await consents($0, $1)) },
            EndpointRoute(.post, OpenIDProvider.Path.consents.rawValue) { strict(try await endConsents($0, $1)) },
            EndpointRoute(.get, OpenIDProvider.Path.requests.rawValue) { strict(try await requests($0, $1)) },
            EndpointRoute(.post, OpenIDProvider.Path.requests.rawValue) { strict(try await decideRequest($0, $1)) },
            EndpointRoute(.get, OpenIDProvider.Path.media.rawValue) { try await media($0, $1) },
            EndpointRoute(.get, OpenIDProvider.Path.script.rawValue) { LoginScript.answer($0, $1) },
        ]
    }

    /// For the listener of apps' servers.
    ///
    /// - Parameter isMutualTLS: whether that listener asks for client certificates.
    package static func serverRoutes(
        _ provider: OpenIDProvider, service: (any OpenIDService)? = nil, isMutualTLS: Bool = false
    ) -> [EndpointRoute] {
        let servers = OpenIDServerEndpoints(provider: provider, service: service ?? provider, isMutualTLS: isMutualTLS)
        return [
            EndpointRoute(.get, OpenIDProvider.Path.discovery.rawValue) { _, context in servers.discovery(context) },
            EndpointRoute(.get, OpenIDProvider.Path.metadata.rawValue) { _, context in servers.discovery(context) },
            EndpointRoute(.get, OpenIDProvider.Path.jwks.rawValue) { _, context in await servers.jwks(context) },
            EndpointRoute(.get, OpenIDProvider.Path.receiptKeys.rawValue) { _, context in
                await servers.receiptKeys(context)
            },
            EndpointRoute(.post, OpenIDProvider.Path.push.rawValue) { await servers.push($0, $1) },
            EndpointRoute(.post, OpenIDProvider.Path.token.rawValue) { await servers.token($0, $1) },
            EndpointRoute(.post, OpenIDProvider.Path.backchannel.rawValue) { await servers.backchannel($0, $1) },
            // An access token is good for one answer.
            EndpointRoute(.get, OpenIDProvider.Path.userInfo.rawValue, answersHead: false) {
                await servers.userInfo($0, $1)
            },
            EndpointRoute(.post, OpenIDProvider.Path.userInfo.rawValue) { await servers.userInfo($0, $1) },
            EndpointRoute(.post, OpenIDProvider.Path.revoke.rawValue) { await servers.revoke($0, $1) },
            EndpointRoute(.post, OpenIDProvider.Path.introspect.rawValue) { await servers.introspect($0, $1) },
        ]
    }
}

extension Request {
    /// The parameters of a form in the body.
    func form(upTo limit: Int = OpenIDEndpoints.maximumBody) async throws -> OpenIDParameters {
        guard mediaType == "application/x-www-form-urlencoded" else {
            throw OpenIDFailure(.invalidRequest, "Content-Type must be application/x-www-form-urlencoded")
        }
        return try Self.parameters(try await bytes(upTo: limit))
    }

    /// The parameters of the query.
    func queryParameters() throws -> OpenIDParameters { try Self.parameters(Array((uri.query ?? "").utf8)) }

    private static func parameters(_ bytes: [UInt8]) throws -> OpenIDParameters {
        guard let pairs = FormText.pairs(bytes) else {
            throw OpenIDFailure(.invalidRequest, "the parameters are not form-encoded UTF-8")
        }
        return try OpenIDParameters(pairs)
    }
}
