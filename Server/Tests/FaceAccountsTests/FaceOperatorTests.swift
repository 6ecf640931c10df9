import BenjiFaceProtocol
@_spi(Server) import BenjiProtocol
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Testing

@testable import Authority
@testable import FaceAccounts

@Suite("Face accounts as their operator sees them") struct FaceOperatorTests {
    @Test("An order about a number that has no account changes nothing, and says so")
    func nobody() async throws {
        try await withFaceWorld { world in
            let before = try await world.world.contents()
            for number in [AuthorityWorld.number, AuthorityWorld.otherNumber] {
                #expect(try await !world.accounts.setFrozen(true, number))
                #expect(try await !world.accounts.erase(number))
            }
            #expect(try await world.world.contents() == before)
        }
    }

    @Test("An operator freezes, thaws and erases the account of a number, and each order has its line in the audit log")
    func orders() async throws {
        try await withFaceWorld { world in
            _ = try await world.enrol()
            for isFrozen in [true, false] {
                #expect(try await world.accounts.setFrozen(isFrozen, AuthorityWorld.number))
                let frozen = isFrozen ? 1 : 0
                #expect(try await world.accounts.counts() == FaceCounts(accounts: 1, frozen: frozen, bindings: 1))
            }
            #expect(try await world.accounts.erase(AuthorityWorld.number))
            #expect(try await world.accounts.counts() == FaceCounts(accounts: 0, frozen: 0, bindings: 0))
            #expect(try await !world.accounts.erase(AuthorityWorld.number), "there is none any more")
            let subject = "face account of subscription \(world.world.subscription.subscription)"
            let lines = try await world.world.store.auditEntries(AuditFilter(order: "test"), before: nil, limit: 9)
            #expect(lines.compactMap(\.subject) == [subject, subject, subject])
            #expect(lines.allSatisfy { $0.actor == "tester" && $0.at == world.world.clock.now })
        }
    }

    @Test("The description of an account has the holder's words and each app's, and of the face only that there is one")
    func description() async throws {
        try await withFaceWorld(capabilities: FaceSearchTests.capabilities) { world in
            let since = world.world.clock.now
            let login = try await world.enrol(.bind, uid: "u-1", info: FaceUserInfo(email: "lin@example.com"))
            world.world.clock.advance(by: .seconds(60))
            let begun = try await world.begin(.login, .remembered(login.remembered))
            try await world.show(FaceWorld.owner, in: begun.session)
            _ = try await world.finishAgreeing(begun)
            let row = try #require(try await world.world.store.subscription(world.world.subscription.subscription))
            var account = try #require(
                try await world.world.store.faceAccount(subscription: row.id, epoch: row.epoch))
            let binding = try #require(
                try await world.world.store.faceBinding(account: account.id, app: world.app.record.id))
            var expected: JSON = .object([
                "since": .integer(since.milliseconds), "hasTemplate": .bool(true), "terms": .string("7"),
                "frozen": .bool(false), "name": .string("林小满"),
                "apps": .array([
                    .object([
                        "app": .string(world.app.record.id.rawValue), "uid": .string("u-1"),
                        "openId": .string(login.openID), "authorizedAt": .integer(since.milliseconds),
                        "faceSeenAt": .integer(since.milliseconds + 60_000),
                        "groupsAgreedAt": .integer(since.milliseconds + 60_000),
                        "info": .object(["email": .string("lin@example.com")]),
                    ])
                ]),
            ])
            #expect(world.accounts.description(of: account, [binding]) == expected)
            // Values that do not open are left out; the others are there.
            account.sealedTemplate = Sealed(bytes: [])
            account.subscription += 1
            expected = world.accounts.description(of: account, [])
            #expect(expected["hasTemplate"] == false && expected["name"] == nil && expected["terms"] == "7")
        }
    }

    @Test("A grant of face login adds what is named, takes away what is named so, and leaves the rest as it is")
    func grants() async throws {
        try await withFaceWorld(capabilities: [.login, .verification]) { world in
            for (attributes, groups, expected) in [
                (nil, nil, [.face]), (true, nil, [.face, .faceAttributes]),
                (nil, true, [.face, .faceAttributes, .faceGroups]), (false, nil, [.face, .faceGroups]),
                (true, false, [.face, .faceAttributes]),
            ] as [(Bool?, Bool?, Set<Capability>)] {
                let record = try await world.accounts.grant(
                    world.app.record.id, attributes: attributes, groups: groups, by: .test)
                #expect(record.capabilities == expected.union([.login, .verification]))
            }
        }
    }
}
