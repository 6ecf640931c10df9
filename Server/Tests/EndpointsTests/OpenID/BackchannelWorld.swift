import Foundation
import HTTPTypes
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Synchronization
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import OpenIDProvider
@testable import ServerHTTP

/// Two apps that may ask people on their phones, the phones, and the pings sent after the answers.
final class BackchannelWorld: Sendable {
    let world: OpenIDWorld
    let sender: RecordingSender
    let provider: OpenIDProvider
    private let tasks = Later()

    static let notification = "https://shop.example/decided"
    static let notificationToken = "8d67dc78-7faa-4d41-aabd-67707b374255"
    static let hint = "tel:+8613800000001"
    static let otherHint = "tel:+8613900000002"
    static let nobodysHint = "tel:+8613700000009"

    /// Tasks to run after an answer, kept until a test runs them.
    final class Later: Sendable {
        private let tasks = Mutex<[@Sendable () async -> Void]>([])
        private let sent = Mutex<[BackchannelPing]>([])
        var pings: [BackchannelPing] { sent.withLock { $0 } }
        func add(_ task: @escaping @Sendable () async -> Void) { tasks.withLock { $0.append(task) } }
        func note(_ ping: BackchannelPing) { sent.withLock { $0.append(ping) } }
        func run() async {
            let now = tasks.withLock { tasks in
                defer { tasks = [] }
                return tasks
            }
            for task in now { await task() }
        }
    }

    /// Runs a test in a world of its own and ends it whatever happens. The shop polls and has a secret, the bank signs
    /// and polls.
    static func visit(_ body: (BackchannelWorld) async throws -> Void) async throws {
        try await OpenIDWorld.visitBank { world in
            let here = BackchannelWorld(world)
            try await here.setShop(BackchannelRegistration(delivery: .poll))
            var bank = try await world.clients.find(world.bank.record.id)
            bank.backchannel = BackchannelRegistration(delivery: .poll)
            try await world.store.putOpenIDClient(bank)
            try await body(here)
        }
    }

    private init(_ world: OpenIDWorld) {
        self.world = world
        sender = RecordingSender()
        provider = Self.provider(world, sender, tasks)
    }

    /// Another node of the same installation, or the same after a restart.
    func another() -> OpenIDProvider { Self.provider(world, sender, tasks) }

    private static func provider(_ world: OpenIDWorld, _ sender: RecordingSender, _ tasks: Later) -> OpenIDProvider {
        OpenIDProvider(
            configuration: world.provider.configuration, authority: world.authority, store: world.store,
            smsLogin: SMSLogin(
                authority: world.authority,
                codes: SMSCodes(authority: world.authority, store: world.store, sender: sender),
                quarantine: world.register.quarantine),
            notices: BackchannelNotices(later: { tasks.add($1) }, ping: { tasks.note($0) }))
    }

    func setShop(_ backchannel: BackchannelRegistration?) async throws {
        try await world.changeShop(client: { $0.backchannel = backchannel })
    }

    func settle() async { await tasks.run() }
    var pings: [BackchannelPing] { tasks.pings }

    // MARK: - The app's server

    func call(
        _ path: OpenIDProvider.Path, _ form: [String: String?], headers: HTTPFields = [:],
        provider other: OpenIDProvider? = nil
    ) async throws -> Exchange {
        var headers = headers
        headers[.contentType] = "application/x-www-form-urlencoded"
        return try await Exchange.send(
            PublicServer.router("server", routes: OpenIDEndpoints.serverRoutes(other ?? provider)), .post,
            path.rawValue, headers: headers, body: Array(OpenIDWorld.encoded(form.compactMapValues { $0 }).utf8),
            authority: "id.example.com", from: ("203.0.113.7", 5))
    }

    /// The shop asks.
    func ask(_ changes: [String: String?] = [:], provider other: OpenIDProvider? = nil) async throws -> Exchange {
        let form: [String: String?] = ["scope": "openid", "login_hint": Self.hint, "binding_message": "K-12"]
        return try await call(
            .backchannel, form.merging(changes) { $1 }, headers: world.basic(), provider: other)
    }

    /// The name of a request of the shop's.
    func request(_ changes: [String: String?] = [:]) async throws -> String {
        let answer = try await ask(changes)
        return try #require(answer.json["auth_req_id"]?.stringValue, "\(answer.body)")
    }

    /// The shop asks whether the person has decided.
    func poll(_ id: String, provider other: OpenIDProvider? = nil) async throws -> Exchange {
        try await call(
            .token, ["grant_type": BackchannelGrant.type, "auth_req_id": id], headers: world.basic(), provider: other)
    }

    /// The bank's server, which signs.
    func bank(_ path: OpenIDProvider.Path, _ form: [String: String?]) async throws -> Exchange {
        let own: [String: String?] = [
            "client_assertion_type": ProviderContext.assertionType,
            "client_assertion": try world.assertion(audience: .string(provider.url(path))),
        ]
        return try await call(path, own.merging(form) { $1 })
    }

    static let simSwap = "openid sim-swap:check \(OpenIDWorld.purpose)"

    func bankPoll(_ id: String) async throws -> Exchange {
        try await bank(.token, ["grant_type": BackchannelGrant.type, "auth_req_id": id])
    }

    // MARK: - The phone

    /// The person opens their page.
    func page(
        from address: String = OpenIDWorld.phone, language: String = "en", headers: HTTPFields = [:],
        provider other: OpenIDProvider? = nil
    ) async throws -> Exchange {
        var headers = headers
        headers[.acceptLanguage] = language
        return try await world.browse(
            .get, "/openid/requests", headers: headers, from: address, provider: other ?? provider)
    }

    /// The person taps, on the first request of the page.
    func decide(
        _ page: Exchange, _ decision: String = "yes", _ changes: [String: String?] = [:], cookie: String? = nil,
        headers: HTTPFields = [:], from address: String = OpenIDWorld.phone, language: String = "en",
        provider other: OpenIDProvider? = nil
    ) async throws -> Exchange {
        var headers = headers
        headers[.cookie] = cookie ?? page.cookie
        headers[.acceptLanguage] = language
        var form: [String: String?] = ["decision": decision]
        for name in ["token", "request", "digest"] { form[name] = page.field(name) }
        return try await world.browse(
            .post, "/openid/requests", headers: headers,
            body: OpenIDWorld.encoded(form.merging(changes) { $1 }.compactMapValues { $0 }), from: address,
            provider: other ?? provider)
    }

    /// The person opens the page and taps.
    func tap(_ decision: String = "yes") async throws {
        let answer = try await decide(try await page(), decision)
        #expect(answer.status == .seeOther, "\(answer.words)")
    }
}

extension Exchange {
    /// The value of the first hidden field of this name.
    func field(_ name: String) -> String? {
        body.firstMatch(of: try! Regex("name=\"\(name)\" value=\"([^\"]*)\"", as: (Substring, Substring).self)).map {
            String($0.1)
        }
    }
}
