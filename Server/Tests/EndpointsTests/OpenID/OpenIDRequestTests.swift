import BenjiPage
@_spi(Server) import BenjiProtocol
import Store
import Testing

@testable import OpenIDProvider

/// The reading of requests, and the parts of them that are kept, without a server.
struct OpenIDRequestTests {
    private static let callback = "https://shop.example/callback"
    private static let challenge = Base64URL.encode([UInt8](repeating: 7, count: 32))

    private static func client(_ change: (inout OpenIDClientRecord) -> Void = { _ in }) -> OpenIDClientRecord {
        var client = OpenIDClientRecord(
            appID: AppID(rawValue: "300000000001")!, redirectURIs: [callback, "com.example.shop:/callback"],
            authentication: .privateKeyJWT, secrets: [], keySet: nil, idTokenAlgorithm: .es256,
            asksMiddleDigits: false, requiresPushedRequests: false, page: "{}", purposes: ["dpv:Marketing"])
        change(&client)
        return client
    }

    /// A request that is in order, with some parameters otherwise; `nil` leaves one out.
    private static func read(
        _ changes: [String: String?] = [:], _ client: OpenIDClientRecord = OpenIDRequestTests.client()
    ) throws -> AuthorizationRequest {
        var values: [String: String] = [
            "redirect_uri": callback, "response_type": "code", "scope": "openid", "code_challenge": challenge,
            "code_challenge_method": "S256",
        ]
        for (name, value) in changes { values[name] = value }
        return try AuthorizationRequest(OpenIDParameters(values: values), client: client)
    }

    @Test("each parameter of a request has its own meaning")
    func meaning() throws {
        let plain = try Self.read()
        #expect(plain.redirectURI == Self.callback && plain.state == nil && plain.nonce == nil)
        #expect(plain.scopes == ["openid"] && plain.challenge == Self.challenge && plain.keyThumbprint == nil)
        #expect(!plain.isPosted && plain.context == .network && plain.acceptsSMS && !plain.isSilent)
        #expect(plain.acceptsRemembered && plain.maximumAge == nil && plain.languages.isEmpty)
        #expect(!plain.isWithoutPage)
        let rich = try Self.read([
            "state": "s", "nonce": "n", "scope": "phone openid email", "dpop_jkt": Self.challenge,
            "response_mode": "form_post", "prompt": "none", "max_age": "0", "acr_values": "urn:benji:net:digits",
            "ui_locales": "zh-CN en",
        ])
        #expect(rich.state == "s" && rich.nonce == "n" && rich.scopes == ["openid", "phone"])
        #expect(rich.keyThumbprint == Self.challenge && rich.isPosted && rich.isSilent && rich.maximumAge == 0)
        #expect(rich.context == .networkAndDigits && !rich.acceptsSMS && !rich.acceptsRemembered)
        #expect(rich.languages == ["zh-CN", "en"])
        for (prompt, remembered) in [("login", false), ("consent", false), ("select_account", false), ("none", true)] {
            let read = try Self.read(["prompt": prompt])
            #expect(read.acceptsRemembered == remembered && read.isSilent == (prompt == "none"), "\(prompt)")
        }
        for (ways, context, sms, remembered) in [
            ("urn:benji:sms", .network, true, false), ("urn:benji:net:remembered", .network, false, true),
            ("urn:benji:net", .network, false, false),
            ("urn:benji:net:digits urn:benji:sms", .networkAndDigits, true, false),
            ("urn:benji:sms urn:benji:net:digits", .network, true, false), ("unknown", .network, true, true),
        ] as [(String, AuthenticationContext, Bool, Bool)] {
            let read = try Self.read(["acr_values": ways])
            #expect(read.context == context && read.acceptsSMS == sms, "\(ways)")
            #expect(read.acceptsRemembered == remembered, "\(ways)")
        }
        // A client that always asks for the digits takes nothing weaker.
        let digits = try Self.read(["acr_values": "urn:benji:sms"], Self.client { $0.asksMiddleDigits = true })
        #expect(digits.context == .networkAndDigits && !digits.acceptsSMS && !digits.acceptsRemembered)
        // CAMARA has no page, whatever is asked for.
        let camara = try Self.read([
            "scope": "number-verification:verify dpv:Marketing", "acr_values": "urn:benji:net:digits urn:benji:sms",
        ])
        #expect(camara.isWithoutPage && camara.isSilent && camara.context == .network)
        #expect(!camara.acceptsSMS && !camara.acceptsRemembered)
        #expect(camara.scopes == ["number-verification:verify", "dpv:Marketing"])
        // PKCE may be missing where the client may do without.
        let bare = try Self.read(
            ["code_challenge": nil, "code_challenge_method": nil], Self.client { $0.requiresPKCE = false })
        #expect(bare.challenge.isEmpty)
    }

    @Test(
        "a parameter that cannot be is refused by its name",
        arguments: [
            (["redirect_uri": "https://shop.example/"], "redirect_uri"), (["redirect_uri": nil], "redirect_uri"),
            (["response_type": "token"], "response_type"), (["response_mode": "fragment"], "response_mode"),
            (["response_mode": "form_post", "redirect_uri": "com.example.shop:/callback"], "response_mode"),
            (["scope": "phone"], "scope"), (["scope": nil], "scope"),
            (["scope": "one-time-password-sms:send-validate dpv:Marketing"], "scope"),
            (["scope": "number-verification:verify"], "scope"), (["scope": "dpv:Marketing"], "scope"),
            (["scope": "number-verification:verify dpv:Other"], "scope"),
            (["scope": "openid phone number-verification:verify dpv:Marketing"], "scope"),
            (["scope": "number-verification:verify dpv:Marketing dpv:Other"], "scope"),
            (["dpop_jkt": "x"], "dpop_jkt"), (["prompt": "never"], "prompt"), (["prompt": "none login"], "prompt"),
            (["max_age": "-1"], "max_age"), (["max_age": "soon"], "max_age"),
            (["code_challenge": nil], "code_challenge"), (["code_challenge_method": "plain"], "code_challenge_method"),
            (["code_challenge": "short"], "code_challenge"),
            (["state": String(repeating: "s", count: 2049)], "state"), (["nonce": "\u{7f}"], "nonce"),
            (["state": "\n"], "state"),
        ] as [([String: String?], String)])
    func refused(changes: [String: String?], name: String) throws {
        let failure = #expect(throws: OpenIDFailure.self) { try Self.read(changes) }
        #expect(failure?.detail.hasPrefix("\(name): ") == true, "\(failure?.detail ?? "")")
    }

    @Test("a client that may do without PKCE has both of its parameters or none, and CAMARA is for one that signs")
    func clients() throws {
        let free = Self.client { $0.requiresPKCE = false }
        #expect(throws: OpenIDFailure.self) { try Self.read(["code_challenge": nil], free) }
        let state = String(repeating: "~", count: 2048)
        #expect(try Self.read(["state": state, "nonce": " "]).state == state)
        let fapi = Self.client { $0.profile = .fapi2 }
        let failure = #expect(throws: OpenIDFailure.self) { try Self.read(["response_mode": "form_post"], fapi) }
        #expect(failure?.detail == "response_mode: must be query")
        for client in [Self.client { $0.purposes = [] }, Self.client { $0.authentication = .tlsClientAuth }] {
            let failure = #expect(throws: OpenIDFailure.self) {
                try Self.read(["scope": "number-verification:verify dpv:Marketing"], client)
            }
            #expect(failure?.error == .unauthorizedClient)
        }
    }

    @Test("of a shown page everything is kept that the next step goes by")
    func shownPage() throws {
        let request = try Self.read([
            "state": "s", "nonce": "n", "scope": "openid phone", "dpop_jkt": Self.challenge,
            "response_mode": "form_post", "acr_values": "urn:benji:net:digits urn:benji:sms", "ui_locales": "en",
        ])
        var expected = request
        // Read again, a request has a page: it was neither silent nor answered from memory.
        expected.acceptsRemembered = false
        #expect(try AuthorizationRequest(request.json) == expected)
        var page = ShownPage(
            request: expected, browser: "b", language: .english, shownAt: Timestamp(seconds: 5), contentDigest: "c",
            pageDigest: "p")
        #expect(try ShownPage(page.json) == page)
        page.tappedAt = Timestamp(seconds: 6)
        (page.wrongDigits, page.subjects, page.pushed) = (2, ["a", "b"], "u")
        #expect(try ShownPage(page.json) == page)
        for flag in [
            \ShownPage.isAgreedOnSheet, \ShownPage.offersRemembering, \ShownPage.isRemembered, \ShownPage.isBySMS,
            \ShownPage.isBrief,
        ] {
            page[keyPath: flag] = true
            #expect(try ShownPage(page.json) == page)
        }
    }

    // MARK: On another device

    private static func ask(
        _ changes: [String: String?] = [:], delivery: BackchannelDelivery = .poll
    ) throws -> BackchannelRequest {
        var values = ["scope": "openid", "login_hint": "tel:+8613800000001"]
        for (name, value) in changes { values[name] = value }
        return try BackchannelRequest(
            OpenIDParameters(values: values), client: client(), BackchannelRegistration(delivery: delivery))
    }

    @Test("each parameter of a request to a person's phone has its own meaning, and CAMARA's has fewer")
    func backchannel() throws {
        let plain = try Self.ask()
        #expect(plain.number.e164 == "8613800000001" && plain.scopes == ["openid"] && plain.lifetime == 300)
        #expect(plain.bindingMessage == nil && plain.notificationToken == nil)
        let token = String(repeating: "t", count: 22)
        let changes = ["binding_message": "K-12", "requested_expiry": "31", "client_notification_token": token]
        let rich = try Self.ask(changes, delivery: .ping)
        #expect(rich.bindingMessage == "K-12" && rich.lifetime == 31 && rich.notificationToken == token)
        #expect(try Self.ask(changes).notificationToken == nil, "a client that polls is told nothing")
        let camara = try Self.ask(
            changes.merging(["scope": "openid sim-swap:check dpv:Marketing"]) { $1 }, delivery: .ping)
        #expect(camara.scopes == ["openid", "sim-swap:check", "dpv:Marketing"])
        #expect(camara.bindingMessage == nil && camara.lifetime == 300 && camara.notificationToken == token)
        for (asked, lifetime) in [("1", 30), ("29", 30), ("30", 30), ("600", 600), ("601", 600)] as [(String, Int64)] {
            #expect(try Self.ask(["requested_expiry": asked]).lifetime == lifetime)
        }
        let message = String(repeating: "m", count: 60)
        #expect(try Self.ask(["binding_message": message]).bindingMessage == message)
        for number in ["+12025550123", "+9720000000", "+123456789012345"] {
            #expect(try Self.ask(["login_hint": "tel:\(number)"]).number.e164 == number.dropFirst())
        }
    }

    @Test(
        "what a request to a person's phone cannot say is refused by its name",
        arguments: [
            (["login_hint": "tel:+0138000000"], "login_hint"), (["login_hint": "tel:+123456"], "login_hint"),
            (["login_hint": "tel:+1234567890123456"], "login_hint"), (["login_hint": "+8613800000001"], "login_hint"),
            (["login_hint": "tel:+8613800000001;x"], "login_hint"), (["requested_expiry": "-1"], "requested_expiry"),
            (["scope": "number-verification:verify dpv:Marketing"], "scope"),
            (["scope": "one-time-password-sms:send-validate dpv:Marketing"], "scope"),
            (["client_notification_token": String(repeating: "t", count: 21)], "client_notification_token"),
            (["client_notification_token": String(repeating: "t", count: 1025)], "client_notification_token"),
            (["client_notification_token": String(repeating: "t", count: 22) + " "], "client_notification_token"),
            (["client_notification_token": nil], "client_notification_token"),
        ] as [([String: String?], String)])
    func backchannelRefused(changes: [String: String?], name: String) {
        let token = String(repeating: "t", count: 1024)
        let failure = #expect(throws: OpenIDFailure.self) {
            try Self.ask(
                (["client_notification_token": token] as [String: String?]).merging(changes) { $1 }, delivery: .ping)
        }
        #expect(failure?.detail.hasPrefix("\(name): ") == true, "\(failure?.detail ?? "")")
    }

    @Test("what is kept of a request to a person's phone is read again")
    func backchannelKept() throws {
        for details in [
            BackchannelDetails(scopes: ["openid", "sim-swap"], bindingMessage: nil),
            BackchannelDetails(scopes: [], bindingMessage: "K-12", ping: Sealed(bytes: [1, 2, 3])),
        ] {
            #expect(try BackchannelDetails(details.json) == details)
        }
    }
}
