import Benji
package import BenjiClient
import BenjiFaceProtocol
package import BenjiProtocol

/// Runs face sessions and keeps their tokens: decides with ``FaceFlow`` and acts through transports, a stage and a
/// vault.
///
/// One session runs at a time. App tokens and access tokens are fetched and renewed without anybody noticing.
package actor FaceEngine {
    package struct Configuration: Sendable {
        /// The app and the server; its dialect and time-out are those of the one-tap login and of each request.
        package var login: LoginEngine.Configuration
        /// A token that has less than this to live is renewed before it is used.
        package var margin: Duration = .seconds(30)

        package init(login: LoginEngine.Configuration) { self.login = login }
    }

    let configuration: Configuration
    let caller: ProofCaller
    let wallClock: any WallClock
    let timer: Timer
    private let vault: any FaceVault
    private let phone: LoginEngine
    private let bySMS: SMSFallback

    var memory: FaceMemory?
    var appToken: (text: String, endsAt: Duration)?
    var clockOffset = Duration.zero
    /// The first caller's renewal serves all: a refresh token that is shown twice ends the access.
    var renewal: Task<Result<FaceMemory.Access, BenjiError>, Never>?

    private var session: Task<Result<FaceOutcome, BenjiError>, Never>?
    private let observer: (@Sendable (FaceEvent) -> Void)?

    /// - Parameters:
    ///   - cellular: by which the number is proven.
    ///   - transport: by which everything else goes.
    ///   - codes: by which a code by SMS is asked for and shown; without it, `transport`.
    ///   - attestation: vouches for app and key, when the number is proven and in every other request.
    ///   - observer: receives every step. No step carries a credential, a number or a picture.
    package init(
        configuration: Configuration, cellular: any Transport, transport: any Transport,
        codes: (any Transport)? = nil, keyStore: any DeviceKeyStore, vault: any FaceVault,
        attestation: (any AttestationProvider)? = nil,
        networkStatus: (any NetworkStatusSource)? = nil, wallClock: any WallClock = SystemWallClock(),
        clock: any Clock<Duration> = ContinuousClock(), random: any RandomSource = SystemRandomSource(),
        observer: (@Sendable (FaceEvent) -> Void)? = nil
    ) {
        self.observer = observer
        var configuration = configuration
        configuration.login.dialect = Dialect(rawValue: "superid")
        self.configuration = configuration
        self.vault = vault
        self.wallClock = wallClock
        timer = Timer(clock)
        phone = LoginEngine(
            configuration: configuration.login, transport: cellular, keyStore: keyStore, attestation: attestation,
            networkStatus: networkStatus, wallClock: wallClock, clock: clock, random: random)
        bySMS = SMSFallback(
            engine: phone,
            login: SMSLogin(
                engine: SMSCodeEngine(
                    configuration: configuration.login, transport: codes ?? transport, keyStore: keyStore,
                    attestation: attestation, wallClock: wallClock, clock: clock, random: random)))
        caller = ProofCaller(
            configuration: configuration.login, transport: transport, keyStore: keyStore, attestation: attestation,
            provesAddress: false, situations: Situation.ofNumberLogin + Situation.ofFaceLogin, wallClock: wallClock,
            random: random)
    }

    func tell(_ event: FaceEvent) { observer?(event) }

    // MARK: memory

    /// The stored memory, read once.
    func remembered() -> FaceMemory {
        if let memory { return memory }
        let read = Self.remembered(in: vault)
        memory = read
        return read
    }

    /// A vault's memory; empty if it cannot be read.
    package static func remembered(in vault: any FaceVault) -> FaceMemory {
        vault.read().flatMap { try? FaceMemory(JSON(parsing: $0)) } ?? FaceMemory()
    }

    func change(_ edit: (inout FaceMemory) -> Void) {
        var changed = remembered()
        edit(&changed)
        guard changed != memory else { return }
        memory = changed
        vault.write(changed.isEmpty ? nil : changed.json.serialized)
    }

    // MARK: sessions

    /// Runs a session on `stage` until it ends.
    ///
    /// Cancelling the calling task ends it with ``BenjiProtocol/Situation/cancelledByApp``.
    ///
    /// - Parameter attempts: how often the person may try; the server has a limit of its own.
    package func run(
        _ goal: FaceGoal, attempts: Int = .max, on stage: any FaceStage
    ) async throws(BenjiError) -> FaceOutcome {
        try await result(of: goal, attempts: attempts, on: stage).get()
    }

    /// The same as a `Result`, for callers that pass it on.
    package func result(
        of goal: FaceGoal, attempts: Int = .max, on stage: any FaceStage
    ) async -> Result<FaceOutcome, BenjiError> {
        guard session == nil else {
            return .failure(BenjiError(.alreadyRunning, "another face session is still running"))
        }
        let task = Task { await self.perform(goal, attempts, stage) }
        session = task
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        session = nil
        return result
    }

    private func perform(
        _ goal: FaceGoal, _ attempts: Int, _ stage: any FaceStage
    ) async -> Result<FaceOutcome, BenjiError> {
        let memory = remembered()
        var access: String?
        do { if goal.needsAccess, memory.access != nil { access = try await usableAccess().grant.accessToken } } catch {
            tell(.ended(error.situation))
            return .failure(error)
        }
        let attempt = FaceAttempt(
            engine: self, stage: stage,
            flow: FaceFlow(
                goal: goal, remembered: memory.remembered, access: access, declinedGroups: memory.declinedGroups,
                attempts: attempts))
        var result = await attempt.run()
        if Task.isCancelled, case .failure = result {
            result = .failure(BenjiError(.cancelledByApp, "the app ended the session"))
        }
        switch result {
        case .success: tell(.ended(.success))
        case .failure(let error): tell(.ended(error.situation))
        }
        return result
    }

    /// A token of the number, earned over mobile data on a page of `stage`, or where that cannot be, by a code by SMS.
    func proveNumber(on stage: any FaceStage) async throws(BenjiError) -> String {
        tell(.step("prove number"))
        do { return try await phone.logIn(with: await stage.numberPage()).token } catch {
            guard let page = await stage.smsPage() else { throw error }
            tell(.step("prove number by SMS"))
            return try await bySMS.logIn(after: error, with: page).get().token
        }
    }
}
