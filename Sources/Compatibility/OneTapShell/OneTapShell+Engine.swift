import Benji
import BenjiClient
import BenjiProtocol

extension OneTapShell.State {
    /// The engine for the current registration: made at the first call, and again when app or server change.
    mutating func liveEngine(_ facade: Facade) throws(BenjiError) -> LoginEngine {
        guard let registration, !registration.appID.isEmpty else {
            throw BenjiError(.notConfigured, "register the app id first")
        }
        guard registration.appKey != nil || !facade.needsAppKey else {
            throw BenjiError(.notConfigured, "register the app key too")
        }
        guard let surroundings else {
            throw BenjiError(.notConfigured, "this system has no transport of its own that leaves by mobile data")
        }
        guard let server = surroundings.server() else {
            throw BenjiError(
                .notConfigured, "name the gateway: \(BenjiServer.infoKey) in Info.plist, or BenjiServer.use(_:)")
        }
        if let engine, engine.registration == registration, engine.server == server { return engine.engine }
        var configuration = try PhoneLogin.Configuration(
            appID: registration.appID, appKey: registration.appKey, bundleID: surroundings.bundleID, server: server
        ).engine
        let keyStore = surroundings.keyStore(configuration.appID)
        configuration.dialect = facade.dialect
        configuration.allowsInitialTick = facade.allowsInitialTick
        let made = LoginEngine(
            configuration: configuration, transport: surroundings.transport,
            keyStore: keyStore, attestation: surroundings.attestation,
            networkStatus: surroundings.networkStatus, wallClock: surroundings.wallClock, clock: surroundings.clock,
            random: surroundings.random)
        let codes = surroundings.internet.map { internet in
            SMSCodeEngine(
                configuration: configuration, transport: internet, keyStore: keyStore,
                attestation: surroundings.attestation, wallClock: surroundings.wallClock, clock: surroundings.clock,
                random: surroundings.random)
        }
        engine = OneTapShell.Engine(
            engine: made, registration: registration, server: server,
            fallback: codes.map { SMSFallback(engine: made, login: SMSLogin(engine: $0)) })
        facts = Facts()
        prefetchProblem = nil
        return made
    }
}
