package import Authority
package import BenjiProtocol
package import Requests
package import Store

/// Lists orders and their callers, newest first.
package struct ListAudit: Order {
    package static let name = "audit.list"
    package static let route = OrderRoute.get("/audit")
    package static let summary = "Who ordered what, newest first."
    package static let answer = "AuditPage"
    package static let fields: [OrderField] = [
        OrderField("app", .app),
        OrderField("actor", .text),
        OrderField("order", .text, "Such as app.set."),
        OrderField("since", .integer, "From this moment on, milliseconds since 1970."),
        OrderField("until", .integer, "Before this moment, milliseconds since 1970."),
        OrderField("before", .integer, "Only lines before this one: `next` of the answer before."),
        OrderField("limit", .integer(1...500), "Lines at the most."),
    ]
    package static let roles: Set<Role> = [.operator, .auditor, .developer]
    package static let changes = false
    package static let limits = 1...500
    /// The most bytes of earlier and later states in one answer: lines of earlier versions hold long lists whole.
    package static let maximumBytes = 4 << 20
    private static let step = 25

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

    private enum CodingKeys: CodingKey { case before, limit }
    package static let usual = [JSON.Member("limit", 100)]
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        filter = try AuditFilter(from: decoder)
        before = try container.decodeIfPresent(Int64.self, forKey: .before)
        limit = try container.decode(Int.self, forKey: .limit)
    }
    package func encode(to encoder: any Encoder) throws {
        try filter.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(before, forKey: .before)
        try container.encode(limit, forKey: .limit)
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        try context.check(limit, in: Self.limits)
        // A text with it is in no line, and PostgreSQL takes none.
        for (name, text) in [("actor", filter.actor), ("order", filter.order)] where text?.contains("\0") == true {
            throw Refusal(.parameterInvalid, "\(name): has a NUL character")
        }
        let (entries, hasMore) = try await entries(context)
        // Lines of an order that there was in an earlier version are found by its name.
        if let order = filter.order, before == nil, entries.isEmpty, !Orders.names.contains(order) {
            throw Refusal(
                .parameterInvalid,
                "order: there is none called \(order.prefix(64)); there are \(Orders.names.joined(separator: ", "))")
        }
        return .object([
            "entries": .array(try entries.map { entry throws(Refusal) in try entry.json(for: context.caller) }),
            // There may be more.
            "next": hasMore ? entries.last.map { .integer($0.id) } : nil,
            "problems": try await problems(context),
        ])
    }

    /// Why the log is not to be believed, and which admins are not; with the first page, and not for developers.
    private func problems(_ context: OrderContext) async throws(Refusal) -> JSON? {
        guard before == nil, context.caller.role != .developer else { return nil }
        let problems = try await context.stored { store throws(StoreError) -> [String] in
            _ = try await store.admins()
            do throws(StoreError) {
                store.rowCodes.note(auditProblem: try await store.auditLogProblem())
            } catch {
                // The lines can be shown all the same.
                guard error.code == .unavailable else { throw error }
                return store.rowCodes.problems + ["the log was not compared with its mark: \(error.detail)"]
            }
            // That takes long, so a server does it in the background, and benji audit before or after it asks here.
            let isCompared = !store.rowCodes.isInUse || store.rowCodes.evidenceProblems != nil
            return store.rowCodes.problems
                + (isCompared ? [] : ["the ledger and the consents were not compared with their marks yet"])
        }
        return problems.isEmpty ? nil : .array(problems.map { .string($0) })
    }

    /// As many as are asked for, or fewer that have ``maximumBytes`` together; and whether there may be more. Read a
    /// few at a time, so that not all of them are in memory before they are counted.
    private func entries(_ context: OrderContext) async throws(Refusal) -> (entries: [AuditEntry], hasMore: Bool) {
        var (found, bytes): ([AuditEntry], Int) = ([], 0)
        while found.count < limit {
            let (cursor, asked) = (found.last?.id ?? before, min(Self.step, limit - found.count))
            let next = try await context.stored { store throws(StoreError) in
                try await store.auditEntries(filter, before: cursor, limit: asked)
            }
            for entry in next {
                bytes += (entry.before?.utf8.count ?? 0) + (entry.after?.utf8.count ?? 0)
                // One line is answered however long it is.
                if bytes > Self.maximumBytes, !found.isEmpty { return (found, true) }
                found.append(entry)
            }
            if next.count < asked { return (found, false) }
        }
        return (found, true)
    }
}

extension AuditEntry {
    /// A developer sees the outcome for their app, but not operators' origins and reasons or a look-up's subject.
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
