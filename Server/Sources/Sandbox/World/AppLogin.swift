import BenjiClient
package import BenjiProtocol

/// How a login of the shop's app ended.
package struct AppLogin: Sendable {
    /// The situation in which the phone's side ended.
    package var situation: Situation
    /// What the shop's server was answered when it redeemed the token, if it was refused.
    package var redeemCode: String?
    package var trace: TraceID?
    /// `138****0001`: what the shop shows; `nil` if nobody is logged in.
    package var maskedNumber: String?

    package var isLoggedIn: Bool { maskedNumber != nil }

    package var json: JSON {
        .object([
            "loggedIn": .bool(isLoggedIn), "situation": .string(situation.rawValue),
            "redeemCode": redeemCode.map { .string($0) }, "trace": trace.map { .string($0.rawValue) },
            "maskedNumber": maskedNumber.map { .string($0) },
        ])
    }

    static func run(modem: PhoneModem, servers: SandboxServers, platform: PlatformAttester) async -> AppLogin {
        let engine = VirtualPhone.install(
            LoginEngine.Configuration(
                appID: servers.app.id, appKey: servers.app.key, bundleID: servers.app.bundleID, server: servers.pages),
            transport: modem.transport, signer: modem.phone.signer, platform: platform)
        let token: LoginToken
        do { token = try await engine.logIn(with: ScriptedPerson()) } catch {
            var entry = TimelineEntry(.message, phone: modem.phone.id, from: .phone, "SDK")
            entry.code = error.situation.rawValue
            entry.detail = error.detail
            entry.trace = error.trace
            modem.wiring.timeline.note(entry)
            return AppLogin(situation: error.situation, trace: error.trace)
        }
        var login = AppLogin(situation: .success, trace: token.trace)
        // The app hands the token to its own server, over the same modem.
        do {
            let answer = try await modem.transport.send(
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
}
