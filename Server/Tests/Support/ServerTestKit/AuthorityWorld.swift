package import Authority
package import BenjiPolicy
@_spi(Server) package import BenjiProtocol
import Foundation
import GRDB
package import Logging
package import Requests
package import Sightings
package import Store
package import StoreSQLite

/// An authority over a real store in a directory of its own, an app, a subscription and a phone's key.
package struct AuthorityWorld {
    package static let number = PhoneNumber("13800000001")!
    package static let otherNumber = PhoneNumber("13900000002")!
    package static let peer = InternetAddress("203.0.113.7")!
    package static let bundle = "com.example.shop"

    package static let logger: Logger = {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }()

    /// The file of an empty store. Making its tables takes longer than most tests.
    private static let emptyStore = Task {
        let directory = NSTemporaryDirectory() + "/empty-store-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let path = directory + "/benji.sqlite"
        try await SQLiteStore(path: path, logger: logger).close()
        return try Data(contentsOf: URL(fileURLWithPath: path))
    }

    package let directory: String
    package let clock = TestClock()
    package let store: SQLiteStore
    package let vault = Vault(masterKey: MasterKey(bytes: Array(0..<32)))
    package var authority: Authority
    package let register: Register
    package let app: RegisteredApp
    package let attester = SoftwareDeviceSigner()
    package let phone = SoftwareDeviceSigner()
    package let subscription: SubscriptionReference

    package init(
        policy: CarrierPolicy = .standard, prefetchesPerNumber: Int = 1000,
        _ change: (inout Apps.Registration) -> Void = { _ in }
    ) async throws {
        directory = NSTemporaryDirectory() + "/authority-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let logger = Self.logger
        try await Self.emptyStore.value.write(to: URL(fileURLWithPath: directory + "/benji.sqlite"))
        store = try SQLiteStore(path: directory + "/benji.sqlite", logger: logger)
        authority = Authority(
            configuration: Authority.Configuration(
                policy: policy, gateways: ["gateway-1": [.mobile, .unicom]], prefetchesPerNumber: prefetchesPerNumber),
            store: store, vault: vault, clock: clock, logger: logger)
        register = Register(store: store, vault: vault, clock: clock)
        var registration = Apps.Registration(name: "Shop")
        registration.bundleIDs = [Self.bundle]
        registration.serverAddresses = ["203.0.113.0/24"]
        registration.attesters = [attester.publicKey.jwk.text]
        change(&registration)
        app = try await authority.apps.register(registration)
        subscription = try await register.observe([
            SubscriberObservation(
                number: Self.number, imsi: "460000000000001", carrier: .mobile, eventTime: clock.now)
        ])[0]!
    }

    package func sighting(
        _ subscription: SubscriptionReference? = nil, carrier: Carrier = .mobile, gateway: String = "gateway-1",
        localAddressConfirmed: Bool = false, binding: Int64 = 7
    ) -> Sighting {
        Sighting(
            subscription: subscription ?? self.subscription, carrier: carrier, binding: BindingID(rawValue: binding),
            gateway: gateway, time: clock.now, localAddressConfirmed: localAddressConfirmed, roaming: false)
    }

    package func call(
        _ signer: SoftwareDeviceSigner? = nil, id: String = UUID().uuidString,
        sighting: Result<Sighting, SightingRefusal>? = nil, attested: Bool = false, attestation: String? = nil
    ) throws -> DeviceCall {
        let key = (signer ?? phone).publicKey
        return DeviceCall(
            proof: DeviceProof(
                id: id, method: "POST", url: "http://gateway/", issuedAt: clock.now, body: [], localAddress: nil,
                key: key),
            attestation: try attestation
                ?? (attested
                    ? ClientAttestation(
                        appID: app.record.id, bundleID: Self.bundle, keyThumbprint: key.thumbprint,
                        issuedAt: clock.now, expiresAt: clock.now + .seconds(60),
                        challenge: authority.attestationChallenge(for: app.record.id)
                    ).signed(by: attester) : nil),
            sighting: sighting ?? .success(self.sighting()))
    }

    package func prefetch(
        _ device: DeviceCall? = nil, bundle: String = Self.bundle, appKey: String? = nil, provesAppKey: Bool = true,
        dialect: Dialect = .device
    ) async throws -> PrefetchResponse {
        let device = try device ?? call()
        return try await authority.prefetch(
            PrefetchRequest(
                appID: app.record.id, bundleID: bundle,
                appKeyProof: provesAppKey
                    ? AppKeyProof.make(
                        appKey: appKey ?? app.key.reveal(), appID: app.record.id, proofID: device.proof.id,
                        keyThumbprint: device.proof.key.thumbprint) : nil, dialect: dialect), from: device)
    }

    package static func content(_ response: PrefetchResponse) -> ConsentContent {
        ConsentContent(
            drawnBy: .benji, language: "zh-Hans", policyVersion: response.policyVersion,
            texts: [
                .init(.number, ConsentContent.numberPlaceholder), .init(.slogan, response.page.slogan),
                .init(.loginButton, "本机号码一键登录"),
            ], links: [.init(title: "《\(response.page.termsTitle)》", url: response.page.termsURL)],
            initiallyTicked: false)
    }

    package func consent(
        to response: PrefetchResponse, signer: SoftwareDeviceSigner? = nil,
        _ change: (inout ConsentRecord) -> Void = { _ in }
    ) throws -> String {
        var record = ConsentRecord(
            appID: app.record.id, trace: response.trace, scrip: response.scrip, nonce: response.nonce,
            content: Self.content(response), sceneDigest: nil, shownAt: clock.now, tickedAt: clock.now,
            tappedAt: clock.now)
        change(&record)
        return try record.signed(by: signer ?? phone)
    }

    package func authorize(
        _ scrip: String, purpose: TokenPurpose = .login, consent: String?, device: DeviceCall? = nil
    ) async throws -> AuthorizeResponse {
        try await authority.authorize(
            AuthorizeRequest(appID: app.record.id, scrip: scrip, purpose: purpose, consent: consent),
            from: try device ?? call())
    }

    /// The whole walk on the phone's side.
    package func token(_ purpose: TokenPurpose = .login, attested: Bool = false) async throws -> AuthorizeResponse {
        let response = try await prefetch(try call(attested: attested))
        return try await authorize(
            response.scrip, purpose: purpose, consent: purpose == .login ? try consent(to: response) : nil,
            device: try call(attested: attested))
    }

    package func serverCall(
        _ app: RegisteredApp? = nil, message: String = UUID().uuidString, peer: InternetAddress = Self.peer
    )
        -> ServerCall
    {
        ServerCall(app: app ?? self.app, messageID: message, interface: "test", peer: peer, sentAt: clock.now)
    }

    /// Changes the app's registration.
    package func change(_ change: (inout AppRecord) -> Void) async throws {
        var record = try await authority.apps.find(app.record.id).record
        change(&record)
        try await store.updateApp(record)
    }

    /// Another process on the same store.
    package func restarted(_ change: (inout Authority.Configuration) -> Void = { _ in }) -> AuthorityWorld {
        var world = self
        var configuration = authority.configuration
        change(&configuration)
        world.authority = Authority(
            configuration: configuration, store: store, vault: vault, clock: clock, logger: Self.logger)
        return world
    }

    package struct Rows: Equatable {
        package var traces: Int
        package var scrips: Int
        package var tokens: Int
        package var consents: Int
        package var names: Int
    }

    /// How many rows a table of the store has.
    package func count(_ table: String) async throws -> Int {
        // Pending writes are made first.
        _ = try await store.traceEvents(TraceID(random: SystemRandomSource()))
        let queue = try DatabaseQueue(path: directory + "/benji.sqlite")
        defer { try? queue.close() }
        return try await queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0 }
    }

    /// How much is in the store.
    package func rows() async throws -> Rows {
        // Pending writes are made first.
        _ = try await store.traceEvents(TraceID(random: SystemRandomSource()))
        let queue = try DatabaseQueue(path: directory + "/benji.sqlite")
        defer { try? queue.close() }
        return try await queue.read { db in
            func count(_ table: String) throws -> Int {
                try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0
            }
            return Rows(
                traces: try count("trace_event"), scrips: try count("scrip"), tokens: try count("token"),
                consents: try count("consent"), names: try count("message"))
        }
    }

    /// All rows of the store as text, by table. Tests compare it where nothing may change.
    package func contents() async throws -> [String: [String]] {
        // Pending writes are made first.
        _ = try await store.traceEvents(TraceID(random: SystemRandomSource()))
        let queue = try DatabaseQueue(path: directory + "/benji.sqlite")
        defer { try? queue.close() }
        return try await queue.read { db in
            let tables = try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
            var contents: [String: [String]] = [:]
            for table in tables {
                contents[table] = try Row.fetchAll(db, sql: "SELECT * FROM \"\(table)\"").map { row in
                    row.map { column, value in
                        guard case .blob(let bytes) = value.storage else { return "\(column) \(value)" }
                        return "\(column) \(bytes.base64EncodedString())"
                    }.joined(separator: ", ")
                }
            }
            return contents
        }
    }

    /// Acts as a dialect's interface: asks whether the call may be answered, and redeems.
    package func redeem(_ call: ServerCall? = nil, _ token: String) async throws(Refusal) -> ReleasedLogin {
        try await authority.redeemNumber(authority.admit(call ?? serverCall(), needs: .login), token: token)
    }

    package func verify(
        _ call: ServerCall? = nil, _ token: String, matches: @escaping @Sendable (PhoneNumber) -> Bool
    ) async throws(Refusal) -> VerificationAnswer {
        try await authority.verifyNumber(
            authority.admit(call ?? serverCall(), needs: .verification), token: token, matches: matches)
    }

    package func end() async {
        await store.close()
        try? FileManager.default.removeItem(atPath: directory)
    }
}

/// The situation in which a phone's request was refused, or `nil` if it was not.
package func refusal(_ body: () async throws -> Void) async throws -> Situation? {
    do {
        try await body()
        return nil
    } catch let refusal as Refusal {
        return refusal.situation
    }
}
