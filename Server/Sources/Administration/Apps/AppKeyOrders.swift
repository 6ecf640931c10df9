package import Authority
package import BenjiProtocol
package import Requests
package import Store

/// Gives an app a new app key or server secret. Answers the app with it, this once.
package struct RotateAppKey: Order {
    package static let name = "app.rotate-key"
    package static let route = OrderRoute.post("/apps/{id}/keys/{use}/rotate")
    package static let summary = "Give an app a new app key or server secret, shown this once."
    package static let answer = "App"
    package static let fields: [OrderField] = [
        .id,
        OrderField("use", .words([AppKeyUse.package, .server].map(\.rawValue))),
        OrderField("overlap", .overlap, isRequired: true),
    ]
    package static let roles: Set<Role> = [.operator, .developer]

    package var id: AppID
    package var use: AppKeyUse
    package var overlap: KeyOverlap
    package var app: AppID? { id }

    /// - Parameter use: ``Store/AppKeyUse/package`` or ``Store/AppKeyUse/server``.
    package init(_ id: AppID, _ use: AppKeyUse, keeping overlap: KeyOverlap) {
        self.id = id
        self.use = use
        self.overlap = overlap
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        try use.checkIsApps()
        let usages = try await context.usages(of: id)
        let app = try await context.apps.rotateKey(use, of: id, keeping: overlap, by: context.note)
        return context.json(app, usages, showing: [use])
    }
}

/// Ends an app key or server secret at once.
package struct RetireAppKey: Order {
    package static let name = "app.retire-key"
    package static let route = OrderRoute.post("/apps/{id}/keys/{use}/retire")
    package static let summary = "End an app key or server secret at once."
    package static let answer = "App"
    package static let fields: [OrderField] = [
        .id,
        OrderField("use", .words([AppKeyUse.package, .server].map(\.rawValue))),
        OrderField("version", .integer(1), "All but the newest if absent."),
    ]
    package static let roles: Set<Role> = [.operator, .developer]

    package var id: AppID
    package var use: AppKeyUse
    /// All but the newest if `nil`.
    package var version: Int?
    package var app: AppID? { id }

    package init(_ id: AppID, _ use: AppKeyUse, version: Int? = nil) {
        self.id = id
        self.use = use
        self.version = version
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        try use.checkIsApps()
        let usages = try await context.usages(of: id)
        return context.json(
            try await context.apps.retireKey(use, of: id, version: version, by: context.note), usages)
    }
}

/// Gives an app with one key a separate server secret. Answers the app with the secret, this once.
package struct SplitAppKeys: Order {
    package static let name = "app.split-keys"
    package static let route = OrderRoute.post("/apps/{id}/keys/split")
    package static let summary = "Give an app with one key a server secret beside it."
    package static let answer = "App"
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
        let usages = try await context.usages(of: id)
        let app = try await context.apps.splitKeys(of: id, keeping: overlap, by: context.note)
        return context.json(app, usages, showing: [.server])
    }
}

extension AppKeyUse {
    /// Checks that the key is the app's own and neither its OpenID client's nor its callback's.
    fileprivate func checkIsApps() throws(Refusal) {
        guard self == .package || self == .server else {
            throw Refusal(.parameterInvalid, "use: must be package or server")
        }
    }
}
