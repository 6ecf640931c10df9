#if Face
package import Authority
package import Requests
package import BenjiProtocol
import FaceAccounts
import Store

/// Lets an app have face login, or changes what else of it the app has; the rest stays. Answers the app.
package struct GrantFaceLogin: Order {
    package static let name = "app.face.set"
    package static let route = OrderRoute.patch("/apps/{id}/face")
    package static let summary = "Let an app have face login, or change what else of it the app has."
    package static let answer = "App"
    package static let fields: [OrderField] = [
        .id,
        OrderField("attributes", .flag),
        OrderField("groups", .flag),
    ]
    package static let roles: Set<Role> = [.operator]

    package var id: AppID
    /// Whether it may also read expression, pose, eyes, mouth, five points and box.
    package var attributes: Bool?
    /// Whether its server may also keep groups of its own people.
    package var groups: Bool?
    package var app: AppID? { id }

    package init(_ id: AppID, attributes: Bool? = nil, groups: Bool? = nil) {
        self.id = id
        self.attributes = attributes
        self.groups = groups
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let usages = try await context.usages(of: id)
        return try await context.faceAccounts.grant(id, attributes: attributes, groups: groups, by: context.note)
            .json(usages, now: context.now)
    }
}

/// Takes face login away from an app. Authorisations that people gave stay. Answers the app.
package struct WithdrawFaceLogin: Order {
    package static let name = "app.face.remove"
    package static let route = OrderRoute.post("/apps/{id}/face/remove")
    package static let summary = "Take face login away from an app."
    package static let answer = "App"
    package static let fields: [OrderField] = [.id]
    package static let roles: Set<Role> = [.operator]

    package var id: AppID
    package var app: AppID? { id }

    package init(_ id: AppID) { self.id = id }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let usages = try await context.usages(of: id)
        return try await context.faceAccounts.opt(id, in: nil, by: context.note).json(usages, now: context.now)
    }
}
#endif
