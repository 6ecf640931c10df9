public import BenjiClient
public import BenjiProtocol

/// Logs a person in by the number of the phone in their hand: one tap, no SMS.
///
/// Make one when the app starts and keep it. What was prefetched lives in it, in memory only.
///
/// ```swift
/// import Benji
/// import BenjiClient
///
/// func logIn(
///     transport: any Transport, keyStore: any DeviceKeyStore, page: any AuthorizationPresenter
/// ) async throws -> String {
///     let benji = PhoneLogin(
///         configuration: try .init(
///             appID: "300000000001", appKey: "the app's key", bundleID: "com.example.app",
///             server: "https://gateway.example"),
///         transport: transport, keyStore: keyStore)
///     // As soon as a login is likely: the page then opens without waiting.
///     _ = try? await benji.prefetch()
///     // The app hands the token to its own server, which redeems it once.
///     return try await benji.logIn(presenting: page).token
/// }
/// ```
///
/// Every call throws ``BenjiClient/BenjiError``. One call runs at a time.
public final class PhoneLogin: Sendable {
    private let engine: LoginEngine

    /// - Parameters:
    ///   - transport: how requests leave, by the cellular interface. On Linux, `CurlTransport` bound to the modem.
    ///   - keyStore: where the install's device key is kept.
    ///   - attestation: whoever vouches that this is a genuine install; without it tokens carry the assurance `net`.
    ///   - networkStatus: answers ``networkStatus()``; many transports can.
    public init(
        configuration: Configuration, transport: any Transport, keyStore: any DeviceKeyStore,
        attestation: (any AttestationProvider)? = nil, networkStatus: (any NetworkStatusSource)? = nil
    ) {
        engine = LoginEngine(
            configuration: configuration.engine, transport: transport, keyStore: keyStore, attestation: attestation,
            networkStatus: networkStatus ?? (transport as? any NetworkStatusSource))
    }

    /// With an engine made elsewhere: for tests with clocks of their own.
    public init(engine: LoginEngine) { self.engine = engine }

    /// Asks the gateway who this phone is, so that the page can open at once. Answered from memory while the last
    /// answer is valid.
    @discardableResult
    public func prefetch() async throws(BenjiError) -> PrefetchSummary { try await engine.prefetch() }

    /// Shows the page, and after the person has ticked and tapped gets a token that releases the number to the app's
    /// server.
    ///
    /// Without a prefetch in memory it makes one first.
    public func logIn(presenting page: any AuthorizationPresenter) async throws(BenjiError) -> LoginToken {
        try await engine.logIn(with: page)
    }

    /// Gets a token with which the app's server can ask whether a number is this phone's own. It releases no number
    /// and needs no page.
    public func verificationToken() async throws(BenjiError) -> LoginToken { try await engine.verificationToken() }

    /// Ends the running call, if there is one, with ``BenjiProtocol/Situation/cancelledByApp``.
    public func cancel() async { await engine.cancel() }

    /// Gives up what was prefetched, here and at the server: when the person logs out or changes the SIM.
    public func forget() async throws(BenjiError) { try await engine.forget() }

    /// Which networks are up; `nil` when nobody can tell.
    public func networkStatus() async -> NetworkStatus? { await engine.networkStatus() }

    /// The steps of every call from now on; each use gives a stream of its own. No step carries a number or a
    /// credential.
    public var events: AsyncStream<LoginEvent> {
        get async { await engine.events() }
    }

    /// The name of the login that was last spoken of: what support asks for.
    public var trace: TraceID? {
        get async { await engine.trace }
    }
}
