import StoreRows

extension StoreLock {
    /// "Benj": so that no other program's locks in this database are ours.
    private static let space: Int32 = 0x4265_6e6a

    static func statements(_ locks: some Sequence<StoreLock>) -> [Statement] {
        var strongest: [Int32: Bool] = [:]
        for lock in locks { strongest[lock.key] = lock.isShared && strongest[lock.key] ?? true }
        var groups: [(isShared: Bool, keys: [Int32])] = []
        for (key, isShared) in strongest.sorted(by: { $0.key < $1.key }) {
            if groups.last?.isShared == isShared {
                groups[groups.count - 1].keys.append(key)
            } else {
                groups.append((isShared, [key]))
            }
        }
        return groups.map { group in
            let function = group.isShared ? "pg_advisory_xact_lock_shared" : "pg_advisory_xact_lock"
            return Statement(
                "SELECT count(\(function)($1, key)) FROM unnest($2) AS key", space, Values(group.keys))
        }
    }
}
