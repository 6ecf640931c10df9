package import BenjiFaceProtocol
package import BenjiProtocol

/// The data of a face login that an install keeps between runs of the app.
package struct FaceMemory: Hashable, Sendable, Redacted {
    package struct Access: Hashable, Sendable, Redacted {
        package var grant: FaceGrant
        /// By the phone's clock.
        package var endsAt: Timestamp

        package init(_ grant: FaceGrant, at now: Timestamp) {
            self.grant = grant
            endsAt = now + .seconds(grant.accessTokenLifetime)
        }
    }

    /// Selects the face to compare with; grants no access.
    package var remembered: String?
    /// The app's access until it expires, the person logs out or revokes it.
    package var access: Access?
    package var openID: String?
    package var uid: String?
    /// The version of the app's groups in which the person did not want to be found, or ``everyGroup``.
    package var declinedGroups: String?

    /// Means every version: a person who has left the groups is not asked again.
    static let everyGroup = "*"

    package init() {}

    package var isEmpty: Bool { self == FaceMemory() }

    package var json: JSON {
        .object([
            "version": 1, "remembered": remembered.map { .string($0) }, "openId": openID.map { .string($0) },
            "uid": uid.map { .string($0) }, "declinedGroups": declinedGroups.map { .string($0) },
            "access": access.map {
                .object(["grant": $0.grant.json, "endsAt": .integer($0.endsAt.milliseconds)])
            },
        ])
    }

    package init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        _ = try reader.integer("version", in: 1...1)
        remembered = try reader.optionalString("remembered")
        openID = try reader.optionalString("openId")
        uid = try reader.optionalString("uid")
        declinedGroups = try reader.optionalString("declinedGroups")
        access = try reader.optional("access").map { json throws(JSONError) in try Access(json) }
    }
}

extension FaceMemory.Access {
    fileprivate init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json, path: "$.access")
        grant = try FaceGrant(try reader.value("grant"), path: "$.access.grant")
        endsAt = Timestamp(milliseconds: try reader.integer("endsAt"))
    }
}
