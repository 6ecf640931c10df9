public import BenjiClient
public import BenjiProtocol

/// Logs a person in by the number of the phone in their hand: one tap, no SMS.
///
/// Make one when the app starts and keep it. It holds the result of a prefetch, in memory only.
///
/// ```swift
/// import Benji
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
    private let fallback: SMSFallback?
    /// The login that may end by SMS. While there is one no other call runs.
    private let login = Locked<Task<Result<LoginToken, BenjiError>, Never>?>(nil)

    /// - Parameters:
    ///   - transport: how requests leave, by the cellular interface. On Linux, `CurlTransport` bound to the modem.
    ///   - keyStore: where the install's device key is kept.
    ///   - attestation: attests that this is a genuine install; without it tokens carry the assurance `net`.
    ///   - networkStatus: answers ``networkStatus()``; many transports can.
    ///   - internet: how requests leave by whatever network the phone has, for logins by SMS. Without it there are
    ///     none.
    public init(
        configuration: Configuration, transport: any Transport, keyStore: any DeviceKeyStore,
        attestation: (any AttestationProvider)? = nil, networkStatus: (any NetworkStatusSource)? = nil,
        internet: (any Transport)? = nil
    ) {
        let engine = LoginEngine(
            configuration: configuration.engine, transport: transport, keyStore: keyStore, attestation: attestation,
            networkStatus: networkStatus ?? (transport as? any NetworkStatusSource))
        self.engine = engine
        fallback = internet.map { internet in
            SMSFallback(
                engine: engine,
                login: SMSLogin(
                    configuration: configuration, transport: internet, keyStore: keyStore, attestation: attestation))
        }
    }

    /// With an engine made elsewhere: for tests with clocks of their own.
    ///
    /// - Parameter byCode: for logins by SMS; without it there are none.
    public init(engine: LoginEngine, byCode: SMSLogin? = nil) {
        self.engine = engine
        fallback = byCode.map { SMSFallback(engine: engine, login: $0) }
    }

    /// Asks the gateway who this phone is, so that the page can open at once. Answered from memory while the last
    /// answer is valid.
    @discardableResult
    public func prefetch() async throws(BenjiError) -> PrefetchSummary {
        try checkNoLogin()
        return try await engine.prefetch()
    }

    /// Shows the page, and after the person has ticked and tapped gets a token that releases the number to the app's
    /// server.
    ///
    /// Without a prefetch in memory it makes one first.
    public func logIn(presenting page: any AuthorizationPresenter) async throws(BenjiError) -> LoginToken {
        try checkNoLogin()
        return try await engine.logIn(with: page)
    }

    /// Logs in by one tap, or by a code by SMS where this phone's connection does not allow one tap. The app's workflow
    /// at the server must have codes.
    ///
    /// ``BenjiProtocol/Situation/mayLeadToSMS`` lists the failures of one tap that lead to a code; after any other the
    /// call ends as without `sms`. ``BenjiClient/LoginToken/assurance`` states how the token was earned.
    ///
    /// - Parameters:
    ///   - page: the page of one tap.
    ///   - sms: the page of a login by SMS; `nil` switches that off.
    public func logIn(
        presenting page: any AuthorizationPresenter, orBySMS sms: (any SMSPresenter)?
    ) async throws(BenjiError) -> LoginToken {
        guard let sms, let fallback else { return try await logIn(presenting: page) }
        let started = login.withLock { login -> Task<Result<LoginToken, BenjiError>, Never>? in
            guard login == nil else { return nil }
            let task = Task { await self.result(page, sms, fallback) }
            login = task
            return task
        }
        guard let started else { throw BenjiError(.alreadyRunning, "another login is still running") }
        defer { login.withLock { $0 = nil } }
        let result = await withTaskCancellationHandler {
            await started.value
        } onCancel: {
            started.cancel()
        }
        return try result.get()
    }

    private func result(
        _ page: any AuthorizationPresenter, _ sms: any SMSPresenter, _ fallback: SMSFallback
    ) async -> Result<LoginToken, BenjiError> {
        do throws(BenjiError) { return .success(try await engine.logIn(with: page)) } catch {
            return await fallback.logIn(after: error, with: sms)
        }
    }

    private func checkNoLogin() throws(BenjiError) {
        guard login.withLock({ $0 == nil }) else {
            throw BenjiError(.alreadyRunning, "another login is still running")
        }
    }

    /// Whether the app's workflow has logins by SMS, as the server said with the last prefetch or its refusal; `nil`
    /// until one was answered.
    public var offersSMSLogin: Bool? {
        get async { await engine.offersSMSLogin }
    }

    /// Gets a token with which the app's server can ask whether a number is this phone's own. It releases no number
    /// and needs no page.
    public func verificationToken() async throws(BenjiError) -> LoginToken {
        try checkNoLogin()
        return try await engine.verificationToken()
    }

    /// Ends the running call, if there is one, with ``BenjiProtocol/Situation/cancelledByApp``.
    public func cancel() async {
        login.withLock { $0?.cancel() }
        await engine.cancel()
    }

    /// Finds out why one tap does not work on this phone: asks the gateway as a login would, and says which
    /// precondition fails first.
    ///
    /// For a help page, or for a developer's first steps. It shows no page and makes no token. It replaces the result
    /// of an earlier prefetch.
    ///
    /// ```swift
    /// let diagnosis = try await benji.diagnose()
    /// if let failed = diagnosis.failed { print(failed, diagnosis.advice(in: .english) ?? "") }
    /// ```
    ///
    /// - Throws: ``BenjiProtocol/Situation/alreadyRunning`` and ``BenjiProtocol/Situation/cancelledByApp``. All other
    ///   failures are the diagnosis.
    public func diagnose() async throws(BenjiError) -> LoginDiagnosis {
        try await diagnosed().diagnosis
    }

    /// The diagnosis, and what a page would show if nothing failed.
    func diagnosed() async throws(BenjiError) -> (diagnosis: LoginDiagnosis, offer: PageOffer?) {
        try checkNoLogin()
        do {
            return (.good, try await engine.offer())
        } catch {
            guard ![.alreadyRunning, .cancelledByApp].contains(error.situation) else { throw error }
            return (LoginDiagnosis(error), nil)
        }
    }

    /// Discards the prefetched data, here and at the server. Call it when the person logs out or changes the SIM.
    public func forget() async throws(BenjiError) {
        try checkNoLogin()
        try await engine.forget()
    }

    /// The networks that are up; `nil` when there is no source for this.
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
