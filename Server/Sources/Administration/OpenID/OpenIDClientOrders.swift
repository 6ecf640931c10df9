package import Authority
package import BenjiProtocol
import OpenIDProvider
package import Requests
import Store

/// Shows the registration of an app's OpenID client, without its secrets, and when each of them was used last.
package struct ShowOpenIDClient: Order {
    package static let name = "app.openid.show"
    package static let route = OrderRoute.get("/apps/{id}/openid")
    package static let summary = "An app's OpenID client, without its secrets."
    package static let answer = "OpenIDClient"
    package static let fields: [OrderField] = [.id]
    package static let roles = Set(Role.allCases)
    package static let changes = false

    package var id: AppID
    package var app: AppID? { id }

    package init(_ id: AppID) { self.id = id }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        _ = try await context.apps.find(id)
        let client = try await context.openIDClients.find(id)
        return client.json(
            try await context.usages(of: id), media: try await context.openIDClients.mediaDigests(of: id))
    }
}

/// Makes an app an OpenID client, or changes the client's named settings. Answers the client, this once with its secret
/// if it got its first one.
package struct ChangeOpenIDClient: ChangeOrder {
    package static let name = "app.openid.set"
    package static let route = OrderRoute.patch("/apps/{id}/openid")
    package static let summary = "Make an app an OpenID client, or change what is named of the client."
    package static let answer = "OpenIDClient"
    package static let fields: [OrderField] = [
        .id,
        OrderField("redirect_uris", .change(of: .text)),
        OrderField("page", .text, "The login page's description as JSON text (docs/page.md)."),
        OrderField(
            "color", .text(pattern: #"^#[0-9A-Fa-f]{6}$"#),
            "The app's colour, for the page's button and links; written into the description, and so into its digest."),
        OrderField(
            "logo", .bytes, "A PNG, JPEG or WebP picture; the image that the description names as its logo."),
        OrderField("media", .map(.bytes), "Images and videos of the page by name."),
        OrderField("removed_media", .list(.text)),
        OrderField(
            "jwks", .text,
            "A JWK set as text, at most 16 KiB; what signs and names a key is kept of it. Keys that cannot be used are "
                + "ignored and named in the answer's jwks_ignored. A set without a usable key, or with a private or "
                + "symmetric key, is refused."
        ),
        OrderField("secret", .flag, "Whether the server authenticates with a secret; otherwise it signs."),
        OrderField("id_token_signed_response_alg", .words(IDTokenAlgorithm.self)),
        OrderField("asks_middle_digits", .flag),
        OrderField("require_pushed_authorization_requests", .flag),
        OrderField("purposes", .change(of: .text)),
        OrderField("frame_ancestors", .change(of: .text)),
        OrderField("stable_sub_without_page", .flag),
        OrderField(
            "token_endpoint_auth_method", .words(ClientAuthentication.self),
            "How the server proves who it is. To or from client_secret_jwt the client gets a new secret. "
                + "tls_client_auth needs one tls_client_auth_ member, self_signed_tls_client_auth a JWK set with x5c."
        ),
        OrderField("require_pkce", .flag),
        OrderField("dpop_bound_access_tokens", .flag),
        OrderField(
            "tls_client_auth_subject_dn", .text,
            "The certificate's subject as RFC 4514 writes it, CN=client,O=Example,C=CN. Of these four the client has "
                + "one: another takes its place, and an empty text takes it away."
        ),
        OrderField("tls_client_auth_san_dns", .text, "A DNS name that the certificate has."),
        OrderField("tls_client_auth_san_uri", .text, "A URI that the certificate has."),
        OrderField("tls_client_auth_san_ip", .text, "An IP address that the certificate has."),
        OrderField(
            "tls_client_certificate_bound_access_tokens", .flag,
            "Whether the client gets no access tokens but those that are bound to its certificate (RFC 8705)."),
        OrderField(
            "backchannel_token_delivery_mode", .words(["poll", "ping", "none"]),
            "Whether the app's server may ask people on their phones (CIBA), and how it learns of their decision. "
                + "`none` takes it back."
        ),
        OrderField(
            "backchannel_client_notification_endpoint", .text,
            "Where an app with `ping` is told; begins with https://, under the rules of callbacks."),
        OrderField(
            "remember_consent", .flag,
            "Whether the page has a box that has the consent remembered. Taken back, all that is remembered ends."),
        OrderField("profile", .words(ClientProfile.self)),
    ]
    package static let roles: Set<Role> = [.operator, .developer]
    /// For a page's images and videos, in base64.
    package static let bodyLimit = 16 << 20

    package var id: AppID
    package var changes: OpenIDClientChanges
    package var operatorsPart: String? { changes.operatorsPart }

    package init(_ id: AppID, _ changes: OpenIDClientChanges) {
        self.id = id
        self.changes = changes
    }

    package static let usual = OrderForm.usual(OpenIDClientChanges())

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let app = try await context.apps.find(id)
        let changesImages = !changes.media.isEmpty || !changes.removedMedia.isEmpty || changes.logo != nil
        guard context.caller.role != .developer || !app.record.needsApprovedPages || !changesImages else {
            throw Refusal(
                .orderNotPermitted,
                "media: this app's pages are approved by the operator, and images are part of what people see")
        }
        let policy = context.authority.configuration.policy
        let usages = try await context.usages(of: id)
        return try await context.openIDClients.set(id, by: context.note) { client throws(Refusal) in
            try changes.apply(to: &client, page: try changes.page(over: client.presentPage, policy))
        }.json(usages)
    }
}

/// Gives an OpenID client a new secret. Answers the client with it, this once.
package struct RotateClientSecret: Order {
    package static let name = "app.openid.rotate-secret"
    package static let route = OrderRoute.post("/apps/{id}/openid/secret/rotate")
    package static let summary = "Give an OpenID client a new secret, shown this once."
    package static let answer = "OpenIDClient"
    package static let fields: [OrderField] = [
        .id,
        OrderField("overlap", .overlap, isRequired: true),
    ]
    package static let roles: Set<Role> = [.operator, .developer]

    package var id: AppID
    package var overlap: KeyOverlap
    package var app: AppID? { id }

    package init(_ id: AppID, keeping overlap: KeyOverlap) {
        self.id = id
        self.overlap = overlap
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        _ = try await context.apps.find(id)
        let usages = try await context.usages(of: id)
        return try await context.openIDClients.rotateSecret(of: id, keeping: overlap, by: context.note).json(usages)
    }
}

/// Ends a secret of an OpenID client at once.
package struct RetireClientSecret: Order {
    package static let name = "app.openid.retire-secret"
    package static let route = OrderRoute.post("/apps/{id}/openid/secret/retire")
    package static let summary = "End a secret of an OpenID client at once."
    package static let answer = "OpenIDClient"
    package static let fields: [OrderField] = [
        .id,
        OrderField("version", .integer(1), "All but the newest if absent."),
    ]
    package static let roles: Set<Role> = [.operator, .developer]

    package var id: AppID
    /// All but the newest if `nil`.
    package var version: Int?
    package var app: AppID? { id }

    package init(_ id: AppID, version: Int? = nil) {
        self.id = id
        self.version = version
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        _ = try await context.apps.find(id)
        let usages = try await context.usages(of: id)
        return try await context.openIDClients.retireSecret(of: id, version: version, by: context.note).json(usages)
    }
}

/// Ends an app's being an OpenID client, and every code and token that it holds.
package struct RemoveOpenIDClient: Order {
    package static let name = "app.openid.remove"
    package static let route = OrderRoute.post("/apps/{id}/openid/remove")
    package static let summary = "End an app's being an OpenID client."
    package static let answer = "Removed"
    package static let fields: [OrderField] = [.id]
    package static let roles: Set<Role> = [.operator]

    package var id: AppID
    package var app: AppID? { id }

    package init(_ id: AppID) { self.id = id }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        _ = try await context.apps.find(id)
        try await context.openIDClients.remove(id, by: context.note)
        return .object(["client_id": .string(id.rawValue), "removed": true])
    }
}

/// Signs ID tokens with new keys from now on; those before stay in the JWK set for an hour.
package struct RotateIDTokenKeys: Order {
    package static let name = "openid.rotate-keys"
    package static let route = OrderRoute.post("/openid/keys/rotate")
    package static let summary = "Sign ID tokens with new keys from now on."
    package static let answer = "Rotated"
    package static let fields: [OrderField] = [
        OrderField("areStolen", .flag, "The keys before are removed at once.")
    ]
    package static let roles: Set<Role> = [.operator]
    package static let usual = [JSON.Member("areStolen", false)]

    /// Whether the keys before are removed at once, and not when what they signed has expired.
    package var areStolen: Bool

    package init(areStolen: Bool = false) { self.areStolen = areStolen }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        try await context.openIDClients.rotateKeys(isStolen: areStolen, by: context.note)
        return .object(["rotated": true])
    }
}

extension OrderContext {
    var openIDClients: OpenIDClients { OpenIDClients(authority: authority, store: store) }
}

extension OpenIDClients.Registered {
    /// The client, its secret if that is new, and what of its new JWK set is not registered.
    fileprivate func json(_ usages: [AppKeyUsage]) -> JSON {
        let shown = record.json(usages)
        guard case .object(var members) = shown else { return shown }
        if let secret { members.insert(JSON.Member("client_secret", .string(secret.reveal())), at: 1) }
        if !ignoredKeys.isEmpty {
            members.append(JSON.Member("jwks_ignored", .array(ignoredKeys.map { .string($0.description) })))
        }
        return .object(members)
    }
}
