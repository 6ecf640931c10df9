import HTTPTypes
import ServerTestKit
import Store
import StoreSQLite
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import OpenIDProvider

/// CAMARA's published demands on all operations. `Verification/camara-scenarios.tsv` has each scenario with its tests.
@Suite("CAMARA's scenarios that all operations have")
struct CAMARAScenarioTests {
    private typealias World = OpenIDWorld
    private static let correlator = "b4333c46-49c0-4f62-80d7-f0ef930f1c46"

    private func visit(_ body: (World) async throws -> Void) async throws {
        try await World.visitBank { world in
            try await world.changeBank { $0.capabilities.insert(.smsCodes) }
            try await body(world)
        }
    }

    /// A token that is good for the operation.
    private func token(_ path: CAMARAEndpoints.Path, _ world: World) async throws -> String {
        switch path {
        case .verify: try await world.networkToken(World.verify)
        case .devicePhoneNumber: try await world.networkToken(World.readNumber)
        case .checkSIMSwap, .retrieveSIMSwapDate: try await world.ownToken()
        case .sendCode, .validateCode: try await world.ownToken("one-time-password-sms:send-validate")
        }
    }

    /// A body as the operation defines it.
    private func body(_ path: CAMARAEndpoints.Path) -> String? {
        switch path {
        case .verify, .checkSIMSwap, .retrieveSIMSwapDate: World.plain()
        case .devicePhoneNumber: nil
        case .sendCode: #"{"phoneNumber":"+8613800000001","message":"{{code}}"}"#
        case .validateCode: #"{"authenticationId":"ea0840f3-3663-4149-bd10-c7c6b8912105","code":"123456"}"#
        }
    }

    private func ask(
        _ path: CAMARAEndpoints.Path, _ token: String?, _ body: String?, _ world: World
    ) async throws -> Exchange {
        try await world.camara(
            path, token, body, headers: [Correlator.header: Self.correlator, .contentType: "application/json"])
    }

    @Test(
        "no token, one that is too old and one that nobody issued are 401 UNAUTHENTICATED at each operation",
        arguments: CAMARAEndpoints.Path.allCases)
    func unauthenticated(_ path: CAMARAEndpoints.Path) async throws {
        try await visit { world in
            let expired = try await token(path, world)
            world.clock.advance(by: .seconds(300))
            for token in [nil, expired, String(repeating: "a", count: 43)] as [String?] {
                let answer = try await ask(path, token, body(path), world)
                #expect(answer.camaraError == "401 UNAUTHENTICATED")
                #expect(answer.headers[Correlator.header] == Self.correlator)
            }
        }
    }

    @Test(
        """
        an answer of each operation is 200, JSON, has the x-correlator of its request and the one property that is \
        defined
        """,
        arguments: [
            (CAMARAEndpoints.Path.verify, "devicePhoneNumberVerified"), (.devicePhoneNumber, "devicePhoneNumber"),
            (.checkSIMSwap, "swapped"), (.retrieveSIMSwapDate, "latestSimChange"),
        ])
    func success(_ path: CAMARAEndpoints.Path, _ property: String) async throws {
        try await visit { world in
            let answer = try await ask(path, try await token(path, world), body(path), world)
            #expect(answer.status == .ok)
            #expect(answer.headers[.contentType] == "application/json")
            #expect(answer.headers[Correlator.header] == Self.correlator)
            guard case .object(let members) = answer.json else {
                Issue.record("no object: \(answer.body)")
                return
            }
            #expect(members.map(\.name) == [property])
        }
    }

    @Test(
        "no body and an empty object are 400 INVALID_ARGUMENT where the operation asks for properties",
        arguments: [CAMARAEndpoints.Path.verify, .sendCode, .validateCode])
    func noBody(_ path: CAMARAEndpoints.Path) async throws {
        try await visit { world in
            let token = try await token(path, world)
            for body in [nil, "{}"] as [String?] {
                let answer = try await ask(path, token, body, world)
                #expect(answer.camaraError == "400 INVALID_ARGUMENT")
                #expect(answer.headers[Correlator.header] == Self.correlator)
            }
        }
    }
}
