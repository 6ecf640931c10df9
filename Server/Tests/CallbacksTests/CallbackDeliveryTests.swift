import Authority
@_spi(Server) import BenjiProtocol
import ServerTestKit
import Store
import Synchronization
import Testing

@testable import Callbacks

@Suite("What becomes of an event")
struct CallbackDeliveryTests {
    /// A receiver with scripted replies, which records its requests.
    final class Receiver: Sendable {
        struct Request {
            var payload: String
            var headers: [String: String]
        }

        private let state = Mutex<(requests: [Request], answers: [DeliveryOutcome])>(([], []))

        init(_ answers: DeliveryOutcome...) { state.withLock { $0.answers = answers } }

        var requests: [Request] { state.withLock { $0.requests } }

        func take(_ payload: String, _ headers: [(name: String, value: String)]) -> DeliveryOutcome {
            state.withLock { state in
                state.requests.append(
                    Request(
                        payload: payload, headers: Dictionary(uniqueKeysWithValues: headers.map { ($0.name, $0.value) })
                    ))
                return state.answers.isEmpty ? .answered(204) : state.answers.removeFirst()
            }
        }
    }

    struct Scene {
        let world: AuthorityWorld
        var store: any Store { world.store }
        let receiver: Receiver
        let delivery: CallbackDelivery
        var app: AppID { world.app.record.id }

        init(_ receiver: Receiver = Receiver()) async throws {
            world = try await AuthorityWorld()
            self.receiver = receiver
            delivery = Scene.delivery(world, receiver)
            _ = try await world.authority.apps.setCallback(
                of: world.app.record.id, url: "https://receiver.example/events", events: [], rules: .init(),
                by: Scene.note)
        }

        static let note = OrderNote(actor: "tester", role: "operator", origin: "test", order: "app.callback.set")

        static func delivery(_ world: AuthorityWorld, _ receiver: Receiver) -> CallbackDelivery {
            CallbackDelivery(
                authority: world.authority, store: world.store,
                sender: EventSender(addresses: ReceiverAddresses(), resolve: { _ in [InternetAddress("8.8.8.8")!] }) {
                    payload, headers, _, _ in receiver.take(payload, headers)
                }, logger: AuthorityWorld.logger)
        }

        func entries() async throws -> [OutboxEntry] {
            try await store.outboxEntries(app: app, state: nil, before: nil, limit: 99)
        }

        /// The app's server redeems a login.
        func redeem() async throws -> ReleasedLogin {
            let token = try await world.token().token
            let app = try await world.authority.registeredApp(app)
            let call = try world.authority.admit(world.serverCall(app), needs: .login)
            return try await world.authority.redeemNumber(call, token: token)
        }
    }

    @Test("a released login is told with its trace and openId, and never with the number or the token")
    func released() async throws {
        let scene = try await Scene()
        let login = try await scene.redeem()
        #expect(try await scene.delivery.deliverNext(of: scene.app))
        let request = try #require(scene.receiver.requests.first)
        let json = try JSON(parsing: request.payload)
        #expect(json["type"] == "login.released")
        #expect(json["id"]?.stringValue == request.headers["webhook-id"])
        #expect(json["data"]?["trace"]?.stringValue == login.trace.rawValue)
        #expect(json["data"]?["openId"]?.stringValue == login.openID)
        #expect(json["data"]?["result"] == "released" && json["data"]?["interface"] == "test")
        #expect(!request.payload.contains(AuthorityWorld.number.national), "the number")
        #expect(try await scene.entries().map(\.state) == [.delivered])
        #expect(try await !scene.delivery.deliverNext(of: scene.app))
        await scene.world.end()
    }

    @Test(
        "a verification is told with what the app's server handed on, and without an openId", arguments: [true, false])
    func verified(matches: Bool) async throws {
        let scene = try await Scene()
        let token = try await scene.world.token(.verification).token
        var call = scene.world.serverCall(try await scene.world.authority.registeredApp(scene.app))
        call.passedThrough = PassedThrough(message: "order%2042", expandParams: "a=1|b=2")
        _ = try await scene.world.authority.verifyNumber(
            try scene.world.authority.admit(call, needs: .verification), token: token
        ) { _ in matches }
        try await scene.delivery.deliverNext(of: scene.app)
        let data = try JSON(parsing: #require(scene.receiver.requests.first).payload)["data"]
        #expect(data?["result"]?.stringValue == (matches ? "matched" : "differs"))
        #expect(data?["message"] == "order%2042" && data?["expandParams"] == "a=1|b=2" && data?["openId"] == nil)
        await scene.world.end()
    }

    @Test("an app without a callback, or one that did not ask for them, has no event in the outbox")
    func none() async throws {
        let scene = try await Scene()
        _ = try await scene.world.authority.apps.setCallback(
            of: scene.app, url: nil, events: [.appSuspended], rules: .init(), by: Scene.note)
        _ = try await scene.redeem()
        _ = try await scene.world.authority.apps.removeCallback(of: scene.app, by: Scene.note)
        _ = try await scene.redeem()
        #expect(try await scene.entries().isEmpty)
        await scene.world.end()
    }

    @Test("an event that fails has the same id and body at each attempt, and a new time and signature")
    func again() async throws {
        let scene = try await Scene(Receiver(.timeOut, .answered(500)))
        _ = try await scene.redeem()
        for _ in 1...3 {
            try await scene.delivery.deliverNext(of: scene.app)
            scene.world.clock.advance(by: .seconds(3600))
        }
        let requests = scene.receiver.requests
        #expect(requests.count == 3)
        #expect(
            Set(requests.map(\.payload)).count == 1 && Set(requests.compactMap { $0.headers["webhook-id"] }).count == 1)
        #expect(Set(requests.compactMap { $0.headers["webhook-timestamp"] }).count == 3)
        #expect(Set(requests.compactMap { $0.headers["webhook-signature"] }).count == 3)
        let entry = try #require(await scene.entries().first)
        #expect(entry.state == .delivered && entry.attempts == 3)
        await scene.world.end()
    }

    @Test("410 stops the callback with a line in the audit log, and what waits is sent when it is set anew")
    func gone() async throws {
        let scene = try await Scene(Receiver(.answered(410)))
        for _ in 1...2 { _ = try await scene.redeem() }
        try await scene.delivery.deliverNext(of: scene.app)
        let stopped = try await scene.store.app(scene.app)?.callback?.stoppedAt
        #expect(stopped != nil)
        let lines = try await scene.store.auditEntries(AuditFilter(app: scene.app), before: nil, limit: 1)
        #expect(lines.map(\.order) == ["app.callback.stop"])
        #expect(try await scene.store.appsWithDueEvents(at: scene.world.clock.now).isEmpty)
        _ = try await scene.world.authority.apps.setCallback(
            of: scene.app, url: nil, events: [], rules: .init(), by: Scene.note)
        #expect(try await scene.store.appsWithDueEvents(at: scene.world.clock.now) == [scene.app])
        #expect(try await scene.delivery.deliverNext(of: scene.app))
        #expect(try await scene.entries().map(\.state) == [.delivered, .dead])
        await scene.world.end()
    }

    @Test("during a rotation an event has a signature by each secret, and afterwards by the new one alone")
    func rotation() async throws {
        let scene = try await Scene()
        let former = try await scene.world.authority.registeredApp(scene.app).callbackSecrets[0].key
        let app = try await scene.world.authority.apps.rotateCallbackSecret(
            of: scene.app, keeping: .days(1), by: Scene.note)
        let new = app.callbackSecrets[0].key
        func signatures() async throws -> [String] {
            _ = try await scene.redeem()
            try await scene.delivery.deliverNext(of: scene.app)
            let last = try #require(scene.receiver.requests.last)
            let expected = try [new, former].map { secret in
                try #require(
                    WebhookSignature.headers(
                        id: last.headers["webhook-id"] ?? "", payload: last.payload, at: scene.world.clock.now,
                        secrets: [secret]))[2].value
            }
            let found = last.headers["webhook-signature"]?.split(separator: " ").map(String.init) ?? []
            return found.map { $0 == expected[0] ? "new" : $0 == expected[1] ? "former" : "other" }
        }
        #expect(try await signatures() == ["new", "former"])
        scene.world.clock.advance(by: .seconds(86_401))
        #expect(try await signatures() == ["new"])
        await scene.world.end()
    }

    @Test(
        "of two workers on one store, an event is sent by one, and a dead one's event by the other when its lease ends")
    func workers() async throws {
        let scene = try await Scene()
        let other = Scene.delivery(scene.world, scene.receiver)
        for _ in 1...6 { _ = try await scene.redeem() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in [scene.delivery, other] {
                for _ in 1...2 { group.addTask { while try await worker.deliverNext(of: scene.app) {} } }
            }
            try await group.waitForAll()
        }
        #expect(scene.receiver.requests.count == 6)
        #expect(Set(scene.receiver.requests.compactMap { $0.headers["webhook-id"] }).count == 6)
        _ = try await scene.redeem()
        // It claims the event and dies.
        let now = scene.world.clock.now
        _ = try await scene.store.claimEvent(
            of: scene.app, at: now, until: now + CallbackDelivery.lease, lease: "dead")
        #expect(try await !other.deliverNext(of: scene.app))
        scene.world.clock.advance(by: CallbackDelivery.lease)
        #expect(try await other.deliverNext(of: scene.app))
        await scene.world.end()
    }
}
