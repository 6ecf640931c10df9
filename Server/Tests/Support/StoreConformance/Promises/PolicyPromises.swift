import BenjiProtocol
import Store

extension StoreConformance {
    static let policies: [StorePromise] = [
        StorePromise("a policy is kept when another one held until then, with its line, and when an old one comes back")
        { scenario in
            func policy(_ text: String, _ seconds: Int64) -> PolicyRecord {
                PolicyRecord(
                    digest: "digest of \(text)", version: "v", text: text, since: Scenario.now + .seconds(seconds),
                    recordedBy: "benji", origin: "host")
            }
            var kept: [Bool] = []
            for (seconds, text) in ["a", "a", "b", "b", "a"].enumerated() {
                kept.append(
                    try await scenario.store.addPolicy(policy(text, Int64(seconds)), audit: line("policy.change")))
            }
            try expect(kept, is: [true, false, true, false, true], "which were kept")
            let found = try await scenario.store.policies(before: nil, limit: 10)
            try expect(found.map(\.text), is: ["a", "b", "a"], "the policies, newest first")
            var first = policy("a", 0)
            first.id = found.last?.id ?? 0
            try expect(found.last, is: first, "a policy with everything")
            try expect(
                try await scenario.store.policies(before: found[0].id, limit: 1).map(\.text), is: ["b"],
                "the page after")
            let lines = try await scenario.store.auditEntries(AuditFilter(), before: nil, limit: 10)
            try expect(lines.count, is: 3, "lines")
        }
    ]

    private static func line(_ order: String) -> AuditEntry {
        AuditEntry(at: Scenario.now, actor: "ops", role: "operator", origin: "203.0.113.9", order: order)
    }
}
