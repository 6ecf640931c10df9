import BenjiPage
import Crypto
import CryptoExtras
import Foundation
import HTTPTypes
import Hummingbird
import Logging
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

/// An OpenID provider over a real store, two clients, two phones, and a browser that does what its pages say; no
/// socket.
final class OpenIDWorld: SightingSource {
    static let issuer = "https://id.example.com"
    static let pages = "https://gw.example.com"
    static let callback = "https://shop.example/callback"
    static let phone = "10.0.0.7"
    static let otherPhone = "10.0.0.8"
    static let number = PhoneNumber("13800000001")!
    static let otherNumber = PhoneNumber("13900000002")!

    private let world: AuthorityWorld
    let provider: OpenIDProvider
    /// Authenticates with a secret.
    let shop: RegisteredApp
    let secret: String
    /// Authenticates with a key.
    let bank: RegisteredApp
    let bankKey = P256.Signing.PrivateKey()
    private let addresses = Mutex<[String: Result<Sighting, SightingRefusal>]>([:])

    var clock: TestClock { world.clock }
    var store: SQLiteStore { world.store }
    var authority: Authority { world.authority }
    var register: Register { world.register }
    var clients: OpenIDClients { provider.clients }

    /// - Parameters:
    ///   - option: of both clients, switched on.
    ///   - limit: pages of one app that one phone is shown at once.
    init(_ option: WritableKeyPath<OpenIDClients.Registration, Bool>? = nil, limit: Int = 10_000) async throws {
        world = try await AuthorityWorld(prefetchesPerNumber: limit) {
            $0 = Apps.Registration(name: "Shop")
            $0.openIDFromAnywhere = true
        }
        provider = OpenIDProvider(
            configuration: .init(issuer: Self.issuer, pages: Self.pages), authority: world.authority, store: world.store
        )
        shop = world.app
        var app = Apps.Registration(name: "Bank")
        app.openIDFromAnywhere = true
        bank = try await world.authority.apps.register(app)
        var registration = OpenIDClients.Registration(
            appID: shop.record.id, page: try PageDescription(parsing: Array(Self.page.utf8)))
        registration.redirectURIs = [Self.callback]
        registration.authentication = .clientSecretBasic
        if let option { registration[keyPath: option] = true }
        secret = try await provider.clients.register(registration).secret?.reveal() ?? ""
        registration.appID = bank.record.id
        registration.redirectURIs = ["https://bank.example/callback"]
        registration.authentication = .privateKeyJWT
        registration.keySet = JSON.object(["keys": .array([Self.jwk(bankKey.publicKey, id: "bank-1")])]).text
        _ = try await provider.clients.register(registration)
        try await attach(Self.number, at: Self.phone, imsi: "460000000000001", binding: 7)
        try await attach(Self.otherNumber, at: Self.otherPhone, imsi: "460000000000002", binding: 8)
    }

    static let page = """
        {"terms": {"items": [
            {"title": {"zh-Hans": "《用户协议》", "en": "User Agreement"}, "url": "https://shop.example/agreement"},
            {"title": {"zh-Hans": "《隐私政策》", "en": "Privacy Policy"}, "url": "https://shop.example/privacy"}]}}
        """

    static func jwk(_ key: P256.Signing.PublicKey, id: String) -> JSON {
        let point = Array(key.rawRepresentation)
        return .object([
            "kty": "EC", "crv": "P-256", "kid": .string(id), "x": .string(Base64URL.encode(point.prefix(32))),
            "y": .string(Base64URL.encode(point.suffix(32))),
        ])
    }

    /// Runs a test in a world of its own and ends it whatever happens.
    static func visit(
        _ option: WritableKeyPath<OpenIDClients.Registration, Bool>? = nil, limit: Int = 10_000,
        _ body: (OpenIDWorld) async throws -> Void
    ) async throws {
        let world = try await OpenIDWorld(option, limit: limit)
        let result: Result<Void, any Error>
        do { result = .success(try await body(world)) } catch { result = .failure(error) }
        await world.end()
        try result.get()
    }

    private func end() async { await world.end() }

    // MARK: - The network

    /// The subscriber gets the address, with the SIM that the feed names.
    func attach(_ number: PhoneNumber, at address: String, imsi: String, binding: Int64) async throws {
        // A feed's new card counts from the moment after the last change.
        clock.advance(by: .milliseconds(1))
        let reference = try #require(
            try await register.observe([
                SubscriberObservation(number: number, imsi: imsi, carrier: .mobile, eventTime: clock.now)
            ])[0])
        place(
            .success(
                Sighting(
                    subscription: reference, carrier: .mobile, binding: BindingID(rawValue: binding),
                    gateway: "gateway-1", time: clock.now, localAddressConfirmed: false, roaming: false)), at: address)
    }

    func place(_ sighting: Result<Sighting, SightingRefusal>, at address: String) {
        addresses.withLock { $0[address] = sighting }
    }

    func sighting(
        from address: InternetAddress, port: UInt16, claimedLocalAddress: InternetAddress?
    ) async -> Result<Sighting, SightingRefusal> {
        addresses.withLock { $0[address.description] } ?? .failure(.unknownAddress)
    }

    // MARK: - HTTP without a socket

    func browse(
        _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields = [:], body: String = "",
        from address: String = phone, provider other: OpenIDProvider? = nil
    ) async throws -> Exchange {
        let endpoints = OpenIDEndpoints(service: other ?? provider, pages: Self.pages, sightings: self)
        var headers = headers
        if method == .post, headers[.contentType] == nil { headers[.contentType] = "application/x-www-form-urlencoded" }
        return try await Exchange.send(
            PublicServer.router("device", routes: endpoints.browserRoutes), method, path, headers: headers,
            body: Array(body.utf8), authority: "gw.example.com", from: (address, 40001))
    }

    func call(
        _ method: HTTPRequest.Method, _ path: OpenIDProvider.Path, headers: HTTPFields = [:],
        form: [String: String] = [:],
        query: String = "", from address: String = "203.0.113.7"
    ) async throws -> Exchange {
        var headers = headers
        if method == .post { headers[.contentType] = "application/x-www-form-urlencoded" }
        return try await Exchange.send(
            PublicServer.router("server", routes: OpenIDEndpoints.serverRoutes(provider)), method,
            path.rawValue + query,
            headers: headers, body: Array(Self.encoded(form).utf8), authority: "id.example.com", from: (address, 5))
    }

    static func encoded(_ form: [String: String]) -> String {
        form.sorted { $0.key < $1.key }.map { "\($0)=\(FormText.encode($1))" }.joined(separator: "&")
    }

    func basic(secret: String? = nil) -> HTTPFields {
        let text = "\(shop.record.id.rawValue):\(secret ?? self.secret)"
        return [.authorization: "Basic \(Data(text.utf8).base64EncodedString())"]
    }

}

/// A login as its steps leave it.
struct OpenIDLogin {
    static let verifier = "verifier-of-forty-three-characters-or-more-0123"
    static let challenge = Base64URL.encode(Array(SHA256.hash(data: Array(verifier.utf8))))

    /// The parameters of a flawless request of the shop's.
    static func request(_ world: OpenIDWorld, _ changes: [String: String?] = [:]) -> [String: String] {
        var form = [
            "client_id": world.shop.record.id.rawValue, "redirect_uri": OpenIDWorld.callback, "response_type": "code",
            "scope": "openid phone", "state": "af0ifjsldkj", "nonce": "n-0S6_WzA2Mj", "code_challenge": challenge,
            "code_challenge_method": "S256",
        ]
        for (name, value) in changes { form[name] = value }
        return form
    }
}

extension OpenIDWorld {
    /// The browser follows the app's link.
    func open(
        _ changes: [String: String?] = [:], headers: HTTPFields = [:], from address: String = phone
    ) async throws -> Exchange {
        try await browse(
            .get, "/openid/authorize?" + Self.encoded(OpenIDLogin.request(self, changes)), headers: headers,
            from: address)
    }

    /// The person ticks and taps.
    func tap(
        _ page: Exchange, action: String = "login", agreed: Bool = true, remembers: Bool = false, digits: String? = nil,
        cookie: String? = nil,
        headers: HTTPFields = [:], from address: String = phone, provider other: OpenIDProvider? = nil
    ) async throws -> Exchange {
        var headers = headers
        headers[.cookie] = cookie ?? page.cookie
        var form = ["page": try #require(page.secret), "action": action]
        if agreed { form["agreed"] = "yes" }
        if remembers { form["remember"] = "yes" }
        form["digits"] = digits
        return try await browse(
            .post, "/openid/login", headers: headers, body: Self.encoded(form), from: address, provider: other)
    }

    /// Changes the shop as an operator does.
    func changeShop(
        app: (inout AppRecord) -> Void = { _ in }, client: (inout OpenIDClientRecord) -> Void = { _ in }
    ) async throws {
        var record = try await authority.apps.find(shop.record.id).record
        app(&record)
        try await store.updateApp(record)
        var registered = try await clients.find(shop.record.id)
        client(&registered)
        try await store.putOpenIDClient(registered)
    }

    /// The code that a whole walk through the pages buys.
    func code(_ changes: [String: String?] = [:], from address: String = phone) async throws -> String {
        let page = try await open(changes, from: address)
        return try #require(try await tap(page, from: address).landing["code"])
    }

    func exchange(
        _ code: String, _ changes: [String: String?] = [:], headers: HTTPFields? = nil
    ) async throws -> Exchange {
        var form = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": Self.callback,
            "code_verifier": OpenIDLogin.verifier,
        ]
        for (name, value) in changes { form[name] = value }
        return try await call(.post, .token, headers: headers ?? basic(), form: form)
    }

    func userInfo(_ token: String, from address: String = "203.0.113.7") async throws -> Exchange {
        try await call(.get, .userInfo, headers: [.authorization: "Bearer \(token)"], from: address)
    }

    /// The access token of a whole login.
    func accessToken(_ changes: [String: String?] = [:], from address: String = phone) async throws -> String {
        let answer = try await exchange(try await code(changes, from: address))
        return try #require(answer.json["access_token"]?.stringValue)
    }

    /// The bank's word.
    func signed(
        _ claims: JSON, algorithm: String = "ES256", type: String = "JWT", key: P256.Signing.PrivateKey? = nil,
        id: String? = "bank-1"
    ) throws -> String {
        let header = JSON.object(["alg": .string(algorithm), "typ": .string(type), "kid": id.map { .string($0) }])
        let input = "\(Base64URL.encode(header.serialized)).\(Base64URL.encode(claims.serialized))"
        let signature = try (key ?? bankKey).signature(for: Array(input.utf8)).rawRepresentation
        return "\(input).\(Base64URL.encode(Array(signature)))"
    }

    func assertion(
        audience: JSON = .string(issuer), life: Int64 = 60, id: String = UUID().uuidString, subject: String? = nil,
        issuedAgo: Int64 = 0, algorithm: String = "ES256", key: P256.Signing.PrivateKey? = nil
    ) throws -> String {
        let issued = clock.now.seconds - issuedAgo
        return try signed(
            .object([
                "iss": .string(bank.record.id.rawValue), "sub": .string(subject ?? bank.record.id.rawValue),
                "aud": audience, "iat": .integer(issued), "exp": .integer(issued + life), "jti": .string(id),
            ]), algorithm: algorithm, key: key)
    }

    /// A flawless request object of the bank's.
    func requestObject(_ changes: [String: JSON?] = [:], _ sign: (JSON) throws -> String) throws -> String {
        var claims: [String: JSON] = [
            "iss": .string(bank.record.id.rawValue), "aud": .string(Self.issuer), "iat": .integer(clock.now.seconds),
            "exp": .integer(clock.now.seconds + 60), "jti": .string(UUID().uuidString),
            "client_id": .string(bank.record.id.rawValue),
            "redirect_uri": "https://bank.example/callback", "response_type": "code", "scope": "openid",
            "state": "signed-state", "code_challenge": .string(OpenIDLogin.challenge), "code_challenge_method": "S256",
        ]
        for (name, value) in changes { claims[name] = value }
        return try sign(.object(claims.sorted { $0.key < $1.key }.map { JSON.Member($0.key, $0.value) }))
    }

    func openSigned(_ object: String, _ changes: [String: String] = [:]) async throws -> Exchange {
        var form = ["client_id": bank.record.id.rawValue, "request": object]
        form.merge(changes) { $1 }
        return try await browse(.get, "/openid/authorize?" + Self.encoded(form))
    }
}

extension Exchange {
    /// The credential in the page's form.
    var secret: String? {
        body.firstMatch(of: /name="page" value="([A-Za-z0-9]+)"/).map { String($0.1) }
    }

    /// The text that people read, without markup and line breaks.
    var words: String { body.replacing(/<[^>]*>/, with: "").replacing("\n", with: "") }

    /// The cookie that a browser sends back.
    var cookie: String? { headers[.setCookie]?.split(separator: ";").first.map(String.init) }

    var location: String? { headers[.location] }

    /// The parameters of the redirect.
    var landing: [String: String] {
        guard let query = location?.split(separator: "?", maxSplits: 1).last,
            let pairs = FormText.pairs(Array(query.utf8))
        else { return [:] }
        return Dictionary(pairs.map { ($0.name, $0.value) }) { first, _ in first }
    }

    var error: String? { json["error"]?.stringValue }

    /// The payload of a JWT in the answer, unchecked.
    func claims(_ member: String) -> JSON {
        let parts = json[member]?.stringValue?.split(separator: ".") ?? []
        return (parts.count == 3 ? Base64URL.decode(parts[1]) : nil).flatMap { try? JSON(parsing: $0) } ?? .null
    }
}
