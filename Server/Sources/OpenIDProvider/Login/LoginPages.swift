import Authority
package import BenjiPage
import BenjiPolicy
@_spi(Server) package import BenjiProtocol
import Crypto
import Requests
package import Store

/// The parts of a page, for one subscription and in one language.
struct PageParts {
    var description: PageDescription
    /// `nil` for a code by SMS.
    var facts: PageFacts?
    var content: ConsentContent
    /// The digest of the app's description, without the additions for browsers.
    var pageDigest: String
    /// The digits that the mask hides.
    var hiddenDigits: String
    /// The app's name.
    var app: String
    var frameAncestors: [String]
    /// The text next to the box that has the consent remembered; `nil` if the page has none.
    var remembering: String?

    /// - Parameters:
    ///   - media: digests of the page's images, by name.
    ///   - isRemembered: whether the person has ticked the box of a page that is shown again.
    func page(
        _ stage: OpenIDPage.Stage, secret: String, language: Language, redirectURI: String, media: [String: String],
        isRemembered: Bool = false
    ) -> OpenIDPage {
        var page = OpenIDPage(
            stage: stage, secret: secret, description: description, facts: facts, language: language,
            redirectURI: redirectURI, media: media, app: app, frameAncestors: frameAncestors)
        page.remembering = remembering.map { .init(text: $0, isTicked: isRemembered) }
        return page
    }
}

/// Makes the pages of a login.
package struct LoginPages: Sendable {
    let context: ProviderContext

    /// How long a page waits for its answer, in seconds.
    package static let life = OpenIDLifetime.page
    /// How long a browser keeps a page's cookie: as long as the page that it may lead to, for a code by SMS.
    package static let cookieLife = OpenIDLifetime.smsPage

    package static func isSecret(_ text: String) -> Bool { CredentialGrammar.openID.matches(text) }

    /// - Parameter remembered: the scopes that the page's box has remembered; `nil` for a page without one.
    func parts(
        _ client: KnownClient, _ subscription: SubscriptionRecord, _ language: Language,
        remembering remembered: [String]? = nil
    ) throws(OpenIDFailure) -> PageParts {
        let policy = context.authority.configuration.policy
        guard let duties = policy.carriers[subscription.carrier]?.page else {
            throw OpenIDFailure(.serverError, "this carrier is not in the policy")
        }
        let carrier = PageCarrier(rawValue: subscription.carrier.rawValue) ?? .other
        let number: PhoneNumber
        do { number = try context.authority.vault.number(of: subscription) } catch {
            throw OpenIDFailure(Refusal(error, "the subscription's number does not open"))
        }
        let (description, pageDigest) = try read(client)
        let pageDuties = CarrierDuties(
            policyVersion: policy.version, termsTitle: duties.termsTitle, termsURL: duties.termsURL,
            slogan: duties.slogan)
        var content = ConsentContent(PageContent(description, duties: pageDuties, language: language))
        let remembering = remembered.map { RememberedConsentStrings.box(for: $0)[language] }
        if let remembering { content.texts.append(.init(.custom, remembering)) }
        try check(content, pageDigest, client, .shown(duties))
        let mask = number.masked
        let hidden = zip(mask, number.national).filter { $0.0 == "*" }.map(\.1)
        return PageParts(
            description: description, facts: PageFacts(carrier: carrier, maskedNumber: mask, duties: pageDuties),
            content: content, pageDigest: pageDigest, hiddenDigits: String(hidden), app: client.app.record.shownName,
            frameAncestors: client.record.frameAncestors, remembering: remembering)
    }

    /// The pages for a code by SMS: the app's own terms, in words of ours.
    func smsParts(_ client: KnownClient, _ language: Language) throws(OpenIDFailure) -> PageParts {
        let (description, pageDigest) = try read(client)
        let content = SMSPageStrings.content(
            of: description, language, policyVersion: context.authority.configuration.policy.version)
        try check(content, pageDigest, client, .notNeeded)
        return PageParts(
            description: description, facts: nil, content: content, pageDigest: pageDigest, hiddenDigits: "",
            app: client.app.record.shownName, frameAncestors: client.record.frameAncestors)
    }

    /// - Returns: the page for browsers, and the digest of the app's own description.
    private func read(_ client: KnownClient) throws(OpenIDFailure) -> (description: PageDescription, digest: String) {
        do {
            let page = try PageDescription(parsing: Array(client.record.page.utf8))
            return (
                page.hosted(for: client.app.record.shownName), ConsentRecord.digest(ofPage: try page.bytesForDigest())
            )
        } catch {
            throw OpenIDFailure(.serverError, "the app's page cannot be read: \(error)")
        }
    }

    private func check(
        _ content: ConsentContent, _ pageDigest: String, _ client: KnownClient,
        _ carriersTerms: ConsentRules.CarriersTerms
    ) throws(OpenIDFailure) {
        let version = context.authority.configuration.policy.version
        if let problem = ConsentRules.problem(
            in: content, policyVersion: version, carriersTerms: carriersTerms, allowsInitialTick: false)
        {
            throw OpenIDFailure(.serverError, "the app's page cannot be shown: \(problem)")
        }
        guard client.app.record.accepts(pageDigest: pageDigest, contentDigest: content.digest) else {
            throw OpenIDFailure(
                .serverError,
                "the app's page cannot be shown: it is not one that was approved for the app; its digest is "
                    + "\(pageDigest)"
            )
        }
    }

    /// Digests of an app's images, by name.
    func media(of app: AppID) async throws(OpenIDFailure) -> [String: String] {
        do { return try await context.store.openIDMediaDigests(of: app) } catch { throw OpenIDFailure(error) }
    }

    /// The same stop with the app's name and look, for the person to know whose login it was.
    func named(_ stop: OpenIDStop, _ client: KnownClient) async -> OpenIDStop {
        guard case .notice(var notice) = stop else { return stop }
        notice.app = client.app.record.shownName
        notice.frameAncestors = client.record.frameAncestors
        if let page = try? PageDescription(parsing: Array(client.record.page.utf8)) {
            // A store that does not answer is not waited for a second time, and load that is shed does not come back as
            // reads.
            let spares = [.storeUnavailable, .overloaded, .tooManyRequests].contains(notice.situation)
            notice.look = AppLook(page, media: spares ? [:] : (try? await media(of: client.record.appID)) ?? [:])
        }
        return .notice(notice)
    }

    /// An image of a page, by its digest. Anybody may look at it: it is on pages that anybody may open.
    func media(digest: String) async throws(OpenIDFailure) -> OpenIDMedia? {
        guard OpenIDMedia.isDigest(digest) else { return nil }
        do { return try await context.store.openIDMedia(digest: digest) } catch { throw OpenIDFailure(error) }
    }

    /// How a browser's cookie is kept.
    static func hash(_ secret: String) -> String { Base64URL.encode(CredentialHash(of: secret).bytes) }

    /// The name of the cookie of one login's pages: each has its own, so that no other page ends them.
    static func cookieName(of family: Int64) -> String {
        "benji-" + Hexadecimal.encode(withUnsafeBytes(of: family.bigEndian) { Array($0) })
    }
}

extension ConsentContent {
    /// The words of a page, as a consent keeps them.
    package init(_ content: PageContent) {
        self.init(
            drawnBy: .benji, language: content.language.rawValue, policyVersion: content.policyVersion,
            texts: content.texts.map { text in
                // The page's roles are those of a consent.
                Text(Role(rawValue: text.role.rawValue) ?? .custom, text.text)
            },
            links: content.links.map { Link(title: $0.title, url: $0.url) },
            initiallyTicked: content.isInitiallyTicked)
    }
}
