@_spi(Server) import BenjiProtocol
import Logging
import NIOConcurrencyHelpers
import NIOPosix
import Sightings

// Makes durable what was applied, and keeps the journal short.

extension AccountingProcessor {
    /// Carries out revocations, then makes changes durable, in that order: after a crash in between the NAS repeats its
    /// packet and both happen again. Answers whether nothing is left to do.
    func flush(at now: Timestamp) async -> Bool {
        let (changes, revocations, isDue) = work.withLockedValue { work in
            (
                work.changes, work.revocations,
                now - work.lastHeartbeat >= Self.heartbeatInterval || now < work.lastHeartbeat
            )
        }
        if !revocations.isEmpty {
            do {
                try await register.revoke(revocations)
                work.withLockedValue { $0.revocations.removeFirst(revocations.count) }
            } catch {
                fail(.revoking)
                directory.withLockedValue { $0.mark(changes, unsaved: true) }
                return false
            }
        }
        guard let journal else {
            work.withLockedValue { $0.changes.removeFirst(changes.count) }
            didFlush(changes)
            return true
        }
        guard !changes.isEmpty || isDue || journal.isBroken else { return true }
        // Written anew it would hold what may not be kept yet.
        if journal.isBroken, revocationsWait {
            directory.withLockedValue { $0.mark(changes, unsaved: true) }
            return false
        }
        do {
            try await NIOThreadPool.singleton.runIfActive { [self] in
                if journal.isBroken {
                    try rewrite(journal, at: now)
                } else {
                    try journal.commit(changes, at: heartbeat(at: now))
                }
            }
        } catch {
            metrics.journalFailed()
            fail(.journalling, error as? JournalError)
            directory.withLockedValue { $0.mark(changes, unsaved: true) }
            return false
        }
        work.withLockedValue {
            // Others may have come meanwhile: what was lost is noted by whoever reads packets.
            $0.changes.removeFirst(changes.count)
            $0.lastHeartbeat = now
        }
        didFlush(changes)
        return true
    }

    private func didFlush(_ changes: [DirectoryChange]) {
        if work.withLockedValue({ !$0.failing.isDisjoint(with: [.revoking, .journalling]) }) {
            directory.withLockedValue { $0.mark(changes, unsaved: false) }
        }
        recover(revocationsWait ? [.journalling] : [.revoking, .journalling])
    }

    /// Whether the directory holds changes that may not be kept yet, because what they end has not been revoked.
    private var revocationsWait: Bool {
        work.withLockedValue { !$0.revocations.isEmpty || !$0.lateResets.scopes.isEmpty }
    }

    /// Sweeps and compacts, a little at a time.
    func keepUp(at now: Timestamp) async {
        let count = directory.withLockedValue { directory in
            directory.sweep(2048, at: now)
            return directory.sessions.count
        }
        metrics.sessions(count)
        if count < configuration.sessionLimit { recover([.full]) }
        guard let journal, !journal.isBroken, journal.isCompacting || journal.wantsCompaction, !revocationsWait else {
            return
        }
        do {
            try await NIOThreadPool.singleton.runIfActive { [self] in
                if !journal.isCompacting { try begin(journal) }
                if try addSlice(journal) { try journal.finishCompaction(general(), at: heartbeat(at: now)) }
            }
        } catch {
            metrics.journalFailed()
            logger.warning(
                "the journal cannot be compacted", metadata: ["error": "\((error as? JournalError)?.description ?? "")"]
            )
        }
    }

    private func begin(_ journal: Journal) throws {
        try journal.beginCompaction()
        work.withLockedValue { $0.compactionPosition = 0 }
    }

    /// `true` when all sessions are in the new file.
    private func addSlice(_ journal: Journal) throws -> Bool {
        let start = work.withLockedValue { $0.compactionPosition }
        let (states, end, total) = directory.withLockedValue { directory in
            let end = min(start + Self.compactionSlice, directory.sessions.end)
            let indices = (start..<max(start, end)).filter { !directory.sessions.isFree($0) }
            return (indices.map { DirectoryChange.put(directory.state(of: $0)) }, end, directory.sessions.end)
        }
        try journal.addToCompaction(states)
        work.withLockedValue { $0.compactionPosition = end }
        return end >= total
    }

    private func general() -> [DirectoryChange] { directory.withLockedValue { $0.generalChanges } }

    /// Writes the journal anew from the directory, whatever the disk holds.
    private func rewrite(_ journal: Journal, at now: Timestamp) throws {
        try begin(journal)
        while try !addSlice(journal) {}
        try journal.finishCompaction(general(), at: heartbeat(at: now))
    }

    private func heartbeat(at now: Timestamp) -> Timestamp? {
        guard let settling, now.wholeSeconds < settling.until else { return now }
        return settling.heartbeat
    }

    /// The last heartbeat before the end.
    func finish() async {
        work.withLockedValue { $0.lastHeartbeat = Timestamp(milliseconds: .min) }
        _ = await flush(at: clock.now)
        journal?.close()
    }
}
