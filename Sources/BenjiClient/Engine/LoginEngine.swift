public import BenjiProtocol

/// Runs login attempts: decides with `LoginAttempt` and acts through a transport, a key store and a presenter.
///
/// One call runs at a time; a second one gets ``BenjiProtocol/Situation/alreadyRunning``. The prefetched data is kept
/// in memory only.
public actor LoginEngine {
    /// The engine's app and its time limits.
    public struct Configuration: Sendable, CustomStringConvertible, CustomReflectable {
        public var appID: AppID
        /// Ships inside the app, so it earns the assurance `net` and nothing more. `nil` if the app is registered for
        /// phones without the key.
        public var appKey: String?
        /// As registered, 1 to 255 bytes.
        public var bundleID: String
        /// The gateway's address; the paths of the device dialect are added to it.
        public var server: ServerURL
        /// The dialect of the SDK that speaks: it decides lifetimes.
        public var dialect: Dialect
        /// For one call as a whole, save the time that the page is open: that is the person's own.
        public var timeout: Duration
        /// A scrip that has less than this to live is not used for a new call.
        public var margin: Duration
        /// Whether a page may begin with the tick set, as two vendors' documents show it. Only the vendors' facades set
        /// this: today's rules and the law require an unset tick.
        package var allowsInitialTick = false

        public init(
            appID: AppID, appKey: String?, bundleID: String, server: ServerURL, dialect: Dialect = .device,
            timeout: Duration = .seconds(8), margin: Duration = .seconds(5)
        ) {
            self.appID = appID
            self.appKey = appKey
            self.bundleID = bundleID
            self.server = server
            self.dialect = dialect
            self.timeout = timeout
            self.margin = margin
        }

        /// Without the app key.
        public var description: String { "Configuration(appID: \(appID), bundleID: \(bundleID), server: \(server))" }
        public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
    }

    private let configuration: Configuration
    private let caller: DeviceCaller
    private let statusSource: (any NetworkStatusSource)?
    private let wallClock: any WallClock
    private let timer: Timer

    private var memory = LoginMemory()
    private var isRunning = false
    private var cancelRequested = false
    /// Whether the last call has shown its page.
    package private(set) var hasShownPage = false
    /// Finishing it ends the step that is under way.
    private var interrupt: AsyncStream<Never>.Continuation?
    private var subscribers: [AsyncStream<LoginEvent>.Continuation] = []

    /// - Parameters:
    ///   - clock: Measures time-outs and the scrip's life. Must go on while the phone sleeps and never jump.
    ///   - random: Names proofs; nothing but a test passes another than the system's.
    public init(
        configuration: Configuration, transport: any Transport, keyStore: any DeviceKeyStore,
        attestation: (any AttestationProvider)? = nil, networkStatus: (any NetworkStatusSource)? = nil,
        wallClock: any WallClock = SystemWallClock(), clock: any Clock<Duration> = ContinuousClock(),
        random: any RandomSource = SystemRandomSource()
    ) {
        self.configuration = configuration
        self.wallClock = wallClock
        statusSource = networkStatus
        timer = Timer(clock)
        caller = DeviceCaller(
            configuration: configuration, transport: transport, keyStore: keyStore, attestation: attestation,
            wallClock: wallClock, random: random)
    }

    deinit { for subscriber in subscribers { subscriber.finish() } }

    // MARK: calls

    /// Asks the gateway who this phone is, unless a valid answer is still in memory.
    ///
    /// - Parameter timeout: for this call instead of ``Configuration/timeout``.
    public func prefetch(timeout: Duration? = nil) async throws(BenjiError) -> PrefetchSummary {
        guard case .prefetched(let summary) = try await run(.prefetch, timeout) else { throw Self.confused }
        return summary
    }

    /// Asks the gateway who this phone is, whatever is in memory, and returns what a page would show.
    package func offer() async throws(BenjiError) -> PageOffer {
        guard case .prefetched = try await run(.prefetch, nil, isAnew: true), let held = memory.prefetched else {
            throw Self.confused
        }
        return held.offer
    }

    /// Shows the page, and after the person's yes asks for a token that releases the number.
    ///
    /// - Parameter timeout: for this call instead of ``Configuration/timeout``.
    public func logIn(
        with presenter: any AuthorizationPresenter, timeout: Duration? = nil
    ) async throws(BenjiError) -> LoginToken {
        guard case .token(let token) = try await run(.login, timeout, presenter) else { throw Self.confused }
        return token
    }

    /// Asks for a token that can only answer "is it this number?". Needs no page.
    ///
    /// - Parameter timeout: for this call instead of ``Configuration/timeout``.
    public func verificationToken(timeout: Duration? = nil) async throws(BenjiError) -> LoginToken {
        guard case .token(let token) = try await run(.verification, timeout) else { throw Self.confused }
        return token
    }

    /// Ends the running call, if there is one, with ``BenjiProtocol/Situation/cancelledByApp``.
    public func cancel() {
        guard isRunning else { return }
        cancelRequested = true
        interrupt?.finish()
    }

    /// Gives the scrip up: from memory at once, and then at the server. Without a scrip nothing is sent.
    ///
    /// - Throws: When the server could not be told. The phone has forgotten all the same.
    public func forget() async throws(BenjiError) {
        try begin()
        defer { isRunning = false }
        guard let held = memory.prefetched else { return }
        let trace = held.offer.trace
        memory.prefetched = nil
        publish(.init(step: .scripDropped, situation: nil))
        publish(.init(step: .forgetting, situation: nil))
        let offset = memory.clockOffset
        let deadline = timer.elapsed() + configuration.timeout
        let (caller, timer) = (caller, timer)
        let event = await race(deadline: deadline) {
            do throws(DeviceCaller.Failure) {
                let answer = try await caller.forget(scrip: held.scrip, clockOffset: offset) {
                    deadline - timer.elapsed()
                }
                if case .refusal(let failure) = answer { return .failed(BenjiError(failure), mayBeDone: false) }
                return .started
            } catch {
                return .failed(error.error, mayBeDone: error.mayBeDone)
            }
        }
        var error: BenjiError?
        switch event {
        case .failed(let failure, _): error = failure
        case .timedOut: error = BenjiError(.timedOut, "the time allowed for this call has passed")
        case .cancelled: error = BenjiError(.cancelledByApp, "the app cancelled this call")
        default: break
        }
        if error?.trace == nil { error?.trace = trace }
        publish(.init(step: .finished, situation: error?.situation ?? .success))
        if let error { throw error }
    }

    // MARK: looking on

    /// The name of the login that was last spoken of, for support.
    public var trace: TraceID? { memory.trace }

    /// The result that a call would use now without asking the network; `nil` if it would have to ask.
    public var remembered: PrefetchSummary? {
        guard let held = memory.prefetched, held.isValid(at: timer.elapsed(), margin: configuration.margin) else {
            return nil
        }
        return held.summary(at: timer.elapsed(), margin: configuration.margin, fromMemory: true)
    }

    /// Whether the app's workflow also logs in by a code by SMS, from the reply to the last prefetch. A refused
    /// prefetch states it too. `nil` until one was answered.
    public var offersSMSLogin: Bool? { memory.offersSMSLogin }

    /// The networks that are up; `nil` when there is no source for this.
    public func networkStatus() async -> NetworkStatus? { await statusSource?.networkStatus() }

    /// The steps of every call from now on. Each subscriber has its own stream; one that does not read loses the oldest
    /// after 256.
    public func events() -> AsyncStream<LoginEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: LoginEvent.self, bufferingPolicy: .bufferingNewest(256))
        subscribers.append(continuation)
        return stream
    }

    private func publish(_ notice: LoginAttempt.Notice) {
        let event = LoginEvent(step: notice.step, situation: notice.situation, trace: memory.trace, time: wallClock.now)
        subscribers.removeAll {
            if case .terminated = $0.yield(event) { return true }
            return false
        }
    }

    // MARK: running an attempt

    private static var confused: BenjiError { BenjiError(.internalError, "the attempt ended in another call's result") }

    private func begin() throws(BenjiError) {
        guard !isRunning else {
            throw BenjiError(.alreadyRunning, "another call of this engine is still running", trace: memory.trace)
        }
        isRunning = true
        cancelRequested = false
        hasShownPage = false
    }

    private func run(
        _ goal: LoginAttempt.Goal, _ timeout: Duration?, _ presenter: (any AuthorizationPresenter)? = nil,
        isAnew: Bool = false
    ) async throws(BenjiError) -> LoginAttempt.Outcome {
        try begin()
        defer { isRunning = false }
        if isAnew { memory.prefetched = nil }
        var attempt = LoginAttempt(
            goal: goal, memory: memory, margin: configuration.margin,
            allowsInitialTick: configuration.allowsInitialTick)
        var deadline = timer.elapsed() + (timeout ?? configuration.timeout)
        var event = LoginAttempt.Event.started
        while true {
            let decision = attempt.handle(event, at: timer.elapsed())
            memory = attempt.memory
            for notice in decision.notices { publish(notice) }
            switch decision.action {
            case .finish(let result): return try result.get()
            case .present(let offer):
                guard let presenter else { throw Self.confused }
                hasShownPage = true
                let start = timer.elapsed()
                event = await race(deadline: nil) { .presented(await presenter.present(offer)) }
                deadline += timer.elapsed() - start
            case .prefetch: event = await prefetch(before: deadline)
            case .authorize(let held, let consent): event = await authorize(held, consent, before: deadline)
            }
        }
    }

    private func prefetch(before deadline: Duration) async -> LoginAttempt.Event {
        let offset = memory.clockOffset
        let sentAt = timer.elapsed()
        let (caller, timer, wallClock, source) = (caller, timer, wallClock, statusSource)
        return await race(deadline: deadline) {
            do throws(DeviceCaller.Failure) {
                switch try await caller.prefetch(clockOffset: offset, timeout: { deadline - timer.elapsed() }) {
                case .success(let json):
                    return Self.read(json) { .prefetched(try PrefetchResponse($0), sentAt: sentAt) }
                case .refusal(let failure): return .refused(failure, at: wallClock.now)
                }
            } catch {
                return .failed(await Self.explained(error.error, by: source), mayBeDone: error.mayBeDone)
            }
        }
    }

    private func authorize(
        _ held: LoginMemory.Prefetched, _ consent: PageConsent?, before deadline: Duration
    ) async -> LoginAttempt.Event {
        let offset = memory.clockOffset
        let (caller, timer, wallClock, source) = (caller, timer, wallClock, statusSource)
        return await race(deadline: deadline) {
            do throws(DeviceCaller.Failure) {
                let answer = try await caller.authorize(
                    held, consent: consent, clockOffset: offset, timeout: { deadline - timer.elapsed() })
                switch answer {
                case .success(let json): return Self.read(json) { .authorized(try AuthorizeResponse($0)) }
                case .refusal(let failure): return .refused(failure, at: wallClock.now)
                }
            } catch {
                return .failed(await Self.explained(error.error, by: source), mayBeDone: error.mayBeDone)
            }
        }
    }

    /// A transport that finds no cellular interface cannot tell why; the system may.
    private static func explained(_ error: BenjiError, by source: (any NetworkStatusSource)?) async -> BenjiError {
        guard error.situation == .cellularDataOff, let status = await source?.networkStatus() else { return error }
        var error = error
        if status.hasSIM == false {
            error.situation = .noSIM
        } else if !status.isConnected {
            error.situation = .noNetwork
        }
        return error
    }

    private static func read(
        _ json: JSON, _ make: (JSON) throws -> LoginAttempt.Event
    ) -> LoginAttempt.Event {
        do { return try make(json) } catch {
            let place = (error as? JSONError)?.description ?? "unreadable"
            return .failed(BenjiError(.malformedResponse, "the server's answer: \(place)"), mayBeDone: true)
        }
    }

    /// Runs one step until it ends, the deadline passes, the app cancels or the calling task is cancelled, whichever
    /// is first. Returns when the step has ended too, which its cancellation makes prompt.
    private func race(
        deadline: Duration?, _ step: @escaping @Sendable () async -> LoginAttempt.Event
    ) async -> LoginAttempt.Event {
        if cancelRequested || Task.isCancelled { return .cancelled }
        if let deadline, timer.elapsed() >= deadline { return .timedOut }
        let (interruption, continuation) = AsyncStream.makeStream(of: Never.self)
        interrupt = continuation
        defer { interrupt = nil }
        let timer = timer
        let event = await withTaskGroup(of: LoginAttempt.Event?.self) { group in
            group.addTask { await step() }
            group.addTask {
                for await _ in interruption {}
                return .cancelled
            }
            if let deadline { group.addTask { await timer.reaches(deadline) ? .timedOut : nil } }
            var first: LoginAttempt.Event?
            while first == nil, let next = await group.next() { first = next }
            group.cancelAll()
            return first ?? .cancelled
        }
        // A cancelled step may end with an error of its own.
        return cancelRequested || Task.isCancelled ? .cancelled : event
    }
}
