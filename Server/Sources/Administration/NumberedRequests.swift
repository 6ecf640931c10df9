import Store
import Synchronization

/// The numbers of the last named requests that this process carried out. The audit log names the register's row, which
/// is removed with its holder. After an erasure only this distinguishes a repeated request from another one of its
/// name. It is in memory alone, as keyed marks: in files it would list the erased people.
final class NumberedRequests: Sendable {
    static let maximumRequests = 1000

    private struct Name: Hashable {
        var actor: String
        var key: String
    }

    private struct Cache {
        var marks: [Name: [UInt8]] = [:]
        /// Oldest first.
        var names: [Name] = []
    }

    private let kept = Mutex(Cache())

    func remember(_ request: OrderRequest, of actor: String, mark: [UInt8]) {
        let name = Name(actor: actor, key: request.key)
        kept.withLock { kept in
            if kept.marks.updateValue(mark, forKey: name) == nil { kept.names.append(name) }
            if kept.names.count > Self.maximumRequests { kept.marks[kept.names.removeFirst()] = nil }
        }
    }

    /// The mark of the number that a request held; `nil` if it is not remembered.
    func mark(of request: OrderRequest, of actor: String) -> [UInt8]? {
        kept.withLock { $0.marks[Name(actor: actor, key: request.key)] }
    }
}
