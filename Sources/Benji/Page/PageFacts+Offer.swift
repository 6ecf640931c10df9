public import BenjiClient
public import BenjiPage
public import BenjiProtocol

extension PageCarrier {
    /// The same carrier, as pages call it.
    public init(_ carrier: Carrier) {
        switch carrier {
        case .mobile: self = .mobile
        case .unicom: self = .unicom
        case .telecom: self = .telecom
        }
    }
}

extension PageFacts {
    /// What a page shows but the app does not decide, as the prefetch brought it.
    public init(_ offer: PageOffer) {
        self.init(
            carrier: PageCarrier(offer.carrier), maskedNumber: offer.maskedNumber,
            duties: CarrierDuties(
                policyVersion: offer.policyVersion, termsTitle: offer.page.termsTitle, termsURL: offer.page.termsURL,
                slogan: offer.page.slogan))
    }
}
