import Store

extension CredentialHash {
    /// Looks under this key, then under the earlier one (decision 37). It runs two queries, because SQLite makes a
    /// table for each list of two.
    func either<Found>(_ find: (CredentialHash) throws -> Found?) rethrows -> Found? {
        try find(self) ?? former.flatMap(find)
    }
}
