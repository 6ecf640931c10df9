import Administration
import Authority
import BenjiProtocol
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Testing

@Suite("Orders about numbers")
struct NumberOrderTests {
    @Test("a number that has a new owner begins a new epoch, one that moved to another carrier a new SIM generation")
    func changes() async throws {
        let world = try await AdministrationWorld()
        let number = AuthorityWorld.number
        let moved = try await world.order(PortNumber(number, to: .unicom), reason: "ticket 7")
        #expect(moved["epoch"] == 1 && moved["simGeneration"] == 2)
        let owned = try await world.order(ReassignNumber(number))
        #expect(owned["epoch"] == 2 && owned["simGeneration"] == 1 && owned["number"] == "138****0001")
        let lines = try await world.lines()
        #expect(lines.map(\.order) == ["number.reassign", "number.port"] && lines.last?.reason == "ticket 7")
        let subject = "subscription \(world.world.subscription.subscription)"
        #expect(lines.allSatisfy { $0.subject == subject && $0.actor == "ops" })
        #expect(lines.last?.before == #"{"carrier":"mobile"}"# && lines.last?.after == #"{"carrier":"unicom"}"#)
        await world.end()
    }

    @Test(
        "a number that nobody has and a carrier that the policy lacks are refused, with a line and without the number")
    func refusals() async throws {
        let world = try await AdministrationWorld()
        let unknown = AuthorityWorld.otherNumber
        #expect(try await world.refused(ReassignNumber(unknown)) == .numberUnknown)
        #expect(try await world.refused(PortNumber(unknown, to: .mobile)) == .numberUnknown)
        #expect(try await world.refused(ShowNumber(unknown)) == .numberUnknown)
        let tiger = try #require(Carrier(rawValue: "tiger"))
        #expect(try await world.refused(PortNumber(AuthorityWorld.number, to: tiger)) == .parameterInvalid)
        let lines = try await world.lines()
        #expect(lines.map(\.order) == ["number.port", "number.show", "number.port", "number.reassign"])
        #expect(lines.map(\.outcome) == [.parameterInvalid, .success, .numberUnknown, .numberUnknown])
        #expect(lines.map(\.subject) == [nil, "a number that nobody has", nil, nil])
        await world.end()
    }

    @Test("support sees what the register says of a number, which it names by its mask, and the look has a line")
    func look() async throws {
        let world = try await AdministrationWorld()
        let row = try await world.order(ShowNumber(AuthorityWorld.number), by: world.caller(.support), reason: "a call")
        #expect(row["number"] == "138****0001" && row["carrier"] == "mobile" && row["epoch"] == 1)
        #expect(row["simChangedAt"] == .integer(world.clock.now.milliseconds))
        #expect(!row.text.contains("13800000001") && !row.text.contains("460000000000001"))
        let line = try #require(try await world.lines().first)
        #expect(line.order == "number.show" && line.role == "support" && line.reason == "a call")
        #expect(line.subject == "subscription \(world.world.subscription.subscription)")
        await world.end()
    }
}
