internal import BenjiPage
@_spi(Server) internal import BenjiProtocol
internal import Crypto
public import Store

/// What a page is made of, for one subscription and in one language.
struct PageParts {
    var description: PageDescription
    var facts: PageFacts
    var content: ConsentContent
    /// The digits that the mask hides.
    var hiddenDigits: String

    /// - Parameter media: digests of the page's images, by name.
    func page(
        _ stage: OpenIDPage.Stage, secret: String, language: PageLanguage, redirectURI: String, media: [String: String]
    ) -> OpenIDPage {
        OpenIDPage(
            stage: stage, secret: secret, description: description, facts: facts, language: language,
            redirectURI: redirectURI, media: media)
    }
}

extension OpenIDProvider {
    func pageParts(
        _ client: OpenIDClientRecord, _ subscription: SubscriptionRecord, _ language: PageLanguage
    ) throws(OpenIDFailure) -> PageParts {
        let policy = authority.configuration.policy
        guard let duties = policy.carriers[subscription.carrier]?.page,
            let carrier = PageCarrier(rawValue: subscription.carrier.rawValue)
        else { throw OpenIDFailure(.serverError, "this carrier is not in the policy") }
        let number: PhoneNumber
        do { number = try authority.vault.number(of: subscription) } catch {
            throw OpenIDFailure(.serverError, "the subscription's number does not open")
        }
        let description: PageDescription
        do { description = try PageDescription(parsing: Array(client.page.utf8)) } catch {
            throw OpenIDFailure(.serverError, "the app's page cannot be read: \(error)")
        }
        let pageDuties = CarrierDuties(
            policyVersion: policy.version, termsTitle: duties.termsTitle, termsURL: duties.termsURL,
            slogan: duties.slogan)
        let content = ConsentContent(PageContent(description, duties: pageDuties, language: language))
        if let problem = ConsentRules.problem(
            in: content, policyVersion: policy.version, page: duties, allowsInitialTick: false)
        {
            throw OpenIDFailure(.serverError, "the app's page cannot be shown: \(problem)")
        }
        let mask = number.masked
        let hidden = zip(mask, number.national).filter { $0.0 == "*" }.map(\.1)
        return PageParts(
            description: description, facts: PageFacts(carrier: carrier, maskedNumber: mask, duties: pageDuties),
            content: content, hiddenDigits: String(hidden))
    }

    /// Digests of an app's images, by name.
    func mediaDigests(of app: AppID) async throws(OpenIDFailure) -> [String: String] {
        do { return try await store.openIDMediaDigests(of: app) } catch { throw OpenIDFailure(error) }
    }

    /// An image of a page, by its digest. Anybody may look at it: it is on pages that anybody may open.
    public func media(digest: String) async throws(OpenIDFailure) -> OpenIDMedia? {
        guard PageMedia.isDigest(digest) else { return nil }
        do { return try await store.openIDMedia(digest: digest) } catch { throw OpenIDFailure(error) }
    }

    /// How a browser's cookie is kept.
    static func hash(_ secret: String) -> String { Base64URL.encode(CredentialHash(of: secret).bytes) }
}
