package import Authority
package import BenjiProtocol
package import Requests
import Store

/// Keys of an app's installs that App Attest vouched for, the newest first.
package struct ListAttestedKeys: Order {
    package static let name = "app.attested-key.list"
    package static let route = OrderRoute.get("/apps/{id}/attested-keys")
    package static let summary = "Keys of an app's installs that App Attest vouched for, the newest first."
    package static let answer = "[AttestedKey]"
    package static let fields: [OrderField] = [
        .id,
        OrderField("deviceKey", .text, "Only the keys of the device key with this thumbprint."),
        OrderField("limit", .integer(1...200)),
    ]
    package static let roles: Set<Role> = [.operator, .developer, .auditor]
    package static let changes = false
    package static let usual = [JSON.Member("limit", 20)]
    /// The most that one answer holds.
    package static let maximum = 200

    package var id: AppID
    /// Only the keys of the device key with this thumbprint.
    package var deviceKey: String?
    package var limit: Int
    package var app: AppID? { id }

    package init(_ id: AppID, deviceKey: String? = nil, limit: Int = 20) {
        self.id = id
        self.deviceKey = deviceKey
        self.limit = limit
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        guard (1...Self.maximum).contains(limit) else {
            throw Refusal(.parameterInvalid, "limit: 1 to \(Self.maximum)")
        }
        let app = try await context.apps.find(id).record.id
        let (deviceKey, limit) = (deviceKey, limit)
        let keys = try await context.stored { store throws(StoreError) in
            try await store.attestedKeys(of: app, deviceKey: deviceKey, limit: limit)
        }
        return .array(keys.map(\.json))
    }
}

/// Ends a key of an install: what it signs from now on is refused, and it cannot be registered again. The install can
/// make another one.
package struct RevokeAttestedKey: Order {
    package static let name = "app.attested-key.revoke"
    package static let route = OrderRoute.post("/apps/{id}/attested-keys/{key}/revoke")
    package static let summary =
        "End a key of an install. What it signs is refused from now on, and it is not registered again."
    package static let answer = "AttestedKey"
    package static let fields: [OrderField] = [
        .id,
        OrderField("key", .text, "The key's name, as the list has it."),
    ]
    package static let roles: Set<Role> = [.operator, .developer]

    package var id: AppID
    /// The key's name, as the list has it.
    package var key: String
    package var app: AppID? { id }

    package init(_ id: AppID, _ key: String) {
        self.id = id
        self.key = key
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let app = try await context.apps.find(id).record.id
        let key = key
        let (note, now) = (context.note, context.now)
        let before = try await context.stored { store throws(StoreError) in try await store.attestedKey(key, of: app) }
        guard let before else { throw Refusal(.parameterInvalid, "key: the app has no such key") }
        var after = before
        after.revokedAt = now
        let line = note.entry(at: now, app: app, to: after.json)
        let isRevoked = try await context.stored { store throws(StoreError) in
            try await store.revokeAttestedKey(key, of: app, at: now, audit: line)
        }
        guard isRevoked else { throw Refusal(.parameterInvalid, "key: it was revoked before") }
        return after.json
    }
}

extension AttestedKeyRecord {
    /// The members of a key that operators and the app's owner may see: all but the key itself.
    fileprivate var json: JSON {
        .object([
            "key": .string(id), "deviceKey": .string(deviceKey), "bundle": .string(bundleID),
            "environment": .string(isDevelopment ? "development" : "production"), "counter": .integer(counter),
            "createdAt": .integer(createdAt.milliseconds), "usedAt": usedAt.map { .integer($0.milliseconds) },
            "revokedAt": revokedAt.map { .integer($0.milliseconds) },
        ])
    }
}
