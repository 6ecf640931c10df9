package import Authority
import BenjiPage
import BenjiPolicy
import BenjiProtocol
package import Foundation
import OpenIDProvider
package import Requests
package import Store

/// The changes to an app's OpenID client. A member that is `nil` or empty keeps its value.
package struct OpenIDClientChanges: Hashable, Sendable, Codable {
    package var redirectURIs = ListChange()
    /// The login page's description as JSON text (docs/page.md). It breaks no rule whose severity is error.
    package var page: String?
    /// The app's colour as `#rrggbb`, for the page's button and links. It is written into the description, and so into
    /// its digest.
    package var color: String?
    /// The app's logo, in JSON as base64: PNG, JPEG or WebP. It is the image that the description names as its logo.
    package var logo: Data?
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
    /// How the server proves who it is; by name what ``usesSecret`` says roughly.
    package var authentication: ClientAuthentication?
    package var requiresPKCE: Bool?
    package var bindsAccessTokens: Bool?
    /// The identity in the certificate of the app's server: one of these, which replaces the registered one. An empty
    /// one removes its own.
    package var certificateSubject: String?
    package var certificateDNS: String?
    package var certificateURI: String?
    package var certificateIP: String?
    package var bindsToCertificate: Bool?
    package var profile: ClientProfile?
    package var remembersConsent: Bool?
    /// How the app learns of a decision that it requested on a person's phone: `poll` or `ping`. `none` ends its right
    /// to such requests.
    package var backchannelDelivery: String?
    /// Where an app with `ping` is told.
    package var backchannelNotification: String?

    package init() {}

    /// As a client's description names them.
    private enum CodingKeys: String, CodingKey {
        case redirectURIs = "redirect_uris"
        case page, color, logo, media
        case removedMedia = "removed_media"
        case keySet = "jwks"
        case usesSecret = "secret"
        case idTokenAlgorithm = "id_token_signed_response_alg"
        case asksMiddleDigits = "asks_middle_digits"
        case requiresPushedRequests = "require_pushed_authorization_requests"
        case purposes
        case frameAncestors = "frame_ancestors"
        case stableSubjectWithoutPage = "stable_sub_without_page"
        case authentication = "token_endpoint_auth_method"
        case requiresPKCE = "require_pkce"
        case bindsAccessTokens = "dpop_bound_access_tokens"
        case certificateSubject = "tls_client_auth_subject_dn"
        case certificateDNS = "tls_client_auth_san_dns"
        case certificateURI = "tls_client_auth_san_uri"
        case certificateIP = "tls_client_auth_san_ip"
        case bindsToCertificate = "tls_client_certificate_bound_access_tokens"
        case profile
        case remembersConsent = "remember_consent"
        case backchannelDelivery = "backchannel_token_delivery_mode"
        case backchannelNotification = "backchannel_client_notification_endpoint"
    }

    /// Whether it names nothing that would change.
    package var isEmpty: Bool { self == OpenIDClientChanges() }

    /// The first changed member that only an operator may set, spelled as on the command line. Such members affect what
    /// people see and are asked, frames, the network's answers and weaker proofs. A developer decides where answers go,
    /// the page's images, their server's keys and how ID tokens are signed.
    package var operatorsPart: String? {
        let named: [(Bool, String)] = [
            (page != nil, "page"), (color != nil, "color"), (usesSecret == true, "secret"),
            (asksMiddleDigits != nil, "digits"),
            (requiresPushedRequests == false, "no-pushed-only"), (!purposes.isEmpty, "purpose"),
            (!frameAncestors.isEmpty, "frame-ancestor"), (stableSubjectWithoutPage != nil, "stable-sub-without-page"),
            (authentication?.usesSecret == true, "auth-method"), (requiresPKCE == false, "no-pkce"),
            (bindsAccessTokens == false, "no-bound-tokens"),
            (bindsToCertificate == false, "no-certificate-bound-tokens"), (profile == .openID, "profile"),
            (remembersConsent == true, "remember-consent"),
            (backchannelDelivery.map { $0 != Self.noBackchannel } == true, "backchannel"),
        ]
        return named.first(where: \.0)?.1
    }

    /// The value that takes an app's right away to ask people on their phones.
    package static let noBackchannel = "none"

    private func apply(to present: BackchannelRegistration?) throws(Refusal) -> BackchannelRegistration? {
        var backchannel = present
        if let backchannelDelivery {
            if backchannelDelivery == Self.noBackchannel { return nil }
            guard let delivery = BackchannelDelivery(rawValue: backchannelDelivery) else {
                throw Refusal(.parameterInvalid, "backchannel: must be poll, ping or none")
            }
            // A client that polls has no notification endpoint.
            backchannel = BackchannelRegistration(
                delivery: delivery, notificationEndpoint: delivery == .ping ? present?.notificationEndpoint : nil)
        }
        guard let backchannelNotification else { return backchannel }
        guard backchannel != nil else {
            throw Refusal(
                .parameterInvalid,
                "backchannel: the app may not ask people on their phones; an operator allows it (--backchannel ping)")
        }
        backchannel?.notificationEndpoint = backchannelNotification
        return backchannel
    }

    /// The description that the client gets, held against the rules; `nil` if it keeps its own.
    ///
    /// - Parameter present: the one that it has.
    func page(over present: String?, _ policy: CarrierPolicy) throws(Refusal) -> PageDescription? {
        let named = try page.map { text throws(Refusal) in try ReviewedPage.keepingTheRules(text, policy: policy) }
        guard let color else { return named }
        guard let color = PageColor(text: color), color.alpha == 255 else {
            throw Refusal(.parameterInvalid, "color: must be a colour as #rrggbb; in a shell in quotes, '#b3470a'")
        }
        guard let page = try Self.page(named, over: present) else { return nil }
        let text: String
        do { text = try page.colored(color).json().text } catch { throw Refusal(.internalError, "page: \(error)") }
        return try ReviewedPage.keepingTheRules(text, policy: policy)
    }

    /// The description that is named, or the one that the client has.
    private static func page(_ named: PageDescription?, over present: String?) throws(Refusal) -> PageDescription? {
        guard named == nil, let present else { return named }
        do { return try PageDescription(parsing: Array(present.utf8)) } catch {
            throw Refusal(.internalError, "the client's page cannot be read: \(error)")
        }
    }

    /// The logo under the name that the description has for it.
    private func namedLogo(_ client: OpenIDClients.Registration) throws(Refusal) -> [String: [UInt8]] {
        guard let logo else { return [:] }
        guard let page = try Self.page(client.page, over: client.presentPage), !page.logo.isHidden else {
            throw Refusal(.parameterInvalid, "logo: the page's description hides it (logo.hidden)")
        }
        let name = page.logo.image.name
        guard media[name] == nil, !removedMedia.contains(name) else {
            throw Refusal(
                .parameterInvalid, "logo: is the page's image \(name.prefix(64).printable), which is named in media too"
            )
        }
        return [name: try OpenIDClients.logo(Array(logo))]
    }

    /// - Parameters:
    ///   - client: the registration, or for a new client the defaults.
    ///   - page: the result of ``page(over:_:)``.
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
        client.media = media.mapValues { Array($0) }.merging(try namedLogo(client)) { $1 }
        client.removedMedia = Set(removedMedia)
        if let keySet { client.keySet = keySet }
        if isNew { client.authentication = keySet == nil ? .clientSecretBasic : .privateKeyJWT }
        guard usesSecret == nil || authentication == nil else {
            throw Refusal(.parameterInvalid, "secret: leave it out; token_endpoint_auth_method says how")
        }
        if let usesSecret, usesSecret != client.authentication.usesSecret {
            client.authentication = usesSecret ? .clientSecretBasic : .privateKeyJWT
        }
        if let authentication { client.authentication = authentication }
        if let idTokenAlgorithm { client.idTokenAlgorithm = idTokenAlgorithm }
        if let asksMiddleDigits { client.asksMiddleDigits = asksMiddleDigits }
        if let requiresPushedRequests { client.requiresPushedRequests = requiresPushedRequests }
        try purposes.apply(to: &client.purposes, of: "purpose")
        try frameAncestors.apply(to: &client.frameAncestors, of: "frame ancestor")
        if let requiresPKCE { client.requiresPKCE = requiresPKCE }
        if let bindsAccessTokens { client.bindsAccessTokens = bindsAccessTokens }
        try changeCertificateName(of: &client)
        if let bindsToCertificate { client.bindsToCertificate = bindsToCertificate }
        if let profile { client.profile = profile }
        if let remembersConsent { client.remembersConsent = remembersConsent }
        client.backchannel = try apply(to: client.backchannel)
        if let stableSubjectWithoutPage { client.stableSubjectWithoutPage = stableSubjectWithoutPage }
    }

    private func changeCertificateName(of client: inout OpenIDClients.Registration) throws(Refusal) {
        let named: [(CertificateName.Kind, String?)] = [
            (.subjectDN, certificateSubject), (.dns, certificateDNS), (.uri, certificateURI), (.ip, certificateIP),
        ]
        let names = named.compactMap { kind, value in value.map { CertificateName(kind, $0) } }
        let written = names.filter { !$0.value.isEmpty }
        guard written.count <= 1 else {
            throw Refusal(
                .parameterInvalid, "\(written.map(\.kind.rawValue).joined(separator: ", ")): name one of them")
        }
        if let name = written.first {
            client.certificateName = name
        } else if names.contains(where: { $0.kind == client.certificateName?.kind }) {
            client.certificateName = nil
        }
    }
}
