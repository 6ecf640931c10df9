@_spi(Server) import BenjiProtocol
import Logging
import NIOConcurrencyHelpers
import NIOPosix
import Sightings

// Makes applied changes durable, and keeps the journal short.

extension AccountingProcessor {
    private var heartbeatInterval: Duration { pair == nil ? Self.heartbeatInterval : PairMembership.interval }

    /// Carries out revocations, then makes changes durable, in that order: after a crash in between the NAS repeats its
    /// packet and both happen again. Answers whether nothing is left to do.
    func flush(at now: Timestamp) async -> Bool {
        let (changes, revocations, isDue) = work.withLockedValue { work in
            (
                work.changes, work.revocations,
                now - work.lastHeartbeat >= heartbeatInterval || now < work.lastHeartbeat
            )
        }
        if !revocations.isEmpty {
            do {
                try await register.revoke(revocations)
                work.withLockedValue { $0.revocations.removeFirst(revocations.count) }
            } catch {
                fail(.revoking, error)
                directory.withLockedValue { $0.mark(changes, unsaved: true) }
                return false
            }
        }
        guard !changes.isEmpty || isDue || journal?.isBroken == true else { return true }
        guard await keep(changes, at: now) else {
            directory.withLockedValue { $0.mark(changes, unsaved: true) }
            return false
        }
        work.withLockedValue {
            // More changes may have come meanwhile: the reader of packets notes losses.
            $0.changes.removeFirst(changes.count)
            $0.lastHeartbeat = now
        }
        didFlush(changes)
        return true
    }

    /// Makes changes durable where this gateway keeps them: in its pair's record, in its journal, or nowhere. Answers
    /// whether they are.
    private func keep(_ changes: [DirectoryChange], at now: Timestamp) async -> Bool {
        if let pair { return await record(changes, in: pair) }
        guard let journal else { return true }
        // A rewritten journal would hold changes that may not be kept yet.
        if journal.isBroken, revocationsWait { return false }
        do {
            try await NIOThreadPool.singleton.runIfActive { [self] in
                if journal.isBroken {
                    try rewrite(journal, at: now)
                } else {
                    try journal.commit(changes, at: heartbeat(at: now))
                }
            }
            return true
        } catch {
            metrics.journalFailed()
            fail(.journalling, error)
            return false
        }
    }

    private func didFlush(_ changes: [DirectoryChange]) {
        let hasFailed = work.withLockedValue { work in
            !work.failing.isEmpty && [.revoking, .journalling, .recording].contains { work.failing[$0] != nil }
        }
        if hasFailed {
            directory.withLockedValue { $0.mark(changes, unsaved: false) }
        }
        recover(revocationsWait ? [.journalling, .recording] : [.revoking, .journalling, .recording])
    }

    /// Whether the directory holds changes that may not be kept yet, because what they end has not been revoked.
    private var revocationsWait: Bool {
        work.withLockedValue { !$0.revocations.isEmpty || !$0.lateResets.scopes.isEmpty }
    }

    /// Sweeps and compacts, a little at a time.
    func keepUp(at now: Timestamp) async {
        let entries = directory.withLockedValue { directory in
            directory.turn(at: now)
            return min(Self.sweepSlice, directory.sessions.end)
        }
        var swept: [DirectoryChange] = []
        directory.forEach(stride(from: 0, to: entries, by: Self.sweepSteps)) { directory, start in
            swept += directory.sweep(min(Self.sweepSteps, entries - start), at: now)
        }
        if !swept.isEmpty { work.withLockedValue { [swept] in $0.changes += swept } }
        let count = directory.withLockedValue { $0.sessions.count }
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
        let total = directory.withLockedValue { $0.sessions.end }
        let end = max(start, min(start + Self.compactionSlice, total))
        var states: [DirectoryChange] = []
        directory.forEach(start..<end) { directory, index in
            if !directory.sessions.isFree(index) { states.append(.put(directory.state(of: index))) }
        }
        try journal.addToCompaction(states)
        work.withLockedValue { $0.compactionPosition = end }
        return end >= total
    }

    private func general() -> [DirectoryChange] { directory.withLockedValue { $0.generalChanges } }

    /// Rewrites the journal from the directory, whatever the disk holds.
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
        if let pair {
            // Unrecorded changes count as not received. Without a release the other gateway waits until it is sure.
            if pair.owned != nil, await flush(at: clock.now) { try? await pair.release() }
            return
        }
        _ = await flush(at: clock.now)
        journal?.close()
    }
}
