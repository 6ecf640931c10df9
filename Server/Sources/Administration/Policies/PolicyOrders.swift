package import Authority
import BenjiPolicy
package import BenjiProtocol
package import Requests
package import Store

/// The policies that held here, newest first: from when to when, and who started the server that had each first.
package struct ListPolicies: Order {
    package static let name = "policy.list"
    package static let route = OrderRoute.get("/policies")
    package static let summary = "Which policies held, newest first."
    package static let answer = "Policies"
    package static let fields: [OrderField] = [
        OrderField("before", .integer, "`next` of the answer before."),
        OrderField("limit", .integer(1...200), "Policies at the most."),
    ]
    package static let roles: Set<Role> = [.operator, .support, .auditor]
    package static let changes = false
    package static let limits = 1...200
    package static let usual = [JSON.Member("limit", 50)]

    /// Only policies with a smaller number: the `next` of the answer before.
    package var before: Int64?
    package var limit: Int

    package init(before: Int64? = nil, limit: Int = 50) {
        self.before = before
        self.limit = limit
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        try context.check(limit, in: Self.limits)
        // One more on the newer side says when the first of these ended.
        let found = try await context.stored { store throws(StoreError) in
            try await store.policies(
                before: before.map { $0 == .max ? $0 : $0 + 1 }, limit: limit + (before == nil ? 0 : 1))
        }
        var until = before == nil ? nil : found.first?.since
        let asked = before == nil ? found[...] : found.dropFirst()
        let listed = asked.map { record in
            defer { until = record.since }
            return record.summary(until: until)
        }
        return .object([
            "policies": .array(listed),
            // There may be more.
            "next": asked.count == limit ? asked.last.map { .integer($0.id) } : nil,
        ])
    }
}

/// One policy that held here: the newest, one by its digest, or the one that held at some moment.
package struct ShowPolicy: Order {
    package static let name = "policy.show"
    package static let route = OrderRoute.get("/policy")
    package static let summary = "One policy: the newest, one by digest, or the one that held at a moment."
    package static let answer = "Policy"
    package static let fields: [OrderField] = [
        OrderField("digest", .text, "Its beginning is enough."),
        OrderField("moment", .integer, "milliseconds since 1970"),
    ]
    package static let roles: Set<Role> = [.operator, .support, .auditor]
    package static let changes = false
    /// Characters of a digest.
    package static let digestLength = 4...43

    /// The digest or its beginning; the newest of that digest.
    package var digest: String?
    package var moment: Timestamp?

    package init(digest: String? = nil, at moment: Timestamp? = nil) {
        self.digest = digest
        self.moment = moment
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        guard digest == nil || moment == nil else {
            throw Refusal(.parameterInvalid, "digest: give a digest or a moment, not both")
        }
        if let digest, !Self.digestLength.contains(digest.utf8.count) {
            throw Refusal(.parameterInvalid, "digest: the first \(Self.digestLength.lowerBound) characters or more")
        }
        var until: Timestamp?
        var before: Int64?
        while true {
            let page = try await context.stored { [before] store throws(StoreError) in
                try await store.policies(before: before, limit: 100)
            }
            for record in page {
                if digest.map(record.digest.hasPrefix) ?? (record.since <= moment ?? context.now) {
                    return try record.json(until: until)
                }
                until = record.since
            }
            guard let last = page.last else { throw missing }
            before = last.id
        }
    }

    private var missing: Refusal {
        let words =
            if digest != nil {
                "no policy with this digest held here"
            } else if moment != nil {
                "no policy is known to have held here at that time; they are written down when a server starts"
            } else {
                "no policy is written down yet; that is done when a server starts"
            }
        return Refusal(.parameterInvalid, words)
    }
}

extension PolicyRecord {
    /// The ``origin`` of a policy without a file, and of a machine without a known name. The audit log's words are the
    /// same in every language.
    package static let carriedAlong = "the policy that comes along"
    package static let unnamedMachine = "this machine"
}

extension Administration {
    /// Writes down the policy that this process starts with, if another one held here until now, with a line in the
    /// audit log. Answers whether it was.
    ///
    /// - Parameters:
    ///   - caller: the user who starts the server.
    ///   - place: the machine, and where the policy came from.
    @discardableResult
    package func notePolicy(by caller: Caller, from place: String) async throws(StoreError) -> Bool {
        let policy = authority.configuration.policy
        let text = policy.json.text
        let record = PolicyRecord(
            digest: ConsentRecord.hash(of: text), version: policy.version, text: text, since: authority.clock.now,
            recordedBy: caller.name, origin: place)
        let held = try await store.policies(before: nil, limit: 1).first
        // Most starts write nothing; whether it is still so the store asks once more.
        guard held?.digest != record.digest else { return false }
        let note = OrderNote(actor: caller.name, role: "installation", origin: place, order: "policy.change")
        let line = note.entry(
            at: record.since, subject: "policy \(record.digest)", from: held?.names, to: record.names)
        return try await store.addPolicy(record, audit: line)
    }
}

extension PolicyRecord {
    /// The part that the audit log keeps.
    fileprivate var names: JSON { .object(["digest": .string(digest), "version": .string(version)]) }

    /// - Parameter until: when the next one began; `nil` if it holds now.
    fileprivate func summary(until: Timestamp?) -> JSON {
        .object([
            "id": .integer(id), "digest": .string(digest), "version": .string(version),
            "since": .integer(since.milliseconds), "until": until.map { .integer($0.milliseconds) },
            "recordedBy": .string(recordedBy), "origin": .string(origin),
        ])
    }

    fileprivate func json(until: Timestamp?) throws(Refusal) -> JSON {
        guard case .object(let members) = summary(until: until) else { return .null }
        do { return .object(members + [JSON.Member("policy", try JSON(parsing: text))]) } catch {
            throw Refusal(.internalError, "policy \(id) cannot be read")
        }
    }
}
