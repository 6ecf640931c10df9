import Benji
package import BenjiClient
package import BenjiFace
import BenjiFaceProtocol
package import BenjiPage
import BenjiProtocol
import Foundation

#if canImport(UIKit)
import UIKit
#endif

/// One engine behind calls that Objective-C makes from any thread: what the app registered, and who is told.
package final class SuperIDShell: Sendable {
    struct Registration: Hashable {
        var appID: String
        var secret: String?
    }

    struct State {
        let surroundings: FaceSurroundings?
        var registration: Registration?
        var engine: (engine: FaceEngine, vault: any FaceVault, registration: Registration, server: String)?
        var language: Language?
        var isDebugging = false
        /// The data of the account's holder, such as name, picture and number: of the last login since the app started.
        var holder: FaceUserInfo?
        weak var delegate: AnyObject?
        #if canImport(UIKit)
        var themeColor: UIColor?
        #endif
    }

    let state: Locked<State>

    /// - Parameter surroundings: `nil` where the system has none; every call then reports that.
    package init(surroundings: FaceSurroundings? = .system) { state = Locked(State(surroundings: surroundings)) }

    private static let shared = SuperIDShell()

    /// Takes the place of the process-wide shell in the task that sets it: so that tests can run side by side.
    @TaskLocal package static var scoped: SuperIDShell?

    package static var current: SuperIDShell { scoped ?? shared }

    /// Keeps the app's registration and fetches an app token. The delegate receives the result.
    func register(appID: String?, secret: String?) {
        let secret = secret?.isEmpty == false ? secret : nil
        state.withLock { $0.registration = Registration(appID: appID ?? "", secret: secret) }
        initialise()
    }

    /// Fetches the app token ahead of the first call, which fetches it itself if this does not succeed.
    func initialise() {
        Task {
            do throws(BenjiError) {
                try await engine().usableAppToken()
                log("initialised")
                tell(.appToken(.succeed))
            } catch {
                log("not initialised: \(error)")
                tell(.appToken(SuperIDResults.code(error.situation) == -1001 ? .netWorkError : .fail))
            }
        }
    }

    var delegate: (any SuperIDDelegate)? {
        get { state.withLock { $0.delegate } as? any SuperIDDelegate }
        set { state.withLock { $0.delegate = newValue } }
    }

    /// Notifies the delegate on the main thread, after this has returned.
    func tell(_ answer: SuperIDAnswer) {
        // The dictionaries of the answer are only read.
        nonisolated(unsafe) let answer = answer
        Task { @MainActor in self.delegate?.take(answer, from: .sharedInstance()) }
    }

    package var language: Language? {
        get { state.withLock { $0.language } }
        set { state.withLock { $0.language = newValue } }
    }

    #if canImport(UIKit)
    var themeColor: UIColor? { state.withLock { $0.themeColor } }
    #endif

    var appID: String? { state.withLock { $0.registration?.appID } }

    func keep(_ user: FaceUser?) { state.withLock { $0.holder = user?.userInfo } }

    /// Who is logged in here, as far as this phone knows.
    var userInfo: [AnyHashable: Any] {
        guard isAuthorized,
            let (vault, holder) = state.withLock({ state in
                state.engine.map { ($0.vault, state.holder) }
            })
        else { return [:] }
        return SuperIDResults.userInfo(FaceEngine.remembered(in: vault), holder)
    }

    /// Writes to the developer's console. No number, no credential.
    func log(_ words: String) { if state.withLock({ $0.isDebugging }) { print("[SuperID]", words) } }

    func setDebugging(_ isOn: Bool) { state.withLock { $0.isDebugging = isOn } }

    /// The engine for the current registration: made at the first call, and again when app or server change.
    package func engine() throws(BenjiError) -> FaceEngine {
        try state.withLock { state -> Result<FaceEngine, BenjiError> in
            do throws(BenjiError) {
                return .success(try state.liveEngine { [weak self] in self?.log("\($0)") })
            } catch { return .failure(error) }
        }.get()
    }

    /// Whether somebody who has authorised the app is logged in, as far as this phone knows.
    var isAuthorized: Bool {
        guard (try? engine()) != nil, let vault = state.withLock({ $0.engine?.vault }) else { return false }
        return FaceEngine.remembered(in: vault).access != nil
    }
}

extension SuperIDShell.State {
    /// - Parameter observer: receives every step of an engine that is made now.
    mutating func liveEngine(
        observer: @escaping @Sendable (FaceEvent) -> Void
    ) throws(BenjiError) -> FaceEngine {
        guard let registration, !registration.appID.isEmpty else {
            throw BenjiError(.notConfigured, "register the app id first")
        }
        guard registration.secret != nil else { throw BenjiError(.notConfigured, "register the app secret too") }
        guard let surroundings else {
            throw BenjiError(.notConfigured, "this system has no transport of its own that leaves by mobile data")
        }
        let oneTap = surroundings.oneTap
        guard let server = oneTap.server() else {
            throw BenjiError(
                .notConfigured, "name the server: BenjiServer in Info.plist, or BenjiServer.use(_:)")
        }
        if let engine, engine.registration == registration, engine.server == server { return engine.engine }
        let configuration: PhoneLogin.Configuration
        do {
            configuration = try PhoneLogin.Configuration(
                appID: registration.appID, appKey: registration.secret, bundleID: oneTap.bundleID, server: server,
                timeout: .seconds(15))
        } catch {
            throw BenjiError(.notConfigured, error.detail)
        }
        let vault = surroundings.vault(configuration.engine.appID)
        let made = FaceEngine(
            configuration: .init(login: configuration.engine), cellular: oneTap.transport,
            transport: surroundings.transport, codes: oneTap.internet,
            keyStore: oneTap.keyStore(configuration.engine.appID), vault: vault,
            attestation: oneTap.attestation, networkStatus: oneTap.networkStatus, wallClock: oneTap.wallClock,
            clock: oneTap.clock, random: oneTap.random, observer: observer)
        engine = (made, vault, registration, server)
        return made
    }
}
