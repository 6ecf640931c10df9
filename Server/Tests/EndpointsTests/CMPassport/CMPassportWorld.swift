import Foundation
import GRDB
import Logging
import Store
import StoreSQLite

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints

/// A real authority over a real store, with one app, one subscription, and the operator dialect in front.
struct AuthorityWorld {
    static let number = PhoneNumber("13800000001")!

    let directory: String
    let clock = StillClock(now: Timestamp(milliseconds: 1_790_000_000_000))
    let store: SQLiteStore
    let authority: Authority
    let register: Register
    let app: RegisteredApp
    let otherApp: RegisteredApp
    let subscription: SubscriptionReference

    init() async throws {
        directory = NSTemporaryDirectory() + "endpoints-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        store = try SQLiteStore(path: directory + "/benji.sqlite", logger: logger)
        let vault = Vault(masterKey: MasterKey(bytes: Array(0..<32)))
        authority = Authority(
            configuration: Authority.Configuration(gateways: ["gateway-1": [.mobile]]), store: store, vault: vault,
            clock: clock, logger: logger)
        register = Register(store: store, vault: vault, random: SystemRandomSource())
        var registration = Apps.Registration(name: "Demo")
        registration.id = Fixtures.appID
        registration.serverAddresses = ["203.0.113.0/24"]
        registration.rsaPublicKey = DemoKeys.publicKey
        registration.sourceIDs = ["800120170818101447"]
        app = try await authority.apps.register(registration)
        otherApp = try await authority.apps.register(Apps.Registration(name: "Other"))
        subscription = try await register.observe([
            SubscriberObservation(
                number: Self.number, imsi: "460000000000001", carrier: .mobile, eventTime: clock.now - .seconds(60))
        ])[0]!
    }

    /// Rows of what requests of browsers write: names, scrips, tokens, lines of traces.
    func rows() async throws -> [String: Int] {
        _ = try await store.traceEvents(TraceID(random: SystemRandomSource()))
        let queue = try DatabaseQueue(path: directory + "/benji.sqlite")
        defer { try? queue.close() }
        return try await queue.read { db in
            var rows: [String: Int] = [:]
            for table in ["message", "scrip", "token", "trace_event"] {
                rows[table] = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)")
            }
            return rows
        }
    }

    var endpoints: CMPassportEndpoints { CMPassportEndpoints(desk: authority, clock: clock) }

    /// A token as authorize would have left it in the store.
    func token(
        _ purpose: TokenPurpose, app: RegisteredApp? = nil, assurance: Assurance = .net, expired: Bool = false,
        binding: Int64 = 7
    ) async throws -> String {
        let random = SystemRandomSource()
        let appID = (app ?? self.app).record.id
        let token = CredentialGrammar.token.make(random: random)
        let trace = TraceID(random: random)
        let issuedAt = expired ? clock.now - .seconds(240) : clock.now
        let scrip = ScripRecord(
            hash: CredentialHash(of: CredentialGrammar.scrip.make(random: random)), family: .random(in: 1 ... .max),
            generation: 1, appID: appID, subscription: subscription, carrier: .mobile,
            binding: BindingID(rawValue: binding),
            deviceKey: "key", nonceHash: CredentialHash(of: "nonce"), trace: trace, dialect: .cmpassport,
            reusable: false,
            expiresAt: issuedAt + .seconds(600))
        try await store.insertScrip(scrip)
        let record = TokenRecord(
            hash: CredentialHash(of: token), appID: appID, purpose: purpose, subscription: subscription,
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
    func change(_ change: (inout AppRecord) -> Void) async throws {
        var record = try await authority.apps.find(app.record.id).record
        change(&record)
        try await store.updateApp(record)
    }

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

    func end() async {
        await store.close()
        try? FileManager.default.removeItem(atPath: directory)
    }
}

/// Runs a test in a world of its own and ends it whatever happens.
func inWorld(_ body: (AuthorityWorld) async throws -> Void) async throws {
    let world = try await AuthorityWorld()
    do {
        try await body(world)
    } catch {
        await world.end()
        throw error
    }
    await world.end()
}
