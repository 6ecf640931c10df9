import Authority
package import BenjiProtocol
package import OpenIDProvider

/// The steps of a login over OpenID Connect, as its routes need them of the authority.
package protocol OpenIDDesk: Sendable {
    /// A browser asks for the page.
    func authorize(
        _ parameters: OpenIDParameters, _ call: OpenIDProvider.BrowserCall
    ) async throws(OpenIDStop) -> OpenIDStep
    /// The page's form comes back.
    func answer(
        _ answer: OpenIDProvider.PageAnswer, _ call: OpenIDProvider.BrowserCall
    ) async throws(OpenIDStop) -> OpenIDStep
    /// An app's server exchanges a code.
    func token(_ credentials: ClientCredentials) async throws(OpenIDFailure) -> JSON
    /// An access token buys one answer.
    func userInfo(_ call: OpenIDProvider.BearerCall) async throws(OpenIDFailure) -> JSON
}

extension OpenIDProvider: OpenIDDesk {}
