#if Face
import Administration
import Authority
import BenjiProtocol
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Testing

@Suite("Orders about face accounts")
struct FaceOrderTests {
    /// Enrols a face account for the world's subscriber, with placeholders that no key opens.
    private func enrol(_ world: AdministrationWorld) async throws {
        let (holder, now) = (world.world.subscription, world.clock.now)
        let account = FaceAccountRecord(
            subscription: holder.subscription, epoch: holder.epoch, sealedKey: Sealed(bytes: [1]),
            sealedTemplate: Sealed(bytes: [2]), sealedProfile: Sealed(bytes: [3]), terms: "1",
            simGeneration: holder.simGeneration, createdAt: now)
        let outcome = try await world.world.store.finishFaceLogin(
            FaceLoginWrite(
                account: .new(account), consents: [],
                binding: FaceBindingRecord(
                    account: 0, appID: world.app, uid: "u", isRandomUID: false, openID: "o", sealedInfo: nil,
                    authorizedAt: now, verifiedAt: now), present: nil, credentials: []))
        guard case .done = outcome else { return #expect(Bool(false), "\(outcome)") }
    }

    @Test("an account is counted, frozen, thawed and erased by its number; each order has a line without it")
    func life() async throws {
        let world = try await AdministrationWorld()
        let number = AuthorityWorld.number
        func counts() async throws -> [Int64?] {
            let counts = try await world.order(CountFaceAccounts(), by: world.caller(.support))
            return ["accounts", "frozen", "authorizations"].map { counts[$0]?.integerValue }
        }
        try await enrol(world)
        #expect(try await counts() == [1, 0, 1])
        let frozen = try await world.order(FreezeFaceAccount(number), reason: "a lost phone")
        #expect(frozen == .object(["number": "138****0001", "account": "frozen"]))
        #expect(try await counts() == [1, 1, 1])
        try await world.order(ThawFaceAccount(number))
        #expect(try await counts() == [1, 0, 1])
        try await world.order(EraseFaceAccount(number))
        #expect(try await counts() == [0, 0, 0])
        for order in [FreezeFaceAccount(number), ThawFaceAccount(number), EraseFaceAccount(number)] as [any Order] {
            #expect(try await world.refused(order) == .notFound, "\(type(of: order).name)")
        }
        let lines = try await world.lines().reversed()
        let orders = ["face.freeze", "face.thaw", "face.erase"]
        #expect(lines.map(\.order) == orders + orders && lines.first?.reason == "a lost phone")
        #expect(lines.map(\.outcome) == Array(repeating: .success, count: 3) + Array(repeating: .notFound, count: 3))
        let subject = "face account of subscription \(world.world.subscription.subscription)"
        #expect(lines.map(\.subject) == Array(repeating: subject, count: 3) + [nil, nil, nil])
        await world.end()
    }

    @Test("an app gets face login and loses it, and the line says what it could do before and after")
    func grants() async throws {
        let world = try await AdministrationWorld()
        let granted = try await world.order(GrantFaceLogin(world.app, attributes: true))
        #expect(granted["capabilities"]?.text == #"["face","face-attributes","login","verification"]"#)
        let fewer = try await world.order(GrantFaceLogin(world.app, attributes: false, groups: true))
        #expect(fewer["capabilities"]?.text == #"["face","face-groups","login","verification"]"#)
        let without = try await world.order(WithdrawFaceLogin(world.app))
        #expect(without["capabilities"]?.text == #"["login","verification"]"#)
        #expect(try await world.refused(GrantFaceLogin(world.unknown)) == .appUnknown)
        let lines = try await world.lines().reversed()
        #expect(lines.map(\.order) == ["app.face.set", "app.face.set", "app.face.remove", "app.face.set"])
        #expect(lines.last?.outcome == .appUnknown && lines.last?.app == world.unknown)
        #expect(lines.first?.before == #"{"capabilities":["login","verification"]}"#)
        await world.end()
    }
}
#endif
