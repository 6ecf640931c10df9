import Store

extension MemoryPlace {
    /// Makes a change and writes its line, or neither.
    func beside(_ entry: AuditEntry?, _ change: () throws(StoreError) -> Void) throws(StoreError) {
        if flaw == .writesLinesOfRefusedChanges, let entry { try append(entry) }
        if let entry, flaw != .changesBeforeTheLine { try check(entry) }
        try change()
        if flaw != .writesLinesOfRefusedChanges, flaw != .forgetsTheLine, let entry { try append(entry) }
    }

    /// Writes the line of the change that was just made.
    func note(_ entry: AuditEntry?) throws(StoreError) { if let entry { try append(entry) } }

    func append(_ entry: AuditEntry) throws(StoreError) {
        try check(entry)
        var entry = entry
        entry.id = Int64(auditLines.count + 1)
        auditLines.append(entry)
    }

    private func check(_ entry: AuditEntry) throws(StoreError) {
        guard let key = entry.request?.key, flaw != .takesRequestsTwice else { return }
        let isOwn = { (line: AuditEntry) in self.flaw == .sharesRequestKeys || line.actor == entry.actor }
        if auditLines.contains(where: { $0.request?.key == key && isOwn($0) }) {
            throw StoreError(.alreadyExists, "audit")
        }
    }

    func audit(after line: Int64, limit: Int) -> [AuditEntry] {
        let lines =
            flaw == .sendsLinesOnTwice ? auditLines.filter { $0.id >= line } : auditLines.filter { $0.id > line }
        return Array(lines.prefix(max(limit, 0)))
    }

    func audit(_ filter: AuditFilter, before: Int64?, limit: Int) -> [AuditEntry] {
        let found = auditLines.reversed().filter { line in
            (filter.app == nil || line.app == filter.app) && (filter.actor == nil || line.actor == filter.actor)
                && (filter.order == nil || line.order == filter.order)
                && (filter.since.map { line.at >= $0 } ?? true)
                && (filter.until.map { flaw == .countsTheEndOfARange ? line.at <= $0 : line.at < $0 } ?? true)
                && (before.map { line.id < $0 } ?? true)
        }
        return Array(found.prefix(max(limit, 0)))
    }
}
