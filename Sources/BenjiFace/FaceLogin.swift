public import Benji
public import BenjiClient
public import BenjiFaceProtocol
import BenjiProtocol

/// Logs people in by their face, bound to an account that a phone number opened.
///
/// Make one when the app starts and keep it. Face login is never the only way in: offer another one too.
///
/// ```swift
/// let outcome = try await faces.run(.logIn(), on: stage)
/// if case .loggedIn(let user) = outcome { await app.logIn(with: user.authorizationCode) }
/// ```
///
/// The app's server exchanges the code, and knows the person by the `open_id` that it is answered: ``FaceUser/openID``
/// here. The ``FaceUser/uid`` is what the phone itself has said, so it proves nothing about who this is.
///
/// Every call throws ``BenjiClient/BenjiError``. One session runs at a time.
public final class FaceLogin: Sendable {
    package let engine: FaceEngine

    /// - Parameters:
    ///   - cellular: by which the number is proven; see ``Benji/PhoneLogin``.
    ///   - transport: by which everything else goes; pictures need no mobile data.
    ///   - keyStore: where the install's device key is kept: the same as of the app's `PhoneLogin`.
    ///   - vault: where the account and its tokens are kept.
    ///   - attestation: attests that this is a genuine install, as in ``Benji/PhoneLogin``. A server's usual
    ///     `face.least-assurance` requires it.
    public init(
        configuration: PhoneLogin.Configuration, cellular: any Transport, transport: any Transport,
        keyStore: any DeviceKeyStore, vault: any FaceVault, attestation: (any AttestationProvider)? = nil,
        networkStatus: (any NetworkStatusSource)? = nil
    ) {
        engine = FaceEngine(
            configuration: .init(login: configuration.engine), cellular: cellular, transport: transport,
            keyStore: keyStore, vault: vault, attestation: attestation,
            networkStatus: networkStatus ?? (cellular as? any NetworkStatusSource))
    }

    package init(engine: FaceEngine) {
        self.engine = engine
    }

    /// Runs a session on `stage`, from the question who it is to the answer.
    ///
    /// - Parameter attempts: how often the person may try to show their face; the server has a limit of its own.
    public func run(
        _ goal: FaceGoal, attempts: Int = .max, on stage: any FaceStage
    ) async throws(BenjiError) -> FaceOutcome {
        try await engine.run(goal, attempts: attempts, on: stage)
    }

    /// Whether somebody is logged in, as far as this phone knows.
    public var isAuthorized: Bool {
        get async { await engine.isAuthorized }
    }

    /// Whether one of the app's users is tied to an account.
    public func isAuthorized(uid: String) async throws(BenjiError) -> Bool { try await engine.isAuthorized(uid: uid) }

    /// Who is logged in, with their masked number. Only the app's server gets the number itself.
    public func user() async throws(BenjiError) -> FaceUserInfo { try await engine.user().userInfo }

    /// Gives the account the app's own uid.
    ///
    /// It takes a face that this phone has shown within five minutes, as right after a login. Later the person shows it
    /// once more on `stage`; without one the call ends in ``BenjiProtocol/Situation/confirmationNeeded``.
    public func updateUID(_ uid: String, on stage: (any FaceStage)? = nil) async throws(BenjiError) {
        try await engine.updateUID(uid, on: stage)
    }

    /// Freezes the account, for every app: nothing of it works until the operator thaws it. The person shows their face
    /// on `stage`, unless they have just done so.
    public func freezeAccount(on stage: any FaceStage) async throws(BenjiError) {
        try await engine.freezeAccount(on: stage)
    }

    /// Erases the account with its face, for every app. The person shows their face on `stage`, unless they have just
    /// done so.
    public func eraseAccount(on stage: any FaceStage) async throws(BenjiError) {
        try await engine.eraseAccount(on: stage)
    }

    /// Replaces what the app keeps with its user.
    public func updateUserInfo(_ userInfo: FaceUserInfo) async throws(BenjiError) {
        try await engine.updateUserInfo(userInfo)
    }

    /// Takes the person out of the app's groups: they are found no more. They are not asked again until
    /// ``askAboutGroups()``.
    public func leaveGroups() async throws(BenjiError) { try await engine.leaveGroups() }

    /// Lets the next login ask once more whether the person may be found in the app's groups, after they have said no
    /// or left.
    public func askAboutGroups() async { await engine.askAboutGroups() }

    /// Logs out. The account stays authorised and remembered on this phone.
    public func logOut() async { await engine.logOut() }

    /// Takes back what the person has allowed the app.
    ///
    /// - Returns: whether the face was erased with it. That requires that no other app of the person used it, and that
    ///   they showed it to this phone a moment ago. Otherwise an account that no app uses is erased within a week,
    ///   unless they log in again.
    @discardableResult
    public func cancelAuthorization() async throws(BenjiError) -> Bool { try await engine.cancelAuthorization() }
}
