import BenjiClient
package import BenjiProtocol

/// The result of a phone's login to the developer's own app, for its server to redeem.
package struct OwnToken: Sendable {
    /// The situation in which the phone's side ended.
    package var situation: Situation
    package var token: String?
    package var purpose: TokenPurpose
    package var trace: TraceID?
    /// Why there is no token.
    package var detail = ""

    package var json: JSON {
        .object([
            "situation": .string(situation.rawValue), "token": token.map { .string($0) },
            "purpose": .string(purpose.rawValue), "trace": trace.map { .string($0.rawValue) },
            "detail": detail.isEmpty ? nil : .string(detail),
        ])
    }

    /// The real SDK on the phone with the app's id and key; a person ticks and taps at once.
    static func earn(
        _ purpose: TokenPurpose, for app: SandboxServers.AppCredentials, modem: PhoneModem, server: ServerURL,
        platform: PlatformAttester
    ) async -> OwnToken {
        let engine = VirtualPhone.install(
            LoginEngine.Configuration(appID: app.id, appKey: app.key, bundleID: app.bundleID, server: server),
            transport: modem.transport, signer: modem.phone.signer, platform: platform)
        do {
            let token =
                switch purpose {
                case .login: try await engine.logIn(with: ScriptedPerson())
                case .verification: try await engine.verificationToken()
                }
            return OwnToken(situation: .success, token: token.token, purpose: purpose, trace: token.trace)
        } catch {
            var entry = TimelineEntry(.message, phone: modem.phone.id, from: .phone, "SDK")
            entry.code = error.situation.rawValue
            entry.detail = error.detail
            entry.trace = error.trace
            modem.wiring.timeline.note(entry)
            return OwnToken(
                situation: error.situation, purpose: purpose, trace: error.trace, detail: error.detail)
        }
    }
}
