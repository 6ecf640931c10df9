package import Authority
package import BenjiProtocol
package import Store

/// Who ordered what, newest first.
package struct ListAudit: Order {
    package static let name = "audit.list"
    package static let roles: Set<Role> = [.operator, .auditor, .developer]
    package static let changes = false
    package static let limits = 1...500

    package var filter: AuditFilter
    /// Only lines with a smaller number: the `next` of the answer before.
    package var before: Int64?
    package var limit: Int
    package var app: AppID? { filter.app }

    package init(_ filter: AuditFilter = AuditFilter(), before: Int64? = nil, limit: Int = 100) {
        self.filter = filter
        self.before = before
        self.limit = limit
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        guard Self.limits.contains(limit) else {
            throw Refusal(.parameterInvalid, "limit: \(Self.limits.lowerBound) to \(Self.limits.upperBound)")
        }
        let entries: [AuditEntry]
        do throws(StoreError) {
            entries = try await context.store.auditEntries(filter, before: before, limit: limit)
        } catch { throw Refusal(error) }
        return .object([
            "entries": .array(try entries.map { entry throws(Refusal) in try entry.json(for: context.caller) }),
            // There may be more.
            "next": entries.count == limit ? entries.last.map { .integer($0.id) } : nil,
        ])
    }
}

extension AuditEntry {
    /// A developer learns what became of their app, and not where operators sit, what they think and whom support looked for.
    fileprivate func json(for caller: Caller) throws(Refusal) -> JSON {
        let isWhole = caller.role != .developer
        func value(_ text: String?) throws(Refusal) -> JSON? {
            do { return try text.map { try JSON(parsing: $0) } } catch {
                throw Refusal(.internalError, "line \(id) of the audit log cannot be read")
            }
        }
        return .object([
            "id": .integer(id), "at": .integer(at.milliseconds), "actor": .string(actor), "role": .string(role),
            "origin": isWhole ? .string(origin) : nil, "order": .string(order), "app": app.map { .string($0.rawValue) },
            "subject": isWhole ? subject.map { .string($0) } : nil, "before": try value(before),
            "after": try value(after),
            "reason": isWhole ? reason.map { .string($0) } : nil, "outcome": .string(outcome.rawValue),
        ])
    }
}
