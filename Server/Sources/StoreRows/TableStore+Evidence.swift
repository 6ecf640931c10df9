package import BenjiProtocol
package import Store

extension TableStore {
    package func markEvidence(at now: Timestamp?) async throws(StoreError) -> EvidenceProgress {
        let codes = rowCodes
        guard codes.isInUse else { return EvidenceProgress() }
        let behind = try await read("look for rows to mark") { db in
            try LogKind.allCases.filter { try EvidenceMark.uncounted($0, codes, db) != nil }
        }
        guard !behind.isEmpty else { return EvidenceProgress() }
        let since = try await settledSince(now)
        let settled = try await settledLogRows(for: .marks)
        // Counted outside of the writer, because logins need the writer.
        let steps = try await read("count rows to mark") { db in
            try LogKind.allCases.compactMap { kind in
                try EvidenceMark.next(
                    kind, settled: settled.map { $0[kind] ?? 0 } ?? .max, since: since, codes, db)
            }
        }
        var progress = EvidenceProgress(waiting: Set(behind).subtracting(steps.map(\.former.kind)))
        guard !steps.isEmpty else { return progress }
        progress.hasMore = try await write("mark rows", locks: [.evidenceMarks]) { db in
            var hasMore = false
            for step in steps {
                let isPut = try EvidenceMark.put(step, codes, db)
                hasMore = hasMore || (isPut && step.hasMore)
            }
            return hasMore
        }
        return progress
    }

    /// Consents that were received before this moment count for their age; in milliseconds since 1970. A clock that is
    /// ahead does not decide alone: other nodes would delete consents that count already.
    private func settledSince(_ now: Timestamp?) async throws(StoreError) -> Int64 {
        guard let now else { return 0 }
        var known = try await serverTime()
        if known == nil {
            known = try await read("look for the newest consent") { db in try EvidenceMark.newestConsent(db) }
        }
        let moment = min(now.milliseconds, known?.milliseconds ?? 0)
        return max(moment, EvidenceMark.settledAge) - EvidenceMark.settledAge
    }

    package func settleEvidence(inHour hour: Int?, at now: Timestamp?) async throws(StoreError) {
        let codes = rowCodes
        guard codes.isInUse else { return }
        let since = try await settledSince(now)
        let pending = try await read("look for pending rows") { db in
            try EvidenceMark.pending(inHour: hour, codes, db)
        }
        for part in pending {
            // A process that counts new rows may write the newest mark meanwhile. Then it is counted once more.
            for _ in 0..<2 {
                let change = try await read("count pending rows") { db in
                    try EvidenceMark.settled(part.kind, part.bucket, since: since, codes, db)
                }
                guard let change else { break }
                let isPut = try await write("mark rows", locks: [.evidenceMarks]) { db in
                    try EvidenceMark.put(change, codes, db)
                }
                if isPut { break }
            }
        }
    }

    package func evidenceProblems(inHour hour: Int?) async throws(StoreError) -> [String] {
        let codes = rowCodes
        guard codes.isInUse else { return [] }
        let state = try await read("compare marks") { db in try EvidenceMark.state(inHour: hour, codes, db) }
        var problems = state.problems
        for kind in LogKind.allCases {
            var (missing, first): (Int64, EvidenceMark?) = (0, nil)
            for part in state.parts where part.kind == kind {
                // One bucket at a time, so that no statement and no snapshot lasts long.
                let count = try await read("compare rows") { db in try EvidenceMark.missing(part, codes, db) }
                missing += count
                if count > 0 { first = first ?? part }
            }
            if let first { problems.append(EvidenceMark.problem(missing: missing, from: first)) }
        }
        return problems + (try await obstacles(codes))
    }

    /// Messages about obstacles that keep rows of more than an hour ago from being counted. After a stop, an update or
    /// `benji rows seal` such rows wait without an obstacle.
    ///
    /// - Parameter interval: the pause between two of the ten examinations of open transactions.
    func obstacles(_ codes: RowCodes, every interval: Duration = .seconds(1)) async throws(StoreError) -> [String] {
        // A database without a clock of its own is a file with one writer.
        guard let now = try await serverTime() else { return [] }
        let old = now.milliseconds - 3_600_000
        var stuck = try await read("look for rows to mark") { db in
            var lines: [LogKind: Int64] = [:]
            for kind in LogKind.allCases {
                if let first = try EvidenceMark.uncounted(kind, codes, db), first.at < old { lines[kind] = first.line }
            }
            return lines
        }
        guard !stuck.isEmpty else { return [] }
        do throws(StoreError) {
            try await write("look whether marks can be written", locks: [.evidenceMarks]) { db in
                _ = try db.hasRow("SELECT 1")
            }
        } catch {
            guard error.code == .unavailable else { throw error }
            return [EvidenceMark.problem(unwritten: error.detail)]
        }
        // Benji's own transactions end within seconds, and others of them begin meanwhile.
        for _ in 0..<10 {
            let settled = try await settledLogRows(for: .marks) ?? [:]
            stuck = stuck.filter { (settled[$0.key] ?? 0) < $0.value }
            if stuck.isEmpty { return [] }
            try? await Task.sleep(for: interval)
        }
        return LogKind.allCases.compactMap { kind in stuck[kind].map { EvidenceMark.problem(kind, stuckAt: $0) } }
    }
}
