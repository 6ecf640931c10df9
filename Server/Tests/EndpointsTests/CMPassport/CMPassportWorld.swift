import BenjiPolicy
import Foundation
import ServerTestKit
import Sightings
import Store
import StoreSQLite

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints

/// An authority with the operator dialect in front, its own app and another.
struct CMPassportWorld {
    static let number = AuthorityWorld.number

    private let world: AuthorityWorld
    let otherApp: RegisteredApp

    var clock: TestClock { world.clock }
    var store: SQLiteStore { world.store }
    var authority: Authority { world.authority }
    var register: Register { world.register }
    var app: RegisteredApp { world.app }
    var subscription: SubscriptionReference { world.subscription }

    init() async throws {
        // As many prefetches as a server allows unless told.
        world = try await AuthorityWorld(
            prefetchesPerNumber: Authority.Configuration(gateways: [:]).prefetchesPerNumber
        ) {
            $0 = Apps.Registration(name: "Demo")
            $0.id = Fixtures.appID
            $0.serverAddresses = ["203.0.113.0/24"]
            $0.rsaPublicKey = DemoKeys.publicKey
            $0.sourceIDs = ["800120170818101447"]
        }
        // Observations of a test are newer than those that the world began with.
        world.clock.advance(by: .seconds(60))
        otherApp = try await world.authority.apps.register(Apps.Registration(name: "Other"))
    }

    /// Rows of what requests of browsers write: names, scrips, tokens, lines of traces.
    func rows() async throws -> AuthorityWorld.Rows { try await world.rows() }

    var endpoints: CMPassportEndpoints { CMPassportEndpoints(service: authority, clock: clock) }

    /// A token as authorize would have left it in the store.
    func token(
        _ purpose: TokenPurpose, app: RegisteredApp? = nil, assurance: Assurance = .net, expired: Bool = false,
        binding: Int64 = 7
    ) async throws -> String {
        let random = SystemRandomSource()
        let appID = (app ?? self.app).record.id
        let token = CredentialGrammar.token.make(at: clock.now, random: random)
        let trace = TraceID(random: random)
        let issuedAt = expired ? clock.now - .seconds(240) : clock.now
        let scrip = ScripRecord(
            hash: CredentialHash(of: CredentialGrammar.scrip.make(random: random)),
            family: random.bytes(7).reduce(1) { $0 << 8 | Int64($1) },
            generation: 1, appID: appID, subscription: subscription, carrier: .mobile,
            binding: BindingID(rawValue: binding),
            deviceKey: "key", nonceHash: CredentialHash(of: "nonce"), trace: trace, dialect: .cmpassport,
            reusable: false,
            expiresAt: issuedAt + .seconds(600))
        try await store.insertScrip(scrip)
        let record = TokenRecord(
            hash: CredentialHash(of: token, .token), appID: appID, purpose: purpose, subscription: subscription,
            carrier: .mobile,
            binding: BindingID(rawValue: binding), deviceKey: "key", assurance: assurance, trace: trace,
            dialect: .cmpassport, issuedAt: issuedAt, expiresAt: issuedAt + .seconds(120))
        let outcome = try await store.issueToken(
            TokenIssue(
                scrip: scrip.hash, nextScrip: nil, token: record, consent: nil, now: issuedAt,
                unusedSince: issuedAt - .seconds(600), unusedPerKey: 1000, unusedPerNumber: 1000))
        guard outcome == .issued else { throw StoreError(.corrupt, "not issued: \(outcome)") }
        return token
    }

    /// Changes the app's registration.
    func change(_ change: (inout AppRecord) -> Void) async throws { try await world.change(change) }

    /// Presents a token to one of the interfaces and returns the code.
    func redeem(
        _ token: String, at path: CMPassportEndpoints.Path, message: String = UUID().uuidString,
        number: String = number.national
    ) async throws -> String {
        let id = app.record.id.rawValue
        let key = app.serverSecret.reveal()
        let request: JSON =
            switch path {
            case .loginTokenValidate:
                Requests.login(Requests.loginFields(appID: id, messageID: message, token: token), appKey: key)
            case .numberVerification:
                Requests.verification(
                    Requests.verificationFields(
                        appID: id, messageID: message, number: number, token: token, appKey: key),
                    appKey: key)
            case .userInformation: try Requests.user(appID: id, messageID: message, token: token)
            }
        return await endpoints.code(path, request)
    }

    func end() async { await world.end() }
}

/// Runs a test in a world of its own and ends it whatever happens.
func inWorld(_ body: (CMPassportWorld) async throws -> Void) async throws {
    let world = try await CMPassportWorld()
    do {
        try await body(world)
    } catch {
        await world.end()
        throw error
    }
    await world.end()
}
