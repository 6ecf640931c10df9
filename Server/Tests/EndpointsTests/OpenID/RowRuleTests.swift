import BenjiPage
import Sightings
import Store
import Testing

@_spi(Server) @testable import BenjiProtocol
@testable import OpenIDProvider
@testable import Requests

@Suite("What the OpenID provider keeps, and for how long")
struct RowRuleTests {
    private static let now = Timestamp(milliseconds: 1_800_000_000_123)
    private static let trace = TraceID(rawValue: String(repeating: "a", count: 32))!

    private func request() throws -> AuthorizationRequest {
        let client = OpenIDClientRecord(
            appID: AppID(rawValue: "300000000001")!, redirectURIs: [OpenIDWorld.callback],
            authentication: .clientSecretBasic, secrets: [], keySet: nil, idTokenAlgorithm: .es256,
            asksMiddleDigits: false, requiresPushedRequests: false, page: "{}")
        return try AuthorizationRequest(
            OpenIDParameters(values: [
                "redirect_uri": OpenIDWorld.callback, "response_type": "code", "scope": "openid phone", "nonce": "n",
                "code_challenge": OpenIDLogin.challenge, "code_challenge_method": "S256",
                "dpop_jkt": OpenIDLogin.challenge, "acr_values": "urn:benji:net:digits",
            ]), client: client)
    }

    @Test("a page that is shown is read again as it was kept, each part of it")
    func shownPages() throws {
        let bare = ShownPage(
            request: try request(), browser: "b", language: .traditionalChinese, shownAt: Self.now, contentDigest: "c",
            pageDigest: "p")
        #expect(!bare.isAgreedOnSheet && !bare.offersRemembering && !bare.isRemembered && bare.wrongDigits == 0)
        #expect(!bare.isBySMS && !bare.isBrief)
        #expect(bare.tappedAt == nil && bare.subjects == nil && bare.pushed == nil)
        #expect(try ShownPage(bare.json) == bare)
        let flags: [WritableKeyPath<ShownPage, Bool>] = [
            \.isAgreedOnSheet, \.offersRemembering, \.isRemembered, \.isBySMS, \.isBrief,
        ]
        for flag in flags {
            var page = bare
            page[keyPath: flag] = true
            #expect(try ShownPage(page.json) == page)
        }
        var full = bare
        full.tappedAt = Self.now
        full.wrongDigits = 2
        full.subjects = ["s", "t"]
        full.pushed = "q"
        #expect(try ShownPage(full.json) == full)
    }

    @Test("a page that an earlier version showed has no digest of its description")
    func earlierPages() throws {
        let page = ShownPage(
            request: try request(), browser: "b", language: .english, shownAt: Self.now, contentDigest: "c",
            pageDigest: "p")
        guard case .object(let members) = page.json else { return #expect(Bool(false), "no object") }
        #expect(try ShownPage(.object(members.filter { $0.name != "pageDigest" })).pageDigest == "")
    }

    private var consent: ConsentEvidence {
        ConsentEvidence(
            appID: AppID(rawValue: "300000000001")!, trace: Self.trace,
            subscription: SubscriptionReference(subscription: 7, epoch: 2, simGeneration: 3), contentDigest: "d",
            record: "r", assurance: .sms, receivedAt: Self.now)
    }

    @Test("what a code stands for is what its request asked for, and is read again as it was kept")
    func grants() throws {
        let request = try request()
        let bare = OpenIDGrant(request, authenticatedAt: Self.now)
        #expect(bare.scopes == ["openid", "phone"] && bare.context == .networkAndDigits && bare.nonce == "n")
        #expect(bare.redirectURI == OpenIDWorld.callback && bare.challenge == OpenIDLogin.challenge)
        #expect(bare.binding == TokenBinding(key: OpenIDLogin.challenge) && bare.authenticatedAt == Self.now)
        #expect(!bare.isBrief && bare.subject == nil && bare.pendingConsent == nil)
        #expect(try OpenIDGrant(bare.json) == bare)
        var full = bare
        full.subject = "s"
        full.binding.certificate = "c"
        full.isBrief = true
        full.pendingConsent = OpenIDGrant.PendingConsent(consent)
        #expect(try OpenIDGrant(full.json) == full)
        let own = OpenIDGrant(scopes: ["sim-swap"], issuedAt: Self.now, binding: TokenBinding(certificate: "c"))
        #expect(own.context == nil && own.authenticatedAt == Self.now && own.binding == TokenBinding(certificate: "c"))
        #expect(try OpenIDGrant(own.json) == own)
    }

    @Test("a consent that waits for its code is written as it was given, of the code's app, trace and holder")
    func pendingConsents() throws {
        let pending = OpenIDGrant.PendingConsent(consent)
        #expect(pending.contentDigest == "d" && pending.record == "r" && pending.assurance == .sms)
        #expect(pending.receivedAt == Self.now)
        #expect(try OpenIDGrant.PendingConsent(pending.json) == pending)
        var large = pending
        large.assurance = nil
        large.record = String(repeating: "a", count: 1 << 20)
        #expect(try OpenIDGrant.PendingConsent(large.json) == large)
        large.record += "a"
        #expect(throws: JSONError.self) { try OpenIDGrant.PendingConsent(large.json) }
    }

    @Test("a remembered consent is read again as it was kept")
    func rememberedConsents() throws {
        let details = RememberedDetails(
            scopes: ["openid", "phone"], language: .traditionalChinese, contentDigest: "c", agreedAt: Self.now)
        #expect(try RememberedDetails(details.json) == details)
    }

    @Test("what waits on a phone is read again as it was kept")
    func backchannelDetails() throws {
        let full = BackchannelDetails(scopes: ["openid"], bindingMessage: "m", ping: Sealed(bytes: [1, 2, 3]))
        #expect(try BackchannelDetails(full.json) == full)
        let bare = BackchannelDetails(scopes: [], bindingMessage: nil)
        #expect(bare.ping == nil)
        #expect(try BackchannelDetails(bare.json) == bare)
    }

    @Test("a page for a code asks for six digits, and has nothing typed or ticked before the person does")
    func forms() {
        let form = SMSForm()
        #expect(form.digits == 6 && form.wait == 0 && !form.isAgreed && form.number.isEmpty)
        #expect(form.transaction == nil && form.problem == nil && form.triesLeft == nil)
        #expect(RememberedConsentStrings.days == 30)
        #expect(OpenIDProvider.rememberedCookieLife == Int64(RememberedConsentStrings.days) * 86400)
    }

    @Test("a consent to the pages for a code keeps their words in their order, and that nothing was ticked at first")
    func codeContent() {
        let content = SMSPageStrings.content(of: PageDescription(), .english, policyVersion: "p")
        let expected = ConsentContent(
            drawnBy: .benji, language: Language.english.rawValue, policyVersion: "p",
            texts: [
                .init(.title, "Log in with a code by SMS"), .init(.custom, "We send a code to your number."),
                .init(.custom, "Phone number"), .init(.number, ConsentContent.numberPlaceholder),
                .init(.terms, "I agree to log in with this number"), .init(.custom, "Get the code"),
                .init(.custom, "Code from the message"), .init(.loginButton, "Log in"),
            ], links: [], initiallyTicked: false)
        #expect(content == expected)
    }

    // MARK: - Asking people on their phones

    private func ask(
        _ changes: [String: String?] = [:], by delivery: BackchannelDelivery = .poll
    ) throws(OpenIDFailure) -> BackchannelRequest {
        let client = OpenIDClientRecord(
            appID: AppID(rawValue: "300000000001")!, redirectURIs: [OpenIDWorld.callback],
            authentication: .privateKeyJWT, secrets: [], keySet: nil, idTokenAlgorithm: .es256,
            asksMiddleDigits: false, requiresPushedRequests: false, page: "{}", purposes: [OpenIDWorld.purpose])
        var values = ["scope": "openid", "login_hint": "tel:+8613800000001"]
        for (name, value) in changes { values[name] = value }
        return try BackchannelRequest(
            OpenIDParameters(values: values), client: client, BackchannelRegistration(delivery: delivery))
    }

    private func problem(_ changes: [String: String?], by delivery: BackchannelDelivery = .poll) -> String? {
        do { _ = try ask(changes, by: delivery) } catch { return "\(error.error.rawValue): \(error.detail)" }
        return nil
    }

    @Test(
        "a request waits for five minutes, or as long as it asks from half a minute to ten",
        arguments: [
            (nil, 300), ("1", 30), ("29", 30), ("31", 31), ("599", 599), ("601", 600), ("86400", 600),
        ] as [(String?, Int64)])
    func lifetimes(asked: String?, seconds: Int64) throws {
        #expect(try ask(["requested_expiry": asked]).lifetime == seconds)
        for bad in ["0", "-1", "soon"] { #expect(problem(["requested_expiry": bad])?.contains("positive") == true) }
    }

    @Test("a message has sixty characters at most")
    func messages() throws {
        let longest = String(repeating: "号", count: 60)
        #expect(try ask(["binding_message": longest]).bindingMessage == longest)
        let refused = problem(["binding_message": longest + "a"])
        #expect(refused == "invalid_binding_message: binding_message: at most 60 characters")
        #expect(problem(["binding_message": "a\u{202e}b"])?.hasPrefix("invalid_binding_message: ") == true)
        #expect(try ask().bindingMessage == nil)
    }

    @Test("a client that is told brings a bearer token of 22 to 1024 characters, and one that polls brings none")
    func notificationTokens() throws {
        func token(_ length: Int) -> [String: String?] {
            ["client_notification_token": String(repeating: "a", count: length)]
        }
        for length in [22, 1024] { #expect(problem(token(length), by: .ping) == nil) }
        for length in [21, 1025] { #expect(problem(token(length), by: .ping)?.contains("22 to 1024") == true) }
        let odd: [String: String?] = ["client_notification_token": String(repeating: "*", count: 22)]
        #expect(problem(odd, by: .ping)?.contains("must be a bearer token") == true)
        #expect(problem([:], by: .ping) == "invalid_request: client_notification_token: missing")
        #expect(try ask(token(22), by: .ping).notificationToken == String(repeating: "a", count: 22))
        #expect(try ask(token(22)).notificationToken == nil)
    }

    @Test("people are named by their numbers alone")
    func hints() throws {
        #expect(try ask().number == PhoneNumber("13800000001"))
        for name in ["login_hint_token", "id_token_hint"] {
            #expect(problem([name: "x"]) == "invalid_request: \(name): the one hint is login_hint")
        }
        for hint in ["ipport:192.0.2.1:80", "operatortoken:x"] {
            #expect(problem(["login_hint": hint])?.hasPrefix("unknown_user_id: ") == true)
        }
        for hint in ["tel:8613800000001", "tel:+0613800000001", "+8613800000001", "tel:+86138", "tel:+86-13800000001"] {
            #expect(problem(["login_hint": hint])?.hasPrefix("invalid_request: login_hint: must be tel:") == true)
        }
        #expect(problem(["login_hint": nil]) == "invalid_request: login_hint: missing")
    }

    @Test(
        "people agree to a login without its number, or to one of CAMARA's interfaces, whose profile ignores the rest")
    func asked() throws {
        #expect(try ask(["scope": "email openid"]).scopes == ["openid"])
        #expect(problem(["scope": "email"]) == "invalid_scope: scope: must contain openid")
        #expect(problem(["scope": "openid phone"])?.hasPrefix("invalid_scope: scope: no phone") == true)
        let camara = try ask([
            "scope": "sim-swap \(OpenIDWorld.purpose)", "binding_message": String(repeating: "a", count: 61),
            "requested_expiry": "soon",
        ])
        #expect(camara.scopes == ["sim-swap", OpenIDWorld.purpose] && camara.lifetime == 300)
        #expect(camara.bindingMessage == nil)
        let network = problem(["scope": "number-verification:verify \(OpenIDWorld.purpose)"])
        #expect(network?.hasPrefix("invalid_scope: scope: number verification needs the phone's network") == true)
        let code = problem(["scope": "one-time-password-sms:send-validate \(OpenIDWorld.purpose)"])
        #expect(code?.hasPrefix("invalid_scope: scope: one-time-password-sms needs") == true)
    }

    @Test("a question may come five seconds after the last, half a second early; each that is too early adds five")
    func pace() {
        let request = CredentialHash(bytes: [UInt8](repeating: 7, count: 32))
        func admitted(_ offsets: [Int64]) -> [Bool] {
            let pace = PollingPace(capacity: 100)
            return offsets.map { pace.admits(request, now: Self.now + .milliseconds($0)) }
        }
        #expect(admitted([0, 4500, 9000]) == [true, true, true])
        #expect(admitted([0, 4499]) == [true, false])
        #expect(admitted([0, 0, 0]) == [true, false, false])
        #expect(admitted([0, 1000, 10_500]) == [true, false, true])
        #expect(admitted([0, 1000, 10_499]) == [true, false, false])
        // After a wait that was kept the pace stays as slow as it was.
        #expect(admitted([0, 1000, 10_500, 20_000, 29_499]) == [true, false, true, true, false])
        #expect(admitted([0, -1]) == [true, true], "the clock was set back")
    }

    @Test("a client is never told to wait for more than a minute")
    func longestPace() {
        let request = CredentialHash(bytes: [UInt8](repeating: 7, count: 32))
        for (wait, isAdmitted) in [(59_499, false), (59_500, true)] as [(Int64, Bool)] {
            let pace = PollingPace(capacity: 100)
            for _ in 0..<20 { _ = pace.admits(request, now: Self.now) }
            #expect(pace.admits(request, now: Self.now + .milliseconds(wait)) == isAdmitted)
        }
    }

    // MARK: - Codes by SMS

    @Test("a page sends another code to the same number after a minute, and says how many seconds are left")
    func pause() throws {
        let first = try #require(SMSTransactionID(rawValue: String(repeating: "1", count: 32)))
        let second = try #require(SMSTransactionID(rawValue: String(repeating: "2", count: 32)))
        /// Returns the wait in seconds that a second code meets after a time; `nil` if it may go out.
        func told(after time: Duration, number: PhoneNumber = OpenIDWorld.number, page: Int64 = 1) -> Int64? {
            let codes = LastCodes(capacity: 100)
            let begun = codes.begin(first, to: OpenIDWorld.number, for: 1, now: Self.now)
            #expect(begun?.wait == nil)
            #expect(codes.wait(after: 1, now: Self.now) == 60)
            let answer = codes.begin(second, to: number, for: page, now: Self.now + time)
            #expect(answer == nil || answer?.id == first)
            #expect(codes.wait(after: page, now: Self.now + time) == answer?.wait ?? 60)
            return answer?.wait
        }
        #expect(told(after: .zero) == 60 && told(after: .seconds(1)) == 59)
        #expect(told(after: .milliseconds(59_999)) == 1)
        #expect(told(after: .seconds(60)) == nil && told(after: .milliseconds(-1)) == nil)
        #expect(told(after: .zero, number: OpenIDWorld.otherNumber) == nil)
        #expect(told(after: .zero, page: 2) == nil)
    }

    @Test("the pause of a message that did not go out ends at once, and that of a later one stays")
    func forgotten() throws {
        let first = try #require(SMSTransactionID(rawValue: String(repeating: "1", count: 32)))
        let second = try #require(SMSTransactionID(rawValue: String(repeating: "2", count: 32)))
        let codes = LastCodes(capacity: 100)
        _ = codes.begin(first, to: OpenIDWorld.number, for: 1, now: Self.now)
        codes.forget(second, of: 1)
        #expect(codes.wait(after: 1, now: Self.now) == 60)
        codes.forget(first, of: 1)
        #expect(codes.wait(after: 1, now: Self.now) == 0)
        codes.forget(first, of: 2)
        #expect(codes.wait(after: 2, now: Self.now) == 0)
        let again = codes.begin(second, to: OpenIDWorld.number, for: 1, now: Self.now)
        #expect(again?.wait == nil)
        #expect(codes.wait(after: 1, now: Self.now) == 60)
    }

    // MARK: - The page

    @Test("a page for browsers has a sheet, a larger number and the app's name, where the description has none of them")
    func hostedPages() throws {
        let plain = PageDescription()
        let hosted = plain.hosted(for: "Shop")
        let sheet = try #require(hosted.consentDialog)
        #expect(
            sheet.title.text[.english] == "Please read and agree" && sheet.agree.text[.english] == "Agree and log in")
        #expect(sheet.agreeFill == plain.loginButton.fills.normal && sheet.agree.color == plain.loginButton.title.color)
        #expect(sheet.isAtBottom && sheet.cornerRadius == 16)
        #expect(hosted.number.font.size == 34)
        #expect(hosted.navigationBar.title?.style.text[.english] == "Shop")
        var own = plain
        own.number.font.size = 20
        own.consentDialog = .init()
        own.navigationBar.title = PageDescription.NavigationTitle(LocalizedText("Own"))
        #expect(own.hosted(for: "Shop") == own)
    }

    @Test(
        "a name of more than twenty-two letters, or eleven ideographs, is cut",
        arguments: [
            ("abcdefghijklmnopqrstuv", "abcdefghijklmnopqrstuv"),
            ("abcdefghijklmnopqrstuvw", "abcdefghijklmnopqrstuv…"),
            ("一二三四五六七八九十商", "一二三四五六七八九十商"), ("一二三四五六七八九十商a", "一二三四五六七八九十商…"),
        ])
    func names(name: String, shown: String) {
        #expect(PageDescription().hosted(for: name).navigationBar.title?.style.text[.english] == shown)
    }

    @Test(
        "a button is darker or lighter by a fifth under a finger, and a contrast that no colour has is black or white")
    func colors() {
        let button = PageDescription().colored(PageColor(0x2f6b3c)).loginButton
        #expect(button.fills.normal.light == PageColor(0x2f6b3c) && button.title.color.light == PageColor(0xffffff))
        #expect(button.fills.highlighted.light == PageColor(0x265731))
        // As little as sixteen steps of a hundred per cent allow.
        let white = PageColor(0xffffff)
        #expect(white.differing(by: PageColor.leastOfShapes, from: white) == PageColor(0xcfcfcf))
        #expect(PageColor(0x808080).differing(by: 22, from: PageColor(0xffffff)) == PageColor(0x000000))
        #expect(PageColor(0x808080).differing(by: 22, from: PageColor(0x000000)) == PageColor(0xffffff))
    }
}
