import Administration
import Authority
import BenjiPolicy
import BenjiProtocol
import ServerTestKit
import Store
import StoreSQLite
import Testing

@Suite("Orders about policies")
struct PolicyOrderTests {
    private func changed(_ seconds: Int64) -> CarrierPolicy {
        var policy = CarrierPolicy.standard
        policy.version = "own-\(seconds)"
        policy.carriers[.mobile]?.lifetimes[.device]?.token = seconds
        return policy
    }

    /// The same installation as a server finds it that starts with a policy.
    private func started(_ world: AdministrationWorld, with policy: CarrierPolicy) async throws -> Bool {
        let next = world.world.restarted { $0.policy = policy }
        return try await Administration(authority: next.authority, store: next.store).notePolicy(
            by: Caller(name: "benji", role: .operator, origin: "command line"), from: "host, policy.json")
    }

    @Test("which lifetimes held at a moment can be asked, for policies that came, went and came back")
    func history() async throws {
        let world = try await AdministrationWorld()
        #expect(try await world.refused(ShowPolicy()) == .parameterInvalid, "none is written down yet")
        let begin = world.clock.now
        for (seconds, isNew) in [(60, true), (60, false), (90, true), (60, true)] as [(Int64, Bool)] {
            #expect(try await started(world, with: changed(seconds)) == isNew)
            world.clock.advance(by: .seconds(100))
        }
        func held(_ after: Int64) async throws -> Int64? {
            let answer = try await world.order(ShowPolicy(at: begin + .seconds(after)))
            let lifetimes = answer["policy"]?["carriers"]?["mobile"]?["lifetimes"]
            return lifetimes?["device"]?["tokenSeconds"]?.integerValue
        }
        #expect(try await held(0) == 60)
        #expect(try await held(199) == 60)
        #expect(try await held(200) == 90)
        #expect(try await held(299) == 90)
        #expect(try await held(300) == 60)
        #expect(try await held(9999) == 60)
        #expect(try await world.refused(ShowPolicy(at: begin - .milliseconds(1))) == .parameterInvalid)
        let listed = try await world.order(ListPolicies())["policies"]?.arrayValue ?? []
        #expect(listed.map { $0["version"]?.stringValue } == ["own-60", "own-90", "own-60"])
        #expect(listed[0]["until"] == nil && listed[1]["until"] == listed[0]["since"])
        #expect(listed[0]["digest"] == listed[2]["digest"] && listed[0]["recordedBy"]?.stringValue == "benji")
        let next = try await world.order(ListPolicies(before: listed[0]["id"]?.integerValue, limit: 1))
        #expect(next["policies"]?.arrayValue == [listed[1]] && next["next"] == listed[1]["id"])
        let digest = try #require(listed[1]["digest"]?.stringValue)
        let shown = try await world.order(ShowPolicy(digest: String(digest.prefix(6))))
        #expect(shown["version"]?.stringValue == "own-90")
        #expect(try await world.refused(ShowPolicy(digest: "abc")) == .parameterInvalid)
        #expect(try await world.refused(ShowPolicy(digest: "----------")) == .parameterInvalid)
        let lines = try await world.lines()
        #expect(lines.map(\.order) == ["policy.change", "policy.change", "policy.change"])
        #expect(
            lines[1].actor == "benji" && lines[1].origin == "host, policy.json"
                && lines[1].subject == "policy \(digest)")
        #expect(lines[1].after?.contains(#""version":"own-90""#) == true)
        #expect(lines[1].before?.contains(#""version":"own-60""#) == true)
        await world.end()
    }
}
