import Authority
package import BenjiProtocol
package import Metrics
package import Store
import Synchronization

/// Counts each step of each login by app, carrier and how it ended.
///
/// Labels are bounded. Apps are registered ones, the first ``LoginMeters/apps`` of them that log a person in and the
/// rest as `other`. Carriers are the policy's; steps and codes are lists of ours.
package final class LoginMeters: Sendable {
    /// Apps that have a label of their own.
    package static let apps = 200
    package static let label = "benji_logins_total"

    private struct Key: Hashable {
        var app: String
        var carrier: String
        var party: TraceEvent.Party
        var step: String
        var situation: Situation
    }

    private struct State {
        var named: Set<AppID> = []
        /// Kept, because to make one costs more than to count.
        var counters: [Key: Counter] = [:]
    }

    private let carriers: Set<Carrier>
    private let limit: Int
    private let factory: any MetricsFactory
    private let state = Mutex(State())

    /// - Parameters:
    ///   - carriers: those of the policy; others count as `other`.
    ///   - limit: apps that get a label of their own.
    package init(
        carriers: Set<Carrier>, limit: Int = LoginMeters.apps, factory: any MetricsFactory = MetricsSystem.factory
    ) {
        self.carriers = carriers
        self.limit = limit
        self.factory = factory
    }

    /// Counts a step of the login whose request this task answers.
    package func count(_ event: TraceEvent) {
        let subject = RequestSubject.current
        var key = Key(
            app: Self.unknown, carrier: Self.unknown, party: event.party, step: event.step,
            situation: event.situation)
        let counter = state.withLock { state in
            if let app = subject?.app {
                if state.named.count < limit { state.named.insert(app) }
                key.app = state.named.contains(app) ? app.rawValue : Self.other
            }
            if let carrier = subject?.carrier {
                key.carrier = carriers.contains(carrier) ? carrier.rawValue : Self.other
            }
            if let known = state.counters[key] { return known }
            let made = Self.counter(for: key, factory)
            state.counters[key] = made
            return made
        }
        counter.increment()
    }

    private static let unknown = "unknown"
    private static let other = "other"

    private static func counter(for key: Key, _ factory: any MetricsFactory) -> Counter {
        Counter(
            label: label,
            dimensions: [
                ("app", key.app), ("carrier", key.carrier), ("party", key.party.rawValue), ("step", key.step),
                ("code", key.situation.rawValue),
            ], factory: factory)
    }
}
