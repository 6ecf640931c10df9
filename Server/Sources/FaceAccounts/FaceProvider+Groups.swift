package import Authority
import BenjiFaceProtocol
@_spi(Server) import BenjiProtocol
package import Requests
package import Store

/// An app's own sets of people who have authorised it. There is no group over apps, and none of everybody.
extension FaceProvider {
    package func createGroup(
        name: String, tag: String, info: String, for call: ServerCall
    ) async throws(Refusal) -> FaceGroupRecord {
        if let problem = TextGrammar.problem(inName: name) { throw Refusal(.parameterInvalid, "name: \(problem)") }
        let group = FaceGroupRecord(
            id: Hexadecimal.encode(random.bytes(16)), appID: call.app.record.id, name: name, tag: tag, info: info,
            createdAt: authority.clock.now)
        let isKept: Bool
        do { isKept = try await store.putFaceGroup(group, limit: configuration.groups) } catch { throw Refusal(error) }
        guard isKept else { throw Refusal(.groupFull, "the app has \(configuration.groups) groups") }
        return group
    }

    package func group(_ id: String, for call: ServerCall) async throws(Refusal) -> FaceGroupRecord {
        let group: FaceGroupRecord?
        do { group = try await store.faceGroup(id, app: call.app.record.id) } catch { throw Refusal(error) }
        guard let group else { throw Refusal(.groupUnknown, "group does not exists") }
        return group
    }

    package func groups(tag: String?, for call: ServerCall) async throws(Refusal) -> [FaceGroupRecord] {
        do { return try await store.faceGroups(app: call.app.record.id, tag: tag) } catch { throw Refusal(error) }
    }

    package func updateGroup(
        _ id: String, tag: String?, info: String?, for call: ServerCall
    ) async throws(Refusal) -> FaceGroupRecord {
        let group: FaceGroupRecord?
        do {
            group = try await store.changeFaceGroup(id, app: call.app.record.id, tag: tag, info: info)
        } catch { throw Refusal(error) }
        guard let group else { throw Refusal(.groupUnknown, "group does not exists") }
        return group
    }

    package func removeGroup(_ id: String, for call: ServerCall) async throws(Refusal) {
        let isGone: Bool
        do { isGone = try await store.removeFaceGroup(id, app: call.app.record.id) } catch { throw Refusal(error) }
        guard isGone else { throw Refusal(.groupUnknown, "group does not exists") }
    }

    package func addMember(_ openID: String, to group: String, for call: ServerCall) async throws(Refusal) {
        let outcome: FaceMembershipOutcome
        do {
            outcome = try await store.addFaceGroupMember(
                openID: openID, to: group, app: call.app.record.id, limit: configuration.groupMembers)
        } catch { throw Refusal(error) }
        switch outcome {
        case .added: return
        case .groupUnknown: throw Refusal(.groupUnknown, "group does not exists")
        case .personUnknown: throw Refusal(.openIDUnknown, "open_id: nobody who has authorised the app has it")
        case .full: throw Refusal(.groupFull, "the group has \(configuration.groupMembers) people")
        }
    }

    package func removeMember(_ openID: String, from group: String, for call: ServerCall) async throws(Refusal) {
        _ = try await self.group(group, for: call)
        do {
            _ = try await store.removeFaceGroupMember(openID: openID, from: group, app: call.app.record.id)
        } catch { throw Refusal(error) }
    }

    /// The openIds of a group's people.
    package func members(of group: String, for call: ServerCall) async throws(Refusal) -> [String] {
        _ = try await self.group(group, for: call)
        do {
            return try await store.faceGroupOpenIDs(group, app: call.app.record.id)
        } catch { throw Refusal(error) }
    }
}
