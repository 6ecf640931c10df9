package import BenjiFaceProtocol
package import BenjiProtocol

/// A session that has begun: with whose face it should be, or a search, which begins with nobody's.
package struct FaceBegun: Hashable, Sendable, PrintsItsNameOnly {
    package let trace: TraceID
    package let session: String
    package let nonce: String
    let needs: [FaceNeed]
    let terms: FaceTerms?
    let authorization: FaceAuthorization?
    /// What a yes to being found in the app's groups must name; there while the person has not given it.
    let groups: FaceAuthorization?

    package init(_ response: FaceBeginResponse) {
        (trace, session, nonce) = (response.trace, response.session, response.nonce)
        (needs, terms, authorization, groups) = (
            response.needs, response.terms, response.authorization, response.groups
        )
    }

    package init(_ response: FaceSearchBeginResponse) {
        (trace, session, nonce) = (response.trace, response.session, response.nonce)
        (needs, terms, authorization, groups) = ([.consent, .face], response.terms, nil, nil)
    }
}

/// What a login or a binding hands in at its end.
package struct FaceHarvest: Hashable, Sendable, PrintsItsNameOnly {
    /// A yes and what it names.
    package struct Yes: Hashable, Sendable {
        let agreement: FaceAgreement
        let version: String
    }

    var profile: FaceProfile?
    var authorization: Yes?
    var groups: Yes?
    /// What the install keeps of a no to being found: not to ask again at each login.
    var declinedGroups: String?
}
