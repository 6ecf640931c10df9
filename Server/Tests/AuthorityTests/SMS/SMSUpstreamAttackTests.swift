import ServerTestKit
import ShortMessages
import Sightings
import Store
import Synchronization
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Requests

/// A service that logs phones in by the texts that they send, as attacks see it.
private protocol TextLogin: Sendable {
    /// An install asks for a text.
    func ask(_ install: Int) async throws -> SMSUpstreamResponse
    func deliver(_ message: ReceivedShortMessage) async
    /// An install tries to log in by a text.
    /// - Returns: whether it logs in as the victim; `nil` if it does not log in.
    func logIn(_ given: SMSUpstreamResponse, install: Int, app: Int) async throws -> Bool?
    func wait(_ duration: Duration)
}

extension TextLogin {
    func logIn(_ given: SMSUpstreamResponse, install: Int) async throws -> Bool? {
        try await logIn(given, install: install, app: 0)
    }

    func deliver(
        _ text: String, from number: PhoneNumber, to: String = SMSUpstreamWorld.serviceNumber,
        by sender: String = "smsc"
    ) async {
        await deliver(ReceivedShortMessage(sender: sender, from: number, to: to, text: text))
    }
}

/// A service without a defence. Any text with a code counts, from any deliverer and to any number, and the last sender
/// wins. A text is valid at any time for any caller that shows its transaction.
private final class NaiveTextLogin: TextLogin {
    private struct State {
        var texts: [String: String] = [:]
        var senders: [String: PhoneNumber] = [:]
    }

    private let state = Mutex(State())

    func ask(_: Int) async throws -> SMSUpstreamResponse {
        let code = SMSUpstream.draw(SystemRandomSource())
        let transaction = SMSTransactionID(random: SystemRandomSource()).rawValue
        state.withLock { $0.texts[code] = transaction }
        return SMSUpstreamResponse(
            trace: TraceID(random: SystemRandomSource()), transaction: transaction,
            text: SMSUpstream.text(SMSUpstream.Settings().text, code: code, app: "Shop"),
            serviceNumber: SMSUpstreamWorld.serviceNumber, lifetime: 300, retryAfter: 3, policyVersion: "",
            serverTime: Timestamp(seconds: 0))
    }

    func deliver(_ message: ReceivedShortMessage) async {
        state.withLock { state in
            for (code, transaction) in state.texts where message.text.contains(code) {
                state.senders[transaction] = message.from
            }
        }
    }

    func logIn(_ given: SMSUpstreamResponse, install _: Int, app _: Int) async throws -> Bool? {
        state.withLock { $0.senders[given.transaction].map { $0 == SMSUpstreamAttackTests.victim } }
    }

    func wait(_: Duration) {}
}

/// Benji's, at two nodes over one database.
private struct RealTextLogin: TextLogin {
    let nodes: [SMSUpstreamWorld]
    let apps: [RegisteredApp]
    let installs = [SoftwareDeviceSigner(), SoftwareDeviceSigner()]

    func ask(_ install: Int) async throws -> SMSUpstreamResponse { try await nodes[0].ask(installs[install]) }

    func deliver(_ message: ReceivedShortMessage) async { _ = await nodes[1].login.codes.hear(message) }

    func logIn(_ given: SMSUpstreamResponse, install: Int, app: Int) async throws -> Bool? {
        do {
            let token = try await nodes[install].logIn(given, app: apps[app], signer: installs[install])
            return token.maskedNumber == SMSUpstreamAttackTests.victim.masked
        } catch {
            guard error is Refusal else { throw error }
            return nil
        }
    }

    func wait(_ duration: Duration) { nodes[0].world.clock.advance(by: duration) }
}

@Suite("What somebody gains by texts that are not theirs: a login at a naive service, and none at Benji's")
struct SMSUpstreamAttackTests {
    static let victim = AuthorityWorld.number
    static let attacker = AuthorityWorld.otherNumber

    /// Runs an attack against both. Both numbers are in the register, the attacker's as the SMSC's own.
    private func mount(
        _ attack: (any TextLogin) async throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(try await attack(NaiveTextLogin()), "the attack is none", sourceLocation: sourceLocation)
        try await SMSUpstreamWorld.visit { here in
            _ = try await here.world.register.observe([
                SubscriberObservation(
                    number: Self.attacker, imsi: "460000000000002", carrier: .mobile, eventTime: here.world.clock.now)
            ])
            var other = Apps.Registration(name: "Other")
            other.bundleIDs = [AuthorityWorld.bundle]
            other.workflow = .oneTapThenSMS
            other.leastAssurance = .smsUpstream
            let real = RealTextLogin(
                nodes: [here, here.node()],
                apps: [here.world.app, try await here.world.authority.apps.register(other)])
            let succeeds = try await attack(real)
            #expect(!succeeds, sourceLocation: sourceLocation)
        }
    }

    private func code(_ given: SMSUpstreamResponse) -> String { String(given.text.suffix(SMSUpstream.codeLength)) }

    @Test("another install that knows by what a text is known logs in when its owner has sent it")
    func anotherInstall() async throws {
        try await mount { service in
            let given = try await service.ask(0)
            await service.deliver(given.text, from: Self.victim)
            return try await service.logIn(given, install: 1) == true
        }
    }

    @Test("the text of one app logs in to another one")
    func anotherApp() async throws {
        try await mount { service in
            let given = try await service.ask(0)
            await service.deliver(given.text, from: Self.victim)
            return try await service.logIn(given, install: 0, app: 1) == true
        }
    }

    @Test("a text that logged in logs in again when somebody else is brought to send it")
    func reuse() async throws {
        try await mount { service in
            let given = try await service.ask(1)
            await service.deliver(given.text, from: Self.attacker)
            _ = try await service.logIn(given, install: 1)
            await service.deliver(given.text, from: Self.victim)
            return try await service.logIn(given, install: 1) == true
        }
    }

    @Test("whoever reads a text over somebody's shoulder sends it too, and has them log in to the account of another")
    func overheard() async throws {
        try await mount { service in
            let given = try await service.ask(0)
            await service.deliver(given.text, from: Self.victim)
            await service.deliver(given.text, from: Self.attacker)
            return try await service.logIn(given, install: 0) == false
        }
    }

    @Test("somebody is brought to send the code alone, without the words that say what it is")
    func withoutWords() async throws {
        try await mount { service in
            let given = try await service.ask(1)
            await service.deliver(code(given), from: Self.victim)
            await service.deliver("抽奖 \(code(given))", from: Self.victim)
            // The words are there, and out of sight.
            await service.deliver(String(repeating: "\n", count: 5) + given.text, from: Self.victim)
            await service.deliver(given.text.replacing(code(given), with: "\n" + code(given)), from: Self.victim)
            await service.deliver(
                given.text.replacing(code(given), with: String(repeating: " ", count: 30) + code(given)),
                from: Self.victim)
            return try await service.logIn(given, install: 1) == true
        }
    }

    @Test("a message that quotes the text, to ask what it is, logs in whoever wrote it")
    func quoted() async throws {
        try await mount { service in
            let given = try await service.ask(1)
            await service.deliver("这是什么？\(given.text)", from: Self.victim)
            await service.deliver("\(given.text) ?", from: Self.victim)
            return try await service.logIn(given, install: 1) == true
        }
    }

    @Test("a message over another sender than the operator's SMSC says whose it is")
    func anotherSender() async throws {
        try await mount { service in
            let given = try await service.ask(1)
            await service.deliver(given.text, from: Self.victim, by: "aggregator")
            return try await service.logIn(given, install: 1) == true
        }
    }

    @Test("a message to another number on the same session logs in")
    func anotherNumber() async throws {
        try await mount { service in
            let given = try await service.ask(1)
            for number in ["10086", "106901234", "0123", "", "+" + SMSUpstreamWorld.serviceNumber] {
                await service.deliver(given.text, from: Self.victim, to: number)
            }
            return try await service.logIn(given, install: 1) == true
        }
    }

    @Test("a text that waits in a box until somebody sends it by mistake logs in a day later")
    func late() async throws {
        try await mount { service in
            let given = try await service.ask(1)
            service.wait(.seconds(86400))
            await service.deliver(given.text, from: Self.victim)
            return try await service.logIn(given, install: 1) == true
        }
    }

    @Test("an SMSC names numbers of another carrier, as whoever connects to it may write them")
    func anotherCarrier() async throws {
        let number = PhoneNumber("13100000003")!
        let naive = NaiveTextLogin()
        let text = try await naive.ask(1)
        await naive.deliver(text.text, from: number)
        #expect(try await naive.logIn(text, install: 1) == false, "the attack is none")
        try await SMSUpstreamWorld.visit { here in
            _ = try await here.world.register.observe([
                SubscriberObservation(
                    number: number, imsi: "460010000000003", carrier: .unicom, eventTime: here.world.clock.now)
            ])
            let given = try await here.ask()
            await here.deliver(given.text, from: number)
            #expect(try await refusal { _ = try await here.logIn(given) } == .numberNotServed)
            #expect(try await here.world.rows().tokens == 0)
        }
    }
}
