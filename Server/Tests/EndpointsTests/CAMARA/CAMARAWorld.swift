import Crypto
import HTTPTypes
import ServerTestKit
import Store
import StoreSQLite
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import OpenIDProvider
@testable import Requests
@testable import ServerHTTP

/// The bank of an ``OpenIDWorld`` as a client of CAMARA's interfaces.
extension OpenIDWorld {
    static let purpose = "dpv:FraudPreventionAndDetection"
    static let bankCallback = "https://bank.example/callback"
    static let verify = "number-verification:verify"
    static let readNumber = "number-verification:device-phone-number:read"

    /// Runs a test in a world whose bank may call everything, unless told otherwise.
    static func visitBank(
        legacyNumberWithoutPage: Bool = true, _ option: WritableKeyPath<OpenIDClients.Registration, Bool>? = nil,
        limit: Int = 10_000, _ body: (OpenIDWorld) async throws -> Void
    ) async throws {
        try await visit(option, limit: limit) { world in
            try await world.changeBank {
                $0.capabilities.insert(.simSwap)
                $0.legacyNumberWithoutPage = legacyNumberWithoutPage
            }
            var client = try await world.clients.find(world.bank.record.id)
            client.purposes = [purpose]
            try await world.store.putOpenIDClient(client)
            try await body(world)
        }
    }

    func changeBank(_ change: (inout AppRecord) -> Void) async throws {
        var record = try await authority.apps.find(bank.record.id).record
        change(&record)
        try await store.updateApp(record)
    }

    /// The parameters of a flawless request of the bank's.
    func networkRequest(_ scope: String, _ changes: [String: String?] = [:]) -> [String: String] {
        var form = [
            "client_id": bank.record.id.rawValue, "redirect_uri": Self.bankCallback, "response_type": "code",
            "scope": scope, "state": "s-1", "nonce": "n-1", "code_challenge": OpenIDLogin.challenge,
            "code_challenge_method": "S256",
        ]
        for (name, value) in changes { form[name] = value }
        return form
    }

    /// The phone's browser, or the app's own, follows the link.
    func askNetwork(
        _ scope: String, _ changes: [String: String?] = [:], from address: String = phone
    ) async throws -> Exchange {
        try await browse(
            .get, "/openid/authorize?" + Self.encoded(networkRequest(scope, changes)), from: address)
    }

    /// The bank's server calls the token endpoint.
    func bankToken(_ form: [String: String?]) async throws -> Exchange {
        var all = [
            "client_assertion_type": ProviderContext.assertionType,
            "client_assertion": try assertion(audience: .string(provider.url(.token))),
        ]
        for (name, value) in form { all[name] = value }
        return try await call(.post, .token, form: all)
    }

    /// Everything that the token endpoint answers after a phone was recognised.
    func networkTokens(_ scope: String, from address: String = phone) async throws -> Exchange {
        let code = try #require(try await askNetwork(scope, from: address).landing["code"])
        return try await bankToken([
            "grant_type": "authorization_code", "code": code, "redirect_uri": Self.bankCallback,
            "code_verifier": OpenIDLogin.verifier,
        ])
    }

    /// A person's access token for an interface, with the purpose.
    func networkToken(_ scope: String, from address: String = phone) async throws -> String {
        let answer = try await networkTokens("\(scope) \(Self.purpose)", from: address)
        return try #require(answer.json["access_token"]?.stringValue)
    }

    /// The bank's own access token.
    func ownToken(_ scope: String = "sim-swap") async throws -> String {
        let answer = try await bankToken(["grant_type": "client_credentials", "scope": "\(scope) \(Self.purpose)"])
        return try #require(answer.json["access_token"]?.stringValue)
    }

    func camara(
        _ path: CAMARAEndpoints.Path, _ token: String?, _ body: String? = nil, headers: HTTPFields = [:],
        provider other: OpenIDProvider? = nil
    ) async throws -> Exchange {
        var headers = headers
        if let token { headers[.authorization] = "Bearer \(token)" }
        if body != nil, headers[.contentType] == nil { headers[.contentType] = "application/json" }
        return try await Exchange.send(
            PublicServer.router("server", routes: CAMARAEndpoints(provider: other ?? provider).routes),
            path == .devicePhoneNumber ? .get : .post, path.rawValue, headers: headers,
            body: Array((body ?? "").utf8), authority: "id.example.com", from: ("203.0.113.7", 5))
    }

    /// Puts something else into what an access token stands for.
    func replace(_ token: String, _ change: (inout OpenIDCredential) -> Void) async throws -> String {
        guard case .live(var credential) = try await store.openIDCredential(CredentialHash(of: token, .openID)) else {
            throw Refusal(.tokenUnknown, "no such token")
        }
        let secret = provider.pages.context.newCredential()
        credential.hash = CredentialHash(of: secret, .openID)
        change(&credential)
        try await store.insertOpenIDCredential(credential)
        return secret
    }

    static func plain(_ number: PhoneNumber = number) -> String { #"{"phoneNumber":"+\#(number.e164)"}"# }

    static func hashed(_ number: PhoneNumber = number, uppercase: Bool = false) -> String {
        let hash = SHA256.hash(data: Array("+\(number.e164)".utf8))
        return #"{"hashedPhoneNumber":"\#(Hexadecimal.encode(Array(hash), uppercase: uppercase))"}"#
    }
}

extension Exchange {
    /// Status and code of a CAMARA error, whose body must be whole.
    var camaraError: String {
        guard json["status"]?.integerValue == Int64(status.code), let code, json["message"]?.stringValue != nil,
            case .object(let members) = json, members.count == 3
        else { return "no CAMARA error: \(status) \(body)" }
        return "\(status.code) \(code)"
    }
}
