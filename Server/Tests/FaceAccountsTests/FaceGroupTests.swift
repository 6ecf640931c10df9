import BenjiFaceProtocol
@_spi(Server) import BenjiProtocol
import ServerTestKit
import Sightings
import Store
import Synchronization
import Testing

@testable import Authority
@testable import FaceAccounts

@Suite("An app's groups of people") struct FaceGroupTests {
    @Test("A group is made, found by its name and its tag, changed in what is named, and removed")
    func life() async throws {
        try await withFaceWorld(capabilities: FaceSearchTests.capabilities) { world in
            let call = world.serverCall()
            let moment = world.world.clock.now
            let made = try await world.faces.createGroup(name: "staff", tag: "a", info: "{}", for: call)
            #expect(
                made
                    == FaceGroupRecord(
                        id: made.id, appID: world.app.record.id, name: "staff", tag: "a", info: "{}",
                        createdAt: moment))
            #expect(made.id.utf8.count == 32 && made.id.allSatisfy(\.isHexDigit))
            let other = try await world.faces.createGroup(name: "guests", tag: "b", info: "{}", for: call)
            #expect(try await world.faces.group(made.id, for: call) == made)
            #expect(try await Set(world.faces.groups(tag: nil, for: call).map(\.id)) == [made.id, other.id])
            #expect(try await world.faces.groups(tag: "a", for: call) == [made])
            var expected = made
            expected.tag = "c"
            #expect(try await world.faces.updateGroup(made.id, tag: "c", info: nil, for: call) == expected)
            expected.info = #"{"x":1}"#
            #expect(try await world.faces.updateGroup(made.id, tag: nil, info: #"{"x":1}"#, for: call) == expected)
            #expect(try await world.faces.group(made.id, for: call) == expected)
            try await world.faces.removeGroup(made.id, for: call)
            #expect(try await world.faces.groups(tag: nil, for: call) == [other])
            for unknown in [made.id, "nothing"] {
                let requests: [() async throws -> Void] = [
                    { _ = try await world.faces.group(unknown, for: call) },
                    { _ = try await world.faces.updateGroup(unknown, tag: "c", info: nil, for: call) },
                    { try await world.faces.removeGroup(unknown, for: call) },
                    { _ = try await world.faces.members(of: unknown, for: call) },
                    { try await world.faces.addMember("o", to: unknown, for: call) },
                    { try await world.faces.removeMember("o", from: unknown, for: call) },
                ]
                for request in requests { #expect(try await refusal(request) == .groupUnknown) }
            }
            for name in ["", "a\u{202e}b"] {
                #expect(
                    try await refusal {
                        _ = try await world.faces.createGroup(name: name, tag: "", info: "{}", for: call)
                    } == .parameterInvalid)
            }
        }
    }

    @Test("An app has as many groups, and a group as many people, as are allowed; whoever leaves makes room")
    func limits() async throws {
        let configured = { (configuration: inout FaceProvider.Configuration) in
            (configuration.groups, configuration.groupMembers) = (1, 1)
        }
        try await withFaceWorld(capabilities: FaceSearchTests.capabilities, configured: configured) { world in
            let call = world.serverCall()
            let (first, other) = (try await world.enrolForGroups(), try await world.enrolOther())
            let group = try await world.group(of: [first.openID])
            #expect(
                try await refusal {
                    _ = try await world.faces.createGroup(name: "two", tag: "", info: "{}", for: call)
                } == .groupFull)
            func add(_ person: FaceFinishResponse) async throws -> Situation? {
                try await refusal { try await world.faces.addMember(person.openID, to: group, for: call) }
            }
            #expect(try await add(other) == .groupFull)
            #expect(try await world.faces.members(of: group, for: call) == [first.openID])
            try await world.faces.removeMember(first.openID, from: group, for: call)
            #expect(try await world.faces.members(of: group, for: call) == [])
            #expect(try await add(other) == nil)
            #expect(try await world.faces.members(of: group, for: call) == [other.openID])
            #expect(
                try await refusal { try await world.faces.addMember("nobody", to: group, for: call) }
                    == .openIDUnknown)
        }
    }

    @Test("So many searches run at once and no more, and each gives its place back, whatever it came to")
    func places() async throws {
        try await withFaceWorld(
            capabilities: FaceSearchTests.capabilities, configured: { $0.appSearches = 2 },
            { world in
                let first = try await world.enrolForGroups()
                let group = try await world.group(of: [first.openID])
                let session = try await world.looking(in: group)
                world.faces.searching.withLock { $0 = 2 }
                #expect(try await refusal { _ = try await world.look(session) } == .overloaded)
                world.faces.searching.withLock { $0 = 1 }
                #expect(try await world.look(session) == first.openID)
                #expect(try await refusal { _ = try await world.look(session) } == .faceSessionInvalid)
                let later = try await world.looking(in: group)
                #expect(try await refusal { _ = try await world.look(later) } == .tooManyRequests)
                #expect(world.faces.searching.withLock { $0 } == 1)
            })
    }

    @Test("Groups are asked about in logins of an app that has them, until the person has agreed")
    func asked() async throws {
        for (capabilities, asks) in [
            (FaceSearchTests.capabilities, true), ([.login, .verification, .face], false),
        ] as [(Set<Capability>, Bool)] {
            try await withFaceWorld(capabilities: capabilities) { world in
                let expected = asks ? FaceAuthorization(version: "7-groups", appName: "Shop") : nil
                let begun = try await world.begin(.login, .oneTap(try await world.token()))
                #expect(begun.groups == expected)
                #expect(begun.authorization == FaceAuthorization(version: "7-app", appName: "Shop"))
                let login = try await world.enrol()
                #expect(try await world.begin(.login, .remembered(login.remembered)).groups == expected)
                #expect(try await world.begin(.bind, .remembered(login.remembered), uid: "u").groups == expected)
                for purpose in [FacePurpose.verify, .attributes] {
                    #expect(try await world.begin(purpose, .access(login.grant.accessToken)).groups == nil)
                }
            }
        }
    }

    @Test("A yes to groups that the app does not have is refused, and so is a second factor where there was no search")
    func unasked() async throws {
        try await withFaceWorld { world in
            let login = try await world.enrol()
            let begun = try await world.begin(.login, .remembered(login.remembered))
            try await world.show(FaceWorld.owner, in: begun.session)
            let yes = try world.consent(to: begun, version: "7-groups", links: [], text: "Shop")
            for (request, expected) in [
                (FaceFinishRequest(session: begun.session, groups: yes), .capabilityMissing),
                (
                    FaceFinishRequest(session: begun.session, confirmation: .remembered(login.remembered)),
                    .parameterInvalid
                ),
            ] as [(FaceFinishRequest, Situation)] {
                #expect(
                    try await refusal { _ = try await world.faces.finish(request, from: try world.world.call()) }
                        == expected)
            }
            #expect(
                try await refusal {
                    _ = try await world.faces.search(
                        FaceSearchRequest(session: begun.session), from: try world.world.call())
                } == .parameterInvalid)
            _ = try await world.finish(begun)
        }
    }

    @Test("A find of somebody who is frozen since, or of an app whose groups were taken away since, is no login")
    func since() async throws {
        try await withFaceWorld(capabilities: FaceSearchTests.capabilities) { world in
            let first = try await world.enrolForGroups()
            let group = try await world.group(of: [first.openID])
            let session = try await world.looking(in: group)
            #expect(try await world.look(session) == first.openID)
            let tap = try await world.token()
            _ = try await world.accounts.setFrozen(true, AuthorityWorld.number)
            let frozen = try await refusal { _ = try await world.finish(session, .oneTap(tap)) }
            #expect(frozen == .accountFrozen)
            _ = try await world.accounts.setFrozen(false, AuthorityWorld.number)
            let again = try await world.looking(in: group)
            #expect(try await world.look(again) == first.openID)
            let unsearched = try await world.looking(in: group)
            _ = try await world.accounts.opt(world.app.record.id, in: [], by: .test)
            #expect(try await refusal { _ = try await world.look(unsearched) } == .capabilityMissing)
            let found = try await refusal { _ = try await world.finish(again, .remembered(first.remembered)) }
            #expect(found == .capabilityMissing)
        }
    }

    @Test("Nobody is found who agreed to other terms, nor let in who was put back into the group without a yes")
    func agreement() async throws {
        try await withFaceWorld(capabilities: FaceSearchTests.capabilities) { world in
            let first = try await world.enrolForGroups()
            let group = try await world.group(of: [first.openID])
            var later = world
            var configuration = world.faces.configuration
            configuration.terms.version = "8"
            later.faces = FaceProvider(
                configuration: configuration, authority: world.world.authority, store: world.world.store,
                analyzer: world.faces.analyzer, challenges: world.faces.challenges)
            #expect(try await later.look(try await later.looking(in: group)) == nil)
            let session = try await world.looking(in: group)
            #expect(try await world.look(session) == first.openID)
            try await world.faces.leaveGroups(
                try await world.access(first.grant.accessToken), from: try world.world.call())
            try await world.faces.addMember(first.openID, to: group, for: world.serverCall())
            let found = try await refusal { _ = try await world.finish(session, .remembered(first.remembered)) }
            #expect(found == .notAuthorized)
        }
    }
}
