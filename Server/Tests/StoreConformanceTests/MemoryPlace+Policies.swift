import Store

extension MemoryPlace {
    func add(_ policy: PolicyRecord, _ audit: AuditEntry?) throws(StoreError) -> Bool {
        guard policies.last?.digest != policy.digest || flaw == .repeatsPolicies else { return false }
        if flaw == .takesOldPoliciesForKnown, policies.contains(where: { $0.digest == policy.digest }) { return false }
        var kept = policy
        kept.id = Int64(policies.count + 1)
        try beside(audit) { () throws(StoreError) in policies.append(kept) }
        return true
    }
}
