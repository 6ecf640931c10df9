@_spi(Server) import BenjiProtocol
import GRDB
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Synchronization
import Testing

@testable import Authority

@Suite("A callback of an app: where it is told, what, and what that is signed with")
struct CallbackOrderTests {
    private static let url = "https://receiver.example/events"

    private func withWorld(_ body: (AuthorityWorld, Apps, AppID) async throws -> Void) async throws {
        let world = try await AuthorityWorld()
        do { try await body(world, world.authority.apps, world.app.record.id) } catch {
            await world.end()
            throw error
        }
        await world.end()
    }

    private func set(
        _ apps: Apps, _ id: AppID, _ url: String? = Self.url, _ events: Set<CallbackEventType> = []
    ) async throws -> (app: RegisteredApp, hasNewSecret: Bool) {
        try await apps.setCallback(of: id, url: url, events: events, rules: CallbackRules(), by: .test)
    }

    @Test("a new callback is told of everything and has a secret, which a change of it leaves as it is")
    func setting() async throws {
        try await withWorld { world, apps, id in
            #expect(try await refusal { _ = try await set(apps, id, nil) } == .parameterInvalid, "no address")
            #expect(try await refusal { _ = try await set(apps, id, "http://receiver.example/") } == .parameterInvalid)
            #expect(try await refusal { _ = try await set(apps, id, Self.url, [.test]) } == .parameterInvalid)
            #expect(try await apps.find(id).record.callback == nil)
            let first = try await set(apps, id)
            #expect(first.hasNewSecret)
            #expect(
                first.app.record.callback
                    == CallbackRecord(url: Self.url, events: Set(CallbackEventType.registrable)))
            let secret = try #require(first.app.callbackSecrets.first)
            #expect(first.app.callbackSecrets.count == 1 && secret.version == 1)
            #expect(CallbackSecret.bytes(secret.key)?.count == 32)
            #expect(first.app.key == world.app.key && first.app.serverSecret == world.app.serverSecret)
            // Events alone, then the address alone.
            let second = try await set(apps, id, nil, [.appSuspended])
            #expect(!second.hasNewSecret && second.app.callbackSecrets == first.app.callbackSecrets)
            #expect(second.app.record.callback == CallbackRecord(url: Self.url, events: [.appSuspended]))
            let third = try await set(apps, id, "https://other.example/")
            #expect(third.app.record.callback == CallbackRecord(url: "https://other.example/", events: [.appSuspended]))
        }
    }

    @Test("a removed callback has no secret that is accepted, and the next one gets another version")
    func removing() async throws {
        try await withWorld { world, apps, id in
            #expect(try await refusal { _ = try await apps.removeCallback(of: id, by: .test) } == .parameterInvalid)
            _ = try await set(apps, id)
            _ = try await apps.rotateCallbackSecret(of: id, keeping: .days(1), by: .test)
            let removed = try await apps.removeCallback(of: id, by: .test)
            #expect(removed.record.callback == nil && removed.callbackSecrets.map(\.version) == [2])
            #expect(removed.callbackSecrets.allSatisfy { !$0.isAccepted(at: world.clock.now) })
            let again = try await set(apps, id)
            #expect(again.hasNewSecret && again.app.callbackSecrets.map(\.version) == [3])
        }
    }

    @Test("a new secret keeps the one before for some days or not at all, and needs a callback")
    func rotating() async throws {
        try await withWorld { world, apps, id in
            func rotate(_ overlap: KeyOverlap) async throws -> RegisteredApp {
                try await apps.rotateCallbackSecret(of: id, keeping: overlap, by: .test)
            }
            #expect(try await refusal { _ = try await rotate(.none) } == .parameterInvalid, "there is no callback")
            _ = try await set(apps, id)
            #expect(try await refusal { _ = try await rotate(.untilRetired) } == .parameterInvalid)
            let two = try await rotate(.days(1)).callbackSecrets
            #expect(two.map(\.version) == [2, 1] && two.allSatisfy { $0.isAccepted(at: world.clock.now) })
            let end = world.clock.now + .seconds(86_400)
            #expect(two[0].isAccepted(at: end) && !two[1].isAccepted(at: end))
            #expect(two[1].isAccepted(at: end - .milliseconds(1)))
            #expect(try await refusal { _ = try await rotate(.days(1)) } == .parameterInvalid, "a third")
            #expect(try await rotate(.none).callbackSecrets.map(\.version) == [3])
        }
    }

    /// Lets something happen when it is asked for the time, once.
    private final class Meanwhile: WallClock {
        private let clock: TestClock
        private let event: Mutex<(@Sendable () -> Void)?>

        init(_ clock: TestClock, _ event: @escaping @Sendable () -> Void) {
            self.clock = clock
            self.event = Mutex(event)
        }

        var now: Timestamp {
            let event = event.withLock { held in
                let event = held
                held = nil
                return event
            }
            event?()
            return clock.now
        }
    }

    @Test(
        "a callback that became another one, or was stopped, just before it would be stopped is left as it is",
        arguments: [
            ("callback_url = 'https://other.example/'", "https://other.example/", nil),
            ("callback_stopped_at = 5", url, 5),
        ] as [(String, String, Int64?)])
    func stoppedMeanwhile(change: String, wanted: String, stoppedAt: Int64?) async throws {
        try await withWorld { world, apps, id in
            _ = try await set(apps, id)
            let path = world.directory + "/benji.sqlite"
            let clock = Meanwhile(world.clock) {
                do {
                    let queue = try DatabaseQueue(path: path)
                    try queue.write { db in
                        try db.execute(
                            sql: "UPDATE app SET \(change), revision = revision + 1 WHERE id = ?",
                            arguments: [id.rawValue])
                    }
                    try queue.close()
                } catch { Issue.record(error) }
            }
            let deliverer = Apps(store: world.store, vault: world.vault, clock: clock, random: SystemRandomSource())
            try await deliverer.stopCallback(of: id, url: Self.url)
            let callback = try await world.restarted().authority.apps.find(id).record.callback
            #expect(callback?.url == wanted && callback?.stoppedAt == stoppedAt.map(Timestamp.init(milliseconds:)))
        }
    }

    @Test("a receiver that is gone stops its own callback alone, once, and setting it anew lets it go on")
    func stopping() async throws {
        try await withWorld { world, apps, id in
            func stoppedAt() async throws -> Timestamp? { try await apps.find(id).record.callback?.stoppedAt }
            func lines() async throws -> Int {
                try await (world.store as any Store).auditEntries(
                    AuditFilter(order: "app.callback.stop"), before: nil, limit: 9
                ).count
            }
            try await apps.stopCallback(of: id, url: Self.url)
            _ = try await set(apps, id)
            try await apps.stopCallback(of: id, url: "https://another.example/")
            #expect(try await stoppedAt() == nil)
            #expect(try await lines() == 0)
            let moment = world.clock.now
            try await apps.stopCallback(of: id, url: Self.url)
            #expect(try await stoppedAt() == moment)
            world.clock.advance(by: .seconds(1))
            try await apps.stopCallback(of: id, url: Self.url)
            #expect(try await stoppedAt() == moment, "since when it is gone")
            #expect(try await lines() == 1)
            _ = try await set(apps, id, nil)
            #expect(try await stoppedAt() == nil)
        }
    }

    @Test("the bytes of a secret are those behind its prefix, and a text without it has none")
    func secrets() {
        #expect(CallbackSecret.bytes(AppKey("whsec_AQID")) == [1, 2, 3])
        for text in ["AQID", "whsec-AQID", "whsec_?", "xwhsec_AQID"] {
            #expect(CallbackSecret.bytes(AppKey(text)) == nil, "\(text)")
        }
    }

    // MARK: events

    private static let now = Timestamp(seconds: 1_790_000_000)
    private static let reference = SubscriptionReference(subscription: 7, epoch: 3, simGeneration: 2)
    private static let row = SubscriptionRecord(
        id: 7, numberIndex: BlindIndex(bytes: []), sealedNumber: Sealed(bytes: []), carrier: .mobile, epoch: 3,
        epochKey: [], simGeneration: 2, sealedSIM: nil, simChangedAt: now, epochStartedAt: now, lastSeenAt: now)

    private func app(_ events: Set<CallbackEventType>? = Set(CallbackEventType.registrable)) -> AppRecord {
        AppRecord(
            id: AppID(rawValue: "300000000001")!, name: "Shop", keys: [], capabilities: [], bundleIDs: [],
            serverAddresses: [], createdAt: Self.now, callback: events.map { CallbackRecord(url: Self.url, events: $0) }
        )
    }

    @Test("an event of a redemption names app, login, interface, result and person, and what the server handed on")
    func redemptions() throws {
        let random = SystemRandomSource()
        let token = TokenRecord(
            hash: CredentialHash(of: "token"), appID: app().id, purpose: .login, subscription: Self.reference,
            carrier: .mobile, binding: BindingID(rawValue: 1), deviceKey: "key", assurance: .netApp,
            trace: TraceID(random: random), dialect: .device, issuedAt: Self.now, expiresAt: Self.now)
        func made(_ result: String, _ app: AppRecord) -> OutboxEvent? {
            app.event(
                ofResult: result, of: token, Self.row, interface: "test", openID: "person",
                passedThrough: PassedThrough(message: "m", expandParams: "e"), at: Self.now, random: random)
        }
        for (result, type) in [
            ("released", CallbackEventType.loginReleased), ("released-without-page", .loginReleased),
            ("matched", .verificationAnswered), ("differs", .verificationAnswered),
        ] {
            let event = try #require(made(result, app()), "\(result)")
            #expect(event.type == type && event.appID == app().id && event.trace == token.trace)
            #expect(event.holder == .init(subscription: 7, epoch: 3) && event.at == Self.now)
            #expect(event.id.hasPrefix("evt_") && event.id.utf8.count == 28)
            let json = try JSON(parsing: event.payload)
            #expect(json["id"]?.stringValue == event.id && json["type"]?.stringValue == type.rawValue)
            #expect(json["timestamp"] == "2026-09-21T14:13:20.000Z")
            let data = try #require(json["data"])
            #expect(data["appId"] == "300000000001" && data["trace"]?.stringValue == token.trace.rawValue)
            #expect(data["interface"] == "test" && data["result"]?.stringValue == result)
            #expect(data["assurance"] == "net+app" && data["openId"] == "person")
            #expect(data["message"] == "m" && data["expandParams"] == "e")
        }
        #expect(made("unreadable", app()) == nil && made("recognised", app()) == nil)
        #expect(made("released", app([.verificationAnswered])) == nil && made("released", app(nil)) == nil)
    }

    @Test("an event of OpenID Connect names the same, and its person where the credential has one")
    func credentials() throws {
        let random = SystemRandomSource()
        var credential = OpenIDCredential(
            hash: CredentialHash(of: "code"), kind: .code, family: 1, appID: app().id, subject: nil,
            trace: TraceID(random: random), details: "{}", issuedAt: Self.now, expiresAt: Self.now)
        func made() throws -> OutboxEvent {
            try #require(
                app().event(
                    ofResult: "matched", of: credential, assurance: .net, interface: "camara", openID: nil,
                    at: Self.now, random: random))
        }
        #expect(try made().holder == nil && made().trace == credential.trace)
        credential.subject = .init(
            subscription: Self.reference, carrier: .mobile, binding: BindingID(rawValue: 1))
        let event = try made()
        #expect(event.holder == .init(subscription: 7, epoch: 3) && event.type == .verificationAnswered)
        let data = try #require(try JSON(parsing: event.payload)["data"])
        #expect(data["interface"] == "camara" && data["result"] == "matched" && data["assurance"] == "net")
        #expect(data["openId"] == nil && data["message"] == nil && data["trace"]?.stringValue == event.trace?.rawValue)
        let named = try #require(
            app().event(
                ofResult: "released", of: credential, assurance: nil, interface: "openid", openID: "person",
                at: Self.now, random: random))
        let said = try JSON(parsing: named.payload)["data"]
        #expect(said?["openId"] == "person" && said?["assurance"] == nil)
    }

    @Test("an app's callback is told that it is stopped, that it goes on, and who takes a consent back; nothing else")
    func changes() throws {
        let random = SystemRandomSource()
        var stopped = app()
        stopped.suspended = true
        func type(_ app: AppRecord, from before: AppRecord) -> CallbackEventType? {
            app.event(ofChangeFrom: before, at: Self.now, random: random)?.type
        }
        #expect(type(stopped, from: app()) == .appSuspended && type(app(), from: stopped) == .appResumed)
        #expect(type(app(), from: app()) == nil && type(stopped, from: stopped) == nil)
        let withdrawn = try #require(
            app().event(ofWithdrawalBy: Self.row, openID: "person", at: Self.now, random: random))
        #expect(withdrawn.type == .consentWithdrawn && withdrawn.holder == .init(subscription: 7, epoch: 3))
        #expect(try JSON(parsing: withdrawn.payload)["data"]?["openId"] == "person")
        #expect(app(nil).event(ofWithdrawalBy: Self.row, openID: "person", at: Self.now, random: random) == nil)
    }
}
