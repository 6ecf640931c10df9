package import Authority
package import BenjiProtocol
package import Requests
import Store

/// Lists the master keys and the number of values sealed under each. Of a key it shows the id alone.
package struct ShowKeys: Order {
    package static let name = "keys.show"
    package static let route = OrderRoute.get("/keys")
    package static let summary = "Which master keys there are, and how much is sealed under each."
    package static let answer = "Keys"
    package static let roles: Set<Role> = [.operator, .auditor]
    package static let changes = false

    package init() {}

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let ring = try await context.stored { store throws(StoreError) in try await store.masterKeyRing() }
        let counts = try await context.stored { store throws(StoreError) in try await store.sealedCounts() }
        let files = context.authority.vault.keeper?.formerKeyFiles() ?? []
        // A value that names no key was sealed before keys had ids, so under the first one.
        let first = ring.keys.first?.check.id
        return .object([
            "keys": .array(
                ring.keys.map { record in
                    let own = counts.filter { ($0.key ?? first) == record.check.id }
                    var sealed: [(String, Int)] = []
                    for kind in SealedCount.Kind.allCases {
                        let count = own.filter { $0.kind == kind }.reduce(0) { $0 + $1.count }
                        if count > 0 { sealed.append((kind.rawValue, count)) }
                    }
                    return .object([
                        "id": .string(record.check.name), "state": .string(record.state.rawValue),
                        "since": .integer(record.since.milliseconds),
                        "retiredAt": record.retiredAt.map { .integer($0.milliseconds) },
                        "sealed": .object(sealed.map { JSON.Member($0.0, .integer(Int64($0.1))) }),
                        "formerKeyFile": files.first { $0.id == record.check.id }?.json,
                    ])
                })
        ])
    }
}

/// Replaces the master key and ends when no value is under the former one, or resumes an interrupted rotation (decision
/// 33). It may take minutes; service continues meanwhile.
package struct RotateMasterKey: Order {
    package static let name = "keys.rotate"
    package static let route = OrderRoute.post("/keys/rotate")
    package static let summary =
        "Put a new master key in the place of the present one. Answered when nothing is under the former one any more."
    package static let answer = "KeyRotation"
    package static let fields: [OrderField] = [
        OrderField(
            "discardsFormer", .flag,
            "The former key is kept in no file, because it was stolen. Earlier backups do not open any more.")
    ]
    package static let roles: Set<Role> = [.operator]
    package static let usual = [JSON.Member("discardsFormer", false)]

    /// Whether the former key is kept nowhere, because it was stolen. Earlier backups do not open then.
    package var discardsFormer: Bool

    package init(discardsFormer: Bool = false) { self.discardsFormer = discardsFormer }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let outcome = try await MasterKeyRotation(
            vault: context.authority.vault, store: context.store, clock: context.authority.clock,
            random: context.authority.random, discardsFormer: discardsFormer
        ).run(by: context.note)
        let ring = try await context.stored { store throws(StoreError) in try await store.masterKeyRing() }
        // With the request's name: sent again before this line, the order goes on.
        try await context.append(
            context.note.entry(
                at: context.now,
                to: .object([
                    (outcome.leftToRemove ? "leftToRemove" : discardsFormer ? "discarded" : "removed"):
                        .array(outcome.retired.map { .string($0.text) })
                ])))
        return .object([
            "current": .string(outcome.current.text), "retired": .array(outcome.retired.map { .string($0.text) }),
            "sealed": .integer(Int64(outcome.sealed)), "resumed": .bool(outcome.resumed),
            "leftToRemove": .bool(outcome.leftToRemove),
            "passedOver": .array(outcome.passedOver.map { .string($0.text) }),
            // Earlier backups belong to these.
            "former": .array(
                outcome.retired.map { id in
                    let retiredAt = ring.keys.first { $0.check.id == id }?.retiredAt
                    return .object([
                        "id": .string(id.text), "retiredAt": retiredAt.map { .integer($0.milliseconds) },
                        "file": outcome.formerKeyFiles.first { $0.id == id }?.json,
                    ])
                }),
        ])
    }
}

extension FormerKeyFile {
    fileprivate var json: JSON { .object(["path": .string(path), "isWrapped": .bool(isWrapped)]) }
}

/// Signs consent receipts with a new key from now on. The former one stays published.
package struct RotateReceiptKey: Order {
    package static let name = "keys.rotate-receipt"
    package static let route = OrderRoute.post("/keys/rotate-receipt")
    package static let summary = "Sign consent receipts with a new key from now on."
    package static let answer = "ReceiptKeyRotation"
    package static let roles: Set<Role> = [.operator]

    package init() {}

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let former = context.authority.vault.receiptKey.thumbprint
        let key = try await context.authority.rotateReceiptKey(by: context.note)
        return .object(["current": .string(key.thumbprint), "former": .string(former)])
    }
}
