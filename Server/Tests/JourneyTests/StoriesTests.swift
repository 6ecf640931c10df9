import BenjiClient
import Sandbox
import ServerTestKit
import Store
import Testing

@testable import Authority
@testable import BenjiCommand
@_spi(Server) @testable import BenjiProtocol

/// Stories that cross every part of the system, told from the phone's side.
@Suite("Stories", .serialized)
struct StoriesTests {
    private static let address = "127.20.0.2"

    private func situation(_ body: () async throws -> Void) async throws -> Situation? {
        do {
            try await body()
            return nil
        } catch let error as BenjiError {
            return error.situation
        }
    }

    @Test("A person logs in twice from one prefetch, and is the same person to the app both times")
    func twice() async throws {
        try await JourneyWorld.play { world in
            _ = try await world.attach(world.sims[0], at: Self.address)
            let engine = world.engine(on: world.phone(Self.address))
            let first = try await engine.logIn(with: ScriptedPerson())
            let second = try await engine.logIn(with: ScriptedPerson())
            #expect(first.openID == second.openID)
            #expect(first.token != second.token)
            #expect(try await world.redeem(first) == "103000")
            #expect(try await world.redeem(second) == "103000")
        }
    }

    @Test("When an address passes to somebody else and the Stop was lost, the first one's token and scrip are dead")
    func lostStop() async throws {
        try await JourneyWorld.play { world in
            _ = try await world.attach(world.sims[0], at: Self.address)
            let engine = world.engine(on: world.phone(Self.address))
            let token = try await engine.logIn(with: ScriptedPerson())
            try await JourneyWorld.nextSecond()
            _ = try await world.attach(world.sims[1], at: Self.address)
            #expect(try await world.redeem(token) == "104201")
            let refused = try await self.situation { _ = try await engine.logIn(with: ScriptedPerson()) }
            #expect(refused != nil)
            // The present holder of the address logs in as themselves.
            let newcomer = world.engine(on: world.phone(Self.address))
            let theirs = try await newcomer.logIn(with: ScriptedPerson())
            #expect(theirs.openID != token.openID)
        }
    }

    @Test("A new SIM ends what the old one earned, and the person stays the same to the app")
    func newSIM() async throws {
        try await JourneyWorld.play { world in
            var sim = world.sims[0]
            let session = try await world.attach(sim, at: Self.address)
            let engine = world.engine(on: world.phone(Self.address))
            let before = try await engine.logIn(with: ScriptedPerson())
            _ = try await world.core.detach(session)
            try await JourneyWorld.nextSecond()
            sim.imsi = "460000000000077"
            _ = try await world.attach(sim, at: "127.20.0.3")
            #expect(try await world.redeem(before) == "104201")
            let after = try await world.engine(on: world.phone("127.20.0.3")).logIn(with: ScriptedPerson())
            #expect(after.openID == before.openID)
            #expect(try await world.redeem(after) == "103000")
        }
    }

    @Test("A number that is given to somebody else is another person to the app, and opens nothing of the first one's")
    func reassigned() async throws {
        try await JourneyWorld.play { world in
            let session = try await world.attach(world.sims[0], at: Self.address)
            let engine = world.engine(on: world.phone(Self.address))
            let before = try await engine.logIn(with: ScriptedPerson())
            _ = try await world.core.detach(session)
            let now = SystemWallClock().now
            _ = try await world.installation.register.reassign(world.sims[0].number, at: now)
            try await JourneyWorld.nextSecond()
            var sim = world.sims[0]
            sim.imsi = "460000000000088"
            _ = try await world.attach(sim, at: "127.20.0.3")
            #expect(try await world.redeem(before) == "104201")
            let after = try await world.engine(on: world.phone("127.20.0.3")).logIn(with: ScriptedPerson())
            #expect(after.openID != before.openID)
        }
    }

    @Test("A forgotten scrip is asked for anew, and the next login works")
    func forget() async throws {
        try await JourneyWorld.play { world in
            _ = try await world.attach(world.sims[0], at: Self.address)
            let engine = world.engine(on: world.phone(Self.address))
            #expect(try await engine.prefetch().fromMemory == false)
            #expect(try await engine.prefetch().fromMemory)
            try await engine.forget()
            #expect(try await engine.prefetch().fromMemory == false)
            #expect(try await world.redeem(try await engine.logIn(with: ScriptedPerson())) == "103000")
        }
    }

    @Test("The trace of a login tells every step and holds neither number nor credential")
    func trace() async throws {
        try await JourneyWorld.play { world in
            _ = try await world.attach(world.sims[0], at: Self.address)
            let token = try await world.engine(on: world.phone(Self.address)).logIn(with: ScriptedPerson())
            _ = try await world.redeem(token)
            _ = try await world.redeem(token)
            let events = try await world.installation.authority.traceEvents(token.trace)
            #expect(
                events.map { "\($0.party.rawValue) \($0.step) \($0.situation.rawValue)" } == [
                    "gateway sighting success", "authority prefetch success", "device consent success",
                    "authority authorize success",
                    "app-server loginTokenValidate success",
                    "app-server loginTokenValidate token_spent",
                ])
            let text = "\(events)"
            #expect(!text.contains(world.sims[0].number.national))
            #expect(!text.contains(token.token))
        }
    }
}
