@_spi(Server) import BenjiProtocol
import Logging
import NIOConcurrencyHelpers
import Sightings

// Packets of NASes that make no phone known: counted by NAS and reason, and named in the log.

extension AccountingProcessor {
    /// Counts packets of NASes that make no phone known.
    func noteFaults(_ faults: [(fault: FeedFault, nas: Int)]) {
        guard !faults.isEmpty else { return }
        work.withLockedValue { work in
            for (fault, nas) in faults { work.exchange.note(fault, of: nas) }
        }
    }

    /// Logs one line a minute for each NAS whose packets make no phone known, with the reason and what to do.
    func reportFaults(at now: Timestamp) {
        let lines = work.withLockedValue { work in
            work.exchange.faulty.sorted().compactMap { nas -> (name: String, reports: [FeedFaultWindow.Report])? in
                guard work.faults[nas, default: FeedFaultWindow()].mayLog(at: now) else { return nil }
                work.exchange.faulty.remove(nas)
                let server = configuration.networkAccessServers[nas]
                let sessions = work.confirmations.isEmpty ? 0 : work.confirmations[nas].sessions
                let reports = work.faults[nas, default: FeedFaultWindow()].log(
                    work.exchange.feeds[nas], of: server, sessions: sessions, at: now)
                return (server.name, reports)
            }
        }
        for (name, reports) in lines where !reports.isEmpty {
            logger.warning(
                "accounting makes no phone known; \(reports.map(\.text).joined(separator: "; "))",
                metadata: ["nas": "\(name)", "reason": "\(reports.map(\.fault.reason).joined(separator: " "))"])
        }
    }
}

extension Directory {
    /// Why a session that begins with this event makes no phone known; `nil` if it does, or if no session begins.
    func fault(of event: AccountingEvent) -> FeedFault? {
        let fault: FeedFault
        if event.isReportOfNAT {
            guard event.kind == .start || event.kind == .interim, event.blocks.contains(where: \.isAllocated) else {
                return nil
            }
            return session(reportedBy: event) == nil ? .noSession : nil
        } else if event.address == nil, event.prefix == nil {
            fault = .noAddress
        } else if event.calling == nil {
            fault = .noNumber
        } else {
            return nil
        }
        return switch event.kind {
        case .start: fault
        case .interim: known(event) == nil ? fault : nil
        case .stop, .reset: nil
        }
    }

    /// Whether an event, which has been applied, made a phone known.
    func makesPhoneKnown(_ event: AccountingEvent, _ identified: Identified) -> Bool {
        if event.isReportOfNAT {
            guard event.kind == .start || event.kind == .interim, event.blocks.contains(where: \.isAllocated),
                let index = session(reportedBy: event)
            else { return false }
            return !sessions[index].flags.contains(.unsupported)
        }
        guard case .subscriber = identified else { return false }
        return known(event) != nil
    }

    /// Whether an Interim-Update is about a session that is known and has no subscriber. It asks the register again and
    /// does not count again.
    func isRefusedAgain(_ event: AccountingEvent) -> Bool {
        guard event.kind == .interim, let index = known(event) else { return false }
        return sessions[index].flags.contains(.unsupported)
    }
}
