import Store
import Synchronization

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import Requests

/// An authority with scripted answers, which records its requests.
final class ScriptedServerService: ServerService {
    struct Script: Sendable {
        var apps: [AppID: RegisteredApp] = [Fixtures.appID: Fixtures.app()]
        /// Whom every token was issued to.
        var owner: AppID? = Fixtures.appID
        /// Other services of the same owner, by source id.
        var issuers: [String: AppRecord] = [:]
        /// The refusal of `admit`, if any.
        var admission: Refusal?
        /// The refusal of the token, if it is not valid.
        var refusal: Refusal?
        var login = Fixtures.login()
        /// The app as it was before: redeeming by its revision is refused as outdated.
        var remembered: RegisteredApp?
    }

    struct Seen: Sendable {
        var calls: [ServerCall] = []
        var capabilities: [Capability] = []
        var tokens: [String] = []
        /// How often the present record of an app was read.
        var readings = 0
    }

    let script: Script
    private let state = Mutex(Seen())

    init(_ script: Script = Script()) { self.script = script }

    var seen: Seen { state.withLock { $0 } }

    func registeredApp(_ id: AppID) async throws(Refusal) -> RegisteredApp {
        state.withLock { $0.readings += 1 }
        guard let app = script.apps[id] else { throw Refusal(.appUnknown, "no app has this id") }
        return app
    }

    func rememberedApp(_ id: AppID) -> RegisteredApp? { script.remembered }

    func app(ofToken token: String, trace: TraceID) async throws(Refusal) -> AppID {
        guard let id = script.owner else { throw Refusal(.tokenUnknown, "no such token") }
        return id
    }

    func issuer(withSourceID sourceID: String, for app: AppRecord) async throws(Refusal) -> AppRecord {
        guard let issuer = script.issuers[sourceID] else { throw Refusal(.sourceIDUnknown, "no such service") }
        return issuer
    }

    private func refuseIfOutdated(_ call: ServerCall) throws(Refusal) {
        guard let present = script.apps[call.app.record.id],
            call.app.record.revision != present.record.revision
        else { return }
        var refusal = Refusal(.internalError, "outdated")
        refusal.isAppOutdated = true
        throw refusal
    }

    func recognise(_ call: ServerCall) async throws(Refusal) {
        if let refusal = script.admission { throw refusal }
    }

    func admit(_ call: ServerCall, needs capability: Capability) async throws(Refusal) -> AdmittedCall {
        state.withLock {
            $0.calls.append(call)
            $0.capabilities.append(capability)
        }
        if let refusal = script.admission { throw refusal }
        return AdmittedCall(call, for: capability)
    }

    func redeemNumber(_ call: AdmittedCall, token: String) async throws(Refusal) -> ReleasedLogin {
        try refuseIfOutdated(call.call)
        state.withLock { $0.tokens.append(token) }
        if let refusal = script.refusal { throw refusal }
        return script.login
    }

    func verifyNumber(
        _ call: AdmittedCall, token: String, matches: @escaping @Sendable (PhoneNumber) -> Bool
    ) async throws(Refusal) -> VerificationAnswer {
        try refuseIfOutdated(call.call)
        state.withLock { $0.tokens.append(token) }
        if let refusal = script.refusal { throw refusal }
        return VerificationAnswer(isSame: matches(script.login.number), trace: script.login.trace)
    }
}
