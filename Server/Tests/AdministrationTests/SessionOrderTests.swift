import Administration
import Authority
@_spi(Server) import BenjiProtocol
import ServerTestKit
import Sightings
import Store
import Testing

struct SessionOrderTests {
    private static func state(_ subscription: Int64?, _ refusal: SightingRefusal? = nil) -> SessionState {
        SessionState(
            nas: "ggsn-1", carrier: .mobile, domain: "cmnet", subscription: subscription, ports: nil, isRoaming: false,
            startedAt: Timestamp(milliseconds: 1000), heardAt: Timestamp(milliseconds: 2000), refusal: refusal,
            doubts: refusal == nil ? [] : [.missed])
    }

    private func administration(_ world: AdministrationWorld, _ found: [SessionState]) -> Administration {
        var administration = world.administration
        administration.findsSessions = { _, _, _ in found }
        return administration
    }

    @Test("support sees who holds an address, by the register's row and never by number, and the look has a line")
    func look() async throws {
        let world = try await AdministrationWorld()
        let subscription = world.world.subscription.subscription
        let administration = administration(world, [Self.state(subscription, .unconfirmedAddress)])
        let answer = try await administration.perform(
            ShowSession("10.0.0.1"), by: world.caller(.support), reason: "a call")
        let session = try #require(answer["sessions"]?.arrayValue?.first)
        #expect(session["subscription"] == .integer(subscription) && session["nas"] == "ggsn-1")
        #expect(
            session["situation"] == .string(Situation.addressStale.rawValue) && session["doubts"] == .array(["missed"]))
        #expect(!answer.text.contains(AuthorityWorld.number.national))
        let line = try #require(try await world.lines().first)
        #expect(line.order == "session.show" && line.reason == "a call")
        #expect(line.subject == "the address of subscription \(subscription)")
        await world.end()
    }

    @Test("two sessions on one address are told as ambiguous, and a look at an address of nobody has a line too")
    func ambiguous() async throws {
        let world = try await AdministrationWorld()
        let two = try await administration(world, [Self.state(1), Self.state(2)]).perform(
            ShowSession("10.0.0.1"), by: world.caller())
        #expect(
            two["sessions"]?.arrayValue?.compactMap { $0["situation"]?.stringValue }
                == Array(repeating: Situation.addressAmbiguous.rawValue, count: 2))
        let none = try await administration(world, []).perform(
            ShowSession("2001:db8::7", port: 443), by: world.caller())
        #expect(none["sessions"] == .array([]) && none["address"] == "2001:db8::7")
        #expect(try await world.lines().first?.subject == "an address that nobody has")
        await world.end()
    }

    @Test("what is no address, no port or no server with a gateway is refused in words")
    func wrong() async throws {
        let world = try await AdministrationWorld()
        let administration = world.administration
        for order in [
            ShowSession(""), ShowSession("10.0.0.1:80"), ShowSession("10.0.0"), ShowSession("13800000001"),
            ShowSession("10.0.0.1", port: 0), ShowSession("10.0.0.1", port: 65536), ShowSession("10.0.0.1", port: -1),
        ] {
            #expect(
                try await refusal { _ = try await administration.perform(order, by: world.caller()) }
                    == .parameterInvalid)
        }
        var elsewhere = administration
        elsewhere.findsSessions = nil
        #expect(
            try await refusal { _ = try await elsewhere.perform(ShowSession("10.0.0.1"), by: world.caller()) }
                == .notFound)
        await world.end()
    }
}
