import Authority
package import BenjiProtocol
package import OpenIDProvider
package import Store

/// The steps of a login over OpenID Connect, as its routes need them of the authority.
package protocol OpenIDService: Sendable {
    /// A browser asks for the page.
    func authorize(
        _ parameters: OpenIDParameters, _ call: OpenIDProvider.BrowserCall
    ) async throws(OpenIDStop) -> OpenIDStep
    /// The page's form comes back.
    func answer(
        _ answer: OpenIDProvider.PageAnswer, _ call: OpenIDProvider.BrowserCall
    ) async throws(OpenIDStop) -> OpenIDStep
    /// The consents that are remembered for this phone's number, after ending one or all.
    func consents(
        ending: ConsentEnding?, _ call: OpenIDProvider.BrowserCall
    ) async throws(OpenIDStop) -> [RememberedApp]
    /// Returns the requests that wait for the holder of this phone's number, after deciding one.
    func requests(
        deciding decision: BackchannelDecision?, _ call: OpenIDProvider.BrowserCall
    ) async throws(OpenIDStop) -> [WaitingRequest]
    /// An image or a video of a page, by its digest; `nil` if no page has it.
    func media(digest: String) async throws(OpenIDFailure) -> OpenIDMedia?
    /// An app's server exchanges a code.
    func token(_ credentials: ClientCredentials) async throws(OpenIDFailure) -> JSON
    /// An access token buys one answer.
    func userInfo(_ call: OpenIDProvider.BearerCall) async throws(OpenIDFailure) -> JSON
}

extension OpenIDProvider: OpenIDService {}
