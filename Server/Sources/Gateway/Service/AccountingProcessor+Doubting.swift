@_spi(Server) import BenjiProtocol
import Logging
import NIOConcurrencyHelpers
import Sightings

// What was missed or refused: doubts for the directory, and words for the operator.

extension AccountingProcessor {
    /// The queue had no room for packets.
    ///
    /// - Parameter sources: where they came from.
    func didShed(_ sources: [InternetAddress]) {
        for nas in Set(work.withLockedValue { work in sources.compactMap { work.exchange.server(for: $0) } }) {
            miss(from: nas)
        }
    }

    /// A connection of a NAS was ended with packets in it that nobody has read.
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

    func warnOfUntimed(_ packet: DatagramBatch.Envelope) {
        let nas = work.withLockedValue { work -> Int? in
            guard let nas = work.exchange.server(for: packet), work.untimed.insert(nas).inserted else {
                return nil
            }
            return nas
        }
        guard let nas else { return }
        logger.warning(
            "a NAS sends accounting without Event-Timestamp, which is not answered; let it send attribute 55",
            metadata: ["nas": "\(configuration.networkAccessServers[nas].name)"])
    }

    /// Says so once a minute for each NAS: a pool that was forgotten looks like a network without phones.
    func tellOfOutsidePools(_ packet: DatagramBatch.Envelope, at now: Timestamp) {
        let nas = work.withLockedValue { work -> Int? in
            guard let nas = work.exchange.server(for: packet) else { return nil }
            if let last = work.outside[nas], now >= last, now - last < Self.reportInterval { return nil }
            work.outside[nas] = now
            return nas
        }
        guard let nas else { return }
        let name = configuration.networkAccessServers[nas].name
        logger.notice(
            "a NAS announces addresses that are not its own, which is not answered; name them in nas.\(name).pools if they are",
            metadata: ["nas": "\(name)", "reason": "\(DropReason.outsidePools.rawValue)"])
    }
}
