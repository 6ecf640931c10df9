import Authority
import BenjiProtocol
import FaceAccounts
import HTTPTypes
import Requests
import ServerHTTP
import Store

extension SuperIDServerEndpoints {
    /// SuperID's groups of an app's own people.
    var groupRoutes: [EndpointRoute] {
        [
            route(.post, "/v1/group/create", "group.create", needs: .faceGroups) { call, members, _ in
                // Groups of another app's people are not made.
                guard members.members["source_app_id"] ?? call.app.record.id.rawValue == call.app.record.id.rawValue
                else { throw Refusal(.parameterInvalid, "source_app_id: must be the app's own") }
                let name = try members.required("name")
                guard name.utf8.count <= 128 else { throw Refusal(.parameterInvalid, "name: 128 bytes at most") }
                return Self.json(
                    try await provider.createGroup(
                        name: name, tag: members.members["tag"] ?? "", info: try Self.info(members) ?? "{}", for: call))
            },
            route(.get, "/v1/group/list", "group.list", needs: .faceGroups) { call, members, _ in
                let groups = try await provider.groups(tag: members.members["tag"], for: call)
                return .object(["groups": .array(groups.map(Self.json))])
            },
            route(.get, "/v1/group/{id}/info", "group.info", needs: .faceGroups) { call, _, id in
                Self.json(try await provider.group(id, for: call))
            },
            route(.get, "/v1/group/{id}/users", "group.users", needs: .faceGroups) { call, _, id in
                let users = try await provider.members(of: id, for: call)
                return .object(["count": .integer(users.count), "users": .array(users.map { .string($0) })])
            },
            route(.post, "/v1/group/{id}", "group.update", needs: .faceGroups) { call, members, id in
                Self.json(
                    try await provider.updateGroup(
                        id, tag: members.members["tag"], info: try Self.info(members), for: call))
            },
            route(.delete, "/v1/group/{id}", "group.delete", needs: .faceGroups) { call, _, id in
                try await provider.removeGroup(id, for: call)
                return .object([])
            },
            route(.post, "/v1/group/{id}/users", "group.add", needs: .faceGroups) { call, members, id in
                try await provider.addMember(try members.required("open_id"), to: id, for: call)
                return .object([])
            },
            route(.delete, "/v1/group/{id}/users", "group.remove", needs: .faceGroups) { call, members, id in
                try await provider.removeMember(try members.required("open_id"), from: id, for: call)
                return .object([])
            },
        ]
    }

    private static func info(_ members: SuperIDCall) throws(Refusal) -> String? {
        guard let text = members.members["info"] else { return nil }
        guard case .object? = try? JSON(parsing: text) else {
            throw Refusal(.parameterInvalid, "info: must be a JSON object")
        }
        return text
    }

    private static func json(_ group: FaceGroupRecord) -> JSON {
        .object([
            "id": .string(group.id), "name": .string(group.name), "tag": .string(group.tag),
            // It was parsed before it was kept.
            "info": (try? JSON(parsing: group.info)) ?? .object([]),
        ])
    }
}
