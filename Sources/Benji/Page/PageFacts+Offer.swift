public import BenjiClient
public import BenjiPage
import BenjiProtocol

extension PageCarrier {
    /// The same carrier, as pages call it.
    public init(_ carrier: Carrier) { self = PageCarrier(rawValue: carrier.rawValue) ?? .other }
}

extension PageFacts {
    /// The parts of a page that the app does not decide, from the prefetch.
    public init(_ offer: PageOffer) {
        self.init(
            carrier: PageCarrier(offer.carrier), maskedNumber: offer.maskedNumber,
            duties: CarrierDuties(
                policyVersion: offer.policyVersion, termsTitle: offer.page.termsTitle, termsURL: offer.page.termsURL,
                slogan: offer.page.slogan))
    }
}
