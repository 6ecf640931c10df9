import Authority
import BenjiPage
import BenjiProtocol
package import Foundation
import OpenIDProvider
package import Store

/// What is to change of an app's OpenID client. What is `nil` or empty stays.
package struct OpenIDClientChanges: Hashable, Sendable, Codable {
    package var redirectURIs = ListChange()
    /// The login page's description as JSON text (docs/page.md). It breaks no rule whose severity is error.
    package var page: String?
    /// Images and videos of the page by name, in JSON as base64: new ones, or in the place of those of the same name.
    package var media: [String: Data] = [:]
    /// Names of images that the page has no more.
    package var removedMedia: [String] = []
    /// A JWK set with the public keys of the app's server.
    package var keySet: String?
    /// Whether the server authenticates with a secret; otherwise it signs.
    package var usesSecret: Bool?
    package var idTokenAlgorithm: IDTokenAlgorithm?
    package var asksMiddleDigits: Bool?
    package var requiresPushedRequests: Bool?
    package var purposes = ListChange()
    package var frameAncestors = ListChange()
    package var stableSubjectWithoutPage: Bool?

    package init() {}

    /// As a client's description names them.
    private enum CodingKeys: String, CodingKey {
        case redirectURIs = "redirect_uris"
        case page, media
        case removedMedia = "removed_media"
        case keySet = "jwks"
        case usesSecret = "secret"
        case idTokenAlgorithm = "id_token_signed_response_alg"
        case asksMiddleDigits = "asks_middle_digits"
        case requiresPushedRequests = "require_pushed_authorization_requests"
        case purposes
        case frameAncestors = "frame_ancestors"
        case stableSubjectWithoutPage = "stable_sub_without_page"
    }

    /// Whether it names nothing that would change.
    package var isEmpty: Bool { self == OpenIDClientChanges() }

    /// The first member of it that only an operator may set, as the command line spells it: what people see and are asked,
    /// whose pages may show it, what the app may ask the network for, and a weaker proof. A developer decides where answers
    /// go, the page's images, the keys of their server and how ID tokens are signed.
    package var operatorsPart: String? {
        let named: [(Bool, String)] = [
            (page != nil, "page"), (usesSecret == true, "secret"), (asksMiddleDigits != nil, "digits"),
            (requiresPushedRequests == false, "no-pushed-only"), (!purposes.isEmpty, "purpose"),
            (!frameAncestors.isEmpty, "frame-ancestor"), (stableSubjectWithoutPage != nil, "stable-sub-without-page"),
        ]
        return named.first(where: \.0)?.1
    }

    /// - Parameters:
    ///   - client: what is registered, or for a new client the defaults.
    ///   - page: what ``page`` says; it has been held against the rules.
    func apply(to client: inout OpenIDClients.Registration, page: PageDescription?) throws(Refusal) {
        guard removedMedia.count <= ListChange.maximum else {
            throw Refusal(.parameterInvalid, "removed_media: at the most \(ListChange.maximum) in one order")
        }
        let isNew = client.redirectURIs.isEmpty
        guard !isNew || page != nil && !redirectURIs.named.isEmpty else {
            throw Refusal(
                .parameterInvalid,
                "the app is no client yet; a new one needs a redirect URI and a page (--redirect-uri and --page)")
        }
        try redirectURIs.apply(to: &client.redirectURIs, of: "redirect URI")
        if let page { client.page = page }
        client.media = media.mapValues { Array($0) }
        client.removedMedia = Set(removedMedia)
        if let keySet { client.keySet = keySet }
        if isNew { client.authentication = keySet == nil ? .clientSecretBasic : .privateKeyJWT }
        if let usesSecret { client.authentication = usesSecret ? .clientSecretBasic : .privateKeyJWT }
        if let idTokenAlgorithm { client.idTokenAlgorithm = idTokenAlgorithm }
        if let asksMiddleDigits { client.asksMiddleDigits = asksMiddleDigits }
        if let requiresPushedRequests { client.requiresPushedRequests = requiresPushedRequests }
        try purposes.apply(to: &client.purposes, of: "purpose")
        try frameAncestors.apply(to: &client.frameAncestors, of: "frame ancestor")
        if let stableSubjectWithoutPage { client.stableSubjectWithoutPage = stableSubjectWithoutPage }
    }
}
