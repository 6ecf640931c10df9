@_spi(Server) import BenjiProtocol
import Metrics
import NIOConcurrencyHelpers

// How each NAS's accounting goes, for metrics and for people.

extension AccountingProcessor {
    /// How often sessions are counted and metrics are written.
    static let measuringInterval: Duration = .seconds(15)
    /// From how many sessions on a share of them says something.
    static let fewestSessions = 20

    /// Counts the sessions that no Interim-Update has confirmed, a slice at a time, and writes each feed's metrics.
    func measureFeeds(since began: Timestamp) {
        let now = clock.now
        var confirmations = configuration.networkAccessServers.map { _ in FeedConfirmation() }
        let end = directory.withLockedValue { $0.sessions.end }
        for start in stride(from: 0, to: end, by: Self.forgettingSlice) {
            confirmations = directory.withLockedValue { [confirmations] directory in
                var confirmations = confirmations
                directory.count(start..<(start + Self.forgettingSlice), at: now.wholeSeconds, into: &confirmations)
                return confirmations
            }
        }
        work.withLockedValue { [confirmations] work in
            work.confirmations = confirmations
            for (nas, counts) in work.exchange.feeds.enumerated() {
                work.faults[nas, default: FeedFaultWindow()].turn(counts, at: now)
            }
        }
        for (index, feed) in feeds(since: began).enumerated() {
            let limit = configuration.networkAccessServers[index].silence
            // A gateway that does not own its pair receives nothing and need not.
            measure(feed, silence: isListening ? feed.silence : .zero, limit: limit, at: index)
        }
    }

    private func measure(_ feed: GatewayFeed, silence: Duration, limit: Duration, at index: Int) {
        func gauge(_ name: String, _ value: Double) {
            Gauge(label: "benji_gateway_feed_\(name)", dimensions: [("nas", feed.name)]).record(value)
        }
        gauge("silence_seconds", Double(silence.wholeMilliseconds) / 1000)
        gauge("silence_limit_seconds", Double(limit.wholeMilliseconds) / 1000)
        if let ahead = feed.clockAhead { gauge("clock_ahead_seconds", Double(ahead.wholeMilliseconds) / 1000) }
        gauge("sessions", Double(feed.confirmation.sessions))
        gauge("unconfirmed_sessions", Double(feed.confirmation.unconfirmed))
        let totals = [
            ("taken", feed.counts.taken), ("refused", feed.counts.refused), ("named", feed.counts.named),
            ("delayed", feed.counts.delayed), ("stop_without_start", feed.loss.stopsWithoutStart),
            ("session_without_start", feed.loss.sessionsWithoutStart),
        ]
        let before = work.withLockedValue { work in
            defer { work.measured[index] = totals.map(\.1) }
            return work.measured[index] ?? totals.map { _ in 0 }
        }
        for ((kind, total), before) in zip(totals, before) {
            Counter(label: "benji_gateway_feed_packets_total", dimensions: [("kind", kind), ("nas", feed.name)])
                .increment(by: total - before)
        }
        let faults = work.withLockedValue { work in
            defer { work.measuredFaults[index] = feed.counts.faults }
            return work.measuredFaults[index] ?? [:]
        }
        for (fault, seen) in feed.counts.faults where seen.count != faults[fault]?.count {
            Counter(
                label: "benji_gateway_feed_faults_total", dimensions: [("nas", feed.name), ("reason", fault.reason)]
            ).increment(by: seen.count - (faults[fault]?.count ?? 0))
        }
    }

    /// How each NAS's accounting goes, in the order of the configuration.
    func feeds(since began: Timestamp) -> [GatewayFeed] {
        let now = clock.now
        let (counts, confirmations) = work.withLockedValue { ($0.exchange.feeds, $0.confirmations) }
        let states = directory.withLockedValue { directory in
            counts.indices.map { (directory.state(of: $0, at: now.wholeSeconds), directory.losses[$0]) }
        }
        return configuration.networkAccessServers.enumerated().map { index, nas in
            GatewayFeed(
                name: nas.name, carrier: nas.carrier, isOverTLS: !nas.certificates.isEmpty, counts: counts[index],
                sessions: states[index].0.sessions, isSilent: states[index].0.isSilent,
                silence: max(now - (counts[index].heardAt ?? began), .zero), loss: states[index].1,
                confirmation: confirmations.isEmpty ? FeedConfirmation() : confirmations[index])
        }
    }

    /// Warnings for the operator: about faults of packets, about clocks, and about sessions that are not confirmed.
    func feedWarnings(since began: Timestamp) -> [String] {
        let faults = work.withLockedValue { $0.faults }
        return feeds(since: began).enumerated().flatMap { index, feed in
            let reports = faults[index, default: FeedFaultWindow()].reports(
                feed.counts, of: configuration.networkAccessServers[index], sessions: feed.confirmation.sessions)
            var warnings = reports.map(\.text)
            let namesClock = reports.contains { $0.fault == .dropped(.clock) || $0.fault == .clockBehind }
            if let ahead = feed.clockAhead, max(ahead, .zero - ahead) > configuration.clockTolerance / 2, !namesClock {
                let seconds = max(ahead, .zero - ahead).wholeMilliseconds / 1000
                warnings.append(
                    "the clock of NAS \(feed.name) is \(seconds) s \(ahead > .zero ? "ahead of" : "behind") ours, "
                        + "or its packets are late")
            }
            let (sessions, unconfirmed) = (feed.confirmation.sessions, feed.confirmation.unconfirmed)
            if sessions >= Self.fewestSessions, unconfirmed * 5 > sessions {
                warnings.append(
                    "NAS \(feed.name) has not confirmed \(unconfirmed) of its \(sessions) sessions for one and a half "
                        + "of its intervals; "
                        + "is nas.\(feed.name).interim what it sends?")
            }
            if feed.loss.stopsWithoutStart >= Self.fewestSessions, feed.counts.named == 0, reports.isEmpty {
                warnings.append(
                    "NAS \(feed.name) has ended \(feed.loss.stopsWithoutStart) sessions and begun none; "
                        + "let it send Start and Interim-Update as well as Stop")
            }
            return warnings
        }
    }
}
