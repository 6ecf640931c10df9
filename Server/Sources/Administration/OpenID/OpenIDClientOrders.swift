package import Authority
package import BenjiProtocol
import OpenIDProvider
import Store

/// Shows the registration of an app's OpenID client, without its secrets, and when each of them was used last.
package struct ShowOpenIDClient: Order {
    package static let name = "app.openid.show"
    package static let route = OrderRoute.get("/apps/{id}/openid")
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
