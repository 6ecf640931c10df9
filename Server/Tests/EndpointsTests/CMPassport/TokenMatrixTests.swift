import Foundation
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints

/// Every state that a token can be in, at every interface, with the real authority and the real store behind.
@Suite("Tokens at the three interfaces")
struct TokenMatrixTests {
    typealias Path = CMPassportEndpoints.Path

    enum TokenState: String, Sendable, CaseIterable {
        case good, otherPurpose, legacyGrant, spent, expired, unknown, otherApp, malformed, missing, simChanged,
            reassigned,
            revoked, weak

        /// The codes of loginTokenValidate, number verification and TYRZLogin's document, from the documents' tables.
        var codes: [Path: String] {
            let codes =
                switch self {
                case .good: ["103000", "000", "103000"]
                case .otherPurpose: ["105018", "606", "103104"]
                // The grant is for numbers; a login token still cannot verify one.
                case .legacyGrant: ["103000", "606", "103000"]
                case .spent: ["104201", "606", "103116"]
                case .expired, .simChanged, .reassigned, .revoked: ["104201", "606", "103114"]
                case .unknown: ["104201", "606", "103115"]
                case .otherApp, .malformed: ["103113", "606", "103113"]
                case .missing: ["103811", "606", "103113"]
                case .weak: ["105018", "606", "103104"]
                }
            return Dictionary(uniqueKeysWithValues: zip(Path.allCases, codes))
        }
    }

    private func token(_ state: TokenState, for path: Path, in world: CMPassportWorld) async throws -> String {
        let purpose: TokenPurpose = path == .numberVerification ? .verification : .login
        let other: TokenPurpose = purpose == .login ? .verification : .login
        switch state {
        case .good: return try await world.token(purpose)
        case .otherPurpose: return try await world.token(other)
        case .legacyGrant:
            try await world.change { $0.legacyNumberWithoutPage = true }
            return try await world.token(other)
        case .spent:
            let token = try await world.token(purpose)
            #expect(try await world.redeem(token, at: path) == TokenState.good.codes[path])
            return token
        case .expired: return try await world.token(purpose, expired: true)
        case .unknown: return CredentialGrammar.token.make(random: SystemRandomSource())
        case .otherApp: return try await world.token(purpose, app: world.otherApp)
        case .malformed: return "STsid"
        case .missing: return ""
        case .simChanged:
            let token = try await world.token(purpose)
            _ = try await world.register.observe([
                SubscriberObservation(
                    number: CMPassportWorld.number, imsi: "460000000000002", carrier: .mobile,
                    eventTime: world.clock.now
                )
            ])
            return token
        case .reassigned:
            let token = try await world.token(purpose)
            _ = try await world.register.reassign(CMPassportWorld.number, at: world.clock.now)
            return token
        case .revoked:
            let token = try await world.token(purpose, binding: 8)
            try await world.register.revoke([BindingID(rawValue: 8)])
            return token
        case .weak:
            try await world.change { $0.leastAssurance = .netApp }
            return try await world.token(purpose, assurance: .net)
        }
    }

    @Test("each state gets its document's code", arguments: TokenState.allCases, Path.allCases)
    func matrix(state: TokenState, path: Path) async throws {
        try await inWorld { world in
            let token = try await token(state, for: path, in: world)
            #expect(try await world.redeem(token, at: path) == state.codes[path])
        }
    }

    @Test("a token shown at the wrong interface is still good at the right one")
    func wrongDoor() async throws {
        try await inWorld { world in
            let login = try await world.token(.login)
            #expect(try await world.redeem(login, at: .numberVerification) == "606")
            #expect(try await world.redeem(login, at: .loginTokenValidate) == "103000")
            let verification = try await world.token(.verification)
            #expect(try await world.redeem(verification, at: .loginTokenValidate) == "105018")
            #expect(try await world.redeem(verification, at: .userInformation) == "103104")
            #expect(try await world.redeem(verification, at: .numberVerification) == "000")
        }
    }

    @Test("one token opens one interface once, whichever comes first")
    func acrossInterfaces() async throws {
        try await inWorld { world in
            let token = try await world.token(.login)
            #expect(try await world.redeem(token, at: .userInformation) == "103000")
            #expect(try await world.redeem(token, at: .loginTokenValidate) == "104201")
        }
    }

    @Test("yes and no are billed once each, and no spends the token as well")
    func billing() async throws {
        try await inWorld { world in
            let day = CalendarDay(world.clock.now).number
            let first = try await world.token(.verification)
            #expect(try await world.redeem(first, at: .numberVerification, number: "13800000002") == "001")
            #expect(try await world.store.billed(app: world.app.record.id, day: day) == 1)
            #expect(try await world.redeem(first, at: .numberVerification) == "606")
            let second = try await world.token(.verification)
            #expect(try await world.redeem(second, at: .numberVerification) == "000")
            #expect(try await world.store.billed(app: world.app.record.id, day: day) == 2)
            let results = try await world.store.ledgerEntries(app: world.app.record.id, limit: 10).map(\.result)
            #expect(results == ["matched", "differs"])
        }
    }

    @Test("the request that spent a token is a replay when it comes again, and stands in the way of no other token")
    func replay() async throws {
        try await inWorld { world in
            let first = try await world.token(.login)
            #expect(try await world.redeem(first, at: .loginTokenValidate, message: "m1") == "103000")
            #expect(try await world.redeem(first, at: .loginTokenValidate, message: "m1") == "103505")
            #expect(try await world.redeem(first, at: .userInformation, message: "m1") == "103107")
            #expect(try await world.redeem(first, at: .loginTokenValidate, message: "m2") == "104201")
            let second = try await world.token(.login)
            #expect(try await world.redeem(second, at: .loginTokenValidate, message: "m1") == "103000")
            let verification = try await world.token(.verification)
            #expect(try await world.redeem(verification, at: .numberVerification, message: "m1") == "000")
            #expect(try await world.redeem(verification, at: .numberVerification, message: "m1") == "103505")
        }
    }

    @Test("a wrong sign does not use up a message id")
    func wrongSign() async throws {
        try await inWorld { world in
            let token = try await world.token(.login)
            let fields = Requests.loginFields(messageID: "m1", token: token)
            #expect(
                await world.endpoints.code(.loginTokenValidate, Requests.login(fields, appKey: "guess")) == "103101")
            #expect(try await world.redeem(token, at: .loginTokenValidate, message: "m1") == "103000")
        }
    }

    @Test("of many servers that show one token at once, one gets the number")
    func race() async throws {
        try await inWorld { world in
            let token = try await world.token(.login)
            let codes = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<32 { group.addTask { try await world.redeem(token, at: .loginTokenValidate) } }
                var codes: [String] = []
                for try await code in group { codes.append(code) }
                return codes
            }
            #expect(codes.filter { $0 == "103000" }.count == 1)
            #expect(codes.filter { $0 == "104201" }.count == 31)
        }
    }

    @Test("the state of the app decides before the token does")
    func appState() async throws {
        let changes: [(@Sendable (inout AppRecord) -> Void, [String])] = [
            ({ $0.suspended = true }, ["105018", "124", "103104"]),
            ({ $0.allowed = false }, ["105302", "124", "103104"]),
            ({ $0.capabilities = [] }, ["105019", "124", "103104"]),
            ({ $0.serverAddresses = ["198.51.100.0/24"] }, ["103511", "124", "103111"]),
            ({ $0.serverAddresses = [] }, ["103511", "124", "103111"]),
            ({ $0.requestTimeTolerance = 300 }, ["103412", "102", "103226"]),
            ({ $0.dailyQuota = 0 }, ["103911", "102315", "103901"]),
        ]
        for (change, codes) in changes {
            try await inWorld { world in
                try await world.change(change)
                for (path, code) in zip(Path.allCases, codes) {
                    let token = try await world.token(path == .numberVerification ? .verification : .login)
                    #expect(try await world.redeem(token, at: path) == code)
                }
            }
        }
    }

    @Test("a time that stands still is accepted, unless the app asked for fresh ones")
    func staleTime() async throws {
        try await inWorld { world in
            // The examples' times are years before the world's.
            #expect(try await world.redeem(world.token(.login), at: .loginTokenValidate) == "103000")
            try await world.change { $0.requestTimeTolerance = 300 }
            let token = try await world.token(.login)
            for (offset, code) in [(-301, "103412"), (301, "103412"), (300, "103000")] as [(Int64, String)] {
                let time = CMPassportTime.format(world.clock.now + .seconds(offset))
                let fields = Requests.loginFields(messageID: "t\(offset + 1000)", systemTime: time, token: token)
                let request = Requests.login(fields, appKey: world.app.serverSecret.reveal())
                #expect(await world.endpoints.code(.loginTokenValidate, request) == code)
            }
        }
    }

    @Test("a store that does not answer releases nothing and says so")
    func storeLost() async throws {
        try await inWorld { world in
            let token = try await world.token(.login)
            let verification = try await world.token(.verification)
            await world.store.close()
            #expect(try await world.redeem(token, at: .loginTokenValidate) == "103214")
            #expect(try await world.redeem(verification, at: .numberVerification) == "999")
            #expect(try await world.redeem(token, at: .userInformation) == "103214")
        }
    }
}
