@_spi(Server) import BenjiProtocol
import NIOConcurrencyHelpers
import Sightings

// Doubts for the directory, because packets were missed or refused.

extension AccountingProcessor {
    /// The queue had no room for packets.
    ///
    /// - Parameter sources: where they came from.
    func didShed(_ sources: [InternetAddress]) {
        let servers = work.withLockedValue { work in
            let servers = sources.compactMap { work.exchange.server(for: $0) }
            for nas in servers { work.exchange.note(.dropped(.shed), of: nas) }
            return Set(servers)
        }
        for nas in servers { miss(from: nas) }
    }

    /// The queue had no room for packets of a connection of this NAS.
    func didShed(_ count: Int, of nas: Int) {
        work.withLockedValue { $0.exchange.note(.dropped(.shed), of: nas, count: count) }
        miss(from: nas)
    }

    /// A connection of a NAS was ended with unread packets in it.
    func didBreakOff(_ nas: Int) { miss(from: nas) }

    /// The kernel had no room for packets: they may have been any NAS's.
    func didLose() { miss(from: nil) }

    private func miss(from nas: Int?) {
        let now = clock.now
        note(directory.withLockedValue { $0.miss(from: nas, at: now) })
    }

    func doubt(because event: AccountingEvent, at now: Timestamp) {
        note(directory.withLockedValue { $0.doubt(because: event, at: now) })
    }

    private func note(_ changes: [DirectoryChange]) {
        guard !changes.isEmpty else { return }
        work.withLockedValue { $0.changes += changes }
    }
}
