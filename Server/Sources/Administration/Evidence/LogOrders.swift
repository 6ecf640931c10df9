package import Authority
package import BenjiProtocol
package import Requests
import Store

/// How far the public log is, and its newest head.
package struct ShowLog: Order {
    package static let name = "log.show"
    package static let route = OrderRoute.get("/log")
    package static let summary = "How far the public log of releases and consents is, and its newest signed head."
    package static let answer = "Log"
    package static let roles = Set(Role.allCases)
    package static let changes = false
    package static let isForAllDevelopers = true

    package init() {}

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let state = try await context.stored { store throws(StoreError) in try await store.logState() }
        return .object([
            "log": .string(context.authority.vault.installation), "size": .integer(state.head?.size ?? 0),
            "root": state.head.map { .string(Base64URL.encode($0.root)) },
            "time": state.head.map { .integer($0.at.milliseconds) }, "head": state.head.map { .string($0.text) },
            "isWaiting": .bool(state.hasMore),
        ])
    }
}

/// Rebuilds the whole log from the ledger and the consents, and compares.
package struct VerifyLog: Order {
    package static let name = "log.verify"
    package static let route = OrderRoute.post("/log/verify")
    package static let summary =
        "Makes the whole public log anew from the ledger and the consents, and says what differs."
    package static let answer = "LogCheck"
    package static let roles: Set<Role> = [.operator, .auditor]
    package static let changes = false

    package init() {}

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let check = try await context.authority.checkLog()
        return .object([
            "leaves": .integer(check.leaves), "remade": .integer(check.remade), "owned": .integer(check.owned),
            "heads": .integer(Int64(check.heads)), "problemCount": .integer(Int64(check.problemCount)),
            "problems": .array(check.problems.map { .string($0) }),
        ])
    }
}

/// Lists the apps that received a number, when, and on which page: the present holder's leaves of the log. Each leaf
/// has its proof for a verifier. The look-up is written to the audit log.
package struct ProveLog: Order {
    package static let name = "log.prove"
    package static let route = OrderRoute.post("/log/prove")
    package static let summary = "Who got a number, when and on which page, with proofs; the audit log notes the look."
    package static let answer = "LogProofs"
    package static let fields: [OrderField] = [
        .number,
        OrderField("before", .integer, "Only leaves before this one."),
        OrderField("limit", .integer(1...500)),
    ]
    package static let roles: Set<Role> = [.operator]
    package static let changes = false
    package static let limits = 1...500

    package var number: PhoneNumber
    /// Only leaves before this one: the last of the answer before.
    package var before: Int64?
    package var limit: Int

    package static let usual = [JSON.Member("limit", 100)]

    package init(_ number: PhoneNumber, before: Int64? = nil, limit: Int = 100) {
        self.number = number
        self.before = before
        self.limit = limit
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        try context.check(limit, in: Self.limits)
        let row = try await context.subscriptionToLookAt(number)
        let evidence = try await context.authority.logEvidence(of: row, before: before, limit: limit)
        let names = try await context.authority.appNames(of: evidence)
        return .object([
            "leaves": .array(
                evidence.map { one in
                    .object([
                        "kind": .string(one.input.kind.rawValue), "at": .integer(one.input.at.milliseconds),
                        "app": .string(one.input.appID.rawValue),
                        "name": names[one.input.appID].map { .string($0) },
                        "contentDigest": one.input.contentDigest.map { .string($0) },
                        "detail": .string(one.input.detail), "evidence": one.json,
                    ])
                })
        ])
    }
}
