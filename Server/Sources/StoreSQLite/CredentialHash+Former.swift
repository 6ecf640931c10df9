import Store

extension CredentialHash {
    /// What there is under this key, or else under the earlier one (decision 37). One after the other: for a list of two SQLite
    /// makes a table each time.
    func either<Found>(_ find: (CredentialHash) throws -> Found?) rethrows -> Found? {
        try find(self) ?? former.flatMap(find)
    }
}
