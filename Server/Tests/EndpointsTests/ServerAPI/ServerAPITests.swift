import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import ServerTestKit
import Store
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import OpenIDProvider
@testable import Requests
@testable import ServerHTTP

@Suite("The server API")
struct ServerAPITests {
    private typealias World = AuthorityWorld

    /// An app's server, and the authority that it asks.
    private struct Server {
        let world: AuthorityWorld
        let router: Router<EndpointContext>

        var secret: String { world.app.serverSecret.reveal() }

        /// - Parameter user: the value of `Authorization`; by default HTTP Basic with the app's id and secret.
        func send(
            _ path: ServerAPIEndpoints.Path, _ body: String = "", user: String? = nil, headers: HTTPFields = [:],
            type: String = "application/json", from peer: String = "203.0.113.7"
        ) async throws -> Exchange {
            let user = user ?? "\(world.app.record.id):\(secret)"
            var headers = headers
            headers[.contentType] = type
            if !user.isEmpty { headers[.authorization] = "Basic " + Data(user.utf8).base64EncodedString() }
            return try await Exchange.send(
                router, path == .app ? .get : .post, path.rawValue, headers: headers, body: Array(body.utf8),
                from: (peer, 40001))
        }

        func redeem(_ token: String, key: String? = nil) async throws -> Exchange {
            var headers: HTTPFields = [:]
            if let key { headers[.idempotencyKey] = key }
            return try await send(.redeem, #"{"token":"\#(token)"}"#, headers: headers)
        }
    }

    private func served(
        _ change: (inout Apps.Registration) -> Void = { _ in }, _ body: (Server) async throws -> Void
    ) async throws {
        let world = try await AuthorityWorld(change)
        let router = PublicServer.router("server", routes: ServerAPIEndpoints(service: world.authority).routes)
        try await body(Server(world: world, router: router))
        await world.end()
    }

    @Test("a login token is answered once with number, account, assurance, method and trace")
    func redeem() async throws {
        try await served { server in
            let token = try await server.world.token()
            let answer = try await server.redeem(token.token)
            #expect(answer.status == .ok && answer.headers[.cacheControl] == "no-store")
            #expect(answer.json["number"] == "+8613800000001" && answer.json["carrier"] == "mobile")
            #expect(answer.json["assurance"] == "net" && answer.json["method"] == "one-tap")
            #expect(answer.json["account"]?.stringValue?.isEmpty == false)
            #expect(answer.json["authenticatedAt"] == .string(server.world.clock.now.rfc3339))
            #expect(answer.json["trace"] == .string(token.trace.rawValue))
            let again = try await server.redeem(token.token)
            #expect(again.status == .conflict && again.code == "token_spent")
            #expect(again.headers[.contentType] == "application/problem+json")
            #expect(again.json["type"] == "/codes/token_spent" && again.json["status"] == 409)
            #expect(again.json["trace"] == .string(token.trace.rawValue))
        }
    }

    @Test(
        """
        a request that is repeated under its Idempotency-Key has the same answer and is billed once, and no other \
        request has
        """
    )
    func repeated() async throws {
        try await served { server in
            let token = try await server.world.token().token
            let first = try await server.redeem(token, key: "order-17")
            let second = try await server.redeem(token, key: "order-17")
            #expect(first.status == .ok && second.status == .ok && first.body == second.body)
            #expect(try await server.redeem(token, key: "order-18").code == "token_spent")
            #expect(try await server.redeem(token).code == "token_spent")
            let other = try await server.world.token().token
            #expect(try await server.redeem(other, key: "order-17").status == .ok, "another token is another request")
            #expect(try await server.world.count("ledger") == 2)
        }
    }

    @Test("a repeated comparison answers for its own number alone")
    func repeatedComparison() async throws {
        try await served { server in
            let token = try await server.world.token(.verification).token
            var headers: HTTPFields = [:]
            headers[.idempotencyKey] = "k"
            func verify(_ number: String) async throws -> Exchange {
                try await server.send(.verify, #"{"token":"\#(token)","number":"\#(number)"}"#, headers: headers)
            }
            #expect(try await verify("+8613800000002").json["isSame"] == false)
            #expect(try await verify("+8613800000002").json["isSame"] == false)
            // Else one token would tell a number by asking for each.
            #expect(try await verify("+8613800000001").code == "token_spent")
        }
    }

    @Test("a verification token says whether the number, or the number of this hash, is the phone's")
    func verify() async throws {
        try await served { server in
            for (claim, isSame) in [
                (#""number":"+8613800000001""#, true), (#""number":"+8613800000002""#, false),
                (#""numberHash":"\#(Self.hash)""#, true), (#""numberHash":"\#(Self.hash.uppercased())""#, true),
                (#""numberHash":"\#(String(Self.hash.reversed()))""#, false),
            ] {
                let token = try await server.world.token(.verification)
                let answer = try await server.send(.verify, #"{"token":"\#(token.token)",\#(claim)}"#)
                #expect(
                    answer.json
                        == .object(["isSame": .bool(isSame), "trace": .string(token.trace.rawValue)]), "\(claim)")
            }
            let login = try await server.world.token().token
            let wrong = try await server.send(.verify, #"{"token":"\#(login)","number":"+8613800000001"}"#)
            #expect(wrong.status == .forbidden && wrong.code == "token_wrong_purpose")
            #expect(try await server.redeem(login).status == .ok, "it is not spent")
        }
    }

    /// SHA-256 of +8613800000001, by sha256sum.
    private static let hash = "75b0b350d13fa7dacb9d1ffac898747465beeccb39f85b382f8a51521fb531ba"

    @Test("a wrong id, a wrong secret and a secret of the phones are refused alike, and spend nothing")
    func credentials() async throws {
        try await served { server in
            let token = try await server.world.token().token
            let id = server.world.app.record.id.rawValue
            var answers: [Exchange] = []
            for user in [
                "\(id):wrong", "\(id):", "999999999999:\(server.secret)", "not an id:x",
                "\(id):\(server.world.app.key.reveal())",
            ] {
                answers.append(try await server.send(.redeem, #"{"token":"\#(token)"}"#, user: user))
            }
            #expect(Set(answers.map(\.body)).count == 1 && answers[0].code == "app_key_wrong")
            for user in ["", "no colon"] {
                answers.append(try await server.send(.redeem, #"{"token":"\#(token)"}"#, user: user))
                #expect(answers.last?.code == "sign_missing", "\(user)")
            }
            for answer in answers {
                #expect(answer.status == .unauthorized)
                #expect(answer.headers[.wwwAuthenticate] == #"Basic realm="benji", charset="UTF-8""#)
                #expect(!answer.body.contains(server.secret))
            }
            #expect(try await server.redeem(token).status == .ok)
        }
    }

    @Test("a private_key_jwt is good in place of the secret, once, and only if it is signed for us by the app's key")
    func assertion() async throws {
        try await OpenIDWorld.visit { world in
            func ask(_ assertion: String, of provider: OpenIDProvider?) async throws -> Exchange {
                let routes = ServerAPIEndpoints(service: world.authority, provider: provider).routes
                return try await Exchange.send(
                    PublicServer.router("server", routes: routes), .get, ServerAPIEndpoints.Path.app.rawValue,
                    headers: [.authorization: "Bearer \(assertion)"], from: ("203.0.113.7", 40001))
            }
            let assertion = try world.assertion()
            #expect(try await ask(assertion, of: nil).code == "sign_missing", "nobody checks assertions here")
            let answer = try await ask(assertion, of: world.provider)
            #expect(answer.status == .ok && answer.json["id"] == .string(world.bank.record.id.rawValue))
            for refused in [
                assertion, try world.assertion(audience: "https://other.example"),
                try world.assertion(key: P256.Signing.PrivateKey()), "x",
                try world.assertion(subject: world.shop.record.id.rawValue),
            ] {
                let answer = try await ask(refused, of: world.provider)
                #expect(answer.status == .unauthorized && answer.code == "app_key_wrong", "\(refused)")
            }
        }
    }

    @Test(
        """
        a wrong assertion does not say whether its app exists or how it authenticates; a right one is told what is wrong
        """
    )
    func whoseAssertion() async throws {
        try await OpenIDWorld.visit { world in
            func ask(_ assertion: String, in language: String) async throws -> Exchange {
                let routes = ServerAPIEndpoints(service: world.authority, provider: world.provider).routes
                return try await Exchange.send(
                    PublicServer.router("server", routes: routes), .get, ServerAPIEndpoints.Path.app.rawValue,
                    headers: [.authorization: "Bearer \(assertion)", .acceptLanguage: language],
                    from: ("203.0.113.7", 40001))
            }
            for language in ["en", "zh"] {
                var answers: Set<String> = []
                for id in [world.bank.record.id, world.shop.record.id, AppID(rawValue: "999999999999")!] {
                    let claims = JSON.object(["iss": .string(id.rawValue), "sub": .string(id.rawValue)])
                    answers.insert(
                        try await ask(
                            try world.signed(claims, algorithm: "ES256", key: P256.Signing.PrivateKey()), in: language
                        )
                        .body)
                }
                #expect(answers.count == 1)
            }
            let late = try await ask(try world.assertion(audience: "https://other.example"), in: "en")
            #expect(late.body.contains("aud"))
        }
    }

    @Test("a server at another address, and an app that is suspended, are refused")
    func admission() async throws {
        try await served { server in
            let elsewhere = try await server.send(.app, from: "198.51.100.1")
            #expect(elsewhere.status == .forbidden && elsewhere.code == "server_address_not_allowed")
            try await server.world.change { $0.allowed = false }
            let suspended = try await server.send(.app)
            #expect(suspended.status == .forbidden && suspended.code == "app_not_allowed")
        }
    }

    @Test("an app learns by its credentials what it is registered for")
    func app() async throws {
        try await served { server in
            let answer = try await server.send(.app)
            #expect(
                answer.json
                    == .object([
                        "id": .string(server.world.app.record.id.rawValue),
                        "name": .string(server.world.app.record.name),
                        "capabilities": .array(["login", "verification"]),
                        "leastAssurance": "net",
                    ]))
        }
    }

    @Test(
        "a malformed request is told which member is wrong, and spends nothing",
        arguments: [
            ("", "malformed_request", nil), ("[]", "malformed_request", nil), ("{", "malformed_request", nil),
            ("{}", "token_missing", "token"), (#"{"token":null}"#, "token_missing", "token"),
            (#"{"token":7}"#, "parameter_invalid", "token"), (#"{"token":"x y"}"#, "token_malformed", "token"),
            (#"{"token":"TOKEN"}"#, "number_missing", "number"),
            (#"{"token":"TOKEN","number":"13800000001"}"#, "number_malformed", "number"),
            (#"{"token":"TOKEN","number":"+86 13800000001"}"#, "number_malformed", "number"),
            (#"{"token":"TOKEN","numberHash":"00"}"#, "number_hash_malformed", "numberHash"),
            (#"{"token":"TOKEN","number":"+8613800000001","numberHash":"00"}"#, "parameter_invalid", "number"),
        ] as [(String, String, String?)])
    func malformed(body: String, code: String, parameter: String?) async throws {
        try await served { server in
            let token = try await server.world.token(.verification).token
            let answer = try await server.send(.verify, body.replacingOccurrences(of: "TOKEN", with: token))
            #expect(answer.status == .badRequest && answer.code == code)
            #expect(answer.json["param"]?.stringValue == parameter)
            #expect(answer.json["detail"]?.stringValue?.isEmpty == false)
            let good = try await server.send(.verify, #"{"token":"\#(token)","number":"+8613800000001"}"#)
            #expect(good.json["isSame"] == true)
        }
    }

    @Test("another content type, a body that is too large and an odd Idempotency-Key are refused")
    func form() async throws {
        try await served { server in
            let form = try await server.send(.redeem, "token=x", type: "application/x-www-form-urlencoded")
            #expect(form.status == .badRequest && form.code == "malformed_request")
            let large = try await server.send(.redeem, String(repeating: " ", count: 4097))
            #expect(large.status == .contentTooLarge && large.headers[.connection] == "close")
            let token = try await server.world.token().token
            for key in ["", "a b", String(repeating: "k", count: 256)] {
                let answer = try await server.redeem(token, key: key)
                #expect(answer.code == "parameter_invalid" && answer.json["param"] == "Idempotency-Key", "\(key)")
            }
            #expect(try await server.redeem(token, key: String(repeating: "k", count: 255)).status == .ok)
        }
    }

    @Test("title, detail and remedy are in the caller's language", arguments: ["en", "zh-CN"])
    func language(_ tag: String) async throws {
        try await served { server in
            var headers: HTTPFields = [:]
            headers[.acceptLanguage] = tag
            let spent = try await server.world.token().token
            _ = try await server.redeem(spent)
            for body in ["{}", #"{"token":"\#(spent)"}"#] {
                let answer = try await server.send(.redeem, body, headers: headers)
                for member in ["title", "detail", "remedy"] {
                    let isEnglish = answer.json[member]?.stringValue?.utf8.allSatisfy { $0 < 0x80 }
                    #expect(isEnglish == (tag == "en"), "\(member)")
                }
            }
        }
    }
}
