import Foundation
import HTTPTypes
import ServerTestKit
import Sightings
import Store

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import OpenIDProvider
@testable import Requests
@testable import ServerHTTP

/// The worst that one phone, or one address that is no phone's, can do at each route of the listener of phones. The
/// list comes from reading the code behind each route. `TableSizes` then counts the rows, which tests that reading.
enum RowBudgetWays {
    typealias Way = RowBudgetWay<RowBudgetWorld>

    static let all: [Way] = oneTap + messages + pages + small

    /// A value that calls share.
    private final class Box<Value> {
        var value: Value
        init(_ value: Value) { self.value = value }
    }

    // MARK: - One tap

    private static let oneTap: [Way] = [
        Way("POST /device/v1/prefetch", "a phone's address, with a new key each time") { here in
            return { _ = try await here.prefetch(SoftwareDeviceSigner()) }
        },
        Way("POST /device/v1/prefetch", "a phone's address, with one key") { here in
            let signer = SoftwareDeviceSigner()
            return { _ = try await here.prefetch(signer) }
        },
        Way("POST /device/v1/prefetch", "an address that is no phone's") { here in
            return { _ = try await here.prefetch(SoftwareDeviceSigner(), from: RowBudgetWorld.nobody) }
        },
        Way("POST /device/v1/authorize", "a phone's address, a login with a new key each time") { here in
            return {
                let signer = SoftwareDeviceSigner()
                guard let page = try await here.prefetch(signer) else { return }
                _ = try await here.authorize(page, by: signer)
            }
        },
        Way("POST /device/v1/authorize", "a phone's address, one scrip over and over") { here in
            let signer = Box(SoftwareDeviceSigner())
            let page = Box<PrefetchResponse?>(nil)
            return {
                if page.value == nil {
                    signer.value = SoftwareDeviceSigner()
                    page.value = try await here.prefetch(signer.value)
                }
                guard let shown = page.value else { return }
                guard let token = try await here.authorize(shown, by: signer.value), let scrip = token.scrip,
                    let nonce = token.nonce
                else {
                    // The limit of tokens, or an end of the scrip. The next call shows which.
                    page.value = nil
                    return
                }
                page.value?.scrip = scrip
                page.value?.nonce = nonce
            }
        },
        Way("POST /device/v1/authorize", "a phone's address, scrips without a consent") { here in
            let signer = Box(SoftwareDeviceSigner())
            let page = Box<PrefetchResponse?>(nil)
            let count = Box(0)
            return {
                count.value += 1
                if page.value == nil || count.value % 8 == 0 {
                    signer.value = SoftwareDeviceSigner()
                    page.value = try await here.prefetch(signer.value)
                }
                guard let shown = page.value else { return }
                _ = try await here.authorize(shown, by: signer.value, consents: false)
            }
        },
        Way("POST /device/v1/forget", "a phone's address, a scrip with a new key each time") { here in
            return {
                let signer = SoftwareDeviceSigner()
                guard let page = try await here.prefetch(signer) else { return }
                _ = try await here.signed(
                    .forget, ForgetRequest(appID: here.app.record.id, scrip: page.scrip).json, by: signer)
            }
        },
        // With nothing of Apple's it is refused, and leaves nothing. Apple limits how many keys a phone has attested.
        Way(
            "POST /device/v1/attestation", "any address, with a key each time that Apple attested",
            growing: ["attested_key"]
        ) { here in
            return {
                let signer = SoftwareDeviceSigner()
                let install = try AttestedInstall(here.world, under: here.install.authority)
                let (request, device) = try install.registration(here.world, signer: signer)
                _ = try await here.signed(
                    .attestation, request.json, by: signer, id: device.proof.id, from: RowBudgetWorld.nobody)
            }
        },
        Way("POST /device/v1/attestation", "any address, without Apple's word") { here in
            return {
                let signer = SoftwareDeviceSigner()
                let id = RowBudgetWorld.name()
                let request = AttestationRequest(
                    appID: here.app.record.id, bundleID: AuthorityWorld.bundle,
                    appKeyProof: here.appKeyProof(signer, id), format: .appAttest,
                    keyID: Base64URL.encode([UInt8](repeating: 7, count: 32)),
                    challenge: here.world.authority.attestationChallenge(for: here.app.record.id), evidence: [1, 2, 3])
                _ = try await here.signed(
                    .attestation, request.json, by: signer, id: id, from: RowBudgetWorld.nobody)
            }
        },
    ]

    // MARK: - Codes by SMS and texts of phones

    private static let messages: [Way] = [
        Way("POST /device/v1/sms-code", "an address that is no phone's, another number each time") { here in
            let count = Box(0)
            return {
                count.value += 1
                _ = try await here.sendCode(to: RowBudgetWorld.number(count.value), by: SoftwareDeviceSigner())
            }
        },
        Way("POST /device/v1/sms-code", "an address that is no phone's, one number") { here in
            return { _ = try await here.sendCode(to: "+\(AuthorityWorld.number.e164)", by: SoftwareDeviceSigner()) }
        },
        Way("POST /device/v1/sms-login", "an address that is no phone's, wrong codes") { here in
            let signer = SoftwareDeviceSigner()
            let sent = Box<SMSCodeResponse?>(nil)
            let count = Box(0)
            return {
                count.value += 1
                sent.value =
                    try await here.sendCode(to: RowBudgetWorld.number(count.value), by: signer) ?? sent.value
                guard let code = sent.value else { return }
                let digits = here.sender.code == "000000" ? "111111" : "000000"
                try await logIn(here, code, digits, signer)
            }
        },
        Way("POST /device/v1/sms-login", "somebody who reads the messages of one number") { here in
            let signer = SoftwareDeviceSigner()
            return {
                let number = "+\(AuthorityWorld.number.e164)"
                guard let sent = try await here.sendCode(to: number, by: signer) else { return }
                try await logIn(here, sent, here.sender.code, signer)
            }
        },
        Way("POST /device/v1/sms-upstream", "an address that is no phone's") { here in
            return { _ = try await here.giveText(to: SoftwareDeviceSigner()) }
        },
        Way("POST /device/v1/sms-upstream-status", "an address that is no phone's, of a text that never comes") {
            here in
            let signer = SoftwareDeviceSigner()
            let given = Box<SMSUpstreamResponse?>(nil)
            return {
                given.value = try await here.giveText(to: signer) ?? given.value
                guard let text = given.value else { return }
                let request = SMSUpstreamStatusRequest(appID: here.app.record.id, transaction: text.transaction)
                _ = try await here.signed(.smsUpstreamStatus, request.json, by: signer, from: RowBudgetWorld.nobody)
            }
        },
        Way("POST /device/v1/sms-upstream-login", "an address that is no phone's, with a text that never comes") {
            here in
            let signer = SoftwareDeviceSigner()
            let given = Box<SMSUpstreamResponse?>(nil)
            return {
                given.value = try await here.giveText(to: signer) ?? given.value
                guard let text = given.value else { return }
                let request = SMSUpstreamLoginRequest(
                    appID: here.app.record.id, dialect: .device, transaction: text.transaction,
                    consent: try here.consent(to: text.transaction, text.trace, text.policyVersion, by: signer))
                _ = try await here.signed(.smsUpstreamLogin, request.json, by: signer, from: RowBudgetWorld.nobody)
            }
        },
    ]

    private static func logIn(
        _ here: RowBudgetWorld, _ sent: SMSCodeResponse, _ digits: String, _ signer: SoftwareDeviceSigner
    ) async throws {
        let request = SMSLoginRequest(
            appID: here.app.record.id, dialect: .device, transaction: sent.transaction, smsCode: digits,
            consent: try here.consent(to: sent.transaction, sent.trace, sent.policyVersion, by: signer))
        _ = try await here.signed(.smsLogin, request.json, by: signer, from: RowBudgetWorld.nobody)
    }

    // MARK: - Pages

    private static let pages: [Way] = [
        Way("GET /openid/authorize", "a phone's address, pages that nobody answers") { here in
            return { _ = try await here.open() }
        },
        Way("GET /openid/authorize", "a phone's address, codes without a page") { here in
            let parameters = here.request([
                "client_id": here.bank.record.id.rawValue, "redirect_uri": OpenIDWorld.bankCallback,
                "scope": RowBudgetWorld.network,
            ])
            return { _ = try await here.browse(.get, "/openid/authorize?" + OpenIDWorld.encoded(parameters)) }
        },
        Way("GET /openid/authorize", "a phone's browser that is remembered") { here in
            let done = try await here.answer(try await here.open(), "login", ["remember": "yes"])
            let cookie = done.cookie
            return { _ = try await here.open(["prompt": "none"], cookie: cookie) }
        },
        Way("GET /openid/authorize", "an address that is no phone's, pages for a code by SMS") { here in
            return { _ = try await here.open(["way": "sms"], from: RowBudgetWorld.nobody) }
        },
        Way("POST /openid/authorize", "a phone's address, pages that nobody answers") { here in
            return { _ = try await here.browse(.post, "/openid/authorize", here.request()) }
        },
        Way("POST /openid/login", "a phone's address, logins whose code nobody redeems") { here in
            return { _ = try await here.answer(try await here.open(), "login") }
        },
        Way("POST /openid/login", "a phone's address, pages that are turned down") { here in
            return { _ = try await here.answer(try await here.open(), "no") }
        },
        Way("POST /openid/login", "another phone's address, one page over and over") { here in
            let page = Box<(shown: Exchange, at: Timestamp)?>(nil)
            return {
                if page.value.map({ here.clock.now - $0.at > .seconds(240) }) ?? true {
                    page.value = (try await here.open(), here.clock.now)
                }
                guard let shown = page.value?.shown else { return }
                _ = try await here.answer(shown, "login", from: RowBudgetWorld.otherPhone)
            }
        },
        Way("POST /openid/login", "an address that is no phone's, codes by SMS and wrong digits") { here in
            let count = Box(0)
            return {
                count.value += 1
                let number = String(RowBudgetWorld.number(count.value).dropFirst(3))
                let page = try await here.open(["way": "sms"], from: RowBudgetWorld.nobody)
                let sent = try await here.answer(page, "send", ["number": number], from: RowBudgetWorld.nobody)
                let found = sent.body.firstMatch(of: /name="transaction" value="([0-9a-f]+)"/)
                guard let transaction = found.map({ String($0.1) }) else { return }
                var next = sent
                // The cookie comes with the first page alone.
                next.headers[.setCookie] = page.headers[.setCookie]
                _ = try await here.answer(
                    next, "code",
                    [
                        "number": number, "transaction": transaction,
                        "digits": here.sender.code == "000000" ? "111111" : "000000",
                    ], from: RowBudgetWorld.nobody)
            }
        },
        Way("GET /openid/consents", "a phone's address") { here in
            return { _ = try await here.browse(.get, "/openid/consents") }
        },
        Way("POST /openid/consents", "a phone's browser that has a consent remembered, and ends it, each time") {
            here in
            return {
                _ = try await here.answer(try await here.open(), "login", ["remember": "yes"])
                let page = try await here.browse(.get, "/openid/consents")
                let token = page.body.firstMatch(of: /name="token" value="([^"]+)"/).map { String($0.1) }
                _ = try await here.browse(
                    .post, "/openid/consents", ["end": "all", "token": token ?? ""], cookie: page.cookie)
            }
        },
        Way("GET /openid/requests", "a phone's address") { here in
            return { _ = try await here.browse(.get, "/openid/requests") }
        },
        Way("POST /openid/requests", "a phone's address, an answer that nobody asked for") { here in
            return {
                let page = try await here.browse(.get, "/openid/requests")
                _ = try await here.browse(
                    .post, "/openid/requests",
                    ["decision": "yes", "request": "7", "digest": "x", "token": page.field("token") ?? ""],
                    cookie: page.cookie)
            }
        },
        Way("POST /h5/getMobile", "a phone's address, with requests that the app's server signs for its page") { here in
            return { _ = try await here.browserToken() }
        },
        Way("POST /log/mine", "a phone's address") { here in return { _ = try await here.browse(.post, "/log/mine") } },
        Way("POST /log/mine", "a phone's address, proofs with wrong numbers") { here in
            // A leaf of a login at this phone.
            let signer = SoftwareDeviceSigner()
            if let page = try await here.prefetch(signer) { _ = try await here.authorize(page, by: signer) }
            while try await here.world.authority.appendToLog() {}
            return { _ = try await here.browse(.post, "/log/mine", ["proof": "0", "number": "13900000009"]) }
        },
    ]

    // MARK: - What writes nothing

    /// Routes that keep nothing of any caller.
    private static let small: [Way] = [
        "GET /device/v1/policy", "GET /device/v1/challenge?app=\(Fixtures.appID.rawValue)", "GET /openid/media/x",
        "GET /openid/benji.js", "OPTIONS /h5/getMobile", "GET /log/mine",
    ].flatMap { call -> [Way] in
        let parts = call.split(separator: " ").map(String.init)
        let path = String(parts[1].split(separator: "?")[0]).replacing("/media/x", with: "/media/{digest}")
        return [("a phone's address", RowBudgetWorld.phone), ("an address that is no phone's", RowBudgetWorld.nobody)]
            .map { words, address in
                Way("\(parts[0]) \(path)", words) { here in
                    return {
                        let method = HTTPRequest.Method(rawValue: parts[0]) ?? .get
                        _ = try await here.send(method, parts[1], from: address)
                    }
                }
            }
    }

    /// The routes of apps' servers, called by a party without a secret. The members of each call prove nothing about
    /// the sender.
    static func ofServers(_ routes: [EndpointRoute]) -> [Way] {
        routes.map { route in
            let method = route.method
            let path = route.path.replacing("{id}", with: "x").replacing("{code}", with: "x")
            return Way("\(method.rawValue) \(route.path)", "any address, without a secret") { here in
                let isForm = path.hasPrefix("/openid")
                let members = [
                    "client_id": here.app.record.id.rawValue, "appId": here.app.record.id.rawValue,
                    "grant_type": "authorization_code", "code": "x", "token": "x", "scope": "openid",
                    "login_hint": "tel:+\(AuthorityWorld.number.e164)", "phoneNumber": "+\(AuthorityWorld.number.e164)",
                ]
                let json = JSON.object(
                    members.sorted { $0.key < $1.key }.map { JSON.Member($0.key, .string($0.value)) })
                let body = isForm ? Array(OpenIDWorld.encoded(members).utf8) : json.serialized
                return {
                    var headers: HTTPFields = [:]
                    if method == .post {
                        headers[.contentType] = isForm ? "application/x-www-form-urlencoded" : "application/json"
                    }
                    _ = try await here.send(
                        method, path, headers: headers, body: method == .post ? body : [],
                        from: RowBudgetWorld.nobody, toServer: true)
                }
            }
        }
    }
}
