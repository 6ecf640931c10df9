import BenjiPage
import BenjiPolicy
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import ServerTestKit
import ShortMessages
import Sightings
import Store
import StoreSQLite
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import OpenIDProvider
@testable import ServerHTTP

/// A server with everything that phones may call, two apps with every way of login enabled, and a party at a phone's
/// address. The party is the holder, another app on the phone, or a guest of its hotspot. It knows the apps' public
/// ids, and the app key that is in the package.
struct RowBudgetWorld {
    static let phone = "10.0.0.7"
    static let otherPhone = "10.0.0.8"
    static let nobody = "198.51.100.9"
    static let base = OpenIDWorld.pages
    static let network = "\(OpenIDWorld.verify) \(OpenIDWorld.purpose)"

    /// In ten minutes: logins of one number at one app of which something lasting is kept. A server's usual is 60.
    static let prefetches = 5
    /// In ten minutes: unredeemed tokens of one number at one app. The usual policy has 1000.
    static let unusedTokens = 10
    /// In an hour: messages with codes of one address, and texts to send. A server's usual is 60.
    static let messages = 5

    let world: AuthorityWorld
    let install: AttestedInstall
    let sender: RecordingSender
    let provider: OpenIDProvider
    let bank: RegisteredApp
    /// The routes that phones call, and the routes that apps' servers call.
    let deviceRoutes: [EndpointRoute]
    let serverRoutes: [EndpointRoute]
    private let device: RouterResponder<EndpointContext>
    private let server: RouterResponder<EndpointContext>

    var app: RegisteredApp { world.app }
    var clock: TestClock { world.clock }

    private struct Phones: SightingSource {
        var holders: [String: SubscriptionReference]
        var clock: TestClock

        func sighting(
            from address: InternetAddress, port: UInt16, claimedLocalAddress: InternetAddress?
        ) async -> Result<Sighting, SightingRefusal> {
            guard let holder = holders[address.description] else { return .failure(.unknownAddress) }
            return .success(
                Sighting(
                    subscription: holder, carrier: .mobile, binding: BindingID(rawValue: 7), gateway: "gateway-1",
                    time: clock.now, localAddressConfirmed: false, roaming: false))
        }
    }

    /// - Parameters:
    ///   - prefetches: see ``prefetches``.
    ///   - unusedTokens: see ``unusedTokens``.
    init(prefetches: Int = prefetches, unusedTokens: Int = unusedTokens) async throws {
        var policy = CarrierPolicy.standard
        policy.unusedTokensPerNumber = unusedTokens
        var made = try await AuthorityWorld(policy: policy, prefetchesPerNumber: prefetches) {
            $0.id = Fixtures.appID
            $0.openIDFromAnywhere = true
            $0.workflow = .oneTapThenSMS
            $0.leastAssurance = .smsUpstream
            $0.appleTeam = AttestedInstall.team
        }
        install = try AttestedInstall(made)
        try made.trust(install)
        let world = made
        self.world = world
        sender = RecordingSender()
        var texts = SMSUpstream.Settings()
        texts.number = "10690123"
        texts.carriers = ["smsc": [.mobile]]
        texts.perPhoneAddressAndHour = Self.messages
        var codes = SMSCodes.Settings()
        codes.perPhoneAddressAndHour = Self.messages
        let sms = SMSLogin(
            authority: world.authority,
            codes: SMSCodes(
                settings: codes, authority: world.authority, store: world.store, sender: sender,
                upstream: SMSUpstream(settings: texts, authority: world.authority, store: world.store)),
            quarantine: world.register.quarantine)
        provider = OpenIDProvider(
            configuration: .init(issuer: OpenIDWorld.issuer, pages: OpenIDWorld.pages), authority: world.authority,
            store: world.store, smsLogin: sms)

        var registration = OpenIDClients.Registration(
            appID: world.app.record.id, page: try PageDescription(parsing: Array(OpenIDWorld.page.utf8)))
        registration.redirectURIs = [OpenIDWorld.callback]
        registration.authentication = .clientSecretBasic
        registration.remembersConsent = true
        _ = try await provider.clients.register(registration)
        var bankApp = Apps.Registration(name: "Bank")
        bankApp.openIDFromAnywhere = true
        bank = try await world.authority.apps.register(bankApp)
        registration.appID = bank.record.id
        registration.redirectURIs = [OpenIDWorld.bankCallback]
        registration.authentication = .privateKeyJWT
        registration.keySet =
            JSON.object(["keys": .array([OpenIDWorld.jwk(P256.Signing.PrivateKey().publicKey, id: "bank-1")])]).text
        _ = try await provider.clients.register(registration)
        var record = try await world.authority.apps.find(bank.record.id).record
        record.capabilities.insert(.simSwap)
        record.legacyNumberWithoutPage = true
        try await world.store.updateApp(record)
        var client = try await provider.clients.find(bank.record.id)
        client.purposes = [OpenIDWorld.purpose]
        try await world.store.putOpenIDClient(client)

        // A feed's new card counts from the moment after the last change.
        world.clock.advance(by: .seconds(60))
        let other = try #require(
            try await world.register.observe([
                SubscriberObservation(
                    number: AuthorityWorld.otherNumber, imsi: "460000000000002", carrier: .mobile,
                    eventTime: world.clock.now)
            ])[0])
        let phones = Phones(
            holders: [Self.phone: world.subscription, Self.otherPhone: other], clock: world.clock)
        deviceRoutes =
            DeviceEndpoints(
                service: DeviceLogins(world.authority, sms: sms), sightings: phones, clock: world.clock,
                publicURLs: [Self.base]
            ).routes
            + OpenIDEndpoints(service: provider, pages: OpenIDWorld.pages, sightings: phones).browserRoutes
            + OwnLogEndpoints(authority: world.authority, sightings: phones).routes
            + CMPassportBrowserEndpoints(authority: world.authority, sightings: phones, clock: world.clock).routes
        serverRoutes =
            CMPassportEndpoints(service: world.authority, clock: world.clock).routes
            + OneLoginEndpoints(service: world.authority).routes + GeYanEndpoints(service: world.authority).routes
            + LogEndpoints(authority: world.authority).routes + OpenIDEndpoints.serverRoutes(provider)
            + CAMARAEndpoints(provider: provider).routes
            + ServerAPIEndpoints(service: world.authority, provider: provider).routes + CodeEndpoints().routes
        device = PublicServer.router("device", routes: deviceRoutes).buildResponder()
        server = PublicServer.router("server", routes: serverRoutes).buildResponder()
    }

    /// Runs a test in a world of its own and ends it whatever happens.
    static func visit<Value>(
        prefetches: Int = prefetches, unusedTokens: Int = unusedTokens, _ body: (RowBudgetWorld) async throws -> Value
    ) async throws -> Value {
        let here = try await RowBudgetWorld(prefetches: prefetches, unusedTokens: unusedTokens)
        let result: Result<Value, any Error>
        do { result = .success(try await body(here)) } catch { result = .failure(error) }
        await here.world.end()
        return try result.get()
    }

    // MARK: - Requests

    private static let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

    func send(
        _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields = [:], body: [UInt8] = [],
        from address: String, toServer: Bool = false
    ) async throws -> Exchange {
        try await Exchange.send(
            toServer ? server : device, method, path, headers: headers, body: body, scheme: "https",
            authority: toServer ? "id.example.com" : "gw.example.com", from: (address, 40_001), logger: Self.logger)
    }

    /// A form of a page of ours, or none.
    func browse(
        _ method: HTTPRequest.Method, _ path: String, _ form: [String: String] = [:], cookie: String? = nil,
        from address: String = phone
    ) async throws -> Exchange {
        var headers: HTTPFields = [:]
        if method == .post { headers[.contentType] = "application/x-www-form-urlencoded" }
        headers[.cookie] = cookie
        return try await send(
            method, path, headers: headers, body: Array(OpenIDWorld.encoded(form).utf8), from: address)
    }

    static func name() -> String { SystemRandomSource().alphanumerics(22) }

    /// A message with the phone's signature.
    func signed(
        _ path: DevicePath, _ message: JSON, by signer: SoftwareDeviceSigner, id: String = name(),
        from address: String = phone
    ) async throws -> JSON {
        let body = message.serialized
        let proof = DeviceProof(
            id: id, method: "POST", url: Self.base + path.rawValue, issuedAt: clock.now, body: body, localAddress: nil,
            key: signer.publicKey)
        var headers: HTTPFields = [.contentType: "application/json"]
        headers[.deviceProof] = try proof.signed(by: signer)
        return try await send(.post, path.rawValue, headers: headers, body: body, from: address).json
    }

    func appKeyProof(_ signer: SoftwareDeviceSigner, _ id: String) -> String {
        AppKeyProof.make(
            appKey: app.key.reveal(), appID: app.record.id, proofID: id, keyThumbprint: signer.publicKey.thumbprint)
    }

    // MARK: - One tap

    func prefetch(_ signer: SoftwareDeviceSigner, from address: String = phone) async throws -> PrefetchResponse? {
        let id = Self.name()
        let request = PrefetchRequest(
            appID: app.record.id, bundleID: AuthorityWorld.bundle, appKeyProof: appKeyProof(signer, id),
            dialect: .device)
        let answer = try await signed(.prefetch, request.json, by: signer, id: id, from: address)
        return try? PrefetchResponse(answer)
    }

    func authorize(
        _ page: PrefetchResponse, by signer: SoftwareDeviceSigner, consents: Bool = true
    ) async throws -> AuthorizeResponse? {
        let consent = try consents ? world.consent(to: page, signer: signer) : nil
        let request = AuthorizeRequest(
            appID: app.record.id, scrip: page.scrip, purpose: .login,
            consent: consent)
        let answer = try await signed(.authorize, request.json, by: signer)
        return try? AuthorizeResponse(answer)
    }

    // MARK: - Messages

    /// A number of the range that each has its own prefix for budgets.
    static func number(_ count: Int) -> String { "+86138\(String(10_000_000 + count * 10_000 + 1).suffix(8))" }

    func sendCode(
        to number: String, by signer: SoftwareDeviceSigner, from address: String = nobody
    ) async throws -> SMSCodeResponse? {
        let id = Self.name()
        let request = SMSCodeRequest(
            appID: app.record.id, bundleID: AuthorityWorld.bundle, appKeyProof: appKeyProof(signer, id),
            dialect: .device, number: number)
        let answer = try await signed(.smsCode, request.json, by: signer, id: id, from: address)
        return try? SMSCodeResponse(answer)
    }

    func giveText(to signer: SoftwareDeviceSigner) async throws -> SMSUpstreamResponse? {
        let id = Self.name()
        let request = SMSUpstreamRequest(
            appID: app.record.id, bundleID: AuthorityWorld.bundle, appKeyProof: appKeyProof(signer, id),
            dialect: .device)
        let answer = try await signed(.smsUpstream, request.json, by: signer, id: id, from: Self.nobody)
        return try? SMSUpstreamResponse(answer)
    }

    /// The yes to a login by a message.
    func consent(
        to transaction: String, _ trace: TraceID, _ policyVersion: String, by signer: SoftwareDeviceSigner
    ) throws -> String {
        let now = clock.now
        return try ConsentRecord(
            appID: app.record.id, trace: trace, scrip: transaction, nonce: transaction,
            content: ConsentContent(
                drawnBy: .app, language: "zh-Hans", policyVersion: policyVersion,
                texts: [
                    .init(.number, ConsentContent.numberPlaceholder), .init(.hint, "请输入短信验证码"),
                    .init(.loginButton, "登录"),
                ], links: [.init(title: "《用户协议》", url: "https://shop.example/terms")], initiallyTicked: false),
            sceneDigest: nil, shownAt: now, tickedAt: now, tappedAt: now
        ).signed(by: signer)
    }

    // MARK: - The browser

    /// Parameters of a request of the shop's.
    func request(_ changes: [String: String] = [:]) -> [String: String] {
        [
            "client_id": app.record.id.rawValue, "redirect_uri": OpenIDWorld.callback, "response_type": "code",
            "scope": "openid phone", "state": "s-1", "nonce": "n-1", "code_challenge": OpenIDLogin.challenge,
            "code_challenge_method": "S256",
        ].merging(changes) { $1 }
    }

    func open(
        _ changes: [String: String] = [:], cookie: String? = nil, from address: String = phone
    ) async throws -> Exchange {
        try await browse(
            .get, "/openid/authorize?" + OpenIDWorld.encoded(request(changes)), cookie: cookie, from: address)
    }

    func answer(
        _ page: Exchange, _ action: String, _ changes: [String: String] = [:], from address: String = phone
    ) async throws -> Exchange {
        let form = ["page": page.secret ?? "", "action": action, "agreed": "yes"].merging(changes) { $1 }
        return try await browse(.post, "/openid/login", form, cookie: page.cookie, from: address)
    }

    /// A request to the H5 interface, signed by the app's server.
    func browserToken() async throws -> Exchange {
        let id = SystemRandomSource().alphanumerics(32)
        var fields = [
            "appId": app.record.id.rawValue, "version": "1.0", "msgId": id, "traceId": id, "businessType": "3",
            "timestamp": CMPassportTime.format(clock.now), "expandParams": "",
        ]
        fields["sign"] = CMPassportSigning.browserSign(
            appID: app.record.id.rawValue, businessType: "3", messageID: id, timestamp: fields["timestamp"] ?? "",
            traceID: id, version: "1.0", appKey: app.serverSecret.reveal())
        let json = JSON.object(fields.sorted { $0.key < $1.key }.map { JSON.Member($0.key, .string($0.value)) })
        return try await send(
            .post, CMPassportBrowserEndpoints.path,
            headers: [.contentType: "application/json", .origin: "https://shop.example"], body: json.serialized,
            from: Self.phone)
    }
}
