package import BenjiFaceProtocol
package import BenjiProtocol

/// A session that has begun: for the face of one account, or a search, which begins without an account.
package struct FaceBegun: Hashable, Sendable, Redacted {
    package let trace: TraceID
    package let session: String
    package let nonce: String
    let needs: [FaceNeed]
    let terms: FaceTerms?
    let authorization: FaceAuthorization?
    /// The terms of a consent to being found in the app's groups; `nil` once the person has given it.
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

/// The values that a login or a binding hands in at its end.
package struct FaceLoginResult: Hashable, Sendable, Redacted {
    /// A yes and what it names.
    package struct Yes: Hashable, Sendable {
        let agreement: FaceAgreement
        let version: String
    }

    var profile: FaceProfile?
    var authorization: Yes?
    var groups: Yes?
    /// The version whose groups the person declined. The install keeps it, so as not to ask at each login.
    var declinedGroups: String?
}
