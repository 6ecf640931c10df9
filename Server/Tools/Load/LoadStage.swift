import BenjiProtocol
import Synchronization

/// Phones with sessions, app servers with connections, and a server in front of them: plays logins at a rate, as often
/// as asked.
///
/// Start reading here. Decisions without a socket are in `Plan/` and `Measures/`; the clients of the server are in
/// `Players/`.
package final class LoadStage: Sendable {
    /// How a second of a run went.
    package struct Second: Sendable {
        /// Seconds since the first login.
        package var at: Double
        package var tally: Tally
        /// Logins under way.
        package var underWay: Int
    }

    private let target: LoadTarget
    private let plan: LoadPlan
    private let population: Population
    private let keys: [PhoneKey]
    private let recorder: Recorder
    private let core: PacketCorePlayer
    private let pool: ConnectionPool
    /// Phones that play no login now, the longest idle first.
    private let idle: Mutex<IdlePhones>

    /// Starts a session for every phone.
    /// - Throws: ``LoadFailure`` if the gateway does not answer for all of them.
    package init(_ plan: LoadPlan, target: LoadTarget, population: Population, recorder: Recorder) async throws {
        if let problem = plan.problem ?? target.problem { throw LoadFailure(problem) }
        self.target = target
        self.plan = plan
        self.population = population
        self.recorder = recorder
        keys = (0..<population.count).map { _ in PhoneKey() }
        idle = Mutex(IdlePhones(count: population.count))
        pool = ConnectionPool(
            server: target.server, source: target.appServer, size: plan.connections, timeout: plan.timeout)
        do {
            core = try await PacketCorePlayer(target: target, population: population, recorder: recorder)
        } catch { throw LoadFailure("accounting cannot be sent from \(target.networkSource?.description ?? "here")") }
        let missed = await core.startAll()
        guard missed == 0 else {
            await core.close()
            throw LoadFailure(
                "accounting of \(missed) phones or more was not answered; are address, secret and source the NAS's?")
        }
    }

    /// Plays logins until the plan's time is over or the task is cancelled; those under way are finished.
    /// - Parameters:
    ///   - rate: another rate than the plan's.
    ///   - onSecond: called about once a second.
    package func play(
        rate: Double? = nil, onSecond: @escaping @Sendable (Second) -> Void
    ) async -> LoadReport {
        var plan = plan
        plan.rate = rate ?? plan.rate
        let pace = Pace(rate: plan.rate)
        let logins = max(1, pace.due(after: .seconds(plan.seconds) - .nanoseconds(1)))
        let began = ContinuousClock.now
        let upkeep = Task { [core, interim = plan.interim] in await core.keepUp(every: interim) }
        let ticker = Task { await tellSeconds(since: began, onSecond) }
        await withDiscardingTaskGroup { group in
            var next = 0
            while next < logins, !Task.isCancelled {
                for index in next..<max(next, min(logins, pace.due(after: ContinuousClock.now - began))) {
                    let due = began + pace.moment(of: index)
                    group.addTask { await self.login(index, due: due) }
                    next = index + 1
                }
                guard next < logins else { break }
                try? await Task.sleep(until: began + pace.moment(of: next))
            }
        }
        let elapsed = ContinuousClock.now - began
        ticker.cancel()
        upkeep.cancel()
        await ticker.value
        await upkeep.value
        return LoadReport(plan: plan, seconds: elapsed / .seconds(1), tally: recorder.takeWhole())
    }

    /// Closes every connection. Sessions stay: they end with their lease.
    package func close() async {
        await pool.closeAll()
        await core.close()
    }

    private func login(_ index: Int, due: ContinuousClock.Instant) async {
        let purpose: TokenPurpose = plan.isVerification(index) ? .verification : .login
        guard let phone = idle.withLock({ $0.take() }) else {
            recorder.add(.login, microseconds: nil, failure: "(\(ConnectionFault.noPhone.rawValue))")
            return
        }
        let player = PhonePlayer(target: target, recorder: recorder, timeout: plan.timeout)
        let token = await player.token(
            phone: phone, address: population.address(phone), key: keys[phone], purpose: purpose)
        var failure: String? = "no token"
        if let token {
            failure = await AppServerPlayer(target: target, population: population, pool: pool, recorder: recorder)
                .spend(token, phone: phone, purpose: purpose)
        }
        idle.withLock { $0.giveBack(phone) }
        recorder.add(.login, microseconds: Recorder.microseconds(ContinuousClock.now - due), failure: failure)
    }

    private func tellSeconds(
        since began: ContinuousClock.Instant, _ onSecond: @Sendable (Second) -> Void
    ) async {
        _ = recorder.takeSecond()
        var second = 1.0
        while true {
            do { try await Task.sleep(until: began + .seconds(second)) } catch { return }
            onSecond(
                Second(
                    at: (ContinuousClock.now - began) / .seconds(1), tally: recorder.takeSecond(),
                    underWay: population.count - idle.withLock { $0.count }))
            // After a stall of our own the missed seconds are one.
            second = max(second + 1, ((ContinuousClock.now - began) / .seconds(1)).rounded(.up))
        }
    }
}

/// Why load could not be played at all.
package struct LoadFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }
}
