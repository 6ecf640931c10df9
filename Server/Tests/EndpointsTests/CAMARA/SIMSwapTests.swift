import BenjiPolicy
import HTTPTypes
import ServerTestKit
import Store
import StoreSQLite
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import OpenIDProvider
@testable import Requests

/// sim-swap 2.1.0.
@Suite("CAMARA's sim-swap")
struct SIMSwapTests {
    private typealias World = OpenIDWorld

    private func date(_ answer: Exchange) -> String? { answer.json["latestSimChange"]?.stringValue }

    @Test("a phone's own token tells whether its SIM was changed, and when; each token answers once")
    func threeLegged() async throws {
        try await World.visitBank { world in
            world.clock.advance(by: .seconds(11 * 86400))
            let before = try await world.camara(.checkSIMSwap, try await world.networkToken("sim-swap:check"), "{}")
            #expect(before.json == .object(["swapped": .bool(false)]))
            try await world.attach(World.number, at: World.phone, imsi: "460000000000009", binding: 9)
            let moment = world.clock.now
            world.clock.advance(by: .seconds(3600))
            let token = try await world.networkToken("sim-swap")
            let after = try await world.camara(.checkSIMSwap, token, #"{"maxAge":1}"#)
            #expect(after.json == .object(["swapped": .bool(true)]))
            #expect(try await world.camara(.checkSIMSwap, token, "{}").camaraError == "401 UNAUTHENTICATED")
            let told = try await world.camara(
                .retrieveSIMSwapDate, try await world.networkToken("sim-swap:retrieve-date"), "{}")
            #expect(date(told) == moment.rfc3339)
            world.clock.advance(by: .seconds(1))
            let hour = try await world.camara(
                .checkSIMSwap, try await world.networkToken("sim-swap:check"), #"{"maxAge":1}"#)
            #expect(hour.json == .object(["swapped": .bool(false)]), "an hour and a second ago")
        }
    }

    @Test(
        """
        of a SIM that was never changed the date is the one on which the number was first seen, and a new owner's the \
        order's
        """
    )
    func firstSIM() async throws {
        try await World.visitBank { world in
            let record = try #require(try await world.register.subscription(of: World.number))
            let body = World.plain()
            let first = try await world.camara(.retrieveSIMSwapDate, try await world.ownToken(), body)
            #expect(date(first) == record.simChangedAt.rfc3339 && record.simGeneration == 1)
            #expect(date(first)?.hasSuffix("Z") == true)
            world.clock.advance(by: .seconds(100 * 86400))
            _ = try await world.register.reassign(World.number, at: world.clock.now)
            let second = try await world.camara(.retrieveSIMSwapDate, try await world.ownToken(), body)
            #expect(date(second) == world.clock.now.rfc3339)
        }
    }

    @Test(
        """
        a SIM counts as swapped exactly if maxAge, or 240 hours without it, reaches back to its change; one that was \
        never changed does not
        """,
        arguments: [260, 120, 24, 12])
    func hours(_ hours: Int) async throws {
        try await World.visitBank { world in
            // Longer ago than any maxAge.
            world.clock.advance(by: .seconds(101 * 86400))
            try await world.attach(World.number, at: World.phone, imsi: "460000000000009", binding: 9)
            world.clock.advance(by: .seconds(hours * 3600))
            let token = try await world.ownToken()
            func swapped(_ number: PhoneNumber, _ maxAge: Int?) async throws -> JSON? {
                let member = maxAge.map { #","maxAge":\#($0)"# } ?? ""
                let body = "\(World.plain(number).dropLast())\(member)}"
                return try await world.camara(.checkSIMSwap, token, body).json["swapped"]
            }
            #expect(try await swapped(World.number, hours) == true)
            #expect(try await swapped(World.number, 2400) == true)
            #expect(try await swapped(World.number, hours - 1) == false)
            #expect(try await swapped(World.number, nil) == .bool(hours <= 240))
            #expect(try await swapped(World.otherNumber, hours) == false)
            #expect(try await swapped(World.otherNumber, nil) == false)
        }
    }

    @Test("an app's own token asks about any number, as often as fits into its life, and each answer is billed")
    func twoLegged() async throws {
        try await World.visitBank { world in
            let token = try await world.ownToken("sim-swap:check")
            for number in [World.number, World.otherNumber, World.number] {
                #expect(try await world.camara(.checkSIMSwap, token, World.plain(number)).status == .ok)
            }
            let lines = try await world.store.ledgerEntries(app: world.bank.record.id, limit: 9)
            #expect(lines.map(\.interface) == Array(repeating: "sim-swap.check", count: 3))
            #expect(
                try await world.camara(.retrieveSIMSwapDate, token, World.plain()).camaraError
                    == "403 PERMISSION_DENIED")
            world.clock.advance(by: .seconds(300))
            #expect(
                try await world.camara(.checkSIMSwap, token, World.plain()).camaraError == "401 UNAUTHENTICATED")
        }
    }

    @Test("a number must be there exactly if the token names nobody, and one that nobody holds is not found")
    func identifiers() async throws {
        try await World.visitBank { world in
            let own = try await world.ownToken()
            for path in [CAMARAEndpoints.Path.checkSIMSwap, .retrieveSIMSwapDate] {
                let missing = try await world.camara(path, own, "{}")
                #expect(missing.status == .unprocessableContent && missing.code == "MISSING_IDENTIFIER")
                let token = try await world.networkToken("sim-swap")
                let extra = try await world.camara(path, token, World.plain())
                #expect(extra.status == .unprocessableContent && extra.code == "UNNECESSARY_IDENTIFIER")
                #expect(try await world.camara(path, token, "{}").status == .ok, "the refusal spent nothing")
                for number in ["3301", "13800000001", "+0613800000001"] {
                    let malformed = try await world.camara(path, own, #"{"phoneNumber":"\#(number)"}"#)
                    #expect(malformed.camaraError == "400 INVALID_ARGUMENT")
                }
                for number in ["+8613899999999", "+346661113334", "+12345"] {
                    let unknown = try await world.camara(path, own, #"{"phoneNumber":"\#(number)"}"#)
                    #expect(unknown.status == .notFound && unknown.code == "IDENTIFIER_NOT_FOUND")
                }
            }
            #expect(try await world.store.ledgerEntries(app: world.bank.record.id, limit: 9).count == 2)
        }
    }

    @Test(
        "maxAge is 1 to 2400 whole hours, and a property that is not defined is refused rather than passed over",
        arguments: [
            (#""maxAge":0"#, "OUT_OF_RANGE"), (#""maxAge":2401"#, "OUT_OF_RANGE"), (#""maxAge":-1"#, "OUT_OF_RANGE"),
            (#""maxAge":1.5"#, "INVALID_ARGUMENT"), (#""maxAge":24.0"#, nil), (#""maxAge":2.4e3"#, nil),
            (#""maxAge":99999999999999999999"#, "OUT_OF_RANGE"),
            (#""maxAge":"24""#, "INVALID_ARGUMENT"), (#""maxAge":null"#, "INVALID_ARGUMENT"),
            (#""maxage":24"#, "INVALID_ARGUMENT"), (#""maxAge":1"#, nil), (#""maxAge":2400"#, nil),
        ])
    func maxAge(_ member: String, _ code: String?) async throws {
        try await World.visitBank { world in
            let token = try await world.ownToken()
            let number = World.plain().dropFirst().dropLast()
            let answer = try await world.camara(.checkSIMSwap, token, "{\(number),\(member)}")
            #expect(answer.code == code && answer.status == (code == nil ? .ok : .badRequest))
            let date = try await world.camara(.retrieveSIMSwapDate, token, "{\(number),\(member)}")
            #expect(date.code == "INVALID_ARGUMENT", "retrieve-date has no maxAge")
        }
    }

    @Test("a carrier that is switched off, and an app that asks about one number without end, are told so")
    func limits() async throws {
        try await World.visitBank { world in
            let token = try await world.ownToken()
            var configuration = world.authority.configuration
            configuration.policy.carriers[.mobile]?.enabled = false
            let other = OpenIDProvider(
                configuration: world.provider.configuration,
                authority: Authority(
                    configuration: configuration, store: world.store, vault: world.authority.vault,
                    clock: world.clock, logger: world.authority.logger),
                store: world.store)
            let off = try await world.camara(.checkSIMSwap, token, World.plain(), provider: other)
            #expect(off.status == .unprocessableContent && off.code == "SERVICE_NOT_APPLICABLE")
            let row = try #require(try await world.register.subscription(of: World.number))
            let name = "\(world.bank.record.id.rawValue)/\(row.id)"
            for _ in 0..<configuration.prefetchesPerNumber {
                _ = world.provider.simSwap.limiter.admits(name, now: world.clock.now)
            }
            let tired = try await world.camara(.checkSIMSwap, token, World.plain())
            #expect(tired.status == .tooManyRequests && tired.code == "TOO_MANY_REQUESTS")
            #expect(try await world.camara(.checkSIMSwap, token, World.plain(World.otherNumber)).status == .ok)
        }
    }

    @Test("an app that looks for numbers that exist is stopped, and its misses are in the trace")
    func searching() async throws {
        try await World.visitBank { world in
            let token = try await world.ownToken()
            let stranger = PhoneNumber("13899999999")!
            for _ in 1..<SIMSwap.unknownNumbers {
                _ = world.provider.simSwap.unknownLimiter.admits(world.bank.record.id.rawValue, now: world.clock.now)
            }
            #expect(try await world.camara(.checkSIMSwap, token, World.plain(stranger)).status == .notFound)
            let held = try await world.store.openIDCredential(CredentialHash(of: token, .openID)).credential
            let events = try await world.authority.traceEvents(try #require(held).trace)
            #expect(events.map(\.step) == ["openid.client-credentials", "sim-swap"])
            #expect(events.last?.situation == .numberUnknown && events.last?.detail == "a number that nobody has")
            // Now also a number that exists: the answer must not tell.
            for number in [stranger, World.number] {
                #expect(try await world.camara(.checkSIMSwap, token, World.plain(number)).status == .tooManyRequests)
            }
            world.clock.advance(by: .seconds(601))
            let later = try await world.ownToken()
            #expect(try await world.camara(.checkSIMSwap, later, World.plain()).status == .ok)
        }
    }

    @Test(
        "what an app asked about counts for ten minutes to the millisecond: numbers that exist, and those that do not")
    func windows() async throws {
        try await World.visitBank(limit: 2) { world in
            let (swap, now) = (world.provider.simSwap, world.clock.now)
            for (limiter, limit) in [(swap.unknownLimiter, 600), (swap.limiter, 2)] {
                let admitted = (0...limit).map { _ in limiter.admits("a", now: now) }
                #expect(admitted == Array(repeating: true, count: limit) + [false])
                #expect(!limiter.mayAdmit("a", now: now + .milliseconds(599_999)))
                #expect(limiter.mayAdmit("a", now: now + .seconds(600)))
            }
        }
    }

    @Test("an app that was stopped stays so while fifty thousand others ask")
    func crowd() async throws {
        try await World.visitBank { world in
            let (limiter, now) = (world.provider.simSwap.unknownLimiter, world.clock.now)
            for _ in 0..<SIMSwap.unknownNumbers { _ = limiter.admits("a", now: now) }
            for other in 0..<50_000 { _ = limiter.admits("\(other)", now: now) }
            #expect(!limiter.mayAdmit("a", now: now))
        }
    }

    @Test("an app that named its servers' addresses is answered there alone")
    func addresses() async throws {
        try await World.visitBank { world in
            try await world.changeBank {
                $0.serverAddresses = ["203.0.113.0/24"]
                $0.openIDFromAnywhere = false
            }
            let token = try await world.ownToken()
            #expect(try await world.camara(.checkSIMSwap, token, World.plain()).status == .ok)
            try await world.changeBank { $0.serverAddresses = ["192.0.2.0/24"] }
            #expect(
                try await world.camara(.checkSIMSwap, token, World.plain()).camaraError == "403 PERMISSION_DENIED")
        }
    }

    @Test("only an app that the operator granted sim-swap is given a token, and one that lost it no answer")
    func capability() async throws {
        try await World.visitBank { world in
            let token = try await world.ownToken()
            try await world.changeBank { $0.capabilities.remove(.simSwap) }
            #expect(
                try await world.camara(.checkSIMSwap, token, World.plain()).camaraError == "403 PERMISSION_DENIED")
            let refused = try await world.bankToken([
                "grant_type": "client_credentials", "scope": "sim-swap \(World.purpose)",
            ])
            #expect(refused.error == "unauthorized_client")
            #expect(try await world.askNetwork("sim-swap \(World.purpose)").landing["error"] == "unauthorized_client")
        }
    }
}
