import ServerTestKit
import Store
import Synchronization
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Requests

/// A service that logs phones in by codes, as attacks see it.
private protocol CodeLogin: Sendable {
    /// An install asks for a code of the victim's number.
    /// - Returns: what the code is known by; `nil` if none was sent.
    func ask(_ install: Int) async throws -> SMSCodeResponse?
    /// An install shows digits over a connection of its own.
    /// - Returns: whether they are right; `nil` if that is not told.
    func show(_ digits: String, _ sent: SMSCodeResponse, install: Int, connection: Int) async throws -> Bool?
    /// A minute goes by.
    func wait()
}

/// A service without a defence. Tries are counted for each connection, messages for each install, and a code is valid
/// for any caller.
private final class NaiveCodeLogin: CodeLogin {
    private struct State {
        var sent: [Int: Int] = [:]
        var tries: [Int: Int] = [:]
    }

    private let state = Mutex(State())
    private let digits = SMSCodes.draw(6, SystemRandomSource())

    func ask(_ install: Int) async throws -> SMSCodeResponse? {
        let isSent = state.withLock { state in
            state.sent[install, default: 0] += 1
            return state.sent[install]! <= 5
        }
        guard isSent else { return nil }
        return SMSCodeResponse(
            trace: TraceID(random: SystemRandomSource()), transaction: "", digits: 6, lifetime: 300, policyVersion: "",
            serverTime: Timestamp(seconds: 0))
    }

    func show(_ digits: String, _: SMSCodeResponse, install _: Int, connection: Int) async throws -> Bool? {
        let isTold = state.withLock { state in
            state.tries[connection, default: 0] += 1
            return state.tries[connection]! <= 5
        }
        return isTold ? digits == self.digits : nil
    }

    func wait() {}
}

/// Benji's, at two nodes over one database.
private struct RealCodeLogin: CodeLogin {
    let nodes: [SMSLoginWorld]
    let installs: [SoftwareDeviceSigner]

    func ask(_ install: Int) async throws -> SMSCodeResponse? {
        let node = nodes[install % 2]
        do { return try await node.send(from: try node.call(installs[install], at: "198.51.100.\(install)")) } catch {
            guard error is Refusal else { throw error }
            return nil
        }
    }

    func show(_ digits: String, _ sent: SMSCodeResponse, install: Int, connection: Int) async throws -> Bool? {
        do {
            _ = try await nodes[connection % 2].logIn(sent, digits, signer: installs[install])
            return true
        } catch let refusal as Refusal {
            return refusal.situation == .codeWrong ? false : nil
        }
    }

    func wait() { nodes[0].world.clock.advance(by: .seconds(60)) }
}

@Suite("Guessing somebody's code succeeds at a naive login, and no more often than computed at Benji's")
struct SMSLoginAttackTests {
    static let installs = 24

    /// Runs an attack against both.
    private func mount(
        _ attack: (any CodeLogin) async throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(try await attack(NaiveCodeLogin()), "the attack is none", sourceLocation: sourceLocation)
        try await SMSLoginWorld.visit { here in
            let real = RealCodeLogin(
                nodes: [here, here.node()], installs: (0..<Self.installs).map { _ in SoftwareDeviceSigner() })
            let succeeds = try await attack(real)
            #expect(!succeeds, sourceLocation: sourceLocation)
        }
    }

    /// Wrong or right: how many guesses were told what they are.
    private func told(
        _ guesses: Int, _ sent: SMSCodeResponse, install: Int, from first: Int = 0, by service: any CodeLogin
    ) async throws -> Int {
        try await withThrowingTaskGroup(of: Bool?.self) { group in
            for guess in 0..<guesses {
                group.addTask {
                    try await service.show(
                        String(String(1_000_000 + guess).suffix(6)), sent, install: install,
                        connection: first + guess)
                }
            }
            return try await group.reduce(0) { $0 + ($1 == nil ? 0 : 1) }
        }
    }

    @Test(
        """
        six hundred guesses at once, each over a connection of its own and at two nodes, are told more than five times \
        what they are
        """
    )
    func connections() async throws {
        try await mount { service in
            let sent = try #require(try await service.ask(0))
            return try await told(600, sent, install: 0, by: service) > 5
        }
    }

    @Test(
        """
        installs that ask one after the other for the same number are told of more than fifty guesses in a quarter of \
        an hour
        """
    )
    func installs() async throws {
        try await mount { service in
            var count = 0
            for install in 0..<Self.installs {
                for round in 0..<2 {
                    if let sent = try await service.ask(install) {
                        let first = 100 * install + 10 * round
                        count += try await told(6, sent, install: install, from: first, by: service)
                    }
                    service.wait()
                }
            }
            // Ten codes a day, five tries each, a million codes: the chance of a day is one in twenty thousand.
            return count > 50
        }
    }
}
