import Benji
import BenjiClient
@_spi(Server) package import BenjiProtocol

/// How a login of the shop's app ended.
package struct AppLogin: Sendable {
    /// By what the person logs in with the app.
    package enum Way: String, Sendable, CaseIterable {
        /// One tap, over mobile data.
        case oneTap = "one-tap"
        /// A code that is sent by SMS, over whatever network the phone has.
        case sms
    }

    /// The situation in which the phone's side ended.
    package var situation: Situation
    /// How strongly the token was earned, if one was.
    package var assurance: Assurance?
    /// The code that refused the shop's server when it redeemed the token; `nil` if it was not refused.
    package var redeemCode: String?
    package var trace: TraceID?
    /// The number that the shop shows: `138****0001`; `nil` if logged out.
    package var maskedNumber: String?

    package var isLoggedIn: Bool { maskedNumber != nil }

    package var json: JSON {
        .object([
            "loggedIn": .bool(isLoggedIn), "situation": .string(situation.rawValue),
            "assurance": assurance.map { .string($0.rawValue) },
            "redeemCode": redeemCode.map { .string($0) }, "trace": trace.map { .string($0.rawValue) },
            "maskedNumber": maskedNumber.map { .string($0) },
        ])
    }

    static func run(
        by way: Way, modem: PhoneModem, servers: SandboxServers, platform: PlatformAttester,
        presenter: any AuthorizationPresenter = ScriptedPerson()
    ) async -> AppLogin {
        let configuration = LoginEngine.Configuration(
            appID: servers.app.id, appKey: servers.app.key, bundleID: servers.app.bundleID, server: servers.pages)
        let token: LoginToken
        do {
            token =
                switch way {
                case .oneTap:
                    try await VirtualPhone.install(
                        configuration, transport: modem.transport, signer: modem.phone.signer, platform: platform
                    ).logIn(with: presenter)
                case .sms: try await byCode(servers, modem)
                }
        } catch let error as BenjiError {
            var entry = TimelineEntry(.message, phone: modem.phone.id, from: .phone, "SDK")
            entry.code = error.situation.rawValue
            entry.detail = error.detail
            entry.trace = error.trace
            modem.wiring.timeline.note(entry)
            return AppLogin(situation: error.situation, trace: error.trace)
        } catch { return AppLogin(situation: .internalError) }
        var login = AppLogin(situation: .success, assurance: token.assurance, trace: token.trace)
        // The app hands the token to its own server, over the same network.
        do {
            let transport = way == .sms ? modem.anyNetwork : modem.transport
            let answer = try await transport.send(
                TransportRequest(
                    method: "POST", url: try servers.shop.appending(path: "/login/token"),
                    headers: ["Content-Type": "application/json"],
                    body: JSON.object(["token": .string(token.token)]).serialized), timeout: .seconds(90))
            let json = try JSON(parsing: answer.body)
            login.redeemCode = json["code"]?.stringValue
            login.maskedNumber = json["loggedIn"]?.boolValue == true ? json["number"]?.stringValue : nil
            // The line to the authority broke: the shop does not know whether the token is spent.
            if login.maskedNumber == nil, login.redeemCode == nil { login.situation = .networkFailure }
        } catch { login.situation = .networkFailure }
        return login
    }

    /// The real SDK, and a person who types the number of the card that carries data, and then the digits of the
    /// message that comes.
    private static func byCode(_ servers: SandboxServers, _ modem: PhoneModem) async throws -> LoginToken {
        let number = modem.phone.card.number
        let login = SMSLogin(
            configuration: try PhoneLogin.Configuration(
                appID: servers.app.id.rawValue, appKey: servers.app.key, bundleID: servers.app.bundleID,
                server: servers.pages.origin),
            transport: modem.anyNetwork, keyStore: MemoryDeviceKeyStore(modem.phone.signer))
        let code = try await login.sendCode(to: number.map { "+" + $0.e164 } ?? "")
        let text = modem.wiring.inbox.texts(to: number).first?.text ?? ""
        // A code that reaches no phone is typed as empty text, and the server reports that.
        let digits = text.split { !$0.isNumber }.map(String.init).first { $0.utf8.count == code.digits } ?? ""
        return try await login.logIn(with: digits, of: code, consent: ScriptedPerson.consent(to: code))
    }
}
