// Decides who may ask, and issues and ends credentials: apps, subscriptions, secrets, scrips and tokens, limits,
// traces. It uses no HTTP, no SQL and no RADIUS. Where vendors differ, it asks the policy of the dialect. Begin with
// `Login/Authority+Prefetch.swift`, then `Login/Authority+Authorize.swift` and `Login/Authority+Redeem.swift`.
package import AppAttest
package import BenjiPolicy
package import BenjiProtocol
package import Logging
package import Requests
package import Store

/// The stores that the authority needs. OpenID clients are among them for the origins of an app's web pages.
package typealias AuthorityStore = AppStore & RegisterStore & CredentialStore & LedgerStore & NameStore
    & OpenIDClientStore & TraceStore & ExpiryStore & AuditStore & SubscriberStore & MasterKeyStore & GatewayPairStore
    & OutboxStore & LoginCountStore & AttestedKeyStore & LogStore & GuessStore

/// The authority of one process, over one store.
package final class Authority: Sendable {
    package struct Configuration: Sendable {
        package var policy: CarrierPolicy
        /// Which carriers each gateway may speak for, by the gateway's name (decision 10).
        package var gateways: [String: Set<Carrier>]
        /// Of which pair each gateway is, by the gateway's name; a gateway that is of none is not in it.
        package var pairs: [String: String] = [:]
        /// The limit of prefetches for one number with one app in ten minutes. It holds for one device key, and for all
        /// keys together before familiar ones go first; see ``PrefetchBudget``.
        package var prefetchesPerNumber: Int
        /// Seconds that a message name of an app's server is remembered.
        package var messageMemory: Int64
        /// Whether attestations that lack `iat` or a challenge count. This is weaker: an attestation can then be kept
        /// and used later.
        package var takesUnchallengedAttestations = false
        /// Checks App Attest's statements about keys; `nil` where the operator has named no root.
        package var appAttest: AppAttestVerifier?
        package var retention = Retention()
        /// Answers a day of an app without a contract and without a quota of its own; `nil` for no limit.
        package var freeAnswersPerDay: Int?
        package var callbacks = CallbackRules()
        /// Names that each limiter remembers. When more come, those that stayed away longest are forgotten.
        package var rememberedCallers: Int
        /// Proofs that are remembered. When more come, older ones are no longer taken; see ``ProofReplayCache``.
        package var rememberedProofs: Int

        package init(
            policy: CarrierPolicy = .standard, gateways: [String: Set<Carrier>], prefetchesPerNumber: Int = 60,
            messageMemory: Int64 = 86400, rememberedCallers: Int = 1_000_000, rememberedProofs: Int = 1_000_000
        ) {
            self.policy = policy
            self.gateways = gateways
            self.prefetchesPerNumber = prefetchesPerNumber
            self.messageMemory = messageMemory
            self.rememberedCallers = rememberedCallers
            self.rememberedProofs = rememberedProofs
        }
    }

    package let configuration: Configuration
    package let apps: Apps
    let store: any AuthorityStore
    package let vault: Vault
    package let clock: any WallClock
    package let random: any RandomSource
    package let tracer: Tracer
    private let loginCounts = LoginCounts()
    package let logger: Logger
    let proofs: FreshProofs
    let unknownDeviceProofs: FreshProofs
    let prefetchBudget: PrefetchBudget
    /// Refused requests that leave a line in the trace: what a phone sends again and again must not fill the store.
    private let tracedRefusals: RateLimiter
    /// Tokens of phones whose steps are written into traces.
    let tracedTokens: RateLimiter
    package let expiryClock: ExpiryClock
    /// How often a person may look at their own log.
    let ownLogLimiter: RateLimiter

    /// - Parameter traceObserver: sees each step of each login when it happens, in the task in which it happens. It
    ///   must not wait.
    package init(
        configuration: Configuration, store: any AuthorityStore, vault: Vault, clock: any WallClock = SystemWallClock(),
        random: any RandomSource = SystemRandomSource(), logger: Logger,
        traceObserver: (@Sendable (TraceEvent) -> Void)? = nil
    ) {
        self.configuration = configuration
        self.store = store
        self.vault = vault
        self.clock = clock
        self.random = random
        self.logger = logger
        apps = Apps(store: store, vault: vault, clock: clock, random: random)
        tracer = Tracer(store: store, clock: clock, logger: logger) { [loginCounts] event in
            loginCounts.count(event)
            traceObserver?(event)
        }
        let capacity = configuration.rememberedCallers
        prefetchBudget = PrefetchBudget(limit: configuration.prefetchesPerNumber, capacity: capacity)
        tracedRefusals = RateLimiter(limit: 60, window: .seconds(600), capacity: capacity)
        tracedTokens = RateLimiter(
            limit: configuration.prefetchesPerNumber, window: .seconds(600), capacity: capacity)
        ownLogLimiter = RateLimiter(
            limit: Self.ownLogLooks, window: .seconds(3600), capacity: configuration.rememberedCallers)
        expiryClock = ExpiryClock(clock)
        proofs = FreshProofs(capacity: configuration.rememberedProofs, clock: clock, expiryClock: expiryClock)
        unknownDeviceProofs = FreshProofs(
            capacity: configuration.rememberedProofs, clock: clock, expiryClock: expiryClock)
    }

    /// How many answers an app may have on the day of a moment.
    package func quota(of app: AppRecord, at moment: Timestamp) -> AnswerQuota {
        // The day is not asked for where nothing depends on it.
        guard !app.contract.isEmpty else {
            return AnswerQuota(daily: app.dailyQuota ?? configuration.freeAnswersPerDay)
        }
        return app.quota(on: CalendarDay(moment).number, free: configuration.freeAnswersPerDay)
    }

    /// How many tokens an app may be issued for one number on the day of a moment.
    func numberLimit(of app: AppRecord, at moment: Timestamp) -> NumberLimit? {
        app.contract.isEmpty ? nil : app.limitPerNumber(on: CalendarDay(moment).number)
    }

    /// The policy as phones may read it: for each carrier, whether it is on and what its page must show.
    package func policyDocument() -> JSON {
        let policy = configuration.policy
        return .object([
            "code": "success", "version": .string(policy.version),
            // With it anybody can check a consent receipt.
            "receiptKey": vault.receiptKey.jwk,
            "carriers": .object(
                policy.order.compactMap { carrier in
                    policy.carriers[carrier].map {
                        JSON.Member(
                            carrier.rawValue, .object(["enabled": .bool($0.enabled), "page": $0.page.json]))
                    }
                }),
        ])
    }

    /// The story of a login, oldest step first.
    package func traceEvents(_ trace: TraceID) async throws(Refusal) -> [TraceEvent] {
        do { return try await store.traceEvents(trace) } catch { throw Refusal(error) }
    }

    /// Writes the counts of logins of this process. Call it every few seconds, and at the end.
    package func writeLoginCounts() async throws(StoreError) { try await loginCounts.write(to: store, logger) }

    /// How many steps of an app's logins ended alike in each of these hours, this process's last ones included.
    package func loginCounts(of app: AppID, hours: Range<Int64>) async throws(Refusal) -> [LoginCount] {
        do {
            try await writeLoginCounts()
            return try await store.loginCounts(of: app, hours: hours)
        } catch { throw Refusal(error) }
    }

    /// How many steps of logins of all apps ended alike in units of so many hours; this process's last ones included.
    package func loginCounts(
        hours: Range<Int64>, unit: Int64, offset: Int64
    ) async throws(Refusal) -> [LoginCount] {
        do {
            try await writeLoginCounts()
            return try await store.loginCounts(hours: hours, unit: unit, offset: offset)
        } catch { throw Refusal(error) }
    }

    /// Whether one more refusal of a caller, by its name, is written into a trace.
    package func mayTraceRefusal(of caller: String) -> Bool { tracedRefusals.admits(caller, now: expiryClock.now) }

    /// How long a face account stays whose last authorisation was taken back by an access token alone.
    package static let keptUnboundFaces: Duration = .seconds(7 * 86400)

    /// How long a pair of gateways remembers ended entries: much longer than packets may be late. A gateway that has
    /// not read for longer reads everything again.
    package static let pairMemory: Duration = .seconds(3600)

    /// How long an event for a callback waits at the most, whatever kept it from being tried; then it is a dead letter.
    package static let waitingEvents: Duration = .seconds(7 * 86400)

    /// Forgets what has expired, a little at a time. Call it every minute or so.
    ///
    /// A spent or expired token is kept for a day, so that its second use is answered as what it is. Scrips, pages of
    /// web logins, and codes that no app's server redeemed are deleted ten minutes after their end. Any holder of a
    /// phone's address can cause them at will, and a phone that shows an old one begins again anyway.
    /// - Throws: the first failure, after all the rest was done: what one table keeps from being swept must not fill
    ///   the others.
    package func deleteExpired() async throws(StoreError) {
        let now = expiryClock.now
        // In slices, so that redemptions get their turn in between.
        let slice = 2000
        let retention = configuration.retention
        func begin(_ days: Int) -> Timestamp { now - Retention.duration(days) }
        var first: StoreError?
        func sweep(_ limit: Int, _ step: (Int) async throws(StoreError) -> Int) async {
            do throws(StoreError) { while try await step(limit) >= limit {} } catch { first = first ?? error }
        }
        await sweep(slice) { limit throws(StoreError) in
            try await store.deleteExpiredScrips(before: now - .seconds(600), limit: limit)
        }
        await sweep(slice) { limit throws(StoreError) in
            try await store.deleteExpiredPages(now - .seconds(1200)..<now - .seconds(600), limit: limit)
        }
        await sweep(slice) { limit throws(StoreError) in
            try await store.deleteExpiredCredentials(before: now - .seconds(86400), limit: limit)
        }
        await sweep(slice) { limit throws(StoreError) in
            try await store.deleteGuesses(before: now - .seconds(86400), limit: limit)
        }
        await sweep(slice) { limit throws(StoreError) in
            try await store.deleteNumberCounts(before: CalendarDay(now - .seconds(86400)).number, limit: limit)
        }
        await sweep(slice) { limit throws(StoreError) in
            try await store.deleteSMSCodes(before: now - SMSCodes.memory, limit: limit)
        }
        await sweep(slice) { limit throws(StoreError) in
            try await store.deleteSMSUpstream(before: now - SMSCodes.memory, limit: limit)
        }
        await sweep(slice) { limit throws(StoreError) in
            try await store.forgetFamiliarKeys(since: begin(retention.deviceKeys), limit: limit)
        }
        await sweep(slice) { limit throws(StoreError) in
            try await store.deleteExpiredMessages(before: now, limit: limit)
        }
        await sweep(slice) { limit throws(StoreError) in
            try await store.deletePairEnds(before: clock.now - Self.pairMemory, limit: limit)
        }
        // A face goes with the owner of its number, whether or not face login is switched on now.
        await sweep(200) { limit throws(StoreError) in
            try await store.eraseOutdatedFaceAccounts(unboundBefore: now - Self.keptUnboundFaces, limit: limit)
        }
        await sweep(slice) { limit throws(StoreError) in
            try await store.deleteTraceEvents(before: begin(retention.traces), limit: limit)
        }
        await sweep(slice) { limit throws(StoreError) in
            try await store.deleteLoginCounts(before: LoginCount.hour(of: begin(retention.loginCounts)), limit: limit)
        }
        await sweep(slice) { limit throws(StoreError) in
            try await store.deleteConsents(before: begin(retention.consents), limit: limit)
        }
        await sweep(slice) { limit throws(StoreError) in
            try await store.shortenLedger(to: retention.ledgerBegin(now), limit: limit)
        }
        await sweep(slice) { limit throws(StoreError) in
            try await store.giveUpEvents(queuedBefore: now - Self.waitingEvents, limit: limit)
        }
        await sweep(slice) { limit throws(StoreError) in
            try await store.deleteEvents(
                deliveredBefore: begin(retention.deliveredEvents), deadBefore: begin(retention.deadEvents), limit: limit
            )
        }
        do throws(StoreError) { _ = try await store.finishErasures(at: now, patience: .seconds(120)) } catch {
            first = first ?? error
        }
        do throws(StoreError) { try await apps.eraseDeleted() } catch { first = first ?? error }
        if let first { throw first }
    }
}
