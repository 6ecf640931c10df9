import Crypto
import Foundation
import GRDB
import HTTPTypes
import ServerTestKit
import ShortMessages
import Store
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import OpenIDProvider
@testable import StoreSQLite

/// Requests of an app's server to a person on their phone (CIBA), step by step.
@Suite("Backchannel requests of OpenID Connect")
struct BackchannelTests {
    private typealias World = BackchannelWorld

    @Test(
        """
        a person agrees on their phone and the app's server, which polls, gets tokens: once, with the account, by the \
        network
        """
    )
    func agreed() async throws {
        try await World.visit { here in
            let answer = try await here.ask()
            #expect(answer.status == .ok)
            #expect(answer.json["expires_in"] == 300 && answer.json["interval"] == 5)
            let id = try #require(answer.json["auth_req_id"]?.stringValue)
            #expect(try await here.poll(id).error == "authorization_pending")
            let page = try await here.page()
            #expect(page.status == .ok && page.words.contains("Shop") && page.words.contains("K-12"))
            #expect(page.words.contains("your account at the app"))
            here.world.clock.advance(by: .seconds(6))
            let decided = try await here.decide(page)
            #expect(decided.status == .seeOther && decided.location == "/openid/requests")
            #expect(try await here.page().words.contains("Nothing waits"))
            let tapped = here.world.clock.now.seconds
            here.world.clock.advance(by: .seconds(3))
            let tokens = try await here.poll(id)
            #expect(tokens.status == .ok && tokens.json["scope"] == "openid")
            let claims = tokens.claims("id_token")
            let row = try #require(try await here.world.register.subscription(of: OpenIDWorld.number))
            #expect(
                claims["sub"]?.stringValue == here.world.authority.vault.openID(row, app: here.world.shop.record.id))
            #expect(claims["acr"] == "urn:benji:net" && claims["amr"]?.arrayValue == ["nba"])
            #expect(claims["auth_time"]?.integerValue == tapped)
            let access = try #require(tokens.json["access_token"]?.stringValue)
            let person = try await here.world.userInfo(access).json
            #expect(person["sub"] == claims["sub"] && person["phone_number"] == nil)
            #expect(try await here.poll(id).error == "invalid_grant", "used twice")
            #expect(try await here.world.userInfo(access).status == .ok, "what the first bought stays")
        }
    }

    @Test("what the person agreed to is kept as the authority's signed word, with what they read")
    func evidence() async throws {
        try await World.visit { here in
            _ = try await here.request()
            try await here.tap()
            let row = try #require(try await here.world.register.subscription(of: OpenIDWorld.number))
            let kept = try await here.world.store.subscriberRecords(row.id, epoch: row.epoch)
            let record = try CompactJWS(parsing: try #require(kept.consents.last).record)
            #expect(record.header["typ"] == "benji-backchannel-consent+jwt")
            #expect(record.isSigned(by: here.world.authority.vault.receiptKey))
            #expect(record.payload["bindingMessage"] == "K-12")
            let content = try ConsentContent(try #require(record.payload["content"]))
            #expect(content.digest == kept.consents.last?.contentDigest && !content.initiallyTicked)
            #expect(content.texts.map(\.text).contains("K-12") && content.texts.first?.text == "Shop")
            #expect(Set(kept.credentials.map(\.kind)) == ["openid backchannel", "openid agreed"])
        }
    }

    @Test("a person refuses: the app's server hears access_denied, and may not ask this number again for ten minutes")
    func refused() async throws {
        try await World.visit { here in
            let id = try await here.request()
            try await here.tap("no")
            let denied = try await here.poll(id)
            #expect(denied.error == "access_denied" && denied.status == .badRequest)
            let again = try await here.ask()
            #expect(again.error == "access_denied" && again.status == .forbidden)
            #expect(try await here.ask(provider: here.another()).error == "access_denied", "nor by another node")
            #expect(try await here.ask(["login_hint": World.otherHint]).status == .ok, "another number")
            here.world.clock.advance(by: .seconds(600))
            #expect(try await here.ask().status == .ok)
        }
    }

    @Test(
        """
        a no holds for ten minutes of its own, however long ago the app had asked; the naive limit begins with the \
        request
        """
    )
    func refusedLate() async throws {
        try await World.visit { here in
            _ = try await here.request()
            here.world.clock.advance(by: .seconds(290))
            try await here.tap("no")
            here.world.clock.advance(by: .seconds(311))
            #expect(try await here.ask().error == "access_denied", "the request's place would be free again")
            here.world.clock.advance(by: .seconds(290))
            #expect(try await here.ask().status == .ok)
        }
    }

    @Test(
        """
        with a purpose a person's yes buys one answer of sim-swap about their own number, and number verification never
        """
    )
    func simSwap() async throws {
        try await World.visit { here in
            let asked = ["scope": World.simSwap, "login_hint": World.hint, "binding_message": "not\nshown"]
            let answer = try await here.bank(.backchannel, asked)
            let id = try #require(answer.json["auth_req_id"]?.stringValue, "\(answer.body)")
            let page = try await here.page()
            #expect(page.words.contains("another SIM card") && page.words.contains("FraudPreventionAndDetection"))
            #expect(!page.words.contains("shown"), "CAMARA's profile has no binding message")
            #expect(try await here.decide(page).status == .seeOther)
            let tokens = try await here.bankPoll(id)
            #expect(tokens.claims("id_token")["sub"]?.stringValue != nil)
            let access = try #require(tokens.json["access_token"]?.stringValue)
            let named = try await here.world.camara(
                .checkSIMSwap, access, OpenIDWorld.plain(), provider: here.provider)
            #expect(named.camaraError == "422 UNNECESSARY_IDENTIFIER")
            let told = try await here.world.camara(.checkSIMSwap, access, "{}", provider: here.provider)
            #expect(told.json["swapped"] == true)
            let second = try await here.world.camara(.checkSIMSwap, access, "{}", provider: here.provider)
            #expect(second.camaraError == "401 UNAUTHENTICATED")
            for scope in [OpenIDWorld.verify, OpenIDWorld.readNumber, "one-time-password-sms:send-validate"] {
                let form = ["scope": "\(scope) \(OpenIDWorld.purpose)", "login_hint": World.hint]
                #expect(try await here.bank(.backchannel, form).error == "invalid_scope", "\(scope)")
            }
            let without = ["scope": "sim-swap:check", "login_hint": World.hint]
            #expect(try await here.bank(.backchannel, without).error == "invalid_scope", "no purpose")
        }
    }

    @Test("a signed request counts by what is in it, once, and only for this endpoint")
    func signed() async throws {
        try await World.visit { here in
            func object(_ audience: String, _ hint: String = World.hint) throws -> String {
                try here.world.requestObject(
                    [
                        "aud": .string(audience), "redirect_uri": nil, "response_type": nil, "state": nil,
                        "code_challenge": nil, "code_challenge_method": nil, "scope": "openid",
                        "login_hint": .string(hint), "binding_message": "signed", "requested_expiry": 60,
                    ]) { try here.world.signed($0) }
            }
            let good = try object(OpenIDWorld.issuer + "/openid/bc-authorize")
            let answer = try await here.bank(
                .backchannel, ["request": good, "binding_message": "beside it", "requested_expiry": "500"])
            #expect(answer.status == .ok && answer.json["expires_in"] == 60)
            #expect(try await here.page().words.contains("signed"))
            #expect(try await here.bank(.backchannel, ["request": good]).error == "invalid_request_object", "again")
            let elsewhere = try object(OpenIDWorld.pages + "/openid/authorize")
            #expect(try await here.bank(.backchannel, ["request": elsewhere]).error == "invalid_request_object")
            let uri = ["request_uri": "https://bank.example/request"]
            #expect(try await here.bank(.backchannel, uri).error == "request_uri_not_supported")
        }
    }

    @Test(
        "what is wrong with a request is told, and in the standard's words",
        arguments: [
            (["login_hint": nil], "invalid_request"), (["login_hint": "tel:13800000001"], "invalid_request"),
            (["login_hint": "tel:+86 138 0000 0001"], "invalid_request"),
            (["login_hint": "mailto:a@b.example"], "invalid_request"),
            (["login_hint": "ipport:80.90.34.2:16790"], "unknown_user_id"),
            (["login_hint": "operatortoken:x"], "unknown_user_id"),
            (["id_token_hint": "x.y.z"], "invalid_request"), (["login_hint_token": "x"], "invalid_request"),
            (["scope": nil], "invalid_request"), (["scope": "profile"], "invalid_scope"),
            (["scope": "openid phone"], "invalid_scope"),
            (["binding_message": String(repeating: "x", count: 61)], "invalid_binding_message"),
            (["binding_message": "K-12\n100 CNY"], "invalid_binding_message"),
            (["binding_message": "K-12\u{202E}21-K"], "invalid_binding_message"),
            (["binding_message": "  "], "invalid_binding_message"),
            (["binding_message": "K-12 "], "invalid_binding_message"),
            (["binding_message": "K\u{301}\u{302}\u{303}\u{304}\u{305}"], "invalid_binding_message"),
            (["requested_expiry": "soon"], "invalid_request"), (["requested_expiry": "0"], "invalid_request"),
        ] as [([String: String?], String)])
    func mistakes(_ changes: [String: String?], _ error: String) async throws {
        try await World.visit { here in
            let answer = try await here.ask(changes)
            #expect(answer.error == error && answer.status == .badRequest, "\(answer.body)")
            #expect(!answer.body.contains("138"))
            #expect(try here.world.storedDetails(kind: "backchannel").isEmpty)
        }
    }

    @Test("an app that may not ask, or no more, is refused, and what it had asked is neither shown nor exchanged")
    func registration() async throws {
        try await World.visit { here in
            let id = try await here.request()
            try await here.setShop(nil)
            #expect(try await here.ask().error == "unauthorized_client")
            #expect(try await here.poll(id).error == "unauthorized_client")
            #expect(try await here.page().words.contains("Nothing waits"))
            try await here.setShop(BackchannelRegistration(delivery: .poll))
            _ = try await here.request()
            #expect(try await !here.page().words.contains("Nothing waits"))
            try await here.world.changeShop(app: { $0.leastAssurance = .netApp })
            #expect(try await here.ask().error == "unauthorized_client", "a browser earns less")
            #expect(try await here.page().words.contains("Nothing waits"), "and what it asked before is not shown")
        }
    }

    @Test(
        "fifty requests are shown at once, one less after a decision, and none while the store fails"
    )
    func shown() async throws {
        try await World.visit { here in
            let world = here.world
            let id = try await here.request()
            var credential = try #require(
                try await world.store.openIDCredential(CredentialHash(of: id, .openID)).credential)
            for number in 1...50 as ClosedRange<UInt8> {
                credential.hash = CredentialHash(bytes: [UInt8](repeating: number, count: 32))
                credential.family = Int64(number)
                try await world.store.insertOpenIDCredential(credential)
            }
            let page = try await here.page()
            #expect(page.body.matches(of: /name="request"/).count == 50)
            let phone = try #require(InternetAddress(OpenIDWorld.phone))
            let call = OpenIDProvider.BrowserCall(
                cookies: [:], languages: ["en"],
                sighting: await world.sighting(from: phone, port: 1, claimedLocalAddress: nil))
            let waiting = try await here.provider.requests(deciding: nil, call)
            let decision = BackchannelDecision(family: waiting[7].family, digest: waiting[7].digest, isYes: true)
            let left = try await here.provider.requests(deciding: decision, call)
            #expect(left == Array(waiting[..<7] + waiting[8...]))
            try await world.store.pool.write { try $0.execute(sql: "ALTER TABLE openid_client RENAME TO elsewhere") }
            let down = try await here.page()
            #expect(down.status == .serviceUnavailable && !down.words.contains("Nothing waits"))
        }
    }

    @Test("a request ends by itself, by the time that was asked for within bounds, and a late yes is none")
    func expiry() async throws {
        try await World.visit { here in
            for (asked, life) in [("60", 60), ("5", 30), ("86400", 600)] as [(String, Int64)] {
                let answer = try await here.ask(["requested_expiry": asked])
                #expect(answer.json["expires_in"]?.integerValue == life)
                here.world.clock.advance(by: .seconds(600))
            }
            let id = try await here.request(["requested_expiry": "60"])
            let page = try await here.page()
            here.world.clock.advance(by: .seconds(60))
            #expect(try await here.decide(page).status != .seeOther)
            #expect(try await here.poll(id).error == "expired_token")
        }
    }

    @Test("a client with ping is told that it is decided, yes or no, with its token, and not how; then it asks")
    func ping() async throws {
        try await World.visit { here in
            try await here.setShop(
                BackchannelRegistration(delivery: .ping, notificationEndpoint: World.notification))
            for token in [nil, "short", String(repeating: "x", count: 1025), "with spaces with spaces"] {
                #expect(try await here.ask(["client_notification_token": token]).error == "invalid_request")
            }
            for (decision, ends) in [("yes", nil), ("no", "access_denied")] as [(String, String?)] {
                let id = try await here.request(["client_notification_token": World.notificationToken])
                await here.settle()
                let before = here.pings.count
                try await here.tap(decision)
                #expect(here.pings.count == before, "the person does not wait for the client")
                await here.settle()
                let ping = try #require(here.pings.dropFirst(before).first)
                #expect(ping.endpoint == World.notification && ping.token == World.notificationToken)
                #expect(ping.payload == #"{"auth_req_id":"\#(id)"}"#)
                #expect("\(ping)" == "BackchannelPing(\(here.world.shop.record.id))")
                #expect(try await here.poll(id).error == ends)
            }
        }
    }

    @Test("what the store keeps of a request names neither its number, nor its auth_req_id, nor the client's token")
    func kept() async throws {
        try await World.visit { here in
            try await here.setShop(
                BackchannelRegistration(delivery: .ping, notificationEndpoint: World.notification))
            let id = try await here.request(["client_notification_token": World.notificationToken])
            let details = try here.world.storedDetails(kind: "backchannel")
            #expect(details.count == 1)
            for secret in [id, World.notificationToken, "13800000001"] {
                #expect(!details[0].contains(secret))
                #expect(!details[0].contains(Base64URL.encode(Array(secret.utf8)).dropLast(2)))
            }
        }
    }

    @Test("a request and a yes outlive a restart and are known to every node")
    func nodes() async throws {
        try await World.visit { here in
            let id = try await here.request()
            let page = try await here.page(provider: here.another())
            #expect(try await here.decide(page, provider: here.another()).status == .seeOther)
            #expect(try await here.poll(id, provider: here.another()).status == .ok)
            #expect(try await here.poll(id).error == "invalid_grant")
        }
    }

    @Test(
        """
        the number's own phone is told by SMS where the request waits, without a secret, of apps that may have \
        messages sent
        """
    )
    func message() async throws {
        try await World.visit { here in
            _ = try await here.request()
            await here.settle()
            #expect(here.sender.messages.isEmpty)
            try await here.world.changeShop(app: { $0.capabilities.insert(.smsCodes) })
            let id = try await here.request()
            #expect(here.sender.messages.isEmpty, "whoever asks does not wait for it")
            await here.settle()
            let message = try #require(here.sender.messages.first)
            #expect(message.to == OpenIDWorld.number)
            #expect(message.text.contains("Shop") && message.text.contains(OpenIDWorld.pages + "/openid/requests "))
            #expect(!message.text.contains(id) && !message.text.contains("K-12"))
            _ = try await here.ask(["login_hint": World.nobodysHint])
            await here.settle()
            #expect(here.sender.messages.count == 1, "a number that the register does not know")
        }
    }

    @Test("no notice goes to a number of a range that no phone has, although the register has a subscriber with it")
    func unassignedRange() async throws {
        try await World.visit { here in
            try await here.world.changeShop(app: { $0.capabilities.insert(.smsCodes) })
            for (place, digits) in ["15400000001", "15300000001"].enumerated() {
                try await here.world.attach(
                    try #require(PhoneNumber(digits)), at: "10.0.0.\(20 + place)", imsi: "46000000000002\(place)",
                    binding: Int64(20 + place))
                _ = try await here.request(["login_hint": "tel:+86\(digits)"])
            }
            await here.settle()
            #expect(here.sender.messages.map(\.to.e164) == ["8615300000001"])
        }
    }
}
