import Administration
import BenjiClient
import BenjiPolicy
import Sandbox
import ServerTestKit
import Store
import Testing

@testable import Authority
@testable import BenjiCommand
@_spi(Server) @testable import BenjiProtocol

/// Logins of a real server that ended in this or that, written down and played again.
@Suite("A login is played again", .serialized)
struct LoginReplayTests {
    /// A login that ends in some situation: its steps, and the required last step.
    struct Journey: Sendable, CustomTestStringConvertible {
        var step: String
        var situation: Situation
        var play: @Sendable (JourneyWorld) async throws -> Void
        var testDescription: String { "\(step): \(situation.rawValue)" }
    }

    private static let address = "127.20.0.2"

    private static func script(_ world: JourneyWorld) -> DeviceScript {
        DeviceScript(server: world.deviceURL, transport: world.phone(address).transport)
    }

    private static func change(_ world: JourneyWorld, _ change: @Sendable (inout AppRecord) -> Void) async throws {
        var record = try await world.installation.authority.apps.find(world.app.record.id).record
        change(&record)
        try await world.installation.store.updateApp(record, audit: nil)
    }

    /// A prefetch, then whatever happens meanwhile, and an authorize that is refused.
    private static func refused(
        _ situation: Situation, thief: Bool = false, consents: Bool = true,
        _ meanwhile: @escaping @Sendable (JourneyWorld) async throws -> Void = { _ in }
    ) -> Journey {
        Journey(step: "authorize", situation: situation) { world in
            let script = script(world)
            let id = world.app.record.id
            let response = try await script.prefetch(
                appID: id, appKey: world.app.key.reveal(), bundleID: JourneyWorld.bundle)
            try await meanwhile(world)
            let consent = try consents ? script.consent(to: response, appID: id) : nil
            let shown = thief ? Self.script(world) : script
            await #expect(throws: DeviceFailure.self) {
                _ = try await shown.authorize(appID: id, scrip: response.scrip, purpose: .login, consent: consent)
            }
        }
    }

    /// A login by the SDK, what happens then, and a redemption.
    private static func redeemed(
        _ situation: Situation, _ meanwhile: @escaping @Sendable (JourneyWorld, LoginToken) async throws -> Void
    ) -> Journey {
        Journey(step: "loginTokenValidate", situation: situation) { world in
            let token = try await world.engine(on: world.phone(address)).logIn(with: ScriptedPerson())
            try await meanwhile(world, token)
            _ = try await world.redeem(token)
        }
    }

    private static let journeys: [Journey] = [
        redeemed(.success) { _, _ in },
        redeemed(.tokenSpent) { world, token in _ = try await world.redeem(token) },
        redeemed(.assuranceTooLow) { world, _ in try await change(world) { $0.leastAssurance = .sim } },
        redeemed(.subscriptionChanged) { world, _ in
            _ = try await world.installation.register.port(
                world.sims[0].number, to: .mobile, at: SystemWallClock().now, by: .machineUser("number.port"))
        },
        redeemed(.quotaExceeded) { world, _ in try await change(world) { $0.dailyQuota = 0 } },
        refused(.appSuspended) { world in try await change(world) { $0.suspended = true } },
        refused(.appNotAllowed) { world in try await change(world) { $0.allowed = false } },
        refused(.capabilityMissing) { world in try await change(world) { $0.capabilities.remove(.login) } },
        refused(.addressStale) { world in
            _ = try await world.installation.register.reassign(
                world.sims[0].number, at: SystemWallClock().now, by: .machineUser("number.reassign"))
        },
        Journey(step: "authorize", situation: .subscriptionMismatch) { world in
            let (script, id) = (script(world), world.app.record.id)
            let response = try await script.prefetch(
                appID: id, appKey: world.app.key.reveal(), bundleID: JourneyWorld.bundle)
            _ = try await world.attach(world.sims[1], at: "127.20.0.9")
            let away = DeviceScript(
                server: world.deviceURL, transport: world.phone("127.20.0.9").transport, signer: script.signer)
            await #expect(throws: DeviceFailure.self) {
                _ = try await away.authorize(
                    appID: id, scrip: response.scrip, purpose: .login,
                    consent: try script.consent(to: response, appID: id))
            }
        },
        refused(.scripExpired) { _ in
            // Its life is a second.
            for _ in 1...2 { try await JourneyWorld.nextSecond() }
        },
        refused(.scripStolen, thief: true),
        refused(.consentMissing, consents: false),
        Journey(step: "prefetch", situation: .attestationInvalid) { world in
            await #expect(throws: DeviceFailure.self) {
                _ = try await script(world).prefetch(
                    appID: world.app.record.id, appKey: world.app.key.reveal(), bundleID: JourneyWorld.bundle,
                    attestation: "no attestation")
            }
        },
        Journey(step: "authorize", situation: .scripReused) { world in
            let (script, id) = (script(world), world.app.record.id)
            let response = try await script.prefetch(
                appID: id, appKey: world.app.key.reveal(), bundleID: JourneyWorld.bundle)
            let consent = try script.consent(to: response, appID: id)
            _ = try await script.authorize(appID: id, scrip: response.scrip, purpose: .login, consent: consent)
            await #expect(throws: DeviceFailure.self) {
                _ = try await script.authorize(appID: id, scrip: response.scrip, purpose: .login, consent: consent)
            }
        },
        Journey(step: "tokenValidate", situation: .numberDiffers) { world in
            let id = world.app.record.id
            let script = script(world)
            let response = try await script.prefetch(
                appID: id, appKey: world.app.key.reveal(), bundleID: JourneyWorld.bundle)
            let token = try await script.authorize(appID: id, scrip: response.scrip, purpose: .verification).token
            _ = try await world.appServer.verify(token, number: world.sims[1].number)
        },
    ]

    /// The login as `benji trace export` writes it.
    private static func recorded(_ journey: Journey) async throws -> JSON {
        let written = Recorded()
        try await JourneyWorld.play { world in
            if journey.situation == .scripExpired { try await change(world) { $0.scripLifetime = 1 } }
            _ = try await world.attach(world.sims[0], at: address)
            try await journey.play(world)
            let filter = TraceFilter(app: world.app.record.id, situations: [journey.situation])
            let found = try await world.installation.store.traces(filter, limit: 9)
            // A story may have several logins that ended well.
            let trace = try #require(found.last?.trace)
            let answer = try await world.installation.administration.perform(ExportTrace(trace), by: .machineUser)
            for sim in world.sims { #expect(!answer.text.contains(sim.number.national)) }
            #expect(!answer.text.contains(trace.rawValue) && !answer.text.contains(world.app.record.id.rawValue))
            await written.keep(answer)
        }
        return try #require(await written.json)
    }

    private actor Recorded {
        var json: JSON?
        func keep(_ json: JSON) { self.json = json }
    }

    @Test("a recorded login ends in the sandbox as it ended, step by step", arguments: journeys)
    func same(_ journey: Journey) async throws {
        let recording = try LoginRecording(try await Self.recorded(journey))
        let last = try #require(recording.steps.last)
        #expect(last.name == journey.step && last.situation == journey.situation)
        #expect(recording.obstacle == nil)
        #expect(try await Replay(recording: recording).perform() == recording.steps)
    }

    @Test("a login on a carrier of another country is played with a number of that country")
    func otherCountry() async throws {
        let recording = try LoginRecording(try await Self.recorded(Self.journeys[0]))
        for country in ["SG", "DE"] {
            var policy = CarrierPolicy.standard
            policy.carriers[recording.carrier]?.country = country
            #expect(try await Replay(recording: recording, policy: policy).perform() == recording.steps, "\(country)")
        }
    }

    @Test("of a stranger's file nothing is told that would steer a terminal")
    func steering() async throws {
        let recorded = try await Self.recorded(Self.journeys[0])
        let text = recorded.text
        let party = text.replacing(#""party":"gateway""#, with: #""party":"\u001b[2Jgateway""#)
        #expect(party != text)
        let error = #expect(throws: JSONError.self) { try LoginRecording(try JSON(parsing: party)) }
        #expect(error?.problem.contains("must be one of: device, gateway") == true)
        let step = text.replacing(#""step":"authorize""#, with: #""step":"\u001b[2Jauthorize""#)
        let obstacle = try #require(try LoginRecording(try JSON(parsing: step)).obstacle)
        #expect(obstacle.contains("[2Jauthorize") && !obstacle.contains("\u{1b}"))
    }

    @Test("a login that ended otherwise than it does in the sandbox is told from it")
    func differs() async throws {
        var recording = try LoginRecording(try await Self.recorded(Self.journeys[0]))
        recording.steps[recording.steps.count - 1].situation = .tokenSpent
        #expect(try await Replay(recording: recording).perform() != recording.steps)
    }

    @Test("what cannot be played is said before anything is tried")
    func obstacles() async throws {
        var recording = try LoginRecording(try await Self.recorded(Self.journeys[0]))
        recording.steps[0].name = "openid.token"
        #expect(recording.obstacle?.contains("step 1, openid.token") == true)
        recording.steps[0].name = "prefetch"
        recording.steps[0].situation = .tooManyRequests
        #expect(recording.obstacle?.contains("too_many_requests cannot be brought about") == true)
    }
}
