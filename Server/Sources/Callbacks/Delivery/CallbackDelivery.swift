package import Authority
package import BenjiProtocol
package import Logging
import Metrics
package import Requests
import ServiceLifecycle
package import Store
import Synchronization

/// Brings events to apps' callbacks, as long as the process runs. Every node of an authority runs one. An event is
/// claimed in the store before it is sent, so no two nodes send it at the same time.
package final class CallbackDelivery: Service {
    /// How long a claim lasts: longer than any attempt, so that only a dead process loses one.
    package static let lease: Duration = .seconds(60)
    /// How long the worker waits where nothing is due.
    package static let interval: Duration = .seconds(1)

    private let authority: Authority
    private let store: any OutboxStore
    private let sender: EventSender
    private let schedule: DeliverySchedule
    private let slots = Mutex(ReceiverSlots())
    private let logger: Logger
    private let waiting = Gauge(label: "benji_callback_waiting_events")
    private let dead = Gauge(label: "benji_callback_dead_events")
    private let oldest = Gauge(label: "benji_callback_oldest_waiting_seconds")

    package init(
        authority: Authority, store: any OutboxStore, sender: EventSender,
        schedule: DeliverySchedule = .standard, logger: Logger
    ) {
        self.authority = authority
        self.store = store
        self.sender = sender
        self.schedule = schedule
        self.logger = logger
    }

    private var now: Timestamp { authority.clock.now }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                var isTroubled = false
                while !Task.isCancelled {
                    do throws(StoreError) {
                        for app in try await self.store.appsWithDueEvents(at: self.now) {
                            for _ in 0..<self.slots.withLock({ $0.take(for: app, at: self.now) }) {
                                group.addTask { await self.work(for: app) }
                            }
                        }
                        try await self.measure()
                        isTroubled = false
                    } catch {
                        if !isTroubled {
                            self.logger.warning(
                                "callbacks are not told of anything until the store answers",
                                metadata: ["reason": "\(error)"])
                        }
                        isTroubled = true
                    }
                    do { try await Task.sleep(for: Self.interval) } catch { return }
                }
            }
        }
    }

    /// Sends one receiver's events, one after the other, as long as it takes them.
    private func work(for app: AppID) async {
        defer { slots.withLock { $0.end(app) } }
        do {
            while !Task.isCancelled, try await deliverNext(of: app) {}
        } catch {
            logger.warning(
                "an event for a callback was not delivered; it is tried again",
                metadata: ["app": "\(app)", "reason": "\(error)"])
        }
    }

    /// Claims an app's next event, tries it once, and records the outcome.
    ///
    /// - Returns: whether there was one, and its receiver took it.
    @discardableResult
    package func deliverNext(of app: AppID) async throws -> Bool {
        let lease = authority.random.alphanumerics(24)
        guard
            let entry = try await store.claimEvent(of: app, at: now, until: now + Self.lease, lease: lease)
        else { return false }
        let (outcome, url) = await attempt(entry.event)
        let settlement = schedule.settle(
            outcome, attempts: entry.attempts, at: now, random: authority.random)
        // If this fails, the lease ends and the event is sent again.
        let isOurs = try await store.settleEvent(entry.row, lease: lease, settlement)
        if outcome != .brokenOff { tell(entry.event, outcome, settlement, attempts: entry.attempts) }
        if isOurs, outcome == .answered(410), let url { try await authority.apps.stopCallback(of: app, url: url) }
        guard outcome != .brokenOff else { return false }
        return slots.withLock { $0.note(app, succeeded: outcome.isDelivered, at: now) }
    }

    private func attempt(_ event: OutboxEvent) async -> (DeliveryOutcome, url: String?) {
        let app: RegisteredApp
        // Another node may read the app, or this one in a moment.
        do throws(Refusal) { app = try await authority.apps.find(event.appID) } catch { return (.brokenOff, nil) }
        guard let callback = app.record.callback else { return (.brokenOff, nil) }
        let moment = now
        let secrets = app.callbackSecrets.filter { $0.isAccepted(at: moment) }
        guard let url = try? CallbackURL(callback.url, rules: authority.configuration.callbacks),
            let headers = WebhookSignature.headers(
                id: event.id, payload: event.payload, at: moment, secrets: secrets.map(\.key))
        else { return (.unsendable, callback.url) }
        for secret in secrets { authority.apps.noteUsage(secret.use, secret.version, of: event.appID) }
        return (await sender.send(event.payload, headers: headers, to: url), callback.url)
    }

    /// Counts an attempt, and says what an operator should know of it. No URL: a path may be something that its owner
    /// keeps to himself.
    private func tell(
        _ event: OutboxEvent, _ outcome: DeliveryOutcome, _ settlement: OutboxSettlement, attempts: Int
    ) {
        let result =
            switch settlement.state {
            case .delivered: "delivered"
            case .waiting: "failed"
            case .dead: "dead"
            }
        Counter(label: "benji_callback_attempts_total", dimensions: [("result", result)]).increment()
        guard settlement.state == .dead else { return }
        logger.warning(
            outcome == .answered(410)
                ? "a callback's receiver says that it is gone; nothing is sent until it is registered anew"
                : "an event for a callback is a dead letter; see benji app callback deliveries",
            metadata: [
                "app": "\(event.appID)", "event": "\(event.id)", "attempts": "\(attempts)",
                "outcome": "\(outcome.word)",
            ])
    }

    private let measured = Mutex(Timestamp(milliseconds: 0))

    /// Every half a minute.
    private func measure() async throws(StoreError) {
        let moment = now
        let isDue = measured.withLock { last in
            guard moment >= last + .seconds(30) || moment < last else { return false }
            last = moment
            return true
        }
        guard isDue else { return }
        slots.withLock { $0.forget(restedBefore: moment - .seconds(3600)) }
        let counts = try await store.outboxCounts()
        waiting.record(counts.waiting)
        dead.record(counts.dead)
        oldest.record(counts.oldest.map { max(0, moment.milliseconds - $0.milliseconds) / 1000 } ?? 0)
    }
}
