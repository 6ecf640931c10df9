import Authority
package import BenjiProtocol
package import Store

extension OpenIDClientRecord {
    /// The operators' view of a client, in the names of OpenID's registration. It omits the secrets, and has only a
    /// digest of the page.
    ///
    /// - Parameter media: the digests of its page's images, by name; left out if there are none.
    package func json(_ usages: [AppKeyUsage] = [], media: [String: String] = [:]) -> JSON {
        .object([
            "client_id": .string(appID.rawValue),
            "redirect_uris": .array(redirectURIs.map { .string($0) }),
            "token_endpoint_auth_method": .string(authentication.rawValue),
            "id_token_signed_response_alg": .string(idTokenAlgorithm.rawValue),
            "require_pushed_authorization_requests": .bool(requiresPushedRequests),
            "require_pkce": .bool(requiresPKCE), "dpop_bound_access_tokens": .bool(bindsAccessTokens),
            "tls_client_certificate_bound_access_tokens": .bool(bindsToCertificate),
            "tls_client_auth_subject_dn": registered(.subjectDN), "tls_client_auth_san_dns": registered(.dns),
            "tls_client_auth_san_uri": registered(.uri), "tls_client_auth_san_ip": registered(.ip),
            "profile": .string(profile.rawValue), "remember_consent": .bool(remembersConsent),
            "backchannel_token_delivery_mode": (backchannel?.delivery.rawValue).map { .string($0) },
            "backchannel_client_notification_endpoint": (backchannel?.notificationEndpoint).map { .string($0) },
            "asks_middle_digits": .bool(asksMiddleDigits), "has_jwks": .bool(keySet != nil),
            "jwks_digest": keySet.map { .string(AppRecord.digest($0)) },
            "purposes": .array(purposes.map { .string($0) }),
            "frame_ancestors": .array(frameAncestors.map { .string($0) }),
            "stable_sub_without_page": .bool(stableSubjectWithoutPage),
            "page_digest": .string(AppRecord.digest(page)),
            "media": media.isEmpty
                ? nil
                : .object(media.sorted { $0.key < $1.key }.map { JSON.Member($0.key, .string($0.value)) }),
            "secrets": .array(secrets.map { KeySummary($0, usages).json }),
        ])
    }

    /// The value of this kind that the client's certificate must have; `nil` if it need not.
    private func registered(_ kind: CertificateName.Kind) -> JSON? {
        certificateName.flatMap { $0.kind == kind ? .string($0.value) : nil }
    }
}
