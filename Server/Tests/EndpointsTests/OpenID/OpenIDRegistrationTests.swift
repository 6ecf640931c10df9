import Authority
import BenjiPage
@_spi(Server) import BenjiProtocol
import Requests
import Store
import Testing

@testable import OpenIDProvider

/// The settings of a client that an operator decides, one by one, without a server.
struct OpenIDRegistrationTests {
    private static let app = AppID(rawValue: "300000000001")!

    /// A client of which no setting is the usual one.
    private static let unusual = OpenIDClientRecord(
        appID: app, redirectURIs: ["https://shop.example/a", "https://shop.example/b"],
        authentication: .selfSignedTLSClientAuth, secrets: [], keySet: "{\"keys\":[]}", idTokenAlgorithm: .rs256,
        asksMiddleDigits: true, requiresPushedRequests: true, page: "{}", purposes: ["dpv:Marketing"],
        frameAncestors: ["https://frame.example"], stableSubjectWithoutPage: true, requiresPKCE: false,
        bindsAccessTokens: true, certificateName: CertificateName(.dns, "client.example"), bindsToCertificate: true,
        profile: .fapi2, remembersConsent: true,
        backchannel: BackchannelRegistration(delivery: .ping, notificationEndpoint: "https://shop.example/ping"),
        revision: 7)

    @Test("what a change does not name is as the client has it")
    func kept() {
        let read = OpenIDClients.Registration(Self.unusual)
        let record = Self.unusual
        #expect(read.appID == record.appID && read.redirectURIs == record.redirectURIs)
        #expect(read.authentication == record.authentication && read.keySet == record.keySet)
        #expect(read.idTokenAlgorithm == .rs256 && read.asksMiddleDigits && read.requiresPushedRequests)
        #expect(read.purposes == record.purposes && read.frameAncestors == record.frameAncestors)
        #expect(read.stableSubjectWithoutPage && !read.requiresPKCE && read.bindsAccessTokens)
        #expect(read.certificateName == record.certificateName && read.bindsToCertificate)
        #expect(read.remembersConsent && read.profile == .fapi2 && read.backchannel == record.backchannel)
        #expect(read.presentPage == "{}" && read.page == nil && read.media.isEmpty && read.removedMedia.isEmpty)
    }

    @Test("a new client is careful: it signs, shows PKCE, and has nothing that it did not ask for")
    func usual() {
        let new = OpenIDClients.Registration(appID: Self.app)
        #expect(new.redirectURIs.isEmpty && new.authentication == .privateKeyJWT && new.keySet == nil)
        #expect(new.idTokenAlgorithm == .es256 && !new.asksMiddleDigits && !new.requiresPushedRequests)
        #expect(new.purposes.isEmpty && new.frameAncestors.isEmpty && !new.stableSubjectWithoutPage)
        #expect(new.requiresPKCE && !new.bindsAccessTokens && new.certificateName == nil && !new.bindsToCertificate)
        #expect(!new.remembersConsent && new.profile == .openID && new.backchannel == nil && new.presentPage == nil)
    }

    @Test("an operator is shown every setting of a client, and neither secret nor page")
    func shown() throws {
        let shown = Self.unusual.json(media: ["b": "2", "a": "1"])
        let expected: [(String, JSON)] = [
            ("client_id", "300000000001"),
            ("redirect_uris", .array(["https://shop.example/a", "https://shop.example/b"])),
            ("token_endpoint_auth_method", "self_signed_tls_client_auth"), ("id_token_signed_response_alg", "RS256"),
            ("require_pushed_authorization_requests", true), ("require_pkce", false),
            ("dpop_bound_access_tokens", true), ("tls_client_certificate_bound_access_tokens", true),
            ("tls_client_auth_san_dns", "client.example"), ("profile", "fapi2"), ("remember_consent", true),
            ("backchannel_token_delivery_mode", "ping"),
            ("backchannel_client_notification_endpoint", "https://shop.example/ping"), ("asks_middle_digits", true),
            ("has_jwks", true), ("purposes", .array(["dpv:Marketing"])),
            ("frame_ancestors", .array(["https://frame.example"])), ("stable_sub_without_page", true),
            ("media", .object(["a": "1", "b": "2"])), ("secrets", .array([])),
        ]
        for (name, value) in expected { #expect(shown[name] == value, "\(name)") }
        for (name, text) in [("jwks_digest", Self.unusual.keySet ?? ""), ("page_digest", "{}")] {
            #expect(shown[name] == .string(AppRecord.digest(text)), "\(name)")
        }
        for kind in CertificateName.Kind.allCases {
            var record = Self.unusual
            record.certificateName = CertificateName(kind, "x")
            for other in CertificateName.Kind.allCases {
                #expect(record.json()[other.rawValue] == (other == kind ? JSON.string("x") : nil))
            }
        }
        var bare = Self.unusual
        (bare.keySet, bare.backchannel, bare.certificateName) = (nil, nil, nil)
        #expect(bare.json()["has_jwks"] == false && bare.json()["jwks_digest"] == nil && bare.json()["media"] == nil)
        #expect(bare.json()["backchannel_token_delivery_mode"] == nil)
    }

    /// A change of a registration that is in order, and the beginning of why it is refused; empty if it is not.
    struct Case: Sendable {
        var refusal = ""
        let change: @Sendable (inout OpenIDClients.Registration) -> Void
    }

    private static func purposes(_ count: Int) -> [String] { (0..<count).map { "dpv:Purpose\($0)" } }

    private static let cases: [Case] = [
        Case { _ in },
        Case(refusal: "redirect URIs: 1 to 32") { $0.redirectURIs = [] },
        Case { $0.redirectURIs = (0..<32).map { "https://shop.example/\($0)" } },
        Case(refusal: "redirect URIs: 1 to 32") { $0.redirectURIs = (0..<33).map { "https://shop.example/\($0)" } },
        Case(refusal: "redirect URI http://shop.example/: must be https") {
            $0.redirectURIs.append("http://shop.example/")
        },
        Case(refusal: "private_key_jwt: needs the client's public keys") { $0.authentication = .privateKeyJWT },
        Case(refusal: "key set") { $0.keySet = "{}" },
        Case(refusal: "tls_client_auth: needs what the certificate says") { $0.authentication = .tlsClientAuth },
        Case {
            $0.authentication = .tlsClientAuth
            $0.certificateName = CertificateName(.dns, "client.example")
        },
        Case(refusal: "tls_client_auth_san_dns: must be a DNS name") {
            $0.certificateName = CertificateName(.dns, "*.example")
        },
        Case(refusal: "self_signed_tls_client_auth: needs the client's certificate") {
            $0.authentication = .selfSignedTLSClientAuth
        },
        Case(refusal: "purposes: CAMARA's interfaces need a client that signs") { $0.purposes = purposes(32) },
        Case(refusal: "purposes: at most 32") { $0.purposes = purposes(33) },
        Case(refusal: "purpose marketing: must be dpv:") { $0.purposes = ["marketing"] },
        Case { $0.frameAncestors = (0..<16).map { "https://a\($0).example" } },
        Case(refusal: "frame ancestors: at most 16") {
            $0.frameAncestors = (0..<17).map { "https://a\($0).example" }
        },
        Case(refusal: "frame ancestor *: must be an origin") { $0.frameAncestors = ["*"] },
        Case { $0.remembersConsent = true },
        Case { $0.asksMiddleDigits = true },
        Case(refusal: "remember_consent: an app that always asks for the digits") {
            ($0.remembersConsent, $0.asksMiddleDigits) = (true, true)
        },
        Case(refusal: "profile fapi2: needs a client that signs") { $0.profile = .fapi2 },
        Case { fapi2(&$0) },
        Case(refusal: "profile fapi2: needs PKCE") {
            fapi2(&$0)
            $0.requiresPKCE = false
        },
        Case { $0.requiresPKCE = false },
        Case(refusal: "profile fapi2: has no RS256") {
            fapi2(&$0)
            $0.idTokenAlgorithm = .rs256
        },
        Case { $0.idTokenAlgorithm = .rs256 },
    ]

    private static func fapi2(_ registration: inout OpenIDClients.Registration) {
        registration.profile = .fapi2
        registration.authentication = .tlsClientAuth
        registration.certificateName = CertificateName(.dns, "client.example")
    }

    @Test("each setting is judged by itself, and what is refused is named", arguments: cases.indices)
    func judged(number: Int) throws {
        let each = Self.cases[number]
        var registration = OpenIDClients.Registration(appID: Self.app)
        registration.redirectURIs = ["https://shop.example/callback"]
        registration.authentication = .clientSecretBasic
        each.change(&registration)
        var told = ""
        do { try OpenIDClients.validate(registration, isNew: false) } catch {
            #expect(error.situation == .parameterInvalid)
            told = error.detail
        }
        if each.refusal == "key set" {
            #expect(!told.isEmpty)
        } else {
            #expect(each.refusal.isEmpty ? told.isEmpty : told.hasPrefix(each.refusal), "\(told)")
        }
    }

    @Test("a new client needs a page, and one that is there keeps its own")
    func page() throws {
        var registration = OpenIDClients.Registration(appID: Self.app)
        registration.redirectURIs = ["https://shop.example/callback"]
        registration.authentication = .clientSecretBasic
        let without = registration
        let refusal = #expect(throws: Refusal.self) { try OpenIDClients.validate(without) }
        #expect(refusal?.detail.hasPrefix("page: missing") == true)
        registration.page = PageDescription()
        try OpenIDClients.validate(registration)
    }

    @Test(
        "each part of a redirect URI is looked at",
        arguments: [
            ("https://u@shop.example/", "must not hold a user name"),
            ("https://:p@shop.example/", "must not hold a user name"),
            ("https://shop.example/\u{7f}", "must be ASCII"), ("https://shop.example/é", "must be ASCII"),
            ("https://shop.example/{a}", "must be ASCII"), ("https://shop.example/a|b", "must be ASCII"),
            ("Com.example.shop:/callback", "must be an absolute address with its scheme in lower case"),
            ("callback", "must be an absolute address"), ("https:/callback", "must name a host"),
            ("https:///callback", "must name a host"),
            ("shop:/callback", "a scheme of an app's own must be a reversed domain name"),
            ("http://192.168.1.1/", "must be https; http is for the machine itself"),
            ("https://shop.example/" + String(repeating: "a", count: 2028), "must be ASCII of at most 2048"),
        ])
    func redirectURI(text: String, problem: String) {
        #expect(OpenIDClients.problem(ofRedirectURI: text)?.hasPrefix(problem) == true)
    }

    @Test(
        "an address of 2048 characters is a redirect URI, and so is one with everything that may be in it",
        arguments: [
            "https://shop.example/" + String(repeating: "a", count: 2027), "https://shop.example/~!$&'()+,;=:@%20?/",
        ])
    func longRedirectURI(text: String) { #expect(OpenIDClients.problem(ofRedirectURI: text) == nil) }

    @Test(
        "each part of an origin is looked at",
        arguments: [
            ("https://u@shop.example", true), ("https://:p@shop.example", true), ("https://shop.example#x", true),
            ("https://shop.example?", true), ("http://localhost", false), ("http://localhost:80", true),
            ("http://localhost:443", false), ("https://localhost:80", false),
            ("ftp://localhost", true), ("https://shop_.example", true), ("https://a-1.example", false),
            ("https://" + String(repeating: "a", count: 247), false),
            ("https://" + String(repeating: "a", count: 248), true),
        ])
    func origin(text: String, isRefused: Bool) {
        #expect((OpenIDClients.problem(ofFrameAncestor: text) != nil) == isRefused)
    }

    @Test("who asks people on their phones has an endpoint if it is pinged, shows no digits, and is no FAPI client")
    func backchannel() throws {
        let endpoint = "https://shop.example/ping"
        typealias Change = (inout OpenIDClients.Registration) -> Void
        let cases: [(String, Change)] = [
            ("", { $0.backchannel = nil }), ("", { $0.backchannel = BackchannelRegistration(delivery: .poll) }),
            ("", { $0.backchannel = BackchannelRegistration(delivery: .ping, notificationEndpoint: endpoint) }),
            (
                "backchannel: only a client with ping",
                { $0.backchannel = BackchannelRegistration(delivery: .poll, notificationEndpoint: endpoint) }
            ),
            (
                "backchannel: ping needs a notification endpoint",
                { $0.backchannel = BackchannelRegistration(delivery: .ping) }
            ),
            ("backchannel: an app that always asks", { $0.asksMiddleDigits = true }),
            ("backchannel: the profile fapi2 has none", { $0.profile = .fapi2 }),
            (
                "backchannel notification endpoint",
                {
                    $0.backchannel = BackchannelRegistration(
                        delivery: .ping, notificationEndpoint: "http://shop.example/")
                }
            ),
        ]
        for (refusal, change) in cases {
            var registration = OpenIDClients.Registration(appID: Self.app)
            registration.backchannel = BackchannelRegistration(delivery: .poll)
            change(&registration)
            var told = ""
            do { try registration.checkBackchannel(CallbackRules()) } catch { told = error.detail }
            #expect(refusal.isEmpty ? told.isEmpty : told.hasPrefix(refusal), "\(told)")
        }
        // None of these rules concerns a client without backchannel authentication.
        var none = OpenIDClients.Registration(appID: Self.app)
        (none.asksMiddleDigits, none.profile) = (true, .fapi2)
        try none.checkBackchannel(CallbackRules())
    }
}
