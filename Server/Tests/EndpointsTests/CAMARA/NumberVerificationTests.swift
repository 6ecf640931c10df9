import Crypto
import HTTPTypes
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import OpenIDProvider
@testable import ServerHTTP

/// number-verification 2.1.0 with the rules of 2.1.1.
@Suite("CAMARA's number verification")
struct NumberVerificationTests {
    private typealias World = OpenIDWorld

    @Test("the phone's own number is true and any other is false, in the clear and hashed in either case")
    func verify() async throws {
        try await World.visitBank { world in
            let claims = [
                (World.plain(), true), (World.plain(World.otherNumber), false), (World.hashed(), true),
                (World.hashed(uppercase: true), true), (World.hashed(World.otherNumber), false),
                (#"{"phoneNumber":"+346661113334"}"#, false), (#"{"phoneNumber":"+13800000001"}"#, false),
            ]
            for (body, isSame) in claims {
                let answer = try await world.camara(.verify, try await world.networkToken(World.verify), body)
                #expect(answer.status == .ok && answer.headers[.cacheControl] == "no-store")
                #expect(answer.json == .object(["devicePhoneNumberVerified": .bool(isSame)]))
            }
            let lines = try await world.store.ledgerEntries(app: world.bank.record.id, limit: 9)
            #expect(lines.map(\.interface) == Array(repeating: "number-verification.verify", count: claims.count))
            #expect(lines.map(\.result).reversed() == claims.map { $0.1 ? "matched" : "differs" })
        }
    }

    @Test("the hash is of the number with its plus sign, as the specification says and its own example does not")
    func hashVector() throws {
        let hash = try #require(
            Hexadecimal.decode("b49f9168e8a886ffd61a090b51a26e117717f5f6fa804af49ea67043a2bfa4f0"))
        #expect(ClaimedNumber.hashed(hash).isNumber(PhoneNumber("+123456789")!))
        let example = try #require(
            Hexadecimal.decode("32f67ab4e4312618b09cd23ed8ce41b13e095fe52b73b2e8da8ef49830e50dba"))
        #expect(!ClaimedNumber.hashed(example).isNumber(PhoneNumber("+123456789")!))
    }

    @Test("a token answers once, also when it is shown at once by many; one that is not spent would answer again")
    func once() async throws {
        try await World.visitBank { world in
            let token = try await world.networkToken(World.verify)
            let answers = try await withThrowingTaskGroup(of: Exchange.self) { group in
                for _ in 0..<16 { group.addTask { try await world.camara(.verify, token, World.plain()) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count { $0.status == .ok } == 1)
            #expect(answers.count { $0.status == .unauthorized && $0.code == "UNAUTHENTICATED" } == 15)
            #expect(try await world.camara(.verify, token, World.plain()).camaraError == "401 UNAUTHENTICATED")
            #expect(
                answers.first { $0.status == .unauthorized }?.headers[.wwwAuthenticate]?.hasPrefix("Bearer") == true)
            // The double: a lookup that says "live" and writes nothing, as most resource servers have it.
            let other = try await world.networkToken(World.verify)
            let call = OpenIDProvider.BearerCall(authorization: "Bearer \(other)", peer: nil)
            for _ in 0..<2 { _ = try await world.provider.numberVerification.tokens.token(call, for: [.verify]) }
        }
    }

    @Test("a wrong number uses the token up as a right one does, so that numbers cannot be tried against it")
    func wrongNumberSpends() async throws {
        try await World.visitBank { world in
            let token = try await world.networkToken(World.verify)
            let wrong = try await world.camara(.verify, token, World.plain(World.otherNumber))
            #expect(wrong.json["devicePhoneNumberVerified"] == false)
            for body in [World.plain(), World.plain(World.otherNumber)] {
                #expect(try await world.camara(.verify, token, body).camaraError == "401 UNAUTHENTICATED")
            }
            let lines = try await world.store.ledgerEntries(app: world.bank.record.id, limit: 9)
            #expect(lines.map(\.result) == ["differs"])
            // The double: a look that says no and spends nothing.
            let other = try await world.networkToken(World.verify)
            let call = OpenIDProvider.BearerCall(authorization: "Bearer \(other)", peer: nil)
            let tried = [World.otherNumber, World.number].map { ClaimedNumber.plain("+\($0.e164)") }
            var answers: [Bool] = []
            let tokens = world.provider.numberVerification.tokens
            for claim in tried {
                let seen = try await tokens.token(call, for: [.verify])
                answers.append(claim.isNumber(try tokens.number(of: try await tokens.person(of: seen), seen)))
            }
            #expect(answers == [false, true])
        }
    }

    @Test("a token lives 300 seconds and nothing renews it")
    func life() async throws {
        try await World.visitBank { world in
            let answer = try await world.networkTokens("openid offline_access \(World.verify) \(World.purpose)")
            #expect(answer.json["expires_in"] == 300 && answer.json["refresh_token"] == nil)
            #expect(answer.json["scope"]?.stringValue == "openid \(World.verify) \(World.purpose)")
            let token = try #require(answer.json["access_token"]?.stringValue)
            let refused = try await world.bankToken(["grant_type": "refresh_token", "refresh_token": token])
            #expect(refused.error == "unsupported_grant_type")
            world.clock.advance(by: .seconds(300))
            #expect(try await world.camara(.verify, token, World.plain()).camaraError == "401 UNAUTHENTICATED")
            // Its age is told before what it was never good for: who asks again gets another token and is told then.
            #expect(try await world.camara(.devicePhoneNumber, token).camaraError == "401 UNAUTHENTICATED")
        }
    }

    @Test(
        "a body that is not exactly what is defined is refused, and the token stays good",
        arguments: [
            "{}", "[]", "null", #""x""#, "", "{", #"{"phoneNumber":"13800000001"}"#,
            #"{"phoneNumber":"+8613800000001","hashedPhoneNumber":null}"#, #"{"phoneNumber":null}"#,
            #"{"phoneNumber":"+8613800000001","x":1}"#, #"{"x":1}"#, #"{"phoneNumber":8613800000001}"#,
            #"{"phoneNumber":"+0613800000001"}"#, #"{"phoneNumber":"+123"}"#, #"{"phoneNumber":"+1234567890123456"}"#,
            #"{"phoneNumber":"+8613800000001 "}"#, #"{"phoneNumber":"+86138０0000001"}"#,
            #"{"hashedPhoneNumber":"abc"}"#,
            #"{"phoneNumber":"+8613800000001","hashedPhoneNumber":"\#(String(repeating: "a", count: 64))"}"#,
            #"{"phoneNumber":"+8613800000001","phoneNumber":"+8613800000001"}"#,
            #"{"hashedPhoneNumber":"\#(String(repeating: "g", count: 64))"}"#,
            #"{"phoneNumber":"+8613800000001","pad":"\#(String(repeating: "x", count: 5000))"}"#,
        ])
    func bodies(_ body: String) async throws {
        try await World.visitBank { world in
            let token = try await world.networkToken(World.verify)
            #expect(try await world.camara(.verify, token, body).camaraError == "400 INVALID_ARGUMENT")
            let text = try await world.camara(.verify, token, World.plain(), headers: [.contentType: "text/plain"])
            #expect(text.camaraError == "400 INVALID_ARGUMENT")
            #expect(try await world.camara(.verify, token, World.plain()).status == .ok)
        }
    }

    @Test("x-correlator comes back with every answer, and one that breaks its pattern is refused")
    func correlator() async throws {
        try await World.visitBank { world in
            func send(_ value: String, token: String?) async throws -> Exchange {
                try await world.camara(.verify, token, World.plain(), headers: [Correlator.header: value])
            }
            let good = [
                "b4333c46-49c0-4f62-80d7-f0ef930f1c46", "", "a_:;./<>{}-Z9", String(repeating: "x", count: 256),
            ]
            for value in good {
                let answer = try await send(value, token: try await world.networkToken(World.verify))
                #expect(answer.status == .ok && answer.headers[Correlator.header] == value)
                #expect(try await send(value, token: nil).headers[Correlator.header] == value)
            }
            let token = try await world.networkToken(World.verify)
            for value in ["a b", "a,b", "é", "a\"", String(repeating: "x", count: 257)] {
                let answer = try await send(value, token: token)
                #expect(answer.camaraError == "400 INVALID_ARGUMENT" && answer.headers[Correlator.header] == nil)
            }
            let plain = try await world.camara(.verify, token, World.plain())
            #expect(plain.status == .ok && plain.headers[Correlator.header] == nil)
        }
    }

    @Test("the number, whose answer a token buys once, is not there for HEAD, which spends nothing")
    func headOfNumber() async throws {
        try await World.visitBank { world in
            let token = try await world.networkToken(World.readNumber)
            let head = try await Exchange.send(
                PublicServer.router("server", routes: CAMARAEndpoints(provider: world.provider).routes), .head,
                CAMARAEndpoints.Path.devicePhoneNumber.rawValue, headers: [.authorization: "Bearer \(token)"],
                from: ("203.0.113.7", 5))
            #expect(head.status == .methodNotAllowed && head.body.isEmpty && head.headers[.allow] == "GET")
            #expect(try await world.camara(.devicePhoneNumber, token).status == .ok)
        }
    }

    @Test(
        "x-correlator comes back with another method and from another address of the interface, and from nowhere else")
    func correlatorElsewhere() async throws {
        try await World.visitBank { world in
            func send(_ method: HTTPRequest.Method, _ path: String, _ value: String = "abc") async throws -> Exchange {
                try await Exchange.send(
                    PublicServer.router("server", routes: CAMARAEndpoints(provider: world.provider).routes), method,
                    path,
                    headers: [Correlator.header: value], from: ("203.0.113.7", 5))
            }
            for path in CAMARAEndpoints.Path.allCases {
                let answer = try await send(.delete, path.rawValue)
                #expect(answer.status == .methodNotAllowed && answer.headers[.allow] != nil)
                #expect(answer.headers[Correlator.header] == "abc", "\(path)")
            }
            for path in ["/sim-swap/v2/subscriptions", "/sim-swap/v1/check", "/number-verification/x"] {
                let answer = try await send(.post, path)
                #expect(answer.status == .notFound && answer.headers[Correlator.header] == "abc", "\(path)")
            }
            #expect(try await send(.post, "/sim-swap/v2/x", "a b").headers[Correlator.header] == nil)
            #expect(try await send(.post, "/sim-swapped").headers[Correlator.header] == nil)
        }
    }

    @Test("a token that is missing, unknown, of another interface or of a person's page login opens nothing")
    func wrongTokens() async throws {
        try await World.visitBank { world in
            for token in [nil, "", "x", String(repeating: "a", count: 43)] as [String?] {
                #expect(try await world.camara(.verify, token, World.plain()).camaraError == "401 UNAUTHENTICATED")
                #expect(try await world.camara(.devicePhoneNumber, token).camaraError == "401 UNAUTHENTICATED")
            }
            let swap = try await world.camara(.verify, try await world.networkToken("sim-swap"), World.plain())
            #expect(swap.status == .forbidden && swap.code == "PERMISSION_DENIED")
            let read = try await world.networkToken(World.readNumber)
            #expect(try await world.camara(.verify, read, World.plain()).camaraError == "403 PERMISSION_DENIED")
            let verify = try await world.networkToken(World.verify)
            #expect(try await world.camara(.devicePhoneNumber, verify).camaraError == "403 PERMISSION_DENIED")
            #expect(try await world.userInfo(verify).error == "invalid_token", "it has no openid")
            let login = try await world.accessToken()
            #expect(try await world.camara(.verify, login, World.plain()).camaraError == "403 PERMISSION_DENIED")
            #expect(try await world.userInfo(login).status == .ok, "nothing was spent by the attempt")
        }
    }

    @Test("a token that the mobile network did not earn would be refused even if one were issued")
    func notByNetwork() async throws {
        try await World.visitBank { world in
            for (scope, path) in [(World.verify, CAMARAEndpoints.Path.verify), (World.readNumber, .devicePhoneNumber)] {
                let forged = try await world.replace(try await world.networkToken(scope)) { credential in
                    credential.details =
                        OpenIDGrant(scopes: [scope, World.purpose], issuedAt: world.clock.now).json.text
                }
                let answer = try await world.camara(path, forged, path == .verify ? World.plain() : nil)
                #expect(
                    answer.camaraError == "403 NUMBER_VERIFICATION.USER_NOT_AUTHENTICATED_BY_MOBILE_NETWORK"
                        && answer.code == "NUMBER_VERIFICATION.USER_NOT_AUTHENTICATED_BY_MOBILE_NETWORK")
            }
        }
    }

    @Test(
        """
        the number without a page needs the app's explicit grant, when it is asked for and when it is given; each is \
        told
        """
    )
    func devicePhoneNumber() async throws {
        try await World.visitBank { world in
            let answer = try await world.camara(
                .devicePhoneNumber, try await world.networkToken(World.readNumber))
            #expect(answer.json == .object(["devicePhoneNumber": "+8613800000001"]))
            let lines = try await world.store.ledgerEntries(app: world.bank.record.id, limit: 9)
            #expect(lines.map(\.result) == ["released-without-page"])
            let late = try await world.networkToken(World.readNumber)
            try await world.changeBank { $0.legacyNumberWithoutPage = false }
            #expect(try await world.camara(.devicePhoneNumber, late).camaraError == "403 PERMISSION_DENIED")
            let refused = try await world.askNetwork("\(World.readNumber) \(World.purpose)")
            #expect(refused.landing["error"] == "unauthorized_client" && refused.landing["code"] == nil)
            #expect(try await world.askNetwork("\(World.verify) \(World.purpose)").landing["code"] != nil)
        }
    }

    @Test(
        "a token dies with the SIM, the owner and the address that earned it", arguments: ["sim", "owner", "address"])
    func deaths(_ change: String) async throws {
        try await World.visitBank { world in
            let token = try await world.networkToken(World.verify)
            switch change {
            case "sim": try await world.attach(World.number, at: World.phone, imsi: "460000000000009", binding: 9)
            case "owner": _ = try await world.register.reassign(World.number, at: world.clock.now)
            default: try await world.register.revoke([BindingID(rawValue: 7)])
            }
            #expect(try await world.camara(.verify, token, World.plain()).camaraError == "401 UNAUTHENTICATED")
        }
    }

    @Test("a suspended app, a used-up quota, a store that does not answer and a fault of ours have their codes")
    func troubles() async throws {
        try await World.visitBank { world in
            let tokens = [
                try await world.networkToken(World.verify), try await world.networkToken(World.verify),
                try await world.networkToken(World.verify),
            ]
            try await world.changeBank { $0.suspended = true }
            let denied = try await world.camara(.verify, tokens[0], World.plain())
            #expect(denied.camaraError == "403 PERMISSION_DENIED")
            try await world.changeBank {
                $0.suspended = false
                $0.dailyQuota = 1
            }
            #expect(try await world.camara(.verify, tokens[0], World.plain()).status == .ok)
            let over = try await world.camara(.verify, tokens[1], World.plain())
            #expect(over.camaraError == "429 QUOTA_EXCEEDED" && over.code == "QUOTA_EXCEEDED")
            let damaged = try await world.replace(tokens[2]) { $0.details = "{}" }
            let fault = try await world.camara(.verify, damaged, World.plain())
            #expect(fault.camaraError == "500 INTERNAL" && fault.code == "INTERNAL")
            await world.store.close()
            let closed = try await world.camara(.verify, tokens[1], World.plain())
            #expect(closed.camaraError == "503 UNAVAILABLE" && closed.code == "UNAVAILABLE")
        }
    }

    @Test("neither number nor hash is written into the log, the trace or the ledger")
    func secrets() async throws {
        try await World.visitBank { world in
            _ = try await world.camara(.verify, try await world.networkToken(World.verify), World.hashed())
            let entry = try #require(try await world.store.ledgerEntries(app: world.bank.record.id, limit: 1).first)
            let events = try await world.store.traceEvents(entry.trace)
            #expect(events.map(\.step) == ["sighting", "openid.code", "openid.token", "number-verification.verify"])
            for text in events.map(\.detail) + [entry.result, entry.interface] {
                #expect(!text.contains("13800000001") && !text.contains(World.hashed().dropFirst(22).prefix(20)))
            }
        }
    }
}
