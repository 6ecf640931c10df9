import Sightings

// A journal's change as an entry of a pair's record.

/// An entry that this version cannot read. Then the gateway does not know the holder of each address.
struct UnreadableEntry: Error {}

extension PairEntry {
    /// A renewal is none: ``DirectoryChange/SessionState/isRenewal``.
    init(_ change: DirectoryChange) {
        var key = JournalEncoder()
        var isEnd = false
        switch change {
        case .put(let state):
            key.append(UInt8(0))
            key.append(state.key)
        case .removed(let session, _):
            // The end of a session is in the place of the session.
            key.append(UInt8(0))
            key.append(session)
            isEnd = true
        case .reset(let scope, _):
            key.append(UInt8(1))
            key.append(scope)
        case .missed(let domain, _):
            key.append(UInt8(2))
            key.append(domain)
        case .missedScope(let scope, _):
            key.append(UInt8(3))
            key.append(scope)
        case .named(let scope, _):
            key.append(UInt8(4))
            key.append(scope)
        }
        var content: [UInt8] = []
        JournalCoding.append(.change(change), to: &content)
        self.init(key: key.bytes, content: content, isEnd: isEnd)
    }

    /// The change that the entry contains.
    var change: DirectoryChange {
        get throws(UnreadableEntry) {
            var changes: [DirectoryChange] = []
            var reader = JournalReader()
            reader.read(JournalCoding.magic + content) { record in
                if case .change(let change) = record { changes.append(change) }
            }
            guard !reader.isDamaged, reader.goodLength == JournalCoding.magic.count + content.count,
                let change = changes.first, changes.count == 1
            else { throw UnreadableEntry() }
            return change
        }
    }
}
